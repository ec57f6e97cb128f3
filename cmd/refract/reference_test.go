package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/resolve"
	"example.org/refract/resolve/risk"
)

// TestReference keeps the pages of docs/reference equal to the program's own tables. UPDATE=1
// writes them.
func TestReference(t *testing.T) {
	pages := map[string]string{
		"flags.md":      flagsReference(),
		"rules.md":      rulesReference(),
		"labels.md":     labelsReference(t),
		"schemes.md":    schemesReference(),
		"slugs.md":      slugsReference(),
		"resolution.md": resolutionReference(),
	}
	for name, want := range pages {
		cmdtest.Check(t, "../../docs/reference", name, want)
	}
}

func flagsReference() string {
	var b strings.Builder
	b.WriteString("# Flags\n\nThe flags of each command, as `--help` lists them. This page is made from the program.\n")
	root := newCommand(&bytes.Buffer{}, &bytes.Buffer{})
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
		about = cmdtest.Text(about)
		if f.Name == "slugs" {
			about = strings.Replace(about, strings.Join(slug.Names(), ", "), "or [one of these](slugs.md)", 1)
		}
		if value := f.DefValue; value != "" && value != "false" && value != "[]" && value != "0" && f.Name != "jobs" {
			about += " (default " + cmdtest.Code(value) + ")"
		}
		return []string{cmdtest.Code(name), about}
	}
	of := map[string]string{} // commands, by flags with what they mean
	section := func(c *cli.Command) {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.CommandPath(), cmdtest.Text(c.Short))
		same := map[string][]string{}
		for _, g := range c.Groups() {
			var rows [][]string
			for _, f := range g.Flags {
				r := row(f)
				key := strings.Join(r, "\n")
				switch other := of[key]; {
				case f.Name == "help" || f.Name == "version":
				case other != "":
					same[other] = append(same[other], cmdtest.Code("--"+f.Name))
				default:
					of[key] = c.CommandPath()
					rows = append(rows, r)
				}
			}
			if len(rows) > 0 {
				fmt.Fprintf(&b, "\n**%s**\n\n%s", g.Title, cmdtest.Table([]string{"flag", "meaning"}, rows))
			}
		}
		for _, other := range slices.Sorted(maps.Keys(same)) {
			fmt.Fprintf(&b, "\nAs in `%s`: %s.\n", other, strings.Join(same[other], ", "))
		}
	}
	section(root)
	var rows [][]string
	for _, f := range root.In(cli.LargeRuns) {
		rows = append(rows, row(f))
	}
	b.WriteString("\n**Large runs** (`refract help large-runs`)\n\n" + cmdtest.Table([]string{"flag", "meaning"}, rows))
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "completion" && c.Name() != "help" {
			section(root.Of(c))
		}
	}
	return strings.ReplaceAll(b.String(), "\n\n\n", "\n\n")
}

func rulesReference() string {
	var b strings.Builder
	b.WriteString("# Rules of the audit\n\n`--rule` and `--no-rule` select rules by name. An error fails a run (exit status 1). A note does so with `--strict`,\nor if you name its rule. This page is made from the program.\n\n")
	var rows [][]string
	for _, r := range rule.Rules() {
		rows = append(rows, []string{fmt.Sprintf(`<a id="%s"></a>`, r) + cmdtest.Code(string(r)), string(r.Level()), cmdtest.Text(r.About())})
	}
	b.WriteString(cmdtest.Table([]string{"rule", "level", "meaning"}, rows))
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
			b.WriteString("\n" + cmdtest.Table([]string{"label", "meaning"}, rows))
		}
		rows = nil
	}
	for line := range strings.Lines(filter.Topic(nil).Long) {
		line = strings.TrimRight(line, "\n")
		name, about, _ := strings.Cut(strings.TrimSpace(line), "  ")
		switch {
		case strings.HasPrefix(line, "      ") && len(rows) > 0:
			rows[len(rows)-1][1] += " " + cmdtest.Text(line)
		case strings.HasPrefix(line, "  "):
			rows = append(rows, []string{cmdtest.Code(name), cmdtest.Text(about)})
			names = append(names, name)
		case line != "":
			flush()
			text = append(text, line)
			continue
		}
		if len(text) > 0 {
			b.WriteString("\n" + cmdtest.Text(strings.Join(text, " ")) + "\n")
			text = nil
		}
	}
	flush()
	for _, name := range append(risk.AnyLabel.Names(), scan.LabelNames()...) {
		if !slices.Contains(names, name) {
			t.Errorf("the help of labels has no line for %q", name)
		}
	}
	return b.String()
}

