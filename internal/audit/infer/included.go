package infer

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/lazy"
)

// inclusions finds which documents are parts of which others.
type inclusions struct {
	a *Inference
	lead.Inclusions
}

func newInclusions(a *Inference) *inclusions {
	return &inclusions{a, lead.Inclusions{Of: map[string][]string{}, By: map[string][]string{}, Open: map[string]bool{}, Texts: map[string][]string{}}}
}

func (l *inclusions) takes(d *doc.Document) bool {
	if !d.IsRST() && !d.IsAsciiDoc() && !doc.IsOrg(d) || d.IsAsciiDoc() && d.Layout.Generated != nil { // the site knows what d includes
		return false
	}
	if d.Skipped[doc.IsAttribute] > 0 && slices.ContainsFunc(unknownInclude.FindAllSubmatch(d.Head(), -1), func(m [][]byte) bool { return !isCodeName(string(m[1])) }) {
		l.Open[d.Path] = true
	}
	if d.IsRST() {
		if code := l.a.ShowingCode(d); code != "" {
			l.Open[d.Path] = true
			l.Texts[d.Path] = append(l.Texts[d.Path], code)
		}
	}
	return true
}

func (l *inclusions) see(d *doc.Document, ref *doc.Reference) {
	if !lead.IsInclude(d, ref) && !lead.IsOrgInclude(d, ref) {
		return
	}
	file := path.Join(d.Dir(), ref.Ref)
	if strings.HasPrefix(ref.Ref, "/") {
		file = path.Join(l.a.Boundary(d), ref.Ref) // most programs read it from the root of the sources
		if s := d.Layout.Generated; s != nil {
			file = path.Join(s.SourceDir(), ref.Ref)
		}
	}
	if l.a.ByPath[file] == nil { // perhaps through a symbolic link
		var at lead.Landing
		l.a.ArriveAt(&at, file)
		file = at.Real
	}
	to := l.a.ByPath[file]
	switch {
	case to != nil && (to.IsRST() || to.IsAsciiDoc() || doc.IsOrg(to)):
		l.Of[d.Path] = append(l.Of[d.Path], file)
	case isCodeName(file):
		return
	default:
		l.Open[d.Path] = true
		l.Texts[d.Path] = append(l.Texts[d.Path], file)
	}
	l.By[file] = append(l.By[file], d.Path)
}

func (l *inclusions) learn() { l.a.Included = l.Inclusions }

// unknownInclude matches the path of an include that begins with an attribute.
var unknownInclude = lazy.New(`include::(\{[^\[\n]*)\[`)

// isCodeName reports whether the suffix of an included file says that it holds no markup.
func isCodeName(file string) bool {
	switch path.Ext(file) {
	case "", ".txt", ".inc", ".in", ".rst", ".rest", ".adoc", ".asciidoc", ".asc", ".ad", ".org", ".template", ".part":
		return false
	}
	return true
}

// images finds out whether a build sets imagesdir of AsciiDoc: no image is where the documents say, and
// several are elsewhere.
type images struct {
	a         *Inference
	isSet     bool // no image is where it should be
	elsewhere int
}

func (l *images) takes(d *doc.Document) bool { return d.IsAsciiDoc() }

func (l *images) see(d *doc.Document, ref *doc.Reference) {
	if !lead.IsImageInAsciiDoc(d, ref) {
		return
	}
	dir, name := path.Split(path.Join(d.Dir(), ref.Ref))
	_, isThere := l.a.Files.List(strings.TrimSuffix(dir, "/")).Entry(name)
	l.isSet = l.isSet && !isThere
	l.elsewhere += min(len(l.a.ByName[name]), 1)
}

func (l *images) learn() { l.a.HasImagesDir = l.isSet && l.elsewhere >= imagesElsewhere }

// imagesElsewhere is how many images have to be in another directory.
const imagesElsewhere = 3
