package extract

import (
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// The fields of CSV, in windows of any size: RFC 4180 section 2.
func TestUndoCSV(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"1,http://h/a,x\n2,http://h/b\n", []string{"http://h/a", "http://h/b"}},
		{"\"a\",\"http://h/a,b\",\"c\"\nhttp://h/c,d\n", []string{"http://h/a,b", "http://h/c"}},
		{"\"he said \"\"http://h/a\"\", then\",http://h/b,\n", []string{"http://h/a", "http://h/b"}},
		{"a;b\nhttp://h/a,b;http://h/c;d\n", []string{"http://h/a,b", "http://h/c"}},
		{"\"line\nhttp://h/a,b\",http://h/c,\"\",\"http://h/d\"", []string{"http://h/a,b", "http://h/c", "http://h/d"}},
		{"5\" disk,http://h/a,b\n", []string{"http://h/a"}},
	} {
		for _, window := range []int{0, 1, 7, 50} {
			var got []string
			for ref, err := range (&Config{window: window}).Walk("a.csv", strings.NewReader(tt.text)) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(ref.Ref))
				if raw := tt.text[ref.Pos.Offset:][:ref.Pos.Length]; raw != string(ref.Ref) {
					t.Errorf("%q is at %q", ref.Ref, raw)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("window %d: %q: got %q, want %q", window, tt.text, got, tt.want)
			}
		}
	}
}

func TestUndoCSVHostile(t *testing.T) {
	shapes := []scantest.Shape{{"", ",", ""}, {"", "\"", ""}, {"", "\"\"", ""}, {"", "\",", ""}, {"", ",\"", ""}, {"", "\n", ""}, {"", ";", ""}, {"\"", "a", ""}, {"", "a", ""}, {"", "http://a,", ""}}
	scantest.Shapes(t, shapes, 256<<10, func(src []byte) {
		for range (&Config{Undo: UndoCSV}).Walk("x", strings.NewReader(string(src))) {
		}
	})
}
