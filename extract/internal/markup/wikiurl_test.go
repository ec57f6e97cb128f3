package markup

import "testing"

// A protocol needs something behind it.
func TestWikitextBeginsURL(t *testing.T) {
	for s, want := range map[string]bool{"http://a": true, "HTTP://ab": true, "http://": false, "http:// a": false, "http://]": false, "http://a]": true, "//a": true, "x://a": false, "": false} {
		if got := beginsWikiURL([]byte(s)); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
