package audit

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/buildmatch"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/forbid"
	"example.org/refract/internal/audit/infer"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/spell"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/audit/unused"
	"example.org/refract/internal/each"
	"example.org/refract/internal/forge"
	"example.org/refract/internal/input"
	"example.org/refract/internal/option"
	"example.org/refract/internal/order"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/gen"
)

// An auditor holds the state of one run.
type auditor struct {
	Options
	spell.Speller
	*results
	worker
	inference *infer.Inference
	wanted    []wantedRedirect // redirects for URLs that are gone; see AddRedirects
	still     *stillLinked     // nil without Options.Before
	listing   struct {         // see list
		document *doc.Document
		patterns map[string]bool
	}
	unused    *unused.Files       // nil without Options.OrphanFiles
	matcher   *buildmatch.Matcher // nil without Options.Built
	uses      *buildmatch.Uses    // of the documents; nil unless they are read for it
	isMisfit  bool                // the builds do not fit the sources
	builds    []string            // absolute paths of Options.Built
	buildURLs []string            // where these are published
	children  map[string][]string // names by directory, for View; nil until needed
	fronts    map[frontKey]frontCount
	sample    *sample             // which documents are probed; nil without SomeProbes
	dots      map[string]doc.Dots // by suffix of the documents; nil without Options.Followed
}

// worker is what an auditor holds for itself if several judge at a time; see judgeAll.
type worker struct {
	scratch doc.Scratch            // for references, while documents are examined one by one
	targets map[lead.Origin]string // files that references point to; see keepTarget
	landing lead.Landing           // of the reference that is checked: it is large
	probed  lead.Landing           // of a probe of it
}

// newAuditor prepares a run. It returns an error if o is invalid.
func newAuditor(ctx context.Context, o Options, emit func(*Finding)) (*auditor, error) {
	if o.Tree == nil {
		o.Tree = tree.Disk()
	}
	o.useSlashes()
	if o.Dir != "" && !input.IsAbs(o.Dir) {
		o.Dir = tree.Absolute(tree.WorkingDir(o.Tree), o.Dir)
	}
	dir := tree.Absolute(cmp.Or(o.Dir, tree.WorkingDir(o.Tree)), ".")
	var urls, dirs []string
	for _, s := range o.Sites {
		urls, dirs = append(urls, s.URL), append(dirs, s.Dir)
	}
	others := slices.Clone(dirs)
	for _, b := range o.Built {
		others = append(others, b.Dir)
		if b.URL != "" { // absolute references to it are checked
			urls, dirs = append(urls, b.URL), append(dirs, b.Dir)
		}
	}
	if o.Root != "" {
		others = append(others, o.Root)
	}
	for _, r := range o.Roots {
		others = append(others, r.Dir)
	}
	confined := tree.NewConfined(o.Tree, dir, o.Paths, others)
	o.Tree = &tree.ListOnce{Tree: confined, Dir: dir}
	a := &auditor{
		Options: o, fronts: map[frontKey]frontCount{}, worker: worker{targets: map[lead.Origin]string{}},
		Speller: spell.Speller{IsPartial: len(o.Globs) > 0, Judge: judge.Judge{Org: new(judge.OrgIndex), Titles: new(judge.TitleIndex), WithSchemes: o.Schemes, WithTests: o.Tests, World: lead.World{
			Library: lead.Library{
				Reader: readerOf(&o, dir), Confined: confined, Files: tree.NewListings(o.Tree), Lookups: new(lead.Lookups),
				Inputs: &lead.Inputs{ByPath: map[string]*doc.Document{}, ByName: map[string][]string{}, LinksOut: map[string]bool{}},
			},
			Learnt: lead.Learnt{
				Given: infer.Given(o.Suffixes, o.Indexes, o.Prefix), Servings: map[string]*publish.Serving{}, Copied: map[string]string{}, Together: map[string]bool{}, Nesting: map[string]bool{}, Tabs: map[string]bool{},
				Made: map[*site.Site]map[string]*publish.MadeCount{}, Mapped: map[*site.Site]map[string]lead.Mapping{}, Doubted: map[lead.FormKey]lead.Doubt{}, Rooted: map[*site.Site]*publish.RootCount{},
			},
		}}},
	}
	if o.Before != nil {
		a.still = &stillLinked{by: map[string]*idLink{}}
	}
	a.inference = &infer.Inference{World: &a.World, Jobs: o.Jobs, Doubts: o.Doubts}
	if o.Before != nil {
		a.inference.DoubtedBefore = o.Before.doubted
	}
	a.ReadIgnored = a.newIgnored
	a.Context = ctx
	a.Projects = tree.NewProjects(a.Files)
	if err := gen.CheckName(o.Generator); err != nil {
		return nil, err
	}
	var err error
	a.Published, err = doc.NewPublication(urls, dirs, o.Root, a.Directory)
	if err != nil {
		return nil, err
	}
	for _, r := range o.Roots {
		err := a.Published.AddRoot(r.Below, r.Dir, a.Directory)
		if err != nil {
			return nil, err
		}
	}
	a.findCheckouts()
	a.Forbidden, err = forbid.New(o.Forbid)
	if err != nil {
		return nil, err
	}
	a.results, err = newResults(&o, emit)
	if err != nil {
		return nil, err
	}
	for _, b := range o.Built {
		if b.Dir == "" {
			return nil, option.Bad("Built", b.URL, "give a directory, or URL=DIR")
		}
		p, err := a.Directory(b.Dir)
		if err != nil && o.BuiltIDs != nil {
			continue
		}
		if err != nil {
			return nil, option.Bad("Built", b.Dir, "%s", strings.TrimPrefix(err.Error(), fmt.Sprintf("%q: ", b.Dir)))
		}
		a.builds, a.buildURLs = append(a.builds, p), append(a.buildURLs, b.URL)
	}
	finder := gen.Find(o.Tree, o.Generator)
	finder.Jobs = o.Jobs
	a.Layouts, err = publish.NewLayouts(o.Slugs, finder, a.Files, a.Projects)
	if err != nil {
		return nil, err
	}
	return a, nil
}

