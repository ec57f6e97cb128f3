package delimit

// vectors reports whether candidate may be called: every arm64 has NEON.
var vectors = true

//go:noescape
func candidate(src *byte, n int) int
