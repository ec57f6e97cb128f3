package markdown

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// Where headings and their ids are written: what a rename replaces.
func TestHeadingSpans(t *testing.T) {
	tests := []struct{ src, want string }{
		{"# a b\n", "«a b»"},
		{"# a {#x .y}\n", "«a» [x]"},
		{"## a *b* {: .c #y } ##\n", "«a *b*» [y]"},
		{"> a\n> b {#z}\n> ===\n", "«a\n> b» [z]"},
		{"a\n===\n", "«a»"},
		{"---\nx: y\n---\n# a\r\n", "«a»"},
		{"# {#only}\n", "«» [only]"},
		{"# a {.b}\n", "«a {.b}»"},
	}
	for _, tt := range tests {
		var got []string
		for it := range (&Scanner{Anchors: true}).Scan([]byte(tt.src)) {
			if it.Op != scan.Anchor {
				continue
			}
			s := fmt.Sprintf("«%s»", tt.src[it.More.TextSpan.Start:it.More.TextSpan.End])
			if name := it.More.NameSpan; name != (scan.Span{}) {
				s += fmt.Sprintf(" [%s]", tt.src[name.Start:name.End])
				if string(it.Value) != tt.src[name.Start:name.End] {
					t.Errorf("%q: the id %q stands at %v", tt.src, it.Value, name)
				}
			}
			got = append(got, s)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.src, got, tt.want)
		}
	}
}
