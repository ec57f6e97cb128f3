package mailbox

import (
	"fmt"

	"example.org/refract/internal/testing/scantest"
)

// split returns the pieces of src.
func split(s Splitter, src []byte) (pieces []string) {
	for len(src) > 0 {
		p, ok := s.Next(src, 0, true)
		if !ok || p.End <= 0 || p.End > len(src) {
			panic(fmt.Sprint(p.End, ok, len(src)))
		}
		pieces = append(pieces, string(src[:p.End]))
		src = src[p.End:]
	}
	return pieces
}

// grown returns the pieces of src, which comes in parts of at most step bytes.
func grown(s Splitter, src []byte, step func() int) (pieces []string) {
	for have := 0; len(src) > 0; {
		for at := 0; ; {
			p, ok := s.Next(src[:have], at, have == len(src))
			if ok {
				pieces = append(pieces, string(src[:p.End]))
				src, have = src[p.End:], have-p.End
				break
			}
			if p.End < at || p.End > have {
				panic(fmt.Sprint(p.End, at, have))
			}
			at, have = p.End, min(len(src), have+1+step())
		}
	}
	return pieces
}

// splitting is a test of a Splitter that keeps no state.
func splitting(s Splitter) scantest.Splitting {
	return scantest.Splitting{
		Next: func(src []byte, from int, atEOF bool) (end int, ok bool) {
			p, ok := s.Next(src, from, atEOF)
			return p.End, ok
		},
		Body: func(src []byte) (start, end int) {
			start, end, _ = s.Body(src)
			return start, end
		},
	}
}
