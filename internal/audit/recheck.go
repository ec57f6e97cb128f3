package audit

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/each"
	"example.org/refract/internal/site/gen"
)

// Recheck checks the document at p, an absolute path with forward slashes, with text in it, as part of the
// tree as it was when the Report was made. It takes time for this document only.
//
// known is false if the audit has not read the document: then there are no findings. isLocal reports that
// was, the text that the audit read, and text have the same ids, labels, included files and front matter,
// so that no other document depends on the difference. Then another audit would have the same findings in
// all other documents. Otherwise the findings may change in other documents and in this one.
//
// followed, unless nil, is called with each reference, like Options.Followed.
//
// Like a View, Recheck does not use the Cache of the Report, and is not for several goroutines at once.
func (r *Report) Recheck(p string, was, text []byte, followed func(*Followed)) (findings []*Finding, known, isLocal bool) {
	v := r.View(p, text)
	if v == nil {
		return nil, false, false
	}
	a, d := v.a, v.d
	before := a.ByPath[p]
	if before == nil || before.Bundle != nil {
		return nil, false, false
	}
	read := r.View(p, was).d
	isLocal = !a.Orphans && hasOnlyExports(before, was, text) && exportsOf(read) == exportsOf(d) && (!a.LinkTexts || a.HasSameNames(read, d))
	takePlace(d, before)
	w := a.fork()
	w.results = a.results.part(func(f *Finding) { findings = append(findings, f) })
	w.results.baseline = a.Baseline.copy()
	a.ByPath[p] = d
	w.Followed = followed
	if followed != nil {
		w.countDots(d, before)
	}
	w.judge(d)
	return findings, true, isLocal
}

// MayBeRechecked reports whether RecheckAll may check the document at an absolute path with another text: a
// configuration file has entries of the navigation, which another text may not have.
func (r *Report) MayBeRechecked(p string) bool {
	d := r.audited().ByPath[p]
	return d != nil && d.Bundle == nil && (len(d.Nav)+len(d.Redirects) == 0 || d.IsMarkdown())
}

// IsLocal reports whether a document at an absolute path is the same for all other documents in r, as the
// audit read it, and in after, which RecheckAll returned for r. was and text are its texts.
func (r *Report) IsLocal(after *Report, p string, was, text []byte) bool {
	before, now := r.audited().ByPath[p], after.audited().ByPath[p]
	return hasOnlyExports(before, was, text) && exportsOf(before) == exportsOf(now)
}

// hasOnlyExports reports whether two texts of a document are the same for all other documents, except for
// what exportsOf returns.
func hasOnlyExports(d *doc.Document, was, text []byte) bool {
	isConfiguration := len(d.Nav)+len(d.Redirects) > 0 && !d.IsMarkdown() // else they are in front matter
	return !isConfiguration && !gen.IsContents(path.Base(d.Path)) &&
		(d.Layout.Generated == nil || !d.IsRST() && !d.IsAsciiDoc()) &&
		bytes.Equal(frontMatterOf(was), frontMatterOf(text))
}

// Again calls followed and emit like RecheckAll, for all documents as they were at the audit, or those for
// whose absolute paths among is true.
func (r *Report) Again(among func(path string) bool, followed func(*Followed), emit func(*Finding)) *Report {
	a := r.audited()
	a.leaveCache()
	w := newRechecker(a, followed, emit)
	for _, d := range a.Docs {
		if now := a.ByPath[d.Path]; now != nil {
			d = now // it was rechecked
		}
		if !d.IsNeighbor && (among == nil || among(d.Path)) {
			w.recheck(d)
		}
	}
	report := w.a.results.Report
	report.auditor = w.a
	return &report
}

// A rechecker judges documents again for those that move or rename what references point to.
type rechecker struct{ a *auditor }

func newRechecker(a *auditor, followed func(*Followed), emit func(*Finding)) rechecker {
	w := a.fork()
	w.Followed, w.WithTests = followed, true
	w.results = &results{emit: emit, without: rule.OfRedirects, baseline: new(Baseline)}
	w.Reasons = map[Reason]int{}
	return rechecker{w}
}

// recheck follows and judges the references of d, and counts those that were not kept to be checked.
func (a rechecker) recheck(d *doc.Document) {
	countEarly(a.a.results, d)
	before := maps.Clone(a.a.results.Reasons)
	a.a.judge(d)
	a.a.results.noteSkips(d, before)
}

