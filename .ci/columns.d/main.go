// Columns prints the rows of a stream of Arrow IPC with arrow-go, and those of a Parquet file with
// parquet-go, as testdata/columns.py does with libraries of Python.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/parquet-go/parquet-go"
)

func main() {
	out := json.NewEncoder(os.Stdout)
	read := map[string]func(string, *json.Encoder) error{"arrow-go": readArrow, "parquet-go": readParquet}[os.Args[1]]
	if err := read(os.Args[2], out); err != nil {
		log.Fatal(err)
	}
}

func readArrow(name string, out *json.Encoder) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	r, err := ipc.NewReader(bufio.NewReader(f))
	if err != nil {
		return err
	}
	for r.Next() {
		batch := r.RecordBatch()
		for i := range int(batch.NumRows()) {
			row := map[string]any{}
			for k, f := range batch.Schema().Fields() {
				if c := batch.Column(k); c.IsValid(i) {
					row[f.Name] = value(c, i)
				}
			}
			if err := out.Encode(row); err != nil {
				return err
			}
		}
	}
	return r.Err()
}

func value(c arrow.Array, i int) any {
	switch c := c.(type) {
	case *array.Dictionary:
		return value(c.Dictionary(), c.GetValueIndex(i))
	case *array.String:
		return c.Value(i)
	case *array.Binary:
		return map[string]string{"b64": base64.StdEncoding.EncodeToString(c.Value(i))}
	case *array.Int64:
		return c.Value(i)
	case *array.Boolean:
		return c.Value(i)
	case *array.Timestamp:
		return int64(c.Value(i))
	case *array.List:
		list := []any{}
		from, to := c.ValueOffsets(i)
		for k := from; k < to; k++ {
			list = append(list, value(c.ListValues(), int(k)))
		}
		return list
	case *array.Struct:
		return []any{value(c.Field(0), i), value(c.Field(1), i)}
	}
	log.Fatalf("type %T", c)
	return nil
}

func readParquet(name string, out *json.Encoder) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return err
	}
	leaves := file.Schema().Columns()
	rows := make([]parquet.Row, 100)
	for _, group := range file.RowGroups() {
		r := group.Rows()
		for {
			n, err := r.ReadRows(rows)
			for _, row := range rows[:n] {
				if err := out.Encode(decode(file.Schema(), leaves, row)); err != nil {
					return err
				}
			}
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

func decode(s *parquet.Schema, leaves [][]string, values parquet.Row) map[string]any {
	row := map[string]any{}
	for _, v := range values {
		if v.IsNull() {
			continue
		}
		path := leaves[v.Column()]
		leaf, _ := s.Lookup(path...)
		var one any
		switch {
		case v.Kind() == parquet.Boolean:
			one = v.Boolean()
		case v.Kind() == parquet.Int64:
			one = v.Int64()
		case leaf.Node.Type().LogicalType() == nil:
			one = map[string]string{"b64": base64.StdEncoding.EncodeToString(v.ByteArray())}
		default:
			one = string(v.ByteArray())
		}
		list, _ := row[path[0]].([]any)
		switch {
		case len(path) == 1:
			row[path[0]] = one
		case len(path) == 3, path[3] == "offset":
			if len(path) == 4 {
				one = []any{one}
			}
			row[path[0]] = append(list, one)
		default: // the length of the first pair that has none
			for i := range list {
				if pair := list[i].([]any); len(pair) == 1 {
					list[i] = append(pair, one)
					break
				}
			}
		}
	}
	return row
}
