package extract

import (
	"bytes"
	"iter"
	"math"
	"strconv"
	"strings"
	"sync"

	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/css"
	"example.org/refract/extract/html"
	"example.org/refract/extract/latex"
	"example.org/refract/extract/man"
	"example.org/refract/extract/markdown"
	"example.org/refract/extract/message"
	"example.org/refract/extract/notebook"
	"example.org/refract/extract/org"
	"example.org/refract/extract/pdf"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/rtf"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/template"
	"example.org/refract/extract/texinfo"
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
	notebookType = "application/x-ipynb+json"
	percentType  = "text/x-jupytext"
	manType      = "text/troff"
	latexType    = "text/x-tex"
	texinfoType  = "text/x-texinfo"
	orgType      = "text/x-org"
	njkType      = "text/x-nunjucks"
	liquidType   = "text/x-liquid"
	astroType    = "text/x-astro"
	jsxType      = "text/jsx"
	xmpType      = pdf.MetadataType
	messageType  = "message/rfc822"
	calendarType = "text/calendar"
	emlxType     = "message/x-emlx"
	mhtmlType    = "multipart/related"
	indexType    = "text/x-cdx"
)

// builtinFormats is the list of the built-in formats. A new format takes one line here, and a package
// with its scanner.
func builtinFormats() []Format {
	return []Format{
		{Types: []string{textType}, Suffixes: []string{".txt", ".text"}, Alias: "text", Audit: Always, Quote: quote},
		{Types: []string{textType}, Suffixes: []string{".log"}, Quote: quote},
		{Types: []string{"text/csv"}, Suffixes: []string{".csv"}, Quote: quote},
		{Types: []string{"text/javascript"}, Suffixes: []string{".js"}, Quote: quote},
		{Types: []string{"application/json"}, Suffixes: []string{".json"}, Quote: quote},

		{Types: []string{indexType, "text/x-cdxj"}, Suffixes: []string{".cdx", ".cdxj"}, Alias: "cdx", Sniff: sniffIndex, onlySniffed: true,
			UTF8Queries: true, Scan: scanIndex, lines: linesOfIndex, Audit: Never},
		{Types: []string{calendarType, "application/ics", "text/x-vcalendar"}, Suffixes: []string{".ics", ".ical", ".ifb", ".vcs"}, Alias: "ics",
			UTF8Queries: true, Scan: scanFolded, Quote: quote},
		{Types: []string{"text/vcard", "text/x-vcard", "text/directory"}, Suffixes: []string{".vcf", ".vcard"}, Alias: "vcf",
			UTF8Queries: true, Scan: scanFolded, Quote: quote},

		{Types: []string{messageType, "message/global", "message/news"}, Suffixes: []string{".eml"}, Alias: "mail", Sniff: sniffMessage,
			Multipart: true, Autolink: true, isMessage: true, Scan: scanMessage, Audit: Always, Quote: quote},
		{Types: []string{emlxType}, Suffixes: []string{".emlx"},
			Multipart: true, Autolink: true, Trim: trimEmlx, frame: frameEmlx, isMessage: true, Scan: scanMessage, Audit: Always, Quote: quote},
		{Types: []string{mhtmlType}, Suffixes: []string{".mht", ".mhtml"}, Alias: "mhtml",
			Multipart: true, Autolink: true, isMessage: true, Scan: scanMessage, Audit: Always, Quote: quote},

		{Types: []string{htmlType, "text/x-amp-html"}, Suffixes: []string{".html", ".htm"}, Alias: "html", Sniff: sniffHTML, Charset: htmlCharset,
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
		xmlFormat("", nil, []string{"application/oebps-package+xml"}, ".opf"),
		xmlFormat("", nil, []string{"application/x-dtbncx+xml"}, ".ncx"),
		xmlFormat("", nil, []string{"application/smil+xml"}, ".smil"),
		{Types: []string{"application/vnd.oasis.opendocument.text-flat-xml"}, Suffixes: []string{".fodt", ".fods", ".fodp", ".fodg"}, Alias: "fodt",
			Charset: xmlDeclared, UTF8Queries: true, Scan: scanODF, Audit: Always, Quote: quote},
		{Types: []string{"text/css"}, Suffixes: []string{".css"}, Alias: "css", Charset: cssDeclared,
			Scan: scanCSS, Audit: Always, Quote: quote, Unfinished: unfinishedCSS},

		{Types: []string{markdownType}, Suffixes: []string{".md", ".markdown"}, Alias: "markdown",
			Scan: scanMarkdown, Audit: Always, Fragments: GeneratedFragments, Quote: quote, Unfinished: unfinishedMarkdown},
		{Types: []string{markdownType}, Suffixes: []string{".mdx"}, Setup: func(c *Config) { c.MDX = true },
			Scan: scanMarkdown, Audit: Always, Fragments: GeneratedFragments, Quote: quote, Unfinished: unfinishedMarkdown},

		// R Markdown and Quarto: an audit of a directory reads them in the sites of their generators.
		{Types: []string{markdownType}, Suffixes: []string{".qmd", ".rmd"},
			Scan: scanMarkdown, Fragments: GeneratedFragments, Quote: quote, Unfinished: unfinishedMarkdown},

		{Types: []string{rstType, "text/prs.fallenstein.rst"}, Suffixes: []string{".rst", ".rest"}, Alias: "rst",
			Scan: scanRST, Audit: Always, Fragments: TitleFragments, Quote: quoteRST},
		{Types: []string{asciidocType, "text/x-asciidoc"}, Suffixes: []string{".adoc", ".asciidoc", ".asc", ".ad"}, Alias: "asciidoc",
			Sniff: sniffASCIIDoc, Scan: scanASCIIDoc, Audit: Always, Fragments: SectionFragments, Quote: quoteASCIIDoc},

		{Types: []string{notebookType}, Suffixes: []string{".ipynb"}, Alias: "notebook", Sniff: sniffNotebook,
			Scan: scanNotebook, Audit: Always, Fragments: SimilarFragments, Quote: quote},
		{Types: []string{percentType}, Suffixes: []string{".py", ".jl", ".r"}, Sniff: sniffPercent, onlySniffed: true,
			Scan: scanPercent, Fragments: SimilarFragments, Quote: quote},
		{Types: []string{manType, "application/x-troff-man", "text/x-troff"}, Alias: "man", Sniff: sniffMan, onlySniffed: true,
			Suffixes: []string{".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".man", ".mdoc", ".roff", ".troff"},
			Scan:     scanMan, Quote: quote},
		{Types: []string{texinfoType, "text/texinfo", "application/x-texinfo"}, Suffixes: []string{".texi", ".texinfo", ".txi"}, Alias: "texinfo",
			Sniff: sniffTexinfo, Scan: scanTexinfo, Quote: quote},
		{Types: []string{latexType, "application/x-tex", "application/x-latex"}, Suffixes: []string{".tex", ".ltx", ".latex", ".sty", ".bbl"}, Alias: "latex",
			Sniff: sniffTeX, Scan: scanLaTeX, Quote: quote},
		{Types: []string{orgType, "text/org"}, Suffixes: []string{".org"}, Alias: "org",
			Scan: scanOrg, Audit: Always, Quote: quoteOrg},

		{Types: []string{pdf.Type, "application/x-pdf"}, Suffixes: []string{".pdf"}, Alias: "pdf", Sniff: sniffPDF, onlySniffed: true,
			Multipart: true, Scan: scanPDF, Audit: Always},
		{Types: []string{rtf.Type, "text/rtf", "application/x-rtf"}, Suffixes: []string{".rtf"}, Alias: "rtf", Sniff: sniffRTF,
			Multipart: true, Scan: scanRTF, Audit: Always},
		{Types: []string{xmpType}, Charset: xmlDeclared, UTF8Queries: true, Autolink: true, Scan: scanXMP},

		// Templates are read as such only in the sites of the generators that they belong to.
		{Types: []string{njkType}, Scan: scanTemplate(template.Nunjucks), Fragments: WrittenFragments, Quote: quote},
		{Types: []string{liquidType}, Scan: scanTemplate(template.Liquid), Fragments: WrittenFragments, Quote: quote},
		{Types: []string{astroType}, Scan: scanTemplate(template.Astro), Quote: quote},
		{Types: []string{jsxType}, Scan: scanTemplate(template.JSX), Quote: quote},
	}
}

// xmlFormat is a Format of XML other than XHTML and SVG. Feed readers make links of its text.
func xmlFormat(alias string, sniff func([]byte) string, types []string, suffixes ...string) Format {
	return Format{Types: types, Suffixes: suffixes, Alias: alias, Sniff: sniff, Charset: xmlDeclared, UTF8Queries: true,
		Autolink: true, Scan: scanXML, Quote: quote}
}

// Pools of scanners. A scanner that panics is not put back.
var (
	htmlScanners     = sync.Pool{New: func() any { return new(html.Scanner) }}
	xmlScanners      = sync.Pool{New: func() any { return new(xml.Scanner) }}
	cssScanners      = sync.Pool{New: func() any { return new(css.Scanner) }}
	markdownScanners = sync.Pool{New: func() any { return new(markdown.Scanner) }}
	messageScanners  = sync.Pool{New: func() any { return new(message.Scanner) }}
	rstScanners      = sync.Pool{New: func() any { return new(rst.Scanner) }}
	notebookScanners = sync.Pool{New: func() any { return new(notebook.Scanner) }}
	manScanners      = sync.Pool{New: func() any { return new(man.Scanner) }}
	latexScanners    = sync.Pool{New: func() any { return new(latex.Scanner) }}
	texinfoScanners  = sync.Pool{New: func() any { return new(texinfo.Scanner) }}
	orgScanners      = sync.Pool{New: func() any { return new(org.Scanner) }}
	percentScanners  = sync.Pool{New: func() any { return new(notebook.PercentScanner) }}
	pdfScanners      = sync.Pool{New: func() any { return new(pdf.Scanner) }}
	rtfScanners      = sync.Pool{New: func() any { return new(rtf.Scanner) }}
	templateScanners = sync.Pool{New: func() any { return new(template.Scanner) }}
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
	s.JSONLD, s.Conditional, s.Details = c.JSONLD, c.Conditional || c.Exhaustive, c.Details
	s.Exhaustive, s.Scripts = c.Exhaustive, c.Scripts
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

func scanNotebook(src []byte, _ *Config, _ Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := notebookScanners.Get().(*notebook.Scanner)
		s.Scan(src)(yield)
		notebookScanners.Put(s)
	}
}

func sniffNotebook(head []byte) string {
	if notebook.Is(head) {
		return notebookType
	}
	return ""
}

func scanPercent(src []byte, _ *Config, _ Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := percentScanners.Get().(*notebook.PercentScanner)
		s.Scan(src)(yield)
		percentScanners.Put(s)
	}
}

func sniffPercent(head []byte) string {
	if notebook.IsPercent(head) {
		return percentType
	}
	return ""
}

func scanMan(src []byte, c *Config, _ Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := manScanners.Get().(*man.Scanner)
		s.Rules = c.Text
		s.Scan(src)(yield)
		manScanners.Put(s)
	}
}

