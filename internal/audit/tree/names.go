package tree

import (
	"cmp"
	"io/fs"
	"path"
	"strings"

	"example.org/refract/internal/input"
)

// Absolute returns the absolute, cleaned form of a name, with forward slashes and none at its
// end: a root is "". A relative name is relative to dir.
func Absolute(dir, name string) string {
	return strings.TrimSuffix(path.Clean(input.Join(cmp.Or(dir, "/"), name)), "/")
}

// Cause strips from err the path, which errors of the operating system repeat.
func Cause(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}

// Below reports whether p is dir or in it. The root is "" or "/".
func Below(p, dir string) bool {
	if !strings.HasPrefix(p, dir) {
		return false
	}
	return len(p) == len(dir) || p[len(dir)] == '/' || strings.HasSuffix(dir, "/")
}
