package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/cmd/refract/internal/cli"
)

// A site whose generator makes ids by a rule of its own, and its build.
const builtTree = `
-- .git/HEAD --
-- .refract.yaml --
built: [out]
generator: none
-- docs/guide.md --
# Guide

## Read & write

## Plain

Text.
-- docs/index.md --
# Home

[one](guide.md#read-and-write) [two](guide.md#plain) [three](guide.md#panel)
-- out/guide/index.html --
<html><body><nav id="menu"><a href="/">Home</a></nav><main><h1 id="guide">Guide</h1><section id="read-and-write"><h2>Read &amp; write</h2></section>
<h2><a id="plain"></a>Plain</h2><div id="panel"></div></main></body></html>
-- out/index.html --
<html><body><main><h1 id="home">Home</h1><a href="/guide/#read-and-write">one</a> <a href="/guide/#plain">two</a> <a href="/guide/#panel">three</a></main></body></html>
`

// writeTree writes a tree into a new directory, which becomes the working directory.
func writeTree(t *testing.T, tree string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, f := range txtar.Parse([]byte(tree)).Files {
		err := os.MkdirAll(filepath.Dir(f.Name), 0o777)
		if err == nil {
			err = os.WriteFile(f.Name, f.Data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestBuiltIDsInEditor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, tree, text, want string }{
		{"as built", builtTree, "[one](guide.md#read-and-write) [three](guide.md#panel) [x](guide.md#gone)\n", `2:59-2:72 1 refract missing-fragment: "docs/guide.md" has no id "gone"`},
		{"a build that is not there", strings.ReplaceAll(builtTree, "-- out/", "-- other/"), "[one](guide.md#plain) [x](guide.md#read-and-write)\n", `2:26-2:49 1 refract missing-fragment: "docs/guide.md" has no id "read-and-write"`},
		{"by the rules, but not in the build", builtTree, "[one](guide.md#plain) [x](guide.md#read--write)\n", `2:26-2:46 1 refract missing-fragment: "docs/guide.md" has no id "read--write" by the slug algorithm github, but has one by docusaurus, gitlab, kramdown, kramdown-gfm and 5 others => guide.md#read-and-write`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEditor(t, tt.tree)
			e.start(allCapabilities)
			e.open("docs/index.md", "# Home\n\n"+tt.text)
			e.until("docs/index.md", tt.want)
			e.stop()
		})
	}
	t.Run("completion and definition", func(t *testing.T) {
		e := newEditor(t, builtTree)
		e.start(allCapabilities)
		e.open("docs/index.md", "# Home\n\n[one](guide.md#)\n[one](guide.md#read-and-write)\n")
		e.until("docs/index.md", "")
		got := e.result("textDocument/completion", e.place("docs/index.md", 2, 15))
		if !strings.Contains(got, `"read-and-write"`) || strings.Contains(got, `"menu"`) || strings.Contains(got, `"read--write"`) {
			t.Errorf("completions: %s", got)
		}
		got = e.result("textDocument/definition", e.place("docs/index.md", 3, 15))
		if !strings.Contains(got, `"line":2`) {
			t.Errorf("definition: %s", got)
		}
		e.stop()
	})
	t.Run("edited since", func(t *testing.T) {
		e := newEditor(t, builtTree)
		e.start(allCapabilities)
		e.open("docs/index.md", "# Home\n\n[one](guide.md#read-and-write) [x](guide.md#fresh)\n")
		e.until("docs/index.md", `2:35-2:49 1 refract missing-fragment: "docs/guide.md" has no id "fresh"`)
		e.open("docs/guide.md", "# Guide\n\n## Fresh\n\n## Read & write\n\n## Plain\n") // the build cannot know Fresh
		e.until("docs/index.md", "")
		e.stop()
	})
}

func TestBuiltIDsInMoves(t *testing.T) {
	for _, tt := range []struct {
		name     string
		args     []string
		status   int
		want     string // in what is printed
		in, text string // a file, and what it has then
	}{
		{"a file", []string{"docs/guide.md", "docs/manual.md"}, 0, "3 references edited", "docs/index.md", "[one](manual.md#read-and-write) [two](manual.md#plain) [three](manual.md#panel)"},
		{"a heading whose id the rules know", []string{"docs/guide.md#plain", "#Simple"}, 0, "1 reference edited", "docs/index.md", "[one](guide.md#read-and-write) [two](guide.md#simple) [three](guide.md#panel)"},
		{"a heading with another id", []string{"docs/guide.md#read-and-write", "#Write"}, cli.ExitFailed, `the build gives this heading the id "read-and-write"`, "docs/guide.md", "## Read & write"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			writeTree(t, builtTree)
			var out, errs bytes.Buffer
			code := run(append([]string{"mv"}, tt.args...), &out, &errs)
			text, _ := os.ReadFile(tt.in)
			if code != tt.status || !strings.Contains(errs.String(), tt.want) || !strings.Contains(string(text), tt.text) {
				t.Errorf("status %d: %s%s\n%s", code, out.String(), errs.String(), text)
			}
		})
	}
	t.Run("stale", func(t *testing.T) {
		writeTree(t, builtTree)
		later := time.Now().Add(time.Hour)
		os.Chtimes("docs/guide.md", later, later)
		var out, errs bytes.Buffer
		run([]string{"mv", "docs/guide.md", "docs/manual.md"}, &out, &errs)
		if !strings.Contains(errs.String(), "the build is stale: one document has changed since") {
			t.Error(errs.String())
		}
	})
}
