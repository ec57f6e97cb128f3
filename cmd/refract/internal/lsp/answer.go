package lsp

import (
	"fmt"
	"path/filepath"
	"strings"

	"example.org/refract/audit"
	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/extract"
)

const quickFix = "quickfix"

// codeAction answers with the fixes for the findings in a range. It needs an audit of the current
// text.
func (s *server) codeAction(p *documentParams) (any, error) {
	actions := []codeAction{}
	name, _ := s.path(p.TextDocument.URI)
	d, last := s.open[name], s.published[name]
	if d == nil || last == nil || last.open != d || !asksFor(p.Context.Only, quickFix) {
		return actions, nil
	}
	t := newText(d.text, s.utf8)
	for i, found := range last.diagnostics {
		if found.Data.Suggestion == "" || p.Range.End.before(found.Range.Start) || found.Range.End.before(p.Range.Start) {
			continue
		}
		start, end, text, ok := s.edit(name, d, last.findings[i])
		if !ok {
			continue
		}
		change := textEdit{span{t.position(start), t.position(end)}, string(text)}
		actions = append(actions, codeAction{
			Title: fmt.Sprintf("Change to %q", found.Data.Suggestion), Kind: quickFix, Diagnostics: []diagnostic{found},
			Edit: workspaceEdit{map[string][]textEdit{d.uri: {change}}},
		})
	}
	if len(actions) == 1 {
		actions[0].IsPreferred = true
	}
	return actions, nil
}

// edit returns the suggestion of f with the quoting that its place needs, and whether it can be
// written there.
func (s *server) edit(name string, d *document, f *audit.Finding) (start, end int, text []byte, ok bool) {
	o := fix.Options{Config: s.config}
	file := &fix.File{Path: filepath.FromSlash(name), Old: d.text}
	o.Apply(file, []*audit.Finding{f})
	return file.Edit()
}

// config returns the Config with which the last audit read the document at a path.
func (s *server) config(path string) extract.Config {
	if s.report == nil {
		return s.options.Config(path)
	}
	return s.report.Config(filepath.ToSlash(path))
}

// asksFor reports whether a client that asks for the kinds only wants actions of the given kind.
func asksFor(only []string, kind string) bool {
	for _, k := range only {
		if k == "" || k == kind || strings.HasPrefix(kind, k+".") {
			return true
		}
	}
	return len(only) == 0
}

// completion answers with the possible completions of the reference at a position.
func (s *server) completion(p *documentParams) (any, error) {
	list := completionList{IsIncomplete: s.report == nil, Items: []completionItem{}}
	name, _ := s.path(p.TextDocument.URI)
	d := s.open[name]
	if d == nil || s.report == nil {
		return list, nil
	}
	t := newText(d.text, s.utf8)
	offset := t.offset(p.Position)
	to, ok := destinationAt(s.config(name), name, d.text, offset)
	if !ok {
		return list, nil
	}
	view := s.report.View(name, d.text)
	add := func(n audit.Name, kind itemKind, end int) *completionItem {
		edit := textEdit{span{t.position(to.start), t.position(end)}, to.quoted(n.Ref)}
		list.Items = append(list.Items, completionItem{Label: n.Name, Kind: kind, FilterText: edit.NewText, TextEdit: edit})
		return &list.Items[len(list.Items)-1]
	}
	if to.isAnchor {
		for i, n := range view.Anchors(to.before, int64(offset)) {
			add(n, itemReference, to.end).SortText = fmt.Sprintf("%06d", i) // keep the order of the document
		}
		return list, nil
	}
	for _, n := range view.Files(to.before, int64(offset)) {
		switch end := to.end; {
		case strings.HasSuffix(n.Name, "/"):
			if to.hasSlash {
				end++
			}
			add(n, itemFolder, end)
		case to.accepts(n.Name):
			add(n, itemFile, end)
		}
	}
	return list, nil
}

// definition answers with the target of the reference at a position.
func (s *server) definition(p *documentParams) (any, error) {
	name, _ := s.path(p.TextDocument.URI)
	d := s.open[name]
	if d == nil || s.report == nil {
		return nil, nil
	}
	offset := newText(d.text, s.utf8).offset(p.Position)
	file, line, ok := s.report.View(name, d.text).Target(int64(offset))
	if !ok {
		return nil, nil
	}
	start := position{Line: line - 1}
	l := location{uriOf(file), span{start, start}}
	if d := s.open[file]; d != nil {
		l.URI = d.uri
	}
	return l, nil
}
