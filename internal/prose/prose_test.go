package prose

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// sample scans a format that has each construct: {x} is a reference, [x] a name, "\x" stands for x, "|" separates, and
// all else is text.
func sample(d *Doc, src []byte) iter.Seq[*scan.Item] {
	return d.Scan(src, delimit.Rules{}, func() {
		for i := 0; i < len(src); {
			end := i + 1
			switch c := src[i]; c {
			case '{', '[':
				for end < len(src) && src[end] != c+2 {
					end++
				}
				at := Trim(src, scan.Span{Start: i + 1, End: end})
				end = min(end+1, len(src))
				d.Break(i, end)
				it := Item{Op: scan.Ref, Kind: scan.Link, How: scan.Macro, Span: at, In: "{}"}
				switch value := src[at.Start:at.End]; {
				case c == '[':
					it.Op, it.Space = scan.Anchor, "name"
					d.Add(it, nil)
				case len(value) == 0:
				case value[0] == '~':
					it.Loose, it.Fragment, it.Meant, it.IgnoresBase, it.Labels = true, "f", "http://", true, scan.Guess
					d.Add(it, append([]byte("h"), value[1:]...))
				default:
					d.Add(it, nil)
				}
			case '\\':
				end = min(i+2, len(src))
				d.Undone(src[i+1:end], i, end)
			case '|':
				d.Break(i, end)
			default:
				d.Text(i, end)
			}
			i = end
		}
	})
}

func TestScan(t *testing.T) {
	var d Doc
	scantest.Golden(t, "testdata/scan.txtar", func(src []byte) iter.Seq[*scan.Item] { return sample(&d, src) })
}

// Items that were added out of order are yielded in order, and those at one place as they were added.
func TestOrder(t *testing.T) {
	src := []byte("http://a/ b c d http://e/")
	var d Doc
	d.Reset(src)
	d.Text(0, len(src))
	for _, at := range []int{12, 10, 10, 25} {
		d.Add(Item{Op: scan.Mention, Span: scan.Span{Start: at, End: at}}, fmt.Append(nil, at, len(d.found)))
	}
	var got []string
	d.All(func(it *scan.Item) bool {
		got = append(got, string(it.Value))
		return true
	})
	if want := []string{"http://a/", "10 1", "10 2", "12 0", "http://e/", "25 3"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A Doc that is full says so where no reference can continue, later after white space, and finally anywhere.
func TestIsFull(t *testing.T) {
	const kb = 1 << 10
	for _, tt := range []struct {
		held         int
		last         string
		full, beyond bool
	}{
		{256 * kb, "\t", false, false}, {257 * kb, "\t", true, false}, {257 * kb, " ", false, false}, {257 * kb, "x", false, false},
		{1025 * kb, " ", true, false}, {1025 * kb, "\n", true, false}, {1025 * kb, "x", false, false}, {4096 * kb, "x", false, false},
		{4097 * kb, "x", false, true}, {8192 * kb, "x", false, true}, {8193 * kb, "x", true, true},
	} {
		src := []byte(strings.Repeat("x", tt.held-1) + tt.last)
		var d Doc
		d.Reset(src)
		d.Text(0, len(src))
		if d.IsFull() != tt.full || d.IsOverfull() != tt.beyond {
			t.Errorf("%d bytes before %q: %v, %v", tt.held, tt.last, d.IsFull(), d.IsOverfull())
		}
	}
	var d Doc
	for range 1025 {
		d.Add(Item{}, nil)
	}
	if !d.IsFull() {
		t.Error("items without text")
	}
	d.Reset(nil)
	if d.IsFull() || d.IsOverfull() {
		t.Error("after Reset")
	}
}

func TestEnds(t *testing.T) {
	src := []byte("a end b end c")
	var e Ends
	for _, tt := range []struct {
		end      string
		at, want int
	}{{"end", 0, 2}, {"end", 3, 8}, {"none", 4, -1}, {"end", 9, -1}, {"none", 9, -1}, {"c", 9, 12}, {"end", 13, -1}} {
		if got := e.Find(src, tt.end, tt.at); got != tt.want {
			t.Errorf("%q at %d: %d, want %d", tt.end, tt.at, got, tt.want)
		}
	}
	for s, want := range map[string]scan.Span{"": {}, " \t\r\n": {Start: 4, End: 4}, " a b ": {Start: 1, End: 4}, "ab": {End: 2}} {
		if got := Trim([]byte(s), scan.Span{End: len(s)}); got != want {
			t.Errorf("Trim(%q): %v", s, got)
		}
	}
}
