package distinct

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The order is that of comparing all entries, also of keys that begin with each other, that have NULs, and of counts of more than 32 bits.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(letters string, most int) string {
		b := make([]byte, r.IntN(most))
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		return string(b)
	}
	for name, key := range map[string]func(i int) string{
		"URLs":          func(i int) string { return fmt.Sprintf("https://host%d.example/%s", i%7, word("abc/", 20)) },
		"NULs":          func(i int) string { return word("\x00a", 12) },
		"prefixes":      func(i int) string { return strings.Repeat("a", i) },
		"common":        func(i int) string { return strings.Repeat("b", 300) + word("\x00\xffab", 9) },
		"few and equal": func(i int) string { return word("x", 5) },
		"any bytes":     func(i int) string { return word("\x00\x01\x7f\x80\xff", 8) },
		"an empty one":  func(i int) string { return strings.Repeat("c", i%2*9) },
	} {
		for _, order := range []Order{Sorted, Count} {
			tab := newTable(1 << 20)
			for i := range 1000 {
				k := []byte(key(i))
				if hash := hashOf(k); tab.find(hash, k) < 0 {
					count := []uint64{1, 2, 3, math.MaxUint32 - 1, math.MaxUint32, 1 << 40}[r.IntN(6)]
					if !tab.add(hash, entry{seq: uint64(i), count: count}, k, nil) {
						t.Fatal("no room")
					}
				}
			}
			var want, got []*entry
			for i := range tab.n {
				want = append(want, tab.entry(i))
			}
			slices.SortFunc(want, func(a, b *entry) int { return order.compare(a, b, tab.key(a), tab.key(b)) })
			if err := tab.each(order, func(e *entry) error { got = append(got, e); return nil }); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, order %d: not sorted", name, order)
			}
		}
	}
}

// What Prefetch reads changes nothing, whatever the table holds.
func TestPrefetch(t *testing.T) {
	var s Set
	defer s.Close()
	keys := [][]byte{nil, []byte("a"), bytes.Repeat([]byte("b"), 2<<chunkBits)}
	s.Prefetch(keys)
	for i := range 200_000 {
		key := fmt.Appendf(nil, "k%d", i)
		if fresh, err := s.Add(key, key); !fresh || err != nil {
			t.Fatal(fresh, err)
		}
	}
	for _, k := range keys {
		if _, err := s.Add(k, k); err != nil {
			t.Fatal(err)
		}
	}
	s.Prefetch(slices.Repeat(keys, Ahead))
	for _, k := range keys {
		if fresh, err := s.Add(k, k); fresh || err != nil {
			t.Errorf("%.9q: %t, %v", k, fresh, err)
		}
	}
}
