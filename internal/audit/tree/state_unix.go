//go:build linux || darwin || freebsd || netbsd

package tree

import (
	"io/fs"
	"syscall"
)

// stateOf returns the state of the file or directory that an info of the disk describes. Programs can set
// the size and times of a file, but only the clock sets the time of the last change.
func stateOf(_ string, info fs.FileInfo) FileState {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return FileState{}
	}
	return FileState{
		Size: info.Size(), Modified: info.ModTime().UnixNano(), Changed: changed(s),
		Device: uint64(s.Dev), Number: s.Ino,
	}
}

// stateOfOpen returns the state of an open file.
func stateOfOpen(_ fs.File, info fs.FileInfo) FileState { return stateOf("", info) }
