package input

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"example.org/refract/internal/slash"
)

// A Tree is a file system that is walked and read: that of package audit, which documents the contract.
// Names have forward slashes. The walker and the audit pass absolute names, except for relative names from
// the caller of [Options.Files].
type Tree interface {
	Open(name string) (fs.File, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	Real(name string) (string, error)
}

// ErrOutside is the error of a Tree for a symbolic link that points outside the files that it may read.
var ErrOutside = errors.New("a symbolic link that leads out of the repository")

// Disk is the file system of the operating system. A relative name is relative to the
// working directory of the process.
type Disk struct{}

// Open opens a file for reading.
func (Disk) Open(name string) (fs.File, error) {
	f, err := os.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err // not a nil *os.File
	}
	return f, nil
}

// ReadDir lists a directory, sorted by name. Together with an error, it returns the entries read before it.
func (Disk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(filepath.FromSlash(name)) }

// Stat describes a file, following symbolic links.
func (Disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(filepath.FromSlash(name)) }

// Lstat describes a file or a symbolic link, without following it.
func (Disk) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(filepath.FromSlash(name)) }

// Real returns the name of a file without symbolic links.
func (Disk) Real(name string) (string, error) {
	p, err := filepath.EvalSymlinks(filepath.FromSlash(name))
	return slash.Path(p), err
}

// ReadLink returns where a symbolic link leads, as it is written.
func (Disk) ReadLink(name string) (string, error) { return os.Readlink(filepath.FromSlash(name)) }

// Rooted is the Tree of the files of FS, whose root is "/": "a.md" of FS is "/a.md". It follows symbolic
// links itself, if FS is an [fs.ReadLinkFS]: they never point outside FS, and a loop is an error. It leaves
// out entries of directories that are not below them by their name.
type Rooted struct {
	FS fs.FS

	// IsReal says that the directories on the way to a file are no symbolic links, as those that a walk enters.
	// Otherwise Rooted looks at each of them.
	IsReal bool
}

// name returns a name as FS has it, without symbolic links.
func (r Rooted) name(name string) (string, error) {
	if r.IsReal {
		info, err := r.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return within(name), err
		}
	}
	name, err := r.Real(name)
	return within(name), err
}

// within returns a name as an [fs.FS] has it.
func within(name string) string {
	if name = strings.TrimPrefix(path.Clean("/"+name), "/"); name == "" {
		return "."
	}
	return name
}

func (r Rooted) Open(name string) (fs.File, error) {
	name, err := r.name(name)
	if err != nil {
		return nil, err
	}
	return r.FS.Open(name)
}

func (r Rooted) ReadDir(name string) ([]fs.DirEntry, error) {
	name, err := r.name(name)
	if err != nil {
		return nil, err
	}
	list, err := fs.ReadDir(r.FS, name)
	isOther := func(e fs.DirEntry) bool {
		return e.Name() == "" || e.Name() == "." || e.Name() == ".." || strings.Contains(e.Name(), "/")
	}
	if slices.ContainsFunc(list, isOther) {
		list = slices.DeleteFunc(slices.Clone(list), isOther)
	}
	return list, err
}

func (r Rooted) Stat(name string) (fs.FileInfo, error) {
	name, err := r.name(name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(r.FS, name)
}

func (r Rooted) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(r.FS, within(name)) }

// ReadLink returns where a symbolic link leads, as it is written.
func (r Rooted) ReadLink(name string) (string, error) { return fs.ReadLink(r.FS, within(name)) }

// MaxLinks bounds the symbolic links on the way to one file, as operating systems do.
const MaxLinks = 40

// Real returns the absolute name of a file, all symbolic links followed.
func (r Rooted) Real(name string) (string, error) {
	done, rest := "/", path.Clean("/"+name)
	if _, ok := r.FS.(fs.ReadLinkFS); !ok {
		return rest, nil
	}
	for links := 0; rest != ""; {
		var first string
		first, rest, _ = strings.Cut(rest, "/")
		switch first {
		case "", ".":
			continue
		case "..":
			done = path.Dir(done)
			continue
		}
		at := path.Join(done, first)
		info, err := fs.Lstat(r.FS, within(at))
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = at
			continue
		}
		if links++; links > MaxLinks {
			return "", &fs.PathError{Op: "open", Path: name, Err: syscall.ELOOP}
		}
		to, err := fs.ReadLink(r.FS, within(at))
		if err != nil {
			return "", err
		}
		to = filepath.ToSlash(to)
		if path.IsAbs(to) {
			done = "/"
		}
		rest = to + "/" + rest
	}
	return done, nil
}

// WorkingDir returns the working directory of the process, with forward slashes. Like os.Getwd, it
// prefers $PWD, whose symbolic links are not resolved.
func WorkingDir() string {
	dir, err := filepath.Abs(".")
	if err != nil {
		return "."
	}
	return slash.Path(dir)
}

// IsAbs reports whether a name is absolute, in a Tree or on the disk.
func IsAbs(name string) bool { return path.IsAbs(name) || filepath.IsAbs(name) }

// Join returns name, if it is relative, as a name below dir. It does not clean the result, because
// "link/../a" and "a" may be different files. If dir is "", it returns name unchanged.
func Join(dir, name string) string {
	name = slash.Path(name)
	switch {
	case dir == "" || IsAbs(name):
		return name
	case name == ".":
		return dir
	}
	return strings.TrimSuffix(dir, "/") + "/" + strings.TrimPrefix(name, "./")
}

// OpenIn is like [Open], for a file of a Tree. Errors quote shown instead of the file's name.
// Standard input, "-", is in no Tree.
func OpenIn(t Tree, name, shown string) (io.ReadCloser, error) {
	if name == "-" {
		return Open(name)
	}
	f, err := t.Open(name)
	if err != nil {
		return nil, failure(shown, err)
	}
	return opened(f, shown)
}
