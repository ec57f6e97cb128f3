package fix

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/testing/scantest"
)

// pinnedRefs are the references that are written in place of others.
var pinnedRefs = []string{
	"b.md", "../a b/c.md", "x\"y'z", "é/ü.html#ö", "a&b=c;d", "(p)[q]{r}", "<t>", "http://new.example/x?y=1&z=2#f", "#new", "?q", "a,b c", "a\\b", "a|b*c_d", "mailto:new@h.example", "",
}

// Documents of each type have, after edits of their references, the text that they had.
func TestPinned(t *testing.T) {
	mixture := func(name string) scantest.Mixture {
		return scantest.Mixture{Grammar: scantest.Grammars[name], Count: 90}
	}
	scantest.PinnedOf(t, "../../../../extract/testdata/pinned.txtar", mixture, func(name string, i int, doc []byte) string {
		options := Options{Config: func(string) extract.Config {
			return extract.Config{Type: name, Retrieved: base.Source{URI: "http://host.example/dir/page"}, Lines: true, WikiLinks: i%2 == 0}
		}}
		return pinnedRewriting(&options, i, doc) + pinnedFixes(&options, i, doc)
	})
}

// pinnedRewriting returns what a Rewriter makes of a document.
func pinnedRewriting(options *Options, i int, doc []byte) string {
	n := i
	o := Rewriter{Options: *options, OnlyKnown: i%5 == 0, Decide: func(r *extract.Reference, onlyASCII bool) (d Decision, ok bool) {
		n++
		if n%4 == 0 {
			return d, false
		}
		d.Ref = pinnedRefs[n%len(pinnedRefs)]
		if n%7 == 0 {
			d.Why = "not this one"
		}
		if strings.HasPrefix(d.Ref, "http:") {
			d.URL = d.Ref
		}
		return d, true
	}}
	w := &Rewriting{File: File{Path: "x", Old: doc}}
	o.Apply(w)
	var b strings.Builder
	fmt.Fprintf(&b, "%q %d %s\n", w.Refused, w.Edited(), w.New)
	for _, c := range w.Changes {
		fmt.Fprintf(&b, "%+v\n", *c)
	}
	return b.String()
}

// pinnedFixes returns what is made of a document whose references have suggestions.
func pinnedFixes(options *Options, i int, doc []byte) string {
	var findings []*audit.Finding
	cfg := options.Config("x")
	for r, err := range cfg.Walk("x", bytes.NewReader(doc)) {
		if err != nil {
			break
		}
		if i++; i%5 > 0 {
			r = r.Clone()
			findings = append(findings, &audit.Finding{Path: "x", Pos: r.Pos, Ref: r, Suggestion: pinnedRefs[i%(len(pinnedRefs)-1)]})
		}
	}
	f := &File{Path: "x", Old: doc}
	options.Apply(f, findings)
	var b strings.Builder
	start, end, text, ok := f.Edit()
	fmt.Fprintf(&b, "%d %d %q %v\n%s", start, end, text, ok, f.AppendDiff(nil, false))
	for _, s := range f.Skipped {
		fmt.Fprintf(&b, "skipped %v %s\n", s.Finding.Pos, s.Why)
	}
	for _, finding := range f.Fixed {
		fmt.Fprintf(&b, "fixed %v now %v\n", finding.Pos, f.Now(finding.Pos))
	}
	return b.String()
}
