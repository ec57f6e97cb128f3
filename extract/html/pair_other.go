//go:build !amd64

package html

// vectors reports whether pair may be called.
var vectors = false

func pair(*byte, int, byte, byte) int { panic("html: no vectors") }
