package extract

import (
	"bytes"
	"iter"
	"math"
	"strconv"
	"sync"

	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/css"
	"example.org/refract/extract/html"
	"example.org/refract/extract/markdown"
	"example.org/refract/extract/message"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/xml"
)

const (
	textType     = "text/plain"
	binaryType   = "application/octet-stream"
	htmlType     = "text/html"
	xhtmlType    = "application/xhtml+xml"
	svgType      = "image/svg+xml"
	xmlType      = "application/xml"
	opmlType     = "text/x-opml"
	markdownType = "text/markdown"
	rstType      = "text/x-rst"
	asciidocType = "text/asciidoc"
	messageType  = "message/rfc822"
	emlxType     = "message/x-emlx"
	mhtmlType    = "multipart/related"
)

// builtinFormats is the list of the built-in formats. A new one takes a line here, and a
// package with its scanner.
func builtinFormats() []Format {
	return []Format{
		{Types: []string{textType}, Suffixes: []string{".txt", ".text"}, Alias: "text", Audit: Always, Quote: quote},
		{Types: []string{textType}, Suffixes: []string{".log"}, Quote: quote},
		{Types: []string{"text/csv"}, Suffixes: []string{".csv"}, Quote: quote},
		{Types: []string{"text/javascript"}, Suffixes: []string{".js"}, Quote: quote},
		{Types: []string{"application/json"}, Suffixes: []string{".json"}, Quote: quote},

		{Types: []string{messageType, "message/global", "message/news"}, Suffixes: []string{".eml"}, Alias: "mail", Sniff: sniffMessage,
			Multipart: true, Autolink: true, isMessage: true, Scan: scanMessage, Audit: Always, Quote: quote},
		{Types: []string{emlxType}, Suffixes: []string{".emlx"},
			Multipart: true, Autolink: true, Trim: trimEmlx, frame: frameEmlx, isMessage: true, Scan: scanMessage, Audit: Always, Quote: quote},
		{Types: []string{mhtmlType}, Suffixes: []string{".mht", ".mhtml"}, Alias: "mhtml",
			Multipart: true, Autolink: true, isMessage: true, Scan: scanMessage, Audit: Always, Quote: quote},

		{Types: []string{htmlType}, Suffixes: []string{".html", ".htm"}, Alias: "html", Sniff: sniffHTML, Charset: htmlCharset,
			Scan: scanHTML, Audit: Always, Fragments: WrittenFragments, Quote: quote, Unfinished: unfinishedHTML},
		{Types: []string{xhtmlType}, Suffixes: []string{".xhtml"}, Alias: "xhtml", Charset: xmlDeclared,
			Scan: scanXHTML, Audit: Always, Fragments: WrittenFragments, Quote: quote, Unfinished: unfinishedHTML},
		{Types: []string{svgType}, Suffixes: []string{".svg"}, Alias: "svg", Charset: xmlDeclared,
			Scan: scanXHTML, Audit: Always, Fragments: WrittenFragments, Quote: quote, Unfinished: unfinishedHTML},
		xmlFormat("xml", sniffXML, []string{xmlType, "text/xml", "+xml"}, ".xml"),
		xmlFormat("", nil, []string{"application/rss+xml"}, ".rss"),
		xmlFormat("", nil, []string{"application/atom+xml"}, ".atom"),
		xmlFormat("", nil, []string{"application/rdf+xml"}, ".rdf"),
		xmlFormat("", nil, []string{opmlType}, ".opml"),
		xmlFormat("", nil, []string{"application/vnd.google-earth.kml+xml"}, ".kml"),
		xmlFormat("", nil, []string{"application/xslt+xml"}, ".xsl", ".xslt"),
		{Types: []string{"text/css"}, Suffixes: []string{".css"}, Alias: "css", Charset: cssDeclared,
			Scan: scanCSS, Audit: Always, Quote: quote, Unfinished: unfinishedCSS},

		{Types: []string{markdownType}, Suffixes: []string{".md", ".markdown"}, Alias: "markdown",
			Scan: scanMarkdown, Audit: Always, Fragments: GeneratedFragments, Quote: quote, Unfinished: unfinishedMarkdown},
		{Types: []string{markdownType}, Suffixes: []string{".mdx"}, Setup: func(c *Config) { c.MDX = true },
			Scan: scanMarkdown, Audit: Always, Fragments: GeneratedFragments, Quote: quote, Unfinished: unfinishedMarkdown},

		{Types: []string{rstType, "text/prs.fallenstein.rst"}, Suffixes: []string{".rst", ".rest"}, Alias: "rst",
			Scan: scanRST, Audit: Always, Fragments: TitleFragments, Quote: quoteRST},
		{Types: []string{asciidocType, "text/x-asciidoc"}, Suffixes: []string{".adoc", ".asciidoc", ".asc", ".ad"}, Alias: "asciidoc",
			Sniff: sniffASCIIDoc, Scan: scanASCIIDoc, Audit: Always, Fragments: SectionFragments, Quote: quoteASCIIDoc},
	}
}

