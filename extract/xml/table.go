package xml

import (
	"strings"
	"sync"

	"example.org/refract/extract/internal/lexicon"
	"example.org/refract/extract/scan"
)

// A form says how a value holds references.
type form uint8

const (
	single      form = iota // one reference
	identifier              // none; but the identifier may be a URL
	pairs                   // of names and references, separated by white space
	markup                  // an HTML document
	typed                   // the type attribute decides
	permalink               // one reference, unless isPermaLink="false" makes it an identifier
	nothing                 // none, even if it looks like a URL
	template                // one reference, or a template for several, which is none
	baseContent             // one reference, which is also the base of the element around it
)

// A rule is an attribute or the content of an element that may hold references.
type rule struct {
	space    space
	elements string // separated by spaces; "" means any, with an attribute in space
	attrs    string // separated by spaces; "" means the content
	kind     scan.Kind
	form     form
}

// rules are the vocabularies. A resource that is fetched to show a document is an Embed, one that is
// followed a Link.
//
// Source: by hand, as of November 2026, from the specification that each group names: for RSS also the RSS
// Best Practices Profile, Media RSS 1.5.1 and the pages of Apple and Google about podcasts; for sitemaps
// sitemaps.org and the pages of Google about images, videos and alternates (xhtml:link); XInclude 1.1
// section 3.1, XSLT 1.0 section 2.6, XML Schema part 1 sections 2.6.3 and 4.2.
var rules = []rule{
	// Atom: RFC 4287, and the different names of Atom 0.3.
	{atom, "link", "href", scan.Link, single}, // 4.2.7.1
	{atom, "link", "rel", 0, nothing},
	{atom, "content", "src", scan.Embed, single},                  // 4.1.3.2
	{atom, "icon logo", "", scan.Embed, single},                   // 4.2.5, 4.2.8
	{atom, "uri url", "", scan.Link, single},                      // 3.2.2
	{atom, "generator", "uri url", scan.Metadata, single},         // 4.2.4
	{atom, "category", "scheme", scan.Metadata, identifier},       // 4.2.2.2
	{atom, "id", "", scan.Metadata, identifier},                   // 4.2.6
	{atom, "title subtitle summary content rights", "", 0, typed}, // 3.1, 4.1.3
	{atom, "tagline info copyright", "", 0, typed},

	// RSS 2.0, 0.9x and 1.0, and their extensions.
	{rss, "link comments docs", "", scan.Link, single},
	{rss, "url", "", scan.Embed, single}, // of an image
	{rss, "guid", "", scan.Link, permalink},
	{rss, "enclosure", "url", scan.Embed, single},
	{rss, "source", "url", scan.Link, single},
	{rss, "category", "domain", scan.Metadata, identifier},
	{rss, "description", "", 0, markup},
	{content, "encoded", "", 0, markup},
	{media, "content thumbnail subtitle", "url href", scan.Embed, single},
	{media, "subTitle peerLink", "href", scan.Embed, single},
	{media, "embed", "url", scan.Embed, single},
	{media, "player", "url", scan.Link, single},
	{media, "category", "scheme", scan.Metadata, identifier},
	{media, "title description text", "", 0, typed},
	{itunes, "image", "href", scan.Embed, single},
	{itunes, "new-feed-url", "", scan.Link, single},
	{wfw, "comment commentRss commentRSS", "", scan.Link, single},
	{feedburner, "origLink", "", scan.Link, single},
	{feedburner, "origEnclosureLink", "", scan.Embed, single},

	// Sitemaps, and Google's extensions of them.
	{sitemap, "loc", "", scan.Link, single},
	{sitemap, "lastmod changefreq priority", "", 0, nothing}, // a third of the text
	{image, "loc", "", scan.Embed, single},
	{image, "license", "", scan.Metadata, single},
	{video, "thumbnail_loc content_loc player_loc", "", scan.Embed, single},
	{video, "gallery_loc", "", scan.Link, single},
	{video, "uploader", "info", scan.Link, single},
	{xhtml, "link", "href", scan.Link, single},

	// OPML 2.0
	{opml, "outline", "xmlUrl htmlUrl url xmlurl htmlurl", scan.Link, single},
	{opml, "docs", "", scan.Metadata, single},
	{opml, "ownerId", "", scan.Link, single},

	// KML 2.2
	{kml, "href", "", scan.Embed, single},
	{kml, "styleUrl", "", scan.Embed, single},
	{kml, "sourceHref", "", scan.Embed, single},
	{kml, "targetHref", "", scan.Link, single},
	{kml, "SchemaData", "schemaUrl", scan.Metadata, single},
	{kml, "description text", "", 0, markup},

	// EPUB 3.3 sections 4.2.6.3.1 (container) and 5 (package), SMIL of section 9, and OPF and NCX 2.0.1.
	// The path in a container is no URL, but most are the same as one.
	{ocf, "rootfile", "full-path", scan.Metadata, single},
	{ocf, "link", "href", scan.Metadata, single},
	{opf, "item", "href", scan.Embed, single},
	{opf, "link", "href", scan.Metadata, single},
	{opf, "reference site", "href", scan.Link, single},
	{opf, "package", "prefix", 0, nothing},
	{dc, "source identifier relation", "", scan.Metadata, identifier},
	{ncx, "content", "src", scan.Link, single},
	{ncx, "img audio", "src", scan.Embed, single},
	{smil, "text audio img video", "src", scan.Embed, single},
	{ops, "", "textref", scan.Link, single},

	// DASH: ISO 23009-1 sections 5.3 and 5.6. A template with "$" is no reference.
	{dash, "BaseURL", "", scan.Embed, baseContent},
	{dash, "Location PatchLocation", "", scan.Link, single},
	{dash, "SegmentURL", "media index", scan.Embed, single},
	{dash, "Initialization RepresentationIndex BitstreamSwitching", "sourceURL", scan.Embed, single},
	{dash, "SegmentTemplate", "media initialization index bitstreamSwitching", scan.Embed, template},

	// OpenSearch 1.1. A template with "{" is for a program that fills it in.
	{openSearch, "Url", "template", scan.Form, template},
	{openSearch, "Image", "", scan.Embed, single},
	{openSearch, "SearchForm", "", scan.Link, single},

	// On any element: XLink 1.1, RDF/XML, XML Schema part 1 section 2.6.3.
	{xlink, "", "href", scan.Link, single},
	{xlink, "", "role arcrole", scan.Metadata, identifier},
	{rdf, "", "resource", scan.Link, single},
	{rdf, "", "about", scan.Metadata, single},
	{rdf, "", "datatype", 0, nothing},
	{xsi, "", "schemaLocation", scan.Metadata, pairs},
	{xsi, "", "noNamespaceSchemaLocation", scan.Metadata, single},

	{rdf, "li", "resource", scan.Link, single}, // as in the examples of RSS 1.0
	{xinclude, "include", "href", scan.Embed, single},
	{xslt, "import include", "href", scan.Embed, single},
	{schema, "import include redefine override", "schemaLocation", scan.Embed, single},
	{schema, "schema import any anyAttribute", "targetNamespace namespace", 0, nothing},

	// TEI P5, att.pointing and att.resourced; DocBook 5, "fileref", which DocBook 4 has without a namespace.
	{tei, "graphic media binaryObject", "url", scan.Embed, single},
	{tei, "ref ptr", "target", scan.Link, single},
	{anySpace, "*", "fileref", scan.Embed, single},

	{anySpace, "*", "href src", scan.Link, single},
}

