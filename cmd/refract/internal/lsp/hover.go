package lsp

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // formats whose size hover shows
	_ "image/jpeg"
	_ "image/png"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/internal/audit/doc"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/slash"
	"example.org/refract/resolve"
)

// hoverLines is the number of lines of a target that hover shows, and maxLines limits it for a reference
// that names lines.
const (
	hoverLines = 8
	maxLines   = 20
)

// hover answers with the target of the reference at a position: the heading and the lines after it, the
// size of an image, a URL; or why it is broken.
func (s *server) hover(p *documentParams) (any, error) {
	name, d, view, ok := s.view(p.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	t := newText(d.text, s.utf8)
	offset := t.offset(p.Position)
	if last := s.published[name]; last != nil && last.open == d {
		for i, found := range last.diagnostics {
			if !p.Position.before(found.Range.Start) && !found.Range.End.before(p.Position) {
				return hover{markup{"markdown", whyBroken(last.findings[i])}, found.Range}, nil
			}
		}
	}
	l, ok := view.LinkAt(int64(offset))
	if !ok || l.File == "" && l.URL == "" {
		for _, u := range urlsOf(s.config(name), name, d.text) {
			if u.start <= offset && offset <= u.end {
				return hover{markup{"markdown", asMarkdown(u.url)}, span{t.position(u.start), t.position(u.end)}}, nil
			}
		}
		return nil, nil
	}
	start := int(l.Pos.Offset)
	return hover{markup{"markdown", s.about(name, &l)}, span{t.position(start), t.position(start + l.Pos.Length)}}, nil
}

// whyBroken returns what a finding says, as Markdown.
func whyBroken(f *audit.Finding) string {
	text := "**" + string(f.Rule) + "**: " + asMarkdown(f.Message)
	if f.Suggestion != "" {
		text += "\n\nDid you mean `" + strings.ReplaceAll(f.Suggestion, "`", "'") + "`?"
	}
	for _, fact := range f.Facts {
		text += "\n- " + asMarkdown(fact)
	}
	return text
}

// asMarkdown returns text with the marks of Markdown escaped.
func asMarkdown(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#|&~!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// about returns what a reference in the document called name points to, as Markdown.
func (s *server) about(name string, l *audit.ViewLink) string {
	if l.File == "" {
		return asMarkdown(l.URL)
	}
	shown := s.owner(name).argument(l.File)
	title := "**" + asMarkdown(filepath.ToSlash(shown)) + "**"
	if !s.isInside(l.File) {
		return title
	}
	if doc.IsPicture(l.File) || s.open[l.File] == nil && !isRegular(l.File, maxFile) {
		return title + sizeOf(l.File)
	}
	text := textOf(s.open[l.File], l.File)
	if bytes.IndexByte(text[:min(len(text), 4096)], 0) >= 0 || !doc.IsDocument(l.File) && len(text) > maxShown {
		return fmt.Sprintf("%s, %d bytes", title, len(text))
	}
	lines := hoverLines
	switch {
	case l.Last > l.Line:
		title += fmt.Sprintf(", lines %d to %d", l.Line, l.Last)
		lines = maxLines
		if t := newText(text, true); l.Last < len(t.starts) {
			text = text[:t.starts[l.Last]]
		}
	case l.Last > 0 || l.Line > 1:
		title += fmt.Sprintf(", line %d", l.Line)
	}
	language := ""
	if !doc.IsDocument(l.File) {
		language = strings.TrimPrefix(path.Ext(l.File), ".")
	}
	return title + "\n\n" + fenced(excerptOf(text, l.Line, lines), language)
}

// isInside reports whether a file is in a folder of the workspace, even if the names of both go through
// symbolic links. Without a folder, all files are.
func (s *server) isInside(file string) bool {
	real := realPath(file)
	return slices.ContainsFunc(s.workspaces, func(w *workspace) bool {
		return w.folder == "" || w.contains(real) || (&workspace{folder: realPath(w.folder)}).contains(real)
	})
}

// realPath returns a path without symbolic links, or as it is if there is no such file.
func realPath(name string) string { return slash.Path(fix.Real(filepath.FromSlash(name))) }

// maxShown limits the size in bytes of files other than documents of which hover shows the beginning.
const maxShown = 1 << 20

// excerptOf returns at most limit lines of text from a line on, without front matter and blank lines in front.
func excerptOf(text []byte, line, limit int) string {
	t := newText(text, true)
	if line <= 1 && bytes.HasPrefix(text, []byte("---")) {
		for n := 1; n < len(t.starts); n++ {
			if start, end := t.line(n); string(text[start:end]) == "---" {
				line = n + 2
				break
			}
		}
	}
	var b strings.Builder
	shown := 0
	for n := max(0, line-1); n < len(t.starts) && shown < limit; n++ {
		start, end := t.line(n)
		content := strings.ToValidUTF8(string(text[start:min(end, start+400)]), "\ufffd")
		if shown == 0 && strings.TrimSpace(content) == "" {
			continue
		}
		b.WriteString(content + "\n")
		shown++
	}
	return strings.TrimRight(b.String(), "\n ")
}

// fenced returns text as a block of code: a client must not follow or load anything in it. The language may
// be any text.
func fenced(text, language string) string {
	if !languageName.MatchString(language) {
		language = ""
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence
}

// sizeOf returns the size of an image in pixels and bytes, as far as it can be read. For another regular
// file, it returns the size in bytes.
func sizeOf(file string) string {
	if !isRegular(file, math.MaxInt64) {
		return ""
	}
	f, err := os.Open(filepath.FromSlash(file))
	if err != nil {
		return ""
	}
	defer f.Close()
	size := ""
	if info, err := f.Stat(); err == nil {
		size = fmt.Sprintf(", %d bytes", info.Size())
	}
	if strings.HasSuffix(strings.ToLower(file), ".svg") {
		head := make([]byte, 4096)
		n, _ := f.Read(head)
		tag := svgTag.Find(head[:n])
		w, h := svgWidth.FindAllSubmatch(tag, 1), svgHeight.FindAllSubmatch(tag, 1)
		if w != nil && h != nil {
			return fmt.Sprintf(", %s × %s%s", w[0][1], h[0][1], size)
		}
		return size
	}
	if c, _, err := image.DecodeConfig(f); err == nil {
		return fmt.Sprintf(", %d × %d%s", c.Width, c.Height, size)
	}
	return size
}

var languageName = lazy.New(`^[A-Za-z0-9]{1,12}$`)

var (
	svgTag    = lazy.New(`(?s)<svg\b[^>]*>`)
	svgWidth  = lazy.New(`\swidth=["']([0-9.]+[a-z%]*)["']`)
	svgHeight = lazy.New(`\sheight=["']([0-9.]+[a-z%]*)["']`)
)

// documentLinks answers with the references of a document that point to a file or an absolute URL.
func (s *server) documentLinks(p *documentParams) (any, error) {
	links := []documentLink{}
	name, d, view, ok := s.view(p.TextDocument.URI)
	if !ok {
		return links, nil
	}
	t := newText(d.text, s.utf8)
	for _, l := range view.Links() {
		target := l.URL
		if l.File != "" {
			target = s.uri(l.File)
			if l.Line > 1 {
				target += fmt.Sprintf("#L%d", l.Line)
			} else if l.File == name {
				continue // to its beginning
			}
		}
		if start := int(l.Pos.Offset); target != "" {
			links = append(links, documentLink{span{t.position(start), t.position(start + l.Pos.Length)}, target})
		}
	}
	for _, u := range urlsOf(s.config(name), name, d.text) {
		links = append(links, documentLink{span{t.position(u.start), t.position(u.end)}, u.url})
	}
	return links, nil
}

// A writtenURL is an absolute URL in a document.
type writtenURL struct {
	start, end int
	url        string
}

// urlsOf returns the absolute URLs that a document refers to, with schemes that an editor can open.
// The file has the given name, and is read as cfg says.
func urlsOf(cfg extract.Config, name string, src []byte) (urls []writtenURL) {
	for r, err := range cfg.Walk(name, bytes.NewReader(src)) {
		if err != nil {
			break
		}
		c := resolve.Parse(r.URL)
		scheme := strings.ToLower(string(c.Scheme))
		if r.Result.Step == resolve.Absolute && r.Pos.Exact && (scheme == "http" || scheme == "https" || scheme == "mailto") {
			start := int(r.Pos.Offset)
			urls = append(urls, writtenURL{start, start + r.Pos.Length, string(r.URL)})
		}
	}
	return urls
}
