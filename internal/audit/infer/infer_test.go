package infer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
)

// A recorder learns what it has seen.
type recorder struct {
	suffix string
	seen   []string
	learnt string
}

func (l *recorder) takes(d *doc.Document) bool { return strings.HasSuffix(d.Path, l.suffix) }
func (l *recorder) see(d *doc.Document, ref *doc.Reference) {
	l.seen = append(l.seen, d.Path+" "+ref.Ref)
}
func (l *recorder) learn() { l.learnt = fmt.Sprint(len(l.seen)) }

// TestPass shows references in the order of the paths of their documents, each to the learners that take its document.
func TestPass(t *testing.T) {
	of := func(path string, refs ...string) *doc.Document {
		d := &doc.Document{Path: path}
		for _, ref := range refs {
			d.Refs = append(d.Refs, doc.Reference{Ref: ref})
		}
		return d
	}
	w := &lead.World{Library: lead.Library{Inputs: &lead.Inputs{Sorted: []*doc.Document{of("/a.md", "x", "y"), of("/b.rst", "z"), of("/c.md", "w")}}}}
	md, all := &recorder{suffix: ".md"}, &recorder{}
	(&Inference{World: w}).pass(md, all)
	if want := []string{"/a.md x", "/a.md y", "/c.md w"}; !slices.Equal(md.seen, want) || md.learnt != "3" {
		t.Errorf("saw %q, want %q", md.seen, want)
	}
	if want := []string{"/a.md x", "/a.md y", "/b.rst z", "/c.md w"}; !slices.Equal(all.seen, want) {
		t.Errorf("saw %q, want %q", all.seen, want)
	}
}

func TestCounts(t *testing.T) {
	for _, test := range []struct {
		c        relativeCount
		isRule   bool
		suffixes string
	}{
		{relativeCount{all: 20, missing: 9, found: map[string]int{".md": 9}}, false, ""}, // too few
		{relativeCount{all: 20, missing: 10, found: map[string]int{".md": 10}}, false, ".md"},
		{relativeCount{all: 19, missing: 10, found: map[string]int{".md": 10}}, true, ".md"},
		{relativeCount{all: 30, missing: 30, found: map[string]int{".md": 14}}, true, ""}, // explains too little
		{relativeCount{all: 30, missing: 30, found: map[string]int{".md": 14, ".html": 1}}, true, ""},
		{relativeCount{all: 30, missing: 30, found: map[string]int{".md": 14, ".html": 2}}, true, ".md .html"},
	} {
		if got := strings.Join(test.c.suffixes(), " "); test.c.mostAreMissing() != test.isRule || got != test.suffixes {
			t.Errorf("%+v: rule %t, suffixes %q", test.c, test.c.mostAreMissing(), got)
		}
	}
	for _, test := range []struct {
		c      nestedCount
		isRule bool
	}{
		{nestedCount{all: 9, nested: 9}, false},
		{nestedCount{all: 20, nested: 10}, true},
		{nestedCount{all: 21, nested: 10}, false},
		{nestedCount{all: 100, nested: 2, plain: 1, sections: lead.MinSections}, true},
		{nestedCount{all: 100, nested: 1, plain: 1, sections: lead.MinSections}, false},
	} {
		if test.c.isRule() != test.isRule {
			t.Errorf("%+v: rule %t", test.c, test.c.isRule())
		}
	}
}

func TestGiven(t *testing.T) {
	for in, want := range map[string]string{"": "", "/": "/", "docs": "/docs/", "/docs/": "/docs/", "/a/b": "/a/b/"} {
		if got := Given(nil, nil, in).Prefix; got != want {
			t.Errorf("prefix %q is %q, want %q", in, got, want)
		}
	}
}
