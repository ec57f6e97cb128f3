package delimit

import "golang.org/x/sys/cpu"

// vectors reports whether candidate may be called.
var vectors = cpu.X86.HasAVX2

//go:noescape
func candidate(src *byte, n int) int
