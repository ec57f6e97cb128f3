package html

import (
	"strings"
	"sync"

	"example.org/refract/extract/internal/lexicon"
	"example.org/refract/extract/scan"
)

// form says how the value of an attribute holds references.
type form uint8

const (
	single     form = iota // one reference
	filled                 // one reference, and the empty value is none
	list                   // separated by white space
	commas                 // separated by commas
	srcset                 // image candidates
	styled                 // CSS
	document               // an HTML document
	absolute               // separated by white space, and only those with a scheme
	curie                  // one, unless it is an RDFa CURIE in brackets or a blank node
	braced                 // one, which may be a JavaScript string in braces, or in a call of require
	bracedURL              // the same, if it looks like one
	bracedPart             // the same, and the component adds something to it
	late                   // one, if it may be one; or url() of CSS
	mixed                  // one, if it looks like one; or url() of CSS
	handler                // JavaScript
	detail                 // none: the attribute qualifies the references of other attributes
)

// of holds further properties of the references of an attribute.
type of uint8

const (
	own      of = 1 << iota // relative to the document's own URL
	ownEmpty                // the same, if empty (HTML 4.10.21.3 "form submission": the document's URL)
	ownLocal                // the same, if it is only a fragment (SVG 2 section 16.1)
	coded                   // relative to the element's codebase (HTML 4.01 section 13.3)
	lazy                    // read by scripts only, by convention
	rare                    // with Exhaustive only
)

// A rule is an attribute that may hold references, on some elements.
type rule struct {
	elements string // separated by spaces; "" means every element
	attrs    string
	kind     scan.Kind
	form     form
	of       of
}

// htmlRules are the attributes of all versions of HTML. Rules that also depend on other attributes of
// the element are in element.go.
//
// Source: by hand, as of November 2026, the attributes that take a URL in the index of attributes of
// the HTML standard (living standard, "Index", table "List of attributes") and of HTML 4.01
// (index/attributes.html, types %URI; and %URIs;), the obsolete ones of the HTML standard, section
// 16.2, and the additions of browsers of the nineties (lowsrc, dynsrc, layer, ilayer, pluginspage).
// HTML 2.0 is RFC 1866 section 5.7.3.
var htmlRules = []rule{
	{"a area", "href", scan.Link, single, 0},
	{"a area", "ping", scan.Form, list, 0},
	{"a", "urn", scan.Metadata, filled, 0}, // HTML 2.0
	{"link", "href", scan.Link, filled, 0},
	{"link", "imagesrcset", scan.Embed, srcset, 0},
	{"link", "scope", scan.Metadata, filled, 0},
	{"img source", "src", scan.Embed, filled, 0},
	{"img source", "srcset", scan.Embed, srcset, 0},
	{"img", "lowsrc dynsrc", scan.Embed, filled, 0},
	{"img iframe frame", "longdesc", scan.Link, filled, 0},
	{"img object input", "usemap", scan.Metadata, filled, own},
	{"iframe frame embed video audio track script input bgsound layer ilayer fencedframe portal", "src", scan.Embed, filled, 0},
	{"iframe", "srcdoc", scan.Embed, document, 0},
	{"embed", "pluginspage pluginurl href", scan.Link, filled, 0},
	{"embed", "code", scan.Embed, filled, 0},
	{"object", "data classid", scan.Embed, filled, coded},
	{"object", "archive", scan.Embed, list, coded},
	{"object applet", "codebase", scan.Metadata, filled, 0},
	{"applet", "archive", scan.Embed, commas, coded},
	{"applet", "code object src", scan.Embed, filled, coded},
	{"video", "poster", scan.Embed, filled, 0},
	{"form isindex", "action", scan.Form, single, ownEmpty},
	{"button input", "formaction", scan.Form, single, ownEmpty},
	{"blockquote q ins del", "cite", scan.Cite, filled, 0},
	{"html", "manifest", scan.Embed, filled, own},
	{"head", "profile", scan.Metadata, list, 0},
	{"body table thead tbody tfoot tr td th layer ilayer", "background", scan.Embed, filled, 0},
	{"xmp", "href", scan.Link, filled, 0},
	{"command menuitem", "icon", scan.Embed, filled, 0},
	{"a", "icon_uri", scan.Embed, filled, 0},               // bookmarks of Netscape and its successors
	{"a", "feedurl", scan.Link, filled, 0},                 // the feed of a live bookmark there
	{"import", "implementation", scan.Embed, filled, rare}, // element behaviours of Internet Explorer

	{"base xml-stylesheet", "href", 0, detail, 0},
	{"meta", "content name property http-equiv", 0, detail, 0},
	{"param", "value valuetype name", 0, detail, 0},
	{"script input style", "type", 0, detail, 0},
	{"a area link form", "rel", 0, detail, 0},
	{"a area link", "hreflang", 0, detail, 0},
	{"a area link object embed source", "type", 0, detail, 0},
	{"img area input applet", "alt", 0, detail, 0},
	{"a", "name", 0, detail, 0},
	{"font", "color face size", 0, detail, 0}, // ends foreign content
}

