//go:build !unix

package scantest

import "time"

var start = time.Now()

// Clock returns the time since the start: this system has no CPU time for Go.
func Clock() time.Duration { return time.Since(start) }
