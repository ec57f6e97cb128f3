package main

import (
	"os"
	"syscall"
)

// peakMemory returns the most memory that a process has had, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	return p.SysUsage().(*syscall.Rusage).Maxrss << 10
}
