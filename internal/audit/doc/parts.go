package doc

import (
	"bytes"
	"iter"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// An inclusion is markup that includes another file in a document: {{#include x}} of mdBook,
// --8<-- and {! x !} of MkDocs, {% include x %} of Liquid and Jinja, shortcodes, server-side
// includes, PHP, {include} of MyST, imports of documents in MDX, and shortcodes of any name with a
// document as an argument.
var (
	inclusion = lazy.New(`^(?:--8<--|\{![^!\n]+!\}|\{%-?\s*(?:include|extends|block|render|embed)|` +
		`\{\{[<%]?-?\s*#?(?:include|readfile|template|block|partial|content|yield)\b|` +
		`\{\{[<%]\s*[\w/-]+\s[^{}\n]*=\s*"[^"\n]+\.md"|<!--#include|<\?(?:php|=))`)
	lineInclusion  = lazy.New(`^(?:[\x60:]{3,}\{include\}|import\s.*\sfrom\s+['"][^'"\n]+\.mdx?['"])`) // at the beginning of a line
	documentImport = lazy.New(`^import\s.*\sfrom\s+['"]([^'"\n]+\.mdx?)['"]`)
)

// ImportedDocuments yields the names of the documents that lines of MDX import outside its code blocks.
func ImportedDocuments(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		var code Fence
		for line := range bytes.Lines(text) {
			if isCode, _ := code.Next(line); isCode || !bytes.HasPrefix(line, []byte("import")) {
				continue
			}
			if m := documentImport.Compiled().FindSubmatch(line); m != nil && !yield(string(m[1])) {
				return
			}
		}
	}
}

// inclusionMarks lists strings, one of which every inclusion except an import contains. Looking for them
// first reduces the time for Rust's RFCs, where many fragments are missing, from 0.85 to 0.6 s.
var inclusionMarks = []string{"--8<--", "{!", "{%", "{{", "<!--#include", "<?", "{include}"}

func HasInclusionMark(text []byte) bool {
	return slices.ContainsFunc(inclusionMarks, func(mark string) bool { return bytes.Contains(text, []byte(mark)) })
}

