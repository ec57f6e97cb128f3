//go:build !unix

package scantest

import "time"

var start = time.Now()

func clock() time.Duration { return time.Since(start) }
