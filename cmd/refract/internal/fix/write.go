package fix

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"example.org/refract/cmd/refract/internal/atomicfile"
)

// Write replaces the file with New atomically: a reader sees either the old or the new contents. It
// keeps permissions, owner, group and extended attributes. The file stays unchanged if these cannot
// be kept, if it was written to since it was read, or if it is read-only. An error quotes the path,
// and leaves no other file behind.
func (f *File) Write() error {
	if err := f.write(); err != nil {
		return fmt.Errorf("fix: %q: %w", f.Path, cause(err))
	}
	return nil
}

func (f *File) write() (err error) {
	// Renaming needs no permission to write to the file that it replaces, so check that here.
	may, err := os.OpenFile(f.Path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	may.Close()
	atomicfile.Sweep(f.Path)
	temp, err := atomicfile.CreateTemp(f.Path, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if _, err = temp.Write(f.New); err != nil {
		return err
	}
	if err = makeLike(temp, f.Path, f.info); err != nil {
		return err
	}
	if err = temp.Sync(); err != nil {
		return err
	}
	if err = temp.Close(); err != nil {
		return err
	}
	now, err := os.Stat(f.Path)
	if err != nil {
		return err
	}
	if names(f.Path, now) > 1 {
		return errors.New(severalNames)
	}
	if !os.SameFile(now, f.info) || now.Size() != f.info.Size() || !now.ModTime().Equal(f.info.ModTime()) {
		return errChanged
	}
	return os.Rename(temp.Name(), f.Path)
}

// makeLike gives a file the permissions, owner, group and extended attributes of the one at path.
func makeLike(temp *os.File, path string, info fs.FileInfo) error {
	chown(temp, info) // before setting permissions, because chown clears some of them
	if err := copyAttributes(temp, path); err != nil {
		return err
	}
	if err := temp.Chmod(info.Mode()); err != nil {
		return err
	}
	return keeps(temp, info)
}

// MakeLike gives temp, a new file, the permissions, owner, group and extended attributes of the file
// at path, which it is going to replace. It is an error if one of these cannot be kept, and if the
// file must not be replaced: it is read-only, not regular, or has several hard links.
func MakeLike(temp *os.File, path string) error {
	may, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return cause(err)
	}
	defer may.Close()
	info, err := may.Stat()
	switch {
	case err != nil:
		return cause(err)
	case !info.Mode().IsRegular():
		return errors.New("not a regular file")
	case names(path, info) > 1:
		return errors.New(severalNames)
	}
	return cause(makeLike(temp, path, info))
}

// cause returns err without the path that errors of the operating system repeat.
func cause(err error) error {
	switch e := err.(type) {
	case *os.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}
