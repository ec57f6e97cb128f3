package extract

import (
	"bytes"
	"iter"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/css"
	"example.org/refract/extract/html"
	"example.org/refract/extract/internal/hls"
	"example.org/refract/extract/internal/latex"
	"example.org/refract/extract/internal/man"
	"example.org/refract/extract/internal/markup"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/notebook"
	"example.org/refract/extract/internal/odf"
	"example.org/refract/extract/internal/onenote"
	"example.org/refract/extract/internal/pdf"
	"example.org/refract/extract/internal/plist"
	"example.org/refract/extract/internal/quote"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/rtf"
	"example.org/refract/extract/internal/script"
	"example.org/refract/extract/internal/sqlite"
	"example.org/refract/extract/internal/template"
	"example.org/refract/extract/internal/texinfo"
	"example.org/refract/extract/internal/undo"
	"example.org/refract/extract/internal/webjson"
	"example.org/refract/extract/markdown"
	"example.org/refract/extract/message"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/xml"
	"example.org/refract/internal/cdx"
	"example.org/refract/internal/decode"
)

const (
	textType     = mediatype.Text
	binaryType   = mediatype.Binary
	htmlType     = mediatype.HTML
	xhtmlType    = mediatype.XHTML
	svgType      = mediatype.SVG
	xmlType      = mediatype.XML
	opmlType     = mediatype.OPML
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
	phpType      = "application/x-httpd-php"
	xmpType      = pdf.MetadataType
	messageType  = "message/rfc822"
	calendarType = "text/calendar"
	emlxType     = "message/x-emlx"
	mhtmlType    = "multipart/related"
	indexType    = "text/x-cdx"
)

