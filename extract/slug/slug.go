// Package slug computes the ids that Markdown renderers give to headings: the fragments that links to the
// headings must have. Use it to find out whether the fragment of a link matches a heading.
//
// CommonMark gives headings no ids. Each renderer has its own rule, written down only in its code, and its
// own way of keeping the ids of one document distinct. An [Algorithm] is one such rule; a [Slugger] applies
// it to a document. [Fold] compares ids whose spellings differ only in invisible characters.
//
// The results are those of the programs, character by character. Notable divergences:
//
//   - Characters are those of the unicode package's version of Unicode, except for GitHub, Docusaurus,
//     Rspress and Nuxt, which use version 13, like github-slugger.
//   - KramdownGFM reads "\--" as a dash, which kramdown does not.
//   - Hugo makes "&#233;" the number 233, and leaves out a link that is its own text; before the fix of its
//     issue 15472 it also lost everything but the first piece of the text inside emphasis or a link. Here
//     they are as in other text.
//   - GitLab16 first drops emoji written ":so:" and badges written "(premium)" from the text. Here they
//     stay.
//   - Docsify5 takes all characters of category So for emoji.
//   - Eleventy, Sindresorhus and Zola spell out letters of other scripts in ASCII. Here they become hyphens.
package slug

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Algorithm is a renderer's rule for the id of a heading.
type Algorithm uint8

const (
	// GitHub is the rule of github.com, as implemented by github-slugger 2.
	GitHub Algorithm = iota
	// Docusaurus is GitHub's rule for a text that includes the descriptions of images.
	Docusaurus
	// GitLab is GitLab from 17.0 on, where comrak computes the ids.
	GitLab
	// GitLab16 is GitLab before 17.0 (string_to_anchor in Gitlab::Utils::Markdown):
	// runs of hyphens become one, and a number alone gets the prefix "anchor-".
	GitLab16
	// PythonMarkdown is the toc extension of Python-Markdown, and so MkDocs.
	PythonMarkdown
	// PythonMarkdownUnicode is the same with slugify_unicode in its configuration.
	PythonMarkdownUnicode
	// Kramdown is kramdown by itself, with its converter's generate_id.
	Kramdown
	// KramdownGFM is kramdown-parser-gfm, and so Jekyll.
	KramdownGFM
	// Goldmark is goldmark, WithAutoHeadingID.
	Goldmark
	// Hugo is Hugo from 0.144 on in its default configuration: autoIDType is "github", and the
	// typographer extension makes "--" a dash.
	Hugo
	// HugoASCII is the same with autoIDType "github-ascii".
	HugoASCII
	// Hugo143 is Hugo before 0.144, with autoHeadingIDType "github".
	Hugo143
	// HugoASCII143 is the same with autoHeadingIDType "github-ascii".
	HugoASCII143
	// Pymdownx is pymdownx.slugs.slugify(case: lower) in the toc extension of
	// Python-Markdown, which Material for MkDocs recommends.
	Pymdownx
	// VitePress is slugify of @mdit-vue/shared, with markdown-it-anchor, for a text with entities as written:
	// VitePress from 1.1.3 on.
	VitePress
	// VitePress2 is VitePress 2, for a text that includes the descriptions of images. Unlike in VitePress 2,
	// entities in a heading with an image are undone here.
	VitePress2
	// VuePress is the same rule for a text with entities undone: VuePress 2, and VitePress before 1.1.3.
	VuePress
	// VuePress1 is the slugify of VuePress 1, with markdown-it-anchor 5.
	VuePress1
	// Rspress is GitHub's rule for a text without white space at its ends, which components leave.
	Rspress
	// MdBook is mdBook from 0.5 on.
	MdBook
	// Docutils is make_id of docutils, with the numbers of Sphinx ("id1").
	Docutils
	// Eleventy is the IdAttribute plugin of Eleventy, with @sindresorhus/slugify, for
	// Latin letters.
	Eleventy
	// Sindresorhus is slugifyWithCounter of @sindresorhus/slugify, for Latin letters: words in camel case are
	// separated.
	Sindresorhus
	// Zola is the crate slug, for Latin letters.
	Zola
	// DocFX is Markdig with AutoIdentifierOptions.GitHub, as in DocFX and Microsoft Learn.
	DocFX
	// Pandoc is Pandoc with auto_identifiers and smart, as in Quarto and R Markdown.
	Pandoc
	// Docsify is Docsify 4.
	Docsify
	// Docsify5 is Docsify 5, which reads the source of a heading.
	Docsify5
	// HonKit is github-slugid, which HonKit and GitBook before 2018 use. Headings with the same text have the
	// same id.
	HonKit
	// GitBook is today's GitBook, which spells "&" and "|" out, for Latin letters.
	GitBook
	// Mintlify is @sindresorhus/slugify with letters and signs of all languages.
	Mintlify
	// Nuxt is @nuxtjs/mdc, and so Nuxt Content: GitHub's rule, after which hyphens in a row become one, those
	// at the ends are dropped, and "_" precedes a digit at the start. Names of emoji are dropped, as
	// remark-emoji does.
	Nuxt
	// Doxia is DoxiaUtils.encodeId of Doxia 2, and so the Maven Site Plugin, for Markdown: spaces become "_",
	// and characters other than ASCII letters, digits, "-", "_" and "." become the bytes of UTF-8, as in
	// ".C3.9C". Quotation marks are typographic.
	Doxia
)

