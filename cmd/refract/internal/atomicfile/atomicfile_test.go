package atomicfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, name, text string) *File {
	t.Helper()
	f, err := Create(name, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return f
}

func content(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return "none"
	}
	return string(text)
}

func TestCommit(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	os.WriteFile(name, []byte("old"), 0o600)
	f := write(t, name, "new")
	if got := content(name); got != "old" || f.Temp() == "" {
		t.Errorf("before Commit: %q, temporary name %q", got, f.Temp())
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	if got := content(name); got != "new" || f.Temp() != "" {
		t.Errorf("after Commit: %q, temporary name %q", got, f.Temp())
	}
	if info, _ := os.Stat(name); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	write(t, name, "new").Discard()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files are left", len(left))
	}
}

// The file that a symbolic link points to is replaced, not the link.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	os.WriteFile(name, nil, 0o666)
	if os.Symlink("a", link) != nil {
		t.Skip("no symbolic links here")
	}
	if err := write(t, link, "new").Commit(); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(link); content(name) != "new" || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%q, mode of the link %v", content(name), info.Mode())
	}
}

func TestStandard(t *testing.T) {
	var out bytes.Buffer
	f, err := Create("", &out, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("x"))
	if _, ok := f.Stat(); ok || f.Commit() != nil || out.String() != "x" {
		t.Errorf("%q, regular file %v", out.String(), ok)
	}
	f.Discard()
}

func TestErrors(t *testing.T) {
	name := filepath.Join(t.TempDir(), "none", "a")
	if _, err := Create(name, nil, nil); err == nil || !strings.Contains(err.Error(), "output ") {
		t.Error(err)
	}
	f := write(t, filepath.Join(t.TempDir(), "a"), "x")
	err := os.Remove(f.Temp())
	if err != nil { // Windows keeps a file that is open
		f.Discard()
		t.Skip(err)
	}
	if err := f.Commit(); err == nil {
		t.Error("a file that is gone is committed")
	}
}

// A file is replaced only if its first bytes allow that, or if it is empty or new.
func TestReplaceable(t *testing.T) {
	ours := func(head []byte) bool { return bytes.HasPrefix(head, []byte("magic")) }
	for text, want := range map[string]bool{"": true, "#": false, "magic\nx": true, "magi": false, "# Title\n": false} {
		name := filepath.Join(t.TempDir(), "a")
		os.WriteFile(name, []byte(text), 0o666)
		f, err := Create(name, nil, ours)
		if (err == nil) != want || (Check(name, ours) == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
		if err != nil {
			if !errors.Is(err, errForeign) || content(name) != text {
				t.Errorf("%q: %v", content(name), err)
			}
			continue
		}
		// One that appears while it is written stays, too.
		os.WriteFile(name, []byte("a document"), 0o666)
		f.Write([]byte("x"))
		if err := f.Commit(); !errors.Is(err, errForeign) {
			t.Error(err)
		}
		f.Discard()
		if left, _ := os.ReadDir(filepath.Dir(name)); len(left) != 1 || content(name) != "a document" {
			t.Errorf("%d files are left, %q", len(left), content(name))
		}
	}
}

// What a killed run has left is removed, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	used := write(t, name, "in use")
	left, _ := CreateTemp(name, 0o666)
	_, err := tryLock(left) // false on Windows, where CreateTemp has locked this handle
	left.Close()
	if err != nil {
		t.Skip("no locks here")
	}
	foreign := strings.Repeat("0", numberLen) + strings.Repeat("f", hostLen) // of another machine
	foreign += hashOf("temporary file "+foreign, proofLen)
	others := []string{".a." + strings.Repeat("0", numberLen+hostLen+proofLen) + suffix, ".a.123.part", "a." + newProof() + suffix, suffix, ".a." + foreign + suffix}
	for _, other := range others {
		os.WriteFile(filepath.Join(dir, other), []byte("mine"), 0o666)
	}
	swept.Delete(dir)
	f := write(t, name, "new")
	if content(left.Name()) != "none" || content(used.Temp()) != "in use" {
		t.Errorf("%s: %q; %s: %q", left.Name(), content(left.Name()), used.Temp(), content(used.Temp()))
	}
	for _, other := range others {
		if content(filepath.Join(dir, other)) != "mine" {
			t.Errorf("%s is gone", other)
		}
	}
	old := time.Now().Add(-2 * abandoned)
	os.Chtimes(filepath.Join(dir, ".a."+foreign+suffix), old, old)
	swept.Delete(dir)
	Sweep(name)
	if content(filepath.Join(dir, ".a."+foreign+suffix)) != "none" {
		t.Error("what another machine has left two days ago stays")
	}
	if f.Commit() != nil || used.Commit() != nil {
		t.Error("not committed")
	}
}

