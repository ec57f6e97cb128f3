// Package move is "refract mv": it moves documents, and renames headings and labels, so that references to
// them and in them keep their meaning. The language server also renames with it.
//
//	the tree ─► audit ─► where each reference leads
//	         ─► moved in memory ─► audit ─► references that now lead elsewhere ─► edits
//	         ─► edited in memory ─► audit ─► each leads where it led; no new finding ─► Plan
//	Plan     ─► journal ─► files
//
//	command.go   "refract mv"
//	move.go      Request, Plan
//	planner.go   the tree in memory, and what differs between two states of it
//	graph.go     audits of these states
//	around.go    the documents for which a request may matter
//	edit.go      edits of documents and configuration files
//	heading.go   the line of a heading
//	label.go     labels, footnotes and ids, and their uses in a document
//	relabel.go   their renames, in all documents
//	redirect.go  URLs that change, and redirects for them
//	apply.go     a Plan carried out; journal.go: and finished after it was interrupted
//	image.go     images that imagesdir of AsciiDoc may find
//	check.go     what may be moved
package move

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/order"
)

// A Rename moves a file, or a directory with all that is in it. The names are absolute paths with
// forward slashes.
type Rename struct{ From, To string }

// A Heading is a heading to rename.
type Heading struct {
	Path string // absolute path of the document
	ID   string // a fragment that points to it
	Line int    // of its text, from 1, if ID is ""
	Text string // the new text, as written in the document
}

// A Request says what to move or rename.
type Request struct {
	// Options are those of the audit. Tree holds the documents; nil is the disk. Dir must be
	// absolute. References are followed in all documents that Paths names.
	Options   audit.Options
	Renames   []Rename
	Heading   *Heading
	Label     *Label
	Redirects bool // also write redirects from the URLs that change
	Memory    []Memory
	// Links is the absolute path of a directory whose symbolic links the renames must not break; "" means that
	// links are not checked.
	Links string

	// Cache holds what earlier audits with Followed have read; nil means no cache.
	Cache *doc.Cache
	// Report is the report of an audit of the current tree with Followed and these options, without a build;
	// nil means that there is none. With it, only the future tree is audited, and for most headings, not even
	// that. For most moves, only documents that link to a moved file are checked. Leading returns the documents
	// with references to a file or directory for whose path isTarget is true, and those that are shown on the
	// page of such a document.
	Report  *audit.Report
	Leading func(isTarget func(path string) bool) []string
}

// A Plan is a set of changes that keeps the meaning of all references.
type Plan struct {
	Renames []Rename
	Files   []File
	URLs    []URL
	// Problems are the reasons why nothing may be moved. A Plan with Problems must not be carried out.
	Problems []Problem
	// References is the number of references that change.
	References int

	emptied []string // directories that the move leaves empty
	heading *heading
}

// A File is a document that changes, other than in its name.
type File struct {
	Path     string // absolute, before the move
	To       string // absolute, after it
	Old, New []byte
}

// A Problem is a reference that would not keep its meaning.
type Problem struct {
	Path    string // absolute path of the document, before the move; "" if it is about no document
	Pos     extract.Position
	Written string // the reference; "" if it is about none
	Why     string
}

// Make returns the changes for a request. It writes nothing. An error means that the request is invalid, or that the
// tree could not be audited.
func Make(ctx context.Context, r *Request) (*Plan, error) {
	p, err := newPlanner(ctx, r)
	if err != nil {
		return nil, err
	}
	return p.plan()
}

// plan computes the changes.
func (p *planner) plan() (*Plan, error) {
	links, err := p.links()
	if err != nil {
		return nil, err
	}
	plan := &Plan{Renames: p.request.Renames}
	if fixed := p.fixed(); len(fixed) > 0 {
		plan.Problems = append(links, fixed...)
		return plan, nil
	}
	if err := p.start(); err != nil {
		return nil, err
	}
	fresh := maps.Clone(p.texts)
	p.recall()
	problems, err := p.settle(maxRounds)
	if err == nil && len(problems) > 0 && p.isRecalled {
		p.texts, p.isRecalled, p.after = fresh, false, nil
		problems, err = p.settle(maxRounds)
	}
	if err != nil {
		return nil, err
	}
	plan.Problems = slices.Concat(links, problems, p.images())
	if len(plan.Problems) == 0 {
		if err := p.redirect(plan); err != nil {
			return nil, err
		}
	}
	plan.Files, err = p.files()
	if err != nil {
		return nil, err
	}
	plan.emptied, plan.References = p.emptied, p.countEdits()
	if h := p.request.Heading; h != nil {
		plan.heading = &heading{Path: h.Path, Was: p.headingWas, Is: strings.TrimSpace(h.Text)}
	}
	order.Sort(plan.Problems, func(x, y Problem) int {
		if c := strings.Compare(x.Path, y.Path); c != 0 {
			return c
		}
		return int(x.Pos.Offset - y.Pos.Offset)
	})
	return plan, nil
}

// maxRounds is how often the edits of a move may need others.
const maxRounds = 5

// settle edits references until each has its former target. It audits the tree after each round of edits,
// at most a number of rounds. It returns the problems that remain.
func (p *planner) settle(rounds int) (problems []Problem, err error) {
	for round := 0; ; round++ {
		if round == 0 {
			err = p.againForeseen()
		} else {
			p.after, err = p.again()
		}
		if err != nil {
			return nil, err
		}
		edits, problems := p.compare(p.before, p.after)
		switch {
		case len(edits) == 0 && len(problems) > 0:
			return problems, nil // they do not depend on other edits
		case len(edits) == 0:
			return p.newFindings(p.before, p.after), nil
		case round == rounds:
			for _, e := range edits {
				problems = append(problems, p.problem(e.was, "no spelling of it was found that keeps its meaning"))
			}
			return problems, nil
		}
		if problems = p.apply(p.after, edits); len(problems) > 0 {
			return problems, nil
		}
	}
}

// countEdits returns the number of references that are spelled in another way than before.
func (p *planner) countEdits() (n int) {
	for _, name := range p.before.order {
		olds, news := p.before.refs[name], p.after.refs[p.target(name)]
		for i, f := range olds {
			if i < len(news) && !bytes.Equal(f.Ref.Raw, news[i].Ref.Raw) {
				n++
			}
		}
	}
	return n
}

// Target returns the path that a path has after the renames.
func target(renames []Rename, p string) string {
	best := ""
	to := p
	for _, r := range renames {
		if len(r.From) < len(best) {
			continue
		}
		if p == r.From {
			best, to = r.From, r.To
		} else if rest, ok := strings.CutPrefix(p, r.From+"/"); ok {
			best, to = r.From, r.To+"/"+rest
		}
	}
	return to
}

// String returns the problem as one line. It does not escape control characters.
func (p *Problem) String() string {
	switch {
	case p.Path == "":
		return p.Why
	case p.Written == "":
		return fmt.Sprintf("%s:%d: %s", p.Path, p.Pos.Line, p.Why)
	}
	return fmt.Sprintf("%s:%d:%d: %q: %s", p.Path, p.Pos.Line, p.Pos.Column, p.Written, p.Why)
}
