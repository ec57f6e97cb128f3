package audit

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/audit/doc"
)

// zipDir replaces a directory by a ZIP archive of its files, a mimetype first.
func zipDir(t *testing.T, dir string) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(name string) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		m, err := w.CreateHeader(&zip.FileHeader{Name: filepath.ToSlash(name), Method: zip.Store})
		must(t, err)
		_, err = m.Write(bytes.TrimSuffix(text, []byte("\n")))
		must(t, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "mimetype")); err == nil {
		add("mimetype")
	}
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && name != "mimetype" {
			add(name)
		}
		return err
	}))
	must(t, w.Close())
	must(t, os.RemoveAll(dir))
	must(t, os.WriteFile(dir, b.Bytes(), 0o666))
}

// An audit with a Cache finds what one without it does, after a book has changed, too.
func TestCachedBook(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(page string) {
		must(t, os.RemoveAll("a.epub"))
		for name, text := range map[string]string{
			"mimetype": "application/epub+zip", "META-INF/container.xml": `<rootfile full-path="p.opf"/>`, "x.xhtml": page,
			"p.opf": `<item id="x" href="x.xhtml" media-type="application/xhtml+xml"/><itemref idref="x"/>`,
		} {
			must(t, os.MkdirAll(filepath.Dir("a.epub/"+name), 0o777))
			must(t, os.WriteFile("a.epub/"+name, []byte(text), 0o666))
		}
		zipDir(t, "a.epub")
		old := time.Now().Add(-time.Hour)
		must(t, os.Chtimes("a.epub", old, old))
	}
	cache := new(doc.Cache)
	for i, page := range []string{"<html><a href='no'>", "<html><a href='no'>", "<html><a href='#n'>", "<html><a href='#n'>", "<html><a href='x.xhtml'>"} {
		write(page)
		for range 3 {
			plain := findings(t, &Options{}, []string{"."})
			if got := findings(t, &Options{Cache: cache}, []string{"."}); got != plain || (i < 4) != (got != "") {
				t.Fatalf("%d: %q, without a cache %q", i, got, plain)
			}
		}
	}
}

// readFileOrMember reads a file, or the member of an archive: "book.epub!/a.xhtml".
func (o *Options) readFileOrMember(name string) ([]byte, error) {
	archive, member, ok := strings.Cut(name, "!/")
	switch {
	case !ok && o.Tree != nil:
		f, err := o.Tree.Open(name)
		if err != nil {
			return nil, err
		}
		return io.ReadAll(f)
	case !ok:
		return os.ReadFile(name)
	}
	z, err := zip.OpenReader(archive)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	f, err := z.Open(member)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
