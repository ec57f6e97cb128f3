package report

import (
	"fmt"
	"strings"

	"example.org/refract/audit"
	"example.org/refract/cmd/refract/internal/webpage"
)

// minFlood is the number of findings with the same cause from which they are combined.
const minFlood = 10

// A Flood is a group of findings with the same cause.
type Flood struct {
	Findings []*audit.Finding // either one, or at least minFlood
	Text     string           // describes them together; "" for a single finding
}

// A cause is a property that findings share.
type cause struct {
	rule audit.Rule
	what string
}

// rooted is the cause of references "/x" in a tree without a generator.
const rooted = "/"

// Floods groups findings by cause, in the order of the first finding of each group. Findings have
// the same cause if they have the same rule, and either the same Cause, or references that begin
// with "/" in a tree where nobody knows the meaning of these.
func Floods(findings []*audit.Finding) (floods []Flood) {
	counts := map[cause]int{}
	for _, f := range findings {
		for _, c := range causesOf(f) {
			counts[c]++
		}
	}
	at := map[cause]int{} // index in floods
	for _, f := range findings {
		var of cause
		for _, c := range causesOf(f) {
			if counts[c] >= minFlood && 5*counts[of] < 4*counts[c] { // prefer the narrower cause if it is nearly as large
				of = c
			}
		}
		if of.rule == "" {
			floods = append(floods, Flood{Findings: []*audit.Finding{f}})
			continue
		}
		i, isKnown := at[of]
		if !isKnown {
			i = len(floods)
			at[of] = i
			floods = append(floods, Flood{})
		}
		floods[i].Findings = append(floods[i].Findings, f)
	}
	for c, i := range at {
		floods[i].Text = c.text(floods[i].Findings)
	}
	return floods
}

// causesOf returns the causes that f may share with others, the narrowest first.
func causesOf(f *audit.Finding) (all []cause) {
	if f.Cause != "" {
		all = append(all, cause{f.Rule, f.Cause})
	}
	if (f.Rule == audit.MissingFile || f.Rule == audit.BrokenImage) && f.Facts == nil && strings.HasPrefix(f.Written(), "/") {
		all = append(all, cause{f.Rule, rooted})
	}
	return all
}

// text describes what findings have in common.
func (c cause) text(findings []*audit.Finding) string {
	n := len(findings)
	what := "links"
	if c.rule == audit.BrokenImage {
		what = "images"
	}
	switch {
	case n == 1:
		return ""
	case c.what == rooted:
		return fmt.Sprintf("%s %s that begin with \"/\" lead nowhere: is --root missing?", webpage.Number(n), what)
	case strings.HasSuffix(c.what, "/") && (c.rule == audit.MissingFile || c.rule == audit.BrokenImage):
		return fmt.Sprintf("%s %s lead into %q, which is missing", webpage.Number(n), what, c.what)
	}
	return fmt.Sprintf("%s (and %s more like it)", findings[0].Text(), webpage.Number(n-1))
}
