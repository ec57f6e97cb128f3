// Package move moves documents, and renames headings, so that references to them and in them keep
// their meaning.
//
//	the tree ─► audit ─► where each reference leads
//	         ─► moved in memory ─► audit ─► references that now lead elsewhere ─► edits
//	         ─► edited in memory ─► audit ─► each leads where it led; no new finding ─► Plan
//	Plan     ─► journal ─► files
//
//	move.go      Request, Plan
//	planner.go   audits of the tree in memory, and what differs between them
//	edit.go      edits of documents and configuration files
//	heading.go   the line of a heading
//	redirect.go  URLs that change, and redirects for them
//	apply.go     a Plan carried out; journal.go: and finished after it was interrupted
//	check.go     what may be moved
package move

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.org/refract/audit"
	"example.org/refract/extract"
)

// A Rename moves a file, or a directory with all that is in it. The names are absolute paths with
// forward slashes.
type Rename struct{ From, To string }

// A Heading is a heading to rename.
type Heading struct {
	Path string // absolute path of the document
	ID   string // a fragment that leads to it
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
	Redirects bool // also write redirects from the URLs that change
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
	Notes      []string // what the user may want to know
}

// A File is a document that changes, other than in its name.
type File struct {
	Path     string // absolute, before the move
	To       string // absolute, after it
	Old, New []byte
	edits    int // references
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

// plan computes the changes. It audits the tree after each round of edits, until no reference has to
// change any more.
func (p *planner) plan() (*Plan, error) {
	plan := &Plan{Renames: p.request.Renames}
	before := p.before
	if err := p.start(before); err != nil {
		return nil, err
	}
	const rounds = 5
	for round := 0; ; round++ {
		after, err := p.audit(p.tree())
		if err != nil {
			return nil, err
		}
		edits, problems := p.compare(before, after)
		if len(edits) == 0 || len(problems) > 0 || round == rounds {
			plan.Problems = append(plan.Problems, problems...)
			for _, e := range edits {
				if len(problems) > 0 {
					break
				}
				plan.Problems = append(plan.Problems, p.problem(e.was, "no spelling of it was found that keeps its meaning"))
			}
			if len(plan.Problems) == 0 {
				plan.Problems = p.newFindings(before, after)
			}
			p.after = after
			break
		}
		plan.References += len(edits)
		if failed := p.apply(after, edits); len(failed) > 0 {
			plan.Problems = append(plan.Problems, failed...)
			p.after = after
			break
		}
	}
	if len(plan.Problems) == 0 {
		if err := p.redirect(plan); err != nil {
			return nil, err
		}
	}
	plan.Files = p.files()
	slices.SortStableFunc(plan.Problems, func(x, y Problem) int {
		if c := strings.Compare(x.Path, y.Path); c != 0 {
			return c
		}
		return int(x.Pos.Offset - y.Pos.Offset)
	})
	return plan, nil
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