// String returns the name of f, which Named accepts: "github".
func (f Algorithm) String() string {
	if int(f) >= len(rules) {
		return fmt.Sprintf("Algorithm(%d)", uint8(f))
	}
	return rules[f].name
}

// Named returns the algorithm with a name that [Names] lists, or with the name of a program that uses it:
// "mkdocs", "jekyll".
func Named(name string) (Algorithm, bool) {
	for f, r := range rules {
		if r.name == name || slices.Contains(r.users, name) {
			return Algorithm(f), true
		}
	}
	return 0, false
}

// Names lists the names of the algorithms, the default first.
func Names() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return names
}

// A Heading is the input of a rule. Any bytes are valid: invalid UTF-8 is dropped, as is every character
// that a rule does not keep.
//
// If the renderer reads an attribute "{#id}", neither Text nor Alt contains it; otherwise both do. See
// [Slugger.Reserve] for the id.
type Heading struct {
	// Text is the visible text: without markup and HTML tags, with entities and backslashes
	// undone, with code, without images, and with "\n" for a line break.
	Text string
	// Alt is Text with the descriptions of images in their places, for Docusaurus,
	// GitLab, Hugo, HugoASCII, VitePress2, Zola and Pandoc; "" if there are no images.
	Alt string
	// Source is the line as written, without the marks of the heading and the white
	// space around it. Kramdown, Goldmark, Hugo143, HugoASCII143 and Docsify5 slug it ("[a](b)" is
	// "ab"); KramdownGFM and Hugo use it to distinguish code from text. If a heading has
	// several lines, Source is the last, as in these programs. "" means Text.
	Source string
	// Entities is Text with the entities as written, for VitePress; "" if it keeps none. An entity between
	// other markup, as in "*&copy;*", is undone there as well, and "\&" is "&amp;".
	Entities string
}

// Slug returns the id of a heading in a document without other headings. The result
// is "" if the rule keeps no character.
func (f Algorithm) Slug(h Heading) string { return rules[f].finished(f.plain(h)) }

// plain is Slug before what is done to the id once its number is known.
func (f Algorithm) plain(h Heading) string {
	r := &rules[f]
	switch {
	case r.none != nil && r.none(h):
		return ""
	case r.form == alt && h.Alt != "":
		h.Text = h.Alt
	case r.form == source && h.Source != "":
		h.Text = h.Source[strings.LastIndexByte(strings.TrimRight(h.Source, "\r\n"), '\n')+1:]
	}
	return r.slug(h)
}

// A Slugger returns the ids of one document's headings, and remembers them. The zero Slugger is GitHub's.
// It takes time linear in the text, except for a logarithmic factor in the worst case of PythonMarkdown.
type Slugger struct {
	Algorithm Algorithm
	last      map[string]int    // the highest number added to an id, or 0
	next      map[string]string // for PythonMarkdown: for an id in use, one that may be free
	serial    int               // for Docutils: the last number used
}

// Slug returns the id of the next heading that has no id of its own. Ids are distinct, except where the
// renderer's are not: Kramdown, KramdownGFM and GitLab16 give "a-1" to the second heading "a" even after a
// heading "a 1".
func (s *Slugger) Slug(h Heading) string { return rules[s.Algorithm].finished(s.numbered(h)) }

