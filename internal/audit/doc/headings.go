package doc

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// A Heading is the heading of a section of a document.
type Heading struct {
	Line   int    // of its text, from 1
	Text   string // without markup; "" for AsciiDoc
	Source string // the line as written, without the marks of the heading; "" means Text
	ID     string
	Format extract.Fragments
}

func (d *Document) HeadingIn(line int, id string) (h Heading, ok bool) {
	anchors := d.AnchorList()
	for i := range anchors {
		k := &anchors[i]
		if k.Line == line && k.In == "section" && k.Heading == nil {
			return Heading{Line: line, ID: id, Format: d.Fragments()}, true
		}
		if k.Line == line && k.Heading != nil {
			h = Heading{Line: line, Text: k.Heading.Text, Source: k.Heading.Source, ID: id, Format: d.Fragments()}
			return h, true
		}
	}
	return h, false
}

// HasHeading reports whether d has a heading of a text, compared by letters and digits, or
// an id.
func (d *Document) HasHeading(text string) bool {
	want := LettersOf(text)
	if want == "" {
		return len(d.AnchorList()) > 0
	}
	h := formsOfHeadings(d)
	return h.names[text] || text[0] != '^' && h.letters[want]
}

// headingForms are the names of anchors and the letters and digits of these and of headings.
type headingForms struct {
	names    map[string]bool
	letters  map[string]bool // of names, and of headings in all their forms
	headings []string        // letters of the texts of headings, in order
	texts    map[string]bool // the same
}

func formsOfHeadings(d *Document) *headingForms {
	return d.IDs().forms().headings.Get(func() *headingForms {
		f := &headingForms{names: map[string]bool{}, letters: map[string]bool{}, texts: map[string]bool{}}
		for _, k := range d.AnchorList() {
			f.names[k.Name], f.letters[LettersOf(k.Name)] = true, true
			if h := k.Heading; h != nil {
				own := LettersOf(h.Text)
				f.headings, f.texts[own] = append(f.headings, own), true
				f.letters[own], f.letters[LettersOf(h.Alt)], f.letters[LettersOf(h.Source)] = true, true, true
			}
		}
		return f
	})
}

// LineOfHeading returns the line of the heading with a text, compared by letters and digits as
// HasHeading does, or 0 if there is none or if an id has that text.
func (d *Document) LineOfHeading(text string) int {
	want := LettersOf(text)
	anchors := d.AnchorList()
	for i := range anchors {
		k := &anchors[i]
		if k.Name == text || text[0] == '^' || want == "" {
			return 0
		}
		if k.isHeading(want) {
			return k.Line
		}
	}
	return 0
}

// isHeading reports whether k is a heading of a text, as LettersOf returns it.
func (k *Anchor) isHeading(text string) bool {
	h := k.Heading
	return h != nil && (LettersOf(h.Text) == text || LettersOf(h.Alt) == text || LettersOf(h.Source) == text)
}

// LettersOf returns the letters and digits of a text, in lower case.
func LettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// IsNestedID reports whether an id has the letters and digits of successive headings in d, the last of
// which it would name. Some programs put the ids of the enclosing headings before a heading's own,
// "options-database". Headings between them are left out, since they may be of the same level. The search
// is charged to the budget of the document whose reference asks: other goroutines may check d meanwhile.
func (d *Document) IsNestedID(budget *Budget, id string) bool {
	const longest = 256 // bytes
	want := LettersOf(id)
	if len(want) > longest {
		return true // not known
	}
	headings := formsOfHeadings(d)
	isLast := false
	for at := range want {
		isLast = isLast || headings.texts[want[at:]]
	}
	if !isLast {
		return false
	}
	if !budget.Spend(len(d.AnchorList())) {
		return true // not known
	}
	reached := make([]bool, len(want)) // by the letters of headings so far, one behind another
	for _, own := range headings.headings {
		for at := len(want) - len(own); at >= 0 && own != ""; at-- {
			if (at == 0 || reached[at]) && strings.HasPrefix(want[at:], own) {
				if at+len(own) == len(want) {
					return true
				}
				reached[at+len(own)] = true
			}
		}
	}
	return false
}

