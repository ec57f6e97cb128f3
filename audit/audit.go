package audit

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

// Options say what is audited, and how. The zero value audits the working directory of the
// process with the defaults of the command.
type Options struct {
	// Tree is what is read; nil is [Disk].
	Tree Tree
	// Dir is the directory of Tree that relative names in Options are relative to, and
	// that files are shown relative to. "" is the working directory of the process on the
	// disk, and "/" in any other Tree; a relative Dir is relative to these.
	Dir string
	// Paths are the files and directories that are audited; nil is Dir. "-" is standard
	// input.
	Paths []string

	Globs    []string // patterns of ripgrep's -g: which files of directories are read
	GlobDir  string   // directory that Globs are relative to; "" is Dir
	Hidden   bool     // also read hidden files and directories
	NoIgnore bool     // do not read .gitignore, .ignore and .rgignore
	// Formats and Containers are read besides the built-in ones, as of [extract.Config].
	Formats    []extract.Format
	Containers []extract.Container
	Outputs    []string // files that are read only if Paths names them: reports go there

	Resolve resolve.Rules // how references are resolved
	Sites   []Site
	Root    string // directory that "/x" leads into; "" finds it
	// Suffixes, Indexes and Prefix say how documents are published that no generator is known
	// for: which suffixes URLs leave out (".md"), which files stand for their directory
	// ("README.md"), and what is in front of the paths of URLs ("/docs/"). Zero values are
	// found, or none.
	Suffixes  []string
	Indexes   []string
	Prefix    string
	Generator string // name of a generator of package site, "none"; "" finds it
	Slugs     string // name of a flavour of package slug; "" finds it
	MaxEntity int64  // as of [extract.Config], in bytes
	Jobs      int    // number of documents that are read at a time; 0 is 1

	Schemes bool   // suggestions of MissingScheme are Certain
	Only    []Rule // report these rules alone; nil is all
	Without []Rule // do not report these rules
	Orphans bool   // also report documents that nothing links to
	// Tests also reports what is found in documents that tests read: those of directories such
	// as testdata, fixtures, and of tests that hold programs, below the directories of Paths.
	Tests bool
	Graph bool // also report which documents link to which
	// Ignore are globs of references, as written, that are not reported. "*" also
	// matches "/".
	Ignore   []string
	Baseline *Baseline // findings that are not reported; nil is none
	// Cache holds what was read in runs before, with the same Formats; nil is none.
	Cache *Cache

	// Unjudged is called with each reference that is not judged, in the order of Findings.
	// These are not kept in a Cache, which is not used then. nil is not called.
	Unjudged func(*Unjudged)

	// Progress is called with the number of bytes that have been read of documents since
	// it was called last, by Jobs goroutines at a time. nil is not called.
	Progress func(bytes int)

	// Total is called once, before documents are read, with the number of bytes in all of
	// them; -1 if that is unknown, as some are compressed or a pipe. nil is not called.
	Total func(bytes int64)
}

// A Site says that a directory is published under a URL.
type Site struct {
	URL string // absolute, http or https, of a directory: "https://example.org/docs/"
	Dir string
}

// A Finding is one thing that is wrong.
type Finding struct {
	File string // the document, as it is shown
	Path string // the document, by a name that [Options.Tree] opens; "-" is standard input

	Pos  extract.Position   // where it is: that of Ref, if there is one
	Ref  *extract.Reference // nil if it is not about a reference
	Rule Rule

	Message    string
	Suggestion string // a reference to be written in its place; "" is none
	Certain    bool   // nothing but Suggestion can have been meant
	Target     string // the file that Ref leads to, or would, as it is shown; "" is none
	// Cause is what is missing: the first directory on the way to Target that is not there
	// (with "/" at its end), otherwise Target, with the fragment if that is missing. Findings
	// of one rule with one Cause can be fixed together. "" is none.
	Cause string
	// Facts say how a reference of a site was judged: the generator and its configuration,
	// the form of the reference, and what was tried, "label: text" each. nil is no site.
	Facts []string
}

// An Unjudged is a reference of which nobody knows whether it leads somewhere.
type Unjudged struct {
	File string // as of a Finding
	Path string
	Pos  extract.Position
	Ref  *extract.Reference // nil for a label
	Why  string             // the reason, as in Report.Reasons

	Facts []string // as of a Finding
}

// Text returns the message, with the suggestion.
func (f *Finding) Text() string {
	if f.Suggestion == "" {
		return f.Message
	}
	return fmt.Sprintf("%s; did you mean %q?", f.Message, f.Suggestion)
}

