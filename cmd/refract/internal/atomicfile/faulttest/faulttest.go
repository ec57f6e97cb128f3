// Package faulttest makes the calls of package atomicfile fail, one after the other, to test the effect of
// each failure.
package faulttest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"example.org/refract/cmd/refract/internal/atomicfile"
)

// Err is the cause of the errors of calls that fail.
var Err = errors.New("injected fault")

// maxCalls limits the number of calls of a function, so that one that repeats them ends.
const maxCalls = 2000

// A Fault makes calls fail.
type Fault struct {
	first, last int // numbers of the calls that fail
	made        int
	failed      string
}

// Each calls run with the first call failing, with the second one, and so on, until all of its calls
// succeed. If killed, all calls after the failing one also fail, as if the process had ended there. run
// prepares files, calls Do, and returns the effect. Each returns a line for each call: the call, the name
// of its file, and that result.
func Each(t *testing.T, killed bool, run func(f *Fault) (result string)) (table string) {
	t.Helper()
	for i := 1; i < maxCalls; i++ {
		f := &Fault{first: i, last: i}
		if killed {
			f.last = maxCalls
		}
		result := run(f)
		if f.failed == "" {
			return table
		}
		table += fmt.Sprintf("%s: %s\n", f.failed, result)
	}
	t.Fatal("too many calls")
	return ""
}

// Do calls a function whose calls fail.
func (f *Fault) Do(call func() error) error {
	was := atomicfile.System
	defer func() { atomicfile.System = was }()
	atomicfile.System = f.around(was)
	return call()
}

// check counts a call, and returns an error if it fails.
func (f *Fault) check(call, name string) error {
	f.made++
	if f.made < f.first || f.made > f.last {
		return nil
	}
	if f.failed == "" {
		if atomicfile.IsTemp(name) {
			name = "temporary file"
		}
		f.failed = call + " " + filepath.Base(name)
	}
	return Err
}

// checkPath is check for calls whose errors have the path.
func (f *Fault) checkPath(call, name string) error {
	err := f.check(call, name)
	if err != nil {
		return &fs.PathError{Op: call, Path: name, Err: err}
	}
	return nil
}

func (f *Fault) around(c atomicfile.Calls) atomicfile.Calls {
	byName := func(op string, call func(string) error) func(string) error {
		return func(name string) error {
			err := f.checkPath(op, name)
			if err == nil {
				err = call(name)
			}
			return err
		}
	}
	byFile := func(op string, call func(*os.File) error) func(*os.File) error {
		return func(file *os.File) error {
			err := f.checkPath(op, file.Name())
			if err == nil {
				err = call(file)
			}
			return err
		}
	}
	return atomicfile.Calls{
		OpenFile: func(name string, flag int, mode fs.FileMode) (file *os.File, err error) {
			err = byName("open", func(name string) error { file, err = c.OpenFile(name, flag, mode); return err })(name)
			return file, err
		},
		ReadFile: func(name string) (text []byte, err error) {
			err = byName("read", func(name string) error { text, err = c.ReadFile(name); return err })(name)
			return text, err
		},
		Lstat: func(name string) (info fs.FileInfo, err error) {
			err = byName("lstat", func(name string) error { info, err = c.Lstat(name); return err })(name)
			return info, err
		},
		Rename: func(from, to string) error {
			err := f.check("rename to", to)
			if err != nil {
				return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
			}
			return c.Rename(from, to)
		},
		Remove: byName("remove", c.Remove),
		Mkdir: func(name string, mode fs.FileMode) error {
			return byName("mkdir", func(name string) error { return c.Mkdir(name, mode) })(name)
		},
		Lock: func(file *os.File) (bool, error) {
			err := f.check("lock", file.Name())
			if err != nil {
				return false, err
			}
			return c.Lock(file)
		},
		Stat: func(file *os.File) (info fs.FileInfo, err error) {
			err = byFile("stat", func(file *os.File) error { info, err = c.Stat(file); return err })(file)
			return info, err
		},
		Write: func(file *os.File, text []byte) (int, error) {
			err := f.checkPath("write", file.Name())
			if err != nil { // the disk is full
				n, _ := c.Write(file, text[:len(text)/2])
				return n, err
			}
			return c.Write(file, text)
		},
		Copy: func(to *os.File, from string) error {
			return byFile("copy attributes to", func(to *os.File) error { return c.Copy(to, from) })(to)
		},
		Chmod: func(file *os.File, mode fs.FileMode) error {
			return byFile("chmod", func(file *os.File) error { return c.Chmod(file, mode) })(file)
		},
		Sync: byFile("sync", c.Sync),
		Close: func(file *os.File) error { // it is closed even so
			return errors.Join(c.Close(file), f.checkPath("close", file.Name()))
		},
	}
}
