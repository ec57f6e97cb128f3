package audit

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/site"
	"example.org/refract/internal/zipdoc"
)

// judge judges the references of d, in source order, and follows them.
func (a *auditor) judge(d *doc.Document) {
	d.IsJudged.Store(true)
	follower{a}.entries(d)
	a.judgeNavigation(d)
	a.judgeRedirects(d)
	told := hearing{a}.testimony(d)
	unchecked := d.Unchecked
	if told == nil {
		unchecked = front{a}.judge(d)
	}
	labels, names, skipped := d.Undefined, d.Names, hearing{a}.judgeSkipped(unchecked, d, told)
	judgeLabels := func(end int64) {
		for {
			isName := len(names) > 0 && names[0].Pos.Offset < end
			isLabel := len(labels) > 0 && labels[0].Pos.Offset < end
			switch {
			case isName && (!isLabel || names[0].Pos.Offset <= labels[0].Pos.Offset):
				v := a.JudgeName(d, &names[0])
				a.takeName(d, &names[0], v)
				prober{a}.name(d, &names[0], &v)
				names = names[1:]
			case isLabel:
				if !d.IsMarkdown() || !isIndexed(d.Source(), labels[0].Pos.Offset) {
					a.takeName(d, &labels[0], hearing{a}.weighLabel(told, &labels[0], a.JudgeLabel(d, &labels[0])))
				}
				labels = labels[1:]
			default:
				return
			}
		}
	}
	reportForbidden := a.newForbidden(d)
	report := func(end int64) {
		reportForbidden(end)
		for ; len(skipped) > 0 && skipped[0].Pos.Offset < end && a.Unchecked != nil; skipped = skipped[1:] {
			s := &skipped[0]
			a.Unchecked(&Unchecked{File: d.Name, Path: d.File.Path, Pos: s.Pos, Ref: s.Extracted(), Why: s.Reason.Reason()})
		}
	}
	texts := a.textsOf(d)
	d.Refs = a.scratch.Of(d)
	l := &a.landing
	for i := range d.Refs {
		judgeLabels(d.Refs[i].Pos.Offset)
		report(d.Refs[i].Pos.Offset)
		texts.report(d.Refs[i].Pos.Offset)
		ref := &d.Refs[i]
		a.landingOf(d, ref, l)
		follower{a}.landed(d, ref, l)
		a.still.take(a, d, ref, l)
		v := hearing{a}.weigh(told, d, ref, l, a.JudgeReference(d, ref, l))
		a.take(d, ref, l, v)
		texts.take(ref, l, &v)
		prober{a}.reference(d, ref, l, told, &v)
	}
	judgeLabels(1 << 62)
	report(1 << 62)
	texts.report(1 << 62)
	follower{a}.rest(d, unchecked)
	hearing{a}.takeLocated(d, told)
	if a.Followed == nil {
		d.Refs, d.Packed.Refs, d.Unchecked, d.Undefined, d.Names, d.Nav, d.Redirects = nil, "", nil, nil, nil, nil, nil
		d.Texts = doc.LinkTexts{}
		d.Forbidden, d.Packed.Forbidden = nil, ""
	} else if d.Packed.Refs != "" {
		d.Refs = nil // only unpacked
	}
	d.Finish()
	a.inference.DropIDs(d, d.Layout.Slug)
}

// front checks links in front matter. Their meaning depends on templates and on code; if nearly all links
// of a site under the same key work as if they stood in HTML, the others are wrong.
type front struct{ a *auditor }

// A frontKey stands for the links of a site under a key of front matter: fragments, or paths.
type frontKey struct {
	group, in string
	kind      byte // '#' or '/'
}

// A frontCount counts links: all that are checked, and those that point to something.
type frontCount struct{ all, sound int }

// isLearnt reports whether links are checked.
func (n frontCount) isLearnt() bool {
	const least = 10
	return n.sound >= least && n.sound*10 >= n.all*9
}

// each calls f for the links in the front matter of d that are no entries of a navigation.
func (a front) each(d *doc.Document, f func(i int, key frontKey)) {
	entries := make(map[int64]bool, len(d.Nav))
	for i := range d.Nav {
		entries[d.Nav[i].Pos.Offset] = true
	}
	for i := range d.Unchecked {
		ref := &d.Unchecked[i]
		if ref.Reason != doc.IsFrontMatter || ref.How != scan.Navigation || !doc.IsFrontLink(ref.Raw) || entries[ref.Pos.Offset] {
			continue
		}
		key := frontKey{lead.GroupOf(&a.a.Library, d), ref.In, ref.Raw[0]}
		if s := d.Layout.Generated; s != nil {
			key.group = s.Config
		}
		f(i, key)
	}
}

// verdict judges a link as one of HTML, and returns it as such.
func (a front) verdict(d *doc.Document, ref *doc.Reference, l *lead.Landing) (*doc.Reference, judge.Verdict) {
	as := *ref
	as.Reason, as.Labels, as.How, as.In = 0, as.Labels&^scan.FrontMatter, scan.Attribute, "a/href"
	if as.Kind == scan.Embed {
		as.In = "img/src"
	}
	a.a.LeadTo(d, &as, l)
	return &as, a.a.JudgeReference(d, &as, l)
}

// learn counts the links of all documents.
func (a front) learn() {
	for _, d := range a.a.Docs {
		a.each(d, func(i int, key frontKey) {
			_, v := a.verdict(d, &d.Unchecked[i], &a.a.landing)
			if !v.Skip.IsZero() {
				return
			}
			n := a.a.fronts[key]
			n.all++
			if v.Problem == nil {
				n.sound++
			}
			a.a.fronts[key] = n
		})
	}
}

