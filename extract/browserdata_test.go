package extract

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// The texts of databases, as SQLite gives them: sqlite/testdata/make.py wrote both.
func TestSQLite(t *testing.T) {
	const dir = "internal/sqlite/testdata/"
	table, err := os.ReadFile(dir + "want.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"utf8.sqlite", "utf16.sqlite"} {
		var got, want []string
		for line := range strings.Lines(string(table)) {
			if line, ok := strings.CutPrefix(line, name+"\t"); ok {
				want = append(want, strings.TrimSuffix(line, "\n"))
			}
		}
		src, err := os.ReadFile(dir + name)
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		c := &Config{Lines: true, Note: func(n *Note) { notes = append(notes, n.Text) }}
		for ref, err := range c.Walk(name, bytes.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, ref.Entity.Name+"\t"+string(ref.Ref))
			raw := bytes.ReplaceAll(src[ref.Pos.Offset:][:ref.Pos.Length], []byte{0}, nil)
			if ref.Pos.Exact && strings.ReplaceAll(string(raw), `\/`, "/") != string(ref.Ref) || ref.Pos.Line != 0 {
				t.Errorf("%s: %q at %d, line %d", name, ref.Ref, ref.Pos.Offset, ref.Pos.Line)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d references, want %d", name, len(got), len(want))
		}
		if len(notes) != 1 || !strings.Contains(notes[0], "BLOBs in column x of table places") {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}

// A URL that is the whole value of a field is not a part of a sentence, whose punctuation may follow it. Other values are texts.
func TestValues(t *testing.T) {
	want := []string{
		"https://h.example/wiki/Example_Inc.", "https://h.example/x?", "https://h.example/x===", "https://h.example/(a", // the whole value
		"https://h.example/a",                        // see https://h.example/a.
		"https://h.example/a", "https://h.example/b", // https://h.example/a. And https://h.example/b.
		"https://h.example/a",                        // an ideographic full stop and a letter follow
		"https://h.example/b", "https://h.example/c", // https://h.example/b,https://h.example/c
		"https://h.example/x", // Chinese letters follow
	}
	for _, name := range []string{"sqlite/testdata/values.sqlite", "plist/testdata/values.plist"} {
		src, err := os.ReadFile("internal/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for ref, err := range new(Config).Walk(name, bytes.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(ref.Ref))
			raw := bytes.ReplaceAll(src[ref.Pos.Offset:][:ref.Pos.Length], []byte{0}, nil)
			if !ref.Pos.Exact || string(raw) != string(ref.Ref) {
				t.Errorf("%s: %q at %d", name, ref.Ref, ref.Pos.Offset)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A database that is too large, and a log of one, are not read; nothing is found in them as in text.
func TestSQLiteUnread(t *testing.T) {
	src, err := os.ReadFile("internal/sqlite/testdata/utf8.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, src, note string }{
		{"places.sqlite", string(src), "a file of more than 10000 bytes of type application/vnd.sqlite3"},
		{"places.sqlite-wal", "\x37\x7f\x06\x82\x00\x00 https://h.example/x", "x-sqlite3-wal"},
	} {
		var notes []string
		c := &Config{MaxEntity: 10000, Note: func(n *Note) { notes = append(notes, n.Text) }}
		for ref := range c.Walk(tt.name, strings.NewReader(tt.src)) {
			t.Errorf("%s: %q", tt.name, ref.Ref)
		}
		if len(notes) != 1 || !strings.Contains(notes[0], tt.note) {
			t.Errorf("%s: notes %q", tt.name, notes)
		}
	}
}

// A NUL or another control character ends a reference in text.
func TestControlCharacters(t *testing.T) {
	for c := range byte(' ') {
		if c == '\t' || c == '\n' || c == '\r' {
			continue
		}
		for ref := range new(Config).Walk("x.txt", strings.NewReader("https://h.example/a"+string(c)+"b ")) {
			if string(ref.Ref) != "https://h.example/a" {
				t.Errorf("%q behind a URL: %q", c, ref.Ref)
			}
		}
	}
}

// A section of OneNote: a link, text in UTF-16 and in bytes, and an embedded file, each at its place and without what follows it.
func TestOneNote(t *testing.T) {
	value := func(s string) string {
		return string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
	}
	wide := func(s string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune(s)) {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		return string(b)
	}
	src := "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3" + strings.Repeat("\x00", 48) +
		value(wide("\uFDDFHYPERLINK \"https://h.example/é\"here, or https://h.example/b")) + wide("cd") + "\x00" +
		value("https://h.example/c") + "d" +
		"\xe7\x16\xe3\xbd\x65\x26\x11\x45\xa4\xc4\x8d\x4d\x0b\x7a\x9e\xac\x14\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("\x00", 12) + "<https://h.example/>" + "x"
	for _, name := range []string{"a.one", ""} {
		var got []string
		for ref, err := range new(Config).Walk(name, strings.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, ref.Entity.Name+" "+ref.In+" "+string(ref.URL))
			raw := strings.ReplaceAll(src[ref.Pos.Offset:][:ref.Pos.Length], "\x00", "")
			if ref.Pos.Line != 0 || !ref.Pos.Exact || raw[:18] != string(ref.Ref[:18]) {
				t.Errorf("%q at %d, line %d", ref.Ref, ref.Pos.Offset, ref.Pos.Line)
			}
		}
		want := []string{"1 HYPERLINK https://h.example/%C3%A9", "1  https://h.example/b", "2  https://h.example/c", "3  https://h.example/"}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
