package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/audit"
	"example.org/refract/audit/site"
	"example.org/refract/cmd/refract/internal/columnar"
	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/resolve"
)

// TestReference keeps the pages of docs/reference equal to the program's own tables. UPDATE=1
// writes them.
func TestReference(t *testing.T) {
	pages := map[string]string{
		"flags.md":      flagsReference(),
		"json.md":       jsonReference(),
		"columns.md":    columnsReference(),
		"rules.md":      rulesReference(),
		"labels.md":     labelsReference(t),
		"schemes.md":    schemesReference(),
		"slugs.md":      slugsReference(),
		"resolution.md": resolutionReference(),
	}
	for name, want := range pages {
		file := filepath.Join("../../docs/reference", name)
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s differs from the tables of the program: run UPDATE=1 go test ./cmd/refract -run TestReference (%v)", file, err)
		}
	}
}

// markdownTable returns a table. A cell is text: what Markdown would read is escaped.
func markdownTable(heading []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(heading)
	b.WriteString(strings.Repeat("|---", len(heading)) + "|\n")
	for _, r := range rows {
		line(r)
	}
	return b.String()
}

// codeCell returns text as code, "" if there is none.
func codeCell(text string) string {
	if text == "" {
		return ""
	}
	quote := "`"
	if strings.Contains(text, "`") {
		quote = "``"
	}
	return quote + strings.ReplaceAll(text, "|", `\|`) + quote
}

// textCell returns text on one line in which Markdown reads nothing.
func textCell(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer("|", `\|`, "<", `\<`, "[", `\[`, "*", `\*`, "_", `\_`, "`", "\\`", "://", "&#58;//", "www.", "www&#46;", "mailto:", "mailto&#58;").Replace(text)
}

func flagsReference() string {
	var b strings.Builder
	b.WriteString("# Flags\n\nThe flags of each command, as `--help` lists them. This page is made from the program.\n")
	root := newRoot(&bytes.Buffer{}, &bytes.Buffer{})
	row := func(f *pflag.Flag) []string {
		placeholder, about := pflag.UnquoteUsage(f)
		about = strings.TrimPrefix(about, placeholder+": ")
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if placeholder != "" {
			name += " " + placeholder
		}
		value := f.DefValue
		if value == "false" || value == "[]" || value == "0" || f.Name == "jobs" {
			value = ""
		}
		return []string{codeCell(name), textCell(about), codeCell(value)}
	}
	section := func(c *cobra.Command) {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.CommandPath(), textCell(c.Short))
		titles, groups := flagGroups(c)
		for i, title := range titles {
			var rows [][]string
			for _, f := range groups[i] {
				if f.Name != "help" {
					rows = append(rows, row(f))
				}
			}
			if len(rows) > 0 {
				fmt.Fprintf(&b, "\n**%s**\n\n%s", title, markdownTable([]string{"flag", "meaning", "default"}, rows))
			}
		}
	}
	section(root)
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "completion" && c.Name() != "help" {
			section(c)
		}
	}
	return strings.ReplaceAll(b.String(), "\n\n\n", "\n\n")
}

func jsonReference() string {
	var b strings.Builder
	b.WriteString("# Fields of JSON lines\n\nEach line of `--json` is a flat object. A field that does not apply is left out. New fields may be added; none\nchanges its meaning. This page is made from the program; `refract help json` prints the same.\n\n")
	types := map[fieldType]string{asText: "text", asOctets: "octets", asNumber: "number", asFlag: "boolean", asList: "array", asRanges: "array of [offset, length]", asRepeated: "text", asRepeatedList: "array", asTime: "text"}
	var rows [][]string
	for _, f := range fields {
		about := f.about
		switch {
		case f.name == "type":
			about = "reference, note, error, finding, not-judged, page, count, comparison or summary"
		case about == "":
			about = "see the line above"
		}
		rows = append(rows, []string{codeCell(f.name), types[f.typ], textCell(about)})
	}
	b.WriteString(markdownTable([]string{"field", "type", "meaning"}, rows))
	b.WriteString("\nOctets that are not UTF-8 are written in base64, in a field whose name ends in `_b64`.\n")
	if _, rest, found := strings.Cut(jsonTopic().Long, fieldHelp()); found {
		b.WriteString("\n## Other lines\n\n```text\n" + strings.TrimSpace(rest) + "\n```\n")
	}
	return b.String()
}

