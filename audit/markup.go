package audit

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// Code specific to reStructuredText and AsciiDoc: files that are parts of others, and ids.

// keepResource keeps an Antora resource id, which is not a URL, as a reference.
func (d *document) keepResource(a *auditor, m *extract.Mention) {
	d.references++
	name, why := string(m.Name), isResource
	if d.layout.generated != nil {
		why = isJudged
		if strings.ContainsAny(name, "{}") {
			why = isAttribute
		}
	}
	b, err := base.Root(a.Resolve, d.retrieved, base.Source{})
	if err != nil {
		return
	}
	k := reference{pos: m.Pos, kind: scan.Link, how: scan.Macro, in: m.In, raw: string(m.Raw), ref: name, entity: whole, base: &b, reason: why}
	if m.In == "image:" || m.In == "include::" {
		k.kind = scan.Embed
	}
	if why == isJudged {
		d.refs = append(d.refs, k)
		return
	}
	d.skipped[why]++
	if a.Unjudged != nil {
		d.unjudged = append(d.unjudged, k)
	}
}

// isResourceID reports whether k is an Antora resource id and not a URL.
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
		a.skip(d, k, "in an example that may be shown in part")
		return
	}
	if id, _, _ := strings.Cut(k.ref, "#"); k.in == "xref:" && id != "" && !site.IsResourceID(id) && !strings.ContainsAny(id, "{}") {
		a.reportReference(d, k, problem{rule: MissingFile, message: strconv.Quote(id) + " is not a resource id: Antora does not find it"})
		return
	}
	a.judgeOnSite(d, k)
}

// inclusions records which files include which others, by directives in documents.
type inclusions struct {
	of, by map[string][]string
	open   map[string]bool     // files that include something unknown
	texts  map[string][]string // included files that are not documents, by the including file
}

// isInclude reports whether k is a directive that another file replaces.
func isInclude(d *document, k *reference) bool {
	return k.how == scan.Directive && (k.in == "include" && d.isRST() || k.in == "include::" && d.isAsciiDoc())
}

