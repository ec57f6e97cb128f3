package audit

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/buildmatch"
	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/order"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// A BuildReport summarizes what a build decided.
type BuildReport struct {
	Pages      int // HTML files
	Documents  int // documents that have a page
	Sourceless int // pages without a document: lists, archives, API references
	Decided    int // references on which the build decides
	Dead       int // those of Decided that are broken
	// Open counts the references of documents with a page on which the build does not decide, by reason.
	Open            map[Reason]int
	Differences     map[DifferenceKind]int
	Copied, Dropped int // links that repeat those of documents; links that are too many to tell apart
	Templates       int // pages that are pieces of templates, whose links are not checked
}

// A DifferenceKind is the kind of a disagreement between a generator's rules and a build.
type DifferenceKind struct {
	Generator string // "" if none is known
	Model     string // a rule, or "found"
	Build     string // "found", "no-page" or "no-id"
}

// A Difference is a reference for which a build and the rules of its generator disagree.
type Difference struct {
	File string // as in Finding
	Path string
	Pos  extract.Position
	Ref  *extract.Reference
	DifferenceKind
	Page string // that shows it, as shown to users
	URL  string // the missing URL that the build links to, if any
}

func (b *BuildReport) add(other *BuildReport) {
	b.Decided += other.Decided
	b.Dead += other.Dead
	for why, n := range other.Open {
		b.open(why, n)
	}
	for k, n := range other.Differences {
		b.differ(k, n)
	}
}

func (b *BuildReport) open(why Reason, n int) {
	if b.Open == nil {
		b.Open = map[Reason]int{}
	}
	b.Open[why] += n
}

func (b *BuildReport) differ(k DifferenceKind, n int) {
	if b.Differences == nil {
		b.Differences = map[DifferenceKind]int{}
	}
	b.Differences[k] += n
}

// addBuild adds what a build says about some of the documents.
func (r *results) addBuild(other *BuildReport) {
	if other != nil {
		r.buildReport().add(other)
	}
}

func (r *results) buildReport() *BuildReport {
	if r.Build == nil {
		r.Build = &BuildReport{}
	}
	return r.Build
}

// isBuilt reports whether a file is part of a build.
func (a *auditor) isBuilt(p string) bool {
	return slices.ContainsFunc(a.builds, func(dir string) bool { return tree.Below(p, dir) })
}

// A hearing is the part of an audit that asks a build.
type hearing struct{ a *auditor }

// buildDirs returns the directories of the builds.
func (a hearing) buildDirs() (dirs []built.Dir) {
	for i, p := range a.a.builds {
		d := built.Dir{Path: p, Shown: a.a.Shown(p), URL: a.a.buildURLs[i]}
		if top := a.a.Repository(p); top != "" && top != p {
			d.Around = append(d.Around, top)
		}
		if up := path.Dir(p); !slices.Contains(d.Around, up) {
			d.Around = append(d.Around, up)
		}
		dirs = append(dirs, d)
	}
	return dirs
}

