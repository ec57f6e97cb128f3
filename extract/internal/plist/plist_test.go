package plist

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// A dict is a dictionary whose keys and values alternate.
type dict []any

// plist returns the binary property list of a value.
func plist(root any) []byte {
	src := []byte("bplist00")
	var offsets []int
	var add func(v any) int
	sized := func(kind byte, n int) {
		if n < 15 {
			src = append(src, kind<<4|byte(n))
		} else {
			src = append(src, kind<<4|0xf, 0x11, byte(n>>8), byte(n))
		}
	}
	add = func(v any) int {
		var refs []int
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				refs = append(refs, add(e))
			}
		case dict:
			for first := range 2 {
				for i := first; i < len(v); i += 2 {
					refs = append(refs, add(v[i]))
				}
			}
		}
		offsets = append(offsets, len(src))
		switch v := v.(type) {
		case []byte:
			sized(dataKind, len(v))
			src = append(src, v...)
		case string:
			if strings.IndexFunc(v, func(r rune) bool { return r > 127 }) < 0 {
				sized(asciiKind, len(v))
				src = append(src, v...)
				break
			}
			units := utf16.Encode([]rune(v))
			sized(utf16Kind, len(units))
			for _, u := range units {
				src = append(src, byte(u>>8), byte(u))
			}
		case []any:
			sized(arrayKind, len(v))
		case dict:
			sized(dictKind, len(v)/2)
		default:
			src = append(src, 0x09) // true
		}
		for _, r := range refs {
			src = append(src, byte(r>>8), byte(r))
		}
		return len(offsets) - 1
	}
	top := add(root)
	table := len(src)
	for _, o := range offsets {
		src = append(src, byte(o>>16), byte(o>>8), byte(o))
	}
	src = append(src, 0, 0, 0, 0, 0, 0, 3, 2)
	for _, n := range []int{len(offsets), top, table} {
		src = binary.BigEndian.AppendUint64(src, uint64(n))
	}
	return src
}

func items(src []byte) (all []string) {
	for it := range new(Scanner).Scan(src) {
		if it.Op == scan.Note {
			all = append(all, "note "+it.Text[:11])
			continue
		}
		all = append(all, fmt.Sprintf("%s %s %q", it.Name, it.Type, src[it.Span.Start:it.Span.End]))
	}
	return all
}

var sample = plist(dict{
	"Children", []any{dict{"URLString", "https://a.example/x", "URIDictionary", dict{"title", "_"}}, "https://b.example/", "é"},
	"https://k.example/", true, "é", "https://c.example/", "data", []byte("https://d.example/"), "bin", []byte{0, 1}, "in", []byte("bplist00"),
})

func TestScan(t *testing.T) {
	want := []string{
		`key 1 text/plain "https://k.example/"`,
		`key 2 text/plain "\x00\xe9"`,
		`Children.0.URLString text/plain "https://a.example/x"`,
		`Children.1 text/plain "https://b.example/"`,
		`Children.2 text/plain "\x00\xe9"`,
		`2 text/plain "https://c.example/"`,
		`data text/plain "https://d.example/"`,
		`in application/x-bplist "bplist00"`,
		`note 1 pieces of`,
	}
	got := items(sample)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDamaged(t *testing.T) {
	for name, src := range map[string][]byte{"cut": sample[:len(sample)-1], "empty": []byte("bplist00"), "no trailer": append(slices.Clone(sample), make([]byte, 32)...)} {
		if got := items(src); len(got) == 0 || !strings.HasPrefix(got[len(got)-1], "note the binary") {
			t.Errorf("%s: %q", name, got)
		}
	}
	loop := plist([]any{[]any{true}})
	loop[len("bplist00")+2+1] = 2 // the inner array contains the outer one
	for range new(Scanner).Scan(loop) {
	}
}

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

func TestMutated(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		src := slices.Clone(sample)
		for range 1 + random.IntN(5) {
			src[random.IntN(len(src))] = byte(random.Uint32())
		}
		scanAll(t, src)
	}
}

// Objects in the same place, chains of arrays, arrays of the same array.
func TestHostile(t *testing.T) {
	for _, shape := range []struct{ object, offset string }{{"\xa1\x00\x00\x01", "\x00\x00\x08"}, {"\xa1\x00\x00\x01", ""}, {"\x5f\x11\xff\xff", "\x00\x00\x08"}, {"\xaf\x12\x00\x00\xff\xff\x00\x00\x00", "\x00\x00\x08"}, {"\xd1\x00\x00\x00\x00\x00\x01", ""}} {
		build := func(n int) []byte {
			src := []byte("bplist00" + strings.Repeat(shape.object, n))
			table := len(src)
			for i := range n {
				o := 8 + i*len(shape.object)
				if shape.offset != "" {
					o = 8
				}
				src = append(src, byte(o>>16), byte(o>>8), byte(o))
			}
			src = append(src, 0, 0, 0, 0, 0, 0, 3, 3)
			for _, v := range []int{n, 0, table} {
				src = binary.BigEndian.AppendUint64(src, uint64(v))
			}
			return src
		}
		for _, n := range []int{50000, 200000} {
			scanAll(t, build(n))
		}
	}
	scantest.Shapes(t, []scantest.Shape{{"bplist00", "\xa1\x00", string(sample[len(sample)-32:])}, {"bplist00", "\xff", ""}}, 1<<20, func(src []byte) { scanAll(t, src) })
}

func FuzzScan(f *testing.F) {
	f.Add(sample)
	f.Fuzz(func(t *testing.T, src []byte) { scanAll(t, src) })
}
