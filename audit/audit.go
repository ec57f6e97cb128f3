// Package audit finds what is broken in a tree of documents: references that lead
// nowhere, by file or by fragment, and what else is wrong with how they are written.
// Nothing is fetched: only what leads into the tree is judged.
//
//	inputs ─► each document walked once, in parallel: references, anchors, notes
//	       ─► flavour: which ids headings have, by configuration files or by vote
//	       ─► each reference: URL ─► path ─► what is there ─► fragment ─► Finding
//
// Findings are in the order of the inputs, whatever the number of jobs.
//
//	audit.go     Options, Finding, Run: the flow
//	rules.go     what can be wrong
//	document.go  what is kept of a document: compact, and no more than is judged
//	site.go      sites, roots, and how the generators of sites lay out pages
//	tree.go      what is on disk, by listings of directories: every letter counts
//	ids.go       the ids of a document, by flavour, and what a fragment hits
//	judge.go     the judgement of one reference
//	suggest.go   what may have been meant
//	ignore.go    what is not to be reported, by comments and patterns
//	known.go     what was found before
//	cache.go     what was read, kept from one run to the next
//	ask.go       what editors ask when it is over
//
// Time is linear in the documents: directories are listed once, ids are computed once
// for a document and flavour, and suggestions are looked up, but for the closest id,
// for which each document has a budget.
package audit

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

// Options say what is audited, and how. The zero value has the defaults.
type Options struct {
	Files input.Options
	URLs  resolve.Rules // by which references are resolved
	Sites []Site
	Root  string // directory that "/x" leads into; "" finds it
	Slugs string // name of a flavour; "" finds it

	Orphans bool     // also report documents that nothing links to
	Graph   bool     // also report what links to what
	Outputs []string // files that are not audited where they are found, as reports go there; "" is none
	Only    []Rule   // report these alone; none is all
	Without []Rule   // do not report these

	Ignore []string  // globs of references, as written, that are not reported; "*" matches "/" too
	Known  *Baseline // is not reported; nil is nothing

	MaxEntity int64 // as of extract.Config
	Jobs      int   // documents that are read at a time; 0 is 1

	// Edited is what editors have of documents that are not saved, by absolute path with
	// forward slashes. It counts in place of what is in the file.
	Edited map[string][]byte
	Cache  *Cache // of what was read in runs before; nil is none

	// Progress is told how many bytes more of documents have been read. It is called by
	// Jobs at a time. nil is not told.
	Progress func(bytes int)
}

// A Site says that a directory is published under a URL.
type Site struct {
	URL string // absolute, of a directory: "https://example.org/docs/"
	Dir string
}

// A Finding is one thing that is wrong.
type Finding struct {
	File string // the document, as it is shown
	Path string // to open it

	// Ref is the reference. Of findings about something else, it has only a place.
	Ref  *extract.Reference
	Rule Rule

	Message    string
	Suggestion string // a reference to be written in its place; "" is none
	Certain    bool   // no other than Suggestion can have been meant
	Target     string // the file that it leads to, or would, as it is shown; "" is none
}

// Text is the message, with the suggestion.
func (f *Finding) Text() string {
	if f.Suggestion == "" {
		return f.Message
	}
	return fmt.Sprintf("%s; did you mean %q?", f.Message, f.Suggestion)
}

// A Report is the outcome.
type Report struct {
	Errors []Failure
	Notes  []Note

	Findings   int
	Ignored    int // findings that comments and Options.Ignore except
	Known      int // and those that Options.Known has
	Gone       int // what Options.Known has of these documents, and was not found
	Documents  int
	Names      []string // of the documents, as they are shown
	References int      // of the documents
	Skipped    int      // of these, that could not be judged: templates, and what only a server knows
	Links      []Link   // with Graph: each once, in the order of the inputs

	auditor *auditor // for View
}

// A Link says that a document refers to another one that is there. Where a link is broken,
// a Finding with a Target says so.
type Link struct{ From, To string }

// A Failure is an input that could not be read, or not to its end.
type Failure struct {
	File string
	Err  error
}

