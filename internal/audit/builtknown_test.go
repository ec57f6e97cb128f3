package audit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/tree"
)

// Audits of a tree that changes use the ids of a build: all while a document is as it was, later those of the headings that are
// still there, and of a newer document none.
func TestKnown(t *testing.T) {
	hour := func(n int) time.Time { return time.Unix(int64(3600*n), 0) }
	files := fstest.MapFS{
		"docs/index.md": {ModTime: hour(1), Data: []byte("# Home page\n\n[1](guide.md#own) [2](guide.md#one-1) [3](guide.md#none) [4](guide.md#two-x) [5](new.md#new-id) [6](guide.md#widget)\n")},
		"docs/guide.md": {ModTime: hour(1), Data: []byte("# Guide page\n\n## One\n\n## One\n\n## Two\n")},
		"docs/new.md":   {ModTime: hour(3), Data: []byte("# New page\n")},
		"docs/other.md": {ModTime: hour(1), Data: []byte("# Other page\n")},
		"out/index.html": {ModTime: hour(2), Data: []byte(`<html><main><h1 id=home>Home page</h1><a href=guide.html#own>1</a> <a href=guide.html#one-1>2</a> <a href=guide.html#none>3</a> ` +
			`<a href=guide.html#two-x>4</a> <a href=new.html#new-id>5</a> <a href=guide.html#widget>6</a></main></html>`)},
		"out/guide.html": {ModTime: hour(2), Data: []byte(`<html><main><h1 id=own>Guide page</h1><h2 id=one-0>One</h2><h2 id=one-1>One</h2><h2 id=two-x>Two</h2><div id=widget></div></main></html>`)},
		"out/new.html":   {ModTime: hour(2), Data: []byte(`<html><main><h1 id=new-id>New page</h1></main></html>`)},
		"out/other.html": {ModTime: hour(2), Data: []byte(`<html><main><h1>Other page</h1></main></html>`)},
	}
	known := new(audit.BuiltIDs)
	check := func(when string, wants ...string) {
		t.Helper()
		var got []string
		o := audit.Options{Tree: tree.FS(files), Paths: []string{"docs"}, Built: []audit.Site{{Dir: "out"}}, BuiltIDs: known, Generator: "none"}
		if _, err := audit.Run(t.Context(), o, func(f *audit.Finding) { got = append(got, fmt.Sprintf("%s %s %s", f.File, f.Rule, f.Ref.Ref)) }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, wants) {
			t.Errorf("%s:\n%s\nwant\n%s", when, strings.Join(got, "\n"), strings.Join(wants, "\n"))
		}
	}
	edit := func(name, text string) { files[name] = &fstest.MapFile{ModTime: hour(4), Data: []byte(text)} }

	check("as built", "docs/index.md missing-fragment guide.md#none", "docs/index.md missing-fragment new.md#new-id")
	if want := "the build is stale: one document has changed since, and the ids of its page are not used"; known.Note() != want {
		t.Errorf("%q", known.Note())
	}
	edit("docs/guide.md", "# Guide page\n\nMore.\n\n## One\n\n## One\n\n## Three\n")
	check("with another heading", "docs/index.md missing-fragment guide.md#none", "docs/index.md missing-fragment guide.md#two-x", "docs/index.md missing-fragment new.md#new-id")
	edit("docs/guide.md", "# Guide page\n\n## One\n\n## Two\n")
	check("with one of two equal headings", "docs/index.md missing-fragment guide.md#one-1", "docs/index.md missing-fragment guide.md#none", "docs/index.md missing-fragment new.md#new-id")

	// A new build is read: now all documents are older, or newer.
	for name := range files {
		if strings.HasPrefix(name, "out/") {
			files[name].ModTime = hour(5)
		}
	}
	edit("docs/index.md", string(files["docs/index.md"].Data))
	check("built again", "docs/index.md missing-fragment guide.md#none")
	if known.Note() != "" {
		t.Errorf("%q", known.Note())
	}
	for name := range files {
		if strings.HasPrefix(name, "out/") {
			files[name].ModTime = hour(2)
		}
	}
	files["docs/other.md"].ModTime = hour(3)
	check("an old build", "docs/index.md missing-fragment guide.md#own", "docs/index.md missing-fragment guide.md#one-1", "docs/index.md missing-fragment guide.md#none",
		"docs/index.md missing-fragment guide.md#two-x", "docs/index.md missing-fragment new.md#new-id", "docs/index.md missing-fragment guide.md#widget")
	if want := "the build is stale: 4 documents have changed since, and the ids of their pages are not used"; known.Note() != want {
		t.Errorf("%q", known.Note())
	}

	// A build that is not of these documents is not used.
	for name := range files {
		if strings.HasPrefix(name, "out/") {
			files[name] = &fstest.MapFile{ModTime: hour(6), Data: []byte("<html><h1 id=own>Something else in " + name + "</h1><h2 id=two-x></h2></html>")}
		}
	}
	check("another build", "docs/index.md missing-fragment guide.md#own", "docs/index.md missing-fragment guide.md#one-1", "docs/index.md missing-fragment guide.md#none",
		"docs/index.md missing-fragment guide.md#two-x", "docs/index.md missing-fragment new.md#new-id", "docs/index.md missing-fragment guide.md#widget")
}
