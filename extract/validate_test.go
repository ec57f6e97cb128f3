package extract

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// Type is a media type or an alias; anything else is an error before the input is read.
func TestType(t *testing.T) {
	const page = `<!-- http://h/a --><a href=http://h/b>`
	for typ, want := range map[string]string{
		"html": "http://h/b", "text/html; charset=utf-8": "http://h/b", "TEXT/HTML": "http://h/b", "text": "http://h/a http://h/b", "text/plain": "http://h/a http://h/b",
		"text/x-log": "http://h/a http://h/b", "application/json": "http://h/a http://h/b", "application/octet-stream": "http://h/a http://h/b",
		"":     "http://h/b",
		"HTML": "http://h/b", "htm": "http://h/b", "yml": "http://h/a http://h/b",
		"hmtl":                 `extract: Type "hmtl": did you mean "html"`,
		"markdow":              `extract: Type "markdow": did you mean "markdown"?`,
		"nonsense/type":        `extract: Type "nonsense/type": nothing reads this media type: give one that refract reads, or text/plain`,
		"application/xhtml+xm": `extract: Type "application/xhtml+xm": nothing reads this media type: did you mean "application/xhtml+xml"?`,
		"text/html; charset=x": `extract: Type "text/html; charset=x": unknown charset "x"`,
		"/":                    `extract: Type "/": mime: `,
		"image/png":            `extract: Type "image/png": nothing reads this media type: give one`,
	} {
		c := Config{Type: typ}
		var got []string
		for ref, err := range c.Walk("a.html", strings.NewReader(page)) {
			if err != nil {
				got = append(got, err.Error())
				break
			}
			got = append(got, string(ref.URL))
		}
		if s := strings.Join(got, " "); s != want && (!strings.HasPrefix(want, "extract: ") || !strings.HasPrefix(s, want)) {
			t.Errorf("%q: got %s\nwant %s", typ, s, want)
		}
		if err := c.Validate(); (err != nil) != strings.HasPrefix(want, "extract: ") {
			t.Errorf("%q: Validate: %v", typ, err)
		}
	}
	own := Config{Type: "own", Formats: []Format{{Types: []string{"text/x-own"}, Alias: "own", Scan: func(src []byte, _ *Config, x Context) iter.Seq[*scan.Item] {
		return func(yield func(*scan.Item) bool) {
			yield(&scan.Item{Op: scan.Ref, In: x.Type, Value: []byte("http://h/"), Span: scan.Span{End: 1}})
		}
	}}}}
	for ref, err := range own.Walk("", strings.NewReader("x")) {
		if err != nil || ref.In != "text/x-own" {
			t.Errorf("%v, %v", ref, err)
		}
	}
	if f, typ := own.FormatOf("x", nil); f != &own.Formats[0] || typ != "text/x-own" {
		t.Errorf("FormatOf: %v, %q", f, typ)
	}
}

