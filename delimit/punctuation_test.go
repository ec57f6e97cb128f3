package delimit

import (
	"testing"
	"unicode"
)

// The table is that of Unicode 15.0. A later version of package unicode may have more
// characters, but says the same of those that 15.0 has, but for the few that it changes.
func TestTerminal(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("package unicode has version %s", unicode.Version)
	}
	for r := rune(0x100); r <= unicode.MaxRune; r++ {
		want := unicode.In(r, unicode.Terminal_Punctuation, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf)
		if got := isTerminal(r); got != want {
			t.Errorf("isTerminal(%U) = %t, package unicode says %t", r, got, want)
		}
	}
}

func TestTerminalIsSorted(t *testing.T) {
	for i, r := range terminal[1:] {
		if r.first <= terminal[i].last || r.last < r.first {
			t.Errorf("%U is out of order", r.first)
		}
	}
}

// Sentences in the scripts that the table names, each with its own full stop or comma.
var sentences = []string{
	"انظر ⟦http://h/a⟧، أو ⟦http://h/b⟧؛ هل رأيت ⟦http://h/c⟧؟", // Arabic
	"یہاں ⟦http://h/a⟧۔",                              // Urdu
	"देखें ⟦http://h/a⟧। और ⟦http://h/b⟧॥",            // Hindi, Sanskrit
	"មើល ⟦http://h/a⟧។ ⟦http://h/b⟧៕",                 // Khmer (U+17D4, and U+17D5 at the end of a text)
	"ተመልከት ⟦http://h/a⟧። ⟦http://h/b⟧፣ ⟦http://h/c⟧፤", // Ethiopic
	"ကြည့်ပါ ⟦http://h/a⟧။",                           // Myanmar
	"བལྟ ⟦http://h/a⟧།",                               // Tibetan
	"տես ⟦http://h/a⟧։",                               // Armenian
	"请看 ⟦http://h/a⟧。或 ⟦http://h/b⟧，以及 ⟦http://h/c⟧！", // Chinese
	"｢⟦http://h/a⟧｣ ⟦http://h/b⟧､ ⟦http://h/c⟧｡",      // half-width forms of Japanese
	"„⟦http://h/a⟧“ ‚⟦http://h/b⟧‘ ‹⟦http://h/c⟧› ⟪⟦http://h/d⟧⟫ ⸢⟦http://h/e⟧⸣ ⁽⟦http://h/f⟧⁾",
}

func TestSentences(t *testing.T) {
	for _, text := range sentences {
		if got := mark(new(Finder), text); got != text {
			t.Errorf("\n got %s\nwant %s", got, text)
		}
	}
}