// Written returns the reference as it is written in the document, "" if the finding is not
// about one.
func (f *Finding) Written() string {
	if f.Ref == nil {
		return ""
	}
	return string(f.Ref.Raw)
}

// String returns the finding as a line: "docs/a.md:3:14: no such file: "docs/b.md"
// [missing-file]". Control characters in names are not escaped.
func (f *Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s [%s]", f.File, f.Pos.Line, f.Pos.Column, f.Text(), f.Rule)
}

// A Report is the outcome of an audit besides its findings.
type Report struct {
	Errors []Failure
	Notes  []Note

	Findings   int      // those that were reported
	Remarks    int      // of these, those of LevelNote
	Ignored    int      // those that comments and Options.Ignore except
	Known      int      // those that Options.Baseline has
	Gone       int      // entries that Options.Baseline has of these documents, and that were not found
	Documents  int      // that were read
	Names      []string // of the documents, as they are shown
	References int      // of the documents
	Skipped    int      // of these, that could not be judged: templates, what only a server knows
	// Reasons are why, with their counts, which add up to Skipped.
	Reasons map[string]int
	// Learnt is what was found out about trees that no generator is known for.
	Learnt []Learnt
	// Unread has the number of files in the directories that are documents by their suffix, and
	// were not read since no Format has it: ".rst". nil is none.
	Unread map[string]int
	Links  []Link // with Options.Graph: each once, in the order of the inputs

	auditor *auditor // for View
}

// A Learnt is a rule that most references "/x" of a tree follow: they lead into one of Roots,
// to a file or a directory, or a file with one of Suffixes added.
type Learnt struct {
	Roots    []string // as they are shown
	Suffixes []string
	Agree    int // references that lead to something by this rule
	Links    int // of these
}

// A Link says that a document refers to another one that is there. Where a link is broken,
// a Finding with a Target says so.
type Link struct{ From, To string }

// A Failure is an input that could not be read, or not to its end.
type Failure struct {
	File string // as it is shown
	Err  error
}

// A Note says that a document was not read as what it is, for its size or depth: less is
// found in it, and fragments that lead to it are not judged. Or it says that a comment in it
// that is to except findings is malformed.
type Note struct {
	File string // as it is shown
	Pos  extract.Position
	Text string
}

// Run audits what o.Paths stand for, and calls emit with each Finding, in the order of the
// inputs and of their text. It calls emit from one goroutine, and does not change a Finding
// afterwards. A nil emit is not called.
//
// The error is of o, or ctx.Err() if ctx ends before the audit. What could not be read is no
// error: Report.Errors has it, and all else is audited.
func Run(ctx context.Context, o Options, emit func(*Finding)) (*Report, error) {
	a, err := newAuditor(ctx, o, emit)
	if err != nil {
		return nil, err
	}
	return a.run()
}

// Config returns how the audit reads a document at a path, as far as that depends on o and
// the path alone. [Report.Config] knows the generator of the site as well. Note and Anchor
// are not set.
func (o *Options) Config(path string) extract.Config {
	c := extract.Config{Rules: o.Resolve, MaxEntity: o.MaxEntity, Formats: o.Formats, Containers: o.Containers}
	if f := c.FormatOfName(path); f != nil && f.Setup != nil {
		f.Setup(&c)
	}
	return c
}

// Config returns how the audit reads a document at a path, in the dialect of the generator
// that publishes it: whoever edits documents must read them in the same way. A relative path
// is relative to [Options.Dir]. Note and Anchor are not set. As Views, it is not for several
// goroutines at once.
func (r *Report) Config(path string) extract.Config {
	a := r.auditor
	if a == nil { // of no run
		return new(Options).Config(path)
	}
	p := a.absolute(path)
	if d := a.byPath[p]; d != nil && d.layout != nil {
		return a.config(d)
	}
	d := a.newDocument(p)
	d.top = a.topOf(p)
	d.layout = a.layouts.of(d)
	return a.config(d)
}

// walker returns which files Paths stand for. Names are relative to the working directory
// of the process where that is the default: errors and reports show them.
func (o *Options) walker(dir string) input.Options {
	in := input.Options{Globs: o.Globs, Dir: o.GlobDir, Hidden: o.Hidden, NoIgnore: o.NoIgnore, Tree: o.Tree, From: cmp.Or(dir, "/")}
	if _, isDisk := o.Tree.(input.Disk); isDisk && o.Dir == "" {
		in.From = ""
	}
	return in
}

// absolute returns a name as an absolute one with forward slashes and none at its end,
// cleaned: that of a root is "". A relative name is relative to dir.
func absolute(dir, name string) string {
	return strings.TrimSuffix(path.Clean(input.Join(cmp.Or(dir, "/"), name)), "/")
}
