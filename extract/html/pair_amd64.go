package html

import "golang.org/x/sys/cpu"

// vectors reports whether pair may be called.
var vectors = cpu.X86.HasAVX2

// pair returns the offset of the first byte of src[:n] that is first and is followed by second, a small
// letter, in any case. It reads blocks of 32 bytes; if they hold no pair, it returns the complement of the
// offset of the first byte that it has not compared.
//
//go:noescape
func pair(src *byte, n int, first, second byte) int
