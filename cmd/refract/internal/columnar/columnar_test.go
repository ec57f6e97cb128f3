package columnar_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.org/refract/cmd/refract/internal/columnar"
	"example.org/refract/internal/testing/columnartest"
	"example.org/refract/internal/testing/scantest"
)

var schema = &columnar.Schema{Table: "t", Fields: []columnar.Field{
	{"text", columnar.Text, false, true}, {"word", columnar.Text, true, true}, {"name", columnar.Octets, true, false}, {"raw", columnar.Octets, false, false},
	{"n", columnar.Number, false, false}, {"is", columnar.Flag, false, false}, {"at", columnar.Time, false, false},
	{"list", columnar.Texts, false, false}, {"ranges", columnar.Pairs, false, false},
}}

// appendOctets appends a cell, and sets what the two columns have to hold.
func appendOctets(dst []byte, row map[string]any, name, s string) []byte {
	if utf8.ValidString(s) {
		row[name] = s
	} else {
		row[name+"_bytes"] = []byte(s)
	}
	return columnar.AppendOctets(dst, s)
}

// appendRow appends a random row to dst, and returns what has to be read.
func appendRow(dst []byte, r *rand.Rand) ([]byte, map[string]any) {
	row := map[string]any{"is": r.IntN(2) == 0}
	some := func() bool { return r.IntN(4) > 0 }
	text := func() string { return strings.Repeat(fmt.Sprint(r.IntN(1000), "é"), r.IntN(4)) }
	if some() {
		row["text"] = text()
		dst = columnar.AppendText(dst, row["text"].(string))
	} else {
		dst = columnar.AppendNull(dst)
	}
	if r.IntN(40) > 0 { // long runs, as in documents
		row["word"] = fmt.Sprint("word ", r.IntN(1+r.IntN(300)))
		dst = columnar.AppendText(dst, row["word"].(string))
	} else {
		dst = columnar.AppendNull(dst)
	}
	names := []string{"a", "\xff", "", "b\xc3", "ü"}
	dst = appendOctets(dst, row, "name", names[r.IntN(len(names))])
	dst = appendOctets(dst, row, "raw", names[r.IntN(len(names))]+text())
	if some() {
		row["n"] = int64(r.Uint64()) >> r.IntN(64)
		if row["n"] == int64(-1<<63) {
			row["n"] = int64(0)
		}
		dst = columnar.AppendNumber(dst, row["n"].(int64))
	} else {
		dst = columnar.AppendNull(dst)
	}
	dst = columnar.AppendFlag(dst, row["is"].(bool))
	if some() {
		at := time.Unix(r.Int64N(1<<32)-1<<31, r.Int64N(1e9))
		row["at"] = at.UnixMicro()
		dst = columnar.AppendTime(dst, at)
	} else {
		dst = columnar.AppendTime(dst, time.Unix(1<<40, 0)) // too late for most programs
	}
	if n := r.IntN(4); n > 0 {
		var list []string
		for range n {
			list = append(list, text())
		}
		row["list"] = list
		dst = columnar.AppendTexts(dst, list)
	} else {
		dst = columnar.AppendNull(dst)
	}
	if n := r.IntN(3); n > 0 {
		var pairs [][2]int64
		dst = columnar.AppendPairs(dst, n)
		for range n {
			pair := [2]int64{r.Int64(), -r.Int64N(10)}
			pairs = append(pairs, pair)
			dst = columnar.AppendPair(dst, pair[0], pair[1])
		}
		row["ranges"] = pairs
	} else {
		dst = columnar.AppendNull(dst)
	}
	return dst, row
}

