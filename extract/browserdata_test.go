package extract

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
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
