//go:build unix

package move

import (
	"os"
	"syscall"
)

// sameDevice reports whether a file can be renamed from one directory to another, as far as known.
func sameDevice(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	if errA != nil || errB != nil {
		return true // the rename will say why
	}
	s, ok := x.Sys().(*syscall.Stat_t)
	t, ok2 := y.Sys().(*syscall.Stat_t)
	return !ok || !ok2 || s.Dev == t.Dev
}
