package audit

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"example.org/refract/audit/site"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
)

// An auditor holds the state of one run.
type auditor struct {
	Options
	ctx context.Context

	names
	*inputs
	*projects
	*results
	files   *listings
	sites   publication
	layouts *layouts

	shared *shared
	*lookups
	worker
	servings     map[string]*serving // by boundary
	labelTrees   map[string]bool     // boundaries of trees in which a program defines labels
	copied       map[string]string   // directories that a build copies, by the missing directory where it puts them; see learnCopied
	given        serving             // from Options
	beside       map[*site.Site]*besideCount
	stray        map[string]int                       // by directory; see isStray
	adopted      map[string]*adoption                 // by directory
	made         map[*site.Site]map[string]*madeCount // by directory of the URL
	rooted       map[*site.Site]*rootCount            // references "/x" of each site
	leavesOut    bool                                 // some URLs omit suffixes
	children     map[string][]string                  // names by directory, for View; nil until needed
	included     inclusions                           // of reStructuredText and AsciiDoc
	dots         map[string]dots                      // by suffix of the documents, with Options.Followed
	hasImagesDir bool                                 // whether a build sets imagesdir; see mayHaveImagesDir
}

// lookups hold what judging looks up once. They are safe for concurrent use.
type lookups struct {
	there     lazy.Map[string, bool]                // whether a directory exists
	real      lazy.Map[string, string]              // targets of symbolic links to files of sites
	realDirs  lazy.Map[string, string]              // directories without symbolic links
	lines     lazy.Map[string, int]                 // number of lines by path of the file; -1 if it is not text
	testInput lazy.Map[string, bool]                // by directory; see isTestInput
	apps      lazy.Map[string, []string]            // by directory; see appRoots
	programs  lazy.Map[string, string]              // results of programOf, by directory
	shownIn   lazy.Map[string, map[string][]string] // by boundary; see shownBy
	aliases   lazy.Map[string, map[string]string]   // by boundary; see aliasesOf
	movesPage lazy.Map[string, bool]                // by directory; see movesPages
	others    lazy.Map[string, *document]           // documents that are read only for their anchors; nil if a file has none
	ignored   lazy.Value[*ignored]
	rstNames  rstNames // of documents that include others
	listed    fileSet  // documents that are in a toctree
}

// worker is what an auditor holds for itself if several judge at a time; see judgeAll.
type worker struct {
	scratch  []reference                  // for references, while documents are examined one by one
	targets  map[origin]string            // files that references lead to; see keepTarget
	attached map[string][]map[string]bool // attachments of the cells of a notebook, by path
}

// A fileSet is a set of paths.
type fileSet struct {
	mu    sync.Mutex
	files map[string]bool
}

func (s *fileSet) add(file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files = map[string]bool{}
	}
	s.files[file] = true
}

// inputs holds the documents, and the other files of the directories that are audited.
type inputs struct {
	docs []*document
	// Configuration files with navigation, which are judged after docs.
	navigation []*document
	byPath     map[string]*document // these
	byName     map[string][]string  // paths of all files of the tree, by their last component
}

