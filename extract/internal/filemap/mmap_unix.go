//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filemap

import (
	"os"
	"syscall"
)

const canMap = true

// mapFile does not ask for all pages at once (MAP_POPULATE): the kernel then takes longer for each than for
// faults, which map 16 pages each.
func mapFile(f *os.File, offset int64, n int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), offset, n, syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmapFile(pages []byte) { syscall.Munmap(pages) }
