package scantest

import (
	"fmt"
	"strings"
	"testing"
)

// A Splitting is how a format of mailboxes finds its messages. Next is as in splitter.Splitter, with the end
// of the piece as its first result. Body returns where the message in a piece begins and ends.
type Splitting struct {
	Next func(src []byte, from int, atEOF bool) (end int, ok bool)
	Body func(src []byte) (start, end int)
}

// marks stand for control characters in the texts of Split.
var marks = strings.NewReplacer("¹", "\x01", "␟", "\x1f", "␌", "\f")

// unmarked drops the marks of pieces and messages.
var unmarked = strings.NewReplacer("‖", "", "⟦", "", "⟧", "")

// Split checks texts. Each shows its pieces between ‖, and the messages in them between ⟦ and ⟧. ¹ is ^A,
// ␟ is ^_, ␌ is ^L.
func (s Splitting) Split(t *testing.T, texts []string) {
	t.Helper()
	for _, text := range texts {
		want := marks.Replace(text)
		src := unmarked.Replace(want)
		for _, step := range []int{1, 2, 3, 7, 1000} {
			var got strings.Builder
			for i, piece := range s.Pieces(t, src, step) {
				start, end := s.Body([]byte(piece))
				if start < 0 || start > end || end > len(piece) {
					t.Fatalf("%q: body %d to %d", piece, start, end)
				}
				if i > 0 {
					got.WriteString("‖")
				}
				fmt.Fprintf(&got, "%s⟦%s⟧%s", piece[:start], piece[start:end], piece[end:])
			}
			if got.String() != want {
				t.Errorf("%d bytes at a time:\n got %q\nwant %q", step, got.String(), want)
			}
		}
	}
}

// Linear checks that splitting takes time linear in the number of units.
func (s Splitting) Linear(t *testing.T, units ...string) {
	t.Helper()
	for _, unit := range units {
		read := func(size int) func() {
			src := strings.Repeat(unit, size/len(unit))
			return func() { s.Pieces(t, src, 1<<12) }
		}
		Linear(t, fmt.Sprintf("%q", unit), 0, read(1<<18), read(1<<20))
	}
	// Line ends after many units, in one call.
	tail := func(n int) func() {
		src := strings.Repeat("\n\x1fx", n) + strings.Repeat("\n", n)
		return func() { s.Pieces(t, src, len(src)) }
	}
	Linear(t, "line ends at the end", 0, tail(1<<16), tail(1<<18))
}

// Fuzz splits anything, all of it at once and a few bytes at a time: the pieces are the same.
func (s Splitting) Fuzz(f *testing.F, texts []string) {
	for _, text := range texts {
		f.Add(unmarked.Replace(marks.Replace(text)), 1)
	}
	f.Fuzz(func(t *testing.T, src string, step int) {
		all := s.Pieces(t, src, len(src)+1)
		for _, piece := range all {
			if start, end := s.Body([]byte(piece)); start < 0 || start > end || end > len(piece) {
				t.Fatalf("%q: body %d to %d", piece, start, end)
			}
		}
		if got := s.Pieces(t, src, 1+step&7); strings.Join(got, "‖") != strings.Join(all, "‖") {
			t.Fatalf("pieces depend on how the input comes: %q and %q", got, all)
		}
	})
}

// Pieces returns what src is split into, if step more bytes of it are there in each call.
func (s Splitting) Pieces(t *testing.T, src string, step int) (all []string) {
	t.Helper()
	bytes := []byte(src)
	for at, have := 0, 0; at < len(bytes); {
		for from := 0; ; {
			end, ok := s.Next(bytes[at:have], from, have == len(bytes))
			if end < 0 || end > have-at || ok && end == 0 {
				t.Fatalf("%d bytes at %d, %d there: end %d, %v", len(src), at, have-at, end, ok)
			}
			if ok {
				all = append(all, src[at:at+end])
				at += end
				break
			}
			if have == len(bytes) {
				t.Fatalf("%d bytes at %d: not split at the end", len(src), at)
			}
			from, have = end, min(len(bytes), have+step)
		}
	}
	return all
}
