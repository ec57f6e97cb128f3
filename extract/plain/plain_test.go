package plain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
)

func show(it *scan.Item) string {
	if it.Op == scan.Note {
		if it.Code != scan.CodeTooLong {
			return "a note about " + string(it.Code)
		}
		return "note " + fmt.Sprint(it.Span) + " " + it.Text
	}
	return fmt.Sprintf("%s %s %q %v %s %v %v %v", it.Kind, it.How, it.In, it.Span, it.Value, it.Extra().Parts, it.Extra().Drop, it.Meant != "")
}

func TestScan(t *testing.T) {
	const text = "\"http://a/\" <URL:../x> URL:http://b/ www.c.org <http://d-\n e-\nf> http://"
	src := text + strings.Repeat("g", delimit.MaxReference)
	want := []string{
		`text quoted "" {1 10} http://a/ [] [] false`,
		`text angle "<URL:>" {17 21} ../x [] [] false`,
		`text prefixed "URL:" {27 36} http://b/ [] [] false`,
		`text bare "" {37 46} www.c.org [] [] true`,
		`text angle "" {48 63} http://d-e-f [{48 57} {59 61} {62 63}] [8 10] false`,
		`note {65 65601} more than 65536 bytes without white space: not a reference`,
	}
	var got []string
	var s Scanner
	for it := range s.Scan([]byte(src)) {
		if it.IgnoresBase || it.Loose || it.Depth > 0 || it.Map != nil {
			t.Errorf("%s: has what was set in the Item before", show(it))
		}
		got = append(got, show(it))
		it.IgnoresBase, it.Loose, it.Depth, it.Map = true, true, 1, new(scan.Map) // as the scanner of a header may do
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// Window returns where it stopped, and continues from there.
func TestWindow(t *testing.T) {
	src := []byte("http://a/ http://b/ <http://c/\nd> http://e/")
	tests := []struct {
		at, end int
		want    string
		next    int
	}{
		{0, 10, "http://a/", 10},
		{0, 11, "http://a/ http://b/", 19}, // begins before the end, goes over it
		{0, 21, "http://a/ http://b/ http://c/d", 33},
		{33, 43, "http://e/", 43},
		{20, 20, "", 20},
		{30, 25, "", 30}, // the one before has reached over all of it
	}
	for _, tt := range tests {
		var s Scanner
		var got []string
		next := s.Window(src, tt.at, tt.end, true, func(it *scan.Item) bool {
			got = append(got, string(it.Value))
			return true
		})
		if strings.Join(got, " ") != tt.want || next != tt.next {
			t.Errorf("Window(%d, %d): %q, %d", tt.at, tt.end, got, next)
		}
	}
	var s Scanner
	if next := s.Window(src, 0, len(src), true, func(*scan.Item) bool { return false }); next != -1 {
		t.Error(next)
	}
	s.Rest = true
	if next := s.Window([]byte("ggg"), 0, 3, false, nil); next != 3 || !s.Rest {
		t.Error("the rest of a run that is too long:", next, s.Rest)
	}
	if next := s.Window([]byte("ggg http://x"), 0, 4, true, nil); next != 4 || s.Rest {
		t.Error("its end:", next, s.Rest)
	}
}

func BenchmarkScan(b *testing.B) {
	src := []byte(strings.Repeat("It was the best of times: see <http://www.example.org/a> or www.example.org, it was the worst.\n", 10000))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		var s Scanner
		for range s.Scan(src) {
		}
	}
}
