// Package atomicfile writes files that appear under their name only when they are complete.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
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
}

// Create opens the output called name. If name is empty, the File writes to standard and
// Commit does nothing. A regular or new file is written under a temporary name in the same
// directory, with the permissions of the file that it replaces. What exists and is not a
// regular file (a device, a pipe) is written to directly. Errors quote name.
func Create(name string, standard io.Writer) (*File, error) {
	if name == "" {
		return &File{out: standard}, nil
	}
	f := &File{name: name, dest: name}
	if dest, err := filepath.EvalSymlinks(name); err == nil {
		f.dest = dest // else it is new, or a link to nothing
	}
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
	// A random number, not the process id: in a container that is often the id of the
	// process before, which may have been killed and have left its file.
	temp := fmt.Sprintf("%s.%d.part", f.dest, rand.Uint64())
	f.file, err = os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return nil, f.fail(errors.Unwrap(err))
	}
	f.out, f.temp = f.file, temp
	return f, nil
}

func (f *File) fail(err error) error { return fmt.Errorf("output %q: %w", f.name, err) }

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

// Commit closes the file and gives it its name.
func (f *File) Commit() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	if f.temp == "" {
		return err
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
