package webpage

import (
	"strings"
	"testing"
)

// The policy allows only the page's own style and script.
func TestPolicy(t *testing.T) {
	const empty = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='" // of no bytes
	want := "default-src 'none'; img-src data:; style-src " + empty + "; script-src " + empty + "; base-uri 'none'; form-action 'none'"
	if got := policyOf("", ""); got != want {
		t.Errorf("policy %s", got)
	}
}

func TestShown(t *testing.T) {
	long := strings.Repeat("ü", MaxShown)
	for _, x := range []struct{ in, want string }{
		{"", ""},
		{"ü/日本.md", "ü/日本.md"},
		{"a\xffb\uFFFDc", "a\\xffb\uFFFDc"},
		{"\x7f\u0085\u200f\ufeff", `\u{7f}\u{85}\u{200f}\u{feff}`},
		{long, long[:MaxShown] + "…"},
		{"a" + long, "a" + long[:MaxShown-2] + "…"},
	} {
		if got := Shown(x.in); got != x.want {
			t.Errorf("Shown(%.20q) = %q, want %q", x.in, got, x.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d) = %s", n, got)
		}
	}
}
