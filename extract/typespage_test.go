package extract

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/types.md")

// TestTypesPage keeps the page of accepted types equal to the tables of formats and
// containers, which are the only place that knows them.
func TestTypesPage(t *testing.T) {
	const name = "../docs/types.md"
	var b strings.Builder
	b.WriteString(`# Types of input

refract finds the type of an input by its name, then by its first bytes. ` + "`--type`" + ` (` + "`-t`" + `) sets it: to an
alias or a suffix without its dot (` + "`-t adoc`" + `), or to a media type with its charset (` + "`-t 'text/plain; charset=koi8-r'`" + `). All other types are read as
running text. The audit reads those marked "always" when it finds them in a directory, and the others
when they are named.

| alias | suffixes | media types | audit |
|---|---|---|---|
`)
	role := map[Role]string{WhenNamed: "when named", Always: "always", Never: "never"}
	row := func(alias string, suffixes, types []string, r Role) {
		cell := func(names ...string) string {
			var quoted []string
			for _, n := range names {
				if n != "" {
					quoted = append(quoted, "`"+n+"`")
				}
			}
			return strings.Join(quoted, " ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(alias), cell(suffixes...), cell(types...), role[r])
	}
	for _, f := range Formats() {
		row(f.Alias, f.Suffixes, f.Types, f.Audit)
	}
	for _, c := range Containers() {
		row(c.Alias, c.Suffixes, c.Types, c.Audit)
	}
	b.WriteString("\nA type that begins with `+` stands for all types that end so. Files whose names end in `.gz`, `.bz2`,\n`.xz`, `.zst`, `.lz4` or `.Z` are decompressed first.\n\nArchives (ZIP and tar, also compressed: `.tgz` and the like) are recognised by their first bytes; the suffixes\nabove count for attachments of messages and files of crawls. The files in them are read by their own names and\ntypes. The audit does not open archives.\n\nEPUB and office documents are ZIP archives, too, but each is one document in several files: they are read wherever they\nare found, and by the audit. Their first bytes, their suffix or the names of the files in them decide.\n\nA file with a suffix of `text`, or `.log` or `.asc`, is an archive of mail if it begins as one, and a message if its heading has `From`,\n`Received` or `Message-ID`, and also `Date`, `MIME-Version` or a field that servers add.\n\nMessages of Outlook and S/MIME, SQLite databases, binary property lists and sections of OneNote are recognised by their first bytes.\nA value of a database or a property list is running text, but a URL that is the whole value is not trimmed as in a sentence.\n\nA file of PHP is a template if a program of PHP (`<?php`, `<?=`) is in it: the references of its HTML are read, and all URLs in it as text, in programs and comments, too.\nA reference of which a program writes a part is left out; what stands before the program of an absolute one is a URL in text. HTML that a program\nprints is text. Without a program, `.php` is what its first bytes are, mostly HTML as it was saved from a server.\n\n## Names in place of URLs\n\nSome formats name a document or a file in a syntax of its own: only the program that makes a site of the documents knows its URL. Such a\nname is a reference without a URL in each format: `--unresolved` and `--json` show it as written, no base changes it, and a line at the\nend says how many there are. These are resource ids of Antora (`xref:module:page.adoc[]`, `image::ROOT:a.png[]`,\n`include::partial$a.adoc[]`), `[[page]]` and `![[file]]` in Markdown, `[[Page]]` in wikitext, `{doc}` and `{download}` of MyST, and `ref` and `relref` of Hugo.\n`:doc:`, `:download:` and `toctree` of reStructuredText are relative references, as are `@site/…`, `~/…` and paths of source files\nin Docusaurus and Starlight; they are resolved if there is a base. Labels and terms (`:ref:`, `{ref}`, `<<id>>` without a dot) are no\ndocuments: the audit judges them. The audit resolves all of them in the sites of generators that it knows, and `--published`\ngives each that leads to a page or file of its site the URL of that, and in `--json` the file (`target_file`), which needs no URL. Without\n`--published`, each document is read by itself: which file a name means depends on the configuration and front matter of others.\n\n## What small formats have\n\n- Texinfo: the arguments of `@url`, `@uref`, `@email`, `@image`, `@include`, `@verbatiminclude` and references to other manuals, and URLs in text. A call of a macro\n  that the document has defined before, with parameters, is what it makes (`@bug{12}`); macros in the texts of macros are not expanded, nor `@value`.\n- gemtext (\"Gemini hypertext format\" 0.24.1): the URLs of link lines (`=> url label`), and URLs in text; not preformatted text.\n- wikitext of MediaWiki (Help:Links): `[url label]`, also `[//host/x y]`; URLs in text, which end at `|` and `}}` in templates and at `''`; `[[Page]]` as a\n  name, or with `--also wiki-links` as a relative reference (blanks are `_`). Not comments, `<nowiki>`, `<pre>`, `<syntaxhighlight>` and the like; templates are\n  not expanded, and a URL with `{{` in brackets is none.\n- Typst (reference 0.13): the first argument of `link`, `image`, `bibliography`, `read`, `csv`, `json`, `yaml`, `toml`, `xml`, `cbor` and `plugin`, what `#include`\n  and `#import` name (not packages, `@preview/x:1.0`), and URLs in markup and other strings; not raw text, formulas and comments. Nothing is evaluated.\n- Djot (syntax reference, 2024): destinations of links and images, also over several lines, definitions, `<url>`, and URLs in text; not code, raw text and comments. The marks of emphasis are not read.\n- OneNote ([MS-ONESTORE], [MS-ONE]; sections, `.one`): the links of its texts (`HYPERLINK`), and URLs in the texts, each of which is a part named by its number; and embedded files, as\n  attachments are read. OneNote keeps texts of earlier revisions in the file: these are read, too. Not ink, and not packages (`.onepkg`).\n\nA file without a suffix is HTML if it begins with one of the tags of MIME Sniffing 7.1, or with comments before them, and no\nline of its first 4,096 bytes is one of Markdown.\n")
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
