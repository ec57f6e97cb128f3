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
	types := map[fieldType]string{asText: "text", asOctets: "octets", asNumber: "number", asFlag: "boolean", asList: "array", asRanges: "array of [offset, length]", asRepeated: "text", asRepeatedList: "array", asTime: "text"}
	var rows [][]string
	for _, f := range Fields {
		about := f.about
		switch {
		case f.name == "type":
			about = "reference, note, error, finding, not-judged, coverage, probe, page, redirect, count, comparison or summary"
		case about == "":
			about = "see the line above"
		}
		rows = append(rows, []string{cmdtest.Code(f.name), types[f.typ], cmdtest.Text(about)})
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
	b.WriteString("# Columns\n\nThe columns of `--format arrow` and `--parquet`, schema version " + columnVersion + ": the metadata `refract.schema` of each table names it. New columns may be\nadded in a version; none changes its type or meaning. [JSON fields](json.md) have the same names, and a description.\nThis page is made from the program. See [Tables with types](../guides/columns.md).\n")
	names := map[columnar.Type][2]string{
		columnar.Text: {"`utf8`", "`STRING`"}, columnar.Octets: {"`binary`", "`BYTE_ARRAY`"}, columnar.Number: {"`int64`", "`INT64`"}, columnar.Flag: {"`bool`, never null", "`BOOLEAN`, required"},
		columnar.Time: {"`timestamp[us, UTC]`", "`TIMESTAMP(MICROS, UTC)`"}, columnar.Texts: {"`list<utf8>`", "`LIST` of `STRING`"},
		columnar.Pairs: {"`list<struct<offset: int64, length: int64>>`", "`LIST` of `offset`, `length`"},
	}
	usual := ColumnFields((&Renderer{Config: new(extract.Config)}).CSVFields())
	for i, s := range schemasOf(LayoutOf(FieldsNamed(Selectable()...))) {
		fmt.Fprintf(&b, "\n## %s\n\n", tableNames[i])
		if i == tableReferences {
			b.WriteString("`--fields` selects from these. Without it, the columns are those marked.\n\n")
		}
		var rows [][]string
		for _, f := range s.Fields {
			mark := ""
			if i == tableReferences && slices.ContainsFunc(usual, func(u field) bool { return u.name == f.Name }) {
				mark = "yes"
			}
			typ := f.Type
			if typ == columnar.Octets {
				typ = columnar.Text
			}
			name := names[typ]
			if f.Repeats {
				name[0] = "`dictionary<int32, utf8>`"
			}
			rows = append(rows, []string{cmdtest.Code(f.Name), name[0], name[1], mark})
			if f.Type == columnar.Octets {
				rows = append(rows, []string{cmdtest.Code(f.Name + "_bytes"), names[columnar.Octets][0], names[columnar.Octets][1], mark})
			}
		}
		b.WriteString(cmdtest.Table([]string{"column", "Arrow", "Parquet", "without `--fields`"}, rows))
	}
	return b.String()
}
