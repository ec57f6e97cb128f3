package input

import (
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/slash"
)

// Windows leaves wildcards to programs.
func TestExpand(t *testing.T) {
	file := new(fstest.MapFile)
	tree := Rooted{FS: fstest.MapFS{"docs/b.md": file, "docs/A.MD": file, "docs/.c.md": file, "docs/x[1].md": file, "docs/sub/d.md": file, "docs/sub/e.txt": file, "dogs/f.md": file}}
	tests := []struct{ args, want string }{
		{`docs\*.md`, "docs/A.MD docs/b.md docs/x[1].md"},
		{`docs/?.md`, "docs/A.MD docs/b.md"},
		{`/do?s/*.md`, "/docs/A.MD /docs/b.md /docs/x[1].md /dogs/f.md"},
		{`docs\*\*.txt -`, "docs/sub/e.txt -"},
		{`docs\.*.md`, "docs/.c.md"},
		{`docs\x[*`, "docs/x[1].md"},
		{`docs\b.md docs\sub`, `docs\b.md docs\sub`},
		{`docs\x[1].md`, `docs\x[1].md`},
		{`docs\*.rst`, `"docs/*.rst": no file matches`},
		{`none\*.md`, `"none/*.md": no file matches`},
		{`\\?\Z:\x`, `\\?\Z:\x`},
	}
	for _, tt := range tests {
		got, err := Expand(tree, strings.Fields(tt.args), slash.Windows)
		text := strings.Join(got, " ")
		if err != nil {
			text = err.Error()
		}
		if text != tt.want {
			t.Errorf("%s: %s, want %s", tt.args, text, tt.want)
		}
	}
	if got, err := Expand(tree, []string{"docs/*.md"}, slash.Unix); err != nil || got[0] != "docs/*.md" {
		t.Errorf("on Unix: %q, %v", got, err)
	}
}

// On Windows, a backslash in a glob separates directories.
func TestGlobSeparators(t *testing.T) {
	if got := withSlashes(`docs\sub\*.md`, slash.Windows); got != "docs/sub/*.md" {
		t.Errorf("Windows: %s", got)
	}
	if got := withSlashes(`docs\[a].md`, slash.Unix); got != `docs\[a].md` {
		t.Errorf("Unix: %s", got)
	}
}

// Globs that match nothing are known after a walk.
func TestGlobUse(t *testing.T) {
	file := new(fstest.MapFile)
	o := Options{
		Tree: Rooted{FS: fstest.MapFS{"docs/a.md": file, "docs/b/c.txt": file}}, From: "/", NoIgnore: true,
		Globs: []string{"*.md", "*.rst", "b/", "!*.png", "docs/b/*.html"}, GlobUse: new(GlobUse),
	}
	read := func(args ...string) {
		for _, err := range o.Files(args) {
			if err != nil {
				t.Error(err)
			}
		}
	}
	read("docs/a.md")
	if got := o.GlobUse.Unmatched(); got != nil {
		t.Errorf("no directory is walked: %q", got)
	}
	read("docs")
	read("docs/b")
	if got, want := strings.Join(o.GlobUse.Unmatched(), " "), "*.rst docs/b/*.html"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
