package overview

import "testing"

// An estimate has three digits.
func TestAbout(t *testing.T) {
	for n, want := range map[int]string{0: "about 0", 999: "about 999", 1000: "about 1,000", 1004: "about 1,000", 1005: "about 1,010", 12345: "about 12,300", 123456: "about 123,000", 1234567: "about 1,230,000"} {
		if got := about(n, false); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
		if got := about(1234567, true); got != "1,234,567" {
			t.Error(got)
		}
	}
}
