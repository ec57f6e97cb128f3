package output

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/columnar"
	"example.org/refract/extract"
	"example.org/refract/internal/testing/cmdtest"
)

// The pages about fields are equal to the tables. UPDATE=1 writes them.
func TestReferenceOfFields(t *testing.T) {
	const dir = "../../../../docs/reference"
	cmdtest.Check(t, dir, "json.md", jsonReference())
	cmdtest.Check(t, dir, "columns.md", columnsReference())
}

func jsonReference() string {
	var b strings.Builder
	b.WriteString("# Fields of JSON lines\n\nEach line of `--json` is a flat object. A field that does not apply is left out. New fields may be added; none\nchanges its meaning. This page is made from the program; `refract help json` prints the same.\n\n")
	types := map[fieldType]string{asText: "text", asOctets: "octets", asNumber: "number", asFlag: "boolean", asList: "array", asRanges: "array", asRepeated: "text", asRepeatedList: "array", asTime: "text"}
	var rows [][]string
	for _, f := range Fields {
		about := f.about
		if f.name == "type" {
			about = "reference, note, error, finding, not-checked, coverage, probe, page, redirect, count, comparison or summary"
		}
		if about != "" {
			rows = append(rows, []string{cmdtest.Code(f.name), types[f.typ], cmdtest.Text(about)})
			continue
		}
		last := rows[len(rows)-1] // which describes this field as well
		last[0] += " " + cmdtest.Code(f.name)
		if !slices.Contains(strings.Split(last[1], ", "), types[f.typ]) {
			last[1] += ", " + types[f.typ]
		}
	}
	b.WriteString(cmdtest.Table([]string{"field", "type", "meaning"}, rows))
	b.WriteString("\nOctets that are not UTF-8 are written in base64, in a field whose name ends in `_b64`.\n")
	if _, rest, found := strings.Cut(Topic(nil).Long, fieldHelp()); found {
		b.WriteString("\n## Other lines\n\n```text\n" + strings.TrimSpace(rest) + "\n```\n")
	}
	return b.String()
}

func columnsReference() string {
	var b strings.Builder
	b.WriteString("# Columns\n\nThe columns of `--format arrow` and `--parquet` in version " + columnVersion + " of the schema (metadata `refract.schema`). New versions may\nadd columns, but never change a type or meaning. [JSON fields](json.md) of the same names explain them. This page is\nmade from the program.\n\n")
	types := []struct {
		of                   columnar.Type
		repeats              bool
		name, arrow, parquet string
	}{
		{columnar.Text, false, "text", "`utf8`", "`STRING`"},
		{columnar.Text, true, "dictionary", "`dictionary<int32, utf8>`", "`STRING`"},
		{columnar.Octets, false, "bytes", "`binary`", "`BYTE_ARRAY`"},
		{columnar.Number, false, "integer", "`int64`", "`INT64`"},
		{columnar.Flag, false, "boolean", "`bool`, never null", "`BOOLEAN`, required"},
		{columnar.Time, false, "time", "`timestamp[us, UTC]`", "`TIMESTAMP(MICROS, UTC)`"},
		{columnar.Texts, false, "texts", "`list<utf8>`", "`LIST` of `STRING`"},
		{columnar.Pairs, false, "ranges", "`list<struct<offset: int64, length: int64>>`", "`LIST` of `offset`, `length`"},
	}
	name := func(of columnar.Type, repeats bool) string {
		for _, typ := range types {
			if typ.of == of && typ.repeats == repeats {
				return typ.name
			}
		}
		panic("a column of an unknown type")
	}
	var rows [][]string
	for _, typ := range types {
		rows = append(rows, []string{typ.name, typ.arrow, typ.parquet})
	}
	b.WriteString(cmdtest.Table([]string{"type", "Arrow", "Parquet"}, rows))
	usual := ColumnFields((&Renderer{Config: new(extract.Config)}).CSVFields())
	for i, s := range schemasOf(LayoutOf(FieldsNamed(Selectable()...))) {
		fmt.Fprintf(&b, "\n## %s\n\n", tableNames[i])
		header := []string{"type", "columns"}
		if i == tableReferences {
			header = []string{"type", "by default", "only with `--fields`"}
		}
		cells := map[string][]string{} // by type
		add := func(typ, column string, cell int) {
			if cells[typ] == nil {
				cells[typ] = make([]string, len(header)-1)
			}
			cells[typ][cell] += strings.Repeat(" ", min(len(cells[typ][cell]), 1)) + cmdtest.Code(column)
		}
		for _, f := range s.Fields {
			cell := 0
			if i == tableReferences && !slices.ContainsFunc(usual, func(u field) bool { return u.name == f.Name }) {
				cell = 1
			}
			typ := f.Type
			if typ == columnar.Octets {
				typ = columnar.Text
				add(name(columnar.Octets, false), f.Name+"_bytes", cell)
			}
			add(name(typ, f.Repeats), f.Name, cell)
		}
		rows = nil
		for _, typ := range types {
			if c := cells[typ.name]; c != nil {
				rows = append(rows, append([]string{typ.name}, c...))
			}
		}
		b.WriteString(cmdtest.Table(header, rows))
	}
	return b.String()
}
