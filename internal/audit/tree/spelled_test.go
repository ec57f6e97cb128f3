package tree

import (
	"io/fs"
	"path"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/input"
)

// A caseless file system ignores case and the composition of letters, as those of Windows and macOS.
type caseless struct{ fs.FS }

// name returns a name as the file system spells it, or unchanged if it is not there.
func (c caseless) name(name string) string {
	if name == "." {
		return name
	}
	dir := c.name(path.Dir(name))
	entries, _ := fs.ReadDir(c.FS, dir)
	for _, e := range entries {
		if Fold(e.Name()) == Fold(path.Base(name)) {
			return path.Join(dir, e.Name())
		}
	}
	return path.Join(dir, path.Base(name))
}

func (c caseless) Open(name string) (fs.File, error) { return c.FS.Open(c.name(name)) }

func TestSpelled(t *testing.T) {
	file := new(fstest.MapFile)
	files := fstest.MapFS{"Docs/Sub/a.md": file, "Docs/Stra\u00dfe.md": file, "Docs/u\u0308ber.md": file, "Docs/\u304b\u3099.md": file, "other/1.md": file}
	tests := []struct{ dir, name, want string }{
		{"/", "docs/sub/A.md", "Docs/Sub/a.md"},
		{"/", "docs/sub/", "Docs/Sub/"},
		{"/", "./docs/../DOCS//sub", "./Docs/../Docs//Sub"},
		{"/docs", "SUB/a.md", "Sub/a.md"},
		{"/docs", "/docs/SUB", "/Docs/Sub"},
		{"/", "docs/\u00fcber.md", "Docs/u\u0308ber.md"}, // NFC, on disk NFD
		{"/", "docs/\u304c.md", "Docs/\u304b\u3099.md"},  // not a letter with a case
		{"/", "docs/none/Sub", "Docs/none/Sub"},
		{"/", "other/1.md", "other/1.md"},
		{"/", ".", "."},
		{"/", "/", "/"},
		{"/", "", ""},
	}
	for _, tt := range tests {
		if got := Spelled(FS(caseless{files}), tt.dir, tt.name); got != tt.want {
			t.Errorf("%s in %s: %s, want %s", tt.name, tt.dir, got, tt.want)
		}
		if got := Spelled(FS(files), tt.dir, tt.name); got != tt.name {
			t.Errorf("where case matters, %s in %s: %s", tt.name, tt.dir, got)
		}
	}
	both := fstest.MapFS{"docs/a.md": file, "DOCS/a.md": file}
	if got := Spelled(input.Rooted{FS: both}, "/", "docs/a.md"); got != "docs/a.md" {
		t.Errorf("two directories: %s", got)
	}
}
