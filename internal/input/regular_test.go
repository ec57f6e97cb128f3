package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestReadRegular(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	if err := os.WriteFile(name, []byte("12345"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadRegular(name, 5); err != nil || string(text) != "12345" {
		t.Errorf("%q %v", text, err)
	}
	if _, err := ReadRegular(name, 4); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("%v", err)
	}
	if _, err := ReadRegular(dir, 4); !errors.Is(err, ErrNotRegular) {
		t.Errorf("%v", err)
	}
	if _, err := ReadRegular(filepath.Join(dir, "none"), 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if _, err := ReadRegular("/dev/zero", 4); !errors.Is(err, ErrNotRegular) {
		t.Errorf("%v", err)
	}
	// Its size is said to be 0.
	if _, err := ReadRegular("/proc/self/environ", 4); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("%v", err)
	}
}

// Ignore files that are devices or pipes are not read, nor those that are too large, whatever their
// size is said to be.
func TestIgnoreFilesAreRegular(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, "a.md"), nil, 0o666)
	os.WriteFile(filepath.Join(dir, ".rgignore"), []byte(strings.Repeat("a.md\n", maxIgnoreFile/5+1)), 0o666)
	if runtime.GOOS == "linux" {
		if err := os.Symlink("/dev/zero", filepath.Join(dir, ".gitignore")); err != nil {
			t.Fatal(err)
		}
		if err := makePipe(filepath.Join(dir, ".ignore")); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	failures := 0
	for f, err := range new(Options).Files([]string{dir}) {
		if err != nil {
			if !strings.Contains(err.Error(), "ignore file of more than") {
				t.Error(err)
			}
			failures++
			continue
		}
		names = append(names, filepath.Base(f.Path))
	}
	if len(names) != 1 || names[0] != "a.md" || failures != 1 {
		t.Errorf("%q, %d failures", names, failures)
	}
	if runtime.GOOS == "linux" {
		if text, err := readAll(Disk{}, filepath.Join(dir, ".gitignore")); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%q %v", text, err)
		}
	}
}
