package slug

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// Headings have the ids that they had, of each algorithm.
func TestPinned(t *testing.T) {
	tokens := scantest.Grammar{Tokens: `- _ -- . , : ; ! ? ( ) [ ] { } < > / \\ & &amp; * ** _a_ # @ % ' " ’ “ — – … é É ß İ ﬁ 漢 字 д 👍 ❤️ 1 2. 10 \s \s\s \t a B C++ C# .NET <b> </b> {#id} e` + "\u0301"}
	mixture := func(string) scantest.Mixture { return scantest.Mixture{Grammar: tokens, Count: 900, Pieces: 4} }
	scantest.Pinned(t, mixture, func(_ string, i int, doc []byte) string {
		var b strings.Builder
		h := Heading{Text: string(doc)}
		if i%3 == 1 {
			h.Source = "**" + h.Text + "**"
			h.Alt = h.Text + " picture"
		}
		if i%3 == 2 {
			h.Entities = strings.ReplaceAll(h.Text, "&", "&amp;")
		}
		for _, name := range Names() {
			f, _ := Named(name)
			s := Slugger{Algorithm: f}
			fmt.Fprintf(&b, "%s %q %q %q %q\n", name, f.Slug(h), s.Slug(h), s.Slug(h), s.Slug(Heading{Text: h.Text + "-1"}))
		}
		fmt.Fprintf(&b, "%q\n", Fold(h.Text))
		return b.String()
	})
}
