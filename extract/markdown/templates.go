package markdown

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"example.org/refract/extract/html"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// Constructs that a generator expands before it reads Markdown are masked in a copy of the document
// that has the same length, so that every offset stays right: by letters if they stand for text, by
// spaces if they stand for nothing or have a line of their own. The Values of references come from
// the document itself.

// prepared is what is known about a document before it is parsed.
type prepared struct {
	text     []byte      // the text to parse: the document with templates masked
	markup   []byte      // the source of raw HTML
	isEdited bool        // text is a copy
	isMarked bool        // parts of text stand for templates: see isMasked
	macros   []macro     // references in templates, in order
	tags     []scan.Item // the Items of raw HTML, if there are templates
	effort   int         // the remaining effort for expressions and tags that nothing ends
	tagEnd   int         // where the last tag of a component ends
	nested   [][]byte    // tags within expressions of MDX at their offsets: see elements
}

// A macro is a reference within a template.
type macro struct {
	template scan.Span // the whole template
	item     scan.Item
	isURL    bool // the template stands for the URL of the reference, and nothing else
	isPrefix bool // the template stands for the start of the path of every URL; item is not set
	isDone   bool // the reference has been reported
}

// prepare masks in s.text what the dialect expands, or what is not Markdown, in src[body:].
func (s *Scanner) prepare(body int) {
	d := s.Dialect
	s.text = s.src
	if d.Templates != 0 {
		s.templates(body)
	}
	if d.Includes != 0 {
		s.includes(body)
	}
	if d.MDX {
		s.maskMDX(body)
	}
	if d.Vue {
		joinTags(s, body)
	}
	if d.MDC {
		mdcReader{s}.mask(body)
	}
	s.markup = s.text
	if d.MDX {
		s.markup = s.withoutExpressions()
	}
}

// edit returns the copy of the document that is parsed.
func (s *Scanner) edit() []byte {
	if !s.isEdited {
		s.text, s.isEdited = bytes.Clone(s.src), true
	}
	return s.text
}

// mark replaces each byte of a template.
const mark = 'x'

const marks = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" // some of them

// fill masks src[from:to], which contains bytes other than mark, as text.
func (s *Scanner) fill(from, to int) {
	for text := s.edit()[from:to]; len(text) > 0; {
		text = text[copy(text, marks):]
	}
	s.isMarked = true
}

// blank masks src[from:to] as nothing.
func (s *Scanner) blank(from, to int) {
	text := s.edit()
	for i := from; i < to; i++ {
		if text[i] != '\n' && text[i] != '\r' {
			text[i] = ' '
		}
	}
}

// maskTemplate masks src[from:to]; if it has the line to itself, it is masked as nothing.
func (s *Scanner) maskTemplate(from, to int) {
	if isAlone(s.text, from, to) {
		s.blank(from, to)
		return
	}
	s.fill(from, to)
}

// isAlone reports whether only white space and the ">" of quotations stand on the same line as
// src[from:to].
func isAlone(src []byte, from, to int) bool {
	for from > 0 && (src[from-1] == ' ' || src[from-1] == '\t' || src[from-1] == '>') {
		from--
	}
	for to < len(src) && (src[to] == ' ' || src[to] == '\t' || src[to] == '\r') {
		to++
	}
	return (from == 0 || src[from-1] == '\n') && (to == len(src) || src[to] == '\n')
}

// An ender finds the next of some marks. For ascending offsets, it takes time
// linear in the document.
type ender struct {
	src  []byte
	mark string
	next int // the first mark at or after the last offset; -1: none
	done bool
}

// after returns the offset after the first mark at or after at, or 0 if there is none.
func (e *ender) after(at int) int {
	if e.done && (e.next < 0 || e.next >= at) {
		if e.next < 0 {
			return 0
		}
		return e.next + len(e.mark)
	}
	e.done = true
	if e.next = bytes.Index(e.src[at:], []byte(e.mark)); e.next < 0 {
		return 0
	}
	e.next += at
	return e.next + len(e.mark)
}

// maxTemplate is the maximum length of a template in bytes.
const maxTemplate = 32 << 10

