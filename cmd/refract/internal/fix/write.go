package fix

import (
	"fmt"

	"example.org/refract/cmd/refract/internal/atomicfile"
)

// Write replaces the file with New atomically: a reader sees either the old or the new contents. It
// keeps permissions, owner, group and extended attributes. The file stays unchanged if these cannot
// be kept, if it was written to since it was read, or if it is read-only. An error quotes the path.
// It leaves no other file behind, or names it.
func (f *File) Write() error {
	err := atomicfile.Replace(f.Path, f.info, f.New)
	if err != nil {
		return fmt.Errorf("fix: %q: %w", f.Path, err)
	}
	return nil
}