// svgRules and mathRules are the attributes of SVG and MathML.
//
// Source: by hand, as of November 2026, from SVG 2 section 16.1 (href), SVG 1.1
// section 17.1 (xlink:href), the properties of SVG 2 that take a url(), and MathML 3 sections
// 2.1.6 (href), 2.2.1 (altimg) and 5 (annotation-xml).
var svgRules = []rule{
	{"a", "href xlink:href", scan.Link, single, 0},
	{"image use feimage lineargradient radialgradient pattern textpath mpath animate animatemotion animatetransform animatecolor set discard filter tref cursor font-face-uri color-profile altglyph glyphref",
		"href xlink:href", scan.Embed, filled, ownLocal},
	{"script", "href xlink:href", scan.Embed, filled, 0},
	{"", "xlink:href", scan.Link, filled, ownLocal},
	{"", "fill stroke filter clip-path mask marker marker-start marker-mid marker-end cursor", scan.Embed, styled, 0},
}

var mathRules = []rule{
	{"", "href xlink:href", scan.Link, filled, 0},
	{"", "altimg", scan.Embed, filled, 0},
	{"annotation-xml", "src", scan.Embed, filled, 0},
	{"annotation-xml", "encoding", 0, detail, 0},
}

// componentRules are the attributes that components of MDX use by convention.
var componentRules = []rule{
	{"", "href to", scan.Link, braced, 0},
	{"", "src", scan.Embed, braced, 0},
	{"", "link url", scan.Link, bracedURL, 0},
}

// globalRules are the attributes of every element.
//
// Source: by hand, as of November 2026. itemtype and itemid are from the HTML standard, section 5.2;
// about, resource and vocab from RDFa Core 1.1 section 5; attributionsrc from the Attribution
// Reporting draft. data-… are conventions of scripts that load images late, chosen by how often they
// occur.
var globalRules = []rule{
	{"", "style", scan.Embed, styled, 0},
	{"", "itemtype", scan.Metadata, absolute, 0},
	{"", "itemid", scan.Metadata, filled, 0},
	{"", "about resource", scan.Metadata, curie, 0},
	{"", "vocab", scan.Metadata, filled, 0},
	{"", "attributionsrc", scan.Form, list, 0},
	{"", lateNames, scan.Embed, late, lazy},
	{"", mixedNames, scan.Embed, mixed, lazy},
	{"", "data-url data-href", scan.Link, late, lazy},
	{"", lateSets, scan.Embed, srcset, lazy},
	{"", "data-bg-multi data-bg-multi-hidpi data-bg-set data-background-image-set", scan.Embed, styled, lazy},
	{"", "id", 0, detail, 0},
	{"", "xml:base", 0, detail, 0},
}

// The attributes from which scripts set src, srcset or the background of an element when it comes into
// view. testdata/lazy.tsv says which script or service reads each. The attributes in mixedNames may also
// hold other values.
const (
	lateNames = `data-src data-lazy-src data-original data-original-src data-bg data-bg-src data-background data-background-image
data-poster data-orig-file data-large-file data-medium-file`

	mixedNames = `data-lazy data-image data-img data-thumb data-thumbnail data-large data-retina data-lazyload data-lsrc data-lazysrc
data-lazyload-src data-ll-src data-lazy-img data-lazy-bg data-lazy-background data-pagespeed-lazy-src
data-pagespeed-high-res-src data-flickity-lazyload data-flickity-lazyload-src data-flickity-bg-lazyload
data-splide-lazy data-cfsrc data-ezsrc data-wpfc-original-src data-orig-src data-rocket-src data-li-src
data-delayed-url data-ghost-url data-actualsrc data-echo data-img-src data-image-src data-img-url data-image-url
data-background-src data-src-bg data-bg-hidpi data-bg-image data-iesrc data-lowsrc data-low-res-src data-hi-res-src
data-high-res-src data-src-retina data-src-large data-src-medium data-src-small data-src-mobile data-mobile-src
data-full-src data-raw-src data-old-src data-defer-src data-breeze data-back data-back-webp data-src-webp
data-pin-media data-full-url data-zoom-image data-large_image data-nectar-img-src nitro-lazy-src nitro-lazy-bg`

	lateSets = `data-srcset data-lazy-srcset data-lazy-retina data-flickity-lazyload-srcset data-splide-lazy-srcset
data-pagespeed-lazy-srcset data-pagespeed-high-res-srcset data-cfsrcset data-ezsrcset data-wpfc-original-srcset
data-original-srcset data-srcset-webp data-lsrcset data-brsrcset data-nectar-img-srcset nitro-lazy-srcset data-bgset`
)

