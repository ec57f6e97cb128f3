package extract

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/delimit"
	"example.org/refract/internal/testing/scantest"
)

func TestUndo(t *testing.T) {
	text := "x\n{\"u\":\"http:\\/\\/h\\/a\\u0026b\",\\n\"v\":\"hxxp:\\/\\/a[.]b\\/c\"}\n" +
		"&lt;a href=&quot;http://h/?a&amp;b&quot;&gt; \x1b[36mhttp://h/\x1b[1mbold\x1b[0m\nhttp://z/\n"
	want := []string{
		`8+20 2:7 true quoted http://h/a&b "http:\\/\\/h\\/a\\u0026b" []`,
		`37+17 2:36 true quoted http://a.b/c "hxxp:\\/\\/a[.]b\\/c" []`,
		`74+17 3:18 true quoted http://h/?a&b "http://h/?a&amp;b" []`,
		`107+17 3:51 true bare http://h/bold "http://h/\x1b[1mbold" []`,
		`129+9 4:1 true bare http://z/ "http://z/" []`,
	}
	for _, prefix := range []string{"", strings.Repeat("\\u0041&amp;[.] \x1b[0m\n", 4000)} {
		for _, window := range []int{0, 1, 77, 4000} {
			c := &Config{Lines: true, Undo: UndoANSI | UndoJSON | UndoEntities | UndoDefang, window: window}
			got, err := walk(c, strings.NewReader(prefix+text))
			if err != nil {
				t.Fatal(err)
			}
			if prefix != "" {
				shifted := make([]string, len(want))
				for i, w := range want {
					var offset, length, line, column int
					fmt.Sscanf(w, "%d+%d %d:%d", &offset, &length, &line, &column)
					_, rest, _ := strings.Cut(w, " ")
					_, rest, _ = strings.Cut(rest, ":")
					shifted[i] = fmt.Sprintf("%d+%d %d:%s", offset+len(prefix), length, line+4000, rest)
				}
				if !slices.Equal(got, shifted) {
					t.Errorf("window %d: got\n%s\nwant\n%s", window, strings.Join(got, "\n"), strings.Join(shifted, "\n"))
				}
			} else if !slices.Equal(got, want) {
				t.Errorf("window %d: got\n%s", window, strings.Join(got, "\n"))
			}
		}
	}
}

