package pdf

import "testing"

// What a document has as words, also where a text begins with a control character, which a font may name.
func TestVocabulary(t *testing.T) {
	var v vocabulary
	for _, text := range []string{"\tTabbed", "\x01", "", "-\nrest whole", "Target-\ning end", "see http://h.example/path-\nmore.html last", "Ünïcode, (word)."} {
		v.add([]byte(text))
	}
	for word, want := range map[string]bool{
		"tabbed": true, "whole": true, "rest": false, "Target": false, "ing": false, "END": true, "path": false, "last": true,
		"Ünïcode": true, "word": true, "none": false, "": false,
	} {
		if v.has(word) != want {
			t.Errorf("%q: %t", word, !want)
		}
	}
}