// hearBuild reads the builds, and finds the page of each document.
func (a hearing) hearBuild() {
	if len(a.a.builds) == 0 || a.a.BuiltIDs != nil {
		return
	}
	b := built.Read(a.a.Context, a.a.Shared.Tree, a.a.Jobs, a.buildDirs())
	a.a.matcher = buildmatch.New(a.a.Context, a.a.Jobs, b, &a.a.Reader, a.a.uses, a.sources())
	a.a.matcher.Hear(a.a.Context, a.a.Jobs)
	a.a.OnReference, a.a.uses = nil, nil
	r := a.a.results.buildReport()
	r.Pages = b.Pages()
	for _, d := range a.a.named() {
		if a.a.matcher.PageOf(d) != nil {
			r.Documents++
		}
	}
	for _, s := range b.Sites {
		for _, p := range s.Pages {
			if a.a.matcher.SourceOf(p) == nil {
				r.Sourceless++
			}
		}
		if len(s.Pages) == 0 {
			a.a.results.Errors = append(a.a.results.Errors, Failure{s.Shown, errNoPages})
		}
		switch {
		case s.Unserved > 0:
			a.noteBuild(s, fmt.Sprintf("the build is not complete: its sitemap.xml has %s URLs that it does not; what is not found in it is not checked", ascii.Number(s.Unserved)))
		case s.IsPartial:
			a.noteBuild(s, "could not be read completely: what is not found in it is not checked")
		}
		if n := s.Cut(); n > 0 {
			a.noteBuild(s, fmt.Sprintf("pages that seem to be cut, so that their ids are not known: %s", ascii.Number(n)))
		}
	}
	if why := a.a.matcher.Misfit(); why != "" {
		a.a.isMisfit = true
		a.noteBuild(b.Sites[0], "the build does not fit the sources: "+why+"; what is not found in it is not checked")
	}
	if n := a.a.matcher.Stale(); n > 0 {
		a.noteBuild(b.Sites[0], fmt.Sprintf("the build is stale: %s documents have changed since", ascii.Number(n)))
	}
	if once, ok := a.a.Shared.Tree.(*tree.ListOnce); ok { // what the build serves is known: a generator makes a directory for each page
		for _, s := range b.Sites {
			once.Forget(s.Path)
		}
	}
}

// BuiltIDs holds what audits have learnt about the ids in a build. The zero BuiltIDs is empty. It is for
// one tree and one build.
type BuiltIDs = buildmatch.Known

// learnIDs lets the documents have the ids of their built pages.
func (a hearing) learnIDs() {
	if a.a.BuiltIDs == nil || len(a.a.builds) == 0 {
		return
	}
	a.a.BuiltIDs.Learn(a.a.Context, a.a.Jobs, a.a.Shared.Tree, &a.a.Reader, a.buildDirs(), a.sources)
	a.a.Shared.Built = func(d *doc.Document) ([]doc.BuiltID, bool) {
		if a.a.BuiltFrom == nil {
			return a.a.BuiltIDs.Of(d, d.Path)
		}
		ids, _ := a.a.BuiltIDs.Of(d, a.a.BuiltFrom(d.Path))
		return ids, false
	}
}

// errNoPages says that a directory cannot be the output of a build.
var errNoPages = errors.New("no HTML file is in the directory of the build")

func (a hearing) noteBuild(s *built.Site, text string) {
	a.a.results.Notes = append(a.a.results.Notes, Note{File: s.Shown, Text: text})
}

// addPages adds to the pages of documents which page of the build shows them, and the pages that have no document.
func (a hearing) addPages(docs []*doc.Document, pages []Page) []Page {
	a.hearBuild()
	for i, d := range docs {
		if m := a.a.matcher.PageOf(d); m != nil {
			pages[i].Built, pages[i].BuiltBy = m.Page.Shown(), m.How.String()
		}
	}
	for _, s := range a.a.matcher.Build.Sites {
		for _, p := range s.Pages {
			if a.a.matcher.SourceOf(p) == nil {
				pages = append(pages, Page{Built: p.Shown(), URL: s.Prefix + p.Name, Why: noSource})
			}
		}
	}
	return pages
}

// sources returns the documents that may have pages, with the URLs that models give them.
func (a hearing) sources() (sources []buildmatch.Source) {
	for _, d := range a.a.Docs {
		if d.Err != nil || d.Bundle != nil || d.Fragments() == extract.NoFragments || slices.Contains(a.a.Navigation, d) {
			continue
		}
		source := buildmatch.Source{Doc: d, Time: a.timeOf(d.File.Path)}
		if s := d.Layout.Generated; s != nil {
			if p := s.Page(d.Path); p != nil && p.Why.IsZero() && !p.IsPart {
				for _, u := range p.Routes {
					source.URLs = append(source.URLs, u, strings.TrimSuffix(s.Base, "/")+u)
				}
			}
		}
		sources = append(sources, source)
	}
	return sources
}

