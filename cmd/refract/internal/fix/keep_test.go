//go:build linux

package fix

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/internal/audit"
)

// A file that is written keeps what belongs to it, or it is not written.
func TestKeeps(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "g.md", "")
	write(t, "a.md", "[x](G.md)")
	must(t, os.Chmod("a.md", 0o604))
	if err := unix.Setxattr("a.md", "user.refract", []byte("kept"), 0); err != nil {
		t.Skip("no extended attributes here: ", err)
	}
	must(t, unix.Setxattr("a.md", "user.empty", nil, 0))
	if os.Geteuid() == 0 {
		must(t, os.Chown("a.md", 1234, 5678))
	}
	var before, after unix.Stat_t
	must(t, unix.Stat("a.md", &before))
	for _, f := range files(t, audit.Options{}, "a.md") {
		must(t, f.Write())
	}
	must(t, unix.Stat("a.md", &after))
	if after.Uid != before.Uid || after.Gid != before.Gid || after.Mode != before.Mode {
		t.Errorf("%d:%d %o, want %d:%d %o", after.Uid, after.Gid, after.Mode, before.Uid, before.Gid, before.Mode)
	}
	value := make([]byte, 10)
	if n, err := unix.Getxattr("a.md", "user.refract", value); err != nil || string(value[:n]) != "kept" {
		t.Errorf("%q %v", value, err)
	}
	if _, err := unix.Getxattr("a.md", "user.empty", value); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile("a.md"); string(text) != "[x](g.md)" {
		t.Errorf("%q", text)
	}
}

// A file with several names is not written: the others would keep the old text.
func TestHardLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "g.md", "")
	write(t, "a.md", "[x](G.md)")
	write(t, "b.md", "[x](G.md)")
	must(t, os.Link("a.md", "a.txt"))
	for _, f := range files(t, audit.Options{}, "a.md", "b.md") {
		if strings.HasSuffix(f.Path, "a.md") {
			if f.New != nil || len(f.Skipped) != 1 || f.Skipped[0].Why != atomicfile.ErrLinks.Error() {
				t.Errorf("%+v", f)
			}
			continue
		}
		must(t, os.Link("b.md", "b.txt")) // since it was read
		if err := f.Write(); err == nil || !strings.Contains(err.Error(), "hard links") {
			t.Error(err)
		}
	}
	for _, name := range []string{"a.md", "b.md"} {
		if text, _ := os.ReadFile(name); string(text) != "[x](G.md)" {
			t.Errorf("%s: %q", name, text)
		}
	}
}