func columnsReference() string {
	var b strings.Builder
	b.WriteString("# Columns\n\nThe columns of `--arrow` and `--parquet`, schema version " + columnVersion + ": the metadata `refract.schema` of each table names it. New columns may be\nadded in a version; none changes its type or meaning. [JSON fields](json.md) have the same names, and a description.\nThis page is made from the program. See [Tables with types](../guides/columns.md).\n")
	names := map[columnar.Type][2]string{
		columnar.Text: {"`utf8`", "`STRING`"}, columnar.Octets: {"`binary`", "`BYTE_ARRAY`"}, columnar.Number: {"`int64`", "`INT64`"}, columnar.Flag: {"`bool`, never null", "`BOOLEAN`, required"},
		columnar.Time: {"`timestamp[us, UTC]`", "`TIMESTAMP(MICROS, UTC)`"}, columnar.Texts: {"`list<utf8>`", "`LIST` of `STRING`"},
		columnar.Pairs: {"`list<struct<offset: int64, length: int64>>`", "`LIST` of `offset`, `length`"},
	}
	usual := columnFields(csvFields(false, false, false))
	for i, s := range schemasOf(layoutOf(fieldsNamed(selectable()...))) {
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
			rows = append(rows, []string{codeCell(f.Name), name[0], name[1], mark})
			if f.Type == columnar.Octets {
				rows = append(rows, []string{codeCell(f.Name + columnar.OctetsSuffix), names[columnar.Octets][0], names[columnar.Octets][1], mark})
			}
		}
		b.WriteString(markdownTable([]string{"column", "Arrow", "Parquet", "without `--fields`"}, rows))
	}
	return b.String()
}

func rulesReference() string {
	var b strings.Builder
	b.WriteString("# Rules of the audit\n\n`--rule` and `--no-rule` select rules by name. An error fails a run (exit status 1). A note does so with `--strict`,\nor if its rule is named. This page is made from the program.\n\n")
	var rows [][]string
	for _, r := range audit.Rules() {
		rows = append(rows, []string{codeCell(string(r)), string(r.Level()), textCell(r.About())})
	}
	b.WriteString(markdownTable([]string{"rule", "level", "meaning"}, rows))
	b.WriteString("\nThe generators of sites that are known, for `--generator`: " + strings.Join(site.Names(), ", ") + ".\n")
	return b.String()
}

// labelsReference makes tables of the help of labels, which must name every label.
func labelsReference(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# Labels\n\nThis page is made from the program; `refract help labels` prints the same. See [Security labels](../guides/labels.md).\n")
	var rows [][]string
	var names, text []string
	flush := func() {
		if len(rows) > 0 {
			b.WriteString("\n" + markdownTable([]string{"label", "meaning"}, rows))
		}
		rows = nil
	}
	for line := range strings.Lines(labelsTopic.Long) {
		line = strings.TrimRight(line, "\n")
		name, about, _ := strings.Cut(strings.TrimSpace(line), "  ")
		switch {
		case strings.HasPrefix(line, "      ") && len(rows) > 0:
			rows[len(rows)-1][1] += " " + textCell(line)
		case strings.HasPrefix(line, "  "):
			rows = append(rows, []string{codeCell(name), textCell(about)})
			names = append(names, name)
		case line != "":
			flush()
			text = append(text, line)
			continue
		}
		if len(text) > 0 {
			b.WriteString("\n" + textCell(strings.Join(text, " ")) + "\n")
			text = nil
		}
	}
	flush()
	for _, name := range append(resolve.AnyLabel.Names(), scan.LabelNames()...) {
		if !slices.Contains(names, name) {
			t.Errorf("the help of labels has no line for %q", name)
		}
	}
	return b.String()
}