func TestValidate(t *testing.T) {
	for want, c := range map[string]*Config{
		`Formats[0]: has no Types`:                               {Formats: []Format{{Suffixes: []string{".x"}, Alias: "x"}}},
		`Formats[1].Types "Text/X": give a media type in lower`:  {Formats: []Format{{Types: []string{"text/x"}}, {Types: []string{"Text/X"}}}},
		`Formats[0].Types "x": give`:                             {Formats: []Format{{Types: []string{"x"}}}},
		`Formats[0].Types "text/x; a=b": give`:                   {Formats: []Format{{Types: []string{"text/x; a=b"}}}},
		`Formats[0].Suffixes "md": no name ends like this: give`: {Formats: []Format{{Types: []string{"text/x"}, Suffixes: []string{".x", "md"}}}},
		`Formats[0].Suffixes ".MD": no name`:                     {Formats: []Format{{Types: []string{"text/x"}, Suffixes: []string{".MD"}}}},
		`Formats[0].Suffixes ".tar.gz": no name`:                 {Formats: []Format{{Types: []string{"text/x"}, Suffixes: []string{".tar.gz"}}}},
		`Containers[0]: has no Types`:                            {Containers: []Container{{Alias: "x", Suffixes: []string{".x"}}}},
	} {
		err := c.Validate()
		if err == nil || !strings.HasPrefix(err.Error(), "extract: "+want) {
			t.Errorf("got  %v\nwant extract: %s", err, want)
		}
		var walked error
		for _, err := range c.Walk("a.x", strings.NewReader("x")) {
			walked = err
		}
		if walked == nil || walked.Error() != err.Error() {
			t.Errorf("Walk: %v", walked)
		}
		if err := c.WalkParallel(io.Discard, "a.x", strings.NewReader("x"), 2, func(io.Writer, *Batch) error { return nil }); err == nil {
			t.Error("WalkParallel: no error")
		}
		c.FormatOf("a.x", nil) // does not panic
		c.Aliases()
	}
	for _, c := range []Config{{}, {Formats: Formats(), Containers: Containers()}, {Formats: []Format{{Types: []string{"+x"}, Suffixes: []string{"", ".x"}}}}} {
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// A Format that a program adds may be wrong about where something is: no position is outside of the input.
func TestItemsOutside(t *testing.T) {
	const src = "0123456789"
	outside := []scan.Span{{Start: 5, End: 99}, {Start: 99, End: 100}, {Start: -1, End: 3}, {Start: 7, End: 3}, {Start: math.MaxInt, End: math.MaxInt}, {Start: math.MinInt, End: math.MaxInt}, {Start: 11, End: 11}}
	far := new(scan.Map)
	far.Add(3, 50, 1, 1)
	var items []scan.Item
	for _, s := range outside {
		for op := scan.Base; op <= scan.Close; op++ {
			items = append(items, scan.Item{Op: op, Span: s, Value: []byte("x"), Type: "text/plain"})
		}
		items = append(items, scan.Item{Op: scan.Ref, Value: []byte("y"), More: &scan.More{Parts: []scan.Span{s}}}, scan.Item{Op: scan.Anchor, More: &scan.More{NameSpan: s}}, scan.Item{Op: scan.Anchor, More: &scan.More{TextSpan: s}})
	}
	items = append(items,
		scan.Item{Op: scan.Body, Span: scan.Span{Start: 1, End: 2}, Value: []byte("abc"), Map: far, Type: "text/plain"},
		scan.Item{Op: scan.Ref, Span: scan.Span{Start: 0, End: 10}, Value: []byte("ok")},
		scan.Item{Op: scan.Part, Span: scan.Span{Start: 8, End: 10}, Value: []byte("longer than that: http://h/"), Type: "text/plain"})
	for i, it := range items {
		list := []scan.Item{it}
		switch it.Op {
		case scan.Base:
			list = append(list, scan.Item{Op: scan.End})
		case scan.End:
			list = []scan.Item{{Op: scan.Base, Value: []byte("http://h/")}, it}
		case scan.Enter:
			list = append(list, scan.Item{Op: scan.Leave})
		case scan.Leave:
			list = []scan.Item{{Op: scan.Enter}, it}
		case scan.Open:
			list = append(list, scan.Item{Op: scan.Ref, Span: scan.Span{End: 2}, Value: []byte("too long for the opened text")}, scan.Item{Op: scan.Close})
		case scan.Close:
			list = []scan.Item{{Op: scan.Open, Value: []byte("x")}, it}
		}
		t.Run(fmt.Sprintf("%d %v %v", i, it.Op, it.Span), func(t *testing.T) {
			notes, refs := 0, 0
			check := func(p Position) {
				if p.Offset < 0 || p.Length < 0 || p.Offset+int64(p.Length) > int64(len(src)) || p.Line != 1 {
					t.Errorf("position %+v", p)
				}
			}
			c := Config{Lines: true, Note: func(n *Note) {
				if n.Code == scan.CodeInvalidItem {
					notes++
				}
				check(n.Pos)
			}, Anchor: func(a *Anchor) { t.Error("an anchor") }, Mention: func(*Mention) { t.Error("a mention") }}
			c.Formats = []Format{{Types: []string{"text/x"}, Scan: func([]byte, *Config, Context) iter.Seq[*scan.Item] {
				return func(yield func(*scan.Item) bool) {
					for i := range list {
						if !yield(&list[i]) {
							return
						}
					}
				}
			}}}
			c.Type = "text/x"
			for ref, err := range c.Walk("a", strings.NewReader(src)) {
				if err != nil {
					var p *PanicError
					t.Fatal(err, errors.As(err, &p))
				}
				refs++
				check(ref.Pos)
				for _, p := range ref.Ranges {
					check(p)
				}
			}
			wantNotes, wantRefs := 1, 0
			if i >= len(items)-2 {
				wantNotes, wantRefs = 0, 1
			}
			if it.Op == scan.Open {
				wantNotes++ // the Ref in it
			}
			if notes != wantNotes || refs != wantRefs {
				t.Errorf("%d notes, %d references", notes, refs)
			}
		})
	}
}
