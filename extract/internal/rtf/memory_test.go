package rtf

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// What is held while a document is read does not grow with its references, nor with instructions that are never finished.
func TestBounded(t *testing.T) {
	const field, size = `{\field{\*\fldinst HYPERLINK "a"}}`, 4 << 20
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for i, tt := range []struct {
		shape scantest.Shape
		refs  int // at least
	}{
		{scantest.Shape{`{\rtf1 `, field, "}"}, size / len(field)},
		{scantest.Shape{`{\rtf1 `, "x" + field, "}"}, size / (1 + len(field))},
		{scantest.Shape{`{\rtf1 x`, field, "}"}, size / len(field)},
		{scantest.Shape{`{\rtf1{\*\fldinst x`, field, "}}"}, size / len(field)},
		{scantest.Shape{`{\rtf1{\*\fldinst x{\shptxt `, field, "}}}"}, size / len(field)},
		{scantest.Shape{`{\rtf1{\info{\hlinkbase http://h/}}`, field, "}"}, size / len(field)},
		{scantest.Shape{`{\rtf1`, field, `{\info{\hlinkbase http://h/}}}`}, size / len(field)},
		{scantest.Shape{`{\rtf1\fromhtml1 `, field, "}"}, 0},
		{scantest.Shape{`{\rtf1`, `{\*\fldinst ` + strings.Repeat("x", 15<<10), ""}, 0},
		{scantest.Shape{`{\rtf1`, `{\*\fldinst \fldinst}`, ""}, 0},
		{scantest.Shape{`{\rtf1 `, `\fldinst `, ""}, 0},
		{scantest.Shape{`{\rtf1 `, `http://h/\'e0 `, "}"}, size / 20},
	} {
		if i > 1 && !scantest.IsLong() { // each takes some tenths of a second
			break
		}
		src := tt.shape.Text(size)
		before := live()
		var s Scanner
		n, at, held := 0, 0, uint64(0)
		for it := range s.Scan(src) {
			if it.Op == scan.Body {
				continue
			}
			if it.Span.Start < at && it.Op == scan.Ref {
				// An instruction that was left out comes before none of what is in it.
				t.Fatalf("%.60q: %d after %d", tt.shape, it.Span.Start, at)
			}
			if it.Op == scan.Ref {
				n, at = n+1, it.Span.Start
			}
			if n%20000 == 1 {
				held = max(held, live()-min(before, live()))
			}
		}
		held = max(held, live()-min(before, live()))
		if n < tt.refs || held > 8<<20 {
			t.Errorf("%.60q: %d references, %d KiB held", tt.shape, n, held>>10)
		}
		runtime.KeepAlive(&s)
		runtime.KeepAlive(src)
	}
}

// The base of hyperlinks governs no other fields, and comes first wherever it is. A field that is too long is left out.
func TestBase(t *testing.T) {
	const fields = `{\field{\*\fldinst HYPERLINK "a"}}{\field{\*\fldinst INCLUDEPICTURE "b"}}{\field{\*\fldinst INCLUDETEXT "c"}}{\*\template d.dot}`
	const base = `{\info{\hlinkbase http://h/d/}}`
	for _, src := range []string{`{\rtf1` + base + fields + `}`, `{\rtf1` + fields + base + `}`, `{\rtf1` + base + base + fields + `}`} {
		var got []string
		for it := range new(Scanner).Scan([]byte(src)) {
			got = append(got, fmt.Sprint(it.In, " ", string(it.Value), " ", it.IgnoresBase))
		}
		if want := "[hlinkbase http://h/d/ false HYPERLINK a false INCLUDEPICTURE b true INCLUDETEXT c true template d.dot true]"; fmt.Sprint(got) != want {
			t.Errorf("%s: got %v", src, got)
		}
	}
	long := `{\rtf1{\field{\*\fldinst HYPERLINK "http://h/` + strings.Repeat("x", maxCapture) + `"}}{\field{\*\fldinst HYPERLINK "a"}}}`
	if got := refs(t, []byte(long)); len(got) != 1 || got[0] != "HYPERLINK a" {
		t.Errorf("a field that is too long: %.100q", got)
	}
}

// Each of 2,000 random references leads back to its bytes: those of fields and of text, with characters in all forms, in
// groups that change the format.
func TestPositions(t *testing.T) {
	const count, letters = 2000, `abcdefghij/?=&%~-._{}\ä€`
	random := rand.New(rand.NewPCG(7, 8))
	written := func(ref string, isField bool) string {
		var b strings.Builder
		for i, c := range ref {
			switch n := random.IntN(20); {
			case c == '\\' && isField:
				b.WriteString(`\\\\`)
			case c == '{' || c == '}' || c == '\\':
				b.WriteString(`\` + string(c))
			case c == 'ä':
				b.WriteString([]string{`\'e4`, "ä", `\u228 ?`, `\u228\'e4`}[n%4])
			case c == '€':
				b.WriteString([]string{`\'80`, "€", `\u8364 ?`}[n%3])
			case n == 0 && i > 0 && i < len(ref)-1:
				b.WriteString(`{\b ` + string(c) + `}`)
			case n == 1:
				fmt.Fprintf(&b, `\'%02x`, c)
			case n == 2:
				b.WriteString("\r\n" + string(c))
			default:
				b.WriteRune(c)
			}
		}
		return b.String()
	}
	type place struct {
		from, to int
		in       string
	}
	var doc strings.Builder
	doc.WriteString(`{\rtf1\ansi\ansicpg1252 `)
	want := make(map[string]place)
	for i := range count {
		ref := fmt.Sprintf("http://h%d/", i)
		isField := random.IntN(2) == 0
		for range random.IntN(20) {
			c := string([]rune(letters)[random.IntN(len([]rune(letters)))])
			if isField || !strings.Contains(`{}\.?`, c) { // in text, they may end it
				ref += c
			}
		}
		ref += "z"
		in := ""
		if isField {
			in = "HYPERLINK"
			doc.WriteString(`{\field{\*\fldinst {HYPERLINK "}{`)
		}
		from := doc.Len()
		doc.WriteString(written(ref, isField))
		to := doc.Len()
		if isField {
			doc.WriteString(`}{" \\o "tip"}}{\fldrslt x}}`)
		} else {
			doc.WriteString(`\par` + "\r\n")
		}
		want[ref] = place{from, to, in}
	}
	doc.WriteString("}")
	n := 0
	for it := range new(Scanner).Scan([]byte(doc.String())) {
		p, ok := want[string(it.Value)]
		got := place{it.Span.Start, it.Span.End, it.In}
		// A line break before the first letter does not belong to the reference; nor does the group around the last.
		text := doc.String()[p.from:p.to]
		p.from += len(text) - len(strings.TrimLeft(text, "\r\n"))
		if !ok || got != p {
			t.Errorf("%q: at %v, want %v: %q", it.Value, got, p, text)
		}
		n++
	}
	if n != count {
		t.Errorf("%d references, want %d", n, count)
	}
}
