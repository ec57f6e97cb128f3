package mmdf

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/scantest"
)

var _ scan.Splitter = Splitter{}

// pieces returns what src is split into, if step more bytes of it are there in each call.
func pieces(t *testing.T, src string, step int) (all []string) {
	t.Helper()
	for have := 0; src != ""; {
		for from := 0; ; {
			p, ok := Splitter{}.Next([]byte(src[:have]), from, have == len(src))
			if p.End < 0 || p.End > have || ok && p.End == 0 {
				t.Fatalf("%q, %d of %d bytes: end %d, %v", src, have, len(src), p.End, ok)
			}
			if ok {
				all = append(all, src[:p.End])
				src, have = src[p.End:], have-p.End
				break
			}
			if have == len(src) {
				t.Fatalf("%q: not split at its end", src)
			}
			from, have = p.End, min(len(src), have+step)
		}
	}
	return all
}

// Each text shows its pieces between ‖, and the messages in them between ⟦ and ⟧. ¹ is ^A, ␟ is ^_, ␌ is ^L.
func TestSplit(t *testing.T) {
	control := strings.NewReplacer("¹", "\x01", "␟", "\x1f", "␌", "\f")
	for _, text := range texts {
		marked := control.Replace(text)
		src := strings.NewReplacer("‖", "", "⟦", "", "⟧", "").Replace(marked)
		for _, step := range []int{1, 2, 3, 7, 1000} {
			var got strings.Builder
			for i, piece := range pieces(t, src, step) {
				start, end := Body([]byte(piece))
				if start < 0 || start > end || end > len(piece) {
					t.Fatalf("%q: body %d to %d", piece, start, end)
				}
				if i > 0 {
					got.WriteString("‖")
				}
				fmt.Fprintf(&got, "%s⟦%s⟧%s", piece[:start], piece[start:end], piece[end:])
			}
			if got.String() != marked {
				t.Errorf("%d bytes at a time:\n got %q\nwant %q", step, got.String(), marked)
			}
		}
	}
}

// Splitting takes time linear in the input, and covers all of it.
func TestHostile(t *testing.T) {
	scantest.Long(t, "measures time")
	for _, unit := range []string{"\x01", "\x01\x01\x01\x01\n", "\x01\x01\x01\x01", "\n\x1f", "\x1f\f\n", "\n\x1f\f\n", "\n\x01\x01\x01", "x"} {
		var took [2]time.Duration
		for i, n := range []int{1 << 16, 1 << 18} {
			src := strings.Repeat(unit, n/len(unit))
			start := time.Now()
			pieces(t, src, 4096)
			took[i] = time.Since(start)
		}
		if took[1] > 8*took[0]+200*time.Millisecond {
			t.Errorf("%q: %v, then %v for four times as much", unit, took[0], took[1])
		}
	}
}

func FuzzSplit(f *testing.F) {
	control := strings.NewReplacer("¹", "\x01", "␟", "\x1f", "␌", "\f", "‖", "", "⟦", "", "⟧", "")
	for _, text := range texts {
		f.Add(control.Replace(text), 1)
	}
	f.Fuzz(func(t *testing.T, src string, step int) {
		all := pieces(t, src, len(src)+1)
		for _, piece := range all {
			if start, end := Body([]byte(piece)); start < 0 || start > end || end > len(piece) {
				t.Fatalf("%q: body %d to %d", piece, start, end)
			}
		}
		if got := pieces(t, src, 1+step&7); strings.Join(got, "‖") != strings.Join(all, "‖") {
			t.Fatalf("pieces depend on how the input comes: %q and %q", got, all)
		}
	})
}

var texts = []string{
	"¹¹¹¹\n⟦a: b\n\nx\n⟧¹¹¹¹\n",
	"¹¹¹¹\n⟦a: b\n⟧¹¹¹¹\n‖¹¹¹¹\n⟦c: d\n⟧¹¹¹¹\n",
	"¹¹¹¹\n⟦a: b\n⟧‖¹¹¹¹\n⟦c: d\n⟧¹¹¹¹", // one delimiter between
	"¹¹¹¹\r\n⟦a: b\r\n⟧¹¹¹¹\r\n‖¹¹¹¹\r\n⟦c: d\r\n⟧¹¹¹¹\r\n",
	"¹¹¹¹\nFrom x y\n⟦a: b\n⟧¹¹¹¹\n",            // as Python writes
	"¹¹¹¹\n⟦a: b\n\n¹¹¹¹x\n ¹¹¹¹\n¹¹¹\n⟧¹¹¹¹\n", // text
	"¹¹¹¹\n⟦a: b⟧", // cut off
	"¹¹¹¹\n⟦⟧¹¹¹¹\n‖¹¹¹¹\n⟦x⟧",
}
