package markdown

import "testing"

// The id in brackets behind a heading is exactly what stands between "[#" and "]".
func TestBracketID(t *testing.T) {
	for source, want := range map[string][2]string{
		"Heading [#own]": {"own", "Heading"}, "Heading  [#o]  ##": {"o", "Heading"}, "[a] b [#c]": {"c", "[a] b"},
		"Heading [#]": {"", "Heading [#]"}, "Heading [own]": {"", "Heading [own]"}, "Heading [#own] x": {"", "Heading [#own] x"}, "": {"", ""},
	} {
		id, text := bracketID(source)
		if got := [2]string{source[id.Start:id.End], source[:text]}; got != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}
