//go:build !nocolumns

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/testing/columnartest"
	"example.org/refract/internal/testing/scantest"
)

// Other programs read the columns as columnartest does. Those that are not installed are skipped;
// .ci/columns installs them.
func TestColumnReaders(t *testing.T) {
	if os.Getenv("REFRACT_GOCOLUMNS") == "" {
		scantest.Long(t, "starts Python eight times")
	}
	dir := t.TempDir()
	names := slices.DeleteFunc(output.Selectable(), func(name string) bool { return name == "flags" })
	args := append(slices.Clone(columnArguments), "--fields", strings.Join(names, ","), "../../testdata", hostileInputs(t))
	stream := filepath.Join(dir, "references.arrow")
	if err := os.WriteFile(stream, runAny(append(args, "--format", "arrow")), 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "references.parquet")
	runAny(append(args, "--parquet", file))
	compareReaders(t, stream, file)
	sorted := filepath.Join(dir, "sorted.parquet")
	runAny(append(args, "--parquet", sorted, "--sort-by", "url"))
	compareReaders(t, "", sorted)
}

// compareReaders compares what each reader reads of a stream, unless that is "", and of a file of Parquet with the same rows.
func compareReaders(t *testing.T, stream, file string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table, err := columnartest.Parquet(content)
	if err != nil {
		t.Fatal(err)
	}
	python := cmp.Or(os.Getenv("REFRACT_PYTHON"), "python3")
	for _, reader := range []string{"pyarrow", "pyarrow-stream", "duckdb", "duckdb-stream", "polars", "polars-stream", "pandas", "arrow-go", "parquet-go"} {
		t.Run(reader, func(t *testing.T) {
			input := file
			if strings.HasSuffix(reader, "-stream") || reader == "arrow-go" {
				input = stream
			}
			if input == "" {
				return
			}
			command := exec.Command(python, "testdata/columns.py", reader, input)
			if strings.HasSuffix(reader, "-go") {
				command = exec.Command(os.Getenv("REFRACT_GOCOLUMNS"), reader, input)
			}
			var stderr bytes.Buffer
			command.Stderr = &stderr
			out, err := command.Output()
			if exit := (*exec.ExitError)(nil); errors.Is(err, exec.ErrNotFound) || errors.As(err, &exit) && exit.ExitCode() == 77 || command.Path == "" {
				t.Skip(reader, " is not installed")
			} else if err != nil {
				t.Fatalf("%v\n%s", err, &stderr)
			}
			i := 0
			for line := range bytes.Lines(out) {
				var got any
				d := json.NewDecoder(bytes.NewReader(line))
				d.UseNumber()
				if err := d.Decode(&got); err != nil {
					t.Fatal(err)
				}
				if want := asJSON(t, table, i); !reflect.DeepEqual(got, want) {
					t.Fatalf("row %d:\n%.2000v\n%.2000v", i, got, want)
				}
				i++
			}
			if i != table.Rows() {
				t.Errorf("%d rows instead of %d", i, table.Rows())
			}
			t.Logf("%d rows, %d columns", i, len(table.Columns))
		})
	}
}

// asJSON returns a row as readers print it.
func asJSON(t *testing.T, table *columnartest.Table, i int) (v any) {
	t.Helper()
	row := table.Row(i)
	for name, value := range row {
		if octets, ok := value.([]byte); ok {
			row[name] = map[string]any{"b64": octets}
		}
	}
	text, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
