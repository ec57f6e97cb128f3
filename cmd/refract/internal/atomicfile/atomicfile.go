// Package atomicfile writes files that appear under their name only when they are complete,
// and that replace nothing but what they may replace.
//
//	atomicfile.go  File: an output, its replacement
//	temp.go        temporary files and directories, and what killed runs have left of them
//	lock*.go       locks that end with the process
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is an output that is being written. Commit completes it; Discard, which may follow
// Commit, removes what an unsuccessful run has left.
type File struct {
	out  io.Writer
	file *os.File // nil for the standard output of Create
	name string   // as the caller gave it, for messages
	dest string   // the name that Commit gives, symbolic links resolved
	temp string   // name until then; "" if the destination is written to directly
	may  Replaceable
}

// Replaceable reports whether a file may be replaced, by its first bytes, at most HeadSize.
// It is not asked about an empty file. A nil Replaceable allows every file.
type Replaceable func(head []byte) bool

// HeadSize is the number of bytes of a file by which a Replaceable decides.
const HeadSize = 4096

// ErrForeign is the cause of the error about a file that may not be replaced.
var ErrForeign = errors.New("the file exists and was not written by refract: remove it, or give another name")

// Create opens the output called name. If name is empty, the File writes to standard and
// Commit does nothing. A regular or new file is written under a temporary name in the same
// directory, with the permissions of the file that it replaces, which must be one that may
// be replaced. What exists and is not a regular file (a device, a pipe) is written to
// directly. Errors quote name.
//
// Create also removes the temporary files that killed runs have left in that directory.
func Create(name string, standard io.Writer, may Replaceable) (*File, error) {
	if name == "" {
		return &File{out: standard}, nil
	}
	f := &File{name: name, dest: Real(name), may: may}
	mode := os.FileMode(0o666) // before the umask
	var err error
	if info, statErr := os.Stat(f.dest); statErr == nil {
		mode = info.Mode().Perm()
		if !info.Mode().IsRegular() {
			f.file, err = os.OpenFile(f.dest, os.O_WRONLY, 0)
			if err != nil {
				return nil, f.fail(errors.Unwrap(err))
			}
			f.out = f.file
			return f, nil
		}
	}
	if err := check(f.dest, may); err != nil {
		return nil, f.fail(err)
	}
	sweep(filepath.Dir(f.dest))
	f.file, err = CreateTemp(f.dest, mode)
	if err != nil {
		return nil, f.fail(causeOf(err))
	}
	f.out, f.temp = f.file, f.file.Name()
	return f, nil
}

// Real returns the path of the file that symbolic links lead to, or name itself if there is
// none.
func Real(name string) string {
	if dest, err := filepath.EvalSymlinks(name); err == nil {
		return dest
	}
	return name
}

// Check reports, without changing anything, why a file could not be replaced: its error is
// that of Create for the same arguments, as far as it can be known.
func Check(name string, may Replaceable) error {
	f := &File{name: name}
	if err := check(Real(name), may); err != nil {
		return f.fail(err)
	}
	return nil
}

func check(dest string, may Replaceable) error {
	info, err := os.Stat(dest)
	if err != nil || may == nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	head, err := Head(dest)
	if err != nil {
		return causeOf(err)
	}
	if len(head) > 0 && !may(head) {
		return ErrForeign
	}
	return nil
}

// Head returns the first bytes of a file, at most HeadSize.
func Head(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, HeadSize))
}

func (f *File) fail(err error) error { return fmt.Errorf("output %q: %w", f.name, err) }

// causeOf returns err without the paths that those of the operating system repeat.
func causeOf(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Write writes to the output. It does not buffer.
func (f *File) Write(p []byte) (int, error) { return f.out.Write(p) }

// Temp returns the name of the temporary file, "" if there is none: it is what an
// interrupted run has to remove.
func (f *File) Temp() string { return f.temp }

// Stat returns what is known of the file that is written, and false if it is not a regular
// file of the file system.
func (f *File) Stat() (os.FileInfo, bool) {
	file, ok := f.out.(*os.File)
	if !ok {
		return nil, false
	}
	info, err := file.Stat()
	return info, err == nil && info.Mode().IsRegular()
}

// Commit closes the file and gives it its name, unless a file that may not be replaced has
// appeared there.
func (f *File) Commit() error {
	if f.file == nil {
		return nil
	}
	if f.temp == "" {
		return f.file.Close()
	}
	err := f.file.Close()
	if err == nil {
		err = check(f.dest, f.may)
	}
	if err == nil {
		err = os.Rename(f.temp, f.dest)
	}
	if err != nil {
		return f.fail(err)
	}
	f.temp = ""
	return nil
}

// Discard removes the temporary file unless Commit has given it its name.
func (f *File) Discard() {
	if f.temp != "" {
		f.file.Close()
		os.Remove(f.temp)
	}
}
