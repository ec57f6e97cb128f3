package audit

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// What is particular to reStructuredText and AsciiDoc: files that are parts of others, and ids.

// keepResource keeps a resource id of Antora, which is no URL, as a reference.
func (d *document) keepResource(a *auditor, m *extract.Mention) {
	d.references++
	name := string(m.Name)
	if d.layout.generated != nil && strings.ContainsAny(name, "{}") {
		d.skipped[isAttribute]++
		return
	}
	if d.layout.generated == nil {
		d.skipped[isResource]++
		if a.Unjudged == nil {
			return
		}
	}
	k := reference{pos: m.Pos, kind: scan.Link, how: scan.Macro, in: m.In, raw: string(m.Raw), ref: name, entity: whole}
	if m.In == "image:" || m.In == "include::" {
		k.kind = scan.Embed
	}
	b, err := base.Root(a.Resolve, d.retrieved, base.Source{})
	if err != nil {
		return
	}
	k.base = &b
	if d.layout.generated == nil {
		k.reason = isResource
		d.unjudged = append(d.unjudged, k)
		return
	}
	d.refs = append(d.refs, k)
}

// isResourceID reports whether k is no URL, but names a file in the manner of Antora.
func (d *document) isResourceID(k *reference) bool {
	if d.layout.generated == nil || !d.isAsciiDoc() || k.how != scan.Macro && k.how != scan.Directive || strings.HasPrefix(k.ref, "#") {
		return false
	}
	switch k.in {
	case "xref:", "image:/xref":
		return true
	case "<<>>", "include::":
		return k.result.Step != resolve.Absolute || k.url == ""
	case "image:", "video:", "audio:":
		return k.url == "" || k.result.Step != resolve.Absolute
	}
	return false
}

// judgeResource judges a resource id.
func (a *auditor) judgeResource(d *document, k *reference) {
	if k.in == "<<>>" && !strings.Contains(k.ref, "#") { // Antora takes it for an id
		a.reportReference(d, k, problem{rule: MissingFragment, message: "this document has no id " + strconv.Quote(k.ref) + ": a document is named by xref:", target: d.path})
		return
	}
	if d.layout.generated.IsExample(d.path) {
		a.skip(d, k, "in an example, of which a part may be shown")
		return
	}
	if id, _, _ := strings.Cut(k.ref, "#"); k.in == "xref:" && id != "" && !site.IsResourceID(id) && !strings.ContainsAny(id, "{}") {
		a.reportReference(d, k, problem{rule: MissingFile, message: strconv.Quote(id) + " is no resource id: Antora does not find it"})
		return
	}
	a.judgeOnSite(d, k)
}

// inclusions are which files include which others, by directives of documents.
type inclusions struct {
	of, by map[string][]string
	open   map[string]bool     // files that include something that is not known
	texts  map[string][]string // files that are included and are no documents, by what includes them
}

// isInclude reports whether k is a directive in whose place another file is read.
func isInclude(d *document, k *reference) bool {
	return k.how == scan.Directive && (k.in == "include" && d.isRST() || k.in == "include::" && d.isAsciiDoc())
}

// findInclusions finds out which documents are parts of which others.
func (a *auditor) findInclusions() {
	n := inclusions{of: map[string][]string{}, by: map[string][]string{}, open: map[string]bool{}, texts: map[string][]string{}}
	for _, d := range a.docs {
		if !d.isRST() && !d.isAsciiDoc() {
			continue
		}
		if d.skipped[isAttribute] > 0 && bytes.Contains(d.head(), []byte("include::{")) {
			n.open[d.path] = true
		}
		for i := range d.refs {
			k := &d.refs[i]
			if !isInclude(d, k) || d.isAsciiDoc() && d.layout.generated != nil { // the site knows these
				continue
			}
			file := path.Join(d.dir(), k.ref)
			if strings.HasPrefix(k.ref, "/") {
				file = k.ref
				if s := d.layout.generated; s != nil {
					file = path.Join(s.Dir, k.ref)
				}
			}
			to := a.byPath[file]
			switch {
			case to != nil && (to.isRST() || to.isAsciiDoc()):
				n.of[d.path] = append(n.of[d.path], file)
			case isCodeName(file):
				continue
			default:
				n.open[d.path] = true
				n.texts[d.path] = append(n.texts[d.path], file)
			}
			n.by[file] = append(n.by[file], d.path)
		}
	}
	a.included = n
}

// isCodeName reports whether a file that is included holds no markup, by its suffix.
func isCodeName(file string) bool {
	switch path.Ext(file) {
	case "", ".txt", ".inc", ".in", ".rst", ".rest", ".adoc", ".asciidoc", ".asc", ".ad", ".template", ".part":
		return false
	}
	return true
}