// xmlFormat is a Format of XML other than XHTML and SVG. Feed readers make links of its text.
func xmlFormat(alias string, sniff func([]byte) string, types []string, suffixes ...string) Format {
	return Format{Types: types, Suffixes: suffixes, Alias: alias, Sniff: sniff, Charset: xmlDeclared, UTF8Queries: true,
		Autolink: true, Scan: scanXML, Quote: quote}
}

// Pools of scanners. One that panics is not put back.
var (
	htmlScanners     = sync.Pool{New: func() any { return new(html.Scanner) }}
	xmlScanners      = sync.Pool{New: func() any { return new(xml.Scanner) }}
	cssScanners      = sync.Pool{New: func() any { return new(css.Scanner) }}
	markdownScanners = sync.Pool{New: func() any { return new(markdown.Scanner) }}
	messageScanners  = sync.Pool{New: func() any { return new(message.Scanner) }}
	rstScanners      = sync.Pool{New: func() any { return new(rst.Scanner) }}
)

func scanHTML(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) { scanElements(src, c, x, false, yield) }
}

func scanXHTML(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) { scanElements(src, c, x, true, yield) }
}

func scanElements(src []byte, c *Config, x Context, isXML bool, yield func(*scan.Item) bool) {
	s := htmlScanners.Get().(*html.Scanner)
	s.XML, s.Anchors, s.Prose, s.Text.Finder.Rules = isXML, x.Anchors, x.Autolink, c.Text
	s.JSONLD, s.Conditional, s.Details = c.JSONLD, c.Conditional, c.Details
	s.Scan(src)(yield)
	htmlScanners.Put(s)
}

func scanXML(src []byte, c *Config, _ Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := xmlScanners.Get().(*xml.Scanner)
		s.Details, s.Text.Finder.Rules = c.Details, c.Text
		s.Scan(src)(yield)
		xmlScanners.Put(s)
	}
}

func scanCSS(src []byte, _ *Config, _ Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := cssScanners.Get().(*css.Scanner)
		s.Scan(src)(yield)
		cssScanners.Put(s)
	}
}

func scanMarkdown(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := markdownScanners.Get().(*markdown.Scanner)
		s.WikiLinks, s.MDX, s.Anchors, s.Mentions = c.WikiLinks, c.MDX, x.Anchors, x.Mentions
		s.Dialect = c.Markdown
		s.HTML.JSONLD, s.HTML.Conditional, s.HTML.Details = c.JSONLD, c.Conditional, c.Details
		s.Scan(src)(yield)
		markdownScanners.Put(s)
	}
}

func scanRST(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := rstScanners.Get().(*rst.Scanner)
		s.Anchors, s.Mentions, s.Extlinks = x.Anchors, x.Mentions, c.Extlinks
		s.Scan(src)(yield)
		rstScanners.Put(s)
	}
}

func scanASCIIDoc(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	s := asciidoc.Scanner{Anchors: x.Anchors, Mentions: x.Mentions, Attributes: c.Attributes}
	return s.Scan(src)
}

func scanMessage(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := messageScanners.Get().(*message.Scanner)
		s.Nested, s.Quoted, s.Outline, s.Cite, s.Prefer = x.Nested, x.Quoted, x.Outline, c.Cite, c.Prefer
		s.ReadAs, s.Excerpt = x.ReadAs, x.excerpt
		s.Scan(src)(yield)
		s.ReadAs, s.Excerpt = nil, nil
		messageScanners.Put(s)
	}
}

// sniffASCIIDoc tells AsciiDoc from the signatures and keys that have its suffix .asc, too.
func sniffASCIIDoc(head []byte) string {
	if bytes.HasPrefix(head, []byte("-----BEGIN PGP")) {
		return textType
	}
	return ""
}

func sniffMessage(head []byte) string {
	if message.Is(head) {
		return messageType
	}
	return ""
}

// trimEmlx finds the message in a file of Apple's Mail.
func trimEmlx(src []byte) scan.Span {
	start, size := frameEmlx(src)
	return scan.Span{Start: start, End: start + int(min(size, int64(len(src)-start)))}
}

// frameEmlx returns where the message begins in a file of Apple's Mail, and its size: it has as
// many bytes as the first line says, and follows that line.
func frameEmlx(head []byte) (start int, size int64) {
	if i := bytes.IndexByte(head, '\n'); i >= 0 {
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(head[:i])), 10, 64); err == nil && n >= 0 {
			return i + 1, n
		}
	}
	return 0, math.MaxInt64
}