// builtinFormats is the list of the built-in formats. A new format takes one line here, and a package with
// its scanner.
func builtinFormats() []Format {
	return append([]Format{
		{Types: []string{textType}, Suffixes: []string{".txt", ".text"}, Alias: "text", Audit: Always, Quote: quote.Any},
		{Types: []string{textType}, Suffixes: []string{".log"}, Quote: quote.Any},
		{Types: []string{"text/csv"}, Suffixes: []string{".csv"}, Quote: quote.Any},
		{Types: []string{"text/javascript"}, Suffixes: []string{".js"}, Quote: quote.Any},
		{Types: []string{"application/json"}, Suffixes: []string{".json"}, Sniff: webjson.Sniff, Quote: quote.Any},

		indexFormat,
		{Types: []string{calendarType, "application/ics", "text/x-vcalendar"}, Suffixes: []string{".ics", ".ical", ".ifb", ".vcs"}, Alias: "ics",
			UTF8Queries: true, Scan: scanFolded, Quote: quote.Any},
		{Types: []string{"text/vcard", "text/x-vcard", "text/directory"}, Suffixes: []string{".vcf", ".vcard"}, Alias: "vcf",
			UTF8Queries: true, Scan: scanFolded, Quote: quote.Any},

		{Types: []string{messageType, "message/global", "message/news"}, Suffixes: []string{".eml"}, Alias: "mail", Sniff: sniffWith(message.Is, messageType),
			Multipart: true, Autolink: true, isMessage: true, Scan: scanMessage, Audit: Always, Quote: quote.Any},
		{Types: []string{emlxType}, Suffixes: []string{".emlx"},
			Multipart: true, Autolink: true, Trim: trimEmlx, frame: frameEmlx, isMessage: true, Scan: scanMessage, Audit: Always, Quote: quote.Any},
		{Types: []string{mhtmlType}, Suffixes: []string{".mht", ".mhtml"}, Alias: "mhtml",
			Multipart: true, Autolink: true, isMessage: true, Scan: scanMessage, Audit: Always, Quote: quote.Any},

		{Types: []string{htmlType, "text/x-amp-html"}, Suffixes: []string{".html", ".htm"}, Alias: "html", Sniff: mediatype.SniffHTML, Charset: decode.HTMLCharset,
			Scan: scanHTML, Audit: Always, Fragments: WrittenFragments, Quote: quote.Any, Unfinished: quote.UnfinishedHTML},
		{Types: []string{xhtmlType}, Suffixes: []string{".xhtml"}, Alias: "xhtml", Charset: decode.XMLDeclared,
			Scan: scanXHTML, Audit: Always, Fragments: WrittenFragments, Quote: quote.Any, Unfinished: quote.UnfinishedHTML},
		{Types: []string{svgType}, Suffixes: []string{".svg"}, Alias: "svg", Charset: decode.XMLDeclared,
			Scan: scanXHTML, Audit: Always, Fragments: WrittenFragments, Quote: quote.Any, Unfinished: quote.UnfinishedHTML},
		xmlFormat("xml", mediatype.SniffXML, []string{xmlType, "text/xml", "+xml"}, ".xml"),
		xmlFormat("", nil, []string{"application/rss+xml"}, ".rss"),
		xmlFormat("", nil, []string{"application/atom+xml"}, ".atom"),
		xmlFormat("", nil, []string{"application/rdf+xml"}, ".rdf"),
		xmlFormat("", nil, []string{opmlType}, ".opml"),
		xmlFormat("", nil, []string{"application/vnd.google-earth.kml+xml"}, ".kml"),
		xmlFormat("", nil, []string{"application/xslt+xml"}, ".xsl", ".xslt"),
		xmlFormat("", nil, []string{"application/oebps-package+xml"}, ".opf"),
		xmlFormat("", nil, []string{"application/x-dtbncx+xml"}, ".ncx"),
		xmlFormat("", nil, []string{"application/smil+xml"}, ".smil"),
		xmlFormat("", nil, []string{"application/dash+xml"}, ".mpd"),
		xmlFormat("", nil, []string{"application/opensearchdescription+xml"}, ".osdx"),
		{Types: []string{hls.Type, "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl"}, Suffixes: []string{".m3u8", ".m3u"}, UTF8Queries: true,
			Scan: scanHLS, Quote: quote.HLS},
		{Types: []string{webjson.Types[webjson.Manifest]}, Suffixes: []string{".webmanifest"}, UTF8Queries: true, Scan: scanManifest, Quote: quote.JSON},
		{Types: []string{webjson.Types[webjson.Feed]}, UTF8Queries: true, Scan: scanJSONFeed, Quote: quote.JSON},
		{Types: []string{"application/vnd.oasis.opendocument.text-flat-xml"}, Suffixes: []string{".fodt", ".fods", ".fodp", ".fodg"}, Alias: "fodt",
			Charset: decode.XMLDeclared, UTF8Queries: true, Scan: scanODF, Audit: Always, Quote: quote.Any},
		{Types: []string{"text/css"}, Suffixes: []string{".css"}, Alias: "css", Charset: decode.CSSDeclared,
			Scan: scanCSS, Audit: Always, Quote: quote.Any, Unfinished: quote.UnfinishedCSS},

		{Types: []string{markdownType}, Suffixes: []string{".md", ".markdown", ".livemd", ".cheatmd"}, Alias: "markdown",
			Scan: scanMarkdown, Audit: Always, Fragments: GeneratedFragments, Quote: quote.Any, Unfinished: quote.UnfinishedMarkdown},
		{Types: []string{markdownType}, Suffixes: []string{".mdx"}, Setup: setupMDX,
			Scan: scanMarkdown, Audit: Always, Fragments: GeneratedFragments, Quote: quote.Any, Unfinished: quote.UnfinishedMarkdown},

		// R Markdown and Quarto: an audit of a directory reads them in the sites of their generators.
		{Types: []string{markdownType}, Suffixes: []string{".qmd", ".rmd"},
			Scan: scanMarkdown, Fragments: GeneratedFragments, Quote: quote.Any, Unfinished: quote.UnfinishedMarkdown},

		{Types: []string{rstType, "text/prs.fallenstein.rst"}, Suffixes: []string{".rst", ".rest"}, Alias: "rst",
			Scan: scanRST, Audit: Always, Fragments: TitleFragments, Quote: quote.RST},
		{Types: []string{asciidocType, "text/x-asciidoc"}, Suffixes: []string{".adoc", ".asciidoc", ".asc", ".ad"}, Alias: "asciidoc",
			Sniff: sniffASCIIDoc, Scan: scanASCIIDoc, Audit: Always, Fragments: SectionFragments, Quote: quote.ASCIIDoc},

		{Types: []string{notebookType}, Suffixes: []string{".ipynb"}, Alias: "notebook", Sniff: sniffWith(notebook.Is, notebookType),
			Scan: scanNotebook, Audit: Always, Fragments: SimilarFragments, Quote: quote.Any},
		{Types: []string{percentType}, Suffixes: []string{".py", ".jl", ".r"}, Sniff: sniffWith(notebook.IsPercent, percentType), onlySniffed: true,
			Scan: scanPercent, Fragments: SimilarFragments, Quote: quote.Any},
		{Types: []string{manType, "application/x-troff-man", "text/x-troff"}, Alias: "man", Sniff: sniffWith(man.Is, manType), onlySniffed: true,
			Suffixes: []string{".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".man", ".mdoc", ".roff", ".troff"},
			Scan:     scanMan, Quote: quote.Any},
		{Types: []string{texinfoType, "text/texinfo", "application/x-texinfo"}, Suffixes: []string{".texi", ".texinfo", ".txi"}, Alias: "texinfo",
			Sniff: sniffWith(texinfo.Is, texinfoType), Scan: scanTexinfo, Quote: quote.Texinfo},
		{Types: []string{latexType, "application/x-tex", "application/x-latex"}, Suffixes: []string{".tex", ".ltx", ".latex", ".sty", ".bbl"}, Alias: "latex",
			Sniff: sniffTeX, Scan: scanLaTeX, Quote: quote.LaTeX},
		{Types: []string{orgType, "text/org"}, Suffixes: []string{".org"}, Alias: "org",
			Scan: scanOrg, Audit: Always, Quote: quote.Org},

		// An audit does not know how these name pages, or where the root of their files is: it reads them when they
		// are named.
		{Types: []string{markup.GemtextType}, Suffixes: []string{".gmi", ".gemini"}, Alias: "gemtext", UTF8Queries: true, Scan: scanGemtext, Quote: quote.Plain},
		{Types: []string{markup.WikitextType, "text/mediawiki"}, Suffixes: []string{".wiki", ".mediawiki", ".wikitext"}, Alias: "wikitext", Scan: scanWikitext, Quote: quote.Plain},
		{Types: []string{markup.TypstType, "text/x-typst"}, Suffixes: []string{".typ"}, Alias: "typst", Scan: scanTypst, Quote: quote.Typst},
		{Types: []string{markup.DjotType}, Suffixes: []string{".dj", ".djot"}, Alias: "djot", Scan: scanDjot, Quote: quote.Djot},
		{Types: []string{markup.ScdocType}, Suffixes: []string{".scd"}, Alias: "scdoc", Scan: scanScdoc, Quote: quote.Any},

		{Types: []string{pdf.Type, "application/x-pdf"}, Suffixes: []string{".pdf"}, Alias: "pdf", Sniff: sniffWith(pdf.Is, pdf.Type), onlySniffed: true,
			Multipart: true, Scan: scanPDF, Audit: Always},
		{Types: []string{rtf.Type, "text/rtf", "application/x-rtf"}, Suffixes: []string{".rtf"}, Alias: "rtf", Sniff: sniffWith(rtf.Is, rtf.Type),
			Multipart: true, Scan: scanRTF, Audit: Always},
		{Types: []string{webjson.HARType}, Suffixes: []string{".har"}, Alias: "har", Sniff: sniffWith(webjson.IsHAR, webjson.HARType), onlySniffed: true, Scan: scanHAR, Audit: Never},
		{Types: []string{xmpType}, Charset: decode.XMLDeclared, UTF8Queries: true, Autolink: true, Scan: scanXMP},

		// Templates are read as such only in the sites of the generators that they belong to.
		{Types: []string{njkType}, Scan: scanTemplate(template.Nunjucks), Fragments: WrittenFragments, Quote: quote.Any},
		{Types: []string{liquidType}, Scan: scanTemplate(template.Liquid), Fragments: WrittenFragments, Quote: quote.Any},
		{Types: []string{astroType}, Scan: scanTemplate(template.Astro), Quote: quote.Any},
		{Types: []string{jsxType}, Scan: scanTemplate(template.JSX), Quote: quote.Any},
		{Types: []string{phpType, "application/x-php", "text/x-php"}, Suffixes: []string{".php", ".phtml", ".php3", ".php4", ".php5"}, Sniff: sniffWith(template.IsPHP, phpType),
			onlySniffed: true, Scan: scanPHP, Quote: quote.Any},
	}, binaryFormats()...)
}

// binaryFormats are those of files in which programs keep data, and of the texts in them.
func binaryFormats() []Format {
	return []Format{
		{Types: []string{sqlite.Type, "application/x-sqlite3"}, Alias: "sqlite", Sniff: sniffWith(sqlite.Is, sqlite.Type), Multipart: true, isBinary: true, Scan: scanSQLite},
		{Types: []string{plist.Type}, Alias: "bplist", Sniff: sniffWith(plist.Is, plist.Type), Multipart: true, isBinary: true, Scan: scanPlist},
		{Types: []string{onenote.Type, "application/msonenote", "application/x-onenote"}, Suffixes: []string{".one"}, Alias: "onenote", Sniff: sniffWith(onenote.Is, onenote.Type),
			onlySniffed: true, Multipart: true, isBinary: true, Scan: scanOneNote},
		{Types: []string{onenote.TextType}, Scan: scanOneNoteText},
	}
}

// indexFormat is the Format of indexes of crawls.
var indexFormat = Format{Types: []string{indexType, "text/x-cdxj"}, Suffixes: []string{".cdx", ".cdxj"}, Alias: "cdx", Sniff: sniffWith(cdx.Is, indexType), onlySniffed: true,
	UTF8Queries: true, Scan: scanIndex, lines: linesOfIndex, Audit: Never}

// robotsTextType is the type of a robots.txt, by its name.
const robotsTextType = "text/x-robots"

var robotsTextFormat = Format{Types: []string{robotsTextType}, UTF8Queries: true, Scan: scanRobotsText}

// xmlFormat is a Format of XML other than XHTML and SVG. Feed readers make links of its text.
func xmlFormat(alias string, sniff func([]byte) string, types []string, suffixes ...string) Format {
	return Format{Types: types, Suffixes: suffixes, Alias: alias, Sniff: sniff, Charset: decode.XMLDeclared, UTF8Queries: true,
		Autolink: true, Scan: scanXML, Quote: quote.Any}
}

// The Scan of each format: its scanner, and the options that this takes from the Config and the Context.
var (
	scanHTML  = scanPage(false)
	scanXHTML = scanPage(true)
	scanXML   = pooled(func(s *xml.Scanner, c *Config, _ Context) { s.Details, s.Text.Finder.Rules = c.Details, c.Text })
	scanCSS   = pooled(func(s *css.Scanner, c *Config, _ Context) { s.Choices = c.Choices })

	scanRobotsText = pooled(func(s *robots.TextScanner, c *Config, _ Context) { s.Rules, s.Paths = c.Text, c.Exhaustive })

	scanMarkdown = pooled(func(s *markdown.Scanner, c *Config, x Context) {
		s.WikiLinks, s.Names, s.MDX, s.Anchors, s.Mentions = c.WikiLinks, c.Names, c.MDX, x.Anchors, x.Mentions
		s.Dialect = c.Markdown
		s.HTML.JSONLD, s.HTML.Conditional, s.HTML.Details, s.HTML.Browser = c.JSONLD, c.Conditional, c.Details, c.Rules.Browser
	})
	scanRST = pooled(func(s *rst.Scanner, c *Config, x Context) {
		s.Anchors, s.Mentions, s.Extlinks = x.Anchors, x.Mentions, c.Extlinks
	})
	scanASCIIDoc = pooled(func(s *asciidoc.Scanner, c *Config, x Context) {
		s.Anchors, s.Mentions, s.Attributes, s.Names = x.Anchors, x.Mentions, c.Attributes, c.Names
	})
	scanNotebook = pooled(func(*notebook.Scanner, *Config, Context) {})
	scanPercent  = pooled(func(*notebook.PercentScanner, *Config, Context) {})

	scanMan   = pooled(func(s *man.Scanner, c *Config, _ Context) { s.Rules = c.Text })
	scanLaTeX = pooled(func(s *latex.Scanner, c *Config, x Context) {
		s.Rules, s.Anchors, s.Mentions = c.Text, x.Anchors, x.Mentions
	})
	scanTexinfo = pooled(func(s *texinfo.Scanner, c *Config, x Context) {
		s.Rules, s.Anchors, s.Mentions = c.Text, x.Anchors, x.Mentions
	})
	scanOrg = pooled(func(s *markup.Org, c *Config, x Context) {
		s.Rules, s.Anchors, s.Mentions = c.Text, x.Anchors, x.Mentions
	})

	scanGemtext  = pooled(func(s *markup.Gemtext, c *Config, _ Context) { s.Rules = c.Text })
	scanWikitext = pooled(func(s *markup.Wikitext, c *Config, _ Context) {
		s.Rules, s.WikiLinks, s.Names = c.Text, c.WikiLinks, c.Names
	})
	scanTypst = pooled(func(s *markup.Typst, c *Config, _ Context) { s.Rules = c.Text })
	scanScdoc = pooled(func(s *markup.Scdoc, c *Config, _ Context) { s.Rules = c.Text })
	scanDjot  = pooled(func(s *markup.Djot, c *Config, _ Context) { s.Rules = c.Text })

	scanHLS      = pooled(func(*hls.Scanner, *Config, Context) {})
	scanManifest = pooled(func(s *webjson.Scanner, c *Config, _ Context) { s.Kind, s.Rules = webjson.Manifest, c.Text })
	scanJSONFeed = pooled(func(s *webjson.Scanner, c *Config, _ Context) { s.Kind, s.Rules = webjson.Feed, c.Text })

	scanPDF = withoutOutline(pooled(func(s *pdf.Scanner, c *Config, x Context) {
		s.Limit, s.ReadAs, s.Rules = c.limit(), x.ReadAs, c.Text
	}))
	scanRTF = withoutOutline(pooled(func(s *rtf.Scanner, c *Config, _ Context) { s.Rules = c.Text }))

	scanHAR    = withoutOutline(pooled(func(*webjson.HAR, *Config, Context) {}))
	scanSQLite = withoutOutline(pooled(func(s *sqlite.Scanner, c *Config, _ Context) { s.Rules = c.Text }))
	scanPlist  = withoutOutline(pooled(func(s *plist.Scanner, c *Config, _ Context) { s.Rules = c.Text }))

	scanOneNote = withoutOutline(pooled(func(s *onenote.Scanner, c *Config, x Context) { s.Rules, s.ReadAs = c.Text, x.ReadAs }))

	scanOneNoteText = pooled(func(s *onenote.TextScanner, c *Config, _ Context) { s.Rules = c.Text })

	scanMessage = pooled(func(s *message.Scanner, c *Config, x Context) {
		s.Nested, s.Quoted, s.Outline, s.Cite, s.Prefer = x.Nested, x.Quoted, x.Outline, c.Messages || c.Cite, c.Prefer
		s.ReadAs, s.Excerpt = x.ReadAs, x.excerpt
	})
)

// scanPage returns the Scan of HTML, or of XHTML and SVG.
func scanPage(isXML bool) scanFunc {
	return pooled(func(s *html.Scanner, c *Config, x Context) {
		s.XML, s.Anchors, s.Prose, s.Text.Finder.Rules = isXML, x.Anchors, x.Autolink, c.Text
		s.JSONLD, s.Conditional, s.Details = c.JSONLD, c.Conditional || c.Exhaustive, c.Details
		s.Exhaustive, s.Scripts, s.Choices, s.Browser = c.Exhaustive, c.Scripts, c.Choices, c.Rules.Browser
	})
}

// scanTemplate returns the Scan of templates in a language.
func scanTemplate(l template.Language) scanFunc {
	return pooled(func(s *template.Scanner, c *Config, x Context) {
		s.Language = l
		s.HTML.Anchors, s.HTML.JSONLD, s.HTML.Conditional, s.HTML.Details, s.HTML.Browser = x.Anchors, c.JSONLD, c.Conditional, c.Details, c.Rules.Browser
		s.SetProperties(c.Markdown.Properties)
	})
}

// scanCode returns the Scan of JavaScript, or of JSON: what is in its strings, and what is found in it as text.
func scanCode(isJSON bool) scanFunc {
	inStrings := pooled(func(s *script.Scanner, c *Config, _ Context) { s.JSON, s.Text.Finder.Rules = isJSON, c.Text })
	return func(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
		suffix := ".js"
		if isJSON {
			suffix = ".json"
		}
		return withText(codeAsText(src, suffix, c), inStrings(src, c, x))
	}
}

// scanPHP scans the HTML between the programs of a template, and all of it as text.
func scanPHP(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	return withText(codeAsText(src, ".php", c), scanPHPTemplate(src, c, x))
}

var scanPHPTemplate = scanTemplate(template.PHP)

// withText yields the Items of a document and, of what was found in it as text, what does not begin where a
// reference of these does, in source order.
func withText(text, items iter.Seq[*scan.Item]) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		next, stop := iter.Pull(text)
		defer stop()
		found, ok := next()
		for it := range items {
			if it.Op == scan.Base { // it comes before all that it governs
				if !yield(it) {
					return
				}
				continue
			}
			for ok && found.Span.Start < it.Span.Start {
				if !yield(found) {
					return
				}
				found, ok = next()
			}
			if ok && it.Op == scan.Ref && found.Span.Start == it.Span.Start {
				found, ok = next()
			}
			if !yield(it) {
				return
			}
		}
		for ok && yield(found) {
			found, ok = next()
		}
	}
}

