package audit

import (
	"io/fs"
	"syscall"
)

// stateOf returns the state of a file.
func stateOf(info fs.FileInfo) fileState {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileState{}
	}
	return fileState{
		size: info.Size(), modified: info.ModTime().UnixNano(), changed: s.Ctim.Nano(),
		device: uint64(s.Dev), number: s.Ino,
	}
}