func TestTempDir(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	killed, remove, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	other, removeOther, _ := TempDir()
	if content(filepath.Join(killed, lockName)) != "" {
		t.Error("a directory in use is gone")
	}
	removeOther()
	removeOther()
	if _, err := os.Stat(other); err == nil {
		t.Error("it is left")
	}
	defer remove()
	const mine = dirPrefix + "mine"
	os.Mkdir(filepath.Join(os.TempDir(), mine), 0o777)
	os.WriteFile(filepath.Join(os.TempDir(), mine, lockName), nil, 0o666)
	dead := filepath.Join(os.TempDir(), dirPrefix+newProof())
	os.Mkdir(dead, 0o777)
	os.WriteFile(filepath.Join(dead, lockName), nil, 0o666)
	_, removeThird, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	defer removeThird()
	if _, err := os.Stat(dead); err == nil && runtime.GOOS == "linux" {
		t.Error("what a killed run has left stays")
	}
	if _, err := os.Stat(filepath.Join(os.TempDir(), mine, lockName)); err != nil {
		t.Error(err)
	}
}

func TestLock(t *testing.T) {
	name := SidePath(filepath.Join(t.TempDir(), "a"), "lock")
	first, err := NewLock(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewLock(name); err != errLocked && runtime.GOOS == "linux" {
		t.Error(err)
	}
	first.Release()
	first.Release()
	second, err := NewLock(name)
	if err != nil {
		t.Fatal(err)
	}
	second.Release()
	if content(name) != "none" {
		t.Error("it is left")
	}
	if os.Symlink(filepath.Join(t.TempDir(), "b"), name) == nil && runtime.GOOS == "linux" {
		if _, err := NewLock(name); err == nil {
			t.Error("a link was followed")
		}
	}
}

// Before a lock or a temporary file is held, another run may take away its name, or give it to another file. Then it is
// made again.
func TestTakenAway(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed there")
	}
	defer func(lstat func(string) (fs.FileInfo, error)) { System.Lstat = lstat }(System.Lstat)
	for _, isReplaced := range []bool{false, true} {
		meddle := func(other func(name string)) {
			System.Lstat = func(name string) (fs.FileInfo, error) {
				System.Lstat = os.Lstat
				os.Remove(name)
				if isReplaced {
					os.WriteFile(name, nil, 0o666)
				}
				other(name)
				return os.Lstat(name)
			}
		}
		isThere := func(f *os.File) bool {
			mine, _ := f.Stat()
			there, err := os.Lstat(f.Name())
			return err == nil && os.SameFile(mine, there)
		}
		name := filepath.Join(t.TempDir(), "lock")
		meddle(func(string) {})
		lock, err := NewLock(name)
		if err != nil || lock == nil || !isThere(lock.file) {
			t.Fatalf("replaced: %v: %+v, %v", isReplaced, lock, err)
		}
		lock.Release()
		first := ""
		meddle(func(name string) { first = name })
		f, err := CreateTemp(name, 0o666)
		if err != nil || !isThere(f) || f.Name() == first || content(first) != "none" {
			t.Errorf("replaced: %v: %v, %v", isReplaced, f, err)
		}
		f.Close()
	}
}

// Without locks, a temporary file is held all the same; with the lock of another run, it is not. The number of tries has a
// limit.
func TestHolds(t *testing.T) {
	was := System
	defer func() { System = was }()
	for _, tt := range []struct {
		err   error
		files int
		isNew bool
	}{{errors.ErrUnsupported, 1, true}, {nil, 100, false}} {
		files := 0
		System.Lock = func(*os.File) (bool, error) { return false, tt.err }
		System.OpenFile = func(name string, how int, mode fs.FileMode) (*os.File, error) {
			files++
			return was.OpenFile(name, how, mode)
		}
		f, err := CreateTemp(filepath.Join(t.TempDir(), "a"), 0o666)
		if (err == nil) != tt.isNew || files != tt.files {
			t.Errorf("%v: %v after %d files", tt.err, err, files)
		}
		f.Close()
	}
	locks := 0
	System = was
	System.Lstat = func(string) (fs.FileInfo, error) {
		locks++
		return nil, fs.ErrNotExist
	}
	if _, err := NewLock(filepath.Join(t.TempDir(), "lock")); err != errLocked || locks != 100 {
		t.Errorf("%v after %d locks", err, locks)
	}
}

// A temporary file is removed once: not after Commit, and it is no error if it is gone.
func TestRemove(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	f := write(t, name, "new")
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	was := System
	defer func() { System = was }()
	System.Remove = func(name string) error {
		t.Errorf("%q is removed", name)
		return nil
	}
	f.Discard()
	System = was
	for range 2 {
		if err := remove(name); err != nil || content(name) != "none" {
			t.Errorf("%v: %q", err, content(name))
		}
	}
	os.WriteFile(name, nil, 0o666)
	if runtime.GOOS == "windows" {
		return // what is below a file does not exist there, and is no error
	}
	err := remove(filepath.Join(name, "b"))
	if err == nil || !strings.Contains(err.Error(), " stays: ") {
		t.Error(err)
	}
}