// findInclusions finds which documents are parts of which others.
func (a *auditor) findInclusions() {
	n := inclusions{of: map[string][]string{}, by: map[string][]string{}, open: map[string]bool{}, texts: map[string][]string{}}
	for _, d := range a.docs {
		if !d.isRST() && !d.isAsciiDoc() {
			continue
		}
		isKnown := d.isAsciiDoc() && d.layout.generated != nil // the site knows what d includes
		if !isKnown && d.skipped[isAttribute] > 0 && slices.ContainsFunc(unknownInclude.FindAllSubmatch(d.head(), -1), func(m [][]byte) bool { return !isCodeName(string(m[1])) }) {
			n.open[d.path] = true
		}
		refs := a.refsOf(d)
		for i := range refs {
			k := &refs[i]
			if isKnown || !isInclude(d, k) {
				continue
			}
			file := path.Join(d.dir(), k.ref)
			if strings.HasPrefix(k.ref, "/") {
				file = path.Join(a.boundary(d), k.ref) // most programs read it from the root of the sources
				if s := d.layout.generated; s != nil {
					file = path.Join(s.SourceDir(), k.ref)
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

// unknownInclude matches the path of an include that begins with an attribute.
var unknownInclude = lazy.New(`include::(\{[^\[\n]*)\[`)

// isCodeName reports whether the suffix of an included file says that it holds no markup.
func isCodeName(file string) bool {
	switch path.Ext(file) {
	case "", ".txt", ".inc", ".in", ".rst", ".rest", ".adoc", ".asciidoc", ".asc", ".ad", ".template", ".part":
		return false
	}
	return true
}

// maxParts limits how many files connected with one file by includes are examined.
const maxParts = 500

// reachable returns the files connected with those in from, which come first. along is a map of
// inclusions.
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

// around returns the files whose ids may be on one page with those of d: the files that d includes
// and, for a reference in d itself, the documents that include d, with all files that they include.
func (a *auditor) around(d *document, isOwn bool) []string {
	from := []string{d.path}
	if isOwn {
		from = reachable(from, a.included.by)
	}
	return reachable(from, a.included.of)
}

// hasIDAround reports whether a file on the same page as d has an id.
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
		return live || to.isAsciiDoc() && to.isTitleID(fragment)
	})
}

// mayHaveIDAround reports whether the same page may hold an unknown file.
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
// from a document that includes d, since it is resolved there.
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

// markupSources returns the names of possible source files of a page, given the name that a
// reStructuredText or AsciiDoc document uses for it.
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

// countedID matches an id with a number that distinguishes it from another. docutils also numbers
// notes and references to them.
var countedID = lazy.New(`^(?:(?:id|section|footnote|footnote-reference|citation|citation-reference|problematic|system-message|toc-entry|index)-?[0-9]+|index-[0-9]+)$`)

// hitInRST is like hit, for a decoded fragment that is not the id of any title or name.
func (d *document) hitInRST(s *ids, plain string) (id string, live bool) {
	if countedID.MatchString(plain) {
		return "", true
	}
	if base, n := cutNumber(plain, "-"); n > 0 { // from docutils itself; Sphinx makes "id1"
		return "", s.has(base) && s.second[base] == 0 && d.countsTitle(base) > n
	}
	return "", false
}

// countsTitle returns how many titles of d make the same id.
func (d *document) countsTitle(id string) (n int) {
	anchors := d.anchorList()
	for i := range anchors {
		if h := anchors[i].heading; h != nil && slug.Docutils.Slug(*h) == id {
			n++
		}
	}
	return n
}

// cutNumber cuts the number after the last separator off an id. n is 0 if there is none.
func cutNumber(id, separator string) (base string, n int) {
	if i := strings.LastIndex(id, separator); i > 0 {
		n, _ = strconv.Atoi(id[i+len(separator):])
		return id[:i], n
	}
	return id, 0
}

// hitInAsciiDoc is like hit, for a decoded fragment that is not exactly the id of a section. If the
// attributes that a build sets are unknown, ids may have any prefix and separator.
func (d *document) hitInAsciiDoc(s *ids, plain string) (id string, live bool) {
	if strings.HasPrefix(plain, "_footnote") {
		return "", true
	}
	k := s.derivedOf(func(k *derivedIDs) {
		if k.open != nil {
			return
		}
		k.open = []string{}
		k.folded = make(map[string]string, s.len())
		for id := range s.all() {
			if open := strings.IndexByte(id, '{'); open >= 0 && strings.LastIndexByte(id, '}') > open {
				k.open = append(k.open, id)
			}
			k.folded[foldSectionID(id)] = id
		}
	})
	if slices.ContainsFunc(k.open, func(id string) bool { return mayExpandTo(id, plain) }) {
		return "", true
	}
	if d.layout != nil && d.layout.generated != nil {
		if attributes := d.layout.generated.Attributes(); strings.Trim(attributes["idprefix"], "@") != "" || strings.Trim(attributes["idseparator"], "@") != "" {
			return "", false
		}
	}
	id, live = k.folded[foldSectionID(plain)]
	return id, live
}

const madeByBlockMacro = "an extension of Asciidoctor may make the id"

// blockMacro matches a line of AsciiDoc with a block macro or a directive, and its name.
var blockMacro = lazy.New(`(?m)^([a-zA-Z_][\w-]*)::\S*\[.*\][ \t]*\r?$`)

// idlessMacros holds the block macros of Asciidoctor itself, and those of extensions that show code, a picture or a
// film: they make no ids for readers.
var idlessMacros = map[string]bool{
	"include": true, "ifdef": true, "ifndef": true, "ifeval": true, "endif": true, "tag": true, "end": true, "image": true, "video": true,
	"audio": true, "toc": true, "link": true, "xref": true, "anchor": true, "include-code": true, "gist": true, "asciinema": true,
	"plantuml": true, "mermaid": true, "ditaa": true, "graphviz": true, "kroki": true, "youtube": true, "vimeo": true,
}

// hasBlockMacro reports whether an AsciiDoc document has a block macro that only an extension knows. It may make
// sections with ids.
func (d *document) hasBlockMacro() bool {
	if !d.isAsciiDoc() {
		return false
	}
	return d.answer(&d.hasMacros, false, func() bool {
		return slices.ContainsFunc(blockMacro.FindAllSubmatch(d.head(), -1), func(m [][]byte) bool { return !idlessMacros[string(m[1])] })
	})
}

// mayExpandTo reports whether id, with names of attributes in braces, may become plain on some page.
func mayExpandTo(id, plain string) bool {
	open, end := strings.IndexByte(id, '{'), strings.LastIndexByte(id, '}')
	before, after := id[:open], id[end+1:]
	return len(plain) >= len(before)+len(after) && strings.HasPrefix(plain, before) && strings.HasSuffix(plain, after)
}

// foldSectionID returns the id of a section without the parts that attributes set.
func foldSectionID(id string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r == '_' || r == '.' {
			return '-'
		}
		return r
	}, id), "-")
}

// judgeSectionName judges <<x>>, where x may be the title of a section or of a block with an id.
func (a *auditor) judgeSectionName(d *document, n *note) {
	if strings.ContainsAny(n.text, "{}") {
		a.skipNote(d, n, isAttribute.String())
		return
	}
	if _, live := d.hit(n.text, d.layout.slug); live || a.hasIDAround(d, true, n.text) {
		return
	}
	files, isAll, why := a.samePage(d)
	for _, file := range files {
		to := a.byPath[file]
		if to == nil {
			continue
		}
		if _, live := to.hit(n.text, to.layout.slug); live || to.hasReferenceText(strings.Join(strings.Fields(n.text), " ")) {
			return
		}
	}
	if !isAll {
		a.skipNote(d, n, why)
		return
	}
	if d.hasBlockMacro() {
		a.skipNote(d, n, madeByBlockMacro)
		return
	}
	f := a.finding(d, MissingFragment, "this document has neither an id nor a title "+strconv.Quote(n.text))
	f.Pos, f.Ref = n.pos, a.nameAsReference(d, n, scan.Macro, "<<>>")
	a.report(d, f)
}