func (s *Slugger) numbered(h Heading) string {
	id := s.Algorithm.plain(h)
	r := &rules[s.Algorithm]
	if r.none != nil && r.none(h) {
		return id
	}
	switch r.again {
	case count:
		return s.counted(id)
	case underscore:
		return s.underscored(id)
	case second:
		return s.from2(id)
	case serial:
		return s.serialled(id)
	case same:
		return id
	}
	return s.hyphenated(id)
}

// Reserve records an id that the author gave. Goldmark and Hugo, which read such ids only at headings,
// avoid it from there on. PythonMarkdown avoids every such id in the whole document, before and after its
// element: reserve them first. The other renderers may give the same id again.
func (s *Slugger) Reserve(id string) {
	switch {
	case !rules[s.Algorithm].reserves:
	case rules[s.Algorithm].again == underscore:
		if _, used := s.next[id]; !used {
			s.use(id)
		}
	default:
		if _, used := s.last[id]; !used {
			s.number(id, 0)
		}
	}
}

// Fold drops the zero width joiners and non-joiners of an id: GitHub keeps them, while github-slugger and
// the editors that follow it drop them. Variation selectors stay, as in all these programs: the id of "🛠️
// a" begins with the U+FE0F of the emoji, which "#-a" does not match. Ids that Fold makes equal differ in
// nothing else.
func Fold(id string) string {
	i := strings.IndexFunc(id, isJoiner)
	if i < 0 {
		return id
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexFunc(id, isJoiner) {
		b.WriteString(id[:i])
		_, size := utf8.DecodeRuneInString(id[i:])
		id = id[i+size:]
	}
	b.WriteString(id)
	return b.String()
}

func isJoiner(r rune) bool { return unicode.Is(unicode.Join_Control, r) }

// hyphenated appends to id the first number that makes it new.
//
// The programs count from 1 each time, or from where they stopped. As no id becomes
// free again, the result is the same. An id is rejected at most once here, since only one
// other id yields it with a hyphen and a number.
func (s *Slugger) hyphenated(id string) string {
	n, used := s.last[id]
	if !used {
		return s.number(id, 0)
	}
	for {
		n++
		numbered := id + "-" + strconv.Itoa(n)
		if _, used := s.last[numbered]; !used {
			s.number(id, n)
			return s.number(numbered, 0)
		}
	}
}

// counted appends to id the number of headings that had it, without checking the result.
func (s *Slugger) counted(id string) string {
	n, used := s.last[id]
	if !used {
		return s.number(id, 0)
	}
	s.number(id, n+1)
	return id + "-" + strconv.Itoa(n+1)
}

// from2 appends to id the number of headings that had it, including this one.
func (s *Slugger) from2(id string) string {
	n := s.last[id] + 1
	s.number(id, n)
	if n == 1 {
		return id
	}
	return id + "-" + strconv.Itoa(n)
}

// serialled returns id if it is new, and otherwise "id" with a number. docutils numbers everything
// in the document, so footnotes and citations before the heading change the number.
func (s *Slugger) serialled(id string) string {
	if _, used := s.last[id]; !used && id != "" {
		return s.number(id, 0)
	}
	for {
		s.serial++
		numbered := "id" + strconv.Itoa(s.serial)
		if _, used := s.last[numbered]; !used {
			return s.number(numbered, 0)
		}
	}
}

// underscored increments the number of id until it is new, and never returns "".
//
// Where Python-Markdown tries one id after another, an id in use points to a later one
// here, and all ids tried point to the one that was free, which keeps later searches short.
func (s *Slugger) underscored(id string) string {
	var tried []string
	for {
		next, used := s.next[id]
		if !used && id != "" {
			break
		}
		tried = append(tried, id)
		if next == "" {
			next = successor(id)
		}
		id = next
	}
	s.use(id)
	for _, t := range tried {
		s.next[t] = id
	}
	return id
}

// successor returns the id that unique in Python-Markdown tries after id: "a", "a_1", "a_2"; "a_09",
// "a_10".
func successor(id string) string {
	start := len(strings.TrimRight(id, "0123456789"))
	if start == len(id) || start == 0 || id[start-1] != '_' {
		return id + "_1"
	}
	digits := []byte(strings.TrimLeft(id[start:], "0"))
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] < '9' {
			digits[i]++
			return id[:start] + string(digits)
		}
		digits[i] = '0'
	}
	return id[:start] + "1" + string(digits)
}

