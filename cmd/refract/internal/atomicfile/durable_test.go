package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/atomicfile/faulttest"
)

// outcome returns the content of a, whether there was an error, and which other files are left: those
// that the error names, and others.
func outcome(t *testing.T, dir string, err error) string {
	t.Helper()
	text, readErr := os.ReadFile(filepath.Join(dir, "a"))
	result := string(text)
	if readErr != nil {
		result = "none"
	}
	if err != nil {
		result += ", error"
		if !errors.Is(err, faulttest.Err) && !strings.Contains(err.Error(), "no temporary file could be made") {
			t.Error(err)
		}
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		switch {
		case e.Name() == "a":
		case err != nil && strings.Contains(err.Error(), e.Name()):
			result += ", names what is left"
		default:
			result += ", leaves a file"
		}
	}
	return result
}

func compare(t *testing.T, got, want string) {
	t.Helper()
	want = strings.TrimPrefix(want, "\n")
	if got != want && runtime.GOOS == "linux" {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// What a failure of each call of Save results in. A text is never a part of one.
func TestSaveFaults(t *testing.T) {
	for _, killed := range []bool{false, true} {
		table := faulttest.Each(t, killed, func(f *faulttest.Fault) string {
			dir := filepath.Join(t.TempDir(), "dir")
			os.Mkdir(dir, 0o700)
			name := filepath.Join(dir, "a")
			os.WriteFile(name, []byte("old"), 0o600)
			err := f.Do(func() error {
				return atomicfile.Save(name, []byte("new"), func(head []byte) bool { return string(head) == "old" })
			})
			result := outcome(t, dir, err)
			if killed { // the next run removes what is left
				atomicfile.Forget(dir)
				if err := atomicfile.Save(name, []byte("newer"), nil); err != nil {
					t.Error(err)
				}
				result += "; then " + outcome(t, dir, nil)
			}
			return result
		})
		if !killed {
			compare(t, table, `
open a: old, error
open temporary file: old, error
lock temporary file: new
stat temporary file: new
lstat temporary file: new
write temporary file: old, error
sync temporary file: old, error
close temporary file: old, error
open a: old, error
rename to a: old, error
open dir: new
sync dir: new
close dir: new
`)
		} else {
			compare(t, table, `
open a: old, error; then newer
open temporary file: old, error; then newer
lock temporary file: old, error, leaves a file; then newer
stat temporary file: old, error, leaves a file; then newer
lstat temporary file: old, error, leaves a file; then newer
write temporary file: old, error, names what is left; then newer
sync temporary file: old, error, names what is left; then newer
close temporary file: old, error, names what is left; then newer
open a: old, error, names what is left; then newer
rename to a: old, error, names what is left; then newer
open dir: new; then newer
sync dir: new; then newer
close dir: new; then newer
`)
		}
	}
}

// What a failure of each call of Replace results in.
func TestReplaceFaults(t *testing.T) {
	for _, killed := range []bool{false, true} {
		table := faulttest.Each(t, killed, func(f *faulttest.Fault) string {
			dir := filepath.Join(t.TempDir(), "dir")
			os.Mkdir(dir, 0o700)
			name := filepath.Join(dir, "a")
			os.WriteFile(name, []byte("old"), 0o640)
			info, _ := os.Stat(name)
			err := f.Do(func() error { return atomicfile.Replace(name, info, []byte("new")) })
			result := outcome(t, dir, err)
			if now, _ := os.Stat(name); now.Mode() != info.Mode() {
				t.Errorf("mode %v, want %v", now.Mode(), info.Mode())
			}
			return result
		})
		if !killed {
			compare(t, table, `
open temporary file: old, error
lock temporary file: new
stat temporary file: new
lstat temporary file: new
write temporary file: old, error
open a: old, error
stat a: old, error
copy attributes to temporary file: old, error
chmod temporary file: old, error
stat temporary file: old, error
close a: new
sync temporary file: old, error
close temporary file: old, error
lstat a: old, error
rename to a: old, error
open dir: new
sync dir: new
close dir: new
`)
		} else {
			compare(t, table, `
open temporary file: old, error
lock temporary file: old, error, leaves a file
stat temporary file: old, error, leaves a file
lstat temporary file: old, error, leaves a file
write temporary file: old, error, names what is left
open a: old, error, names what is left
stat a: old, error, names what is left
copy attributes to temporary file: old, error, names what is left
chmod temporary file: old, error, names what is left
stat temporary file: old, error, names what is left
close a: old, error, names what is left
sync temporary file: old, error, names what is left
close temporary file: old, error, names what is left
lstat a: old, error, names what is left
rename to a: old, error, names what is left
open dir: new
sync dir: new
close dir: new
`)
		}
	}
}

// What a failure of each call of Prepare and Rename results in. What Prepare has begun is the caller's
// own, and stays.
func TestPrepareFaults(t *testing.T) {
	table := faulttest.Each(t, false, func(f *faulttest.Fault) string {
		dir := filepath.Join(t.TempDir(), "dir")
		os.Mkdir(dir, 0o700)
		name, own := filepath.Join(dir, "a"), filepath.Join(dir, "0")
		os.WriteFile(name, []byte("old"), 0o640)
		err := f.Do(func() error {
			err := atomicfile.Prepare(own, name, []byte("new"))
			if err == nil {
				err = atomicfile.Rename(own, name)
			}
			return err
		})
		os.Remove(own)
		return outcome(t, dir, err)
	})
	compare(t, table, `
open 0: old, error
write 0: old, error
open a: old, error
stat a: old, error
copy attributes to 0: old, error
chmod 0: old, error
stat 0: old, error
close a: new
sync 0: old, error
close 0: old, error
lstat dir: old, error
rename to a: old, error
open dir: new
sync dir: new
close dir: new
`)
}

// What a failure of each call of Rename results in, which makes directories. It may be repeated.
func TestRenameFaults(t *testing.T) {
	table := faulttest.Each(t, false, func(f *faulttest.Fault) string {
		dir := filepath.Join(t.TempDir(), "dir")
		os.Mkdir(dir, 0o700)
		from, to := filepath.Join(dir, "a"), filepath.Join(dir, "b", "c", "d")
		os.WriteFile(from, []byte("text"), 0o666)
		err := f.Do(func() error { return atomicfile.Rename(from, to) })
		result := "done"
		if err != nil {
			result = "error, repeated"
			err = atomicfile.Rename(from, to)
		}
		if text, _ := os.ReadFile(to); err != nil || string(text) != "text" {
			t.Errorf("%q, %v", text, err)
		}
		return result
	})
	compare(t, table, `
lstat c: error, repeated
lstat b: error, repeated
lstat dir: error, repeated
mkdir b: error, repeated
open dir: done
sync dir: done
close dir: done
mkdir c: error, repeated
open b: done
sync b: done
close b: done
rename to d: error, repeated
open c: done
sync c: done
close c: done
open dir: done
sync dir: done
close dir: done
`)
}

// What a failure of each call of NewLock results in. A lock that may not be held is not given.
func TestLockFaults(t *testing.T) {
	table := faulttest.Each(t, false, func(f *faulttest.Fault) string {
		name := filepath.Join(t.TempDir(), "lock")
		var lock *atomicfile.Lock
		err := f.Do(func() (err error) {
			lock, err = atomicfile.NewLock(name)
			return err
		})
		if err != nil {
			return err.Error()
		}
		lock.Release()
		if _, err := os.Lstat(name); err == nil {
			t.Error("it is left")
		}
		return "acquired"
	})
	compare(t, table, `
open lock: injected fault
lock lock: acquired
stat lock: injected fault
lstat lock: injected fault
`)
}

// What a failure of each call of TempDir results in: without a directory, nothing is left, and what another run has left is only removed
// once it is known that it has ended.
func TestTempDirFaults(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the table is of Unix")
	}
	table := faulttest.Each(t, false, func(f *faulttest.Fault) string {
		all := t.TempDir()
		t.Setenv("TMPDIR", all)
		left := atomicfile.Abandon(t, all)
		var dir string
		remove := func() {}
		err := f.Do(func() (err error) {
			dir, remove, err = atomicfile.TempDir()
			return err
		})
		result := "made"
		if err != nil {
			result = "error"
		}
		if _, err := os.Lstat(left); err == nil {
			result += ", the other is there"
			os.RemoveAll(left)
		}
		if _, err := os.Lstat(dir); (dir != "") != (err == nil) {
			t.Errorf("%q: %v", dir, err)
		}
		if err == nil {
			remove()
			remove()
		}
		if entries, _ := os.ReadDir(all); len(entries) > 0 {
			t.Errorf("%v are left", entries)
		}
		return result
	})
	table = regexp.MustCompile(`refract-\w+`).ReplaceAllString(table, "dir")
	compare(t, table, `
open .lock: made, the other is there
lock .lock: made, the other is there
close .lock: made
mkdir dir: error
open .lock: error
lock .lock: made
`)
}

// A file is neither replaced nor prepared for if that would lose something.
func TestReplaceRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(name string)
		want   string
	}{
		{"written to", func(name string) { os.WriteFile(name, []byte("longer"), 0o666) }, "has changed"},
		{"touched", func(name string) { os.Chtimes(name, time.Now(), time.Unix(1e9, 0)) }, "has changed"},
		{"another file", func(name string) { os.Rename(name+"2", name) }, "has changed"},
		{"removed", func(name string) { os.Remove(name) }, "no such file"},
		{"hard link", func(name string) { os.Link(name, name+"3") }, "several hard links"},
		{"directory", func(name string) { os.Remove(name); os.Mkdir(name, 0o777) }, "is a directory"},
		{"device", func(name string) { os.Remove(name); os.Symlink(os.DevNull, name) }, "not a regular file"},
	}
	for _, test := range tests {
		if runtime.GOOS == "windows" {
			t.Skip("the messages are those of Unix")
		}
		dir := t.TempDir()
		name := filepath.Join(dir, "a")
		os.WriteFile(name, []byte("old"), 0o666)
		os.WriteFile(name+"2", []byte("old"), 0o666)
		info, _ := os.Stat(name)
		os.Chtimes(name+"2", time.Now(), info.ModTime())
		test.change(name)
		err := atomicfile.Replace(name, info, []byte("new"))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if text, _ := os.ReadFile(name); string(text) == "new" {
			t.Errorf("%s: it is replaced", test.name)
		}
	}
	for _, name := range []string{os.DevNull, filepath.Join(t.TempDir(), "none", "a")} {
		if err := atomicfile.Save(name, []byte("new"), nil); err == nil || !strings.HasPrefix(err.Error(), "output ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := atomicfile.Save(os.DevNull, nil, nil); err == nil || !strings.HasSuffix(err.Error(), ": not a regular file") {
		t.Error(err)
	}
	if _, err := atomicfile.NewLock(os.DevNull); err == nil || err.Error() != "not a regular file" {
		t.Error(err)
	}
}

