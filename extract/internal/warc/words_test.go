package warc

import "testing"

// What looks like the address and the date of a line in an ARC file.
func TestWords(t *testing.T) {
	for word, want := range map[string]bool{
		"1.2.3.4": true, "255.255.255.255": true, "2555.255.255.255": false, "1.2.3": false, "1.2.3.4.5": false, "::1": true, "1:2": false, "a::b": true, "h.x.y.z": false, "": false,
	} {
		if got := address([]byte(word)); got != want {
			t.Errorf("%q is an address: %v", word, got)
		}
	}
	for word, want := range map[string]bool{
		"20240102": true, "2024010": false, "20240102030405": true, "2024010x": false, "null": true, "-": true, "nullx": false, "": false,
	} {
		if got := date([]byte(word)); got != want {
			t.Errorf("%q is a date: %v", word, got)
		}
	}
}
