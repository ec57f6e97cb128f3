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

// readFileOrMember reads a file, or the member of an archive: "book.epub!/a.xhtml".
func readFileOrMember(name string) ([]byte, error) {
	archive, member, ok := strings.Cut(name, "!/")
	if !ok {
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