// A Note says that a document was not read as what it is, for its size or depth: less is
// found in it, and fragments that lead to it are not judged.
type Note struct {
	File string
	Pos  extract.Position
	Text string
}

// An auditor is one run.
type auditor struct {
	*Options
	sites   []site
	root    string // absolute; "" is to be found
	args    []arg
	tree    tree
	docs    []*document
	byPath  map[string]*document
	files   map[string][]string // paths of all files of the tree, by their last component
	lines   map[string]int      // of files, by path; -1 is not text
	cwd     string
	roots   map[string]string  // repository, by directory; "" is none
	configs map[string]*layout // by directory
	fixed   *layout            // with Slugs
	plain   *layout            // of documents without a configuration
	ignored []*regexp.Regexp   // of Ignore
	known   *Baseline          // what is left of Known
	report  Report
	links   map[Link]bool   // of the report
	led     map[from]string // paths that were found
	emit    func(*Finding)
	all     int                 // findings, also those of rules that are not wanted
	inside  map[string][]string // names, by directory, for View; nil before that

	isIgnored func(path string) bool // nil before it is asked for
}

// An arg is an argument that is a directory.
type arg struct{ name, path string }

// Run audits what args stand for, and gives each Finding to emit. The error is of
// Options; what could not be read is in the Report.
func (o *Options) Run(args []string, emit func(*Finding)) (*Report, error) {
	a := &auditor{
		Options: o, emit: emit, tree: newTree(), byPath: map[string]*document{}, files: map[string][]string{},
		roots: map[string]string{}, configs: map[string]*layout{}, lines: map[string]int{}, cwd: absolute("."),
		known: o.Known.copy(), links: map[Link]bool{}, led: map[from]string{},
	}
	if err := a.prepare(); err != nil {
		return nil, err
	}
	if o.Cache != nil {
		o.Cache.next()
	}
	a.collect(args)
	a.read()
	a.vote()
	for _, d := range a.docs {
		a.judge(d)
	}
	if o.Orphans {
		a.orphans()
	}
	for _, d := range a.docs {
		a.report.Gone += a.known.left(d.path, a.wanted)
	}
	a.report.auditor = a
	return &a.report, nil
}

// prepare makes what Options say absolute.
func (a *auditor) prepare() error {
	for _, s := range a.Sites {
		made, err := newSite(s)
		if err != nil {
			return err
		}
		a.sites = append(a.sites, made)
	}
	// The deepest directory, and the longest URL, come first.
	slices.SortStableFunc(a.sites, func(x, y site) int { return len(y.dir) - len(x.dir) })
	if a.Root != "" {
		root, err := directory(a.Root)
		if err != nil {
			return fmt.Errorf("root: %w", err)
		}
		a.root = root
	}
	if err := a.prepareIgnore(); err != nil {
		return err
	}
	a.plain = &layout{slug: slug.GitHub}
	if a.Slugs != "" {
		f, ok := slug.Named(a.Slugs)
		if !ok {
			return fmt.Errorf("slugs %q: give auto or one of %s", a.Slugs, strings.Join(slug.Names(), ", "))
		}
		a.fixed = layoutOf(f)
	}
	return nil
}

// directory returns the absolute path of a directory, with forward slashes and none
// at its end.
func directory(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", fmt.Errorf("%q: %w", name, cause(err))
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%q: not a directory", name)
	}
	return absolute(name), nil
}

// cause is err without the path that those of the operating system repeat.
func cause(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	return strings.TrimSuffix(filepath.ToSlash(name), "/")
}