// maxParts is how many files are looked at that are connected with one by includes.
const maxParts = 500

// reachable returns what is connected with a file, itself first: along is of inclusions.
func reachable(from []string, along map[string][]string) []string {
	all := slices.Clone(from)
	seen := map[string]bool{}
	for _, file := range all {
		seen[file] = true
	}
	for i := 0; i < len(all) && len(all) < maxParts; i++ {
		for _, file := range along[all[i]] {
			if len(all) >= maxParts {
				break
			}
			if !seen[file] {
				seen[file] = true
				all = append(all, file)
			}
		}
	}
	return all
}

// around returns the files whose ids may be on a page with those of d: what it includes, and, for a
// reference in d itself, the documents that include it and all that these do.
func (a *auditor) around(d *document, isOwn bool) []string {
	from := []string{d.path}
	if isOwn {
		from = reachable(from, a.included.by)
	}
	return reachable(from, a.included.of)
}

// hasIDAround reports whether a file that is a part of the same page as d has an id.
func (a *auditor) hasIDAround(d *document, isOwn bool, fragment string) bool {
	if !d.isRST() && !d.isAsciiDoc() {
		return false
	}
	return slices.ContainsFunc(a.around(d, isOwn), func(file string) bool {
		to := a.byPath[file]
		if to == nil || to == d {
			return false
		}
		_, live := to.hit(fragment, to.layout.slug)
		return live
	})
}

// mayHaveIDAround reports whether a file of the same page is not known.
func (a *auditor) mayHaveIDAround(d *document, isOwn bool) bool {
	if !d.isRST() && !d.isAsciiDoc() {
		return false
	}
	files := a.around(d, isOwn)
	return len(files) >= maxParts || slices.ContainsFunc(files, func(file string) bool {
		return a.included.open[file] || a.byPath[file] != nil && a.byPath[file].isPartial
	})
}

// isThereWhereIncluded reports whether a relative reference that leads nowhere from d leads somewhere
// from a document that includes it: there it is read.
func (a *auditor) isThereWhereIncluded(d *document, k *reference) bool {
	if len(a.included.by[d.path]) == 0 || isInclude(d, k) || strings.HasPrefix(k.ref, "/") {
		return false
	}
	ref, _, _ := strings.Cut(k.ref, "#")
	for _, file := range reachable([]string{d.path}, a.included.by)[1:] {
		to := path.Join(path.Dir(file), ref)
		dir, name := path.Split(to)
		l := a.files.list(strings.TrimSuffix(dir, "/"))
		for _, name := range append(d.markupSources(name), name) {
			if _, ok := l.entry(name); ok {
				return true
			}
		}
	}
	return false
}

// markupSources returns the names of files that a page may be made of, by the name that a document of
// reStructuredText or AsciiDoc has for it.
func (d *document) markupSources(name string) []string {
	stem := strings.TrimSuffix(strings.TrimSuffix(name, ".html"), ".htm")
	isPage := stem != name
	switch {
	case d.isRST() && isPage:
		return []string{stem + ".rst", stem + ".txt", stem + ".rest"}
	case d.isAsciiDoc() && (isPage || path.Ext(name) == ""):
		return []string{stem + ".adoc", stem + ".asciidoc", stem + ".asc", stem + ".txt"}
	}
	return nil
}

// countedID is an id with a number that tells it from another: docutils counts notes and references
// to them as well.
var countedID = lazy.New(`^(?:(?:id|section|footnote|footnote-reference|citation|citation-reference|problematic|system-message|toc-entry|index)-?[0-9]+|index-[0-9]+)$`)

// hitInRST is hit for a fragment, decoded, that no title and no name makes.
func (d *document) hitInRST(s *ids, plain string) (id string, live bool) {
	if countedID.MatchString(plain) {
		return "", true
	}
	if base, n := cutNumber(plain, "-"); n > 0 { // of docutils itself, where Sphinx says "id1"
		_, ok := s.first[base]
		return "", ok && s.second[base] == 0 && d.countsTitle(base) > n
	}
	return "", false
}

// countsTitle returns how many titles of d make one id.
func (d *document) countsTitle(id string) (n int) {
	for i := range d.anchors {
		if h := d.anchors[i].heading; h != nil && slug.Docutils.Slug(*h) == id {
			n++
		}
	}
	return n
}

// cutNumber cuts the number behind the last separator off an id; n is 0 without one.
func cutNumber(id, separator string) (base string, n int) {
	if i := strings.LastIndex(id, separator); i > 0 {
		n, _ = strconv.Atoi(id[i+len(separator):])
		return id[:i], n
	}
	return id, 0
}