// codeAsText scans code as running text, with its escapes undone as they are in files of code with this suffix.
func codeAsText(src []byte, suffix string, c *Config) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		d := decode.Decodings.Get().(*decode.Decoding)
		defer d.Release()
		step := undo.JSON()
		if language := undo.LanguageOf("a" + suffix); language != nil {
			literals := language.Literals()
			step = func(src []byte, atEOF bool) (literal, skip int, out []byte) {
				literal, skip, out = literals.Step(src, atEOF)
				literals.Follow(src[:literal+skip])
				return literal, skip, out
			}
		}
		if c.Undo&UndoNone != 0 {
			step = func(src []byte, _ bool) (literal, skip int, out []byte) { return len(src), 0, nil }
		}
		d.Through(step, false, src)
		scanThrough(d.Text, &d.Map, c, yield)
	}
}

const scriptType = "text/javascript"

// codeFormats are the formats that Config.Scripts puts in place of running text.
var codeFormats = []Format{
	{Types: []string{scriptType, "application/javascript", "application/x-javascript", "text/ecmascript", "application/ecmascript"},
		Suffixes: []string{".js", ".mjs", ".cjs"}, UTF8Queries: true, Scan: scanCode(false)},
	{Types: []string{"application/json", "text/json"}, Suffixes: []string{".json", ".map", ".geojson", ".jsonld", ".topojson"}, UTF8Queries: true, Sniff: webjson.Sniff, Scan: scanCode(true)},
}