// maxGitFile limits the size in bytes of a file in .git.
const maxGitFile = 1 << 20

// findCheckouts finds the repositories of what is audited, and reads where they are hosted.
func (a *auditor) findCheckouts() {
	args := a.Paths
	if args == nil {
		args = []string{"."}
	}
	var list strings.Builder
	for _, name := range args {
		at := a.Absolute(name)
		if info, err := a.Tree.Stat(at); err != nil || !info.IsDir() {
			at = path.Dir(at)
		}
		top := a.Repository(at)
		if top == "" || slices.ContainsFunc(a.Published.Checkouts, func(c doc.Checkout) bool { return c.Top == top }) {
			continue
		}
		r := forge.Parse(func(name string) []byte { return a.readGit(top, name) })
		if len(r.Remotes) == 0 {
			continue
		}
		a.Published.Checkouts = append(a.Published.Checkouts, doc.Checkout{Top: strings.TrimSuffix(top, "/"), Repository: r})
		fmt.Fprintf(&list, "%q %q\n", top, r.Remotes)
	}
	a.SiteList += list.String()
}

// readGit returns the contents of a file in .git, or nil.
func (a *auditor) readGit(top, name string) []byte {
	name = strings.TrimSuffix(top, "/") + "/.git/" + name
	if info, err := a.Tree.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxGitFile {
		return nil
	}
	f, err := a.Tree.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxGitFile))
	if err != nil {
		return nil
	}
	return text
}

// readerOf returns a reader for the documents of o, without sites.
func readerOf(o *Options, dir string) doc.Reader {
	r := doc.Reader{
		Names: doc.Names{Dir: dir}, ResolveRules: o.Resolve, MoreFormats: o.Formats, MoreContainers: o.Containers, EntityLimit: o.MaxEntity, SiteList: fmt.Sprintf("%q", o.Sites),
		Context: context.Background(), OnRead: o.Progress, Shared: &doc.Shared{Tree: o.Tree}, KeepsUnchecked: o.Unchecked != nil || o.Built != nil && o.BuiltIDs == nil, KeepsFollowed: o.Followed != nil,
		KeepsTexts: o.LinkTexts,
	}
	if len(o.Forbid) > 0 { // the list goes into a sum for each document, and may be long
		r.SiteList += fmt.Sprintf(" %x", sha256.Sum256(fmt.Appendf(nil, "%q", o.Forbid)))
	}
	switch {
	case o.Cache != nil:
		r.Store = o.Cache
	case o.Contents != nil:
		r.Store = o.Contents
	}
	return r
}

