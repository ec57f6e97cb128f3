package lsp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/order"
)

// A link is a reference to a file of the tree.
type link struct {
	source        string // absolute path of the document
	offset, bytes int    // in the document
	target        string // absolute path of the file, or of the document that has the anchor
	fragment      string // with escapes undone; "" if it points to no anchor
	line          int    // of the anchor at the last audit, from 1; 0 if there is none
}

func newLink(f *audit.Followed) link {
	l := link{source: f.Path, offset: int(f.Pos.Offset), bytes: f.Pos.Length, target: f.Target, line: f.Line}
	if f.Anchored != "" {
		l.target = f.Anchored
	}
	l.fragment = f.Label
	if _, fragment, hash := strings.Cut(string(f.Ref.Ref), "#"); hash {
		l.fragment = ascii.UnescapeAll(fragment)
	}
	return l
}

// An index holds the references of a tree.
type index struct {
	from map[string][]link // by source
	to   map[string][]link // by target; nil until needed
	// The documents with references to a file on pages that show them, by the file, and those that a page
	// shows, by its document. Edited documents may have lost these references.
	shown map[string]map[string]bool
}

// addFollowed adds a reference of an audit.
func (x *index) addFollowed(f *audit.Followed) {
	x.add(f.Path, newLink(f))
	if len(f.Uses) == 0 {
		return
	}
	if x.shown == nil {
		x.shown = map[string]map[string]bool{}
	}
	for _, file := range f.Ends() {
		if x.shown[file] == nil {
			x.shown[file] = map[string]bool{}
		}
		x.shown[file][f.Path] = true
	}
}

// leading returns the documents that point to a file for which isTarget is true, or that are shown on its page.
func (x *index) leading(isTarget func(path string) bool) []string {
	names := map[string]bool{}
	for file, shown := range x.shown {
		if isTarget(file) {
			maps.Copy(names, shown)
		}
	}
	for file, links := range x.targets() {
		if isTarget(file) {
			for i := range links {
				names[links[i].source] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func (x *index) add(source string, l link) {
	if x.from == nil {
		x.from = map[string][]link{}
	}
	x.from[source] = append(x.from[source], l)
}

// replace replaces the references of a document.
func (x *index) replace(source string, links []link) {
	if slices.Equal(x.from[source], links) {
		return
	}
	if x.from == nil {
		x.from = map[string][]link{}
	}
	x.from[source], x.to = links, nil
}

// incoming returns the references to a file, in the order of their documents.
func (x *index) incoming(target string) []link { return x.targets()[target] }

// targets returns the references by the files that they point to.
func (x *index) targets() map[string][]link {
	if x.to == nil {
		x.to = map[string][]link{}
		for _, links := range x.from {
			for _, l := range links {
				if l.target != "" {
					x.to[l.target] = append(x.to[l.target], l)
				}
			}
		}
		for _, links := range x.to {
			order.Sort(links, func(a, b link) int { return strings.Compare(a.source, b.source) })
		}
	}
	return x.to
}

// incoming returns the references to a file, of all workspaces.
func (s *server) incoming(file string) (all []link) {
	for _, w := range s.workspaces {
		for _, l := range w.index.incoming(file) {
			if s.owner(l.source) == w {
				all = append(all, l)
			}
		}
	}
	return all
}

// references answers with the references to the item at a position: to the target of a reference, to a
// heading or id, or, elsewhere, to the document.
func (s *server) references(p *documentParams) (any, error) {
	name, d, view, ok := s.view(p.TextDocument.URI)
	if !ok {
		return []location{}, nil
	}
	t := newText(d.text, s.utf8)
	file, line := name, 0
	if l, ok := view.LinkAt(int64(t.offset(p.Position))); ok && l.File != "" {
		file = l.File
		if l.Fragment != "" {
			line = l.Line
		}
	} else {
		at := view.SectionOf(p.Position.Line + 1)
		for _, h := range headings(s.config(name), name, d.text) {
			if h.line == at {
				line = h.line
			}
		}
	}
	target := view
	if to := s.open[file]; file != name && s.report(file) != nil {
		target = s.report(file).View(file, textOf(to, file))
	}
	line = target.SectionOf(line)
	locations := []location{}
	texts := map[string]*text{}
	for _, l := range s.incoming(file) {
		if line > 0 && l.lineIn(target) != line || line == 0 && l.source == file && l.fragment != "" {
			continue // to another place, or within the document
		}
		t := texts[l.source]
		if t == nil {
			t = newText(textOf(s.open[l.source], l.source), s.utf8)
			texts[l.source] = t
		}
		locations = append(locations, location{s.uri(l.source), span{t.position(l.offset), t.position(l.offset + l.bytes)}})
	}
	if p.Context.IncludeDeclaration && line > 0 {
		start := position{Line: line - 1}
		locations = append(locations, location{s.uri(file), span{start, start}})
	}
	return locations, nil
}

// lineIn returns the line that l points to, from 1, in the current text of its target; 0 if it points to
// the document as a whole.
func (l *link) lineIn(target *audit.View) int {
	if l.fragment == "" {
		return l.line
	}
	if line := target.LineOf(l.fragment); line > 0 {
		return target.SectionOf(line)
	}
	return l.line
}

// codeLenses answers with the number of references to each heading of a document, and to the document.
func (s *server) codeLenses(p *documentParams) (any, error) {
	lenses := []codeLens{}
	name, d, view, ok := s.view(p.TextDocument.URI)
	if !ok {
		return lenses, nil
	}
	counts, all := map[int]int{}, 0
	for _, l := range s.incoming(name) {
		line := l.lineIn(view)
		if line > 0 {
			counts[line]++
		}
		if l.source != name {
			all++
		}
	}
	add := func(line, n int, what string) {
		start := position{Line: line - 1}
		c := command{Title: fmt.Sprintf("%d %s", n, what)}
		if n != 1 {
			c.Title += "s"
		}
		lenses = append(lenses, codeLens{span{start, start}, c})
	}
	if all > 0 {
		add(1, all, "link to this document")
		lenses[0].Command.Title = strings.Replace(lenses[0].Command.Title, "documents", "document", 1)
		if all > 1 {
			lenses[0].Command.Title = fmt.Sprintf("%d links to this document", all)
		}
	}
	for _, h := range headings(s.config(name), name, d.text) {
		if n := counts[h.line]; n > 0 {
			add(h.line, n, "link")
			delete(counts, h.line)
		}
	}
	return lenses, nil
}