// FindInclusion returns the offset of the first inclusion in a text, or -1. It tries the expressions only
// where one can begin: matching them everywhere takes longer than reading the page.
func FindInclusion(text []byte) int {
	first := -1
	marks := inclusionMarks
	if bytes.IndexByte(text, '{') < 0 && bytes.IndexByte(text, '<') < 0 {
		marks = nil // each has one of these
	}
	for _, mark := range marks {
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
	for at := 0; at < len(text) && (first < 0 || at < first); at = ascii.NextLine(text, at) {
		c := text[at]
		if (c == '`' || c == ':' || c == 'i') && lineInclusion.Match(text[at:]) {
			return at
		}
	}
	return first
}

// includes reports whether d may have ids from other files, because it includes some, or because it
// is itself part of a template. Inference follows what MDX of no known generator imports.
func (d *Document) includes() bool {
	return d.Answer(&d.hasIncludes, func() bool {
		text := d.Head()
		isMDX := strings.HasSuffix(d.Path, ".mdx")
		part := HasInclusionMark(text) || isMDX
		switch {
		case part && d.IsMarkdown():
			part = includesInProse(text, isMDX && d.Layout.Generated == nil)
		case part:
			part = FindInclusion(text) >= 0
		}
		if d.IsHTML() && !part && (bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%"))) {
			head := bytes.ToLower(text[:min(len(text), 4096)])
			part = !bytes.Contains(head, []byte("<!doctype")) && !bytes.Contains(head, []byte("<html"))
		}
		return part
	})
}

// includesInProse reports whether Markdown text includes files outside its code blocks. Files that it
// includes in code blocks add no headings. If isFollowed, imports of documents do not count.
func includesInProse(text []byte, isFollowed bool) bool {
	var code Fence
	for line := range bytes.Lines(text) {
		if fenced, begins := code.Next(line); fenced {
			if begins && bytes.Contains(line, []byte("{include}")) {
				return true
			}
			continue
		}
		if isFollowed && documentImport.Match(line) {
			continue
		}
		at := FindInclusion(line)
		if at >= 0 && !bytes.HasPrefix(line[at:], []byte("<?")) && bytes.IndexByte(line[:at], '`') < 0 {
			return true
		}
	}
	return false
}

// MayHaveMore reports whether d may have ids that are in none of the files that it is known to
// include.
func (d *Document) MayHaveMore() bool {
	s := d.Layout.Generated
	if s == nil {
		return d.includes()
	}
	_, isComplete := s.Parts(d.Path)
	if s.Knows == site.AllIDs {
		return !isComplete
	}
	return d.includes() && (!isComplete || !d.knowsTags.Get(func() bool { return s.KnowsTags(d.Head()) }))
}

// SiteUse returns the site that d is part of, and where its references are used. If there are no
// uses, why says why the references are not checked.
func (d *Document) SiteUse() (s *site.Site, uses []site.Use, why reason.Reason) {
	s = d.Layout.Generated
	if d.Uses == nil && d.unused.IsZero() {
		d.Uses, d.unused = s.Uses(d.Path)
	}
	return s, d.Uses, d.unused
}

// UsesOf returns those of some uses of the document of ref whose pages show ref.
func (ref *Reference) UsesOf(uses []site.Use) []site.Use {
	at, isCut := int(ref.Pos.Offset), false
	for i := range uses {
		isCut = isCut || !uses[i].ShowsAt(at)
	}
	if !isCut {
		return uses
	}
	var shown []site.Use
	for i := range uses {
		if uses[i].ShowsAt(at) {
			shown = append(shown, uses[i])
		}
	}
	return shown
}

// IsShownElsewhere reports whether other pages of the site include d, and may use its definitions.
func (d *Document) IsShownElsewhere() bool {
	if d.Layout.Generated == nil {
		return false
	}
	_, uses, _ := d.SiteUse()
	return slices.ContainsFunc(uses, func(u site.Use) bool { return u.Page.File != d.Path })
}

// IsPieceOfHTML reports whether d is a piece of HTML that a template or a program puts into a page: it has none
// of the tags that a page begins with.
func (d *Document) IsPieceOfHTML() bool {
	return d.isPiece.Get(func() bool { return !hasPageTag(d.Head()) })
}

// hasPageTag reports whether a text has a tag that a page begins with.
func hasPageTag(text []byte) bool {
	for {
		_, after, ok := bytes.Cut(text, []byte("<"))
		if !ok {
			return false
		}
		for _, tag := range []string{"!doctype", "html", "head", "body"} {
			if len(after) >= len(tag) && ascii.EqualFold(after[:len(tag)], tag) {
				return true
			}
		}
		text = after
	}
}

// HasServedParts reports whether d has a directive that a server may replace by a file.
func HasServedParts(d *Document) bool {
	return d.IDs().forms().hasParts.Get(func() bool { return bytes.Contains(d.Head(), []byte(ServerIncludeMark)) })
}

// ServerIncludeMark begins directives that a server replaces (mod_include of Apache, ngx_http_ssi_module of
// nginx).
const ServerIncludeMark = "<!--#"

// MarkupSources returns the names of possible source files of a page, given the name that a
// reStructuredText or AsciiDoc document uses for it.
func (d *Document) MarkupSources(name string) []string {
	stem := strings.TrimSuffix(strings.TrimSuffix(name, ".html"), ".htm")
	isPage := stem != name
	switch {
	case d.IsRST() && isPage:
		return []string{stem + ".rst", stem + ".txt", stem + ".rest"}
	case d.IsAsciiDoc() && (isPage || path.Ext(name) == ""):
		return []string{stem + ".adoc", stem + ".asciidoc", stem + ".asc", stem + ".txt"}
	}
	return nil
}
