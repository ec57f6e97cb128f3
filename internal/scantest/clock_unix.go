//go:build unix

package scantest

import (
	"syscall"
	"time"
)

// clock returns the processor time that this process has used. Other load on the machine hardly
// affects it.
func clock() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