// templates masks shortcodes, tags and values in src[body:].
func (s *Scanner) templates(body int) {
	src, d := s.src, s.Dialect
	enders := make(map[string]*ender)
	after := func(mark string, at int) int {
		e := enders[mark]
		if e == nil {
			e = &ender{src: src, mark: mark}
			enders[mark] = e
		}
		if end := e.after(at); end > 0 && end-at <= maxTemplate {
			return end
		}
		return 0
	}
	for at := body; ; {
		i := bytes.IndexByte(src[at:], '{')
		if i < 0 || at+i+1 >= len(src) {
			return
		}
		at += i
		end := 0
		switch next := src[at+1]; {
		case d.Templates&Hugo != 0 && next == '{' && bytes.HasPrefix(src[at+2:], []byte("<")):
			end = after(">}}", at+3)
			s.shortcode(at, end)
		case d.Templates&Hugo != 0 && next == '{' && bytes.HasPrefix(src[at+2:], []byte("%")):
			end = after("%}}", at+3)
			s.shortcode(at, end)
		case d.Templates&(Liquid|Jinja) == 0:
		case next == '%':
			if end = after("%}", at+2); end > 0 {
				end = s.tag(at, end, after)
			}
		case next == '{':
			if end = after("}}", at+2); end > 0 {
				s.value(at, end)
			}
		case next == '#' && d.Templates&Jinja != 0:
			if end = after("#}", at+2); end > 0 {
				s.maskTemplate(at, end)
			}
		}
		at = max(at+1, end)
	}
}

// shortcode reads {{< name argument key=value >}} of Hugo at src[at:end].
func (s *Scanner) shortcode(at, end int) {
	if end == 0 || bytes.HasPrefix(s.src[at+3:], []byte("/*")) {
		return
	}
	s.maskTemplate(at, end)
	whole := scan.Span{Start: at, End: end}
	words := s.words(scan.Span{Start: at + 3, End: end - 3})
	if len(words) == 0 {
		return
	}
	name := string(s.src[words[0].value.Start:words[0].value.End])
	if s.Dialect.Includes&QuartoInclude != 0 {
		if name == "include" && len(words) > 1 && isAlone(s.src, at, end) {
			s.include(words[1].value.Start, words[1].value.End, "{{< include", false)
		}
		return
	}
	isURL := name == "ref" || name == "relref"
	lang := ""
	for _, w := range words[1:] {
		if isURL && string(s.src[w.key.Start:w.key.End]) == "lang" {
			lang = "/" + string(s.src[w.value.Start:w.value.End])
		}
	}
	for i, w := range words[1:] {
		in := ""
		switch key := string(s.src[w.key.Start:w.key.End]); {
		case isURL && (key == "path" || key == "" && i == 0):
			in = "shortcode/" + name + lang
		case key == "src":
			in = "shortcode/src"
		case key == "href" || key == "link" || key == "url" || key == "relref" || key == "ref":
			in = "shortcode/" + key
		}
		if in == "" || w.value.Start == w.value.End {
			continue
		}
		it := scan.Item{Kind: scan.Link, How: scan.Macro, In: in}
		if in == "shortcode/src" {
			it.Kind = scan.Embed
		}
		s.macro(whole, w.value, it, isURL)
	}
}

// macro stores a reference in a template.
func (s *Scanner) macro(template, at scan.Span, it scan.Item, isURL bool) {
	it.Span, it.Value = at, s.src[at.Start:at.End]
	s.macros = append(s.macros, macro{template: template, item: it, isURL: isURL})
}

// A word is an argument of a template, without its quotes.
type word struct{ key, value scan.Span }

// words returns the arguments in src[at.Start:at.End], with their keys.
func (s *Scanner) words(at scan.Span) (all []word) {
	src := s.src[:at.End]
	for i := at.Start; i < at.End; {
		c := src[i]
		if c <= ' ' || c == ',' || c == '-' && (i+1 == at.End || src[i+1] <= ' ') {
			i++
			continue
		}
		var w word
		start := i
		for i < at.End && (ascii.IsAlnum(src[i]) || src[i] == '_' || src[i] == '-') {
			i++
		}
		if i > start && i < at.End && src[i] == '=' {
			w.key = scan.Span{Start: start, End: i}
			start = i + 1
		}
		i = start
		if i < at.End && (src[i] == '"' || src[i] == '\'' || src[i] == '`') {
			n := bytes.IndexByte(src[i+1:], src[i])
			if n < 0 {
				return all
			}
			w.value = scan.Span{Start: i + 1, End: i + 1 + n}
			i += n + 2
		} else {
			for i < at.End && src[i] > ' ' {
				i++
			}
			w.value = scan.Span{Start: start, End: i}
		}
		all = append(all, w)
	}
	return all
}

