package input

import "io"

// Position returns how many bytes of the file r has read. [Open] or [OpenAhead] has returned r for a
// compressed file; ok is false for others. It may be somewhat more than the decompressed part. It must not
// be called at the same time as Read.
func Position(r io.Reader) (n int64, ok bool) {
	s, ok := r.(*stream)
	if !ok {
		return 0, false
	}
	if a, ok := s.r.(*ahead); ok {
		return a.at, true
	}
	if s.from == nil {
		return 0, false
	}
	return s.from.n, true
}
