package doc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.org/refract/internal/audit/tree"
)

// contentOf returns a content that differs from others by the number of its references.
func contentOf(n int) Content { return Content{References: n, Memo: new(Memo)} }

// reread returns c as it is written and read.
func reread(t *testing.T, c *Cache) *Cache {
	t.Helper()
	var b bytes.Buffer
	err := c.Write(&b, "1")
	if err != nil {
		t.Fatal(err)
	}
	read := new(Cache)
	err = read.Read(&b, "1")
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// What is put is got, also from a file, until enough runs have not asked for it.
func TestCache(t *testing.T) {
	one, two, three := tree.Sum{1}, tree.Sum{2}, tree.Sum{3}
	c := new(Cache)
	_, ok := c.Get(one)
	if ok || c.Changed() {
		t.Error("the zero Cache is not empty")
	}
	c.Put(one, contentOf(1))
	c.Put(two, contentOf(2))
	if !c.Changed() {
		t.Error("contents were put")
	}
	c = reread(t, c)
	if c.Changed() {
		t.Error("it is as it was written")
	}
	for range 2 * maxUnused {
		c.Next()
		got, ok := c.Get(one)
		if !ok || got.References != 1 || got.IsPartial {
			t.Fatalf("%+v, %v", got, ok)
		}
	}
	if !c.Changed() {
		t.Error("an entry was dropped")
	}
	for sum, want := range map[tree.Sum]bool{one: true, two: false, three: false} {
		_, ok := reread(t, c).Get(sum)
		if ok != want {
			t.Errorf("%d: %v", sum[0], ok)
		}
	}
	got, _ := c.Get(one)
	c.lost = false
	got.IsNew = true // more was derived from it
	if !c.Changed() || !reread(t, c).has(one) {
		t.Error("what was derived is lost")
	}
}

func (c *Cache) has(s tree.Sum) bool {
	_, ok := c.Get(s)
	return ok
}

// A file with the right sum may still be no cache: its lengths and counts are checked.
func TestMalformed(t *testing.T) {
	var sum tree.Sum
	w := NewWriter()
	w.outcome(&Outcome{Packed: "x"})
	outcome := []byte(w.Done())
	number := func(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
	for _, tt := range []struct {
		what string
		body []byte
		ok   bool
	}{
		{"empty", number(0), true},
		{"a document", slices.Concat(number(0), sum[:], []byte{0}, number(1), []byte("x")), true},
		{"an outcome", slices.Concat(number(1), outcome), true},
		{"no number of outcomes", nil, false},
		{"too many outcomes", number(maxOutcomes + 1), false},
		{"as many outcomes as bytes", slices.Concat(number(maxOutcomes+1), bytes.Repeat(outcome, maxOutcomes+1)), false},
		{"an outcome that is not there", number(1), false},
		{"an outcome with something behind it", slices.Concat(number(1), outcome, []byte{0}), false},
		{"a part of an outcome", slices.Concat(number(1), outcome[:len(outcome)-1]), false},
		{"a part of a sum", slices.Concat(number(0), sum[1:]), false},
		{"a sum alone", slices.Concat(number(0), sum[:]), false},
		{"a content without a length", slices.Concat(number(0), sum[:], []byte{0}), false},
		{"an empty content", slices.Concat(number(0), sum[:], []byte{0}, number(0)), false},
		{"a content longer than the file", slices.Concat(number(0), sum[:], []byte{0}, number(2), []byte("x")), false},
	} {
		text := append(head("1"), tt.body...)
		text = binary.LittleEndian.AppendUint32(text, crc32.Checksum(text, castagnoli))
		c := new(Cache)
		c.Put(sum, contentOf(7))
		err := c.Read(bytes.NewReader(text), "1")
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.what, err)
		}
		got, _ := c.Get(sum)
		if err != nil && got.References != 7 {
			t.Errorf("%s: the cache was changed", tt.what)
		}
		if tt.what == "a document" && c.has(sum) {
			t.Error("x is no content")
		}
	}
	fails := errors.New("fails")
	err := new(Cache).Read(io.MultiReader(bytes.NewReader(head("1")), broken{fails}), "1")
	if err != fails {
		t.Error(err)
	}
	err = new(Cache).Write(broken{fails}, "1")
	if err != fails {
		t.Error(err)
	}
}

// broken is a file that cannot be read or written.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error)  { return 0, b.err }
func (b broken) Write([]byte) (int, error) { return 0, b.err }

// An outcome holds for the same options, as long as what it depends on has not changed.
func TestOutcomes(t *testing.T) {
	name := filepath.ToSlash(filepath.Join(t.TempDir(), "a.md"))
	write := func(text string) {
		t.Helper()
		err := os.WriteFile(name, []byte(text), 0o666)
		if err != nil {
			t.Fatal(err)
		}
	}
	write("old")
	trace := tree.NewTrace(tree.Disk())
	f, err := trace.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.ReadAll(f)
	_, missing := trace.Stat(name + "x")
	if err := errors.Join(err, f.Close()); err != nil || missing == nil || !trace.End() {
		t.Fatal(err, missing)
	}
	c := new(Cache)
	for key := range byte(maxOutcomes + 1) {
		c.Keep(&Outcome{Key: tree.Sum{key}})
	}
	c.Keep(&Outcome{Key: tree.Sum{2}, Record: trace.Sorted(), Packed: "findings"})
	if len(c.Outcomes) != maxOutcomes || !c.Changed() {
		t.Errorf("%d outcomes", len(c.Outcomes))
	}
	var b bytes.Buffer
	file := filepath.Join(t.TempDir(), "cache")
	if err := errors.Join(c.Write(&b, "1"), os.WriteFile(file, b.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c = new(Cache)
	err = c.Read(r, "1")
	if err != nil {
		t.Fatal(err)
	}
	got := c.Outcome(t.Context(), tree.Sum{2}, 1)
	if got == nil || got.Packed != "findings" {
		t.Errorf("%+v", got)
	}
	for key, want := range map[byte]bool{0: false, 1: true, 3: true, 4: true, 9: false} { // the oldest was dropped
		if got := c.Outcome(t.Context(), tree.Sum{key}, 1); (got != nil) != want {
			t.Errorf("%d: %v", key, got)
		}
	}
	write("new")
	if got := c.Outcome(t.Context(), tree.Sum{2}, 1); got != nil {
		t.Error("the document has changed")
	}
}
