package audit

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/refract/internal/audit/tree"
)

// keeping is a site with redirects, and a build of it.
var keeping = fstest.MapFS{
	"t/.git/HEAD":                {},
	"t/mkdocs.yml":               {Data: []byte("site_name: x\nsite_url: https://h.example/d/\nplugins:\n- redirects:\n    redirect_maps:\n      old.md: guide/a.md\n      away.md: https://other.example/\n")},
	"t/docs/index.md":            {Data: []byte("# Home page\n")},
	"t/docs/guide/a.md":          {Data: []byte("# Guide page\n")},
	"t/docs/x.pdf":               {},
	"t/site/index.html":          {Data: []byte("<html><h1>Home page</h1></html>"), ModTime: time.Unix(1, 0)},
	"t/site/guide/a/index.html":  {Data: []byte("<html><h1>Guide page</h1></html>"), ModTime: time.Unix(1, 0)},
	"t/site/made-by/index.html":  {Data: []byte("<html><h1>Made page</h1></html>"), ModTime: time.Unix(1, 0)},
	"t/site/also-made/index.htm": {Data: []byte("<html></html>"), ModTime: time.Unix(1, 0)},
}

func kept(list ...Kept) iter.Seq2[Kept, error] {
	return func(yield func(Kept, error) bool) {
		for i, k := range list {
			k.File, k.Line = "list.txt", i+1
			if !yield(k, nil) {
				return
			}
		}
	}
}

// A URL that must stay is found at a site of the tree, or in the build, or is a finding in the list, or is not checked.
func TestKeep(t *testing.T) {
	list := []Kept{
		{URL: "https://h.example/d/guide/a/"}, {URL: "http://www.h.example/d/guide/a/?q#x"}, {URL: "/d/"}, {URL: "/d/old/"}, {URL: "/guide/a/", IsBelow: true}, {URL: "/d/x.pdf"}, {URL: "/d/made-by/"},
		{URL: "/d/none/"}, {URL: "/none/", IsBelow: true, Uses: 5}, {URL: "d/none"}, {URL: "/d/gu%69de/a/"},
		{URL: "https://other.example/d/none/"}, {URL: "https://[/"}, {URL: "/elsewhere/"},
	}
	for _, tt := range []struct {
		name    string
		built   []Site
		want    []string
		skipped int
	}{
		{"the model", nil, []string{`9 "/none/" is not published by any site of the tree, and has 5 uses`, `7 "/d/made-by/" is not published by any site of the tree`,
			`8 "/d/none/" is not published by any site of the tree`, `10 "d/none" is not published by any site of the tree`, `14 "/elsewhere/" is not published by any site of the tree`}, 2},
		{"the build", []Site{{Dir: "site"}}, []string{`9 "/none/" is not published by the build, and has 5 uses`, `4 "/d/old/" is not published by the build`, `6 "/d/x.pdf" is not published by the build`,
			`8 "/d/none/" is not published by the build`, `10 "d/none" is not published by the build`}, 3},
	} {
		var got []string
		o := Options{Tree: tree.FS(keeping), Dir: "/t", Paths: []string{"docs", "mkdocs.yml"}, Keep: kept(list...)}
		if tt.built != nil {
			o.Built = []Site{{URL: "https://h.example/d/", Dir: "site"}}
		}
		r, err := Run(t.Context(), o, func(f *Finding) {
			if f.File != "list.txt" || f.Rule != "removed-url" {
				t.Errorf("%s: %+v", tt.name, f)
			}
			got = append(got, fmt.Sprint(f.Pos.Line, " ", f.Message))
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, tt.want) || r.SkippedNames != tt.skipped {
			t.Errorf("%s: %d not checked: %v\n%s\nwant\n%s", tt.name, r.SkippedNames, r.Reasons, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// Of many URLs that are gone, those with the most uses are findings, and a note counts the others. An error of the list ends the audit.
func TestKeepMany(t *testing.T) {
	const n = 2*maxKept + 10
	many := func(yield func(Kept, error) bool) {
		for i := range n {
			if !yield(Kept{URL: fmt.Sprintf("/d/none%d", i), Uses: i, File: "list.txt", Line: i + 1}, nil) {
				return
			}
		}
	}
	count, least := 0, n
	r, err := Run(t.Context(), Options{Tree: tree.FS(keeping), Dir: "/t", Paths: []string{"docs"}, Keep: many}, func(f *Finding) { count, least = count+1, min(least, f.Pos.Line-1) })
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%d more URLs are not published: only the %d with the most uses are reported", n-maxKept, maxKept); count != maxKept || least != n-maxKept || len(r.Notes) != 1 || r.Notes[0].Text != want {
		t.Errorf("%d findings, the least with %d uses: %v", count, least, r.Notes)
	}
	broken := errors.New("broken")
	_, err = Run(t.Context(), Options{Tree: tree.FS(keeping), Dir: "/t", Paths: []string{"docs"}, Keep: func(yield func(Kept, error) bool) { yield(Kept{}, broken) }}, nil)
	if err != broken {
		t.Errorf("%v", err)
	}
}

// The redirects of a report are those of all sites, with where they apply.
func TestRedirectsOfReport(t *testing.T) {
	r, err := Run(t.Context(), Options{Tree: tree.FS(keeping), Dir: "/t", Paths: []string{"docs", "mkdocs.yml"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []RedirectEntry{
		{File: "mkdocs.yml", From: "old.md", To: "guide/a.md", URL: "https://h.example/d/old/"}, {File: "mkdocs.yml", From: "away.md", To: "https://other.example/", URL: "https://h.example/d/away/"},
	}
	if got := r.Redirects(); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
