package scan

import (
	"math/rand/v2"
	"sort"
	"testing"
)

func TestNilMap(t *testing.T) {
	var m *Map
	if s, exact := m.Back(Span{3, 5}); s != (Span{3, 5}) || !exact {
		t.Error(s, exact)
	}
	if s, exact := new(Map).Back(Span{0, 1}); s != (Span{}) || exact { // has no pieces
		t.Error(s, exact)
	}
}

func TestMap(t *testing.T) {
	var m Map
	// "ab=\nc&amp;d" of quoted-printable and then entities, as one table: the soft
	// break decodes to nothing, the entity to one byte.
	m.Add(2, 0, 1, 1)
	m.Add(1, 4, 1, 1)
	m.Add(1, 5, 1, 5)
	m.Add(1, 10, 1, 1)
	// Two quanta of base64, the second of one byte, after a line break.
	m.Add(3, 20, 3, 4)
	m.Add(1, 25, 1, 4)
	m.AddStateful(2, 40, 2, 3)
	tests := []struct {
		s, want Span
		exact   bool
	}{
		{Span{0, 2}, Span{0, 2}, true},
		{Span{1, 3}, Span{1, 5}, true},
		{Span{2, 4}, Span{4, 10}, true},
		{Span{3, 4}, Span{5, 10}, true},
		{Span{0, 5}, Span{0, 11}, true},
		{Span{5, 8}, Span{20, 24}, true},
		{Span{6, 8}, Span{20, 24}, false},
		{Span{5, 7}, Span{20, 24}, false},
		{Span{5, 9}, Span{20, 29}, true},
		{Span{8, 9}, Span{25, 29}, true},
		{Span{9, 11}, Span{40, 43}, false},
		{Span{4, 4}, Span{10, 10}, true},
		{Span{11, 11}, Span{43, 43}, true},
	}
	for _, tt := range tests {
		if got, exact := m.Back(tt.s); got != tt.want || exact != tt.exact {
			t.Errorf("Back(%v) = %v, %v, want %v, %v", tt.s, got, exact, tt.want, tt.exact)
		}
	}
	if n := len(m.chunks[0].code); n != 11 { // 1 and 3 of them for each piece, 1 for each gap; none for the last
		t.Errorf("%d bytes: contiguous pieces are joined", n)
	}
}

// A last unit that is shorter than the others is not extended.
func TestShortUnit(t *testing.T) {
	for _, tail := range []bool{false, true} {
		m := new(Map)
		m.Add(4, 0, 3, 4)
		if tail {
			m = m.Tail(0, 0)
		}
		m.Add(3, 8, 3, 4)
		for s, want := range map[Span]Span{{0, 3}: {0, 4}, {3, 4}: {4, 8}, {4, 7}: {8, 12}, {0, 7}: {0, 12}} {
			if got, exact := m.Back(s); got != want || !exact {
				t.Errorf("%v leads back to %v, %v, want %v", s, got, exact, want)
			}
		}
	}
}

// unit is one unit of a decoding: the source of its bytes.
type unit struct{ src, dst Span }

// decoding returns a random decoding of n source bytes: its Map, and its units.
func decoding(r *rand.Rand, n int) (*Map, []unit) {
	var m Map
	var units []unit
	src, dst := 0, 0
	for src < n {
		d, s := 1+r.IntN(3), 1+r.IntN(4)
		if r.IntN(2) == 0 {
			d, s = 1, 1
		}
		if r.IntN(4) == 0 {
			src += r.IntN(3) // decodes to nothing
		}
		for range 1 + r.IntN(3) {
			if src+s > n {
				return &m, units
			}
			m.Add(d, src, d, s)
			units = append(units, unit{Span{src, src + s}, Span{dst, dst + d}})
			src, dst = src+s, dst+d
		}
	}
	return &m, units
}

// back computes the result of Back by its definition: the smallest range of whole units.
func back(units []unit, s Span) (Span, bool) {
	got := Span{-1, -1}
	exact := true
	for _, u := range units {
		if u.dst.End <= s.Start || u.dst.Start >= s.End {
			continue
		}
		if got.Start < 0 {
			got.Start = u.src.Start
			exact = exact && u.dst.Start == s.Start
		}
		got.End = u.src.End
		if u.dst.End >= s.End {
			exact = exact && u.dst.End == s.End
		}
	}
	return got, exact
}

