package pdf

import (
	"maps"
	"testing"
)

// W has widths one by one, and of ranges with both ends.
func TestCIDWidths(t *testing.T) {
	number := func(n float64) value { return value{kind: numberValue, num: n} }
	list := func(items ...value) value { return value{kind: arrayValue, items: items} }
	got := new(reader).cidWidths(list(number(1), number(3), number(500), number(7), list(number(10), number(20)), number(9), number(9), number(30), number(12)))
	want := map[uint32]float32{1: 500, 2: 500, 3: 500, 7: 10, 8: 20, 9: 30}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The widths of the standard fonts are those of their metrics, whose sums these are, alone and times the place.
func TestStandardWidths(t *testing.T) {
	for _, test := range []struct {
		name             string
		widths           [95]uint16
		sum, timesPlaces int
	}{
		{"Helvetica", helveticaWidths, 50058, 2394471},
		{"Times", timesWidths, 48458, 2323307},
	} {
		sum, timesPlaces := 0, 0
		for i, w := range test.widths {
			sum += int(w)
			timesPlaces += (i + 1) * int(w)
		}
		if sum != test.sum || timesPlaces != test.timesPlaces {
			t.Errorf("%s: %d and %d, want %d and %d", test.name, sum, timesPlaces, test.sum, test.timesPlaces)
		}
	}
}
