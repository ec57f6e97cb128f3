//go:build !amd64 && !arm64

package delimit

// vectors reports whether candidate may be called.
var vectors = false

func candidate(*byte, int) int { panic("delimit: no vectors") }