// metas are the values of name and property of a meta element whose content is a URL.
//
// Source: by hand, as of November 2026, from The Open Graph protocol (ogp.me), the Cards
// markup reference of Twitter, and the pinned-site metadata of Internet Explorer 9 to 11.
var metas = strings.Fields(`
og:url og:image og:image:url og:image:secure_url og:video og:video:url og:video:secure_url
og:audio og:audio:url og:audio:secure_url og:see_also
twitter:url twitter:image twitter:image:src twitter:image0 twitter:player twitter:player:stream
msapplication-config msapplication-starturl msapplication-tileimage
msapplication-square70x70logo msapplication-square150x150logo msapplication-square310x310logo msapplication-wide310x150logo
thumbnail`)

// embeds are the values of rel for which a browser fetches the target of a link: those of the HTML
// standard, section 4.6 (link types), as of November 2026, and those of Apple for icons.
var embeds = strings.Fields("stylesheet icon apple-touch-icon apple-touch-icon-precomposed mask-icon preload modulepreload prefetch prerender manifest")

// params are the names of plug-in params whose value is a URL: those of Flash, Java and the media
// players, by hand. No standard lists them.
var params = strings.Fields("movie src url code data")

// A name is the name of an element or attribute that has a meaning here: its index in names. 0 is any
// other name.
type name uint8

const (
	_ name = iota
	nA
	nArea
	nLink
	nBase
	nMeta
	nParam
	nScript
	nStyle
	nTitle
	nTextarea
	nXmp
	nIframe
	nNoembed
	nNoframes
	nNoscript
	nPlaintext
	nTemplate
	nInput
	nApplet
	nSVG
	nMath
	nForeignObject
	nDesc
	nMi
	nMo
	nMn
	nMs
	nMtext
	nMglyph
	nMalignmark
	nAnnotationXML
	nFont
	nTable
	nTd
	nTh
	nXMLStylesheet

	nHref
	nXlinkHref
	nSrc
	nContent
	nName
	nProperty
	nHTTPEquiv
	nValue
	nValuetype
	nType
	nRel
	nHreflang
	nAlt
	nEncoding
	nCodebase
	nColor
	nFace
	nSize
	nID
	nXMLBase
	nSrcdoc
)

// names begins with the names that are constants, in the same order.
var names = append([]string{""}, strings.Fields(`
a area link base meta param script style title textarea xmp iframe noembed noframes noscript plaintext template
input applet svg math foreignobject desc mi mo mn ms mtext mglyph malignmark annotation-xml font
table td th xml-stylesheet
href xlink:href src content name property http-equiv value valuetype type rel hreflang alt encoding codebase
color face size id xml:base srcdoc

img source frame embed video audio track bgsound layer ilayer fencedframe portal object form isindex button
blockquote q ins del html head body thead tbody tfoot tr command menuitem
image use feimage lineargradient radialgradient pattern textpath mpath animate animatemotion animatetransform
animatecolor set discard filter tref cursor font-face-uri color-profile altglyph glyphref

ping urn imagesrcset scope srcset lowsrc dynsrc longdesc usemap pluginspage pluginurl code data classid
archive poster action formaction cite manifest profile background icon fill stroke clip-path mask
marker marker-start marker-mid marker-end altimg itemtype itemid about resource vocab attributionsrc
icon_uri feedurl data-url data-href to url import implementation data-bg-multi data-bg-multi-hidpi data-bg-set data-background-image-set
`+lateNames+" "+mixedNames+" "+lateSets)...)

// lookup finds names.
var lookup = lexicon.NewTable(names, true)

