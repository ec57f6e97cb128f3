package ascii

import "testing"

// The characters at both ends of each range, and beside it.
func TestIsHidden(t *testing.T) {
	for _, r := range []struct{ first, last rune }{{0, 0x1f}, {0x7f, 0x9f}, {0x61c, 0x61c}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x2069}, {0xfeff, 0xfeff}} {
		for c, want := range map[rune]bool{r.first - 1: false, r.first: true, r.last: true, r.last + 1: false} {
			if c >= 0 && IsHidden(c) != want {
				t.Errorf("%U: %v", c, !want)
			}
		}
	}
	for _, r := range []struct{ first, last rune }{{0x200b, 0x200d}, {0x2060, 0x2065}} {
		for c, want := range map[rune]bool{r.first - 1: false, r.first: true, r.last: true, r.last + 1: false} {
			if IsWithoutWidth(c) != want {
				t.Errorf("%U: %v", c, !want)
			}
		}
	}
}
