package move

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"example.org/refract/internal/audit/tree"
)

// A countedTree calls reach before each file that is opened, with its number.
type countedTree struct {
	tree.Tree
	opened atomic.Int32
	reach  func(n int, name string) error
}

func (c *countedTree) Open(name string) (fs.File, error) {
	if err := c.reach(int(c.opened.Add(1)), name); err != nil {
		return nil, err
	}
	return c.Tree.Open(name)
}

// unreliable are trees and a request for each: a move with redirects, a new heading, and a new label.
func unreliable(tree tree.Tree, line string) *Request {
	if line == "label" {
		return &Request{Options: options(tree), Label: &Label{Path: "/t/s/index.rst", Offset: 9, Text: "m"}}
	}
	return request(tree, line)
}

var (
	unreliableFiles = map[string]string{
		"mkdocs.yml":    "site_name: x\nnav:\n  - index.md\n  - a.md\n  - c.md\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: a.md\n",
		"docs/index.md": "# I\n\n[a](a.md#a) [c](c.md)\n", "docs/a.md": "# A\n\n[i](index.md)\n", "docs/c.md": "# C\n\n[a](a.md)\n",
		"s/conf.py": "project = 'x'\n", "s/index.rst": "I\n=\n\n.. _l:\n\nB\n-\n\n:ref:`l` :doc:`x`\n", "s/x.rst": "X\n=\n\n:ref:`l`\n",
	}
	unreliableLines = []string{"docs/a.md -> docs/b/a.md --redirects", "docs/a.md#a -> #New", "label"}
)

// A plan that is interrupted is none: Make returns the error, whatever it was about to read.
func TestInterrupted(t *testing.T) {
	for _, line := range unreliableLines {
		whole, last := "", 0
		for at := 0; at == 0 || at <= last; at++ {
			ctx, stop := context.WithCancel(t.Context())
			counted := &countedTree{Tree: inMemory(unreliableFiles)}
			counted.reach = func(n int, _ string) error {
				if n == at {
					stop()
				}
				return nil
			}
			plan, err := Make(ctx, unreliable(counted, line))
			stop()
			switch {
			case at == 0 && (err != nil || len(plan.Problems) > 0 || len(plan.Files) == 0):
				t.Fatalf("%s: %v %+v", line, err, plan)
			case at == 0:
				whole, last = describedPlan(plan), int(counted.opened.Load())
			case err == nil && describedPlan(plan) != whole:
				t.Errorf("%s, interrupted at %d of %d: %s", line, at, last, describedPlan(plan))
			case err != nil && !errors.Is(err, context.Canceled):
				t.Errorf("%s, interrupted at %d of %d: %v", line, at, last, err)
			}
		}
	}
}

// A document that cannot be read once results in the same plan, to an error, or to a problem of a document that is there: never to half of a
// plan, such as an insertion of all of a text that was not read. Without its configuration, a site has other redirects.
func TestUnreadable(t *testing.T) {
	for _, line := range unreliableLines {
		whole, last := "", 0
		for at := 0; at == 0 || at <= last; at++ {
			counted := &countedTree{Tree: inMemory(unreliableFiles)}
			failed := ""
			counted.reach = func(n int, name string) error {
				if n != at {
					return nil
				}
				failed = name
				return &fs.PathError{Op: "open", Path: name, Err: errors.New("input/output error")}
			}
			plan, err := Make(t.Context(), unreliable(counted, line))
			switch {
			case at == 0 && err == nil:
				whole, last = describedPlan(plan), int(counted.opened.Load())
			case err != nil || len(plan.Problems) > 0:
				if err == nil {
					for _, p := range plan.Problems {
						if _, is := unreliableFiles[strings.TrimPrefix(p.Path, "/t/")]; p.Path != "" && !is {
							t.Errorf("%s, %s cannot be read: a problem in %s, which is not there", line, failed, p.Path)
						}
					}
				}
			case describedPlan(plan) != whole && path.Ext(failed) != ".yml":
				t.Errorf("%s, %s cannot be read at %d of %d: %s\nwant\n%s", line, failed, at, last, describedPlan(plan), whole)
			}
		}
	}
}
