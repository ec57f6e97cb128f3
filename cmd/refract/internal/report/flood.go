package report

import (
	"fmt"
	"iter"
	"strings"

	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// minFlood is the number of findings with the same cause from which they are combined.
const minFlood = 10

// A Flood is a group of findings with the same cause.
type Flood struct {
	First *audit.Finding
	N     int    // findings: either one, or nearly always at least minFlood
	Text  string // describes them together; "" for a single finding
}

// A cause is a property that findings share.
type cause struct {
	rule rule.Rule
	what string
}

// rooted is the cause of references "/x" in a tree without a generator, and alike that of all notes of a rule.
const rooted, alike = "/", "*"

// Floods groups findings by cause, in the order of the first finding of each group. Findings have
// the same cause if they have the same rule, and either the same Cause, or references that begin
// with "/" in a tree where nobody knows the meaning of these, or are only notes. It goes through
// findings three times, and keeps only the causes.
func Floods(findings iter.Seq[*audit.Finding]) iter.Seq[Flood] {
	return func(yield func(Flood) bool) {
		t := floodTable{at: map[cause]int{}}
		for f := range findings {
			for _, c := range causesOf(f) {
				t.of(c).shared++
			}
		}
		for f := range findings {
			if g, _ := t.group(f); g != nil {
				g.size++
			}
		}
		for f := range findings {
			flood := Flood{First: f, N: 1}
			if g, c := t.group(f); g != nil {
				if g.isDone {
					continue
				}
				g.isDone = true
				flood.N, flood.Text = g.size, c.text(f, g.size)
			}
			if !yield(flood) {
				return
			}
		}
	}
}

// A floodGroup is what Floods counts of a cause.
type floodGroup struct {
	shared int // findings that have the cause
	size   int // those that have it in their Flood
	isDone bool
}

type floodTable struct {
	at     map[cause]int // index in groups
	groups []floodGroup
}

// of returns the group of a cause. It is valid until the next call.
func (t *floodTable) of(c cause) *floodGroup {
	i, isKnown := t.at[c]
	if !isKnown {
		i = len(t.groups)
		t.at[c] = i
		t.groups = append(t.groups, floodGroup{})
	}
	return &t.groups[i]
}

// group returns the group of f among those that are large enough, and its cause; nil if f remains by itself.
func (t *floodTable) group(f *audit.Finding) (g *floodGroup, of cause) {
	shared := 0
	for _, c := range causesOf(f) {
		if next := t.of(c); next.shared >= minFlood && 5*shared < 4*next.shared { // prefer the narrower cause if it is nearly as large
			g, of, shared = next, c, next.shared
		}
	}
	return g, of
}

// causesOf returns the causes that f may share with others, the narrowest first.
func causesOf(f *audit.Finding) (all []cause) {
	if f.Cause != "" {
		all = append(all, cause{f.Rule, f.Cause})
	}
	if (f.Rule == rule.MissingFile || f.Rule == rule.BrokenImage) && f.Facts == nil && strings.HasPrefix(f.Written(), "/") {
		all = append(all, cause{f.Rule, rooted})
	}
	switch {
	case f.Rule == rule.Orphan: // documents, and other files
		all = append(all, cause{f.Rule, f.Message})
	case f.Level() == rule.LevelNote:
		all = append(all, cause{f.Rule, alike})
	}
	return all
}

// text describes what n findings have in common.
func (c cause) text(first *audit.Finding, n int) string {
	what := "links"
	if c.rule == rule.BrokenImage {
		what = "images"
	}
	switch {
	case n == 1:
		return ""
	case c.what == alike && noted[c.rule] != "":
		return fmt.Sprintf("%s %s", webpage.Number(n), noted[c.rule])
	case c.rule == rule.Forbidden && c.what != alike:
		return fmt.Sprintf("%s references: %s", webpage.Number(n), c.what)
	case c.what == rooted:
		return fmt.Sprintf("%s %s that begin with \"/\" lead nowhere: is --root missing?", webpage.Number(n), what)
	case strings.HasSuffix(c.what, "/") && (c.rule == rule.MissingFile || c.rule == rule.BrokenImage):
		return fmt.Sprintf("%s %s lead into %q, which is missing", webpage.Number(n), what, c.what)
	}
	return fmt.Sprintf("%s (and %s more like it)", first.Text(), webpage.Number(n-1))
}

// noted describes several notes of a rule, after their number.
var noted = map[rule.Rule]string{
	rule.Redirect:    "redirects: links to former URLs of pages",
	rule.Unused:      "link definitions that are not used",
	rule.EmptyLink:   "empty references, which point to their own documents",
	rule.DuplicateID: "links to ids that their documents have twice",
}
