package audit

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"example.org/refract/internal/audit/tree"
)

// The root of a file system has no directory above it: loops that look upwards end there. Every tree ends at it, with and
// without a repository, whatever generator publishes it.
func TestRootOfFileSystem(t *testing.T) {
	trees := map[string]fstest.MapFS{
		"a document":    {"a.md": {Data: []byte("[x](y)")}},
		"a directory":   {"d/a.md": {Data: []byte("[x](y) [z](/w) ![i](/j.png)")}, "d/b.md": {}},
		"an HTML page":  {"a.html": {Data: []byte("<a href=/x>y</a><script src=z.js></script>")}},
		"a style sheet": {"d/a.css": {Data: []byte("@import 'x/y'; @import 'y'; a { background: url(/z.png) }")}},
		"Markdown":      {"d/e/a.md": {Data: []byte("[x](/y/z) [x](/y/z.md) [z](../../../w)")}, "z.md": {}},
		"Sphinx":        {"conf.py": {}, "index.rst": {Data: []byte("`x <y>`_ :ref:`z` :doc:`/w`\n\n.. image:: v.png\n")}},
	}
	sites, err := filepath.Glob("testdata/generators/*/*")
	must(t, err)
	for _, dir := range sites {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		tree := fstest.MapFS{}
		must(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := fs.ReadFile(os.DirFS(dir), name)
			tree[name] = &fstest.MapFile{Data: text}
			return err
		}))
		trees[dir] = tree
	}
	for name, all := range trees {
		repository := maps.Clone(all)
		repository[".git/HEAD"] = &fstest.MapFile{Data: []byte("ref: refs/heads/main\n")}
		for _, fsys := range []fstest.MapFS{all, repository} {
			returned := make(chan error, 1)
			go func() {
				_, err := Run(context.Background(), Options{Tree: tree.FS(fsys), Hidden: true, NoIgnore: true}, nil)
				returned <- err
			}()
			select {
			case err := <-returned:
				must(t, err)
			case <-time.After(time.Minute):
				t.Fatalf("%s: no result after a minute", name)
			}
		}
	}
}
