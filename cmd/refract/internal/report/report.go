// Package report writes the findings of an audit in the formats of their readers: other programs (SARIF,
// JUnit, Checkstyle, RDJSON, GitHub annotations, GitLab code quality), and people (Markdown, and an HTML
// page with the graph of links).
package report

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/order"
)

// A Run is one audit, from its arguments to its findings.
type Run struct {
	Version  string   // of refract
	Home     string   // URL of the repository of refract; "" means unknown
	Args     []string // the audited arguments, as given
	Findings []*audit.Finding
	// All yields the findings, in place of Findings, if it is not nil. It is called more than once.
	All iter.Seq[*audit.Finding]
	// Fails reports whether a finding fails the run. If nil, all findings except notes do.
	Fails func(*audit.Finding) bool
	// SourceURL is where the documents of the working directory can be read: a URL to which the name of a
	// document and "#L10" are added, or that has {path} and {line} in their place. "" means nowhere.
	SourceURL string
	// Pages has the pages of crawl archives, whose findings are about the records at their offsets; nil: the
	// documents are of a tree.
	Pages *Pages
	*audit.Report
}

// Pages are the pages and style sheets of crawl archives.
type Pages struct {
	N, Incomplete int    // all, and those that lack something
	Needed, Here  int    // resources of all
	Worst         []Page // the incomplete ones that lack most, at most MaxPages
}

// A Page is a page of a crawl archive. Its texts are shown as they are.
type Page struct {
	URL, Text string // Text says how many resources the page needs, and how many exist
	Lacks     int
}

// MaxPages limits the pages that are listed.
const MaxPages = 1000

// Add counts a page.
func (p *Pages) Add(page Page, needed, here int) {
	p.N++
	p.Needed += needed
	p.Here += here
	if page.Lacks == 0 {
		return
	}
	p.Incomplete++
	p.Worst = append(p.Worst, page)
	if len(p.Worst) >= 2*MaxPages {
		p.Sort()
	}
}

// Sort leaves the MaxPages pages that lack most, in that order.
func (p *Pages) Sort() {
	order.Sort(p.Worst, func(a, b Page) int { return b.Lacks - a.Lacks })
	p.Worst = p.Worst[:min(len(p.Worst), MaxPages)]
}

// all yields the findings.
func (r *Run) all() iter.Seq[*audit.Finding] {
	if r.All != nil {
		return r.All
	}
	return slices.Values(r.Findings)
}

// isFailure reports whether a finding fails the run.
func (r *Run) isFailure(f *audit.Finding) bool {
	if r.Fails != nil {
		return r.Fails(f)
	}
	return f.Level() == rule.LevelError
}

// text returns the text of a finding for formats without offsets: about a record, it ends with that.
func (r *Run) text(f *audit.Finding) string {
	if r.Pages == nil {
		return f.Text()
	}
	return fmt.Sprintf("%s (record at %d)", f.Text(), f.Pos.Offset)
}

// The formats for other programs are methods of [Run]. Text that is not UTF-8, or that a format cannot
// represent, becomes U+FFFD. Their errors are those of the writer.

// printable returns s without anything that moves a cursor or reverses text in a log.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if ascii.IsHidden(c) && c != '\n' && c != '\r' && c != '\t' {
			return unicode.ReplacementChar
		}
		return c
	}, s)
}
