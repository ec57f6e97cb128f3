// Package site determines how a generator publishes a tree of documents: which files are
// pages, at which URLs, and where a reference in one of them leads. It reads files through
// a [Tree], and runs no programs.
//
// A [Site] belongs to one configuration file. Its [Mount]s say what is published where, and
// its [Page]s are known before any reference is judged. [Site.Resolve] says where a reference
// leads. The base depends not only on the generator, but also on the form of the reference:
// most generators rewrite Markdown links from source paths to URLs, but not raw HTML, so the
// same "../setup/" may be right in one form and broken in the other. [Site.Spell] is the
// inverse: it returns a reference to a file.
//
// The package does not know what a configuration or a plugin makes at build time. The
// answer is then [Unknown], never [Missing].
//
// # Bounds
//
// A configuration file is at most 1 MiB, a tree at most 500,000 files and 64 directories
// deep, and includes are followed to a depth of 8. Files outside the repository are
// not read. A reference whose path is longer than 4,096 bytes is [Unknown].
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

	one file for each generator: mkdocs.go, docusaurus.go, …; for some, others for their parts: hugo_mounts.go,
	sphinxbare.go (Sphinx without a configuration)
*/