func (a hearing) timeOf(p string) time.Time {
	info, err := a.a.Shared.Tree.Stat(p)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// testimony returns what the build says about the references of d; nil if it says nothing.
func (a hearing) testimony(d *doc.Document) *buildmatch.Testimony {
	if a.a.matcher == nil || d == nil || d.Bundle != nil {
		return nil
	}
	return a.a.matcher.Of(d)
}

// facts says what the build says about ref, in the form of Finding.Facts.
func (a hearing) facts(d *doc.Document, ref *doc.Reference) (facts []string) {
	t := a.testimony(d)
	if t == nil {
		return nil
	}
	if t.Match != nil {
		facts = append(facts, fmt.Sprintf("built page: %s, found by %v", t.Page.Shown(), t.How))
	}
	b, ok := t.Link(ref.Pos.Offset)
	switch {
	case !ok && !t.Why(ref.Pos.Offset).IsZero():
		facts = append(facts, "built link: none: "+t.Why(ref.Pos.Offset).String())
	case ok && b.Ref != "":
		facts = append(facts, "built link: "+b.Ref)
	}
	return facts
}

// isAboutTarget reports whether a rule is about whether something is there, on which a build decides.
func isAboutTarget(r rule.Rule) bool {
	switch r {
	case rule.MissingFile, rule.BrokenImage, rule.MissingFragment, rule.Case, rule.Outside, rule.Symlink:
		return true
	}
	return false
}

// weigh returns the verdict on ref after the build was heard: v is that of the model.
func (a hearing) weigh(t *buildmatch.Testimony, d *doc.Document, ref *doc.Reference, l *lead.Landing, v judge.Verdict) judge.Verdict {
	if a.a.matcher == nil {
		return v
	}
	isFaulty := v.Problem != nil && isAboutTarget(v.Problem.Rule)
	b, ok := built.Link{}, false
	if t != nil {
		b, ok = t.Link(ref.Pos.Offset)
	}
	switch {
	case t == nil && isFaulty && a.mayLackPage(d):
		return judge.Verdict{Skip: noBuiltPage}
	case t == nil:
		return v
	case !ok:
		why := t.Why(ref.Pos.Offset)
		if why.IsZero() {
			why = notALink
		}
		return a.undecided(d, v, isFaulty, why)
	case b.What == built.Unknown:
		return a.undecided(d, v, isFaulty, b.Why)
	case b.What == built.Elsewhere:
		return a.undecided(d, v, isFaulty, builtElsewhere)
	case b.What == built.Alive:
		a.decide(t, d, ref, &b, &v)
		return judge.Verdict{To: v.To, Remark: v.Remark}
	case a.a.isMisfit:
		return a.undecided(d, v, isFaulty, otherBuild)
	case t.Match != nil && t.IsStale, l.State == site.Found && l.File != "" && a.isNewer(l.File):
		return a.undecided(d, v, isFaulty, buildmatch.StaleBuild)
	}
	if lost := a.a.matcher.Lost(a.a.ByPath[l.File], &b.Outcome); lost != nil && !a.isKeptBack(l.File) {
		lost.Links.Add(1)
		return a.undecided(d, v, isFaulty, lostPage)
	}
	if a.lacksHeading(l, &b) {
		return a.undecided(d, v, isFaulty, otherVersion)
	}
	a.decide(t, d, ref, &b, &v)
	if v.Problem != nil && v.Problem.Rule.Level() == rule.LevelError {
		return v
	}
	return judge.JudgeBuilt(&a.a.Judge, d, ref, l, &b, a.a.matcher.SourceOf(b.Page))
}

// isKeptBack reports whether the model knows why a document is not published, so that nothing is missing in the build.
func (a hearing) isKeptBack(file string) bool {
	d := a.a.ByPath[file]
	if d == nil || d.Layout.Generated == nil {
		return false
	}
	p := d.Layout.Generated.Page(d.Path)
	return p != nil && !p.Why.IsZero()
}

// lacksHeading reports whether a link points to the heading of a document whose page does not show it at
// all: the page was made of another version of the document.
func (a hearing) lacksHeading(l *lead.Landing, b *built.Link) bool {
	if b.What != built.NoID || l.Fragment == "" {
		return false
	}
	to := a.a.matcher.SourceOf(b.Page)
	if to == nil {
		return false
	}
	id, isLive := to.IDs().Hit(l.Fragment)
	if !isLive || id == "" {
		return false
	}
	line := to.IDs().Line(id)
	return line > 0 && !a.a.matcher.HasHeading(b.Page, to, line)
}

// undecided returns the verdict where the build does not decide: that of the generator's rules if it is
// supported. For an unsupported generator, paths say nothing about the pages of a build.
func (a hearing) undecided(d *doc.Document, v judge.Verdict, isFaulty bool, why reason.Reason) judge.Verdict {
	a.a.results.buildReport().open(why, 1)
	if isFaulty && d.Layout.Generated == nil {
		return judge.Verdict{Skip: why}
	}
	return v
}

// mayLackPage reports whether d, which has no page in the build, is below the directory of documents with
// pages, so that one of them may show it. Paths then say nothing about its references.
func (a hearing) mayLackPage(d *doc.Document) bool {
	return d.Layout.Generated == nil && a.a.matcher.Matched() > 1 && tree.Below(d.Path, a.a.matcher.Root)
}

// isNewer reports whether a file is a document that was written after the build, and has no page in it.
func (a hearing) isNewer(file string) bool {
	d := a.a.ByPath[file]
	return d != nil && a.a.matcher.IsNewer(d)
}

// decide counts a reference on which the build decides, and notes where the model, which says v, differs.
func (a hearing) decide(t *buildmatch.Testimony, d *doc.Document, ref *doc.Reference, b *built.Link, v *judge.Verdict) {
	r := a.a.results.buildReport()
	r.Decided++
	kind := DifferenceKind{Model: "found", Build: "found"}
	if d.Layout.Generated != nil {
		kind.Generator = d.Layout.Generated.Generator
	}
	switch b.What {
	case built.NoPage:
		kind.Build = "no-page"
	case built.NoID:
		kind.Build = "no-id"
	}
	if kind.Build != "found" {
		r.Dead++
	}
	if v.Problem != nil && v.Problem.Rule.Level() == rule.LevelError {
		kind.Model = string(v.Problem.Rule)
	}
	if !v.Skip.IsZero() || (kind.Model == "found") == (kind.Build == "found") {
		return
	}
	r.differ(kind, 1)
	if a.a.Differs != nil {
		a.a.Differs(&Difference{File: d.Name, Path: d.File.Path, Pos: ref.Pos, Ref: ref.Extracted(), DifferenceKind: kind, Page: pageOf(t), URL: b.URL})
	}
}

// pageOf returns the page that shows a document, as shown to users; "" if there are several.
func pageOf(t *buildmatch.Testimony) string {
	if t.Match == nil {
		return ""
	}
	return t.Page.Shown()
}

// weighLabel returns the verdict on a label, after the build was heard: what it adds to the document may
// define the label.
func (a hearing) weighLabel(t *buildmatch.Testimony, n *doc.Note, v judge.Verdict) judge.Verdict {
	if t == nil || v.Problem == nil {
		return v
	}
	b, ok := t.Link(n.Pos.Offset)
	if ok && b.What != built.NoPage && b.What != built.NoID {
		return judge.Verdict{}
	}
	return v
}

// takeLocated reports broken links of the page of d that were made of something in d that is not known to
// be a reference.
func (a hearing) takeLocated(d *doc.Document, t *buildmatch.Testimony) {
	if t == nil || len(t.Located) == 0 || t.IsStale || a.a.isMisfit {
		return
	}
	order.Sort(t.Located, func(x, y buildmatch.Located) int { return cmp.Compare(x.At, y.At) })
	text := doc.Lined{Text: d.Source(), Line: 1}
	for i := range t.Located {
		k := &t.Located[i]
		if k.At > len(text.Text) {
			continue
		}
		line, column := text.Position(k.At)
		pos := extract.Position{Offset: int64(k.At), Length: len(k.Ref), Line: line, Column: column, Exact: true}
		f := a.faultOf(&k.Link, pos)
		f.File, f.Path = d.Name, d.File.Path
		f.Message = "in the build, this " + f.Message
		a.a.report(d, f)
	}
}

// faultOf returns a finding about a link of the build, without a place.
func (a hearing) faultOf(k *built.Link, pos extract.Position) Finding {
	kind, broken := scan.Link, rule.MissingFile
	message := "links to " + judge.NoBuiltPage(k)
	switch {
	case k.What == built.NoID:
		broken, message = rule.MissingFragment, "links to an id that is not there: "+judge.NoBuiltID(k)
	case strings.HasPrefix(k.In, "img/"):
		broken, kind = rule.BrokenImage, scan.Embed
	}
	ref := &extract.Reference{Entity: doc.Whole, Pos: pos, Kind: kind, How: scan.Attribute, In: k.In, Raw: []byte(k.Ref), Ref: []byte(k.Ref), Base: base.Base{}}
	return Finding{Pos: pos, Rule: broken, Ref: ref, Message: message, Cause: cmp.Or(k.URL, k.Ref)}
}

// judgeSkipped checks references of d that are not checked without a build, such as templates, as far as
// the build decides, and returns the others.
func (a hearing) judgeSkipped(unchecked []doc.Reference, d *doc.Document, t *buildmatch.Testimony) (left []doc.Reference) {
	if t == nil {
		return unchecked
	}
	for i := range unchecked {
		ref := &unchecked[i]
		b, ok := t.Link(ref.Pos.Offset)
		if !ok || b.What != built.Alive && !buildmatch.IsDead(&b) || t.Match != nil && t.IsStale || a.a.isMisfit && buildmatch.IsDead(&b) {
			left = append(left, *ref)
			continue
		}
		a.a.countSkipped(ref.Reason.Reason(), -1)
		l := lead.Landing{}
		a.a.take(d, ref, &l, a.weigh(t, d, ref, &l, judge.Verdict{Skip: ref.Reason.Reason()}))
	}
	return left
}

// takeFaults reports the links of the build that point nowhere and are made of no reference of a document.
func (a hearing) takeFaults() {
	if a.a.matcher == nil || a.a.Context.Err() != nil {
		return
	}
	var last *built.Page
	var text doc.Lined
	faults := a.a.matcher.Faults()
	buildmatch.FindPlaces(faults, a.templates)
	for _, f := range faults {
		if a.a.isMisfit && f.Zone == built.Content && f.Docs == f.Pages {
			a.a.results.buildReport().open(otherBuild, 1) // of a reference in what the page was made of
			continue
		}
		if f.Page != last {
			last, text = f.Page, doc.Lined{Text: f.Page.Text(), Line: 1}
		}
		if f.Pos > len(text.Text) {
			continue
		}
		line, column := text.Position(f.Pos)
		a.reportFault(f, extract.Position{Offset: int64(f.Pos), Length: len(f.Ref), Line: line, Column: column})
	}
	for _, l := range a.a.matcher.LostDirs() {
		a.noteBuild(a.a.matcher.Build.Sites[0], fmt.Sprintf("the build lacks the pages of %s of %s documents in %s: %s links to them are not checked", ascii.Number(l.Lost), ascii.Number(l.Docs), a.a.Quoted(l.Path), ascii.Number(int(l.Links.Load()))))
	}
	r := a.a.results.buildReport()
	r.Copied, r.Dropped, r.Templates = a.a.matcher.Copied, a.a.matcher.Dropped, a.a.matcher.Templates
}

// Bounds of the templates, components and configurations in which links of the build are looked for.
const (
	maxTemplate  = 256 << 10 // bytes of one
	maxTemplates = 32 << 20  // bytes of all
)

// templateSuffixes are those of files that make links of a site, besides documents.
var templateSuffixes = []string{
	".html", ".htm", ".njk", ".liquid", ".hbs", ".ejs", ".pug", ".haml", ".erb", ".j2", ".jinja", ".tmpl", ".mustache", ".twig", ".vue", ".svelte", ".astro",
	".js", ".mjs", ".cjs", ".ts", ".mts", ".jsx", ".tsx", ".yml", ".yaml", ".toml", ".json", ".py",
}

// templates yields the files of the repository that may make links, and their texts. It leaves out ignored
// files and the build.
func (a hearing) templates(yield func(string, []byte) bool) {
	dir := a.a.Reader.Names.Dir
	if top := a.a.Repository(a.a.builds[0]); top != "" {
		dir = top
	}
	walk := a.a.walker(dir)
	walk.Hidden, walk.Globs = true, nil
	left := maxTemplates
	for f, err := range walk.Files([]string{dir}) {
		if a.a.Context.Err() != nil {
			return
		}
		if err != nil {
			continue
		}
		p := a.a.Absolute(f.Path)
		if !slices.Contains(templateSuffixes, strings.ToLower(path.Ext(p))) || a.a.isBuilt(p) || strings.Contains(p, "/.git/") || a.a.ByPath[p] != nil {
			continue
		}
		text := a.textOf(p)
		left -= len(text)
		if left < 0 || text != nil && !yield(p, text) {
			return
		}
	}
}

// textOf returns the text of a template, or nil if it is too large or cannot be read.
func (a hearing) textOf(p string) []byte {
	f, err := a.a.Shared.Tree.Open(p)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxTemplate+1))
	if err != nil || len(text) > maxTemplate {
		return nil
	}
	return text
}