// newAuditor prepares a run. It returns an error if o is invalid.
func newAuditor(ctx context.Context, o Options, emit func(*Finding)) (*auditor, error) {
	if o.Tree == nil {
		o.Tree = Disk()
	}
	if o.Dir != "" && !input.IsAbs(o.Dir) {
		o.Dir = absolute(workingDir(o.Tree), o.Dir)
	}
	dir := absolute(cmp.Or(o.Dir, workingDir(o.Tree)), ".")
	o.Tree = &listOnce{Tree: o.Tree, dir: dir}
	a := &auditor{
		Options: o, ctx: ctx, files: newListings(o.Tree),
		inputs: &inputs{byPath: map[string]*document{}, byName: map[string][]string{}},
		shared: &shared{tree: o.Tree}, lookups: new(lookups), worker: worker{targets: map[origin]string{}},
		servings: map[string]*serving{}, copied: map[string]string{}, labelTrees: map[string]bool{}, given: givenServing(&o), leavesOut: len(o.Suffixes) > 0,
		beside: map[*site.Site]*besideCount{}, made: map[*site.Site]map[string]*madeCount{}, rooted: map[*site.Site]*rootCount{}, stray: map[string]int{},
	}
	a.names.dir = dir
	a.projects = newProjects(a.files)
	if err := site.CheckName(o.Generator); err != nil {
		return nil, err
	}
	var err error
	if a.sites, err = newPublication(&o, a.directory); err != nil {
		return nil, err
	}
	if a.results, err = newResults(&o, emit); err != nil {
		return nil, err
	}
	finder := site.NewFinder(o.Tree, o.Generator)
	finder.Jobs = o.Jobs
	a.layouts, err = newLayouts(o.Slugs, finder, a.files, a.projects)
	if err != nil {
		return nil, err
	}
	return a, nil
}

// run performs the audit. It returns the error of the context, if any.
func (a *auditor) run() (*Report, error) {
	if a.Unjudged != nil {
		a.Cache = nil
	}
	if a.Cache != nil {
		a.Cache.next()
	}
	a.collect()
	a.read()
	if err := a.ctx.Err(); err != nil {
		return nil, err
	}
	a.findInclusions()
	a.vote()
	a.learn()
	a.countBeside()
	a.countStray()
	a.countMade()
	a.countImages()
	a.layouts.finder.Complete()
	if err := a.judgeAll(); err != nil {
		return nil, err
	}
	if a.Orphans {
		a.reportOrphans()
	}
	for _, d := range a.docs {
		a.results.Gone += a.baseline.left(d.path, a.wants)
	}
	report := a.results.Report // a copy, which holds nothing of a
	report.auditor = a
	a.ctx, a.Progress, a.Total = context.Background(), nil, nil // Views may be asked for when ctx has ended
	return &report, nil
}

// topOf returns the directory of Paths that holds a file, or the file's own directory if none does.
func (a *auditor) topOf(p string) string {
	for _, g := range a.args {
		if below(p, g.path) {
			return g.path
		}
	}
	return path.Dir(p)
}

// siteAt returns the site that a file is part of, or nil.
func (a *auditor) siteAt(p string) *site.Site {
	return a.layouts.of(&document{path: p, top: a.topOf(p)}).generated
}

// absolute returns the absolute path of a name in Options.
func (a *auditor) absolute(name string) string { return absolute(a.names.dir, name) }

// directory returns the absolute path of a directory that an option names.
func (a *auditor) directory(name string) (string, error) {
	info, err := a.Tree.Stat(input.Join(cmp.Or(a.names.dir, "/"), name))
	if err != nil {
		return "", fmt.Errorf("%q: %w", name, cause(err))
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%q: not a directory", name)
	}
	return a.absolute(name), nil
}

// cause strips from err the path, which errors of the operating system repeat.
func cause(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}

// collect lists the documents that Options.Paths names, and the files of the tree.
func (a *auditor) collect() {
	outputs := map[string]bool{}
	for _, name := range a.Outputs {
		if name != "" {
			outputs[a.absolute(name)] = true
		}
	}
	walk := a.walker(a.names.dir)
	args := a.Paths
	if args == nil {
		args = []string{"."}
	}
	for _, name := range args {
		root := ""
		if info, err := a.Tree.Stat(input.Join(walk.From, name)); err == nil && info.IsDir() {
			root = a.absolute(name)
			a.args = append(a.args, arg{strings.TrimSuffix(filepath.ToSlash(name), "/"), root})
		}
		for f, err := range walk.Files([]string{name}) {
			if a.ctx.Err() != nil {
				return
			}
			if err != nil {
				a.results.Errors = append(a.results.Errors, Failure{f.Name, err})
				continue
			}
			a.collectFile(f, root, outputs)
		}
	}
}