func (s *Slugger) number(id string, n int) string {
	if s.last == nil {
		s.last = map[string]int{}
	}
	s.last[id] = n
	return id
}

func (s *Slugger) use(id string) {
	if s.next == nil {
		s.next = map[string]string{}
	}
	s.next[id] = ""
}

// form says which text of a heading a rule reads.
type form uint8

const (
	text form = iota
	alt
	source
)

// again says what happens to an id that is already in use.
type again uint8

const (
	hyphen     again = iota // "-1", or the first number that makes it new
	count                   // "-1" for the second heading
	underscore              // "_1", or the first number that makes it new
	second                  // "-2" for the second heading
	serial                  // "id1" instead
	same                    // nothing: the id occurs twice
)

type rule struct {
	name     string
	users    []string
	form     form
	slug     func(Heading) string // of the text that form chose
	again    again
	reserves bool
	none     func(Heading) bool  // whether a heading does not count as one, or has no id
	finish   func(string) string // changes an id that has its number; nil for none
}

func (r *rule) finished(id string) string {
	if r.finish == nil {
		return id
	}
	return r.finish(id)
}

var rules = [...]rule{
	GitHub:                {name: "github", slug: github},
	Docusaurus:            {name: "docusaurus", form: alt, slug: github},
	GitLab:                {name: "gitlab", form: alt, slug: gitlab},
	GitLab16:              {name: "gitlab-16", slug: gitlab16, again: count},
	PythonMarkdown:        {name: "python-markdown", users: []string{"mkdocs"}, slug: pythonASCII, again: underscore, reserves: true},
	PythonMarkdownUnicode: {name: "python-markdown-unicode", slug: pythonUnicode, again: underscore, reserves: true},
	Kramdown:              {name: "kramdown", form: source, slug: kramdown, again: count, none: isBlank},
	KramdownGFM:           {name: "kramdown-gfm", users: []string{"jekyll"}, slug: kramdownGFM, again: count, none: isBlank},
	Goldmark:              {name: "goldmark", form: source, slug: goldmark, reserves: true},
	Hugo:                  {name: "hugo", form: alt, slug: hugo, reserves: true, none: hasNoText},
	HugoASCII:             {name: "hugo-ascii", form: alt, slug: hugoASCII, reserves: true, none: hasNoText},
	Hugo143:               {name: "hugo-0.143", form: source, slug: hugo143, reserves: true},
	HugoASCII143:          {name: "hugo-ascii-0.143", form: source, slug: hugoASCII143, reserves: true},
	Pymdownx:              {name: "pymdownx", slug: pymdownx, again: underscore, reserves: true},
	VitePress:             {name: "vitepress", slug: vitePress, reserves: true},
	VitePress2:            {name: "vitepress-2", form: alt, slug: vitePress2, reserves: true},
	VuePress:              {name: "vuepress", slug: mditVue, reserves: true},
	VuePress1:             {name: "vuepress-1", slug: vuePress1, again: second},
	Rspress:               {name: "rspress", slug: rspress},
	MdBook:                {name: "mdbook", slug: mdBook, reserves: true},
	Docutils:              {name: "docutils", users: []string{"sphinx"}, slug: docutils, again: serial, reserves: true},
	Eleventy:              {name: "eleventy", slug: eleventy, again: second},
	Sindresorhus:          {name: "sindresorhus", slug: sindresorhus, again: second},
	Zola:                  {name: "zola", form: alt, slug: zola, reserves: true},
	DocFX:                 {name: "docfx", slug: docfx},
	Pandoc:                {name: "pandoc", users: []string{"quarto", "bookdown"}, form: alt, slug: pandoc, reserves: true},
	Docsify:               {name: "docsify", slug: docsify, again: count},
	Docsify5:              {name: "docsify-5", form: source, slug: docsify5, again: count},
	HonKit:                {name: "honkit", slug: honKit, again: same},
	GitBook:               {name: "gitbook", slug: gitBook},
	Mintlify:              {name: "mintlify", slug: mintlify, again: second},
	Nuxt:                  {name: "nuxt", slug: nuxt, finish: nuxtID},
	Doxia:                 {name: "doxia", users: []string{"maven"}, slug: doxia, again: underscore, none: hasNoText},
}