// dropCache lets a use no Cache from now on.
func (a *auditor) dropCache() { a.Cache, a.Store = nil, nil }

// run performs the audit. It returns the error of the context, if any.
func (a *auditor) run() (*Report, error) {
	if a.Unchecked != nil || a.Built != nil && a.BuiltIDs == nil {
		a.dropCache()
	}
	if len(a.builds) > 0 && a.BuiltIDs == nil {
		a.uses = new(buildmatch.Uses)
		a.OnReference = a.uses.Take
	}
	if a.Cache != nil {
		a.Cache.Next()
	}
	a.collect()
	a.read()
	if err := a.Context.Err(); err != nil {
		return nil, err
	}
	a.learn()
	front{a}.learn()
	a.Layouts.Finder.Complete()
	leftover{a}.listUnused()
	noteGenerators(a)
	hearing{a}.learnIDs()
	hearing{a}.hearBuild()
	if err := a.judgeAll(); err != nil {
		return nil, err
	}
	hearing{a}.takeFaults()
	a.takeRemoved()
	if err := a.takeKept(); err != nil {
		return nil, err
	}
	if a.Orphans {
		for _, d := range a.named() {
			a.takeFindings(d, a.judgeOrphan(d))
		}
	}
	leftover{a}.takeUnused()
	for _, d := range a.Docs {
		a.results.countGone(d.Path)
	}
	a.results.takeReach()
	a.results.Coverage = order.Sorted(maps.Values(a.results.coverage), func(x, y Coverage) int { return strings.Compare(x.Dir, y.Dir) })
	report := a.results.Report // a copy, which holds nothing of a
	report.auditor = a
	a.Context, a.OnRead, a.Total = context.Background(), nil, nil // Views may be asked for when ctx has ended
	return &report, nil
}

// leastOfProgram is the least number of documents of a program that a note is about.
const leastOfProgram = 3

// noteGenerators notes surprises about who publishes the documents: no configuration of the generator that
// the user named, configurations of two generators, or an unsupported generator.
func noteGenerators(a *auditor) {
	r := &a.results.Report
	note := func(file, text string) { r.Notes = append(r.Notes, Note{File: file, Text: text}) }
	f, g := a.Layouts.Finder, a.Options.Generator
	switch {
	case strings.EqualFold(g, "none") || len(a.Docs) == 0:
		return
	case g != "" && len(f.Sites()) == 0:
		note(a.Shown(a.Reader.Names.Dir), "no configuration of "+g+" is here: checked without a generator")
	case g == "":
		judged := a.judgedSites()
		for _, c := range f.Claims() {
			if !judged[c.By] {
				continue
			}
			note(a.Shown(c.By.Config), fmt.Sprintf("%s is checked as a site of %s; %s is of %s (--generator chooses)", a.Shown(c.By.SourceDir()), c.By.Generator, a.Quoted(c.Other.Config), c.Other.Generator))
		}
	}
	byProgram := map[string]int{}
	for _, d := range a.Docs {
		if config := a.ProgramOf(d); config != "" && !d.IsNeighbor {
			byProgram[config]++
		}
	}
	for _, config := range slices.Sorted(maps.Keys(byProgram)) {
		if n := byProgram[config]; n >= leastOfProgram {
			note(config, fmt.Sprintf("%s documents are pages of %s, which is not supported: their places are inferred from references", ascii.Number(n), lead.ProgramName(config)))
		}
	}
}

// learn infers how the tree is published.
func (a *auditor) learn() {
	a.inference.Run()
	noteMappings(a)
	noteDoubts(a)
	for _, r := range a.inference.Rules {
		a.results.Learnt = append(a.results.Learnt, Learnt(r))
	}
}

