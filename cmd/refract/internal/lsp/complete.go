package lsp

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/lazy"
)

// maxCompletions limits the documents or headings of the whole tree that one answer has.
const maxCompletions = 100

// minTyped is the number of letters from which documents in other directories are offered.
const minTyped = 2

// A completer answers one request.
type completer struct {
	name   string
	text   []byte
	t      *text
	offset int
	report *audit.Report
	view   *audit.View
	list   *completionList
}

// add adds an item that replaces a range of the text.
func (c *completer) add(label string, kind itemKind, start, end int, ref string) *completionItem {
	edit := textEdit{span{c.t.position(start), c.t.position(end)}, ref}
	c.list.Items = append(c.list.Items, completionItem{Label: label, Kind: kind, FilterText: ref, TextEdit: edit})
	return &c.list.Items[len(c.list.Items)-1]
}

// addAll adds completions from the whole tree, which keep their order and come after everything else.
func (c *completer) addAll(all []audit.Completion, more bool, kind itemKind, start, end int, quoted func(string) string) {
	for i, k := range all {
		item := c.add(k.Name, kind, start, end, quoted(k.Ref))
		item.FilterText, item.SortText, item.Detail = k.Match, fmt.Sprintf("~%06d", i), k.File
		if k.Title != "" {
			item.Documentation = k.Title
		}
		item.Data = &itemData{k.Path, k.Line}
	}
	c.list.IsIncomplete = c.list.IsIncomplete || more
}

// resolveItem answers with an item and the first lines of its target. They are read only now: an answer may
// have many items.
func (s *server) resolveItem(item *completionItem) (any, error) {
	if item.Data == nil {
		return item, nil
	}
	w := s.owner(item.Data.Path)
	if w == nil || !w.contains(path.Clean(item.Data.Path)) {
		return item, nil
	}
	text := s.about(item.Data.Path, &audit.ViewLink{File: item.Data.Path, Line: max(1, item.Data.Line)})
	if title, ok := item.Documentation.(string); ok && title != "" {
		text = asMarkdown(title) + "\n\n" + text
	}
	item.Documentation = markup{"markdown", text}
	return item, nil
}

// openBrackets match the beginning of a reference by label, of a footnote, of a wiki link, and of its
// heading, at the end of a line.
var (
	openLabel = lazy.New(`\]\[([^\]\[]*)$`)
	openNote  = lazy.New(`\[\^([^\]\[ ]*)$`)
	openWiki  = lazy.New(`\[\[([^\]\[|#]*)$`)
	openHead  = lazy.New(`\[\[([^\]\[|#]*)#([^\]\[|#^]*)$`)
)

// brackets completes labels, footnotes and wiki links of Markdown. ok is false if none is being written.
func (c *completer) brackets() (ok bool) {
	switch strings.ToLower(filepath.Ext(c.name)) {
	case ".md", ".markdown", ".mdx", ".livemd", ".cheatmd", ".qmd", ".rmd":
	default:
		return false
	}
	line := c.text[bytes.LastIndexAny(c.text[:c.offset], "\r\n")+1 : c.offset]
	rest, _, _ := bytes.Cut(c.text[c.offset:], []byte("\n"))
	closing := func(mark string) string {
		if bytes.HasPrefix(rest, []byte(mark)) {
			return ""
		}
		return mark
	}
	if m := openWiki.FindStringSubmatch(string(line)); m != nil {
		notes, more := c.view.Notes(c.report, m[1], int64(c.offset), maxCompletions)
		end := closing("]]")
		c.addAll(notes, more, itemFile, c.offset-len(m[1]), c.offset, func(ref string) string { return ref + end })
		c.list.IsIncomplete = true // what else matches is not among these
		return true
	}
	if m := openHead.FindStringSubmatch(string(line)); m != nil {
		end := closing("]]")
		for i, h := range c.view.NoteHeadings(m[1], int64(c.offset)) {
			item := c.add(h.Name, itemReference, c.offset-len(m[2]), c.offset, h.Ref+end)
			item.FilterText, item.SortText, item.Data = h.Name, fmt.Sprintf("%06d", i), &itemData{h.Path, h.Line}
		}
		return true
	}
	m, prefix := openNote.FindStringSubmatch(string(line)), "^"
	if m == nil {
		m, prefix = openLabel.FindStringSubmatch(string(line)), ""
	}
	if m == nil {
		return false
	}
	end := closing("]")
	for _, label := range labels(c.text, prefix == "^") {
		item := c.add(label, itemReference, c.offset-len(m[1]), c.offset, label+end)
		item.FilterText = label
	}
	return true
}

// definition matches the definition of a label or a footnote.
var definition = lazy.New(`(?m)^[ \t>]{0,12}\[(\^?)((?:[^\]\[\\\n]|\\.){1,999})\]:`)

// labels returns the labels that a document defines, in its order, or its footnotes.
func labels(text []byte, areNotes bool) (all []string) {
	seen := map[string]bool{}
	for _, m := range definition.FindAllStringSubmatch(string(text), -1) {
		if label := m[2]; (len(m[1]) > 0) == areNotes && !seen[strings.ToLower(label)] {
			seen[strings.ToLower(label)] = true
			all = append(all, label)
		}
	}
	return all
}