// tag reads {% name argument %} of Liquid or Jinja at src[at:end], and returns where the tag and
// everything that belongs to it ends.
func (s *Scanner) tag(at, end int, after func(string, int) int) int {
	words := s.words(trimDashes(s.src, at+2, end-2))
	if len(words) == 0 {
		s.maskTemplate(at, end)
		return end
	}
	name := string(s.src[words[0].value.Start:words[0].value.End])
	switch name {
	case "raw", "verbatim":
		s.maskTemplate(at, end)
		for _, mark := range []string{"{% end" + name, "{%- end" + name} {
			if next := after(mark, end); next > 0 {
				if last := after("%}", next); last > 0 {
					s.maskTemplate(next-len(mark), last)
					return last
				}
			}
		}
		return end
	case "set":
		if last := s.shownAsCode(words, end, after); last > 0 {
			s.blank(at, last)
			return last
		}
	case "comment", "highlight":
		if next := after("{% end"+name, end); next > 0 {
			if last := after("%}", next); last > 0 {
				s.blank(at, last)
				return last
			}
		}
	}
	s.maskTemplate(at, end)
	whole := scan.Span{Start: at, End: end}
	for i, w := range words[1:] {
		key := string(s.src[w.key.Start:w.key.End])
		it := scan.Item{Kind: scan.Link, How: scan.Macro, In: "tag/" + name}
		switch {
		case i == 0 && key == "" && (name == "link" || name == "post_url"):
			s.macro(whole, w.value, it, true)
		case i == 0 && key == "" && (name == "include" || name == "include_relative" || name == "include_cached" || name == "include-markdown"):
			it.Kind, it.Labels = scan.Embed, scan.Include
			s.macro(whole, w.value, it, false)
		case key == "url" && name != "assign":
			s.macro(whole, w.value, it, false)
		}
	}
	return end
}

// shownAsCode returns the end of the {% set x %}…{% endset %} that begins before at, if
// {{ x | highlight(…) }} follows it: its content is shown as code. Otherwise it returns 0.
func (s *Scanner) shownAsCode(words []word, at int, after func(string, int) int) int {
	if s.Dialect.Templates&Jinja == 0 || len(words) != 2 {
		return 0
	}
	next := after("endset", at)
	if next == 0 {
		return 0
	}
	end := after("%}", next)
	if end == 0 {
		return 0
	}
	name := s.src[words[1].value.Start:words[1].value.End]
	rest := bytes.TrimLeft(s.src[end:], " \t\r\n{-")
	rest, isValue := bytes.CutPrefix(rest, name)
	rest = bytes.TrimLeft(rest, " ")
	if !isValue || !bytes.HasPrefix(rest, []byte("|")) || !bytes.HasPrefix(bytes.TrimLeft(rest[1:], " "), []byte("highlight")) {
		return 0
	}
	return end
}

// trimDashes returns the span without the characters that control white space: {%- -%}, {%+ +%}.
func trimDashes(src []byte, from, to int) scan.Span {
	if from < to && (src[from] == '-' || src[from] == '+') {
		from++
	}
	if from < to && (src[to-1] == '-' || src[to-1] == '+') {
		to--
	}
	return scan.Span{Start: from, End: to}
}

// value reads {{ value | filter }} at src[at:end].
func (s *Scanner) value(at, end int) {
	if bytes.HasPrefix(s.src[at+2:], []byte("#")) && s.Dialect.Includes&MdBookInclude != 0 {
		return
	}
	s.maskTemplate(at, end)
	whole := scan.Span{Start: at, End: end}
	inner := trimDashes(s.src, at+2, end-2)
	text := bytes.TrimSpace(s.src[inner.Start:inner.End])
	if string(text) == "site.baseurl" || string(text) == "site.url" {
		s.macros = append(s.macros, macro{template: whole, isPrefix: true})
		return
	}
	if len(text) < 3 || text[0] != '"' && text[0] != '\'' {
		return
	}
	n := bytes.IndexByte(text[1:], text[0])
	if n < 0 {
		return
	}
	filter, ok := bytes.CutPrefix(bytes.TrimSpace(text[n+2:]), []byte("|"))
	if !ok {
		return
	}
	switch filter := string(bytes.TrimSpace(filter)); filter {
	case "relative_url", "absolute_url", "url", "prepend: site.baseurl", "prepend:site.baseurl":
		from := inner.Start + bytes.IndexByte(s.src[inner.Start:inner.End], text[0]) + 1
		in := "filter/" + filter
		if filter[0] == 'p' {
			in = "filter/relative_url"
		}
		s.macro(whole, scan.Span{Start: from, End: from + n}, scan.Item{Kind: scan.Link, How: scan.Macro, In: in}, true)
	}
}

// expand restores the document's bytes in an item whose Span contains templates. If the templates
// determine the reference, the item becomes the reference of the template.
func (s *Scanner) expand(it *scan.Item) {
	if it.Op != scan.Ref {
		return
	}
	it.Value, it.Meant = s.src[it.Span.Start:it.Span.End], ""
	s.expandMacro(it)
}

// isMasked reports whether at contains a template, or its beginning or end. A list of all
// templates would take more memory than the document.
func (s *Scanner) isMasked(at scan.Span) bool {
	for i := at.Start; s.isMarked && i < at.End; i++ {
		if s.text[i] == mark && s.src[i] != mark {
			return true
		}
	}
	return false
}

