// Package audit finds broken links in a tree of documents: references to files and
// fragments that do not exist, and malformed references. It judges only references into the
// tree, and never goes online.
//
//	report, err := audit.Run(ctx, audit.Options{Dir: "/srv/docs"}, func(f *audit.Finding) {
//		fmt.Println(f)
//	})
//
// # What is read
//
// [Options] names files and directories of a [Tree]: the disk, or any [io/fs.FS] by [FS].
// Directories are walked as by the command: hidden and ignored files are skipped. Of
// the files found, those with the suffix of a known format are documents. Files that are named
// explicitly are always read.
//
// An [Overlay] changes a Tree in memory: buffers that an editor has not saved, files that
// are about to be moved. [Report.View] asks about a document as it is edited, without
// another audit.
//
// # What is found
//
// Each [Finding] has a [Rule], a position, a message and, if known, a suggestion: the reference
// that was probably meant. If [Finding.Certain] is set, no other reference can have been meant,
// and a program may write it into the document. Findings come in the order of the inputs and
// of their text, for any value of [Options.Jobs].
//
// Names must match the directory listings exactly: macOS and Windows open "readme.md"
// as "README.MD", but most servers do not.
//
// # Headings and sites
//
// The id of a heading depends on the program that renders it. The audit detects the program by
// its configuration file (mkdocs.yml, book.toml, …), and otherwise takes the flavour in which
// most fragments of the tree exist. [Options.Slugs] sets it. Package site resolves references
// as the program publishes them; without such a program, documents are read as code hosts
// show them. [Options.Generator] sets the program. [Options.Sites] maps URLs to directories,
// so that absolute URLs are judged.
//
// # Repeated audits
//
// A [Baseline] holds findings that are not reported again. A [Cache] holds the contents of
// documents that have not changed, and the outcome of the whole audit if nothing that it depends on has.
//
// # Complexity
//
// Time is linear in the size of the documents: directories are listed once, ids are
// computed once for each document and flavour, and suggestions are looked up. Only the
// search for the closest id is not, so each document has a budget for it.
package audit

/*
	inputs ─► each document walked once, in parallel: references, anchors, notes
	       ─► layout: which ids headings have, by configuration files or by vote
	       ─► each reference: URL ─► target ─► place on disk ─► fragment ─► Finding

	audit.go     Options, Finding, Report, Run
	auditor.go   one run: collect, read, judge
	judgeall.go  documents judged in parallel, and reported in order
	results.go   which findings are reported, and in what form
	rules.go     what can be wrong

	tree.go      the file system; overlay.go: changes to it in memory
	listing.go   what is at a path, by listings of directories
	project.go   repositories and packages, which bound what references may mean
	site.go      URLs of published directories
	layout.go    who renders a document: a generator, or a code host
	published.go references of documents that a generator publishes

	document.go  what is kept of a document
	ids.go       the ids of a document by flavour; vote.go: the flavour of a tree
	lines.go     what is read of files besides: attribute lists, includes, lines

	target.go    from a reference to directories and names
	resolve.go   from these to a file: index pages, and what generators make of names
	judge.go     the judgement of one reference; malformed.go: without looking at files;
	             fragment.go: what is behind "#"; language.go: translations of a page
	suggest.go   the path that was probably meant; closest.go: the id; rewrite.go: how a
	             reference to it is written

	ignore.go    comments and patterns that except findings
	packed.go    references and anchors between the phases; idtable.go: ids
	baseline.go  findings of before; cache.go: documents of before; trace.go, replay.go: the audit of before
	view.go      questions of editors
*/
