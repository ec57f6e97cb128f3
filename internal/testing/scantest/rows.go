package scantest

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// Rows returns the rows of a file of values separated by tabs, without those that begin with "#". It fails the test if
// a row does not have as many values as there are columns. The last one may be missing.
func Rows(t *testing.T, file string, columns int) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) == columns-1 {
			row = append(row, "")
		}
		if len(row) != columns {
			t.Fatalf("%s: %d values, want %d: %q", file, len(row), columns, line)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatalf("%s: no rows", file)
	}
	return rows
}

// Number returns the value of a cell of a table.
func Number(t *testing.T, cell string) int {
	t.Helper()
	n, err := strconv.Atoi(cell)
	if err != nil || n < 0 {
		t.Fatalf("%q is not a number", cell)
	}
	return n
}

// Records returns the tab-separated rows of a file by the names in its first line; a line that begins with
// "# " is a comment.
func Records(t testing.TB, file string) []map[string]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var header []string
	var rows []map[string]string
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "# "):
		case header == nil:
			header = fields
		default:
			r := map[string]string{}
			for i, name := range header {
				if i < len(fields) {
					r[name] = fields[i]
				}
			}
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s: no rows", file)
	}
	return rows
}
