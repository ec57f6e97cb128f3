package doc

import (
	"bytes"
	"html"
	"path"
	"slices"
	"strings"
	"unicode"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

var (
	attributeList = lazy.New(`\{:?[^{}\n]*#([^\s{}#]+)[^{}\n]*\}`)
	footnote      = lazy.New(`\[(\^[^\]\s]+)\]`)
)

// Attributes returns the ids in all attribute lists of d, and the labels of footnotes with their "^".
func (d *Document) Attributes() map[string]bool {
	d.Memo.mu.Lock()
	attrs := d.attrs
	d.Memo.mu.Unlock()
	if attrs != nil {
		return attrs
	}
	attrs = map[string]bool{}
	text := d.Head()
	take := func(re *lazy.Regexp, mark string) {
		if !bytes.Contains(text, []byte(mark)) {
			return
		}
		for _, m := range re.FindAllSubmatch(text, -1) {
			attrs[string(m[1])] = true
		}
	}
	take(attributeList, "{")
	take(footnote, "[^")
	d.Memo.mu.Lock()
	defer d.Memo.mu.Unlock()
	if d.attrs == nil {
		d.attrs, d.IsNew = attrs, true
	}
	return d.attrs
}

// IsAttribute reports whether an id is the value of an attribute in a Markdown document, or the name of a
// component in it in lower case, or ends with "-" and the name of a file of code that a component shows
// (<code src="demo/basic.tsx">). A component of an unknown program may make each the id of an element.
func (d *Document) IsAttribute(id string) bool {
	if !d.IsMarkdown() || len(id) < 2 {
		return false
	}
	values := d.IDs().forms().values.Get(func() map[string]bool { return attributeValues(d.Source()) })
	if values["="+id] || values["<"+strings.ToUpper(id[:1])+id[1:]] {
		return true
	}
	id = strings.ToLower(id[max(0, len(id)-maxValue):])
	for i := range len(id) {
		if id[i] == '-' && values["/"+id[i+1:]] {
			return true
		}
	}
	return false
}

// maxValue limits the size in bytes of a value of an attribute that is compared with ids.
const maxValue = 256

// attributeValues returns the values of attributes in a text, behind "=", and what is between "<" and ">", behind "<"; of
// values of src that are names of code, the last segment in lower case without its suffix, behind "/".
func attributeValues(text []byte) map[string]bool {
	all := map[string]bool{}
	take := func(mark string, begin int, end byte) {
		rest := text[begin:min(len(text), begin+maxValue+1)]
		n := bytes.IndexAny(rest, "<"+string(end)) // no two values overlap, so that they take no more memory than the text
		if n >= 0 && rest[n] == end {
			all[mark+string(rest[:n])] = true
		}
	}
	for i, c := range text {
		switch {
		case c == '=' && bytes.HasPrefix(text[i:], []byte(`="`)):
			take("=", i+2, '"')
			if bytes.HasSuffix(text[:i], []byte(" src")) {
				value, _, _ := strings.Cut(string(text[i+2:min(len(text), i+2+maxValue)]), `"`)
				if stem, ext, _ := strings.Cut(path.Base(value), "."); ext == "tsx" || ext == "jsx" || ext == "vue" {
					all["/"+strings.ToLower(stem)] = true
				}
			}
		case c == '<':
			take("<", i+1, '>')
		}
	}
	return all
}

// TermIDs returns the ids of terms of definition lists in d.
func (d *Document) TermIDs() map[string]bool {
	return d.terms.Get(d.readTerms)
}

func (d *Document) readTerms() map[string]bool {
	terms := map[string]bool{}
	sl := slug.Slugger{Algorithm: d.Layout.Slug}
	last := ""
	for line := range strings.Lines(string(d.Head())) {
		line = strings.TrimRight(line, " \t\r\n")
		switch isDefinition := strings.HasPrefix(line, ": "); {
		case isDefinition && last != "":
			text := strings.Trim(termMarks.ReplaceAllString(last, "$1"), " ")
			terms[sl.Slug(slug.Heading{Text: text, Alt: text, Source: last})] = true
			last = "" // the term may have more definitions
		case line != "" && !isDefinition:
			last = line
		}
	}
	return terms
}

// termMarks matches code spans and links around the text of a term.
var termMarks = lazy.New("[`*\\[]+([^`*\\]]*)[`*]*(?:\\]\\([^)]*\\))?")

// htmlHeading matches an HTML heading within Markdown.
var htmlHeading = lazy.New(`(?is)<h[1-6](?:\s[^>]*)?>(.*?)</h[1-6]\s*>`)

var anyTag = lazy.New(`<[^>]*>`)

// IsHTMLHeading reports whether a fragment is the id of an HTML heading. Code hosts and mdBook
// make ids for these too, since they add ids to the HTML rendered from Markdown.
func (s IDs) IsHTMLHeading(fragment string) bool {
	if !s.d.IsMarkdown() || readsAttributes(s.algorithm) && s.algorithm != slug.MdBook {
		return false
	}
	return s.d.htmlIDs.Get(s.algorithm, s.d.readHTMLIDs)[slug.Fold(strings.ToLower(strings.TrimPrefix(fragment, "user-content-")))]
}

// readHTMLIDs returns the ids of the HTML headings of d under a algorithm.
func (d *Document) readHTMLIDs(f slug.Algorithm) map[string]bool {
	htmlIDs := map[string]bool{}
	text := d.Head()
	if !hasHeadingTag(text) {
		return htmlIDs // the expression takes long to find that there are none
	}
	sl := slug.Slugger{Algorithm: f}
	for _, m := range htmlHeading.FindAllSubmatch(text, -1) {
		text := html.UnescapeString(strings.TrimSpace(anyTag.ReplaceAllString(string(m[1]), "")))
		htmlIDs[slug.Fold(strings.ToLower(sl.Slug(slug.Heading{Text: text})))] = true
	}
	return htmlIDs
}

// hasHeadingTag reports whether a text has the end tag of an HTML heading.
func hasHeadingTag(text []byte) bool {
	for {
		i := bytes.Index(text, []byte("</"))
		if i < 0 || len(text) < i+4 {
			return false
		}
		if c := text[i+2]; (c == 'h' || c == 'H') && ascii.IsDigit(text[i+3]) {
			return true
		}
		text = text[i+2:]
	}
}

// blockMacro matches a line of AsciiDoc with a block macro or a directive, and its name.
var blockMacro = lazy.New(`(?m)^([a-zA-Z_][\w-]*)::\S*\[.*\][ \t]*\r?$`)

// idlessMacros holds the block macros of Asciidoctor itself, and those of extensions that show code, an
// image or a film: they make no ids for readers.
var idlessMacros = map[string]bool{
	"include": true, "ifdef": true, "ifndef": true, "ifeval": true, "endif": true, "tag": true, "end": true, "image": true, "video": true,
	"audio": true, "toc": true, "link": true, "xref": true, "anchor": true, "include-code": true, "gist": true, "asciinema": true,
	"plantuml": true, "mermaid": true, "ditaa": true, "graphviz": true, "kroki": true, "youtube": true, "vimeo": true,
}

// HasBlockMacro reports whether an AsciiDoc document has a block macro that only an extension knows. It may make
// sections with ids.
func (d *Document) HasBlockMacro() bool {
	if !d.IsAsciiDoc() {
		return false
	}
	return d.hasMacros.Get(func() bool {
		return slices.ContainsFunc(blockMacro.FindAllSubmatch(d.Head(), -1), func(m [][]byte) bool { return !idlessMacros[string(m[1])] })
	})
}

// titleOfDocument matches the title of an AsciiDoc document.
var titleOfDocument = lazy.New(`(?m)^[=#] +(.*?)\s*$`)

// IsTitleID reports whether an id is that of the title of an AsciiDoc document, if the document is part of another.
func (d *Document) IsTitleID(id string) bool {
	title := d.title.Get(func() *string {
		m := titleOfDocument.Compiled().FindSubmatch(d.Head())
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

// referenceTexts are the texts that a reference may have in place of an id (AsciiDoc Language, "Natural
// cross reference"): the titles of a document, and the texts of its anchors.
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

// HasReferenceText reports whether text, with single spaces, may be a text of references in d.
func (d *Document) HasReferenceText(text string) bool {
	r := d.refTexts.Get(func() *referenceTexts { return readReferenceTexts(d.Head()) })
	return r.texts[text] || len(r.open) > maxOpenTitles || slices.ContainsFunc(r.open, func(title string) bool { return mayBecome(title, text) })
}

// mayBecome reports whether a title may become text when the values of its attributes are known: text
// begins and ends like the title.
func mayBecome(title, text string) bool {
	first, last := strings.IndexByte(title, '{'), strings.LastIndexByte(title, '}')
	if first < 0 || last < first {
		return title == text
	}
	end, ok := strings.CutPrefix(text, title[:first])
	return ok && strings.HasSuffix(end, title[last+1:])
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
