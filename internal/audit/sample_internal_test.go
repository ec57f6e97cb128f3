package audit

import (
	"fmt"
	"testing"

	"example.org/refract/internal/audit/doc"
)

// The probes of a document stand for all links of a group, and are not the same ones in each document.
func TestWeight(t *testing.T) {
	first := map[int]bool{} // probes after that of the first link
	for i := range 50 {
		d := &doc.Document{Path: fmt.Sprintf("/t/page-%d.md", i)}
		sum, probes := 0, 0
		for n := 1; n <= 1+8+64+512; n++ {
			w := weight(d, uint16(i%3), n)
			if sum += w; w == 0 {
				continue
			}
			if probes++; probes == 2 {
				first[n] = true
			}
			if isLast := n == 1 || n == 1+8 || n == 1+8+64; isLast && sum < n {
				t.Errorf("%s: probes of %d links stand for %d", d.Path, n, sum)
			}
		}
		if sum != 1+8+64+512 || probes != 4 {
			t.Errorf("%s: %d probes stand for %d links", d.Path, probes, sum)
		}
	}
	if len(first) < 6 {
		t.Errorf("of the second to ninth link, only %v are probed", first)
	}
}

// Of a directory, the sample has the first document and few others, however many there are.
func TestSample(t *testing.T) {
	var docs []*doc.Document
	for i := range 4*1024 + 3 {
		dir := "large"
		if i < 3 {
			dir = "small"
		}
		docs = append(docs, &doc.Document{})
		docs[i].Name = fmt.Sprintf("%s/%d.md", dir, i)
	}
	var got []int
	s := newSample(docs)
	for i, d := range docs {
		if s.isIn[d] {
			got = append(got, i)
		}
	}
	if want := "[0 3 6 18 66 258 1026 4098]"; fmt.Sprint(got) != want {
		t.Errorf("documents %v, want %s", got, want)
	}
}
