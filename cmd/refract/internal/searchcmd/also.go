package searchcmd

import (
	"fmt"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/delimit"
	"example.org/refract/extract"
)

// An extra is a value of --also: what is found besides what is always found.
type extra struct {
	name, help string
	set        func(*extract.Config)
}

var extras = []extra{
	{"abbreviated", "names without a scheme besides www.example.org: ftp.example.org, //example.org/x, 192.0.2.1:80, [::1]/x",
		func(c *extract.Config) { c.Text.Abbreviated = delimit.AbbreviatedAll }},
	{"!www", "not even www.example.org", func(c *extract.Config) { c.Text.Abbreviated = delimit.AbbreviatedNone }},
	{"domains", "example.org and example.name/x, but not README.md or self.name",
		func(c *extract.Config) { c.Text.Domains = delimit.DomainsAll }},
	{"common-domains", "of these, the ones below common top-level domains",
		func(c *extract.Config) { c.Text.Domains = delimit.DomainsCommon }},
	{"addresses", "ann@example.org, as a mailto: URL", func(c *extract.Config) { c.Text.Addresses = true }},
	{"quoted-spaces", "URLs in \"...\" with spaces, which are removed (RFC 3986 appendix C)",
		func(c *extract.Config) { c.Text.JoinQuotedBlanks = true }},
	{"conditional", "HTML: conditional comments", func(c *extract.Config) { c.Conditional = true }},
	{"exhaustive", "HTML: what only thorough crawlers look for: conditional comments, URLs and paths in text, bases, document types, report-uri, SVG in data: URLs, paths of robots.txt",
		func(c *extract.Config) { c.Exhaustive = true }},
	{"json-ld", "HTML: strings in JSON-LD that look like URLs", func(c *extract.Config) { c.JSONLD = true }},
	{"scripts", "HTML, JavaScript, JSON, web archives: strings in code that are clearly URLs or paths, labelled speculative",
		func(c *extract.Config) { c.Scripts = true }},
	{"mdx", "Markdown: imports, and href, src and to of components", func(c *extract.Config) { c.MDX = true }},
	{"wiki-links", "Markdown, wikitext: [[page]] and ![[file]] as links (otherwise names: see --unresolved)",
		func(c *extract.Config) { c.WikiLinks = true }},
}

// extraNames returns the values of --also.
func extraNames() (names []string) {
	for i := range extras {
		names = append(names, extras[i].name)
	}
	return names
}

// undone are the values of --undo, with what they undo.
var undone = [][2]string{
	{"qp", "quoted-printable: =3D, = at line ends"}, {"ansi", "colours of terminals"}, {"json", `\/, \u0026; the default for JSON`},
	{"entities", "&amp;"}, {"defang", "refang: hxxp, [.]"}, {"roff", `\-, \:`}, {"latex", `\_, \~{}`}, {"csv", "quoted fields; the default for .csv"},
	{"gettext", "strings of PO files; the default for .po"}, {"none", "nothing: not even escapes in strings of YAML, TOML and source code"}, {"auto", "qp, in messages that are in it as a whole"},
}

// row writes a value and what it means.
func row(b *strings.Builder, name, about string) {
	const indent, width = 17, cli.HelpWidth
	for _, line := range cli.Wrap(about, width-indent) {
		fmt.Fprintf(b, "  %-*s%s\n", indent-2, name, line)
		name = ""
	}
}

// AlsoTopic returns the topic about --also and --undo.
func AlsoTopic(*cli.Env) *cli.Command {
	return cli.LateTopic("also", "What --also finds, and --undo removes", func() string {
		var b strings.Builder
		b.WriteString("The values of --also, which takes several, as in --also addresses,scripts:\n\n")
		for i := range extras {
			row(&b, extras[i].name, extras[i].help)
		}
		b.WriteString("\nThe values of --undo, which removes an encoding of text before URLs are found in it:\n\n")
		for _, u := range undone {
			row(&b, u[0], u[1])
		}
		return b.String()
	})
}

// setExtras applies the values of --also.
func setExtras(values []string, cfg *extract.Config) error {
next:
	for _, value := range values {
		for i := range extras {
			if extras[i].name == value {
				extras[i].set(cfg)
				continue next
			}
		}
		return cli.BadOneOf("--also", value, extraNames())
	}
	return nil
}