// html yields the Items of the raw HTML, in the order of package html.
func (s *Scanner) html() iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		for i := range s.tags {
			if !yield(&s.tags[i]) {
				return
			}
		}
		if len(s.tags) > 0 || bytes.IndexByte(s.mask, '<') < 0 { // the tables of package html take memory
			return
		}
		for it := range s.scanTags(s.mask) {
			if s.Dialect.MDX && s.isMasked(it.Span) && !s.isLiteral(it) && !s.keepsExpression(it) {
				continue
			}
			if !yield(it) {
				return
			}
		}
	}
}

// scanTags yields the Items of a mask.
func (s *Scanner) scanTags(mask []byte) iter.Seq[*scan.Item] {
	s.HTML.Fragment, s.HTML.Components, s.HTML.Anchors = true, s.MDX || s.Dialect.MDX || s.Dialect.Vue, s.Anchors
	s.ownProperties()
	return s.HTML.Scan(mask)
}

// ownProperties returns the Dialect's properties of components, or nil.
func (s *Scanner) ownProperties() *html.Properties {
	if s.ofHTML != s.Dialect.Properties {
		s.HTML.Properties, s.ofHTML = html.NewProperties(s.Dialect.Properties), s.Dialect.Properties
	}
	return s.HTML.Properties
}

// expandMacro turns the item into the reference of its only macro, if nothing else stands in it but
// a prefix, a query and a fragment.
func (s *Scanner) expandMacro(it *scan.Item) {
	k, _ := slices.BinarySearchFunc(s.macros, it.Span.Start, func(m macro, at int) int { return cmp.Compare(m.template.Start, at) })
	if k == len(s.macros) || s.macros[k].template.Start != it.Span.Start {
		s.doneWithin(k, it.Span)
		return
	}
	m := &s.macros[k]
	hasPrefix := m.isPrefix
	for ; k < len(s.macros) && s.macros[k].isPrefix && s.macros[k].template.End < it.Span.End; k++ {
		m = &s.macros[k]
		if k+1 < len(s.macros) && s.macros[k+1].template.Start == m.template.End {
			m = &s.macros[k+1]
		}
	}
	s.doneWithin(k, it.Span)
	if m.template.End > it.Span.End {
		return
	}
	rest := scan.Span{Start: m.template.End, End: it.Span.End}
	after := s.src[rest.Start:rest.End]
	if bytes.Contains(after, []byte("{{")) || bytes.Contains(after, []byte("{%")) {
		return
	}
	switch {
	case m.isPrefix && len(after) > 0 && after[0] == '/':
		it.How, it.In, it.Span, it.Value = scan.Macro, "filter/relative_url", rest, after
	case !m.isURL || len(after) > 0 && after[0] != '#' && after[0] != '?':
	default:
		in, value := m.item.In, m.item.Value
		if it.How == scan.Inline || it.How == scan.Reference { // Markdown reads what the template writes
			value = unescape(value)
		}
		if hasPrefix {
			in = "baseurl " + in
		}
		it.How, it.In, it.Span, it.Value = scan.Macro, in, m.item.Span, value
		if len(after) > 0 {
			it.Value = append(bytes.Clone(value), after...)
			it.More = s.moreOf()
			it.More.Parts = []scan.Span{m.item.Span, rest}
			it.Span.End = rest.End
		}
	}
}

// expandAll restores the document's bytes in all items, if there are templates in it, and adds the
// references in templates that are not part of other references.
func (s *Scanner) expandAll() {
	if !s.isMarked && len(s.macros) == 0 {
		return
	}
	for i, r := range s.records {
		if !s.isMasked(r.span()) {
			continue
		}
		it := *s.get(r)
		s.expand(&it)
		s.records[i] = recordOf(it.Span, ^len(s.items))
		s.items = append(s.items, it)
	}
	if s.mask != nil && !s.Dialect.MDX {
		for it := range s.html() {
			kept := *it
			kept.Value = bytes.Clone(it.Value)
			if it.More != nil {
				more := *it.More
				kept.More = &more
			}
			if s.isMasked(kept.Span) {
				s.expand(&kept)
			}
			s.tags = append(s.tags, kept)
		}
	}
	for i := range s.macros {
		if m := &s.macros[i]; !m.isDone && !m.isPrefix {
			s.add(m.item)
		}
	}
}

// doneWithin marks the macros from index k on that are within at.
func (s *Scanner) doneWithin(k int, at scan.Span) {
	for ; k < len(s.macros) && s.macros[k].template.Start < at.End; k++ {
		s.macros[k].isDone = true
	}
}