// hitInAsciiDoc is hit for a fragment, decoded, that no section has letter by letter. Where nobody
// knows the attributes that a build sets, the prefix and the separator of ids may be any.
func (d *document) hitInAsciiDoc(s *ids, plain string) (id string, live bool) {
	if strings.HasPrefix(plain, "_footnote") {
		return "", true
	}
	if d.layout != nil && d.layout.generated != nil {
		if attributes := d.layout.generated.Attributes(); strings.Trim(attributes["idprefix"], "@") != "" || strings.Trim(attributes["idseparator"], "@") != "" {
			return "", false
		}
	}
	if s.folded == nil {
		s.folded = make(map[string]string, len(s.all))
		for _, id := range s.all {
			s.folded[foldSectionID(id)] = id
		}
	}
	id, live = s.folded[foldSectionID(plain)]
	return id, live
}

// foldSectionID is an id of a section without what attributes set.
func foldSectionID(id string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r == '_' || r == '.' {
			return '-'
		}
		return r
	}, strings.ToLower(id)), "-")
}

// judgeSectionName judges <<x>> where x may be the title of a section, or of a block with an id.
func (a *auditor) judgeSectionName(d *document, n *note) {
	if strings.ContainsAny(n.text, "{}") {
		a.skipNote(d, n, isAttribute.String())
		return
	}
	if _, live := d.hit(n.text, d.layout.slug); live || a.hasIDAround(d, true, n.text) {
		return
	}
	for _, file := range a.around(d, true) {
		if to := a.byPath[file]; to != nil && hasReferenceText(to.source(), n.text) {
			return
		}
	}
	if a.mayHaveIDAround(d, true) {
		a.skipNote(d, n, "the id may be in an included file")
		return
	}
	f := a.finding(d, MissingFragment, "this document has neither an id nor a title "+strconv.Quote(n.text))
	f.Pos, f.Ref = n.pos, a.nameAsReference(d, n, scan.Macro, "<<>>")
	a.report(d, f)
}

// hasReferenceText reports whether a text is that of a title, or what an anchor says is shown.
func hasReferenceText(source []byte, text string) bool {
	text = strings.Join(strings.Fields(text), " ")
	for line := range bytes.Lines(source) {
		line = bytes.TrimSpace(line)
		if i := bytes.Index(line, []byte(text)); i < 0 {
			if !bytes.ContainsAny(line, "{`*_#") || len(line) == 0 || line[0] != '=' && line[0] != '.' {
				continue
			}
			plain := strings.Map(func(r rune) rune {
				if strings.ContainsRune("`*_#", r) {
					return -1
				}
				return r
			}, strings.TrimLeft(string(line), "=. "))
			if plain == text || strings.Contains(plain, "{") {
				return true
			}
			continue
		}
		switch {
		case string(bytes.TrimLeft(line, "=. #")) == text, bytes.Contains(line, []byte(","+text)), bytes.Contains(line, []byte(", "+text+"]")),
			bytes.Contains(line, []byte("reftext=")):
			return true
		}
	}
	return false
}

// judgeNameInRST judges the use of a label or a term.
func (a *auditor) judgeNameInRST(d *document, n *note) {
	s := d.layout.generated
	state, why := s.NameInRST(n.space, n.text)
	switch state {
	case site.Unknown:
		a.skipNote(d, n, why)
	case site.Found:
		if files, twice := s.LabelTwice(n.text); twice && n.space == rst.RefSpace {
			f := a.finding(d, DuplicateID, fmt.Sprintf("%s and %s define the label %s", a.quoted(files[0]), a.quoted(files[1]), strconv.Quote(n.text)))
			f.Pos, f.Ref = n.pos, a.nameAsReference(d, n, scan.Role, "label")
			a.report(d, f)
		}
	case site.Missing:
		what := "label"
		rule := MissingFragment
		switch n.space {
		case rst.TermSpace:
			what = "term"
		case rst.CitationSpace:
			what, rule = "citation", Undefined
		}
		f := a.finding(d, rule, fmt.Sprintf("the site has no %s %s", what, strconv.Quote(n.text)))
		f.Pos, f.Ref = n.pos, a.nameAsReference(d, n, scan.Role, what)
		if what == "label" {
			f.Suggestion, f.Certain = s.ClosestLabel(n.text)
		}
		a.report(d, f)
	}
}

// nameAsReference returns the use of a name, which is no URL, as a Finding has references.
func (a *auditor) nameAsReference(d *document, n *note, how scan.How, in string) *extract.Reference {
	source, start := d.source(), int(n.pos.Offset)
	raw := source[min(start, len(source)):min(start+n.pos.Length, len(source))]
	return &extract.Reference{Entity: whole, Pos: n.pos, Kind: scan.Link, How: how, In: in, Raw: raw, Ref: raw}
}
