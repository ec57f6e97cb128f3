package audit

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/forbid"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"example.org/refract/internal/reason"
	"example.org/refract/resolve"
)

// Options selects what to audit, and how. The zero value audits the working directory of the process with
// the defaults of the command.
type Options struct {
	// Tree holds the documents; nil means [Disk].
	Tree tree.Tree
	// Dir is the directory of Tree that relative names in Options are relative to, and that files are shown
	// relative to. "" is the working directory of the process on the disk, and "/" in any other Tree; a
	// relative Dir is relative to these.
	Dir string
	// Paths are the files and directories to audit; nil means Dir. "-" is standard input. The audit also reads
	// the other documents of their repositories, except inputs of tests, so the findings in a document do not
	// depend on the rest of Paths.
	Paths []string

	Globs    []string // patterns of ripgrep's -g: which files of directories to read
	GlobDir  string   // directory that Globs are relative to; "" is Dir
	Hidden   bool     // also read hidden files and directories
	NoIgnore bool     // do not read .gitignore, .ignore and .rgignore
	// Formats and Containers extend the built-in ones, as in [extract.Config].
	Formats    []extract.Format
	Containers []extract.Container
	Outputs    []string // files that reports are written to; read only if Paths names them

	// Built holds directories with the output of a build of the documents, each with the URL at which it is
	// published. If the URL is "", only the built pages are used. The build then decides whether a reference
	// works. Files in these directories are not audited as documents.
	Built []Site
	// BuiltIDs, unless nil, says to use only the ids of the pages in Built, not what became of links. It is for
	// repeated audits of a tree that changes; the caller keeps BuiltIDs. A missing directory of Built is left
	// out.
	BuiltIDs *BuiltIDs
	// BuiltFrom returns the path that a document had when the build was made; nil means its path. With it, ids that the
	// build lacks may exist.
	BuiltFrom func(path string) string
	// Differs, unless nil, is called with each reference for which the build and the rules of its generator
	// disagree, in the order of Findings.
	Differs func(*Difference)

	Resolve resolve.Rules // resolution algorithm
	Sites   []Site
	Root    string // directory that "/x" is relative to; "" detects it
	Roots   []Root // the same for the documents in some directories
	// Suffixes, Indexes and Prefix say how documents without a known generator are published:
	// which suffixes URLs leave out (".md"), which files stand for their directory
	// ("README.md"), and what precedes the paths of URLs ("/docs/"). For a zero value, the
	// audit detects the setting, or assumes none.
	Suffixes  []string
	Indexes   []string
	Prefix    string
	Generator string // name of a site generator ("MkDocs"), or "none"; "" detects it
	Slugs     string // name of an algorithm of package slug; "" detects it
	MaxEntity int64  // as in [extract.Config], in bytes
	Jobs      int    // number of documents to read in parallel; 0 means 1

	Schemes bool        // treat suggestions of MissingScheme as Certain
	Only    []rule.Rule // report only these rules; nil means all
	Without []rule.Rule // do not report these rules
	Orphans bool        // also report documents that nothing links to
	// OrphanFiles also reports images and other files that nothing in the repository refers to. It reads all
	// text files of the repository.
	OrphanFiles bool
	// LinkTexts also reports links whose text says nothing, or is the title of another page.
	LinkTexts bool
	// Tests also reports findings in documents that tests read: documents in directories such as testdata and
	// fixtures, and in test directories with programs, below Paths.
	Tests bool
	Graph bool // also report which documents link to which
	// Ignore holds globs. References that match one, as written, are not reported. "*" also matches "/".
	Ignore []string
	// Forbid says which references are findings of rule.Forbidden. Only their text counts, wherever they point.
	Forbid []forbid.Entry
	// Overrides change the levels of rules in some files. The last entry that matches a file and has the rule
	// applies.
	Overrides []Override
	Baseline  *Baseline // findings not to report; nil means none
	// Before is what an earlier state of the tree publishes. URLs and ids that are no longer published are
	// reported. nil means nothing.
	Before *Inventory
	// Contents holds what an audit of another state of the tree, with the same options, has read; or it
	// receives what this audit reads. It is not used with a Cache or Unchecked. nil means none.
	Contents *doc.Handover
	// Keep yields URLs that the tree must serve; the others are reported. nil means none.
	Keep iter.Seq2[Kept, error]
	// Cache holds what earlier runs with the same Formats have read; nil means no cache.
	Cache *doc.Cache

	// Unchecked, unless nil, is called with each reference that is not checked, in the order of Findings. The
	// Cache does not hold these references, so it is then not used.
	Unchecked func(*Unchecked)

	// Doubts says to distrust the rules of a generator if by them a third of the links of one form are broken,
	// or were Before. Then a note replaces the findings.
	Doubts bool
	// Probes says which links are probed, for Report.Reach. Probed, unless nil, is called with each of
	// AllProbes, in the order of Findings.
	Probes Probing
	Probed func(*Probe)

	// Followed, unless nil, is called with each reference of each document, in the order of the
	// documents: entries of a navigation first, and names last. It is called from one goroutine. A Cache that is
	// used with Followed must not be used without.
	Followed func(*Followed)
	// Among, unless nil, selects the documents to follow and check, by their absolute paths. The others are
	// only read. Several goroutines may call it at once.
	Among func(path string) bool

	// Progress, unless nil, is called with the number of document bytes read since the last call, by up to Jobs
	// goroutines at once.
	Progress func(bytes int)

	// Total, unless nil, is called once, before documents are read, with their total size in bytes, or -1 if
	// one of them is compressed or a pipe.
	Total func(bytes int64)
}