// collectFile adds a file that was found below the directory root, or that Paths names.
func (a *auditor) collectFile(f input.File, root string, outputs map[string]bool) {
	p := a.absolute(f.Path)
	if f.Name == "-" {
		p = a.absolute("stdin")
	}
	if _, again := a.byPath[p]; again || !f.Named && outputs[p] {
		return
	}
	if !f.Named {
		a.byName[path.Base(p)] = append(a.byName[path.Base(p)], p)
	}
	k := a.kindOf(p)
	if k.isExcluded || !f.Named && f.Type == "" && !k.isDocument && !a.isTemplate(p) {
		a.countUnread(p)
		return
	}
	f.Name, f.Path = endOf(p, f.Name), endOf(p, f.Path)
	d := a.newDocument(p)
	d.name, d.file, d.top = strings.TrimPrefix(f.Name, "./"), f, root
	if f.Named {
		d.top = d.dir()
	}
	a.byPath[d.path] = d
	a.docs = append(a.docs, d)
}

// endOf returns name as a part of p if p ends in it, so that both take the same memory.
func endOf(p, name string) string {
	if strings.HasSuffix(p, name) {
		return p[len(p)-len(name):]
	}
	return name
}

// countUnread counts a file of the tree that is not audited, if its suffix is one of documentSuffixes.
func (a *auditor) countUnread(p string) {
	ext := strings.ToLower(path.Ext(p))
	names := a.byName[path.Base(p)] // p is the last, unless another of Paths holds it too
	if !slices.Contains(documentSuffixes, ext) || slices.Index(names, p) != len(names)-1 {
		return
	}
	r := &a.results.Report
	if r.Unread == nil {
		r.Unread = map[string]int{}
	}
	r.Unread[ext]++
}

// documentSuffixes lists suffixes of documents that have links, but possibly no built-in Format.
// Source: by hand, as of November 2026, the formats that site generators and Pandoc read.
var documentSuffixes = []string{
	".creole", ".docx", ".epub", ".ipynb", ".mediawiki", ".odt", ".org", ".qmd", ".rdoc", ".rmd", ".textile", ".typ", ".wiki",
}

// size returns the number of bytes in all documents, or -1 if one is compressed or a pipe.
func (a *auditor) size() (n int64) {
	for _, d := range a.docs {
		if d.file.Path == "-" || input.Inner(d.file.Path) != d.file.Path {
			return -1
		}
		if info, err := a.Tree.Stat(d.file.Path); err == nil {
			n += info.Size()
		}
	}
	return n
}

// read reads the documents, Jobs at a time.
func (a *auditor) read() {
	for _, d := range a.docs {
		a.setLayout(d)
	}
	for s := range a.layouts.bySite {
		s.Load() // first, so that each document is read once
	}
	a.addNavigation()
	if a.Total != nil {
		a.Total(a.size())
	}
	a.shared.ids.isLimited = len(a.docs) >= manyDocuments && a.Cache == nil
	a.each(a.docs, func(_ *auditor, d *document) {
		d.prepare()
		d.read(a)
		a.countOwnVotes(d) // this also makes most ids, concurrently
		d.pack()
		if len(a.docs) >= manyDocuments {
			d.bytes.Store(nil)
		}
	})
	r := a.results
	for _, d := range a.docs {
		r.tally.elsewhere += d.references - d.countRefs()
		for _, n := range d.skipped {
			r.tally.elsewhere -= int(n)
		}
		n := min(len(d.nav), int(d.skipped[isFrontMatter]))
		if n > 0 {
			a.countSkipped(isFrontMatter.String(), -n) // the navigation judges them
		}
		r.References += len(d.nav) - n
		d.dropJudged(n)
	}
	a.docs = append(a.docs, a.navigation...)
	for _, d := range a.navigation {
		d.references = len(d.nav)
	}
	for _, d := range a.docs {
		r.References += d.references
		for why, n := range d.skipped {
			if n > 0 {
				a.countSkipped(reason(why).String(), int(n))
			}
		}
		for _, n := range d.limits {
			r.Notes = append(r.Notes, Note{d.name, n.pos, n.text})
		}
		if d.err != nil {
			r.Errors = append(r.Errors, Failure{d.name, d.err})
		}
		if d.isUnread {
			a.countUnreadPackage(d)
			continue
		}
		if d.err == nil || d.references > 0 {
			r.Documents++
			r.Names = append(r.Names, d.name)
		}
	}
}

