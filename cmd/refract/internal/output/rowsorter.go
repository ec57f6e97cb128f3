//go:build !nocolumns

package output

import (
	"encoding/binary"
	"fmt"
	"slices"

	"example.org/refract/cmd/refract/internal/columnar"
	"example.org/refract/cmd/refract/internal/distinct"
)

// A rowSorter sorts the rows of references of a whole run, in bounded memory.
type rowSorter struct {
	set   distinct.Set
	field int  // the column url
	byKey bool // by the key of --sort-by host
	rows  uint64
	key   []byte
}

func newRowSorter(s *columnar.Schema, by string, memory int64) *rowSorter {
	i := slices.IndexFunc(s.Fields, func(f columnar.Field) bool { return f.Name == "url" })
	return &rowSorter{set: distinct.Set{Memory: memory, Order: distinct.Sorted}, field: i, byKey: by == "host"}
}

// add adds a row with a URL, nil for none. Rows without one are last; those with the same stay in order.
func (s *rowSorter) add(row, url []byte) error {
	s.rows++
	switch {
	case url == nil:
		s.key = append(s.key[:0], 1)
	case s.byKey:
		s.key = append(sortKey(append(s.key[:0], 0), url), 0)
	default:
		s.key = append(append(append(s.key[:0], 0), url...), 0)
	}
	s.key = binary.BigEndian.AppendUint64(s.key, s.rows) // so that no row is equal to another
	if _, err := s.set.Add(s.key, row); err != nil {
		return fmt.Errorf("--sort-by: %w", err)
	}
	return nil
}
