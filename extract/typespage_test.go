package extract

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/types.md")

const typesHead = "" +
	"# Types of input\n" +
	"\n" +
	"refract finds the type of an input by its name, then by its first bytes. `--type` (`-t`) sets an alias, a suffix without\n" +
	"its dot, or a media type: `-t adoc`, `-t 'text/plain; charset=koi8-r'`. It reads other types as running text. This page\n" +
	"is made from the program.\n"

const typesTail = "" +
	"\n" +
	"`+xml` stands for all types with that ending.\n" +
	"\n" +
	"## How refract finds the type\n" +
	"\n" +
	"- refract first decompresses `.gz`, `.bz2`, `.xz`, `.zst`, `.lz4` and `.Z`.\n" +
	"- It recognizes archives, Outlook and S/MIME messages, SQLite, property lists and OneNote by their first bytes.\n" +
	"- A `.txt`, `.text`, `.log` or `.asc` file is mail if it begins as a mailbox or message does.\n" +
	"- A file without a suffix is HTML if it begins with an HTML tag or comment, and its first 4,096 bytes contain no Markdown.\n" +
	"- In a `.php` file with `<?php` or `<?=`, refract reads the HTML, and URLs in code as text.\n" +
	"\n" +
	"## Names in place of URLs\n" +
	"\n" +
	"Some formats name a page or file whose URL only the site generator knows:\n" +
	"\n" +
	"| written as | without a site |\n" +
	"|---|---|\n" +
	"| Antora: `xref:module:page.adoc[]`, `image::ROOT:a.png[]`, `include::partial$a.adoc[]` | no URL |\n" +
	"| Markdown: `[[page]]`, `![[file]]`; wikitext: `[[Page]]` | no URL |\n" +
	"| MyST: `{doc}`, `{download}`; Hugo: `ref`, `relref` | no URL |\n" +
	"| reStructuredText: `:doc:`, `:download:`, `toctree` | relative reference |\n" +
	"| Docusaurus, Starlight: `@site/…`, `~/…`, source files | relative reference |\n" +
	"| labels: `:ref:`, `{ref}`, `<<id>>` | only the audit checks them |\n" +
	"\n" +
	"`--unresolved` and `--json` list names without a URL; the summary counts them. `--published` resolves names of pages to\n" +
	"their URLs, and `target_file` in `--json` is the file.\n" +
	"\n" +
	"## Small formats\n" +
	"\n" +
	"refract also finds URLs in the text of these formats. It does not evaluate macros, templates or code, except Texinfo\n" +
	"macros with parameters that the document defines.\n" +
	"\n" +
	"| format | finds | skips |\n" +
	"|---|---|---|\n" +
	"| Texinfo | `@url`, `@uref`, `@email`, `@image`, `@include`, `@verbatiminclude`, references to other manuals | `@value` |\n" +
	"| gemtext 0.24.1 | link lines | preformatted text |\n" +
	"| wikitext | `[url label]`; `[[Page]]` with `--also wiki-links` as a relative reference | comments, `<nowiki>`, `<pre>`, `<syntaxhighlight>` |\n" +
	"| Typst 0.13 | `link`, `image`, `#include`, `#import`, data files and bibliographies | raw text, formulas, comments, packages |\n" +
	"| Djot 2024 | links, images, definitions, `<url>` | code, raw text, comments |\n" +
	"| OneNote (`.one`) | links, URLs in texts of all revisions, embedded files | ink, packages (`.onepkg`) |\n"

// TestTypesPage keeps the page of accepted types equal to the tables of formats and
// containers, which are the only place that knows them.
func TestTypesPage(t *testing.T) {
	const name = "../docs/types.md"
	var b strings.Builder
	b.WriteString(typesHead)
	cell := func(names ...string) string {
		var quoted []string
		for _, n := range names {
			if n != "" {
				quoted = append(quoted, "`"+n+"`")
			}
		}
		return strings.Join(quoted, " ")
	}
	groups := []struct {
		role    Role
		heading string
		text    strings.Builder
	}{
		{role: Always, heading: "Types that the audit reads"},
		{role: WhenNamed, heading: "Types that the audit reads only on the command line"},
		{role: Never, heading: "Types that the audit does not read as documents"},
	}
	row := func(alias string, suffixes, types []string, r Role) {
		if alias == "" && len(suffixes) == 0 {
			return // a type of parts only
		}
		for i := range groups {
			if groups[i].role == r {
				fmt.Fprintf(&groups[i].text, "| %s | %s | %s |\n", cell(alias), cell(suffixes...), cell(types...))
			}
		}
	}
	for _, f := range Formats() {
		row(f.Alias, f.Suffixes, f.Types, f.Audit)
	}
	for _, c := range Containers() {
		row(c.Alias, c.Suffixes, c.Types, c.Audit)
	}
	for i := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n| alias | suffixes | media types |\n|---|---|---|\n%s", groups[i].heading, groups[i].text.String())
	}
	b.WriteString(typesTail)
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(name)
	if err != nil || string(page) != b.String() {
		t.Errorf("%s is not as the tables have it: run go test ./extract -run TestTypesPage -update (%v)", name, err)
	}
}