// write writes rows in batches to both formats, and reads them again.
func write(t *testing.T, cells []byte, most int) (tables []*columnartest.Table) {
	t.Helper()
	var stream, file bytes.Buffer
	metadata := [][2]string{{"k", "v"}}
	a, p := columnar.NewArrow(&stream, schema, metadata), columnar.NewParquet(&file, schema)
	b := columnar.NewBatch(schema)
	flush := func() {
		if err := a.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := p.Write(b); err != nil {
			t.Fatal(err)
		}
		b.Reset()
	}
	for len(cells) > 0 {
		cells = b.Append(cells)
		if b.Rows() == most {
			flush()
		}
	}
	flush()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.Close("refract", metadata); err != nil {
		t.Fatal(err)
	}
	if p.Size() != int64(file.Len()) {
		t.Errorf("a file of %d bytes, not %d", file.Len(), p.Size())
	}
	fromStream, err := columnartest.Arrow(&stream)
	if err != nil || stream.Len() > 0 {
		t.Fatalf("Arrow: %v, %d bytes are left", err, stream.Len())
	}
	fromFile, err := columnartest.Parquet(file.Bytes())
	if err != nil {
		t.Fatal("Parquet: ", err)
	}
	return []*columnartest.Table{fromStream, fromFile}
}

func TestRoundTrip(t *testing.T) {
	for _, size := range []struct{ rows, batch int }{{0, 1}, {1, 1}, {7, 3}, {8, 8}, {9, 100}, {1000, 333}, {25_000, 22_000}} {
		r := rand.New(rand.NewPCG(1, uint64(size.rows)))
		var cells []byte
		var want []map[string]any
		for range size.rows {
			var row map[string]any
			cells, row = appendRow(cells, r)
			want = append(want, row)
		}
		for _, table := range write(t, cells, size.batch) {
			if table.Rows() != size.rows || table.Metadata["k"] != "v" {
				t.Fatalf("%d rows instead of %d, metadata %v", table.Rows(), size.rows, table.Metadata)
			}
			for i := range want {
				if got := table.Row(i); !reflect.DeepEqual(got, want[i]) {
					t.Fatalf("row %d of %d:\n%v\n%v", i, size.rows, got, want[i])
				}
			}
		}
	}
}

// Nulls only, and one value only: the widths of indexes and levels are at their least.
func TestUniform(t *testing.T) {
	for _, known := range []bool{false, true} {
		var cells []byte
		for range 100 {
			for _, f := range schema.Fields {
				switch {
				case known && f.Type == columnar.Octets:
					cells = columnar.AppendOctets(cells, "same")
				case known && f.Type == columnar.Text:
					cells = columnar.AppendText(cells, "same")
				default:
					cells = columnar.AppendNull(cells)
				}
			}
		}
		for _, table := range write(t, cells, 1000) {
			if row := table.Row(99); known && (row["word"] != "same" || row["raw"] != "same" || len(row) != 5) || !known && len(row) != 1 {
				t.Error(row)
			}
		}
	}
}

// Text that is not UTF-8 is replaced as in JSON.
func TestInvalid(t *testing.T) {
	one := &columnar.Schema{Fields: []columnar.Field{{"text", columnar.Text, false, false}}}
	b := columnar.NewBatch(one)
	b.Append(columnar.AppendText(nil, "a\xff\xfe\xe2\x80z"))
	var file bytes.Buffer
	p := columnar.NewParquet(&file, one)
	if err := p.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := p.Close("", nil); err != nil {
		t.Fatal(err)
	}
	table, err := columnartest.Parquet(file.Bytes())
	if err != nil || table.Row(0)["text"] != "a\ufffd\ufffd\ufffd\ufffdz" {
		t.Errorf("%v %q", err, table.Row(0)["text"])
	}
}

