package lsp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
)

const quickFix = "quickfix"

// codeAction answers with the fixes for the findings in a range. It needs an audit of the current
// text.
func (s *server) codeAction(p *documentParams) (any, error) {
	actions, created := []codeAction{}, []codeAction(nil)
	var known knownFindings
	name, _ := s.path(p.TextDocument.URI)
	d, last := s.open[name], s.published[name]
	if d == nil || last == nil || last.open != d || !asksFor(p.Context.Only, quickFix) {
		return actions, nil
	}
	t, isCertain := newText(d.text, s.utf8), false
	for i, found := range last.diagnostics {
		if p.Range.End.before(found.Range.Start) || found.Range.End.before(p.Range.Start) {
			continue
		}
		known.add(last.findings[i], found)
		if create, ok := s.creation(name, last.findings[i], found); ok {
			created = append(created, create)
		}
		if found.Data.Suggestion == "" || p.Range.End.before(found.Range.Start) || found.Range.End.before(p.Range.Start) {
			continue
		}
		start, end, text, ok := s.edit(name, d, last.findings[i])
		if !ok {
			continue
		}
		change := textEdit{span{t.position(start), t.position(end)}, string(text)}
		isCertain = last.findings[i].IsProven()
		actions = append(actions, codeAction{
			Title: fmt.Sprintf("Change to %q", found.Data.Suggestion), Kind: quickFix, Diagnostics: []diagnostic{found},
			Edit: workspaceEdit{Changes: map[string][]textEdit{d.uri: {change}}},
		})
	}
	if len(actions) == 1 && isCertain { // an editor applies it without asking
		actions[0].IsPreferred = true
	}
	actions = append(actions, created...)
	if accept, ok := s.acceptance(s.owner(name), &known); ok {
		actions = append(actions, accept)
	}
	return actions, nil
}

// creation returns the action that creates the missing document that a finding is about. ok is false
// if it is about something else, or if the client cannot create files.
func (s *server) creation(name string, f *audit.Finding, found diagnostic) (a codeAction, ok bool) {
	w := s.owner(name)
	if f.Rule != rule.MissingFile || f.Target == "" || strings.HasSuffix(f.Target, "/") || !doc.IsDocument(f.Target) ||
		!slices.Contains(s.client.Workspace.WorkspaceEdit.ResourceOperations, "create") {
		return a, false
	}
	file := input.Join(slash.Path(w.dir), f.Target)
	if _, err := os.Lstat(filepath.FromSlash(file)); !w.contains(path.Clean(file)) || !errors.Is(err, fs.ErrNotExist) {
		return a, false // some clients would empty a file that has come meanwhile
	}
	create := createFile{Kind: "create", URI: slash.URL(path.Clean(file))}
	return codeAction{
		Title: fmt.Sprintf("Create %q", f.Target), Kind: quickFix, Diagnostics: []diagnostic{found},
		Edit: workspaceEdit{DocumentChanges: []any{create}},
	}, true
}

// edit returns the suggestion of f with the quoting that its place needs, and whether it can be
// written there.
func (s *server) edit(name string, d *document, f *audit.Finding) (start, end int, text []byte, ok bool) {
	o := fix.Options{Config: func(string) extract.Config { return s.config(name) }}
	file := &fix.File{Path: filepath.FromSlash(name), Old: d.text}
	o.Apply(file, []*audit.Finding{f})
	return file.Edit()
}

// config returns the Config with which the last audit read the document at a path.
func (s *server) config(path string) extract.Config {
	w := s.owner(path)
	switch {
	case w == nil:
		return new(audit.Options).Config(path)
	case w.report == nil:
		return w.options.Config(path)
	}
	return w.report.Config(path)
}

// report returns the last report about the folder of a document, nil if there is none yet.
func (s *server) report(name string) *audit.Report {
	if w := s.owner(name); w != nil {
		return w.report
	}
	return nil
}

// view returns an open document and the targets of its references. ok is false if it is not open, or if
// there is no report yet.
func (s *server) view(uri string) (name string, d *document, v *audit.View, ok bool) {
	name, _ = s.path(uri)
	d = s.open[name]
	r := s.report(name)
	if d == nil || r == nil {
		return name, d, nil, false
	}
	return name, d, r.View(name, d.text), true
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
	name, _ := s.path(p.TextDocument.URI)
	d, report := s.open[name], s.report(name)
	list := completionList{IsIncomplete: report == nil, Items: []completionItem{}}
	if d == nil || report == nil {
		return list, nil
	}
	t := newText(d.text, s.utf8)
	offset := t.offset(p.Position)
	c := completer{name: name, text: d.text, t: t, offset: offset, report: report, view: report.View(name, d.text), list: &list}
	to, ok := destinationAt(s.config(name), name, d.text, offset)
	switch {
	case !ok:
		c.brackets()
	case to.isAnchor:
		c.anchors(&to)
	default:
		c.files(&to)
	}
	return list, nil
}

// anchors completes a fragment: with "##", by a heading of any document.
func (c *completer) anchors(to *destination) {
	if typed := string(c.text[to.start:c.offset]); to.before == "" && strings.HasPrefix(typed, "#") {
		all, more := c.view.Headings(c.report, typed[1:], int64(c.offset), maxCompletions)
		for i := range all {
			all[i].Match = "##" + all[i].Match // what has been typed begins with both marks
		}
		c.addAll(all, more, itemReference, to.start-1, to.end, to.quoted)
		c.list.IsIncomplete = true
		return
	}
	for i, n := range c.view.Anchors(to.before, int64(c.offset)) {
		item := c.add(n.Name, itemReference, to.start, to.end, to.quoted(n.Ref))
		item.SortText = fmt.Sprintf("%06d", i) // keep the order of the document
		item.Data = &itemData{n.Path, n.Line}
	}
}

// files completes a name in a path; at the beginning of one, also by the names and titles of documents elsewhere.
func (c *completer) files(to *destination) {
	for _, n := range c.view.Files(to.before, int64(c.offset)) {
		switch end := to.end; {
		case strings.HasSuffix(n.Name, "/"):
			if to.hasSlash {
				end++
			}
			c.add(n.Name, itemFolder, to.start, end, to.quoted(n.Ref))
		case to.accepts(n.Name):
			c.add(n.Name, itemFile, to.start, to.end, to.quoted(n.Ref)).Data = &itemData{Path: n.Path}
		}
	}
	if to.before != "" || to.Kind != scan.Link && to.Kind != scan.Definition {
		return
	}
	c.list.IsIncomplete = true // other documents are offered once there are letters
	if typed := to.unquoted(c.text[to.start:c.offset]); len(typed) >= minTyped {
		pages, more := c.view.Pages(c.report, typed, int64(c.offset), maxCompletions)
		c.addAll(pages, more, itemFile, to.start, to.end, to.quoted)
	}
}

// definition answers with the target of the reference at a position.
func (s *server) definition(p *documentParams) (any, error) {
	_, d, view, ok := s.view(p.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	offset := newText(d.text, s.utf8).offset(p.Position)
	file, line, ok := view.Target(int64(offset))
	if !ok {
		return nil, nil
	}
	start := position{Line: line - 1}
	return location{s.uri(file), span{start, start}}, nil
}

// uri returns the URI of a file, as the client spells it if the file is open.
func (s *server) uri(file string) string {
	if d := s.open[file]; d != nil {
		return d.uri
	}
	return slash.URL(file)
}
