package lsp

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// A baseline with insertions is the one that Baseline.Write makes of all findings, except for comments.
func TestInsertions(t *testing.T) {
	finding := func(message string) *audit.Finding { return &audit.Finding{Rule: rule.Orphan, Message: message} }
	var more audit.Baseline
	more.Add("/d/b.md", finding("m"))
	more.Add("/d/#.md", finding("x\ty\n"))
	more.Add("/d/z.md", finding("z"))
	for _, text := range []string{
		"",
		"# head\n\n",
		"# only a comment",
		"a.md\torphan\tx\n",
		"a.md\torphan\tx",
		"# head\r\na.md\torphan\tx\r\n",
		"# head\nb.md\torphan\tm\n# within\nb.md\torphan\tn\n",
		"zz.md\torphan\tn\n",
	} {
		var b strings.Builder
		last := 0
		for _, in := range insertions([]byte(text), &more, "/d") {
			b.WriteString(text[last:in.offset] + in.text)
			last = in.offset
		}
		made := b.String() + text[last:]
		got, err := audit.ReadBaseline(strings.NewReader(made), "/d")
		if err != nil {
			t.Errorf("%q: %q: %v", text, made, err)
			continue
		}
		before := new(audit.Baseline)
		if text != "" && text != "# only a comment" && text != "# head\n\n" {
			before, err = audit.ReadBaseline(strings.NewReader(text), "/d")
			if err != nil {
				t.Fatal(err)
			}
		}
		if n := got.More(before); n != 3 {
			t.Errorf("%q: %q has %d findings more", text, made, n)
		}
		for line := range strings.Lines(text) {
			if !strings.Contains(made, strings.TrimRight(line, "\r\n")) {
				t.Errorf("%q: %q is gone from %q", text, line, made)
			}
		}
		if strings.HasPrefix(text, "# head\nb.md") && made != "# head\n./#.md\torphan\tx\\ty\\n\nb.md\torphan\tm\n# within\nb.md\torphan\tm\nb.md\torphan\tn\nz.md\torphan\tz\n" {
			t.Errorf("%q", made)
		}
	}
}

// Insertions in a long baseline: a search for each from the start would end by the limit of time for all tests.
func TestInsertionsInLongBaseline(t *testing.T) {
	var text bytes.Buffer
	for i := range 400_000 {
		fmt.Fprintf(&text, "%06d.md\torphan\tx\n", i)
	}
	var more audit.Baseline
	for i := range 10_000 {
		more.Add(fmt.Sprintf("/d/%06d.md", 39*i), &audit.Finding{Rule: rule.Orphan, Message: "m"})
	}
	if list := insertions(text.Bytes(), &more, "/d"); len(list) != 10_000 {
		t.Errorf("%d insertions", len(list))
	}
}
