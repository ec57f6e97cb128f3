package audit

import (
	"bytes"
	"io"
	"io/fs"
	"slices"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

var (
	attributeList = lazy.New(`\{:?[^{}\n]*#([^\s{}#]+)[^{}\n]*\}`)
	footnote      = lazy.New(`\[(\^[^\]\s]+)\]`)
)

// attributes returns the ids in all attribute lists of d, and the labels of footnotes with their "^".
func (d *document) attributes() map[string]bool {
	return memoized(d.memo, &d.attrs, true, func() map[string]bool {
		attrs := map[string]bool{}
		text := d.head()
		for _, list := range []*lazy.Regexp{attributeList, footnote} {
			for _, m := range list.FindAllSubmatch(text, -1) {
				attrs[string(m[1])] = true
			}
		}
		return attrs
	})
}

// termIDs returns the ids of terms of definition lists in d.
func (d *document) termIDs() map[string]bool {
	return d.terms.Get(d.readTerms)
}

func (d *document) readTerms() map[string]bool {
	terms := map[string]bool{}
	sl := slug.Slugger{Flavour: d.layout.slug}
	last := ""
	for line := range strings.Lines(string(d.head())) {
		line = strings.TrimRight(line, " \t\r\n")
		if last != "" && strings.HasPrefix(line, ": ") {
			text := strings.Trim(termMarks.ReplaceAllString(last, "$1"), " ")
			terms[sl.Slug(slug.Heading{Text: text, Alt: text, Source: last})] = true
		}
		if line != "" {
			last = line
		}
	}
	return terms
}

// termMarks matches code spans and links around the text of a term.
var termMarks = lazy.New("[`*\\[]+([^`*\\]]*)[`*]*(?:\\]\\([^)]*\\))?")

// An inclusion is markup that includes another file in a document: {{#include x}} of mdBook,
// --8<-- and {! x !} of MkDocs, {% include x %} of Liquid and Jinja, shortcodes, server-side
// includes, PHP, {include} of MyST, imports of documents in MDX, and shortcodes of any name with a
// document as an argument.
var (
	inclusion = lazy.New(`^(?:--8<--|\{![^!\n]+!\}|\{%-?\s*(?:include|extends|block|render|embed)|` +
		`\{\{[<%]?-?\s*#?(?:include|readfile|template|block|partial|content|yield)\b|` +
		`\{\{[<%]\s*[\w/-]+\s[^{}\n]*=\s*"[^"\n]+\.md"|<!--#include|<\?(?:php|=))`)
	lineInclusion = lazy.New(`^[\x60:]{3,}\{include\}|^import\s.*\sfrom\s+['"][^'"\n]+\.mdx?['"]`) // at the beginning of a line
)

// inclusionMarks lists strings of which every inclusion except an import contains one. Looking for
// them first reduces the time for Rust's RFCs, where many fragments are missing, from 0.85 to 0.6 s.
var inclusionMarks = []string{"--8<--", "{!", "{%", "{{", "<!--#include", "<?", "{include}"}

func hasInclusionMark(text []byte) bool {
	return slices.ContainsFunc(inclusionMarks, func(mark string) bool { return bytes.Contains(text, []byte(mark)) })
}

// findInclusion returns the offset of the first inclusion in a text, or -1. It tries the expressions only where one can
// begin: an expression for any place takes longer for a page than reading it.
func findInclusion(text []byte) int {
	first := -1
	for _, mark := range inclusionMarks {
		for at := 0; ; at++ {
			i := bytes.Index(text[at:], []byte(mark))
			if i < 0 || first >= 0 && at+i >= first {
				break
			}
			at += i
			if inclusion.Match(text[at:]) {
				first = at
				break
			}
		}
	}
	for at := 0; at < len(text) && (first < 0 || at < first); at = lineEnd(text, at) {
		c := text[at]
		if (c == '`' || c == ':' || c == 'i') && lineInclusion.Match(text[at:]) {
			return at
		}
	}
	return first
}

// lineEnd returns the end of the line that holds an offset, after its newline.
func lineEnd(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// includes reports whether d may have ids from other files, because it includes some, or because it
// is itself part of a template.
func (d *document) includes() bool {
	return d.answer(&d.hasIncludes, true, func() bool {
		text := d.head()
		part := hasInclusionMark(text) || strings.HasSuffix(d.path, ".mdx")
		switch {
		case part && d.isMarkdown():
			part = includesInProse(text)
		case part:
			part = findInclusion(text) >= 0
		}
		if d.isHTML() && !part && (bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%"))) {
			head := bytes.ToLower(text[:min(len(text), 4096)])
			part = !bytes.Contains(head, []byte("<!doctype")) && !bytes.Contains(head, []byte("<html"))
		}
		return part
	})
}

// includesInProse reports whether Markdown text includes files outside its code blocks. Files that it
// includes in code blocks add no headings.
func includesInProse(text []byte) bool {
	var code fence
	for line := range bytes.Lines(text) {
		if fenced, begins := code.next(line); fenced {
			if begins && bytes.Contains(line, []byte("{include}")) {
				return true
			}
			continue
		}
		at := findInclusion(line)
		if at >= 0 && !bytes.HasPrefix(line[at:], []byte("<?")) && bytes.IndexByte(line[:at], '`') < 0 {
			return true
		}
	}
	return false
}

// source returns the text of d, or its beginning, while d is judged.
func (d *document) source() []byte {
	if text := d.bytes.Load(); text != nil {
		return *text
	}
	text := d.reread()
	d.bytes.Store(&text)
	return text
}

// head returns the beginning of d. Several may call it at a time, while another judges d.
func (d *document) head() []byte {
	if text := d.bytes.Load(); text != nil {
		return *text
	}
	text := d.reread()
	if d.isJudged.Load() {
		d.bytes.Store(&text)
		if !d.isJudged.Load() {
			d.bytes.Store(nil) // finish may have come before
		}
	}
	return text
}

// finish drops the text of d when it has been judged.
func (d *document) finish() {
	d.isJudged.Store(false)
	d.bytes.Store(nil)
}

// maxHead limits how many bytes of a document are reread, for questions that seldom come up.
const maxHead = 1 << 25

// reread reads the beginning of d again.
func (d *document) reread() []byte {
	if d.file.Path == "-" {
		return d.piped
	}
	r, err := d.open()
	if err != nil {
		return nil
	}
	defer r.Close()
	size := 0
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil {
			size = int(min(info.Size(), maxHead))
		}
	}
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead)) // so that it does not grow
	b.ReadFrom(io.LimitReader(r, maxHead))
	return b.Bytes()
}

// countLines returns the number of lines of a text file, and -1 for anything else.
func countLines(t Tree, path string) (n int) {
	if info, err := t.Stat(path); err != nil || !info.Mode().IsRegular() {
		return -1
	}
	f, err := t.Open(path)
	if err != nil {
		return -1
	}
	defer f.Close()
	buf := make([]byte, 64<<10)
	last := byte('\n')
	for {
		k, err := f.Read(buf)
		if bytes.IndexByte(buf[:k], 0) >= 0 {
			return -1
		}
		n += bytes.Count(buf[:k], []byte{'\n'})
		if k > 0 {
			last = buf[k-1]
		}
		switch {
		case err == io.EOF && last != '\n':
			return n + 1
		case err == io.EOF:
			return n
		case err != nil:
			return -1
		}
	}
}
