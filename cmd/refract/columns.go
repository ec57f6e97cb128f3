package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/columnar"
)

// columnOptions are the flags of --arrow and --parquet.
type columnOptions struct {
	arrow    bool
	parquet  string
	fileSize byteSize
}

func (o *columnOptions) isColumns() bool { return o.arrow || o.parquet != "" }

func (o *columnOptions) columnFlags(l *pflag.FlagSet) {
	l.BoolVar(&o.arrow, "arrow", false, "print columns with types: streams of Arrow IPC, of the references, and then of the notes\nand the errors")
	l.StringVar(&o.parquet, "parquet", "", "write columns with types to `PATH`: a Parquet file, if the name ends in .parquet, with\nfiles for notes and errors beside it; otherwise a directory of them")
	o.fileSize = 128 << 20
	l.Var(&o.fileSize, "file-size", "with --parquet and a directory: begin another file at about `SIZE`")
}

// validateColumns reports flags that cannot be combined with --arrow and --parquet.
func (o *options) validateColumns(flags *pflag.FlagSet) error {
	if flags.Changed("file-size") && (o.parquet == "" || isParquetFile(o.parquet)) {
		return errors.New("--file-size requires --parquet and a directory")
	}
	if o.fileSize < 1 {
		return fmt.Errorf("--file-size %v: must be at least 1", o.fileSize)
	}
	if flags.Changed("parquet") && o.parquet == "" {
		return errors.New("--parquet requires a name")
	}
	if !o.isColumns() {
		return nil
	}
	name := "--arrow"
	if o.parquet != "" {
		name = "--parquet"
	}
	for _, other := range []struct {
		set  bool
		name string
	}{
		{o.arrow && o.parquet != "", "--arrow"}, {o.json, "--json"}, {o.csv.isSet(), "--csv"}, {o.edges, "--edges"},
		{o.numbered, "--line-number"}, {o.explain, "--explain"}, {o.null, "--null"}, {o.count != "", "--count"},
		{o.checkpoint != "", "--checkpoint"}, {o.parquet != "" && o.output != "", "--output"}, {flags.Changed("split"), "--split"},
	} {
		if other.set {
			return fmt.Errorf("%s cannot be used with %s", name, other.name)
		}
	}
	return nil
}

// isParquetFile reports whether --parquet writes a file of this name, not a directory.
func isParquetFile(path string) bool { return strings.EqualFold(filepath.Ext(path), ".parquet") }

// columnFields returns the fields of --arrow and --parquet without --fields: those of --csv, and
// those that only a table without a limit on columns has room for.
func columnFields(csv []field) []field {
	return slices.Concat(fieldsNamed("input", "member", "line", "column", "document"), csv[slices.IndexFunc(csv, func(f field) bool { return f.name == "kind" }):])
}

// columnVersion is the version of the schemas. It changes when a column changes its type or its
// meaning; new columns do not change it.
const columnVersion = "1"

// The tables of --arrow and --parquet, in order.
const (
	tableReferences = iota
	tableNotes
	tableErrors
	tables
)

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

// A columnOutput writes columns. It gets whole rows, each with the number of its table in front.
type columnOutput interface {
	io.Writer

	begin(stdout io.Writer) error
	end(total *counts) error
	commit() error
	discard()
	temps() []string
	owns(path string) bool // whether the output replaces the file
}

// rows returns what the rows or lines of the run are written to, given the writer of its output.
func (s *search) rows(w io.Writer) io.Writer {
	if s.columns != nil {
		return s.columns
	}
	return w
}

func (s *search) commitColumns() error {
	if s.columns == nil {
		return nil
	}
	return s.columns.commit()
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

// columnOf returns the column of a field.
func columnOf(f *field) columnar.Field {
	c := columnar.Field{Name: f.name}
	switch f.typ {
	case asText, asRepeated:
		c.Repeats = f.scope.isShared() || f.typ == asRepeated
	case asOctets:
		c.Repeats = f.scope.isShared()
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
