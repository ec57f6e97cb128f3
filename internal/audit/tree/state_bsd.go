//go:build darwin || freebsd || netbsd

package tree

import (
	"io/fs"
	"syscall"
)

// stateOf returns the state of a file.
func stateOf(info fs.FileInfo) FileState {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return FileState{}
	}
	return FileState{
		Size: info.Size(), Modified: info.ModTime().UnixNano(), Changed: s.Ctimespec.Nano(),
		Device: uint64(s.Dev), Number: s.Ino,
	}
}