func sniffMan(head []byte) string {
	if man.Is(head) {
		return manType
	}
	return ""
}

func scanLaTeX(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := latexScanners.Get().(*latex.Scanner)
		s.Rules, s.Anchors, s.Mentions = c.Text, x.Anchors, x.Mentions
		s.Scan(src)(yield)
		latexScanners.Put(s)
	}
}

// sniffTeX distinguishes Texinfo, which may have the suffix of TeX, and LaTeX.
func sniffTeX(head []byte) string {
	if texinfo.Is(head) {
		return texinfoType
	}
	if i := bytes.Index(head, []byte(`\documentclass`)); i == 0 || i > 0 && head[i-1] == '\n' {
		return latexType
	}
	return ""
}

func scanTexinfo(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := texinfoScanners.Get().(*texinfo.Scanner)
		s.Rules, s.Anchors, s.Mentions = c.Text, x.Anchors, x.Mentions
		s.Scan(src)(yield)
		texinfoScanners.Put(s)
	}
}

func sniffTexinfo(head []byte) string {
	if texinfo.Is(head) {
		return texinfoType
	}
	return ""
}

func scanOrg(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := orgScanners.Get().(*org.Scanner)
		s.Rules, s.Anchors, s.Mentions = c.Text, x.Anchors, x.Mentions
		s.Scan(src)(yield)
		orgScanners.Put(s)
	}
}

