package fix

import (
	"errors"
	"fmt"
	"os"

	"example.org/refract/cmd/refract/internal/atomicfile"
)

// Write replaces the file by New, at once: whoever reads it has the old or the new. It
// keeps its permissions, owner, group and extended attributes: where that is not allowed it
// stays as it is, and so does a file that was written to since it was read, or that may not
// be written. An error quotes the path, and leaves no other file behind.
func (f *File) Write() error {
	if err := f.write(); err != nil {
		return fmt.Errorf("fix: %q: %w", f.Path, cause(err))
	}
	return nil
}

func (f *File) write() (err error) {
	// To replace a file asks for no right to write to it.
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
	chown(temp, f.info) // before the permissions, of which it takes some away
	if err = copyAttributes(temp, f.Path); err != nil {
		return err
	}
	if err = temp.Chmod(f.info.Mode()); err != nil {
		return err
	}
	if err = keeps(temp, f.info); err != nil {
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

// cause is err without the paths that those of the operating system repeat.
func cause(err error) error {
	switch e := err.(type) {
	case *os.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}