func schemesReference() string {
	var b strings.Builder
	b.WriteString("# Schemes\n\nDefault ports, whether a URL has a host and a user, whether relative references can be resolved against it, and the\ndocument that defines it. Other schemes are read by the generic syntax. This page is made from the program.\n\n")
	word := map[bool]string{true: "yes", false: "no"}
	var rows [][]string
	for _, s := range resolve.Schemes() {
		port := ""
		if s.Port > 0 {
			port = fmt.Sprint(s.Port)
		}
		rows = append(rows, []string{codeCell(s.Name), port, s.Host.String(), word[s.User && s.Host != resolve.HostNone], word[s.Base], textCell(s.Section), codeCell(s.Form)})
	}
	b.WriteString(markdownTable([]string{"scheme", "port", "host", "user", "base", "defined in", "form"}, rows))
	b.WriteString("\n`x-` stands for every scheme that begins with it.\n\n## Found in text without slashes\n\nIn running text, a scheme is found before `//` and a host. These schemes have no `//`, and are found where this\nfollows the colon.\n\n")
	rows = nil
	for _, s := range delimit.Schemes() {
		rows = append(rows, []string{codeCell(s.Name), textCell(s.Proof), textCell(s.Source)})
	}
	b.WriteString(markdownTable([]string{"scheme", "followed by", "form defined in"}, rows))
	return b.String()
}

func slugsReference() string {
	var b strings.Builder
	const first, second = "What's new in v1.2 -- API & CLI?", "Größe der Bücher"
	b.WriteString("# Slug flavours\n\nThe id of a heading depends on what renders it. `--slugs NAME` sets a flavour; by default the configuration of the\nsite decides, and without one the flavour under which most fragments lead somewhere. The examples are the ids\nof two headings. This page is made from the program.\n\n")
	var rows [][]string
	for _, name := range slug.Names() {
		f, _ := slug.Named(name)
		id := func(text string) string { return codeCell(f.Slug(slug.Heading{Text: text, Source: text})) }
		rows = append(rows, []string{codeCell(name), id(first), id(second)})
	}
	b.WriteString(markdownTable([]string{"flavour", textCell(first), textCell(second)}, rows))
	return b.String()
}

func resolutionReference() string {
	var b strings.Builder
	b.WriteString("# Rules of resolution\n\n`--rules NAME` selects the rules of one document. Each flag below changes one point; its first value is that of\nRFC 3986. This page is made from the program. See [URLs and rules](../guides/urls.md).\n\n")
	var rows [][]string
	for _, k := range resolve.Knobs() {
		rows = append(rows, []string{codeCell("--" + k.Name), codeCell(strings.Join(k.Values, " ")), strings.ReplaceAll(k.Doc, "|", `\|`)})
	}
	b.WriteString(markdownTable([]string{"flag", "values", "meaning"}, rows))
	b.WriteString("\n## Documents\n\n")
	rows = nil
	for _, name := range resolve.Names() {
		r, _ := resolve.Named(name)
		var differs []string
		if r.Browser {
			differs = append(differs, "the parser of the URL Standard, as in browsers; no flag applies")
		}
		for _, k := range resolve.Knobs() {
			for _, v := range k.Values[1:] {
				if turned := r; turned.Set(k.Name, v) == nil && turned == r {
					differs = append(differs, codeCell("--"+k.Name+"="+v))
				}
			}
		}
		rows = append(rows, []string{codeCell(name), strings.Join(differs, " ")})
	}
	b.WriteString(markdownTable([]string{"rules", "differences from RFC 3986"}, rows))
	return b.String()
}