// IsTitle reports whether an id belongs to the first heading of the document, and that is a Markdown
// heading of level 1.
func (s IDs) IsTitle(id string) bool {
	if id == "" || s.Len() == 0 || s.At(0) != id || s.Second[id] != 0 {
		return false
	}
	line := s.Line(id)
	i := slices.IndexFunc(s.d.AnchorList(), func(k Anchor) bool { return k.Line == line && k.Heading != nil })
	if i < 0 {
		return false
	}
	n := 0
	for text := range bytes.Lines(s.d.Head()) {
		if n++; n == line {
			return bytes.HasPrefix(text, []byte("# "))
		}
	}
	return false
}

// A templatedHeading is the text of a heading with a template in it, as letters and digits.
type templatedHeading struct {
	before, after string
	args          []string // arguments of the template, one of which its text contains; nil means unknown
}

var templateArgument = lazy.New(`["']([^"']*)["']`)

// partTag matches a tag that shows a file, whose text is unknown here.
var partTag = lazy.New(`\{%-?\s*(?:include|include_relative|render|partial)\s`)

// explicitID matches an id at the end of a heading that contains no template.
var explicitID = lazy.New(`\{:?\s*#[^\s{}]+[^{}]*\}\s*#*\s*$`)

// templatedHeadings returns the headings of d whose ids contain templates. It leaves out headings
// with an explicit id, and those in code blocks.
func (d *Document) templatedHeadings() (all []templatedHeading) {
	text := d.Head()
	if !bytes.Contains(text, []byte("{{")) && !bytes.Contains(text, []byte("{%")) {
		return nil
	}
	var code Fence
	for line := range bytes.Lines(text) {
		if fenced, _ := code.Next(line); fenced || explicitID.Match(line) && readsAttributes(d.Layout.Slug) {
			continue
		}
		text := bytes.TrimLeft(line, "#")
		from := bytes.IndexByte(text, '{')
		if len(text) == 0 || len(text) == len(line) || len(text) < len(line)-6 || text[0] != ' ' || from < 0 || from+1 == len(text) {
			continue
		}
		next := text[from+1]
		if next != '{' && next != '%' {
			continue
		}
		to := max(from, bytes.LastIndexByte(text, '}')+1)
		h := templatedHeading{before: plainLetters(string(text[:from])), after: plainLetters(string(text[to:]))}
		if next == '%' && !partTag.Match(text[from:to]) {
			for _, m := range templateArgument.FindAllSubmatch(text[from:to], -1) {
				if arg := plainLetters(string(m[1])); arg != "" {
					h.args = append(h.args, arg)
				}
			}
		}
		all = append(all, h)
		if bytes.IndexByte(text[:from], '&') >= 0 { // some programs spell it out
			h.before = plainLetters(string(bytes.ReplaceAll(text[:from], []byte("&"), []byte("and"))))
			all = append(all, h)
		}
	}
	return all
}

// IsTemplated reports whether a fragment may be the id of a heading with templates in it. It
// contains the text before and after them, and nothing or one argument in place of each tag.
func (d *Document) IsTemplated(fragment string) bool {
	templated := d.templated.Get(d.templatedHeadings)
	if len(templated) == 0 {
		return false
	}
	id := plainLetters(ascii.UnescapeAll(fragment))
	return slices.ContainsFunc(templated, func(h templatedHeading) bool {
		if len(id) < len(h.before)+len(h.after) || !strings.HasPrefix(id, h.before) || !strings.HasSuffix(id, h.after) {
			return false
		}
		rest := id[len(h.before) : len(id)-len(h.after)]
		return rest == "" || h.args == nil || slices.ContainsFunc(h.args, func(arg string) bool { return strings.Contains(rest, arg) })
	})
}
