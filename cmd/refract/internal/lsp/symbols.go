package lsp

import (
	"bytes"
	"html"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"example.org/refract/extract"
	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/slash"
)

// A heading is the heading of a section.
type heading struct {
	text       string
	line       int // from 1
	level      int // from 1
	start, end int // of the text, as offsets in the document
}

// headings returns the headings of a document, in its order. The file has the given name, and is
// read as cfg says.
func headings(cfg extract.Config, name string, src []byte) (list []heading) {
	f, _ := cfg.FormatOf(name, src)
	if f == nil || f.Multipart {
		return nil
	}
	t := newText(src, true)
	cfg.Lines = true
	cfg.Mention = func(*extract.Mention) {} // Org has its headings only among names
	levels := adornments{}
	cfg.Anchor = func(a *extract.Anchor) {
		text := strings.Join(strings.Fields(a.Heading.Text), " ")
		if a.Space != "" && a.In == "heading" && text == "" {
			text = strings.TrimSpace(string(a.Name))
		}
		if text == "" || a.Pos.Line == 0 {
			return
		}
		h := heading{text: text, line: a.Pos.Line, start: int(a.Pos.Offset), end: int(a.Pos.Offset) + a.Pos.Length}
		if a.TextPos.Line > 0 {
			h.line, h.start, h.end = a.TextPos.Line, int(a.TextPos.Offset), int(a.TextPos.Offset)+a.TextPos.Length
		}
		if n := len(list); n > 0 && list[n-1].line == h.line {
			return // the same heading, under several names
		}
		h.level = levels.of(t, h.line)
		list = append(list, h)
	}
	for _, err := range cfg.Walk(name, bytes.NewReader(src)) {
		if err != nil {
			break
		}
	}
	if f.Fragments == extract.WrittenFragments {
		return htmlHeadings(src)
	}
	return list
}

// adornments finds the levels of headings: those of reStructuredText are in the order in which their
// underlines appear.
type adornments struct{ seen []byte }

// of returns the level of the heading in a line, from 1.
func (a *adornments) of(t *text, line int) int {
	if line < 1 || line > len(t.starts) {
		return 1
	}
	start, end := t.line(line - 1)
	text := bytes.TrimLeft(t.bytes[start:end], " \t\">")
	for _, mark := range []byte("#=*") {
		if n := len(text) - len(bytes.TrimLeft(text, string(mark))); n > 0 && n < len(text) && text[n] == ' ' {
			return n
		}
	}
	if line >= len(t.starts) {
		return 1
	}
	start, end = t.line(line)
	under := bytes.TrimSpace(t.bytes[start:end])
	if len(under) == 0 || len(bytes.Trim(under, string(under[:1]))) > 0 {
		return 1
	}
	i := bytes.IndexByte(a.seen, under[0])
	if i < 0 {
		i = len(a.seen)
		a.seen = append(a.seen, under[0])
	}
	return i + 1
}

var (
	htmlHeading = lazy.New(`(?is)<h([1-6])(?:\s[^>]*)?>(.*?)</h[1-6]\s*>`)
	htmlTag     = lazy.New(`(?s)<[^>]*>`)
)

// htmlHeadings returns the headings of HTML.
func htmlHeadings(src []byte) (list []heading) {
	t := newText(src, true)
	for _, m := range htmlHeading.FindAllSubmatchIndex(src, -1) {
		text := html.UnescapeString(htmlTag.ReplaceAllString(string(src[m[4]:m[5]]), ""))
		text = strings.Join(strings.Fields(text), " ")
		if text == "" {
			continue
		}
		level, _ := strconv.Atoi(string(src[m[2]:m[3]]))
		list = append(list, heading{text: text, line: t.position(m[0]).Line + 1, level: level, start: m[4], end: m[5]})
	}
	return list
}

