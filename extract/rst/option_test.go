package rst

import (
	"strings"
	"testing"
)

// The marker of an option ends at "|".
func TestOptionMarker(t *testing.T) {
	for _, marked := range []string{
		"-a|", "-a|  text", "-a FILE|  text", "-a=FILE|  text", "-a <a file>|  text", "--file|", "--file=NAME|", "--file-name_x=NAME|  x", "/V|", "/V X|",
		"-a, --all|  text", "-a X, --file=<x y>|", "-ab|  text 'b' is no argument", "a|", "--|", "|-ab x", "-a text|", "|---a", "|---file", "|-a two words", "-aX|", "-a|  ",
	} {
		before, after, _ := strings.Cut(marked, "|")
		if strings.HasPrefix(marked, "-ab") || marked == "a|" || marked == "--|" {
			before = "" // not an option
		}
		src := strings.Replace(marked, "|", "", 1)
		if got := optionMarker([]byte(src)); got != len(before) {
			t.Errorf("%q: %d, want %d; then %q", src, got, len(before), after)
		}
	}
}

// What numbers an item of a list.
func TestIsOrdinal(t *testing.T) {
	for text, want := range map[string]bool{"1": true, "12": true, "a": true, "#": true, "ii": true, "IV": true, "ab": false, "iV": false, "1a": false, "mdclxvi": true, "a1": false} {
		if got := isOrdinal([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