// Decodings are stacked: a reference leads back through all of them.
func TestStacked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 60
		var maps []*Map
		var layers [][]unit
		for range 3 {
			m, u := decoding(r, n)
			maps, layers = append(maps, m), append(layers, u)
			n = m.Len()
		}
		if n < 2 {
			continue
		}
		a := r.IntN(n - 1)
		s := Span{a, a + 1 + r.IntN(n-a-1)}
		got, want := s, s
		gotExact, wantExact := true, true
		for i := len(maps) - 1; i >= 0; i-- {
			var e bool
			got, e = maps[i].Back(got)
			gotExact = gotExact && e
			want, e = back(layers[i], want)
			wantExact = wantExact && e
		}
		if got != want || gotExact != wantExact {
			t.Fatalf("%v leads back to %v, %v; want %v, %v", s, got, gotExact, want, wantExact)
		}
		// A window of the decoded bytes leads back to the same place.
		m, u := maps[0], layers[0]
		for from := range m.Len() - 1 {
			tail := m.Tail(from, 7)
			b, e := tail.Back(Span{0, 1})
			w, we := back(u, Span{from, from + 1})
			if b.Start+7 != w.Start || b.End+7 != w.End || e != we {
				t.Fatalf("Tail(%d) leads back to %v, %v; want %v, %v", from, b, e, w, we)
			}
			if tail.Len() != m.Len()-from {
				t.Fatal("length of the tail")
			}
		}
	}
}

// Large tables with pieces of all forms, over many chunks; and their tails, which are added to.
func TestLargeMap(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	lengths := []int{1, 1, 2, 3, 4, 5, 15, 16, 100, 200}
	for _, stateful := range []bool{false, true} {
		m := new(Map)
		var units []unit
		src, dst, cutDst, cutSrc := 0, 0, 0, 0
		for i := range 60000 {
			d, s := lengths[r.IntN(len(lengths))], lengths[r.IntN(len(lengths))]
			if r.IntN(2) == 0 {
				d, s = 1, 1
			}
			if r.IntN(3) == 0 {
				src += lengths[r.IntN(len(lengths))] - 1
			}
			for range 1 + r.IntN(12) {
				if stateful && i%3 == 0 {
					m.AddStateful(d, src, d, s)
				} else {
					m.Add(d, src, d, s)
				}
				units = append(units, unit{Span{src + cutSrc, src + cutSrc + s}, Span{dst, dst + d}})
				src, dst = src+s, dst+d
			}
			if i%7000 == 0 { // go on with a tail, and spoil what it is of
				back, _ := m.Back(Span{m.Len() / 2, m.Len() / 2})
				cutDst, cutSrc = cutDst+m.Len()/2, cutSrc+back.Start
				old := m
				m = m.Tail(m.Len()/2, back.Start)
				old.Add(7, src+1000, 7, 1)
				old.Add(7, src+3000, 7, 1)
				src -= back.Start
			}
		}
		for range 20000 {
			at := units[r.IntN(len(units))].dst
			a := at.Start + r.IntN(at.End-at.Start)
			s := Span{a, min(dst, a+1+r.IntN(1+r.IntN(2000)))}
			if a < cutDst {
				continue
			}
			from := sort.Search(len(units), func(i int) bool { return units[i].dst.End > s.Start })
			to := sort.Search(len(units), func(i int) bool { return units[i].dst.Start >= s.End })
			want, wantExact := back(units[from:to], s)
			got, exact := m.Back(Span{s.Start - cutDst, s.End - cutDst})
			got.Start, got.End = got.Start+cutSrc, got.End+cutSrc
			if got != want || !stateful && exact != wantExact || exact && !wantExact {
				t.Fatalf("%v leads back to %v, %v; want %v, %v", s, got, exact, want, wantExact)
			}
		}
		m.Reset()
		m.Add(3, 5, 1, 1)
		if got, exact := m.Back(Span{1, 2}); got != (Span{6, 7}) || !exact || m.Len() != 3 {
			t.Error("after Reset:", got, exact)
		}
	}
}

// A Map takes at most about one and a half times the memory of its source, even where every character is a piece.
func TestMapMemory(t *testing.T) {
	for _, tt := range []struct {
		name string
		size int // of the source
		add  func(m *Map, i int)
	}{
		{"a letter and an accented one", 2, func(m *Map, i int) { m.Add(1, 2*i, 1, 1); m.Add(2, 2*i+1, 2, 1) }},
		{"=3D and a letter", 4, func(m *Map, i int) { m.Add(1, 4*i, 1, 3); m.Add(1, 4*i+3, 1, 1) }},
		{"a letter and a soft line break", 3, func(m *Map, i int) { m.Add(1, 3*i, 1, 1) }},
		{"UTF-7", 6, func(m *Map, i int) { m.AddStateful(2, 6*i, 2, 5); m.Add(1, 6*i+5, 1, 1) }},
	} {
		var m Map
		const n = 1 << 18
		for i := range n {
			tt.add(&m, i)
		}
		held := 0
		for _, c := range m.chunks {
			held += cap(c.code) + 12*cap(c.marks) + 48
		}
		if held > tt.size*n*8/5 {
			t.Errorf("%s: %d bytes for %d", tt.name, held, tt.size*n)
		}
	}
}

func BenchmarkBack(b *testing.B) {
	var m Map
	for i := range 1000 {
		m.Add(57, i*78, 3, 4)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Back(Span{i % 50000, i%50000 + 40})
	}
}
