package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular is the error for a file that is a directory, a device or a pipe.
var ErrNotRegular = errors.New("not a regular file")

// ReadRegular reads a file of at most limit bytes. A larger file is an error, and so is anything but a
// regular file: reading a device or a pipe might never end. Opening a pipe does not wait for its writer.
func ReadRegular(name string, limit int64) ([]byte, error) {
	// Opening some devices has effects, so look first.
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	f, err := os.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// It may have been replaced.
	info, err = f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, fmt.Errorf("larger than %d KiB", limit>>10)
	}
	return text, err
}

// Exists reports whether there is a file, directory or symbolic link called name.
func Exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// CauseOf returns what went wrong, without the names in an error about a file.
func CauseOf(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
