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
	"example.org/refract/cmd/refract/internal/cmdtest"
	"example.org/refract/internal/slash"
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