// A space is a known namespace.
type space uint8

const (
	anySpace space = iota
	atom
	rss
	content
	media
	itunes
	wfw
	feedburner
	sitemap
	image
	video
	xhtml
	svg
	opml
	kml
	xlink
	rdf
	xsi
	xinclude
	xslt
	schema
	ocf
	opf
	dc
	ncx
	smil
	ops
	dash
	openSearch
	tei
	numSpaces
)

// spaceNames are, from the same specifications, the names of namespaces, in lower case and without the
// parts that Scanner.named removes; and the customary prefix, followed by a colon if the prefix also
// appears in output.
var spaceNames = [numSpaces]struct{ prefix, uris string }{
	atom:       {"atom", "www.w3.org/2005/atom purl.org/atom/ns#"},
	rss:        {"rss", "purl.org/rss/1.0 my.netscape.com/rdf/simple/0.9 channel.netscape.com/rdf/simple/0.9 backend.userland.com/rss2 backend.userland.com/rss blogs.law.harvard.edu/tech/rss"},
	content:    {"content:", "purl.org/rss/1.0/modules/content"},
	media:      {"media:", "search.yahoo.com/mrss video.search.yahoo.com/mrss www.rssboard.org/media-rss"},
	itunes:     {"itunes:", "www.itunes.com/dtds/podcast-1.0.dtd www.google.com/schemas/play-podcasts/1.0"},
	wfw:        {"wfw:", "wellformedweb.org/commentapi"},
	feedburner: {"feedburner:", "rssnamespace.org/feedburner/ext/1.0"},
	sitemap:    {"sitemap", "www.sitemaps.org/schemas/sitemap/0.9 www.google.com/schemas/sitemap/0.84 www.google.com/schemas/sitemap/0.9"},
	image:      {"image:", "www.google.com/schemas/sitemap-image/1.1"},
	video:      {"video:", "www.google.com/schemas/sitemap-video/1.1"},
	xhtml:      {"xhtml:", "www.w3.org/1999/xhtml"},
	svg:        {"svg", "www.w3.org/2000/svg"},
	opml:       {"opml", ""},
	kml:        {"kml", "www.opengis.net/kml/2.2 earth.google.com/kml/2.0 earth.google.com/kml/2.1 earth.google.com/kml/2.2"},
	xlink:      {"xlink:", "www.w3.org/1999/xlink"},
	rdf:        {"rdf:", "www.w3.org/1999/02/22-rdf-syntax-ns#"},
	xsi:        {"xsi:", "www.w3.org/2001/xmlschema-instance"},
	xinclude:   {"xi:", "www.w3.org/2001/xinclude www.w3.org/2003/xinclude"},
	xslt:       {"xsl:", "www.w3.org/1999/xsl/transform"},
	schema:     {"xs:", "www.w3.org/2001/xmlschema"},
	ocf:        {"ocf", "urn:oasis:names:tc:opendocument:xmlns:container"},
	opf:        {"opf", "www.idpf.org/2007/opf openebook.org/namespaces/oeb-package/1.0"},
	dc:         {"dc:", "purl.org/dc/elements/1.1 purl.org/dc/elements/1.0"},
	ncx:        {"ncx", "www.daisy.org/z3986/2005/ncx"},
	smil:       {"smil", "www.w3.org/ns/smil www.w3.org/2001/smil20"},
	ops:        {"epub:", "www.idpf.org/2007/ops"},
	dash:       {"dash", "urn:mpeg:dash:schema:mpd:2011"},
	openSearch: {"opensearch", "a9.com/-/spec/opensearch/1.1 a9.com/-/spec/opensearchdescription/1.1"},
	tei:        {"tei", "www.tei-c.org/ns/1.0"},
}