func schemesReference() string {
	var b strings.Builder
	b.WriteString("# Schemes\n\nThe form of each scheme, its default port, and the section that defines it. Variants of a scheme share its row.\nOther schemes follow the generic syntax. This page is made from the program.\n\n")
	all := slices.SortedFunc(slices.Values(resolve.Schemes()), func(a, b resolve.Scheme) int { return strings.Compare(a.Name, b.Name) })
	var rows [][]string
	rowOf := map[string]int{}
	var baseless, formless []string
	add := func(cell *string, separator, text string) {
		if text != "" && !slices.Contains(strings.Split(*cell, separator), text) {
			*cell += strings.Repeat(separator, min(len(*cell), 1)) + text
		}
	}
	for _, s := range all {
		if !s.Base {
			baseless = append(baseless, cmdtest.Code(s.Name))
		}
		if s.Form == "" {
			formless = append(formless, cmdtest.Code(s.Name))
			continue
		}
		form, name := s.Form, s.Name
		if other, same := strings.CutPrefix(s.Form, "as "); same {
			form, name = s.Name, other
		}
		i, found := rowOf[name]
		if !found {
			i = len(rows)
			rowOf[name] = i
			rows = append(rows, make([]string, 3))
		}
		section := s.Section
		if strings.HasPrefix(section, "IANA ") {
			section = "IANA"
		}
		add(&rows[i][0], ", ", cmdtest.Code(form))
		if s.Port > 0 {
			add(&rows[i][1], ", ", fmt.Sprint(s.Port))
		}
		add(&rows[i][2], "; ", cmdtest.Text(section))
	}
	b.WriteString(cmdtest.Table([]string{"form", "port", "defined in"}, rows))
	b.WriteString("\nRFC 1738, section 4, reserves names without a form: " + strings.Join(formless, ", ") + " (any name that begins so).\n")
	b.WriteString("\nURLs of these schemes cannot be a base for relative references: " + strings.Join(baseless, ", ") + ".\n")
	b.WriteString("\n## Found in text without slashes\n\nIn running text, refract finds a scheme before `//` and a host. It finds these schemes without `//`, if this follows the\ncolon:\n\n")
	rows = nil
	for _, s := range delimit.Schemes() {
		rows = append(rows, []string{cmdtest.Code(s.Name), cmdtest.Text(s.Proof)})
	}
	b.WriteString(cmdtest.Table([]string{"scheme", "followed by"}, rows))
	return b.String()
}

func slugsReference() string {
	var b strings.Builder
	const first, second = "What's new in v1.2 -- API & CLI?", "Größe der Bücher"
	b.WriteString("# Slug algorithms\n\nThe id of a heading depends on what renders it. `--slugs NAME` sets an algorithm; by default the\nconfiguration of the site decides, and without one the fragments that work. The examples are the ids of two headings.\nThis page is made from the program.\n\n")
	var rows [][]string
	for _, name := range slug.Names() {
		f, _ := slug.Named(name)
		id := func(text string) string { return cmdtest.Code(f.Slug(slug.Heading{Text: text, Source: text})) }
		rows = append(rows, []string{cmdtest.Code(name), id(first), id(second)})
	}
	b.WriteString(cmdtest.Table([]string{"algorithm", cmdtest.Text(first), cmdtest.Text(second)}, rows))
	return b.String()
}

func resolutionReference() string {
	var b strings.Builder
	b.WriteString("# Rules of resolution\n\n`--resolution NAME` selects the rules of one document. Options after commas change single points, as in\n`rfc2396,above-root=remove`; the first value of each is that of RFC 3986. This page is made from the program.\n\n")
	var rows [][]string
	for _, k := range resolve.Options() {
		rows = append(rows, []string{cmdtest.Code(k.Name), cmdtest.Code(strings.Join(k.Values, " ")), strings.ReplaceAll(k.Doc, "|", `\|`)})
	}
	b.WriteString(cmdtest.Table([]string{"option", "values", "meaning"}, rows))
	b.WriteString("\n## Documents\n\n")
	rows = nil
	for _, name := range resolve.RulesNames() {
		r, _ := resolve.RulesNamed(name)
		var differs []string
		if r.Browser {
			differs = append(differs, "the parser of the URL Standard, as in browsers; no option applies")
		}
		for _, k := range resolve.Options() {
			for _, v := range k.Values[1:] {
				if turned := r; turned.Set(k.Name, v) == nil && turned == r {
					differs = append(differs, cmdtest.Code(k.Name+"="+v))
				}
			}
		}
		rows = append(rows, []string{cmdtest.Code(name), strings.Join(differs, " ")})
	}
	b.WriteString(cmdtest.Table([]string{"rules", "differences from RFC 3986"}, rows))
	return b.String()
}