// codeOfType returns the Format of a media type with Config.Scripts; nil if it is neither JavaScript nor JSON.
func codeOfType(mediaType string) *Format {
	switch {
	case mediatype.IsScript(mediaType):
		return &codeFormats[0]
	case mediatype.IsJSON(mediaType):
		return &codeFormats[1]
	}
	return nil
}

// codeOfName is codeOfType for the name of a file.
func codeOfName(name string) *Format {
	ext := suffix(name)
	for i := range codeFormats {
		if slices.Contains(codeFormats[i].Suffixes, ext) {
			return &codeFormats[i]
		}
	}
	return nil
}

func suffix(name string) string { return strings.ToLower(path.Ext(name)) }

// A scanFunc is the Scan of a Format.
type scanFunc = func(src []byte, c *Config, x Context) iter.Seq[*scan.Item]

// A scannerOf is a pointer to S, a type of scanner.
type scannerOf[S any] interface {
	*S
	Scan(src []byte) iter.Seq[*scan.Item]
}

// emptyConfig is never changed.
var emptyConfig Config

// pooled returns a Scan that takes its scanners from a pool, and sets their options with set. A scanner
// that panics is not put back. Scanners in the pool have the options that set makes of an empty Config and
// Context, so that they hold no memory of a caller.
func pooled[S any, P scannerOf[S]](set func(s P, c *Config, x Context)) scanFunc {
	pool := sync.Pool{New: func() any { return P(new(S)) }}
	return func(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
		return func(yield func(*scan.Item) bool) {
			s := pool.Get().(P)
			set(s, c, x)
			s.Scan(src)(yield)
			set(s, &emptyConfig, Context{})
			pool.Put(s)
		}
	}
}