// RecheckAll checks documents, each with the text that texts has for its absolute path, as part of the tree
// as it was when the Report was made. It calls followed with each reference, like Options.Followed, and
// emit with all findings except those about redirects, whatever the options say of findings.
//
// The Report that it returns answers questions about the tree with these documents; of its numbers, it has
// those of references that are not checked. It is nil if MayBeRechecked does not hold for one of the
// documents.
//
// It takes time for these documents only, and uses cache if it is not nil; no run may use that cache. The
// audit must have been one with Followed, which keeps the documents. RecheckAll is not for several
// goroutines at once.
func (r *Report) RecheckAll(texts map[string][]byte, cache *doc.Cache, followed func(*Followed), emit func(*Finding)) *Report {
	a := r.audited()
	if a == nil {
		return nil
	}
	a.leaveCache()
	w := newRechecker(a, followed, emit)
	if cache != nil {
		w.a.Store = cache
	}
	inputs := *a.Inputs
	inputs.ByPath = maps.Clone(a.ByPath)
	w.a.Inputs, w.a.Lookups, w.a.dots = &inputs, new(lead.Lookups), maps.Clone(a.dots)
	names := slices.Sorted(maps.Keys(texts))
	if slices.ContainsFunc(names, func(p string) bool { return !r.MayBeRechecked(p) }) {
		return nil
	}
	docs := make([]*doc.Document, len(names))
	for i, p := range names {
		docs[i] = documentWith(w.a, p, texts[p])
		takePlace(docs[i], a.ByPath[p])
	}
	each.Do(a.Context, a.Jobs, docs, func(d *doc.Document) { w.a.ReadText(d, d.Text) })
	for i, d := range docs {
		w.a.countDots(d, a.ByPath[names[i]])
		d.DropJudged(d.JudgedInFront())
	}
	for _, d := range docs {
		w.a.ByPath[d.Path] = d
	}
	w.a.results.skips = maps.Clone(a.results.skips)
	w.recheckAll(docs)
	report := w.a.results.Report
	report.auditor = w.a
	return &report
}

// recheckAll rechecks documents, Jobs at a time.
func (a rechecker) recheckAll(docs []*doc.Document) {
	outcomes := make([]*groupOutcome, len(docs))
	order := make([]int, len(docs))
	for i := range docs {
		order[i] = i
	}
	each.With(a.a.Context, a.a.Jobs, order, func() func(int) {
		w := rechecker{a.a.fork()}
		return func(i int) {
			outcomes[i] = w.a.grouped(func() { w.recheck(docs[i]) })
		}
	})
	for _, o := range outcomes {
		if o != nil { // else the context has ended
			a.a.pass(o)
		}
	}
}

// SkippedIn returns how many references in the document at an absolute path were not checked, by reason.
// The audit must have been one with Followed.
func (r *Report) SkippedIn(p string) map[Reason]int {
	a := r.audited()
	d := a.ByPath[p]
	if d == nil {
		return nil
	}
	w := &results{}
	for _, s := range a.results.skips[p] {
		w.addReason(s.why, s.n)
	}
	countEarly(w, d)
	return w.Reasons
}

// countEarly counts the references of a document that were not kept to be checked.
func countEarly(r *results, d *doc.Document) {
	for why, n := range d.Skipped {
		if n > 0 {
			r.countSkipped(doc.EarlyReason(why).Reason(), int(n))
		}
	}
	if n := d.JudgedInFront(); n > 0 {
		r.countSkipped(doc.IsFrontMatter.Reason(), -n) // as in read
	}
}

// takePlace lets d take the place of the same document with another text.
func takePlace(d, before *doc.Document) {
	d.Name, d.Nav, d.Redirects, d.IsUnread = before.Name, before.Nav, before.Redirects, before.IsUnread
	d.Linked.Store(before.Linked.Load())
}

// countDots counts the dots of d, which takes the place of the same document with another text.
func (a *auditor) countDots(d, before *doc.Document) {
	ext := path.Ext(d.Path)
	a.addDots(ext, before.Dots, -1)
	d.CountDots(a.scratch.Of(d))
	a.addDots(ext, d.Dots, 1)
}

// addDots adds what was counted in documents with a suffix, n times.
func (a *auditor) addDots(ext string, d doc.Dots, n int) {
	if a.dots == nil {
		a.dots = map[string]doc.Dots{}
	}
	t := a.dots[ext]
	a.dots[ext] = doc.Dots{With: t.With + n*d.With, Without: t.Without + n*d.Without}
}

// HasOwnHeadings reports whether the headings of the document at an absolute path matter only for
// references to it, or to a page that shows it.
func (r *Report) HasOwnHeadings(p string) bool {
	a := r.audited()
	if a == nil {
		return false
	}
	d := a.ByPath[p]
	return d != nil && d.Bundle == nil && d.IsMarkdown() && !gen.IsContents(path.Base(p)) &&
		(d.Layout.Generated == nil || d.Layout.Generated.Names().Space() == "")
}

// frontMatterOf returns the metadata at the beginning of a text, with its fences.
func frontMatterOf(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for _, fence := range []string{"---", "+++"} {
		if !bytes.HasPrefix(text, []byte(fence)) {
			continue
		}
		if end := bytes.Index(text[len(fence):], []byte("\n"+fence)); end >= 0 {
			return text[:end]
		}
		return text
	}
	return nil
}

// exportsOf returns what other documents may depend on, apart from front matter.
func exportsOf(d *doc.Document) string {
	var b strings.Builder
	for _, k := range d.AnchorList() {
		b.WriteString(k.In + "\x00" + k.Name)
		if h := k.Heading; h != nil {
			b.WriteString("\x00" + h.Text + "\x00" + h.Alt + "\x00" + h.Source + "\x00" + h.Entities)
		}
		b.WriteByte('\n')
	}
	var scratch doc.Scratch
	refs := scratch.Of(d)
	for i := range refs {
		if ref := &refs[i]; lead.IsInclude(d, ref) {
			b.WriteString("include " + ref.Ref + "\n")
		}
	}
	if d.Fragments() == extract.TitleFragments || d.Fragments() == extract.SectionFragments {
		for _, n := range d.Names {
			b.WriteString(n.Space + " " + n.Text + "\n")
		}
	}
	return b.String()
}
