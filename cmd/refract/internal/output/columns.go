package output

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.org/refract/cmd/refract/internal/columnar"
	"example.org/refract/cmd/refract/internal/filter"
)

// ColumnFields returns the fields of --format arrow and --parquet without --fields: those of --csv, and
// those that only a table without a limit on columns has room for.
func ColumnFields(csv []field) []field {
	return slices.Concat(FieldsNamed("input", "member", "line", "column", "document"), csv[slices.IndexFunc(csv, func(f field) bool { return f.name == "kind" }):],
		FieldsNamed("data_type", "data_length", "data_sha256"))
}

// columnVersion is the version of the schemas. It changes when a column changes its type or its
// meaning; new columns do not change it.
const columnVersion = "1"

// The tables of --format arrow and --parquet, in order.
const (
	tableReferences = iota
	tableNotes
	tableErrors
	tables
)

// tableNames are the names of the tables.
var tableNames = [tables]string{"references", "notes", "errors"}

// tableOf returns the number of the table with lines of a type. A row begins with it.
func tableOf(typ string) byte {
	switch typ {
	case "note":
		return tableNotes
	case "error":
		return tableErrors
	}
	return tableReferences
}

// A ColumnOutput writes columns. It gets whole rows, each with the number of its table in front.
type ColumnOutput interface {
	io.Writer

	Begin(stdout io.Writer) error
	End(total *Counts) error
	Commit() error
	Discard()
	Temps() []string
	Owns(path string) bool // whether the output replaces the file
}

// schemasOf returns the schemas of the tables, given the columns of references.
func schemasOf(references layout) (list [tables]*columnar.Schema) {
	for i, l := range [tables]layout{references, noteLine, errorLine} {
		s := &columnar.Schema{Table: tableNames[i]}
		for j := range l {
			if l[j].name != "type" { // the table is the type
				s.Fields = append(s.Fields, columnOf(&l[j].field))
			}
		}
		list[i] = s
	}
	return list
}

// lookUpFields are the columns by which rows are looked up.
var lookUpFields = []string{"document", "url", "canonical", "source_domain", "target_domain", "domain"}

// SortKeys are the values of --sort-by.
var SortKeys = []string{"url", "host"}

// sortKey appends the key by which --sort-by sorts a URL by its host: the registered domain, the host, and the URL.
func sortKey(dst, url []byte) []byte {
	dst = append(append(dst, filter.DomainOfURL(url)...), 0)
	dst = append(append(dst, filter.NameOf(url)...), 0)
	return append(dst, url...)
}

// columnOf returns the column of a field.
func columnOf(f *field) columnar.Field {
	c := columnar.Field{Name: f.name}
	switch f.typ {
	case asText, asRepeated:
		c.LookUp = slices.Contains(lookUpFields, f.name)
		c.Repeats = f.Scope.isShared() || f.typ == asRepeated
	case asOctets:
		c.Repeats = f.Scope.isShared()
		c.Type = columnar.Octets
	case asNumber:
		c.Type = columnar.Number
	case asFlag:
		c.Type = columnar.Flag
	case asTime:
		c.Type = columnar.Time
	case asList, asRepeatedList:
		c.Type = columnar.Texts
	case asRanges:
		c.Type = columnar.Pairs
	}
	return c
}

// appendTyped appends the cell of the current column. Fields that have nothing to say append
// nothing.
func (r *row) appendTyped(dst []byte) []byte {
	c := r.column
	if c.name == "type" {
		return dst
	}
	start := len(dst)
	if c.number == nil {
		dst = c.append(r, dst)
	} else if n := c.number(r); n > 0 || n == 0 && c.always {
		dst = columnar.AppendNumber(dst, n)
	}
	if len(dst) == start {
		return columnar.AppendNull(dst)
	}
	return dst
}

// appendTypedText appends a cell of column c, whose value is a text.
func appendTypedText[S string | []byte](dst []byte, c *column, s S) []byte {
	switch {
	case len(s) == 0 && !c.always:
		return columnar.AppendNull(dst)
	case c.typ == asTime:
		t, err := time.Parse(time.RFC3339, string(s))
		if err != nil {
			return columnar.AppendNull(dst)
		}
		return columnar.AppendTime(dst, t)
	case c.typ == asOctets:
		return columnar.AppendOctets(dst, s)
	}
	return columnar.AppendText(dst, s)
}

// IsParquetFile reports whether --parquet writes a file of this name, not a directory.
func IsParquetFile(path string) bool { return strings.EqualFold(filepath.Ext(path), ".parquet") }