// withoutOutline changes the Scan of a format whose parts have no names.
func withoutOutline(f scanFunc) scanFunc {
	return func(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
		if x.Outline {
			return func(func(*scan.Item) bool) {}
		}
		return f(src, c, x)
	}
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

// scanODF scans a member of an OpenDocument, or a flat one.
func scanODF(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	s := odf.Scanner{Anchors: x.Anchors, Rules: c.Text}
	return s.Scan(src)
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
		textScanners.Put(s)
		scanThrough(text, &m, c, yield)
	}
}

var textScanners = sync.Pool{New: func() any { return new(plain.Scanner) }}

// scanThrough scans running text that m maps to its source.
func scanThrough(text []byte, m *scan.Map, c *Config, yield func(*scan.Item) bool) {
	s := textScanners.Get().(*plain.Scanner)
	s.Rest, s.Finder.Rules = false, c.Text
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

// linesOfIndex returns the scanner of an index that begins with head.
func linesOfIndex(head []byte) lineScanner { return cdx.LayoutOf(head).Scan }

func scanIndex(src []byte, _ *Config, _ Context) iter.Seq[*scan.Item] {
	return cdx.LayoutOf(src).Scan(src)
}

// sniffWith returns the Sniff of a format whose documents are recognised by their first bytes.
func sniffWith(is func(head []byte) bool, mediaType string) func([]byte) string {
	return func(head []byte) string {
		if is(head) {
			return mediaType
		}
		return ""
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

// sniffASCIIDoc distinguishes AsciiDoc from PGP signatures and keys, which also have the suffix .asc.
func sniffASCIIDoc(head []byte) string {
	if bytes.HasPrefix(head, []byte("-----BEGIN PGP")) {
		return textType
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

// setupMDX reads .mdx as MDX, unless a dialect is set.
func setupMDX(c *Config) {
	c.MDX = true
	if c.Markdown == (markdown.Dialect{GuessAdmonitions: c.Markdown.GuessAdmonitions}) {
		c.Markdown = markdown.MDX2
	}
}

// hasRobots reports whether documents of Format f are pages that may restrict robots.
func hasRobots(f *Format) bool { return f.Types[0] == htmlType || f.Types[0] == xhtmlType }