// noteMappings notes the directories of sites whose pages are one level lower than many references say.
func noteMappings(a *auditor) {
	judged := a.judgedSites()
	for _, s := range a.Layouts.Finder.Sites() {
		if !judged[s] {
			continue
		}
		for _, dir := range slices.Sorted(maps.Keys(a.Mapped[s])) {
			m := a.Mapped[s][dir]
			text := fmt.Sprintf("%s links below %q lead nowhere here, and to pages below %q: unless a build or the host has those in both places, they are broken",
				ascii.Number(m.Links), dir, dir+m.Name+"/")
			a.results.Notes = append(a.results.Notes, Note{File: a.Shown(s.Config), Text: text})
		}
	}
}

// judgedSites returns the sites of the documents that are checked.
func (a *auditor) judgedSites() map[*site.Site]bool {
	sites := map[*site.Site]bool{}
	for _, d := range a.named() {
		sites[d.Layout.Generated] = true
	}
	return sites
}

// Outputs returns the directories, as shown to users, in which builds of the audited sites put their pages
// by default.
func (r *Report) Outputs() (dirs []string) {
	a := r.audited()
	if a == nil {
		return nil
	}
	for s := range a.judgedSites() {
		if s == nil {
			continue
		}
		if dir := gen.OutputOf(s); dir != "" {
			dirs = append(dirs, a.Shown(dir))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// named returns the documents that Options.Paths names.
func (a *auditor) named() []*doc.Document {
	return slices.DeleteFunc(slices.Clone(a.Docs), func(d *doc.Document) bool { return d.IsNeighbor })
}

// noteDoubts notes the forms of links for which the rules of a generator of what is checked are doubtful.
func noteDoubts(a *auditor) {
	var notes []Note
	judged := a.judgedSites()
	for at, c := range a.Doubted {
		by := "as paths of files"
		if at.Site != nil {
			by = "by the rules of " + at.Site.Generator
		}
		if at.Site != nil && !judged[at.Site] {
			continue
		}
		text := fmt.Sprintf("%s of %s links of the form %v lead nowhere %s: either they are broken, or code or the host changes what they mean (--built DIR decides)",
			ascii.Number(c.Missing), ascii.Number(c.All), at.Written, by)
		notes = append(notes, Note{File: a.Shown(at.Config()), Text: text})
	}
	order.Sort(notes, func(x, y Note) int { return cmp.Or(strings.Compare(x.File, y.File), strings.Compare(x.Text, y.Text)) })
	a.results.Notes = append(a.results.Notes, notes...)
}

// collect lists the documents that Options.Paths names, and the files of the tree.
func (a *auditor) collect() {
	c := collection{outputs: map[string]bool{}, unread: map[string]bool{}}
	for _, name := range a.Outputs {
		if name != "" {
			c.outputs[a.Absolute(name)] = true
		}
	}
	walk := a.walker(a.Reader.Names.Dir)
	walk.Link = a.noteLink
	walk.GlobUse = new(input.GlobUse)
	args := a.Paths
	if args == nil {
		args = []string{"."}
	}
	var dirs []doc.Arg
	for _, name := range args {
		if info, err := a.Shared.Tree.Stat(input.Join(walk.From, name)); err == nil && info.IsDir() {
			dirs = append(dirs, doc.Arg{Name: strings.TrimSuffix(filepath.ToSlash(name), "/"), Path: a.Absolute(name)})
		}
	}
	a.SetArgs(dirs)
	a.findRepositories(args)
	if len(args) > 1 || len(a.Repositories) > 0 {
		c.walked = map[string]bool{}
	}
	for _, name := range args {
		for f, err := range walk.Files([]string{name}) {
			if a.Context.Err() != nil {
				return
			}
			if err != nil {
				a.results.Errors = append(a.results.Errors, Failure{f.Name, err})
				continue
			}
			a.collectFile(f, &c)
		}
	}
	a.collectNeighbors(walk, &c)
	if c.walked != nil {
		for _, paths := range a.ByName {
			slices.Sort(paths)
		}
	}
	c.takeAsked(a)
	a.countUnread(c.unread)
	for _, glob := range walk.GlobUse.Unmatched() {
		a.results.Notes = append(a.results.Notes, Note{File: ".", Text: fmt.Sprintf("glob %q matches no file", glob)})
	}
}

// collectNeighbors adds the other documents of the repositories of Options.Paths. What the audit learns
// about a repository must not depend on which part of it Paths names.
func (a *auditor) collectNeighbors(walk input.Options, c *collection) {
	walk.Link, walk.GlobUse = nil, nil
	c.areNeighbors = true
	for _, top := range slices.Clone(a.Repositories) {
		var files []input.File
		for f, err := range walk.Files([]string{top}) {
			if a.Context.Err() != nil {
				return
			}
			if len(files) == mostNeighbors {
				r := &a.results.Report
				r.Notes = append(r.Notes, Note{File: a.Shown(top), Text: fmt.Sprintf("has more than %d files: only what is named is read", mostNeighbors)})
				a.Repositories = slices.DeleteFunc(a.Repositories, func(other string) bool { return other == top })
				files = nil
				break
			}
			if err == nil && !a.IsInTests(top, a.Absolute(f.Path)) {
				files = append(files, f)
			}
		}
		for _, f := range files {
			a.collectFile(f, c)
		}
	}
}

// mostNeighbors limits the files of a repository that are read besides those that Options.Paths names.
var mostNeighbors = 200_000

// findRepositories finds the repositories of args that are no argument themselves, nor in one.
func (a *auditor) findRepositories(args []string) {
	for _, name := range args {
		p := a.Absolute(name)
		if info, err := a.Shared.Tree.Stat(p); err != nil || !info.IsDir() {
			p = path.Dir(p)
		}
		if top := a.Projects.Repository(p); name != "-" && top != "" && !a.Contain(top) && !slices.Contains(a.Repositories, top) {
			a.Repositories = append(a.Repositories, top)
		}
	}
}

// noteLink notes a symbolic link in an audited directory if it points outside the repository. The targets
// of others are audited where they are.
func (a *auditor) noteLink(name, file string) {
	p := a.Absolute(file)
	if !a.Confined.LeadsOut(p) {
		return
	}
	base := path.Base(p)
	a.LinksOut[tree.Fold(tree.Stem(base))] = true
	if a.KindOf(p).IsDocument {
		a.DocumentOut = true
		r := &a.results.Report
		r.Notes = append(r.Notes, Note{File: strings.TrimPrefix(name, "./"), Text: "not read: " + tree.ErrOutside.Error()})
	}
}

// A collection holds what matters while files are collected.
type collection struct {
	outputs map[string]bool // of Options
	walked  map[string]bool // files that have been found below a directory; nil if none can be found twice
	unread  map[string]bool // files that are not audited, with one of documentSuffixes
	asked   []*askedFile

	areNeighbors bool // the files that are found
}

// An askedFile is a document if its site says so. Sites read much of the tree, which they find listed once
// the walk has ended.
type askedFile struct {
	input.File
	path       string // absolute
	before     int    // documents found before it
	isNeighbor bool
}

// collectFile adds a file that was found below a directory, or that Paths names. The result does not depend
// on the order in which a file is found twice. It belongs to the outermost directory, and counts as named
// if one of Paths names it.
func (a *auditor) collectFile(f input.File, c *collection) {
	p := a.Absolute(f.Path)
	if f.Name == "-" {
		p = a.Absolute("stdin")
	}
	if !f.Named && (c.outputs[p] || c.walked[p]) || a.isBuilt(p) {
		return
	}
	if !f.Named {
		if c.walked != nil {
			c.walked[p] = true
		}
		a.ByName[path.Base(p)] = append(a.ByName[path.Base(p)], p)
	}
	if d := a.ByPath[p]; d != nil {
		d.File.Named = d.File.Named || f.Named
		return
	}
	k := a.KindOf(p)
	if k.IsExcluded || !f.Named && f.Type == "" && !k.IsDocument && !isSitemap(a, p) {
		if !k.IsExcluded && site.MayBeTemplate(p) {
			c.asked = append(c.asked, &askedFile{File: f, path: p, before: len(a.Docs), isNeighbor: c.areNeighbors})
		} else if !c.areNeighbors {
			c.noteUnread(p)
		}
		return
	}
	d := a.collected(f, p)
	d.IsNeighbor = c.areNeighbors
	a.Docs = append(a.Docs, d)
}

// collected returns the document in a file that was found.
func (a *auditor) collected(f input.File, p string) *doc.Document {
	d := a.NewDocument(p)
	f.Name, f.Path = endOf(p, f.Name), endOf(p, f.Path)
	d.Name, d.File = strings.TrimPrefix(f.Name, "./"), f
	a.ByPath[d.Path] = d
	return d
}

// takeAsked adds the files that are documents since their sites say so, in the order in which files were found.
func (c *collection) takeAsked(a *auditor) {
	var docs []*doc.Document
	taken := 0
	for _, f := range c.asked {
		if a.ByPath[f.path] == nil && a.IsTemplate(f.path) {
			docs = append(docs, a.Docs[taken:f.before]...)
			taken = f.before
			d := a.collected(f.File, f.path)
			d.IsNeighbor = f.isNeighbor
			docs = append(docs, d)
		} else if !f.isNeighbor {
			c.noteUnread(f.path)
		}
	}
	if docs != nil {
		a.Docs = append(docs, a.Docs[taken:]...)
	}
}

// noteUnread notes a file that is not audited.
func (c *collection) noteUnread(p string) {
	if slices.Contains(documentSuffixes, strings.ToLower(path.Ext(p))) {
		c.unread[p] = true
	}
}

// isSitemap reports whether a file is a sitemap of a site whose URL is known, by its name.
func isSitemap(a *auditor, p string) bool {
	base := strings.ToLower(path.Base(p))
	return len(a.Sites) > 0 && strings.HasPrefix(base, "sitemap") && strings.HasSuffix(base, ".xml")
}

// endOf returns name as a part of p if p ends in it, so that both take the same memory.
func endOf(p, name string) string {
	if strings.HasSuffix(p, name) {
		return p[len(p)-len(name):]
	}
	return name
}

// countUnread counts files that were found, unless one of Paths names them.
func (a *auditor) countUnread(files map[string]bool) {
	r := &a.results.Report
	for p := range files {
		if a.ByPath[p] != nil {
			continue
		}
		if r.Unread == nil {
			r.Unread = map[string]int{}
		}
		r.Unread[strings.ToLower(path.Ext(p))]++
	}
}

// documentSuffixes lists suffixes of documents that have links, but possibly no built-in Format.
// Source: by hand, as of November 2026, the formats that site generators and Pandoc read.
var documentSuffixes = []string{
	".creole", ".dj", ".djot", ".docx", ".dox", ".epub", ".gmi", ".ipynb", ".mediawiki", ".mld", ".odt", ".org", ".pod", ".qmd", ".rdoc", ".rmd", ".smd",
	".texi", ".texinfo", ".textile", ".typ", ".wiki", ".wikitext",
}

// manyDocuments is the number of documents from which ids are not kept under algorithms that only a vote or
// a suggestion asks for. In a large tree, they would take more memory than everything else.
const manyDocuments = 4096

// read reads the documents, Jobs at a time.
func (a *auditor) read() {
	for _, d := range a.Docs {
		a.SetLayout(d)
	}
	for s := range a.Layouts.BySite {
		s.Load() // first, so that each document is read once
	}
	a.addNavigation()
	a.addRedirects()
	if a.Total != nil {
		a.Total(a.Size())
	}
	areMany := len(a.Docs) >= manyDocuments
	a.inference.DropsIDs = areMany && a.Cache == nil
	a.inference.CountsDots = a.Followed != nil
	a.Shared.IDs.IsLimited = a.inference.DropsIDs
	each.Do(a.Context, a.Jobs, slowestFirst(a.Docs), func(d *doc.Document) {
		d.Prepare()
		a.Read(d)
		a.inference.CountOwnVotes(d) // this also makes most ids, concurrently
		d.Pack()
		if areMany {
			d.Bytes.Store(nil)
		}
	})
	if a.Followed != nil {
		for _, d := range a.Docs {
			a.addDots(path.Ext(d.Path), d.Dots, 1)
		}
	}
	r := a.results
	for _, d := range a.named() {
		r.elsewhere += d.References - d.CountRefs()
		for _, n := range d.Skipped {
			if n > 0 {
				r.elsewhere -= int(n)
				r.cover(path.Dir(d.Name), 0, int(n))
			}
		}
		n := d.JudgedInFront()
		if n > 0 && a.isAmong(d) {
			a.countSkipped(doc.IsFrontMatter.Reason(), -n) // the navigation judges them
			r.cover(path.Dir(d.Name), 0, -n)
		}
		r.References += len(d.Nav) - n + countRedirects(d)
		d.DropJudged(n)
	}
	a.Docs = append(a.Docs, a.Navigation...)
	a.Sorted = a.Docs
	if len(a.Paths) > 1 || len(a.Navigation) > 0 || len(a.Repositories) > 0 {
		a.Sorted = order.Sorted(slices.Values(a.Docs), func(x, y *doc.Document) int { return strings.Compare(x.Path, y.Path) })
	}
	for _, d := range a.Navigation {
		d.References = len(d.Nav) + countRedirects(d)
	}
	for _, d := range a.named() {
		r.References += d.References
		for why, n := range d.Skipped {
			if n > 0 && a.isAmong(d) {
				a.countSkipped(doc.EarlyReason(why).Reason(), int(n))
			}
		}
		for _, n := range d.Limits {
			r.Notes = append(r.Notes, Note{d.Name, n.Pos, n.Text})
		}
		if d.Err != nil {
			r.Errors = append(r.Errors, Failure{d.Name, d.Err})
		}
		if d.IsUnread {
			a.countUnreadPackage(d)
			continue
		}
		if d.Err == nil || d.References > 0 {
			r.Documents++
			r.Names = append(r.Names, d.Name)
		}
	}
}

// slowestFirst returns the documents with PDF files first. One of these takes as long as hundreds of other
// documents; if it came last, all would wait for it.
func slowestFirst(docs []*doc.Document) []*doc.Document {
	isSlow := func(d *doc.Document) bool { return strings.EqualFold(path.Ext(d.Path), ".pdf") }
	if !slices.ContainsFunc(docs, isSlow) {
		return docs
	}
	slow := slices.DeleteFunc(slices.Clone(docs), func(d *doc.Document) bool { return !isSlow(d) })
	return append(slow, slices.DeleteFunc(slices.Clone(docs), isSlow)...)
}

// judgeOrphan checks whether another document links to d. It leaves out index pages and documents that
// Paths names, since readers start there.
func (a *auditor) judgeOrphan(d *doc.Document) []Finding {
	if s := d.Layout.Generated; d.IsRST() && s != nil && s.Names().Document(d.Path) != "" {
		return a.judgeListed(d)
	}
	isEntry := d.File.Named || publish.IsIndex(d.Base())
	isPage := d.IsMarkdown() || d.IsRST() || d.IsAsciiDoc() || d.IsHTML() && !strings.HasSuffix(d.Path, ".svg")
	if d.Linked.Load() || d.Err != nil || isEntry || !isPage {
		return nil
	}
	f := a.finding(d, rule.Orphan, "no document links to this one")
	f.Pos.Line, f.Pos.Column = 1, 1
	return []Finding{f}
}

// newIgnored returns what the ignore files of the tree say.
func (a *auditor) newIgnored() *lead.Ignored {
	walk := a.walker(a.Reader.Names.Dir)
	return &lead.Ignored{Is: walk.Ignored()}
}

// judgeListed judges whether a document of Sphinx is in a toctree, if it does not say that it is to be in none.
func (a *auditor) judgeListed(d *doc.Document) (findings []Finding) {
	s := d.Layout.Generated
	if a.Listed.Files[d.Path] || d.Err != nil || s.Names().Document(d.Path) == s.RST.Root || len(a.Included.By[d.Path]) > 0 {
		return nil
	}
	text := d.Head()
	if bytes.HasPrefix(text, []byte(":orphan:")) || bytes.Contains(text, []byte("\n:orphan:")) {
		return nil
	}
	f := a.finding(d, rule.Orphan, "no toctree has this document")
	f.Pos.Line, f.Pos.Column = 1, 1
	return []Finding{f}
}

// leftover finds the files that nothing uses.
type leftover struct{ a *auditor }

// listUnused lists the files that may be used or not, before documents are checked.
func (a leftover) listUnused() {
	if !a.a.OrphanFiles || !a.a.results.wants(rule.Orphan) {
		return
	}
	var files []string
	for _, all := range a.a.ByName {
		for _, p := range all {
			if a.a.Contain(p) {
				files = append(files, p)
			}
		}
	}
	a.a.unused = unused.New(files)
}

// takeUnused reports the files that nothing in the repository refers to.
func (a leftover) takeUnused() {
	if a.a.unused == nil || a.a.unused.Len() == 0 {
		return
	}
	unread := a.scanMentions()
	files, unknown := a.a.unused.Unused()
	skipped := 0
	for _, p := range files {
		d := a.a.NewDocument(p)
		d.Name, d.File = a.a.Shown(p), input.File{Name: a.a.Shown(p), Path: p}
		a.a.SetLayout(d)
		if !a.a.NotReported(d).IsZero() {
			skipped++
			continue
		}
		f := a.a.finding(d, rule.Orphan, "nothing in the tree refers to this file")
		f.Pos.Line, f.Pos.Column = 1, 1
		a.a.report(d, f)
	}
	note := func(n int, text string) {
		if n > 0 {
			r := &a.a.results.Report
			r.Notes = append(r.Notes, Note{File: a.a.Shown(a.a.Reader.Names.Dir), Text: fmt.Sprintf(text, ascii.Number(n))})
		}
	}
	for _, ext := range unused.Suffixes(unknown) {
		note(unknown[ext], "not checked as orphans, because code puts names that end in "+ext+" together: %s")
	}
	note(skipped, "not checked as orphans, because they are in test inputs or vendored code: %s")
	note(unread, "files that cannot be read, and may refer to orphans: %s")
}

// scanMentions looks for names of files in all text files of the audited repositories, or of the
// directories if there is no repository. It returns how many files it could not read.
func (a leftover) scanMentions() int {
	tops := map[string]bool{}
	for _, d := range a.a.Docs {
		if top := cmp.Or(a.a.Projects.Repository(d.Dir()), d.Top); top != "" {
			tops[top] = true
		}
	}
	if len(tops) == 0 {
		tops[a.a.Reader.Names.Dir] = true
	}
	walk := a.a.walker(a.a.Reader.Names.Dir)
	walk.Globs = nil
	var files []string
	for _, top := range slices.Sorted(maps.Keys(tops)) {
		for f, err := range walk.Files([]string{top}) {
			if err == nil && a.a.Context.Err() == nil {
				files = append(files, a.a.Absolute(f.Path))
			}
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	var unread atomic.Int64
	each.Do(a.a.Context, a.a.Jobs, files, func(p string) {
		if unused.IsCandidate(p) && path.Ext(p) != ".svg" {
			return
		}
		r, err := input.OpenIn(tree.Walked{Tree: a.a.Shared.Tree, Confined: a.a.Confined}, p, a.a.Shown(p))
		if err != nil {
			unread.Add(1)
			return
		}
		defer r.Close()
		isCode := !doc.IsDocument(p) || strings.HasSuffix(p, ".css")
		if a.a.unused.Scan(p, r, isCode) != nil {
			unread.Add(1)
		}
	})
	return int(unread.Load())
}

// finding returns a finding in d.
func (a *auditor) finding(d *doc.Document, rule rule.Rule, message string) Finding {
	return Finding{File: d.Name, Path: d.File.Path, Rule: rule, Message: message}
}