// documentSymbols answers with the headings of a document: nested, if the client can show that.
func (s *server) documentSymbols(p *documentParams) (any, error) {
	name, _ := s.path(p.TextDocument.URI)
	d := s.open[name]
	if d == nil {
		return []documentSymbol{}, nil
	}
	list := headings(s.config(name), name, d.text)
	t := newText(d.text, s.utf8)
	if !s.client.TextDocument.DocumentSymbol.Hierarchical {
		flat := []symbolInformation{}
		for _, h := range list {
			flat = append(flat, symbolInformation{h.text, symbolString, location{d.uri, span{t.position(h.start), t.position(h.end)}}})
		}
		return flat, nil
	}
	symbols, _ := nest(t, list, 0)
	return append([]documentSymbol{}, symbols...), nil
}

// nest returns the symbols of the headings at the beginning of list that are deeper than level, and
// the rest of list.
func nest(t *text, list []heading, level int) (symbols []documentSymbol, rest []heading) {
	for len(list) > 0 && list[0].level > level {
		h := list[0]
		children, rest := nest(t, list[1:], h.level)
		end := len(t.bytes)
		if len(rest) > 0 {
			end = t.starts[rest[0].line-1]
		}
		start, _ := t.line(h.line - 1)
		symbols = append(symbols, documentSymbol{
			Name: h.text, Kind: symbolString, Children: children,
			Range: span{t.position(start), t.position(max(end, h.end))}, Selection: span{t.position(h.start), t.position(h.end)},
		})
		list = rest
	}
	return symbols, list
}

// maxSymbols limits the number of symbols in an answer about the workspace.
const maxSymbols = 1000

// workspaceSymbols answers with the headings of all folders that contain the letters of a query, in
// order.
func (s *server) workspaceSymbols(p *workspaceSymbolParams) (any, error) {
	found := []symbolInformation{}
	add := func(file, name string, line int) (more bool) {
		if matches(name, p.Query) {
			start := position{Line: line - 1}
			found = append(found, symbolInformation{name, symbolString, location{s.uri(file), span{start, start}}})
		}
		return len(found) < maxSymbols
	}
	for _, w := range s.workspaces {
		if w.report == nil {
			continue
		}
		for symbol := range w.report.Symbols {
			if s.owner(symbol.Path) == w && !add(symbol.Path, symbol.Name, symbol.Line) {
				return found, nil
			}
		}
		for _, name := range w.report.Names {
			file := path.Clean(input.Join(slash.Path(w.dir), name))
			if s.owner(file) != w || !hasOwnHeadings(w.report.Config(file), file) {
				continue
			}
			for _, h := range s.headingsOf(w, file) {
				if !add(file, h.text, h.line) {
					return found, nil
				}
			}
		}
	}
	return found, nil
}

// hasOwnHeadings reports whether the audit does not keep the headings of a document. Those of HTML
// and Org have no ids by themselves, and of AsciiDoc it keeps only the ids.
func hasOwnHeadings(cfg extract.Config, name string) bool {
	f := cfg.FormatOfName(name)
	return f != nil && (f.Fragments == extract.WrittenFragments || f.Fragments == extract.SectionFragments || f.Alias == "org")
}

// fileHeadings are the headings of a file, and what shows that it has not changed.
type fileHeadings struct {
	size     int64
	modified time.Time
	list     []heading
}

// headingsOf returns the headings of a document of w. It keeps those of files that are not open.
func (s *server) headingsOf(w *workspace, file string) []heading {
	if d := s.open[file]; d != nil {
		return headings(s.config(file), file, d.text)
	}
	info, err := os.Stat(filepath.FromSlash(file))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxLocal {
		return nil
	}
	kept, ok := w.headings[file]
	if !ok || kept.size != info.Size() || !kept.modified.Equal(info.ModTime()) {
		kept = fileHeadings{info.Size(), info.ModTime(), headings(s.config(file), file, textOf(nil, file))}
		if w.headings == nil {
			w.headings = map[string]fileHeadings{}
		}
		w.headings[file] = kept
	}
	return kept.list
}

// matches reports whether the letters of query are in name, in order and without regard to case.
func matches(name, query string) bool {
	name = strings.ToLower(name)
	for _, r := range strings.ToLower(query) {
		i := strings.IndexRune(name, r)
		if i < 0 {
			return false
		}
		name = name[i+len(string(r)):]
	}
	return true
}