// find returns the name equal to s, ignoring the case of letters. s is not empty.
func find(s []byte) name { return name(lookup.Find(s)) }

// equalFold reports whether s equals lower, ignoring the case of ASCII letters.
func equalFold(s []byte, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i, c := range s {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// allowed holds what the start tag of an element may contain.
type allowed struct {
	name   string         // "img"; "" for elements without rules of their own
	filter lexicon.Filter // of all attributes
	rules  []attrRule     // of this element only
	global *global        // of every element of its namespace
}

// global holds the rules that apply to every element.
type global struct {
	rules []attrRule
	index [256]uint8 // of rules, plus 1, by attr
}

// An attrRule is a rule for one attribute.
type attrRule struct {
	*rule
	attr name
	in   string // "a/href"; "" in global
}

// rule returns the rule for the attribute with name s, which the filter has, or nil.
func (e *allowed) rule(s []byte) *attrRule {
	n := find(s)
	if n == 0 {
		return nil
	}
	for i := range e.rules {
		if e.rules[i].attr == n {
			return &e.rules[i]
		}
	}
	if i := e.global.index[n]; i > 0 {
		return &e.global.rules[i-1]
	}
	return nil
}

// A space holds the elements of a namespace. Elements without a rule of their own use elements[0].
type space [256]*allowed

// A vocabulary holds all known names. It is made when the first document is scanned, because that
// takes a quarter of a millisecond.
type vocabulary struct {
	spaces [3]space // the namespaces

	// isElement holds the names of elements that have attributes of their own, or whose tags mean more than
	// their attributes; tags is a filter for them.
	isElement [256]bool
	tags      lexicon.Filter
}

// words is the vocabulary without the attributes that only anchors need, anchorWords has them.
var (
	words       = sync.OnceValue(func() *vocabulary { return newVocabulary(false) })
	anchorWords = sync.OnceValue(func() *vocabulary { return newVocabulary(true) })
)

// component is any component.
var component = sync.OnceValue(func() *allowed { return newSpace(componentRules, true)[0] })

func newVocabulary(anchors bool) *vocabulary {
	v := &vocabulary{spaces: [3]space{newSpace(htmlRules, anchors), newSpace(svgRules, anchors), newSpace(mathRules, anchors)}}
	elements := &v.spaces[nsHTML]
	elements[find([]byte("image"))] = elements[find([]byte("img"))] // 13.2.6.4.7: a parse error, read as img
	for i, n := range names {
		for j := range v.spaces {
			s := &v.spaces[j]
			if v.isElement[i] = v.isElement[i] || i > 0 && (name(i) < nHref || s[i] != s[0]); v.isElement[i] {
				v.tags.Add(n)
			}
		}
	}
	return v
}

func newSpace(rules []rule, anchors bool) (s space) {
	any := &allowed{global: new(global)}
	for i := range s {
		s[i] = any
	}
	for _, list := range [][]rule{rules, globalRules} {
		for i := range list {
			for a := range strings.FieldsSeq(list[i].attrs) {
				if anchors || list[i].form != detail || a != "id" && !(a == "name" && list[i].elements == "a") {
					s.allow(&list[i], a, any)
				}
			}
		}
	}
	for _, e := range s {
		if e != any {
			for length := range e.filter {
				e.filter[length] |= any.filter[length]
			}
		}
	}
	return s
}

// allow adds the rule r for attr to the elements of r, or to all if it names none, unless they already have
// one for that attribute. any is the element without a name.
func (s *space) allow(r *rule, attr string, any *allowed) {
	n := find([]byte(attr))
	if n == 0 {
		panic("html: " + attr + " is not among names")
	}
	if g := any.global; r.elements == "" && g.index[n] == 0 {
		any.filter.Add(attr)
		g.rules = append(g.rules, attrRule{r, n, ""})
		g.index[n] = uint8(len(g.rules))
	}
	for e := range strings.FieldsSeq(r.elements) {
		i := find([]byte(e))
		if s[i] == any {
			s[i] = &allowed{name: e, global: any.global}
		}
		s[i].add(attrRule{r, n, e + "/" + attr})
	}
}

// add adds the rule r to e, unless e already has a rule for that attribute.
func (e *allowed) add(r attrRule) {
	for i := range e.rules {
		if e.rules[i].attr == r.attr {
			return
		}
	}
	e.filter.Add(names[r.attr])
	e.rules = append(e.rules, r)
}
