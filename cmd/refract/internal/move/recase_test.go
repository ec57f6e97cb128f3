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
