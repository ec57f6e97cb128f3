// Package site says how a generator publishes a tree of documents: which files are pages,
// at which URLs, and what a reference in one of them leads to. It reads files through a
// [Tree], and runs nothing.
//
// A [Site] is one configuration file. Its [Mount]s say what is published where, and its
// [Page]s are known before any reference is judged. [Site.Resolve] says where a reference
// leads: the base that counts depends on the form in which it is written, not on the
// generator alone. Most generators rewrite Markdown links from source paths to URLs, and
// leave raw HTML as it is, so that the same "../setup/" is right in one form and dead in
// the other. [Site.Spell] is the inverse: how a reference to a file is written.
//
// What a configuration or a plugin makes at build time is not known: then the answer is
// [Unknown], never [Missing].
//
// # Bounds
//
// A configuration file is at most 1 MiB, a tree at most 500,000 files and 64 directories
// deep, and includes are followed to a depth of 8. Files outside the repository are
// not read.
package site

/*
	site.go      Site, Mount, Page, Use, Form: the model
	find.go      configuration files, and the site of a file
	index.go     pages and routes of a site
	include.go   which pages include a file
	resolve.go   candidates and the verdict
	rules.go     the steps that the tables of generators are made of
	spell.go     the inverse of resolve
	hosts.go     redirects of the host; moves.go: those of the configuration
	component.go ids that components make
	tree.go      listings and text of files, bounded
	conf.go      values of configurations; glob.go: patterns in them

	one file for each generator: mkdocs.go, docusaurus.go, …
*/
