package sqlite

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

func database(t testing.TB, name string) []byte {
	src, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// Damaged databases yield less, and a note.
func TestDamaged(t *testing.T) {
	whole := database(t, "utf8.sqlite")
	changed := func(at int, with ...byte) []byte {
		src := slices.Clone(whole)
		copy(src[at:], with)
		return src
	}
	for name, tt := range map[string]struct {
		src  []byte
		want string
	}{
		"a wrong page size":  {changed(16, 3, 3), "invalid header"},
		"a short file":       {whole[:len(whole)/2], "beyond the end"},
		"only a header":      {whole[:60], "invalid header"},
		"no schema":          {changed(100, 7), "damaged"},
		"a write-ahead log":  {changed(18, 2, 2), "-wal"},
		"pointers to a cell": {changed(108, whole[110], whole[111]), ""},
	} {
		var notes []string
		for it := range new(Scanner).Scan(tt.src) {
			if it.Op == scan.Note {
				notes = append(notes, it.Text)
			}
		}
		if !strings.Contains(strings.Join(notes, "\n"), tt.want) {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}

// A cell has at least four bytes: the first row of the table, which is null, ends its page.
func TestLeastCell(t *testing.T) {
	var got []string
	for it := range new(Scanner).Scan(database(t, "null.sqlite")) {
		if it.Op == scan.Note || it.Op == scan.Body {
			got = append(got, it.Text+it.Name+" "+string(it.Value))
		}
	}
	if !slices.Equal(got, []string{"t.2.u https://h.example/a"}) {
		t.Errorf("%q", got)
	}
}

func TestColumns(t *testing.T) {
	for _, tt := range []struct{ sql, want string }{
		{"CREATE TABLE a (b, c text default ',', [d e] numeric(1, 2), `f` check (f in (1, 2)), PRIMARY KEY (b))", "b c d e f"},
		{"CREATE TABLE a (b -- , c\n, d)", "b d"},
		{"CREATE TABLE a (b primary key, c, d, e as (b) virtual, f as (c) stored) WITHOUT ROWID", "b c d f"},
		{"CREATE TABLE a (b, c, d, constraint x primary key (d, \"c\" desc)) STRICT, WITHOUT ROWID", "d c b"},
		{"CREATE TABLE a (b, c, primary key (x)) without rowid", ""},
		{"CREATE TABLE a", ""}, {"CREATE TABLE a (", ""}, {"", ""},
	} {
		if got := strings.Join(columnsOf(tt.sql), " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.sql, got, tt.want)
		}
	}
}

// scanAll checks the spans of all Items.
func scanAll(t testing.TB, src []byte) {
	size := 0
	for it := range new(Scanner).Scan(src) {
		if it.Span.Start < 0 || it.Span.End < it.Span.Start || it.Span.End > len(src) {
			t.Fatalf("span %v of %d bytes", it.Span, len(src))
		}
		size += len(it.Value)
	}
	if size > len(src) {
		t.Fatalf("%d bytes of values in %d", size, len(src))
	}
}

func TestStop(t *testing.T) {
	src := database(t, "utf8.sqlite")
	all := 0
	for range new(Scanner).Scan(src) {
		all++
	}
	for stop := range all {
		for range new(Scanner).Scan(src) {
			if stop--; stop < 0 {
				break
			}
		}
	}
}

func TestMutated(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	whole := database(t, "utf8.sqlite")
	for range 2000 {
		src := slices.Clone(whole)
		for range 1 + random.IntN(20) {
			src[random.IntN(len(src))] = byte(random.Uint32())
		}
		scanAll(t, src)
	}
}

// Pages of 64 KiB whose cells all have the same place, trees of pages that point to each other, and others.
func TestHostile(t *testing.T) {
	head := []byte(magic + strings.Repeat("\x00", 84))
	head[16], head[17], head[21] = 0, 1, 64
	small := slices.Clone(head)
	small[16], small[17] = 2, 0
	page := func(size int, content string) string { return content + strings.Repeat("\x00", size-len(content)) }
	for _, tt := range []struct {
		head  []byte
		shape string
	}{
		{head, "\x0d\x00\x00\x7f\xff\x00\x00\x00" + strings.Repeat("\xff\x00", 500)},
		{head, "\x05\x00\x00\x7f\xff\x00\x00\x00\x00\x00\x00\x02" + strings.Repeat("\x00\x00\x00\x02", 500)},
		{small, page(412, "\x05\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x02"+strings.Repeat("\x00\x40", 16)) + page(512, "\x05\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03\x00\x30")},
		{small, "\x0d\x00\x00\x00\x01\x00\x00\x00\x00\x10"},
		{small, "\x00"}, {small, "\xff"}, {small, "\x0a"},
	} {
		scantest.Shapes(t, []scantest.Shape{{string(tt.head), tt.shape, ""}}, 1<<20, func(src []byte) { scanAll(t, src) })
	}
}

func FuzzScan(f *testing.F) {
	f.Add(database(f, "utf8.sqlite"))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, src []byte) { scanAll(t, src) })
}
