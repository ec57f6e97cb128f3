// Package site determines how a generator publishes a tree of documents: which files are pages, at which
// URLs, and what a reference in one of them resolves to. It reads files through a [source.Tree], and runs
// no programs. Packages below gen know the generators; this one is the engine that asks them, and names
// none.
//
// A [Site] belongs to one configuration file. Its [Mount]s say which directories are published where, and
// its [Page]s are known before any reference is checked. [Site.Resolve] resolves a reference. The base
// depends not only on the generator, but also on the form of the reference. Most generators rewrite
// Markdown links from source paths to URLs, but not raw HTML, so the same "../setup/" may be right in one
// form and broken in the other. [Site.Spell] is the inverse: it returns a reference to a file.
//
// If a configuration or a plugin computes something at build time, the package does not know the result.
// The answer is then [Unknown], never [Missing].
//
// # Bounds
//
// Package source bounds how much is read. Includes are followed to a depth of 8. A reference whose path is
// longer than 4,096 bytes is [Unknown].
package site

/*
	model.go     Generator, Model, and the questions that a model may answer
	site.go      Site, Mount, Page, Use, Form
	markup.go    how a link is written
	names.go     questions about labels, terms, objects and documents
	rules.go     the settings of a site, and the steps that its links are made of
	find.go      configuration files, and the site of a file
	index.go     mounts, pages and routes of a site; base.go: where it is published
	include.go   which pages include a file
	resolve.go   candidates and the verdict
	spell.go     the inverse of resolve
	nav.go       entries of the navigation
	hosts.go     redirects of the host; moves.go: those of the configuration
	component.go ids that components make
	texts.go     what generators look for in texts
*/
