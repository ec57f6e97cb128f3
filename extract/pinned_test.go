package extract

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/markdown"
	"example.org/refract/internal/testing/scantest"
)

// Documents of each type contain what they contained.
func TestPinned(t *testing.T) {
	mixture := func(name string) scantest.Mixture {
		m := scantest.Mixture{Grammar: scantest.Grammars[name]}
		if name == markdownType {
			m.Count = 60 * len(pinnedDialects)
		}
		return m
	}
	scantest.Pinned(t, mixture, pinnedContents)
}

// Documents with the words that the package of their type looks for contain what they contained.
func TestPinnedWords(t *testing.T) {
	dirs := map[string][]string{
		"text/x-cdx": {"../internal/cdx"}, "application/vnd.apple.mpegurl": {"internal/hls"}, "application/manifest+json": {"internal/webjson/webjson.go"}, "application/feed+json": {"internal/webjson/webjson.go"},
		"message/rfc822": {"message", "mailhead.go"}, "multipart/related": {"message"}, "text/html": {"html"}, "application/xhtml+xml": {"html"}, "application/xml": {"xml"},
		"application/vnd.oasis.opendocument.text-flat-xml": {"internal/odf", "internal/ooxml"}, "text/css": {"css"}, "text/markdown": {"markdown"}, "text/x-rst": {"rst"}, "text/asciidoc": {"asciidoc"},
		"application/x-ipynb+json": {"internal/notebook"}, "text/x-jupytext": {"internal/notebook"}, "text/troff": {"internal/man"}, "text/x-texinfo": {"internal/texinfo"}, "text/x-tex": {"internal/latex"},
		"text/x-org": {"internal/markup/org*.go"}, "text/gemini": {"internal/markup/gemtext.go"}, "text/x-wiki": {"internal/markup/wikitext.go"}, "text/vnd.typst": {"internal/markup/typst.go"}, "text/x-djot": {"internal/markup/djot.go"}, "text/x-scdoc": {"internal/markup/scdoc.go"},
		"application/pdf": {"internal/pdf"}, "application/har+json": {"internal/webjson/har.go"}, "application/rtf": {"internal/rtf"}, "application/x-xmp+xml": {"xml"},
		"text/x-nunjucks": {"internal/template"}, "text/x-liquid": {"internal/template"}, "text/x-astro": {"internal/template"}, "text/jsx": {"internal/script"}, "text/javascript": {"internal/script"},
		"application/json": {"internal/script"}, "text/plain": {"../delimit", "plain"},
	}
	scantest.PinnedWords(t, func(name string) []string { return dirs[name] }, pinnedContents)
}

// Documents that begin and end with each byte contain what they contained.
func TestPinnedEdges(t *testing.T) { scantest.PinnedEdges(t, pinnedContents) }

var pinnedDialects = []markdown.Dialect{
	{}, markdown.GitHub, markdown.MDX2, markdown.MkDocs, markdown.Docusaurus, markdown.Fumadocs, markdown.VitePress, markdown.VuePress, markdown.HugoSite,
	markdown.Jekyll, markdown.Zola, markdown.MdBook, markdown.HonKit, markdown.Nuxt, markdown.MyST, markdown.Quarto, markdown.DocFX, markdown.Obsidian, markdown.Wiki,
}

// Files of each format, and damaged ones, contain what they contained.
func TestPinnedFiles(t *testing.T) {
	var names []string
	for _, pattern := range []string{
		"../testdata/message/*", "../testdata/*.mbox", "../testdata/*.warc", "../testdata/*.cdx", "../testdata/*.eml", "testdata/packages/*.*",
		"internal/rtf/testdata/*.rtf", "internal/sqlite/testdata/utf8.sqlite", "internal/pdf/testdata/links.pdf", "internal/pdf/testdata/aes-256.pdf",
		"../internal/container/testdata/archives/*.*", "xml/testdata/*.xml",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		names = append(names, found...)
	}
	scantest.PinnedFiles(t, names, 24, func(name string, doc []byte) string { return pinnedWalk("", name, len(doc), doc) })
}

// pinnedContents returns a description of all that document i of a type contains. The settings depend on i.
func pinnedContents(name string, i int, doc []byte) string { return pinnedWalk(name, "x", i, doc) }

func pinnedWalk(mediaType, name string, i int, doc []byte) string {
	var b strings.Builder
	c := Config{
		Type: mediaType, Retrieved: base.Source{URI: "http://host.example/dir/page?q"}, Cite: true, Lines: true, Details: true,
		Conditional: i%2 == 0, Exhaustive: i%4 == 1, Scripts: i%3 == 0, WikiLinks: i%3 == 1, Names: i%5 == 0, MDX: i%7 == 0,
		Charsets: true, Messages: true, ParserDifferences: i%2 == 1, Markdown: pinnedDialects[i%len(pinnedDialects)],
		Note: func(n *Note) { fmt.Fprintf(&b, "note %v %s %s %s\n", n.Pos, n.Code, n.Text, n.Unread) },
		Anchor: func(a *Anchor) {
			fmt.Fprintf(&b, "anchor %v %s %s %q %v %v %+v\n", a.Pos, a.In, a.Space, a.Name, a.NamePos, a.TextPos, a.Heading)
		},
		Mention: func(m *Mention) { fmt.Fprintf(&b, "mention %v %s %s %q %q\n", m.Pos, m.In, m.Space, m.Raw, m.Name) },
	}
	c.Text.Domains = delimit.Domains(i % 2)
	c.Text.Addresses = i%4 == 2
	for r, err := range c.Walk(name, bytes.NewReader(doc)) {
		if err != nil {
			fmt.Fprintf(&b, "%v\n", err)
			break
		}
		fmt.Fprintf(&b, "%v %v %v %v %s %q %q %q %q %v %v %q", r.Pos, r.Ranges, r.Kind, r.How, r.In, r.Meant, r.Raw, r.Ref, r.URL, r.Base, r.Err, r.Fragment)
		fmt.Fprintf(&b, " %v %v %q %d %q %q %q %q %q %q %s %d %v\n", r.InvalidAuthority, r.Labels.Names(), r.Alternatives, r.Depth, r.Text, r.Rel, r.Hreflang, r.Type, r.BrowserURL, r.TargetPart, r.Entity.Type, r.Page, r.Boxes)
	}
	return b.String()
}
