// Package columnartest reads the output of package columnar, for tests. It follows the specifications, not
// the writer: it reads nothing but the metadata in the files to find out what they hold.
package columnartest

import (
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A Table is the content of a file or stream.
type Table struct {
	Metadata map[string]string
	Columns  []Column
	Groups   []int  // rows of each row group or batch
	Sorted   string // of Parquet: the column by which the rows of all groups are sorted; "" for none
}

// A Column is a column of a Table. A value is nil, a string, []byte, int64, bool, []string or
// [][2]int64. Times are microseconds.
type Column struct {
	Name, Type   string
	IsDictionary bool
	HasFilter    bool // of Parquet: it has a Bloom filter
	Values       []any
}

// Row returns the values of a row that are not nil.
func (t *Table) Row(i int) map[string]any {
	row := map[string]any{}
	for _, c := range t.Columns {
		if c.Values[i] != nil {
			row[c.Name] = c.Values[i]
		}
	}
	return row
}

// Rows returns the number of rows.
func (t *Table) Rows() (n int) {
	for _, rows := range t.Groups {
		n += rows
	}
	return n
}

// attempt calls f. A panic of f, as for data that is too short, becomes an error.
func attempt(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("columnartest: %v", v)
		}
	}()
	f()
	return nil
}

func check(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(format, args...))
	}
}

var decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))

func unzstd(b []byte, size int) []byte {
	out, err := decoder.DecodeAll(b, nil)
	check(err == nil && len(out) == size, "zstd: %v, %d bytes instead of %d", err, len(out), size)
	return out
}

func readAll(r io.Reader, n int) []byte {
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	check(err == nil, "%v", err)
	return b
}
