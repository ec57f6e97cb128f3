package audit

import (
	"context"
	"errors"
	"fmt"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/forbid"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/option"
	"example.org/refract/internal/reason"
	"example.org/refract/resolve"
)

// Options selects what to audit, and how. The zero value audits the working directory of the process with
// the defaults of the command.
type Options struct {
	// Tree holds the documents; nil means [Disk].
	Tree Tree
	// Dir is the directory of Tree that relative names in Options are relative to, and that files are shown
	// relative to. "" is the working directory of the process on the disk, and "/" in any other Tree; a
	// relative Dir is relative to these.
	//
	// In all options, file names have forward slashes; on Windows, backslashes also work. Where the file system
	// ignores case, names are replaced by their spelling on disk.
	Dir string
	// Paths are the files and directories to audit; nil means Dir, and an empty list or name is an error. "-"
	// is standard input. The audit also reads the other documents of their repositories, so the findings in a
	// document do not depend on the rest of Paths.
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
	// works. A broken link on a built page that no reference of a document produced is a finding in that page.
	// Files in these directories are not audited as documents. With Built, the Cache is not used.
	Built []Site

	Resolve resolve.Rules // resolution algorithm
	Sites   []Site
	Root    string // directory that "/x" is relative to; "" detects it
	Roots   []Root // the same for the documents in some directories
	// Suffixes, Indexes and Prefix say how documents without a known generator are published: which suffixes
	// URLs leave out (".md"), which files stand for their directory ("README.md"), and what precedes the paths
	// of URLs ("/docs/"). For a zero value, the audit detects the setting, or assumes none.
	Suffixes  []string
	Indexes   []string
	Prefix    string
	Generator string // name of a site generator ("MkDocs"), or "none"; "" detects it
	Slugs     string // name of an algorithm of package slug; "" detects it
	MaxEntity int64  // as in [extract.Config], in bytes
	Jobs      int    // number of documents to read in parallel; 0 means 1

	Schemes bool   // treat suggestions of MissingScheme as Certain
	Only    []Rule // report only these rules; nil means all
	Without []Rule // do not report these rules
	Orphans bool   // also report documents that nothing links to
	// OrphanFiles also reports images, fonts, media, PDF files, office documents and archives that nothing in
	// the repository refers to. It reads all text files of the repository, including code and style sheets.
	OrphanFiles bool
	// LinkTexts also reports links whose text says nothing, or is the title of another page.
	LinkTexts bool
	// Tests also reports findings in documents that tests read: documents in directories such as testdata and
	// fixtures, and in test directories with programs, below Paths.
	Tests bool
	Graph bool // also report which documents link to which
	// Ignore holds globs. References that match one, as written, are not reported. "*" also matches "/".
	Ignore []string
	// Forbid says which references are findings of the rule Forbidden. Only their text counts, so references to
	// other hosts can be findings. The first matching entry applies.
	Forbid []ForbidEntry
	// Overrides change the levels of rules in some files. The last entry that matches a file and has the rule
	// applies.
	Overrides []Override
	Baseline  *Baseline // findings not to report; nil means none
	// Cache holds what earlier runs with the same Formats have read; nil means no cache.
	Cache *Cache

	// Unchecked, unless nil, is called with each reference that is not checked, in the order of Findings. The
	// Cache does not hold these references, so it is then not used.
	Unchecked func(*Unchecked)

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

// A Root says that "/x" is relative to the directory Dir in the documents in the directory Below. If
// several Roots cover a document, the one with the deepest Below applies.
type Root struct{ Below, Dir string }

// A ForbidEntry forbids references that Match matches, or references to Hosts. Exactly one of the two is
// set.
//
// A reference is matched by its absolute URL if the document itself makes it absolute, by a scheme or a
// base such as <base href>. Otherwise it is matched as written, with the quoting of the document undone.
// Its scheme and host are in lower case.
type ForbidEntry struct {
	Match   string   // regular expression of package regexp, not anchored
	Hosts   []string // ".example.org" stands for example.org and all hosts below it
	Message string   // beginning of the finding's message; "" means the text that matched
}

// An Override changes the levels of rules in the files that globs match. It does not enable a rule that
// Options.Only or Without excludes.
type Override struct {
	Files []string // as Options.Globs
	Dir   string   // that Files are relative to; "" is Options.Dir
	Rules map[Rule]Level
}

// A Finding is one problem in a document.
type Finding struct {
	File string // the document, as shown to users
	Path string // the document, by a name that [Options.Tree] opens; "-" is standard input

	Pos  extract.Position   // position of the problem; the same as Ref.Pos
	Ref  *extract.Reference // nil if the finding is not about a reference, but for example about a label
	Rule Rule
	// Level is the severity of the finding; "" means that of the rule. Run sets it, to the level of Rule or as
	// Options.Overrides says.
	Level Level

	Message    string
	Suggestion string // replacement for the reference; "" means none
	Certain    bool   // Suggestion is the only possible fix
	Target     string // the file that Ref links to, existing or not, as shown to users; "" means none
	// Cause is what is missing: the first directory on the path to Target that does not exist (with a trailing
	// "/"), otherwise Target, with the fragment if only that is missing. For a forbidden reference, it is what
	// forbids it. Findings with the same Rule and Cause can be fixed together. "" means none.
	Cause string
	// Facts says how a reference of a site was checked: the generator and its configuration, the form of the
	// reference, and what was tried, each as "label: text". It is nil for documents outside any site.
	Facts []string
}

// Text returns the message with the suggestion, if any.
func (f *Finding) Text() string {
	if f.Suggestion == "" {
		return f.Message
	}
	return fmt.Sprintf("%s; did you mean %q?", f.Message, f.Suggestion)
}

// Written returns the reference as written in the document, or "" if the finding is not about a reference.
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

// A Reason says why a reference is not checked. It has a name, for programs, one of twelve, and a text, for
// people. Reasons are comparable.
type Reason struct{ name, text string }

// Name returns the name of r, such as "template". It does not depend on the details in the text.
func (r Reason) Name() string { return r.name }

// String returns the text of r, for the maintainer of the documentation.
func (r Reason) String() string { return r.text }

func reasonOf(r reason.Reason) Reason { return Reason{r.Cause().String(), r.String()} }

// An Unchecked is a reference that the audit could not check.
type Unchecked struct {
	File string // as in Finding
	Path string
	Pos  extract.Position
	Ref  *extract.Reference // nil for a label
	Why  Reason             // a key of Report.Reasons

	Facts []string // as in Finding
}

// A Report is the outcome of an audit except for its findings.
type Report struct {
	Errors []Failure // inputs that could not be read completely
	Notes  []Note    // documents that were not read completely, and malformed comments

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
	// Checked is the number of internal links that were checked. All possible internal links are Checked plus
	// Skipped minus SkippedNames.
	Checked int
	// Coverage has Checked and Skipped for each directory of documents, sorted by name.
	Coverage []Coverage
	// Reasons counts Skipped by reason.
	Reasons map[Reason]int
	// InferredRules holds what the audit inferred about trees without a known generator.
	InferredRules []InferredRule
	// Unread counts, by suffix (".wiki"), files in the directories that are documents by their suffix but were
	// not read because no Format has that suffix. nil means none.
	Unread map[string]int
	Links  []Link // with Options.Graph: each link once, in the order of the inputs

	in *audit.Report
}

// Coverage counts the possible internal links in the documents of a directory.
type Coverage struct {
	Dir     string // as shown to users; "." is Options.Dir
	Checked int
	Skipped int // those that could not be checked
}

// An InferredRule is a rule that most references "/x" in a tree follow: they resolve to a file or directory
// in one of Roots, perhaps after adding one of Suffixes. With ByName, references leave out what only sorts
// or groups documents: numbers before names, names in parentheses, and the name of an index page.
type InferredRule struct {
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
// Run returns an error that names the option if o is invalid: an unknown Rule, generator or algorithm, a
// malformed glob, a Dir that is not a directory, empty Paths, an invalid Format. It returns ctx.Err() if
// ctx ends before the audit does. An unreadable input is not an error: Run adds it to Report.Errors, and
// audits the others.
func Run(ctx context.Context, o Options, emit func(*Finding)) (*Report, error) {
	in := o.inner()
	if err := in.Check(); err != nil {
		return nil, ofAudit(err)
	}
	in.Spell()
	r, err := audit.Run(ctx, in, func(f *audit.Finding) {
		if emit != nil {
			emit(findingOf(f))
		}
	})
	if err != nil {
		return nil, ofAudit(err)
	}
	return reportOf(r), nil
}

// ofAudit adds the name of the package to an error about an option.
func ofAudit(err error) error {
	var bad *option.Error
	if errors.As(err, &bad) {
		return fmt.Errorf("audit: %w", bad)
	}
	return err
}

// Config returns the configuration with which the audit reads the document at path, as far as it depends on
// o and path alone. [Report.Config] also takes the site generator into account. Note and Anchor are not
// set.
func (o *Options) Config(path string) extract.Config {
	in := o.inner()
	return in.Config(path)
}

// Config returns the configuration with which the audit reads the document at path, in the dialect of the
// generator that publishes it. A program that edits documents must read them in the same way. A relative
// path is relative to [Options.Dir]. Note and Anchor are not set. Config must not be called concurrently
// with itself.
func (r *Report) Config(path string) extract.Config {
	if r.in == nil { // the zero Report
		return new(Options).Config(path)
	}
	return r.in.Config(path)
}

// inner returns o for the engine.
func (o *Options) inner() audit.Options {
	in := audit.Options{
		Tree: innerTree(o.Tree), Dir: o.Dir, Paths: o.Paths, Globs: o.Globs, GlobDir: o.GlobDir, Hidden: o.Hidden, NoIgnore: o.NoIgnore,
		Formats: o.Formats, Containers: o.Containers, Outputs: o.Outputs, Resolve: o.Resolve, Root: o.Root,
		Suffixes: o.Suffixes, Indexes: o.Indexes, Prefix: o.Prefix, Generator: o.Generator, Slugs: o.Slugs, MaxEntity: o.MaxEntity, Jobs: o.Jobs,
		Schemes: o.Schemes, Doubts: true, Orphans: o.Orphans, OrphanFiles: o.OrphanFiles, LinkTexts: o.LinkTexts, Tests: o.Tests, Graph: o.Graph, Ignore: o.Ignore, Progress: o.Progress, Total: o.Total,
	}
	for _, s := range o.Sites {
		in.Sites = append(in.Sites, audit.Site(s))
	}
	for _, r := range o.Roots {
		in.Roots = append(in.Roots, audit.Root(r))
	}
	for _, e := range o.Forbid {
		in.Forbid = append(in.Forbid, forbid.Entry{Match: e.Match, Hosts: e.Hosts, Message: e.Message})
	}
	for _, v := range o.Overrides {
		rules := map[rule.Rule]rule.Level{}
		for r, level := range v.Rules {
			rules[rule.Rule(r)] = rule.Level(level)
		}
		in.Overrides = append(in.Overrides, audit.Override{Files: v.Files, Dir: v.Dir, Rules: rules})
	}
	for _, s := range o.Built {
		in.Built = append(in.Built, audit.Site(s))
	}
	for _, r := range o.Only {
		in.Only = append(in.Only, rule.Rule(r))
	}
	for _, r := range o.Without {
		in.Without = append(in.Without, rule.Rule(r))
	}
	if o.Baseline != nil {
		in.Baseline = &o.Baseline.in
	}
	if o.Cache != nil {
		in.Cache = &o.Cache.in
	}
	if o.Unchecked != nil {
		in.Unchecked = func(u *audit.Unchecked) {
			o.Unchecked(&Unchecked{File: u.File, Path: u.Path, Pos: u.Pos, Ref: u.Ref, Why: reasonOf(u.Why), Facts: u.Facts})
		}
	}
	return in
}

func findingOf(f *audit.Finding) *Finding {
	return &Finding{
		File: f.File, Path: f.Path, Pos: f.Pos, Ref: f.Ref, Rule: Rule(f.Rule), Level: Level(f.Level()), Message: f.Message, Suggestion: f.Suggestion, Certain: f.IsProven(),
		Target: f.Target, Cause: f.Cause, Facts: f.Facts,
	}
}

// inner returns f for the engine.
func (f *Finding) inner() *audit.Finding {
	return &audit.Finding{
		File: f.File, Path: f.Path, Pos: f.Pos, Ref: f.Ref, Rule: rule.Rule(f.Rule), Severity: rule.Level(f.Level), Message: f.Message, Suggestion: f.Suggestion, Certain: f.Certain,
		Target: f.Target, Cause: f.Cause, Facts: f.Facts,
	}
}

func reportOf(in *audit.Report) *Report {
	r := &Report{
		Findings: in.Findings, NoteFindings: in.NoteFindings, Ignored: in.Ignored, Known: in.Known, Gone: in.Gone, Documents: in.Documents, Names: in.Names,
		References: in.References, Skipped: in.Skipped, SkippedNames: in.SkippedNames, Checked: in.Checked, Unread: in.Unread, in: in,
	}
	for _, f := range in.Errors {
		r.Errors = append(r.Errors, Failure(f))
	}
	for _, n := range in.Notes {
		r.Notes = append(r.Notes, Note(n))
	}
	for _, c := range in.Coverage {
		r.Coverage = append(r.Coverage, Coverage{c.Dir, c.Checked, c.Skipped})
	}
	for _, l := range in.Learnt {
		r.InferredRules = append(r.InferredRules, InferredRule(l))
	}
	for _, l := range in.Links {
		r.Links = append(r.Links, Link(l))
	}
	if in.Reasons != nil {
		r.Reasons = map[Reason]int{}
	}
	for why, n := range in.Reasons {
		r.Reasons[reasonOf(why)] += n
	}
	return r
}