// dropJudged removes n references in front matter from those listed as not judged, entries of the
// navigation first.
func (d *document) dropJudged(n int) {
	if n > 0 {
		d.unjudged = slices.Clone(d.unjudged) // a Cache may share it
	}
	for _, isSure := range []bool{true, false} {
		d.unjudged = slices.DeleteFunc(d.unjudged, func(k reference) bool {
			if n == 0 || k.reason != isFrontMatter {
				return false
			}
			if isSure && !slices.ContainsFunc(d.nav, func(e navEntry) bool { return e.pos.Offset == k.pos.Offset }) {
				return false
			}
			n--
			return true
		})
	}
}

// each calls do with each of docs, Jobs at a time, each time with an auditor that only one goroutine uses. It stops early
// if the context ends.
func (a *auditor) each(docs []*document, do func(*auditor, *document)) {
	var workers sync.WaitGroup
	var taken atomic.Int64
	for range min(max(1, a.Jobs), len(docs)) {
		workers.Go(func() {
			w := a.fork()
			for a.ctx.Err() == nil {
				i := int(taken.Add(1)) - 1
				if i >= len(docs) {
					return
				}
				do(w, docs[i])
			}
		})
	}
	workers.Wait()
}

// reportOrphans reports documents that no other document links to. It leaves out index pages and
// documents that Paths names, since readers start there.
func (a *auditor) reportOrphans() {
	for _, d := range a.docs {
		if s := d.layout.generated; d.isRST() && s != nil && s.Document(d.path) != "" {
			a.reportUnlisted(d)
			continue
		}
		isEntry := d.file.Named || isIndex(d.base())
		isPage := d.isMarkdown() || d.isRST() || d.isAsciiDoc() || d.isHTML() && !strings.HasSuffix(d.path, ".svg")
		if d.linked.Load() || d.err != nil || isEntry || !isPage {
			continue
		}
		f := a.finding(d, Orphan, "no document links to this one")
		f.Pos.Line, f.Pos.Column = 1, 1
		a.report(d, f)
	}
}

// document returns the document at a path: an input, or a file that is read for its anchors. It
// returns nil if the file cannot have anchors.
func (a *auditor) document(p string) *document {
	if d := a.byPath[p]; d != nil {
		return d
	}
	return a.others.Get(p, a.readOther)
}

func (a *auditor) readOther(p string) *document {
	if k := a.kindOf(p); !k.isDocument || k.fragments == extract.NoFragments {
		return nil
	}
	d := a.newDocument(p)
	a.setLayout(d)
	if info, err := a.Tree.Stat(p); err == nil && info.Mode().IsRegular() {
		d.prepare()
		d.read(a)
		d.pack()
		d.packed.refs, d.packed.refCount = "", 0
		d.undefined, d.names = nil, nil
		d.bytes.Store(nil)
	} else {
		d.isPartial = true
	}
	return d
}

// target returns a path in the form that Finding.Target shows. For a document, that is the File of
// the findings in it.
func (a *auditor) target(p string) string {
	if to := a.byPath[p]; to != nil {
		return to.name
	}
	if p == "" {
		return ""
	}
	return a.shown(p)
}

// byDepth sorts directories, the deepest first.
func byDepth(sites []publishedDir) {
	slices.SortStableFunc(sites, func(x, y publishedDir) int { return len(y.dir) - len(x.dir) })
}
