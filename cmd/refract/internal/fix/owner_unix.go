//go:build unix

package fix

import (
	"io/fs"
	"os"
	"syscall"
)

// chown gives f the owner and the group of another file where that is allowed.
func chown(f *os.File, info fs.FileInfo) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		f.Chown(int(s.Uid), int(s.Gid))
	}
}
