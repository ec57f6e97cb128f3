package cmdtest

import (
	"os"
	"syscall"
)

// peakMemory returns the peak memory of a process, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	return int64(p.SysUsage().(*syscall.Rusage).Maxrss) << 10
}