// prefixes are the prefixes that documents use without declaring them.
var prefixes = func() map[string]space {
	m := make(map[string]space)
	for i := atom; i < numSpaces; i++ {
		m[strings.TrimSuffix(spaceNames[i].prefix, ":")] = i
	}
	return m
}()

// roots are the root elements of documents without a namespace, or with an unknown one.
var roots = map[string]space{
	"rss": rss, "feed": atom, "urlset": sitemap, "sitemapindex": sitemap, "opml": opml, "kml": kml,
	"MPD": dash, "OpenSearchDescription": openSearch,
}

// A name is the name of an element or attribute that a rule has, without a prefix: its index in
// names. 0 is any other name.
type name uint8

const (
	noName name = iota
	nLink
	nSVG
	nType
)

// names begins with the names that are constants, in the same order.
var names = func() []string {
	all := []string{"", "link", "svg", "type"}
	seen := map[string]bool{"*": true, "link": true}
	for i := range rules {
		for n := range strings.FieldsSeq(rules[i].elements + " " + rules[i].attrs) {
			if !seen[n] {
				seen[n] = true
				all = append(all, n)
			}
		}
	}
	return all
}()

// lookup finds names. In XML they are case-sensitive.
var lookup = lexicon.NewTable(names, false)

// find returns the name equal to s. s is not empty.
func find(s []byte) name { return name(lookup.Find(s)) }

// An element holds the rules for one element.
type element struct {
	content *attrRule
	attrs   []attrRule
}

// An attrRule is a rule for one attribute of one element, or for its content.
type attrRule struct {
	*rule
	name name
	attr string // as in output
	in   string // "link/href"; "" if the rule applies to any element
}

// attr returns the rule for an attribute, or nil.
func (e *element) attr(n name) *attrRule {
	for i := range e.attrs {
		if e.attrs[i].name == n {
			return &e.attrs[i]
		}
	}
	return nil
}

// A vocabulary holds all known names. It is made when the first document is scanned.
type vocabulary struct {
	spaces          map[string]space // keyed by their names
	elements, attrs lexicon.Filter   // of names
	known           [numSpaces][256]*element
	global          [numSpaces]element // attributes of any element
	other           element            // any element that is not known
}

// of returns the rules for an element.
func (v *vocabulary) of(sp space, n name) *element {
	if e := v.known[sp][n]; e != nil {
		return e
	}
	return &v.other
}

var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{spaces: make(map[string]space)}
	for i := atom; i < numSpaces; i++ {
		for uri := range strings.FieldsSeq(spaceNames[i].uris) {
			v.spaces[uri] = i
		}
	}
	v.elements.Add("svg")
	for i := range rules {
		r := &rules[i]
		prefix := spaceNames[r.space].prefix
		if !strings.HasSuffix(prefix, ":") {
			prefix = ""
		}
		for a := range strings.FieldsSeq(r.attrs) {
			v.attrs.Add(a)
			switch r.elements {
			case "":
				v.global[r.space].attrs = append(v.global[r.space].attrs, attrRule{r, find([]byte(a)), prefix + a, ""})
			case "*":
				v.other.attrs = append(v.other.attrs, attrRule{r, find([]byte(a)), a, ""})
			}
		}
		for n := range strings.FieldsSeq(strings.TrimSuffix(r.elements, "*")) {
			v.elements.Add(n)
			id := find([]byte(n))
			e := v.known[r.space][id]
			if e == nil {
				e = new(element)
				v.known[r.space][id] = e
			}
			if r.attrs == "" {
				e.content = &attrRule{rule: r, in: prefix + n}
			}
			for a := range strings.FieldsSeq(r.attrs) {
				e.attrs = append(e.attrs, attrRule{r, find([]byte(a)), a, prefix + n + "/" + a})
			}
		}
	}
	for i := range v.known {
		for _, e := range v.known[i] {
			if e != nil {
				e.attrs = append(e.attrs, v.other.attrs...) // after its own
			}
		}
	}
	return v
})
