package fix

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write replaces the file by New, at once: whoever reads it has the old or the new. It
// keeps its permissions, and its owner where that is allowed. A file that was written to
// since it was read stays as it is, and so does one that may not be written. An error
// quotes the path, and leaves no other file behind.
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
	// A hidden name: if this is killed, no audit reads what is left.
	temp, err := os.CreateTemp(filepath.Dir(f.Path), ".refract-*")
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
	if err = temp.Chmod(f.info.Mode()); err != nil {
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