// samePage returns the files that may be on one page with an AsciiDoc document. If these are not all, why says so.
func (a *auditor) samePage(d *document) (files []string, isAll bool, why string) {
	if d.layout.generated == nil {
		return a.around(d, true), !a.mayHaveIDAround(d, true), "the id may be in an included file"
	}
	s, uses, why := d.siteUse()
	if len(uses) == 0 {
		return []string{d.path}, false, why
	}
	isAll, why = true, "the id may be in an included file"
	for _, u := range uses {
		parts, isComplete := s.Parts(u.Page.File)
		isAll = isAll && isComplete
		files = append(append(files, u.Page.File), parts...)
	}
	return files, isAll, why
}

// titleOfDocument matches the title of an AsciiDoc document.
var titleOfDocument = lazy.New(`(?m)^[=#] +(.*?)\s*$`)

// mayBecome reports whether a title may be text when the values of its attributes are known: it begins and ends as
// the title does.
func mayBecome(title, text string) bool {
	first, last := strings.IndexByte(title, '{'), strings.LastIndexByte(title, '}')
	if first < 0 || last < first {
		return title == text
	}
	end, ok := strings.CutPrefix(text, title[:first])
	return ok && strings.HasSuffix(end, title[last+1:])
}

// isTitleID reports whether an id is that of the title of an AsciiDoc document, if the document is part of another.
func (d *document) isTitleID(id string) bool {
	title := d.title.Get(func() *string {
		m := titleOfDocument.Compiled().FindSubmatch(d.head())
		if m == nil {
			return nil
		}
		words := wordsOf(string(m[1]))
		return &words
	})
	return title != nil && *title == wordsOf(id)
}

// wordsOf returns the letters and digits of a title or an id, in lower case, with one hyphen between words.
func wordsOf(text string) string {
	return strings.Join(strings.FieldsFunc(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		case strings.ContainsRune(" -._\t", r):
			return ' '
		}
		return -1
	}, text), unicode.IsSpace), "-")
}

// referenceTexts are what a reference may have in place of an id (AsciiDoc Language, "Natural cross reference"): the
// titles of a document, and the texts of its anchors.
type referenceTexts struct {
	texts map[string]bool
	open  []string // titles with attributes
}

// maxOpenTitles limits how many titles with attributes a text is compared with. If there are more, it may be any.
const maxOpenTitles = 100

// anchorText matches the text of an anchor.
var anchorText = lazy.New(`\[\[[^\],\n]*,([^\]\n]*)\]|reftext=["']?([^"'\],\n]*)`)

// underline matches the second line of a title.
var underline = lazy.New(`^(?:=+|-+|~+|\^+|\++)$`)

// hasReferenceText reports whether text, with single spaces, may be a text of references in d.
func (d *document) hasReferenceText(text string) bool {
	r := d.refTexts.Get(func() *referenceTexts { return readReferenceTexts(d.head()) })
	return r.texts[text] || len(r.open) > maxOpenTitles || slices.ContainsFunc(r.open, func(title string) bool { return mayBecome(title, text) })
}

func readReferenceTexts(source []byte) *referenceTexts {
	r := &referenceTexts{texts: map[string]bool{}}
	add := func(text string) { r.texts[strings.Join(strings.Fields(text), " ")] = true }
	previous := ""
	for line := range bytes.Lines(source) {
		line := string(bytes.TrimSpace(line))
		for _, m := range anchorText.Compiled().FindAllStringSubmatch(line, -1) {
			add(m[1] + m[2])
		}
		title := strings.TrimLeft(line, "=. #")
		if title == line {
			title = ""
		}
		if len(line) > 1 && underline.MatchString(line) {
			title = previous
		}
		previous = line
		if title == "" {
			continue
		}
		plain := strings.Map(func(r rune) rune {
			if strings.ContainsRune("`*_#", r) {
				return -1
			}
			return r
		}, title)
		add(title)
		add(plain)
		if strings.Contains(plain, "{") && len(r.open) <= maxOpenTitles {
			r.open = append(r.open, plain)
		}
	}
	return r
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

// nameAsReference returns the use of a name, which is not a URL, as a reference for a Finding.
func (a *auditor) nameAsReference(d *document, n *note, how scan.How, in string) *extract.Reference {
	source, start := d.source(), int(n.pos.Offset)
	raw := source[min(start, len(source)):min(start+n.pos.Length, len(source))]
	return &extract.Reference{Entity: whole, Pos: n.pos, Kind: scan.Link, How: how, In: in, Raw: raw, Ref: raw}
}
