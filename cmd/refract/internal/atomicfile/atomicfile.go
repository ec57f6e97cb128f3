// Package atomicfile writes files that appear under their name only when they are complete, and
// that replace only files that the caller allows them to replace.
//
//	atomicfile.go  File: an output, its replacement
//	durable.go     texts that are on the disk before they get their name, with what belongs to the
//	               file that they replace
//	temp.go        temporary files and directories, and what killed runs have left of them
//	lock*.go       locks that end with the process
//	calls.go       the calls of the system
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"example.org/refract/cmd/refract/internal/joblog"
)

// A File is an output that is being written. Commit completes it. Discard, which may follow Commit, removes
// the temporary file of an unsuccessful run.
type File struct {
	out  io.Writer
	file *os.File // nil for the standard output of Create
	name string   // as the caller gave it, for messages
	dest string   // the name that Commit gives, symbolic links resolved
	temp string   // name until Commit; "" if the File writes to the destination directly
	may  Replaceable
}

// A Replaceable reports whether a file may be replaced, given its first bytes, at most headSize. It
// is not called for empty files. A nil Replaceable allows every file.
type Replaceable func(head []byte) bool

// headSize is the maximum number of bytes that a Replaceable gets.
const headSize = 4096

// errForeign is the cause of errors about a file that must not be replaced.
var errForeign = errors.New("the file exists and was not written by refract: give another name, or remove the file")

// Create opens the output called name. If name is empty, the File writes to standard, and Commit
// does nothing. A new or regular file is written under a temporary name in the same directory, and
// gets the permissions of the file that it replaces. It is an error if may rejects that file. If
// name exists and is not a regular file (a device, a pipe), the File writes to it directly. Errors
// quote name.
//
// Create also removes temporary files of killed runs from that directory.
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
			f.file, err = System.OpenFile(f.dest, os.O_WRONLY, 0)
			if err != nil {
				return nil, f.fail(causeOf(err))
			}
			f.out = joblog.Open(f.file)
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

// Real follows symbolic links and returns the path of the file that they point to, or name itself if there
// is no such file.
func Real(name string) string {
	if dest, err := filepath.EvalSymlinks(name); err == nil {
		return dest
	}
	return name
}

// Check reports why a file could not be replaced, without changing anything. Its error is the one
// that Create would return for the same arguments, as far as this can be known in advance.
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
	if !may(head) {
		return errForeign
	}
	return nil
}

// Head returns the first bytes of a file, at most headSize.
func Head(name string) ([]byte, error) {
	f, err := System.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, headSize))
}

func (f *File) fail(err error) error {
	if errors.Is(err, syscall.EISDIR) {
		return fmt.Errorf("output %q: %w: give the name of a file", f.name, err)
	}
	return fmt.Errorf("output %q: %w", f.name, err)
}

// causeOf returns err without the path that errors of the operating system repeat.
func causeOf(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}

// Write writes to the output. It does not buffer.
func (f *File) Write(p []byte) (int, error) { return f.out.Write(p) }

// SetForm declares the form of the output, in case the File writes to the log of a job.
func (f *File) SetForm(form joblog.Form) { joblog.SetForm(f.out, form) }

// Temp returns the name of the temporary file, which an interrupted run must remove; "" if there is
// none.
func (f *File) Temp() string { return f.temp }

// Stat returns information about the file being written. It returns false if that is not a regular
// file.
func (f *File) Stat() (os.FileInfo, bool) {
	file, ok := f.out.(*os.File)
	if !ok {
		return nil, false
	}
	info, err := file.Stat()
	return info, err == nil && info.Mode().IsRegular()
}

// Commit closes the file and renames it to its final name, unless a file that must not be replaced
// has appeared there.
func (f *File) Commit() error {
	if f.file == nil {
		return nil
	}
	if f.temp == "" {
		return System.Close(f.file)
	}
	err := System.Close(f.file)
	if err == nil {
		err = check(f.dest, f.may)
	}
	if err == nil {
		err = System.Rename(f.temp, f.dest)
	}
	if err != nil {
		return f.fail(causeOf(err))
	}
	f.temp = ""
	return nil
}

// Discard removes the temporary file unless Commit has renamed it.
func (f *File) Discard() {
	if f.temp != "" {
		System.Close(f.file)
		System.Remove(f.temp)
	}
}