// reportFault reports one of them.
func (a hearing) reportFault(w *buildmatch.Fault, pos extract.Position) {
	r := a.a.results
	f := a.faultOf(&w.Link, pos)
	f.File, f.Path = w.Page.Shown(), w.Page.Site.Path+"/"+w.Page.Name
	f.Message += "; " + a.origin(w)
	if w.Place.File != "" {
		text := doc.Lined{Text: a.textOf(w.Place.File), Line: 1}
		line, _ := text.Position(w.Place.Offset)
		f.Message += fmt.Sprintf("; it is in %s:%d", a.a.Quoted(w.Place.File), line)
	}
	switch {
	case !r.wants(f.Rule):
	case r.ignores(&f):
		r.Ignored++
	case r.baseline.take(f.Path, &f):
		r.Known++
	default:
		r.Findings++
		r.emit(&f)
	}
}

// origin says where a link that no document has may come from.
func (a hearing) origin(w *buildmatch.Fault) string {
	switch {
	case w.Goals > 0:
		return fmt.Sprintf("%d pages have a link like it, each to another place, and no source: see templates, components and the configuration", w.Pages)
	case w.Doc != nil && w.Pages == 1:
		return fmt.Sprintf("what makes it in the page of %s is not known", a.a.Quoted(w.Doc.Path))
	case w.Pages == 1:
		return "the page has no source"
	case w.Docs == 0:
		return fmt.Sprintf("%d pages without a source have it", w.Pages)
	}
	return fmt.Sprintf("%d pages have it, and no source: see templates, components and the configuration", w.Pages)
}

// Reasons.
var (
	builtElsewhere = reason.New(reason.Build, "built-elsewhere", "its built page links to another host instead")
	noSource       = reason.New(reason.Build, "no-source", "no document is known for it")
	noBuiltPage    = reason.New(reason.Build, "no-built-page", "the build has no page of the document")
	otherBuild     = reason.New(reason.OtherVersion, "other-build", "the build does not fit the sources")
	otherVersion   = reason.New(reason.OtherVersion, "other-version", "its built page has no such heading, but the document has: the build is of another version")
	lostPage       = reason.New(reason.Build, "lost-page", "the build lacks the pages of most documents in the directory")
	notALink       = reason.New(reason.Build, "not-a-link", "it is of a kind that is no link of the built page")
)
