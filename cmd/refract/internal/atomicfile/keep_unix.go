//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// chown gives f the owner and group of another file, if permitted.
func chown(f *os.File, info fs.FileInfo) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		f.Chown(int(s.Uid), int(s.Gid))
	}
}

var errOwner = errors.New("its owner, group or mode would change")

// keeps returns an error if f differs from another file in owner, group or mode.
func keeps(f *os.File, info fs.FileInfo) error {
	now, err := System.Stat(f)
	if err != nil {
		return err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	t, ok2 := now.Sys().(*syscall.Stat_t)
	if ok && ok2 && (s.Uid != t.Uid || s.Gid != t.Gid) || now.Mode() != info.Mode() {
		return errOwner
	}
	return nil
}

// Links returns the number of names (hard links) of a file.
func Links(_ string, info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Nlink)
	}
	return 1
}
