// Package audit finds broken links in a tree of documents: references to files and fragments that do not
// exist, and malformed references. It checks only internal links, and never goes online. Use it to check a
// tree in a program or a test; package extract lists references without checking them.
//
//	report, err := audit.Run(ctx, audit.Options{Dir: "/srv/docs"}, func(f *audit.Finding) {
//		fmt.Println(f)
//	})
//
// # Inputs
//
// [Options] names files and directories of a [Tree]: the disk, or any [io/fs.FS] by [FS]. Hidden and
// ignored files in directories are skipped, as by the command. Files with the suffix of a known format are
// documents. Files that are named explicitly are always read.
//
// An [Overlay] changes a Tree in memory: buffers that an editor has not saved, files that are about to be
// moved.
//
// # Findings
//
// Each [Finding] has a [Rule], a position, a message and, if known, a suggestion: the reference that was
// probably meant. If [Finding.Certain] is set, the suggestion is the only possible fix, and a program may
// write it into the document. Findings come in the order of the inputs and of their text, for any value of
// [Options.Jobs].
//
// Names must match the directory listings exactly: macOS and Windows open "readme.md" as "README.MD", but
// most servers do not.
//
// # Headings and sites
//
// The id of a heading depends on the program that renders it. The audit detects the program by its
// configuration file (mkdocs.yml, book.toml, …), and otherwise chooses the algorithm in which most
// fragments of the tree exist. [Options.Slugs] sets the algorithm. References are resolved as the program
// publishes them; without such a program, documents are read as code hosts show them. [Options.Generator]
// sets the program. [Options.Sites] maps URLs to directories, so that absolute URLs are checked.
//
// # Repeated audits
//
// A [Baseline] holds known findings, which are not reported again. A [Cache] holds the contents of
// unchanged documents, and the outcome of the whole audit if nothing that it depends on has changed.
//
// # Complexity
//
// Time is linear in the size of the documents: directories are listed once, ids are computed once for each
// document and algorithm, and suggestions are looked up. Only the search for the closest id is not linear,
// so each document has a budget for it.
package audit