// judge judges those of d whose meaning is learnt, and returns what is not checked.
func (a front) judge(d *doc.Document) (left []doc.Reference) {
	if len(a.a.fronts) == 0 {
		return d.Unchecked
	}
	judged := map[int]bool{}
	a.each(d, func(i int, key frontKey) {
		if !a.a.fronts[key].isLearnt() {
			return
		}
		judged[i] = true
		ref := &d.Unchecked[i]
		a.a.countSkipped(doc.IsFrontMatter.Reason(), -1)
		as, v := a.verdict(d, ref, &a.a.landing)
		if a.a.Followed != nil {
			f := a.a.followed(d, as, &a.a.landing)
			f.IsNavigation = true
			follower(a).pass(d, f, as)
		}
		a.a.take(d, ref, &a.a.landing, v)
	})
	if len(judged) == 0 {
		return d.Unchecked
	}
	for i := range d.Unchecked { // a Cache may share them
		if !judged[i] {
			left = append(left, d.Unchecked[i])
		}
	}
	return left
}

// isIndexed reports whether the brackets at an offset are not meant as a label. They may be an index,
// as in "a[i][j]", with a letter, digit or bracket before it; part of a formula; escaped; or one of
// several note numbers, "[1][2]".
func isIndexed(source []byte, at int64) bool {
	if at > int64(len(source)) {
		return false
	}
	const longest = 1000
	depth := 0
	for i := int(at) - 2; i > max(0, int(at)-longest); i-- { // start at the "]" of "]["
		switch source[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				c := source[i-1]
				return c == '\\' || c == '$' || isNumbers(source[i:], int(at)-i) || c == ']' || c == ')' || c == '_' || ascii.IsAlnum(c)
			}
		}
	}
	return false
}

// isNumbers reports whether s begins with two numbers like "[1][2]", the second at an offset.
func isNumbers(s []byte, at int) bool {
	end := bytes.IndexByte(s[at:], ']')
	return end > 0 && at > 3 && len(bytes.Trim(s[1:at-2], "0123456789")) == 0 && len(bytes.Trim(s[at:at+end], "0123456789")) == 0
}

// maxTargets limits the number of targets that are kept. Documents are checked directory by directory, and
// an origin belongs to one directory.
const maxTargets = 1 << 13

// countUnreadPackage counts a file that is no package, although its name says so.
func (a *auditor) countUnreadPackage(d *doc.Document) {
	r := &a.results.Report
	if r.Unread == nil {
		r.Unread = map[string]int{}
	}
	r.Unread[strings.ToLower(path.Ext(d.Path))]++
}

// judgeBook judges a package as a whole: ids in the package documents of a book that no item of the manifest has.
func (a *auditor) judgeBook(d *doc.Document) (findings []Finding) {
	if d.Bundle == nil {
		return nil
	}
	if d.Bundle.Book == nil && strings.HasSuffix(strings.ToLower(d.Path), ".epub") && !d.Bundle.Partial {
		f := a.finding(d, rule.MissingFile, "an EPUB without "+zipdoc.ContainerName+", which names its package document")
		f.Pos.Line, f.Pos.Column = 1, 1
		return []Finding{f}
	}
	if d.Bundle.Book == nil {
		return nil
	}
	for _, use := range d.Bundle.Book.Missing {
		f := a.finding(d, rule.Undefined, fmt.Sprintf("%s: no item of the manifest has the id %q", use.In, use.ID))
		f.File, f.Path = judge.InMember(f.File, use.Package), judge.InMember(f.Path, use.Package)
		f.Pos = extract.Position{Offset: int64(use.Offset), Length: len(use.ID), Line: use.Line, Column: use.Column}
		findings = append(findings, f)
	}
	return findings
}

// addNavigation adds the navigation entries of all sites to the documents that hold them.
// Configuration files are documents that come last. It must be called before documents are read,
// while the sites still keep their text.
func (a *auditor) addNavigation() {
	for _, s := range a.Layouts.Finder.Sites() {
		if a.Layouts.BySite[s] == nil {
			continue // no file of it is audited
		}
		var d *doc.Document
		var text doc.Lined
		last := ""
		for _, link := range s.Navigation() {
			if link.File != last {
				last, text, d = link.File, doc.Lined{Text: s.NavigationText(link.File), Line: 1}, a.navHolder(s, link.File)
			}
			if d != nil && link.Span.End <= len(text.Text) {
				a.AddEntry(d, &link, &text)
			}
		}
	}
}

// navHolder returns the document of a file that holds navigation entries, or nil if the file is not
// audited.
func (a *auditor) navHolder(s *site.Site, file string) *doc.Document {
	if d := a.ByPath[file]; d != nil {
		return d
	}
	isListed := false
	for _, p := range a.ByName[path.Base(file)] {
		isListed = isListed || p == file
	}
	if !isListed && (len(a.Globs) > 0 || !a.IsRead(file)) { // .vitepress is hidden
		return nil
	}
	d := a.NewDocument(file)
	d.IsNeighbor = !a.Contain(file)
	d.Layout = a.Layouts.OfSite(s)
	d.Retrieved = a.Published.Retrieved(file)
	a.ByPath[file] = d
	a.Navigation = append(a.Navigation, d)
	return d
}

// judgeNavigation judges the entries that d holds.
func (a *auditor) judgeNavigation(d *doc.Document) {
	for i := range d.Nav {
		e := &d.Nav[i]
		l := a.LeadEntry(e)
		v := a.JudgeEntry(d, e, &l)
		if v.Problem != nil && a.matcher != nil {
			a.matcher.AddDeadEntry(lead.ServedURL(&e.Result))
		}
		a.take(d, &e.Reference, &l, v)
		prober{a}.entry(d, e, &l, &v)
	}
}
