// Package source reads the sources of a project for site generators: listings and texts of files, and the
// values of configuration files. A [Tree] lists each directory once and reads each page once. A [Dir] is a
// directory that may hold a configuration. A [Value] is a value in one, which may be unknown because a
// script computes it.
//
// # Bounds
//
// A configuration file is at most 1 MiB, a page at most 4 MiB, a tree at most 500,000 files and 64
// directories deep. Up to 64 MiB of the texts of pages are kept. Nothing outside the root of a tree is
// read.
package source
