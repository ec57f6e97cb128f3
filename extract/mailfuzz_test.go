package extract

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Any bytes are mail: places are in the input, on the lines that counting gives, and
// neither where windows end nor whether they are walked in advance makes a difference.
func FuzzMail(f *testing.F) {
	seeds, _ := filepath.Glob(filepath.Join(vectors, "*.eml"))
	for _, name := range append(seeds, "../testdata/list.mbox") {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src, uint8(0), 50, 0)
		f.Add(append([]byte(from), src...), uint8(1), 400, 300)
		f.Add(append([]byte("#! rnews 200\n"), src...), uint8(2), 400, 300)
	}
	for _, s := range hostileMail {
		f.Add(s.Text(300), uint8(0), 100, 200)
	}
	types := []string{messageType, mboxType, newsType, emlxType}
	f.Fuzz(func(t *testing.T, src []byte, kind uint8, window, limit int) {
		c := &Config{Type: types[int(kind)%len(types)], Lines: true, Cite: true, MaxEntity: int64(limit & 0xfff)}
		inside := func(p Position) {
			if p.Offset < 0 || p.Length < 0 || p.Offset+int64(p.Length) > int64(len(src)) {
				t.Fatalf("%+v of %d bytes", p, len(src))
			}
		}
		c.Note = func(n *Note) { inside(n.Pos) }
		var want []string
		for ref, err := range c.Walk("x", bytes.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			inside(ref.Pos)
			for _, p := range ref.Ranges {
				inside(p)
			}
			before := src[:ref.Pos.Offset]
			if line, column := 1+bytes.Count(before, newline), len(before)-bytes.LastIndexByte(before, '\n'); ref.Pos.Line != line || ref.Pos.Column != column {
				t.Fatalf("%q at %d:%d, want %d:%d", ref.Ref, ref.Pos.Line, ref.Pos.Column, line, column)
			}
			if (ref.PartLine == 0) != (ref.PartColumn == 0) || ref.PartLine < 0 || ref.PartColumn < 0 {
				t.Fatalf("%q at %d:%d of its part", ref.Ref, ref.PartLine, ref.PartColumn)
			}
			want = append(want, render(ref))
		}
		c.window = 1 + window&255
		if got, _ := walk(c, bytes.NewReader(src)); !slices.Equal(got, want) {
			t.Fatalf("window %d: %q, want %q", c.window, got, want)
		}
		var got []string
		for b, err := range c.Batches("x", bytes.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			prev := b.detach()
			var found []string
			for ref := range b.References() {
				found = append(found, render(ref))
			}
			if b.redo(prev) {
				found = nil
				for ref := range b.References() {
					found = append(found, render(ref))
				}
			}
			got = append(got, found...)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("window %d, in advance: %q, want %q", c.window, got, want)
		}
	})
}