// Rows are sorted with all their columns, nulls last, and rows with the same key stay in order.
func TestSorted(t *testing.T) {
	for _, name := range []string{"text", "word"} {
		for _, isKey := range []bool{false, true} {
			r := rand.New(rand.NewPCG(5, 6))
			var cells []byte
			var want []map[string]any
			for range scantest.Amount(3_000, 30_000) {
				row, values := appendRow(nil, r)
				cells = append(cells, row...)
				want = append(want, values)
			}
			var rows [][]byte
			field := slices.IndexFunc(schema.Fields, func(f columnar.Field) bool { return f.Name == name })
			for rest := cells; len(rest) > 0; {
				var row, value []byte
				row, value, rest = schema.Next(rest, field)
				text, ok := want[len(rows)][name].(string)
				if string(value) != text || ok != (value != nil) {
					t.Fatalf("row %d: %q, want %q", len(rows), value, text)
				}
				rows = append(rows, row)
			}
			order := make([]int, len(rows))
			for i := range order {
				order[i] = i
			}
			slices.SortStableFunc(order, func(i, k int) int {
				a, hasA := want[i][name].(string)
				b, hasB := want[k][name].(string)
				switch {
				case !hasA || !hasB:
					return cmp.Compare(fmt.Sprint(!hasA), fmt.Sprint(!hasB))
				case isKey:
					return strings.Compare(a[max(0, len(a)-1):], b[max(0, len(b)-1):])
				}
				return strings.Compare(a, b)
			})
			b := columnar.NewBatch(schema)
			for _, i := range order {
				b.Append(rows[i])
			}
			b.SetSorted(name, isKey)
			b.SetSorted("none", false)
			var file bytes.Buffer
			p := columnar.NewParquet(&file, schema)
			if err := errors.Join(p.Write(b), p.Close("", nil)); err != nil {
				t.Fatal(err)
			}
			table, err := columnartest.Parquet(file.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if table.Sorted != name && !isKey || table.Sorted != "" && isKey {
				t.Errorf("by %s: the file says by %q", name, table.Sorted)
			}
			for _, c := range table.Columns {
				if c.Name == name && c.HasFilter && !isKey {
					t.Errorf("by %s: the column has a Bloom filter, although its pages are in order", name)
				}
			}
			for i, k := range order {
				if got := table.Row(i); !reflect.DeepEqual(got, want[k]) {
					t.Fatalf("by %s, row %d:\n%v\n%v", name, i, got, want[k])
				}
			}
		}
	}
}

// Bounds of long values are cut, below and above them, in whole characters.
func TestLongBounds(t *testing.T) {
	long := strings.Repeat("a", 63)
	for _, texts := range [][]string{
		{long + "é", long + "é more"}, {long + "\U0010ffff\U0010ffff", "b"}, {strings.Repeat("\U0010ffff", 40)}, {strings.Repeat("\ud7ff", 40)},
		{strings.Repeat("\xff", 100)}, {"\x00" + strings.Repeat("\xff", 100)}, {strings.Repeat("\x80", 100), ""}, {strings.Repeat("x", 64), strings.Repeat("x", 65)},
	} {
		var cells []byte
		for _, s := range texts {
			row := columnar.AppendOctets(columnar.AppendText(nil, s), s)
			cells = append(cells, row...)
		}
		two := &columnar.Schema{Fields: []columnar.Field{{"text", columnar.Text, false, true}, {"raw", columnar.Octets, false, false}}}
		b := columnar.NewBatch(two)
		for len(cells) > 0 {
			cells = b.Append(cells)
		}
		var file bytes.Buffer
		p := columnar.NewParquet(&file, two)
		if err := errors.Join(p.Write(b), p.Close("", nil)); err != nil {
			t.Fatal(err)
		}
		table, err := columnartest.Parquet(file.Bytes()) // which checks the bounds
		if err != nil || table.Rows() != len(texts) {
			t.Errorf("%q: %v", texts, err)
		}
	}
}

// A batch that is reused does not allocate for each row.
func TestAllocs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var cells []byte
	for range 1000 {
		cells, _ = appendRow(cells, r)
	}
	b := columnar.NewBatch(schema)
	n := testing.AllocsPerRun(10, func() {
		b.Reset()
		for rest := cells; len(rest) > 0; {
			rest = b.Append(rest)
		}
	})
	if n > 1 {
		t.Errorf("%v allocations for 1,000 rows", n)
	}
}
