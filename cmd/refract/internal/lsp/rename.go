package lsp

import (
	"bytes"
	"context"
	"fmt"
	"maps"

	"example.org/refract/cmd/refract/internal/move"
	"example.org/refract/internal/slash"
)

// The part of the protocol that is about renaming.

type renameOptions struct {
	PrepareProvider bool `json:"prepareProvider"`
}

type fileOperations struct {
	WillRename fileOperationOptions `json:"willRename"`
	DidRename  fileOperationOptions `json:"didRename"`
}

type fileOperationOptions struct {
	Filters []fileOperationFilter `json:"filters"`
}

type fileOperationFilter struct {
	Pattern struct {
		Glob string `json:"glob"`
	} `json:"pattern"`
}

type renameParams struct {
	documentParams
	NewName string `json:"newName"`
}

type renameFilesParams struct {
	Files []struct {
		OldURI string `json:"oldUri"`
		NewURI string `json:"newUri"`
	} `json:"files"`
}

type prepareRenameResult struct {
	Range       span   `json:"range"`
	Placeholder string `json:"placeholder"`
}

// setRenaming adds to the capabilities of the server what this file answers.
func (c *serverCapabilities) setRenaming() {
	c.RenameProvider.PrepareProvider = true
	all := fileOperationFilter{}
	all.Pattern.Glob = "**/*"
	filters := fileOperationOptions{[]fileOperationFilter{all}}
	c.Workspace.FileOperations = fileOperations{filters, filters}
}

// prepareRename answers with the range of the label or heading at a position, or null.
func (s *server) prepareRename(p *documentParams) (any, error) {
	name, _ := s.path(p.TextDocument.URI)
	d := s.open[name]
	report := s.report(name)
	if d == nil || report == nil {
		return nil, nil
	}
	t := newText(d.text, s.utf8)
	start, end, ok := move.LabelRange(report, name, t.offset(p.Position), d.text)
	if !ok {
		start, end, ok = move.HeadingRange(report, name, p.Position.Line+1, d.text)
	}
	if !ok {
		return nil, nil
	}
	return prepareRenameResult{span{t.position(start), t.position(end)}, string(d.text[start:end])}, nil
}

// rename answers with the edits that rename the label at a position, with all its uses, or the heading,
// with all fragments that point to it.
func (s *server) rename(p *renameParams) (any, error) {
	name, _ := s.path(p.TextDocument.URI)
	d, report := s.open[name], s.report(name)
	if d == nil || report == nil {
		return nil, nil
	}
	offset := newText(d.text, s.utf8).offset(p.Position)
	if _, _, ok := move.LabelRange(report, name, offset, d.text); ok {
		return s.planned(s.owner(name), &move.Request{Label: &move.Label{Path: name, Offset: offset, Text: p.NewName}})
	}
	return s.planned(s.owner(name), &move.Request{Heading: &move.Heading{Path: name, Line: p.Position.Line + 1, Text: p.NewName}})
}

// willRenameFiles answers with the edits that let references to files and in them keep their targets
// when the client has renamed the files.
func (s *server) willRenameFiles(p *renameFilesParams) (any, error) {
	r := &move.Request{}
	for _, f := range p.Files {
		from, ok := s.path(f.OldURI)
		to, ok2 := s.path(f.NewURI)
		if ok && ok2 && from != to {
			r.Renames = append(r.Renames, move.Rename{From: from, To: to})
		}
	}
	if len(r.Renames) == 0 {
		return nil, nil
	}
	return s.planned(s.owner(r.Renames[0].From), r)
}

func (s *server) didRenameFiles(*renameFilesParams) (any, error) {
	s.changeAll()
	return nil, nil
}

// planned returns the edits for a request in a folder. If a reference cannot keep its meaning, the answer is an
// error that names it, and nothing is edited.
func (s *server) planned(w *workspace, r *move.Request) (any, error) {
	r.Options = w.options
	if w.isDone && !w.isStale && w.built == nil && len(s.edited) == 0 {
		r.Report, r.Leading = w.report, w.index.leading
	}
	w.cached.Lock() // an audit may be using it
	defer w.cached.Unlock()
	r.Cache = &w.cache
	r.Options.Paths, r.Options.Tree = s.arguments(w), treeOf(maps.Clone(s.open))
	r.Options.Dir = slash.Path(r.Options.Dir)
	plan, err := move.Make(context.Background(), r)
	if err != nil {
		return nil, &callError{requestFailed, err.Error()}
	}
	if len(plan.Problems) > 0 {
		more := ""
		if n := len(plan.Problems) - 1; n > 0 {
			more = fmt.Sprintf(" (and %d more)", n)
		}
		return nil, &callError{requestFailed, plan.Problems[0].String() + more}
	}
	edit := workspaceEdit{Changes: map[string][]textEdit{}}
	for i := range plan.Files {
		f := &plan.Files[i]
		uri := slash.URL(f.Path)
		if d := s.open[f.Path]; d != nil {
			if !bytes.Equal(d.text, f.Old) {
				return nil, &callError{requestFailed, f.Path + " has never been saved"}
			}
			uri = d.uri
		}
		t := newText(f.Old, s.utf8)
		for _, c := range f.Changes() {
			edit.Changes[uri] = append(edit.Changes[uri], textEdit{span{t.position(c.Start), t.position(c.End)}, string(c.Text)})
		}
	}
	return edit, nil
}

// requestFailed is an error code of the protocol (LSP 3.17, ErrorCodes).
const requestFailed = -32803
