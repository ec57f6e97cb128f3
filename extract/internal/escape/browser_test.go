package escape

import (
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/refract/internal/testing/browser"
)

// Chromium writes all characters of the first planes in queries of pages in all charsets the same.
func TestBrowser(t *testing.T) {
	b := browser.Start(t, 800, 600)
	for _, name := range []string{"windows-1252", "windows-1258", "iso-8859-2", "koi8-u", "macintosh", "gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr", "iso-2022-jp"} {
		b.Open("data:text/html;charset=" + name + ",<a id=a>")
		b.Is("document.characterSet.toLowerCase()", name)
		want := strings.Split(b.Eval(`(() => {
			const all = []
			for (let r = 0x80; r < 0x30000; r++) {
				if (r == 0xd800) r = 0xe000
				if (r == 0x10000) r = 0x20000
				a.href = "http://h/?" + String.fromCodePoint(r)
				all.push(a.search)
			}
			return all.join(" ")
		})()`), " ")
		q := NewQuery(name)
		i, wrong := 0, 0
		for r := rune(0x80); r < 0x30000; r++ {
			if !utf8.ValidRune(r) || r >= 0x10000 && r < 0x20000 {
				continue
			}
			ref := []byte("?" + string(r))
			if got := string(q.EncodeRange(nil, ref, 0, len(ref))); got != want[i] {
				wrong++
				if wrong < 20 {
					t.Errorf("%s: %U is %s, in Chromium %s", name, r, got, want[i])
				}
			}
			i++
		}
	}
}
