package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// The names of temporary files are those of other versions, which remove what killed runs have left.
func TestTempNames(t *testing.T) {
	long := strings.Repeat("x", 300)
	for base, want := range map[string]string{"a.md": `^\.a\.md\.[0-9a-f]{36}\.refract-part$`, long: `^\.x{190}\.[0-9a-f]{36}\.refract-part$`} {
		name := tempName(base)
		if !regexp.MustCompile(want).MatchString(name) || !IsTemp(name) || len(name) > 255 {
			t.Errorf("%q", name)
		}
	}
	for _, name := range []string{"a" + tempName("a.md"), strings.Replace(tempName("a.md"), suffix, ".part", 1), "." + suffix, "." + strings.Repeat("0", numberLen+hostLen+proofLen) + suffix} {
		if IsTemp(name) {
			t.Errorf("%q is a temporary file", name)
		}
	}
	side := SidePath(filepath.Join("d", long), "lock", "k")
	if !regexp.MustCompile(`^\.x{200}\.[0-9a-f]{24}\.lock$`).MatchString(filepath.Base(side)) || filepath.Dir(side) != "d" {
		t.Errorf("%q", side)
	}
	if a := SidePath("a", "lock"); a != SidePath("a", "lock") || a == SidePath("a", "lock", "k") || a == SidePath("b", "lock") || a == SidePath("a", "log") {
		t.Errorf("%q is no name of its own", a)
	}
}

// Files have the modes that are documented, and the umask of the process.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are those of Unix")
	}
	dir := t.TempDir()
	mode := func(name string) os.FileMode {
		info, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	os.WriteFile(filepath.Join(dir, "plain"), nil, 0o666)
	umask := 0o666 &^ mode(filepath.Join(dir, "plain"))
	lock, err := NewLock(filepath.Join(dir, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if got := mode(lock.Name()); got != 0o666&^umask {
		t.Errorf("a lock has mode %o", got)
	}
	f := write(t, filepath.Join(dir, "a"), "x")
	if got := mode(f.Temp()); got != 0o666&^umask {
		t.Errorf("an output has mode %o", got)
	}
	if info, ok := f.Stat(); !ok || info.Size() != 1 {
		t.Errorf("%v, regular file %v", info, ok)
	}
	f.Discard()
	t.Setenv("TMPDIR", dir)
	temp, remove, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	if mode(temp) != 0o700 || mode(filepath.Join(temp, lockName)) != 0o600 {
		t.Errorf("a directory has mode %o, and its lock %o", mode(temp), mode(filepath.Join(temp, lockName)))
	}
}

// A directory for temporary files cannot be made where there is none, and an output is not a directory.
func TestNoPlace(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(dir, nil, nil); err == nil || !strings.HasPrefix(err.Error(), "output ") {
		t.Error(err)
	}
	if _, err := NewLock(filepath.Join(dir, "none", "lock")); err == nil || strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "none"))
	t.Setenv("TMP", filepath.Join(dir, "none"))
	if _, _, err := TempDir(); err == nil {
		t.Error("a directory in one that is not there")
	}
	if runtime.GOOS == "windows" {
		return
	}
	f, err := Create(os.DevNull, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("x")); err != nil {
		t.Error(err)
	}
	if _, ok := f.Stat(); ok || f.Temp() != "" || f.Commit() != nil {
		t.Errorf("a device: regular file %v, temporary name %q", ok, f.Temp())
	}
	f.Discard()
}

// Bounds that are documented, and values that need no system call.
func TestBounds(t *testing.T) {
	if _, err := Head(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("there is no such file")
	}
	for size, want := range map[int]int{0: 0, 4095: 4095, 4096: 4096, 4097: 4096} {
		name := filepath.Join(t.TempDir(), "a")
		os.WriteFile(name, make([]byte, size), 0o666)
		if head, err := Head(name); err != nil || len(head) != want {
			t.Errorf("%d of %d bytes: %v", len(head), size, err)
		}
	}
	foreign := strings.Repeat("0", numberLen) + strings.Repeat("f", hostLen)
	foreign += hashOf("temporary file "+foreign, proofLen)
	for age, want := range map[time.Duration]bool{23*time.Hour + 59*time.Minute: false, 24*time.Hour + time.Minute: true} {
		files := fstest.MapFS{"a": {ModTime: time.Now().Add(-age)}}
		entries, err := files.ReadDir(".")
		if err != nil || len(entries) != 1 {
			t.Fatal(err)
		}
		if got := mayBeLeft(entries[0], foreign); got != want {
			t.Errorf("of another machine, %v ago: %v", age, got)
		}
		if !mayBeLeft(entries[0], newProof()) || mayBeLeft(entries[0], foreign[1:]) {
			t.Errorf("the machine that has made a file, %v ago", age)
		}
	}
	info, err := fs.Stat(fstest.MapFS{"a": {}}, "a")
	if err != nil {
		t.Fatal(err)
	}
	if n := Links(filepath.Join(t.TempDir(), "none"), info); n != 1 && runtime.GOOS != "windows" {
		t.Errorf("%d names of a file of no disk", n)
	}
	(*Lock)(nil).Release()
}

// A name that another file has is not taken: the next one is tried, a hundred times.
func TestNameTaken(t *testing.T) {
	was := System
	defer func() { System = was }()
	dest := filepath.Join(t.TempDir(), "a")
	for taken, fails := range map[int]bool{0: false, 1: false, 99: false, 100: true} {
		tried := map[string]bool{}
		System.OpenFile = func(name string, flag int, mode fs.FileMode) (*os.File, error) {
			if tried[name] {
				t.Errorf("%s is tried twice", name)
			}
			tried[name] = true
			if len(tried) <= taken {
				return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
			}
			return was.OpenFile(name, flag, mode)
		}
		f, err := CreateTemp(dest, 0o666)
		if (err != nil) != fails {
			t.Errorf("%d names are taken: %v", taken, err)
		}
		if err == nil {
			f.Close()
			os.Remove(f.Name())
		}
	}
}

// A directory that cannot be listed is not swept, and a file that is closed has no lock: neither is a reason to fail.
func TestNothingToSweep(t *testing.T) {
	dir := t.TempDir()
	Sweep(filepath.Join(dir, "none", "a"))
	f, err := os.Create(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if locked, err := tryLock(f); err == nil && runtime.GOOS != "windows" || locked && err != nil {
		t.Errorf("a closed file is locked: %v, %v", locked, err)
	}
	left := Abandon(t, dir)
	removeUnlocked(filepath.Join(left, "none"), func(string) { t.Error("a file that is not there would be removed") })
}

// OpenFile opens a file, and nothing that a link points to.
func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	err := os.WriteFile(name, []byte("x"), 0o666)
	if err == nil {
		err = os.Symlink(name, link)
	}
	if err != nil {
		t.Skip(err)
	}
	f, err := OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if content(name) != "" {
		t.Errorf("%q", content(name))
	}
	if f, err := OpenFile(link, os.O_RDONLY, 0); err == nil {
		f.Close()
		if noFollow != 0 {
			t.Error("a link is followed")
		}
	}
}