// A Site maps a URL to the directory that is published there.
type Site struct {
	URL string // absolute, http or https, of a directory: "https://example.org/docs/"
	Dir string
}

// An Override changes the levels of rules in files that match a glob. It does not enable a rule that
// Options.Only or Without excludes.
type Override struct {
	Files []string // as Options.Globs
	Dir   string   // that Files are relative to; "" is Options.Dir
	Rules map[rule.Rule]rule.Level
}

// A Root says that "/x" is relative to the directory Dir in documents below another directory. For each
// document, the deepest Root applies.
type Root struct{ Below, Dir string }

// A Finding is one problem in a document.
type Finding struct {
	File string // the document, as shown to users
	Path string // the document, by a name that [Options.Tree] opens; "-" is standard input

	Pos  extract.Position   // position of the problem; the same as Ref.Pos
	Ref  *extract.Reference // nil if the finding is not about a reference
	Rule rule.Rule
	// Severity is the level that Options.Overrides give the rule here; "" is that of the rule.
	Severity rule.Level

	Message    string
	Suggestion string // replacement for the reference; "" means none
	Certain    bool   // Suggestion is the only possible fix
	// Gone is the absolute path of a missing file, and Instead that of the file that Suggestion links to
	// because its name suggests that the file was moved there. History may show that both existed at once.
	Gone, Instead string
	Target        string // the file that Ref links to, existing or not, as shown to users; "" means none
	// Cause is what is missing: the first directory on the path to Target that does not exist (with a trailing
	// "/"), otherwise Target, with the fragment if only that is missing. For a forbidden reference, it is what
	// forbids it. Findings with the same Rule and Cause can be fixed together. "" means none.
	Cause string
	// Facts says how a reference of a site was checked: the generator and its configuration, the form of the
	// reference, and what was tried, each as "label: text". It is nil for documents outside any site.
	Facts []string
}

// A Reason says why a reference is not checked, by a name, for programs, and a text, for people. Reasons
// are comparable.
type Reason = reason.Reason

// A Cause is what a Reason is about.
type Cause = reason.Cause

// An Unchecked is a reference that the audit could not check.
type Unchecked struct {
	File string // as in Finding
	Path string
	Pos  extract.Position
	Ref  *extract.Reference // nil for a label
	Why  Reason             // a key of Report.Reasons

	Facts []string // as in Finding
}

// IsProven reports whether the suggestion is certain without consulting the history.
func (f *Finding) IsProven() bool { return f.Certain && f.Gone == "" }

// Level returns the severity of f.
func (f *Finding) Level() rule.Level { return cmp.Or(f.Severity, f.Rule.Level()) }

// Text returns the message with the suggestion, if any.
func (f *Finding) Text() string {
	if f.Suggestion == "" {
		return f.Message
	}
	return fmt.Sprintf("%s; did you mean %q?", f.Message, f.Suggestion)
}

// Written returns the reference as written in the document, or "" if the finding is not about a
// reference.
func (f *Finding) Written() string {
	if f.Ref == nil {
		return ""
	}
	return string(f.Ref.Raw)
}

// String formats the finding as one line: "docs/a.md:3:14: no such file: "docs/b.md"
// [missing-file]". Control characters in names are not escaped.
func (f *Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s [%s]", f.File, f.Pos.Line, f.Pos.Column, f.Text(), f.Rule)
}

// A Report is the outcome of an audit except for its findings.
type Report struct {
	Errors []Failure
	Notes  []Note

	Findings     int      // findings that were reported
	NoteFindings int      // those of Findings with LevelNote
	Ignored      int      // findings that comments or Options.Ignore suppressed
	Known        int      // findings that Options.Baseline suppressed
	Gone         int      // entries of Options.Baseline for these documents that were not found again
	Documents    int      // documents that were read
	Names        []string // of the documents, as shown to users
	References   int      // in the documents
	Skipped      int      // references, labels and names that could not be checked
	// SkippedNames is the number of labels and names in Skipped, which do not count as References.
	SkippedNames int
	// SkippedRevisions is the number of links in Skipped to a file of the repository in another branch, a tag
	// or a commit.
	SkippedRevisions int
	// Checked is the number of internal links that were checked. All possible internal links are Checked plus
	// Skipped minus SkippedNames and SkippedRevisions.
	Checked int
	// Coverage has Checked and Skipped for each directory of documents, sorted by name.
	Coverage []Coverage
	// Reasons counts Skipped by reason.
	Reasons map[Reason]int
	// Reach says what Options.Probes have found, by directory and kind.
	Reach []Reach
	// Learnt holds what the audit inferred about trees without a known generator.
	Learnt []Learnt
	// Unread counts, by suffix (".wiki"), files in the directories that are documents by their
	// suffix but were not read, since no Format has that suffix. nil means none.
	Unread map[string]int
	// Build summarizes what Options.Built decided; nil without it.
	Build *BuildReport

	Links []Link // with Options.Graph: each link once, in the order of the inputs

	auditor *auditor        // for View; nil until needed if a Cache held the outcome
	live    func() *auditor // audits again; nil if auditor is set
}

