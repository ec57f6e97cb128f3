//go:build darwin || freebsd || linux || netbsd

package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// xattr holds the calls for extended attributes, by descriptor.
type xattr struct {
	list   func(f *os.File, names []byte) (int, error)
	get    func(f *os.File, name string, value []byte) (int, error)
	set    func(f *os.File, name string, value []byte) error
	remove func(f *os.File, name string) error
}

// attribute holds the calls in use. Tests replace them.
var attribute = xattr{
	list: func(f *os.File, names []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), names) },
	get: func(f *os.File, name string, value []byte) (int, error) {
		return unix.Fgetxattr(int(f.Fd()), name, value)
	},
	set:    func(f *os.File, name string, value []byte) error { return unix.Fsetxattr(int(f.Fd()), name, value, 0) },
	remove: func(f *os.File, name string) error { return unix.Fremovexattr(int(f.Fd()), name) },
}

// copyAttributes gives the file to exactly the extended attributes of the file from, including
// access control lists. The error names an attribute that cannot be kept.
func copyAttributes(to *os.File, from string) error {
	old, err := os.Open(from)
	if err != nil {
		return err
	}
	defer old.Close()
	want, err := attributes(old)
	if err != nil {
		return err
	}
	have, err := attributes(to)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if _, ok := want[name]; !ok {
			if err := attribute.remove(to, name); err != nil {
				return fmt.Errorf("it would gain the extended attribute %q: %w", name, err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		value := want[name]
		if there, ok := have[name]; ok && bytes.Equal(there, value) {
			continue
		}
		if err := attribute.set(to, name, value); err != nil {
			return fmt.Errorf("its extended attribute %q cannot be kept: %w", name, err)
		}
	}
	return nil
}

// attributes returns the extended attributes of a file; none if the file system does not support
// them.
func attributes(f *os.File) (map[string][]byte, error) {
	list, err := sized(func(b []byte) (int, error) { return attribute.list(f, b) })
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		if name == "" {
			continue
		}
		value, err := sized(func(b []byte) (int, error) { return attribute.get(f, name, b) })
		if err != nil {
			return nil, fmt.Errorf("its extended attribute %q cannot be read: %w", name, err)
		}
		all[name] = value
	}
	return all, nil
}

// sized calls get for the size of a value, and again for the value, until it fits.
func sized(get func([]byte) (int, error)) ([]byte, error) {
	for {
		n, err := get(nil)
		if err != nil || n == 0 {
			return []byte{}, err
		}
		b := make([]byte, n)
		n, err = get(b)
		if errors.Is(err, unix.ERANGE) {
			continue
		}
		return b[:max(n, 0)], err
	}
}
