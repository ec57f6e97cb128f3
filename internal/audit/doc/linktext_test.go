package doc

import (
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
)

// Words that say nothing are known in eleven languages, with punctuation and in any case. Names are not vague.
func TestIsVague(t *testing.T) {
	for _, text := range []string{
		"here", "Here.", "click here", "CLICK HERE!", "(read more…)", "More »", "→ this link", "hier", "Weitere Informationen", "ici", "En savoir plus",
		"plus d’infos", "aquí", "Más información", "clique aqui", "saiba mais", "qui", "leggi di più", "klik hier", "lees verder", "tutaj",
		"Więcej", "здесь", "Подробнее", "こちら", "「続きを読む」", "点击这里", "更多", "這裡",
	} {
		if !isVague(text) {
			t.Errorf("%q is not vague", text)
		}
	}
	for _, text := range []string{"", "…", "1", "Go", "plus", "here and now", "there", "click_here_now", "more or less", "hereâ", "\xff"} {
		if isVague(text) {
			t.Errorf("%q is vague", text)
		}
	}
}

// Texts and titles are compared as readers see them.
func TestShownText(t *testing.T) {
	for text, want := range map[string]string{
		"a  b\nc": "a b c", "*a* **b** `c`": "a b c", "<b>a</b> b": "a b", "_a_ snake_case": "a snake_case", "": "", "***": "", "1 < 2": "1 < 2",
	} {
		if got := ShownText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What a link says besides its text is searched only near to it, whatever the place says.
func TestIsExplained(t *testing.T) {
	source := []byte(strings.Repeat(`<a href=x>here`, 1e5))
	for i := range int64(1e5) {
		k := LinkText{Reference: Reference{How: scan.Attribute, Pos: extract.Position{Offset: i*14 + 8, Length: 1}}}
		if k.IsExplained(source) {
			t.Fatalf("link %d", i)
		}
	}
	for _, pos := range []extract.Position{{Offset: -1}, {Offset: 1 << 40}, {Offset: 5, Length: -9}, {Offset: 0, Length: 1 << 30}, {}} {
		k := LinkText{Reference: Reference{How: scan.Attribute, Pos: pos}}
		k.IsExplained([]byte("<>"))
		k.How = scan.Inline
		k.IsExplained(nil)
	}
}
