package cmdtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// Files writes files to a new directory, and makes the directories in their names.
func Files(t *testing.T, texts map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range texts {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Gzipped returns text, compressed.
func Gzipped(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

// Entries lists the names in a directory.
func Entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

// Binary returns the path of the refract of this test.
func Binary(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "refract")
	if runtime.GOOS == "windows" { // symbolic links need a privilege there, and a link to a running program cannot be removed
		bin += ".exe"
		text, err := os.ReadFile(self)
		if err == nil {
			err = os.WriteFile(bin, text, 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
		return bin
	}
	if err := os.Symlink(self, bin); err != nil {
		t.Skip(err)
	}
	return bin
}

// Shell runs a command line in dir with the refract of this test.
func Shell(t *testing.T, dir, line string) (stdout, stderr string) {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here")
	}
	bin := filepath.Dir(Binary(t))
	cmd := exec.Command(sh, "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Errorf("%s: %v\n%s", line, err, errs.String())
	}
	return out.String(), errs.String()
}
