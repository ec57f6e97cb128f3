package audit

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/site/gen"
)

// Recheck judges the document at p, an absolute path with forward slashes, with text in it, as part of
// the tree as it was when the Report was made. It takes time for this document only.
//
// known is false if the audit has not read the document: then there are no findings. isLocal reports
// that nothing which another document may depend on differs between was, the text that the audit
// read, and text: ids, labels, included files, front matter. Then another audit would have
// the same findings in all other documents. Otherwise the findings may change, too, in other
// documents and in this one.
//
// followed, unless nil, is called with each reference, like Options.Followed.
//
// Like a View, Recheck does not use the Cache of the Report, and is not for several goroutines at
// once.
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
	isLocal = !a.Orphans && len(before.Nav)+len(before.Redirects) == 0 && !gen.IsContents(path.Base(p)) &&
		(d.Layout.Generated == nil || !d.IsRST() && !d.IsAsciiDoc()) &&
		bytes.Equal(frontMatterOf(was), frontMatterOf(text)) && r.View(p, was).exports() == v.exports()
	d.Name, d.Nav, d.Redirects, d.IsUnread = before.Name, before.Nav, before.Redirects, before.IsUnread
	d.Linked.Store(before.Linked.Load())
	w := a.fork()
	w.results = a.results.part(func(f *Finding) { findings = append(findings, f) })
	w.results.baseline = a.Baseline.copy()
	a.ByPath[p] = d
	w.Followed = followed
	if followed != nil {
		w.followAll(d)
	}
	w.judge(d)
	return findings, true, isLocal
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

// exports returns what other documents may depend on, apart from front matter.
func (v *View) exports() string {
	var b strings.Builder
	for _, k := range v.d.AnchorList() {
		b.WriteString(k.In + "\x00" + k.Name)
		if h := k.Heading; h != nil {
			b.WriteString("\x00" + h.Text + "\x00" + h.Alt + "\x00" + h.Source + "\x00" + h.Entities)
		}
		b.WriteByte('\n')
	}
	for i := range v.d.Refs {
		if k := &v.d.Refs[i]; lead.IsInclude(v.d, k) {
			b.WriteString("include " + k.Ref + "\n")
		}
	}
	if v.d.Fragments() == extract.TitleFragments || v.d.Fragments() == extract.SectionFragments {
		for _, n := range v.d.Names {
			b.WriteString(n.Space + " " + n.Text + "\n")
		}
	}
	return b.String()
}