// collect lists the documents that args stand for, and the files of the tree.
func (a *auditor) collect(args []string) {
	outputs := map[string]bool{}
	for _, name := range a.Outputs {
		outputs[absolute(name)] = name != ""
	}
	for _, name := range args {
		root := ""
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			root = absolute(name)
			a.args = append(a.args, arg{strings.TrimSuffix(filepath.ToSlash(name), "/"), root})
		}
		for f, err := range a.Files.Files([]string{name}) {
			if err != nil {
				a.report.Errors = append(a.report.Errors, Failure{f.Name, err})
				continue
			}
			d := &document{name: strings.TrimPrefix(f.Name, "./"), file: f, path: absolute(f.Path), top: root, content: content{memo: new(memo)}}
			if f.Name == "-" {
				d.path = absolute("stdin")
			}
			d.text = a.Edited[d.path]
			if _, again := a.byPath[d.path]; again || !f.Named && outputs[d.path] {
				continue
			}
			if root == "" {
				d.top = d.dir()
			} else if base := d.base(); true {
				a.files[base] = append(a.files[base], d.path)
			}
			if !f.Named && f.Type == "" && kindOf(d.path) == other {
				continue
			}
			a.byPath[d.path] = d
			a.docs = append(a.docs, d)
		}
	}
}

// read reads the documents, Jobs at a time.
func (a *auditor) read() {
	for _, d := range a.docs {
		d.layout = a.layout(d)
	}
	a.each(a.docs, func(d *document) {
		d.read(a)
		a.ballot(d) // and with it most ids are made, by several at a time
	})
	for _, d := range a.docs {
		a.report.References += d.references
		a.report.Skipped += d.skipped
		for _, n := range d.odd {
			a.report.Notes = append(a.report.Notes, Note{d.name, n.pos, n.text})
		}
		if d.err != nil {
			a.report.Errors = append(a.report.Errors, Failure{d.name, d.err})
		}
		if d.err == nil || d.references > 0 {
			a.report.Documents++
			a.report.Names = append(a.report.Names, d.name)
		}
	}
}

// each does something with each of docs, several at a time.
func (a *auditor) each(docs []*document, do func(*document)) {
	var workers sync.WaitGroup
	next := make(chan *document)
	for range max(1, a.Jobs) {
		workers.Go(func() {
			for d := range next {
				do(d)
			}
		})
	}
	for _, d := range docs {
		next <- d
	}
	close(next)
	workers.Wait()
}

// wanted reports whether findings of a rule are reported.
func (a *auditor) wanted(r Rule) bool {
	return (len(a.Only) == 0 || slices.Contains(a.Only, r)) && !slices.Contains(a.Without, r)
}

// link notes that d refers to another document.
func (a *auditor) link(d, to *document) {
	to.linked = true
	if l := (Link{d.name, to.name}); a.Graph && !a.links[l] {
		a.links[l] = true
		a.report.Links = append(a.report.Links, l)
	}
}

func (a *auditor) found(d *document, f Finding) {
	a.all++
	switch {
	case !a.wanted(f.Rule):
	case slices.ContainsFunc(a.ignored, func(re *regexp.Regexp) bool { return re.Match(f.Ref.Raw) }), a.excepted(d, &f):
		a.report.Ignored++
	case a.known.take(d.path, &f):
		a.report.Known++
	default:
		a.report.Findings++
		a.emit(&f)
	}
}

// shown is how a path is shown: as the argument that it is below was given, otherwise
// relative to the current directory if it is in that.
func (a *auditor) shown(path string) string {
	for _, g := range a.args {
		if path == g.path {
			return g.name
		}
		if rest, ok := strings.CutPrefix(path, g.path+"/"); ok {
			if g.name == "." {
				return rest
			}
			return g.name + "/" + rest
		}
	}
	if rest, ok := strings.CutPrefix(path, a.cwd+"/"); ok {
		return rest
	}
	return path
}

// orphans reports documents that no other links to. Index pages and the documents that
// were named are where readers come in.
func (a *auditor) orphans() {
	for _, d := range a.docs {
		if d.linked || d.err != nil || d.file.Named || d.kind() != markdown && d.kind() != html || strings.HasSuffix(d.path, ".svg") || isIndex(d.base()) {
			continue
		}
		ref := &extract.Reference{Pos: extract.Position{Line: 1, Column: 1}}
		a.found(d, Finding{File: d.name, Path: d.file.Path, Ref: ref, Rule: Orphan, Message: "nothing links to this document"})
	}
}