// Coverage counts the possible internal links in the documents of a directory.
type Coverage struct {
	Dir     string // as shown to users; "." is Options.Dir
	Checked int
	Skipped int // those that could not be checked
	Probes  int // changed links among Checked
	Found   int // those of Probes that would be reported
	Blind   int // those of all links that would not be reported if they were broken
}

// All returns the number of references.
func (c Coverage) All() int { return c.Checked + c.Skipped }

// A Learnt is a rule that most references "/x" in a tree follow: they resolve to a file or directory in one
// of Roots, perhaps after adding one of Suffixes. With ByName, references leave out what only sorts or
// groups documents: numbers before names, names in parentheses, and the name of an index page.
type Learnt struct {
	Below    string   // "/x" with which the references begin; "" for all references that no other rule covers
	Roots    []string // as shown to users
	Suffixes []string
	ByName   bool
	Agree    int // those of Links that resolve to something by this rule
	Links    int // references that the rule covers
}

// A Link is a working reference from one document to another. A broken link is a Finding
// with a Target.
type Link struct{ From, To string }

// A Failure is an input that could not be read completely.
type Failure struct {
	File string // as shown to users
	Err  error
}

// A Note reports one of two conditions. Either a document is too large or too deeply nested to be read in
// its own format. Less is found in it, and fragments that point into it are not checked. Or a comment that
// should suppress findings is malformed.
type Note struct {
	File string // as shown to users
	Pos  extract.Position
	Text string
}

// Run audits the files that o.Paths names, and calls emit with each Finding, in the order of the inputs and
// of their text. It calls emit from one goroutine, and does not change a Finding afterwards. emit may be
// nil.
//
// Run returns an error if it notices that o is invalid: see [Options.Check]. It returns ctx.Err() if ctx
// ends before the audit does. An unreadable input is not an error: Run adds it to Report.Errors, and audits
// the others.
func Run(ctx context.Context, o Options, emit func(*Finding)) (*Report, error) {
	o.useSlashes()
	if o.isRepeatable() {
		return runCached(ctx, o, emit)
	}
	a, err := newAuditor(ctx, o, emit)
	if err != nil {
		return nil, err
	}
	return a.run()
}

// Config returns the configuration with which the audit reads the document at path, as far as it depends on
// o and path alone. [Report.Config] also takes the site generator into account. Note and Anchor are not
// set.
func (o *Options) Config(path string) extract.Config {
	r := readerOf(o, "")
	return r.ConfigOf(path)
}

// Config returns the configuration with which the audit reads the document at path, in the dialect of the
// generator that publishes it. A program that edits documents must read them in the same way. A relative
// path is relative to [Options.Dir]. Note and Anchor are not set. Config must not be called concurrently
// with itself or with the methods of a [View].
func (r *Report) Config(path string) extract.Config {
	a := r.audited()
	if a == nil { // the zero Report
		return new(Options).Config(path)
	}
	p := a.Absolute(path)
	d := a.ByPath[p]
	if d == nil || d.Layout == nil {
		d = a.NewDocument(p)
		a.SetLayout(d)
	}
	c := a.ConfigFor(d)
	c.Type = d.File.Type
	return c
}

// Release frees the memory that only Config, View and Recheck need: most of what the audit has kept of the
// tree. The exported fields stay. Config then answers like that of the zero Report; the other methods must
// not be called.
func (r *Report) Release() { r.auditor, r.live = nil, nil }

// audited returns the auditor of r, or nil for the zero Report.
func (r *Report) audited() *auditor {
	if r.auditor == nil && r.live != nil {
		r.auditor, r.live = r.live(), nil
	}
	return r.auditor
}

// walker returns options to find the files that Paths names. Where Dir defaults to the working
// directory of the process, names are relative to it, since errors and reports show them.
func (a *auditor) walker(dir string) input.Options {
	o := &a.Options
	in := input.Options{Globs: o.Globs, Dir: o.GlobDir, Hidden: o.Hidden, NoIgnore: o.NoIgnore, Tree: tree.Walked{Tree: o.Tree, Confined: a.Confined}, From: cmp.Or(dir, "/"), Jobs: o.Jobs}
	if tree.IsOnDisk(o.Tree) && o.Dir == "" {
		in.From = ""
	}
	in.Visible = []string{".github"}
	if !o.NoIgnore {
		in.Tracked = tree.NewGitIndex(o.Tree, a.Projects).Has
	}
	return in
}