func scanPDF(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		if x.Outline {
			return // its parts have no names
		}
		s := pdfScanners.Get().(*pdf.Scanner)
		s.Limit, s.ReadAs, s.Rules = c.limit(), x.ReadAs, c.Text
		s.Scan(src)(yield)
		pdfScanners.Put(s)
	}
}

func scanRTF(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		if x.Outline {
			return // it has no parts with names
		}
		s := rtfScanners.Get().(*rtf.Scanner)
		s.Rules = c.Text
		s.Scan(src)(yield)
		rtfScanners.Put(s)
	}
}

func sniffRTF(head []byte) string {
	if rtf.Is(head) {
		return rtf.Type
	}
	return ""
}

// scanXMP scans the metadata of a file. The resource that it is about is the file itself (ISO 16684-1
// section 6.1), whatever the name, which is no reference.
func scanXMP(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		for it := range scanXML(src, c, x) {
			if it.Op == scan.Ref && strings.HasSuffix(it.In, "/rdf:about") {
				continue
			}
			if !yield(it) {
				return
			}
		}
	}
}

func sniffPDF(head []byte) string {
	if pdf.Is(head) {
		return pdf.Type
	}
	return ""
}

// scanTemplate returns the Scan of templates in a language.
func scanTemplate(l template.Language) func([]byte, *Config, Context) iter.Seq[*scan.Item] {
	return func(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
		return func(yield func(*scan.Item) bool) {
			s := templateScanners.Get().(*template.Scanner)
			s.Language = l
			s.HTML.Anchors, s.HTML.JSONLD, s.HTML.Conditional, s.HTML.Details = x.Anchors, c.JSONLD, c.Conditional, c.Details
			s.Scan(src)(yield)
			templateScanners.Put(s)
		}
	}
}