// Undone on top of a charset: both are led back.
func TestUndoCharset(t *testing.T) {
	text := "\xff\xfe"
	for _, r := range "é\n\"http:\\/\\/h\\/\"" {
		text += string([]byte{byte(r), byte(r >> 8)})
	}
	got, _ := walk(&Config{Lines: true, Undo: UndoJSON}, strings.NewReader(text))
	want := []string{`8+24 2:3 true quoted http://h/ "http:\\/\\/h\\/" []`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// Time is linear in every mode, whatever the input.
func TestHostile(t *testing.T) {
	all := &Config{Lines: true, Undo: UndoANSI | UndoJSON | UndoEntities | UndoDefang, Text: delimit.Rules{Domains: delimit.DomainsAll, Addresses: true}}
	utf16 := &Config{Lines: true, Type: "text/plain; charset=utf-16le"}
	po := &Config{Lines: true, Undo: UndoGettext}
	jis := &Config{Lines: true, Type: "text/plain; charset=iso-2022-jp"}
	for _, tt := range []struct {
		c     *Config
		shape string
	}{
		{all, "\\"}, {all, "\\u"}, {all, "\\u0041"}, {all, "\\ud83d"}, {all, "&"}, {all, "&amp;"}, {all, "&#"}, {all, "&a"},
		{all, "["}, {all, "[.]"}, {all, "h"}, {all, "hxxp:"}, {all, "\x1b["}, {all, "\x1b[1"}, {all, "\x1b[1m"}, {all, "http:\\/\\/h\\/\n"}, {all, "\\n"}, {all, "x"}, {all, "\n"},
		{po, "\"\n"}, {po, "\"\n\""}, {po, "\\"}, {po, "\"\n "}, {po, "http://h/\"\n\""},
		{utf16, "\x00"}, {utf16, "\x00\xd8"}, {utf16, "a\x00"}, {jis, "\x1b$B"}, {jis, "\x1b"}, {jis, "\x1b$B%F\x1b(B"},
	} {
		scantest.Shapes(t, []scantest.Shape{{"", tt.shape, ""}}, 256<<10, func(src []byte) {
			for range tt.c.Walk("x", bytes.NewReader(src)) {
			}
		})
	}
}

func BenchmarkUndo(b *testing.B) {
	src := strings.Repeat(`{"name":"It was the best of times","url":"http:\/\/www.example.org\/a?b=c\u0026d=e"}`+"\n", 10000)
	for i, name := range UndoNames() {
		b.Run(name, func(b *testing.B) {
			c := &Config{Undo: 1 << i}
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				for range c.Walk("x", strings.NewReader(src)) {
				}
			}
		})
	}
}

// Names and first bytes that turn decoding on.
func TestUndoByName(t *testing.T) {
	for _, tt := range []struct {
		name, head string
		want       Undo
	}{
		{"notes-1.2", "Release 1.2\n", 0}, {"x.1", "{}", 0}, {"lib.so.1", "\x7fELF", 0},
		{"a.bib", "@misc{a,", UndoLaTeX}, {"a.bib", "plain", 0}, {"a.CLS", "% x", UndoLaTeX},
		{"a.csv", "", UndoCSV}, {"a.json", "{", UndoJSON}, {"a.ndjson", "{", UndoJSON}, {"a.jsonl", "", UndoJSON}, {"a.har", "", UndoJSON}, {"a.jsonld", "", UndoJSON}, {"a.js.map", "\n{", UndoJSON}, {"a.map", " .text", 0}, {"a.po", "", UndoGettext}, {"a.pot.gz", "", UndoGettext}, {"a.txt", "{", 0}, {"", ".TH", 0},
	} {
		if got := undoByName(tt.name, []byte(tt.head)); got != tt.want {
			t.Errorf("%s, %q: %b, want %b", tt.name, tt.head, got, tt.want)
		}
	}
}

// What files are undone by name, where each reference stands, and that none keeps it as written.
func TestUndoFiles(t *testing.T) {
	for _, tt := range []struct{ name, text, ref, raw string }{
		{"a.cls", "% a\nhttp://h/\\~{}a\\_b\n", "http://h/~a_b", "http://h/\\~{}a\\_b"},
		{"a.csv", "1,http://h/a,x\n", "http://h/a", "http://h/a"},
		{"a.json", "{\"u\":\"http:\\/\\/h\\/a\\u0026b\"}", "http://h/a&b", "http:\\/\\/h\\/a\\u0026b"},
	} {
		n := 0
		for ref, err := range (&Config{Lines: true}).Walk(tt.name, strings.NewReader(tt.text)) {
			if err != nil {
				t.Fatal(err)
			}
			at := strings.Index(tt.text, tt.raw)
			raw := tt.text[ref.Pos.Offset:][:ref.Pos.Length]
			if n++; string(ref.Ref) != tt.ref || raw != tt.raw || ref.Pos.Offset != int64(at) || !ref.Pos.Exact {
				t.Errorf("%s: %q at %d is %q, exact %t, want %q at %d", tt.name, ref.Ref, ref.Pos.Offset, raw, ref.Pos.Exact, tt.ref, at)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d references", tt.name, n)
		}
		for ref := range (&Config{Undo: UndoNone}).Walk(tt.name, strings.NewReader(tt.text)) {
			if string(ref.Ref) == tt.ref {
				t.Errorf("%s: undone with UndoNone", tt.name)
			}
		}
	}
}

// JSON that only the first bytes or the media type show, and text that begins like JSON.
func TestUndoByHead(t *testing.T) {
	long := strings.Repeat("{\"a\": [\"x\", 1, \"\\u00e9\"]}\n", 5000)
	for _, tt := range []struct {
		mediaType, name, text string
		refs                  []string
		guessed               bool
	}{
		{"", "Bookmarks", `{"url": "https:\/\/h.example\/a?b=1\u0026c=2"}`, []string{"https://h.example/a?b=1&c=2"}, true},
		{"", "", "[\n \"https:\\/\\/h.example\\/a\",\n \"https://h.example/?b\\u0026c\"\n]", []string{"https://h.example/a", "https://h.example/?b&c"}, true},
		{"", "", long + `{"u":"https:\/\/h.example\/a"}`, []string{"https://h.example/a"}, true},
		{"", "", `{"url": "https://h.example/a"}`, []string{"https://h.example/a"}, false},
		{"application/json", "x", `"https:\/\/h.example\/a"`, []string{"https://h.example/a"}, false},
		{"application/vnd.api+json", "x", `{"a":"https:\/\/h.example\/a"}`, []string{"https://h.example/a"}, false},
		{"", "x.json5", `{a: 'https:\/\/h.example\/a\u0026b'}`, []string{"https://h.example/a&b"}, false},
		{"", "d/x.YAML.gz", `a: "https:\/\/h.example\/a\u0026b" 'https://h.example/b\u0026'`, []string{"https://h.example/a&b", "https://h.example/b"}, false},
		{"", "x.go", "{\n\"https://h.example/a\\u0026b\"", []string{"https://h.example/a&b"}, false},
		{"", "x.txt", "\"https://h.example/a\\u0026b\"", []string{"https://h.example/a"}, false},
		{"", "x.ipynb", `"source": ["https:\/\/h.example\/a\u0026b"`, []string{"https://h.example/a&b"}, true},
		{"", "x.ipynb", `{"cells":[{"source":["https://h.example/a"]},{"source":["https:\/\/h.example\/b"`, []string{"https://h.example/a", "https://h.example/b"}, true},
		{"", "x.json", `{"a":"https:\/\/h.example\/a"}`, []string{"https://h.example/a"}, false},
		{"", "", "[2026-11-26] \"https:\\/\\/h.example\" https://h.example/a\\u0026b", []string{"https://h.example/a"}, false},
		{"", "", "{\"u\":\"https:\\/\\/h.example\\/a\"}\nthen https://h.example/b\\u0026c\n{\"u\":\"https:\\/\\/h.example\\/d\"}\n",
			[]string{"https://h.example/a", "https://h.example/b", "https://h.example/d"}, true},
	} {
		for _, window := range []int{0, 77} {
			var notes, got []string
			c := &Config{Lines: true, Type: tt.mediaType, window: window, Note: func(n *Note) { notes = append(notes, n.Text) }}
			for ref, err := range c.Walk(tt.name, strings.NewReader(tt.text)) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(ref.Ref))
				raw := tt.text[ref.Pos.Offset:][:ref.Pos.Length]
				line := strings.Count(tt.text[:ref.Pos.Offset], "\n") + 1
				undone := strings.NewReplacer(`\/`, "/", `\u0026`, "&").Replace(raw)
				if undone != string(ref.Ref) || !ref.Pos.Exact || ref.Pos.Line != line {
					t.Errorf("%.80q: %q at %d, line %d, exact %t, is %q in line %d", tt.text, ref.Ref, ref.Pos.Offset, ref.Pos.Line, ref.Pos.Exact, raw, line)
				}
			}
			if !slices.Equal(got, tt.refs) || len(notes) > 0 != tt.guessed || len(notes) > 1 {
				t.Errorf("%.80q: %q, notes %q", tt.text, got, notes)
			}
		}
	}
}

// How programs write URLs in JSON, without a name and after white space.
func TestJSONProducers(t *testing.T) {
	table, err := os.ReadFile("testdata/jsonproducers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		program, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		written, meaning, ok := strings.Cut(rest, "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		text := "\n{\"id\": 1,\n \"url\": " + written + "}"
		n := 0
		for ref := range new(Config).Walk("", strings.NewReader(text)) {
			n++
			raw := text[ref.Pos.Offset:][:ref.Pos.Length]
			if string(ref.Ref) != meaning || !ref.Pos.Exact || `"`+raw+`"` != written {
				t.Errorf("%s: %s is %q, from %q", program, written, ref.Ref, raw)
			}
		}
		if n != 1 {
			t.Errorf("%s: %s: %d references", program, written, n)
		}
	}
}