// Nobody else can read a text before it has the permissions of the file that it replaces. New
// directories are open to all, but for the umask.
func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are those of Unix")
	}
	was := atomicfile.System
	defer func() { atomicfile.System = was }()
	written := 0
	atomicfile.System.Write = func(f *os.File, text []byte) (int, error) {
		info, err := f.Stat()
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		written++
		return was.Write(f, text)
	}
	dir := t.TempDir()
	name, own, to := filepath.Join(dir, "a"), filepath.Join(dir, "0"), filepath.Join(dir, "b", "a")
	os.WriteFile(name, []byte("old"), 0o666)
	os.Mkdir(filepath.Join(dir, "c"), 0o777)
	like, _ := os.Stat(filepath.Join(dir, "c"))
	info, _ := os.Stat(name)
	err := errors.Join(atomicfile.Replace(name, info, []byte("new")), atomicfile.Prepare(own, name, []byte("new")), atomicfile.Rename(own, to))
	if err != nil || written != 2 {
		t.Error(err, written)
	}
	if now, err := os.Stat(filepath.Dir(to)); err != nil || now.Mode() != like.Mode() {
		t.Errorf("%v, want %v; %v", now.Mode(), like.Mode(), err)
	}
	if now, err := os.Stat(to); err != nil || now.Mode() != info.Mode() {
		t.Errorf("%v, want %v; %v", now.Mode(), info.Mode(), err)
	}
}

// Hard links are refused before the text is written, and again before it gets the name.
func TestHardLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the messages are those of Unix")
	}
	was := atomicfile.System
	defer func() { atomicfile.System = was }()
	dir := t.TempDir()
	name, own := filepath.Join(dir, "a"), filepath.Join(dir, "0")
	os.WriteFile(name, []byte("old"), 0o666)
	info, _ := os.Stat(name)
	atomicfile.System.Sync = func(f *os.File) error {
		os.Link(name, name+"2")
		return was.Sync(f)
	}
	if err := atomicfile.Replace(name, info, []byte("new")); !errors.Is(err, atomicfile.ErrLinks) {
		t.Error(err)
	}
	atomicfile.System = was
	if err := atomicfile.Prepare(own, name, []byte("new")); !errors.Is(err, atomicfile.ErrLinks) {
		t.Error(err)
	}
}
