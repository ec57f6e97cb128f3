package move

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/internal/slash"
	"example.org/refract/internal/testing/cmdtest"
)

// Where a file system renames a file to itself if only the case changes, the name changes all the same, also if the process
// ends on the way.
func TestRecase(t *testing.T) {
	was := atomicfile.System
	defer func() { atomicfile.System = was }()
	for _, ends := range []bool{false, true} {
		dir := cmdtest.Files(t, map[string]string{"a.md": "text"})
		from, to := filepath.Join(dir, "a.md"), filepath.Join(dir, "A.md")
		atomicfile.System.Rename = func(old, name string) error {
			switch {
			case strings.EqualFold(old, name):
				return nil
			case ends && name == to:
				return errors.New("ended")
			}
			return os.Rename(old, name)
		}
		if err := rename(from, to); (err != nil) != ends {
			t.Fatal(err)
		}
		ends = false
		if err := rename(from, to); err != nil {
			t.Fatal(err)
		}
		if got := cmdtest.Entries(t, dir); len(got) != 1 || got[0] != "A.md" {
			t.Errorf("%q", got)
		}
	}
}

// A file system that keeps another spelling is an error.
func TestRecaseRefused(t *testing.T) {
	was := atomicfile.System
	defer func() { atomicfile.System = was }()
	dir := cmdtest.Files(t, map[string]string{"a.md": "text"})
	atomicfile.System.Rename = func(old, name string) error {
		lower := func(name string) string { return filepath.Join(dir, strings.ToLower(filepath.Base(name))) }
		return os.Rename(lower(old), lower(name))
	}
	err := rename(filepath.Join(dir, "a.md"), filepath.Join(dir, "A.md"))
	if err == nil || !strings.Contains(err.Error(), "another spelling") {
		t.Errorf("%v, %q", err, cmdtest.Entries(t, dir))
	}
}

// A name is looked for as it is spelled, also where case does not matter; and it is there if that cannot be seen.
func TestHasEntry(t *testing.T) {
	was := atomicfile.System
	defer func() { atomicfile.System = was }()
	dir := cmdtest.Files(t, map[string]string{"a.md": "text"})
	atomicfile.System.Lstat = func(name string) (fs.FileInfo, error) {
		if filepath.Base(name) == "none" {
			return nil, fs.ErrNotExist
		}
		return os.Lstat(filepath.Join(dir, "a.md"))
	}
	for name, want := range map[string]bool{"a.md": true, "A.md": false, "none": false, "hidden/a.md": true} {
		if is, err := hasEntry(filepath.Join(dir, name)); is != want || err != nil {
			t.Errorf("%s: %v, %v", name, is, err)
		}
	}
	atomicfile.System.Lstat = func(name string) (fs.FileInfo, error) { return nil, fs.ErrPermission }
	if is, err := hasEntry(filepath.Join(dir, "a.md")); is || err == nil {
		t.Errorf("%v, %v", is, err)
	}
}

// Of a rename in two steps, the second is done later; no other file with such a name is used.
func TestHalfway(t *testing.T) {
	for _, tt := range []struct{ files, from, to, want string }{
		{"a.md A.md" + halfway, "a.md", "A.md", "A.md A.md" + halfway},
		{"A.md" + halfway, "a.md", "A.md", "A.md"},
		{"b.md" + halfway, "a.md", "b.md", "error b.md" + halfway},
		{"", "a.md", "A.md", "error"},
	} {
		files := map[string]string{}
		for _, name := range strings.Fields(tt.files) {
			files[name] = ""
		}
		dir := cmdtest.Files(t, files)
		var got []string
		if err := rename(filepath.Join(dir, tt.from), filepath.Join(dir, tt.to)); err != nil {
			got = append(got, "error")
		}
		if all := strings.Join(append(got, cmdtest.Entries(t, dir)...), " "); all != tt.want {
			t.Errorf("%s: %s, want %s", tt.files, all, tt.want)
		}
	}
}

// Only a name that differs in case is looked at again; and no other name is tried where the file could not be renamed.
func TestRenameOnce(t *testing.T) {
	was := atomicfile.System
	defer func() { atomicfile.System = was }()
	dir := cmdtest.Files(t, map[string]string{"a.md": "text"})
	at := func(name string) string { return filepath.Join(dir, name) }
	atomicfile.System.Rename = func(old, name string) error { return os.Rename(old, strings.ReplaceAll(name, "é", "e\u0301")) }
	if err := rename(at("a.md"), at("é.md")); err != nil {
		t.Error("a file system that composes no characters: ", err)
	}
	atomicfile.System.Rename = func(old, name string) error {
		if strings.EqualFold(old, name) {
			return errors.New("refused")
		}
		return os.Rename(old, name)
	}
	if err := rename(at("e\u0301.md"), at("E\u0301.md")); err == nil {
		t.Error("no error")
	}
	if got := cmdtest.Entries(t, dir); len(got) != 1 || got[0] != "e\u0301.md" {
		t.Errorf("%q", got)
	}
}

// The message about a move that stops says what to do.
func TestNextStep(t *testing.T) {
	tests := []struct {
		err    error
		system slash.System
		isHeld bool
	}{
		{&os.LinkError{Op: "rename", Err: sharingViolation}, slash.Windows, true},
		{fmt.Errorf("x: %w", lockViolation), slash.Windows, true},
		{fs.ErrPermission, slash.Windows, true},
		{fs.ErrNotExist, slash.Windows, false},
		{sharingViolation, slash.Unix, false}, // EPIPE
	}
	for _, tt := range tests {
		got := nextStep(tt.err, tt.system)
		if strings.Contains(got, "another program") != tt.isHeld || !strings.Contains(got, "run the command again to complete it") {
			t.Errorf("%v: %s", tt.err, got)
		}
	}
}
