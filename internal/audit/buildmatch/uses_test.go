package buildmatch

import (
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
)

// Uses have all references of a document, or none: where there are too many, documents are read again.
func TestUses(t *testing.T) {
	u := &Uses{count: maxKept - 3}
	take := func(d *doc.Document, text string) {
		t.Helper()
		cfg := extract.Config{Details: true}
		for r, err := range cfg.Walk("a.md", strings.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			d.References++
			u.Take(d, r, []byte(text))
		}
	}
	has := func(d *doc.Document, n int, want bool) {
		t.Helper()
		all, ok := u.of(d)
		if ok != want || len(all) != n {
			t.Errorf("%d references, %v", len(all), ok)
		}
	}
	var whole, cut, after, empty, front doc.Document
	take(&whole, "[text](page.md) ![](x.png)\n")
	take(&front, "---\nx: https://example.org/\n---\n")
	take(&cut, "[a](a.md) [b](b.md)\n")
	has(&whole, 2, true)
	has(&front, 0, true)
	has(&cut, 0, false)
	has(&empty, 0, true)
	take(&after, "[a](a.md) [b](b.md)\n")
	has(&after, 0, false)
	if u.by[&whole][0].text == 0 {
		t.Error("without its text")
	}
}

// A label that nothing defines is shown as its text, or as itself.
func TestLabelsOf(t *testing.T) {
	for marked, want := range map[string]string{
		"[|a|]": "a", "x [|a|] b": "a", "[the text][|a|]": "the text", "x [y] [the text][|a|]": "the text", "no bracket][|a|]": "no bracket", "x |a|": "", "|a|]": "",
		"[" + strings.Repeat("y", 2*maxShown) + "][|a|]": strings.Repeat("y", maxShown-2),
	} {
		before, rest, _ := strings.Cut(marked, "|")
		label, after, _ := strings.Cut(rest, "|")
		d := &doc.Document{}
		d.Undefined = append(d.Undefined, doc.Note{Pos: extract.Position{Offset: int64(len(before)), Length: len(label)}})
		got := labelsOf(d, []byte(before+label+after))
		if len(got) > 1 || (len(got) == 1) != (want != "") || len(got) == 1 && got[0] != (use{at: int64(len(before)), text: built.Key(want)}) {
			t.Errorf("%.20s: %+v, want %.20s", marked, got, want)
		}
		if uses := labelsOf(d, nil); uses != nil {
			t.Errorf("of another text: %+v", uses)
		}
	}
}

// What is shown for a reference is its text, or what stands beside it in its markup.
func TestShownText(t *testing.T) {
	for _, tt := range []struct {
		marked string // the reference is between bars
		how    scan.How
		want   string
	}{
		{`<Link to="|page|" x>The text</Link>`, scan.Attribute, "The text"}, {`<Link to="|page|"/>other<b>`, scan.Attribute, ""}, {`<a href="|x|" <b>`, scan.Attribute, ""}, {`<Link to="|page|">no end`, scan.Attribute, ""},
		{"xref:|page.adoc|[The text] more]", scan.Macro, "The text"}, {"xref:|page.adoc|[", scan.Macro, ""}, {"a `b` `The text <|page|>`_", scan.Reference, "The text "}, {"<|page|>", scan.Angle, ""}, {"[a](|b|)", scan.Inline, ""},
	} {
		before, rest, _ := strings.Cut(tt.marked, "|")
		ref, after, _ := strings.Cut(rest, "|")
		r := &extract.Reference{How: tt.how, Pos: extract.Position{Offset: int64(len(before)), Length: len(ref)}}
		if got := shownText(r, []byte(before+ref+after)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.marked, got, tt.want)
		}
	}
	if got := shownText(&extract.Reference{Text: "x", Pos: extract.Position{Offset: 9}}, nil); got != "x" {
		t.Errorf("%q", got)
	}
	if got := shownText(&extract.Reference{Pos: extract.Position{Offset: 9, Length: 1}}, nil); got != "" {
		t.Errorf("%q", got)
	}
}