// scanFolded scans a calendar or card: running text whose lines are folded, with escapes.
func scanFolded(src []byte, c *Config, _ Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := textScanners.Get().(*plain.Scanner)
		s.Rest, s.Finder.Rules = false, c.Text
		var m scan.Map
		text, isFolded := message.Text(calendarType, scan.Fixed, nil, &m, src)
		if !isFolded {
			s.Window(src, 0, len(src), true, yield)
			textScanners.Put(s)
			return
		}
		s.Window(text, 0, len(text), true, func(it *scan.Item) bool {
			span, exact := m.Back(it.Span)
			it.Span, it.Loose = span, it.Loose || !exact
			if it.More != nil && it.More.Parts != nil {
				whole := *it.More
				whole.Parts = make([]scan.Span, len(it.More.Parts))
				for i, part := range it.More.Parts {
					whole.Parts[i], _ = m.Back(part)
				}
				it.More = &whole
			}
			more := yield(it)
			it.Loose = false
			return more
		})
		textScanners.Put(s)
	}
}

func scanMessage(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s := messageScanners.Get().(*message.Scanner)
		s.Nested, s.Quoted, s.Outline, s.Cite, s.Prefer = x.Nested, x.Quoted, x.Outline, c.Messages || c.Cite, c.Prefer
		s.ReadAs, s.Excerpt = x.ReadAs, x.excerpt
		s.Scan(src)(yield)
		s.ReadAs, s.Excerpt = nil, nil
		messageScanners.Put(s)
	}
}

// sniffASCIIDoc distinguishes AsciiDoc from PGP signatures and keys, which also have the suffix .asc.
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

// frameEmlx returns where the message begins in a file of Apple's Mail, and its size: the first line
// holds the size in bytes, and the message follows that line.
func frameEmlx(head []byte) (start int, size int64) {
	if i := bytes.IndexByte(head, '\n'); i >= 0 {
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(head[:i])), 10, 64); err == nil && n >= 0 {
			return i + 1, n
		}
	}
	return 0, math.MaxInt64
}
