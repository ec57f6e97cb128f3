package completeness

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/order"
)

// A chooser finds the references of a page or style sheet that a browser without scripts fetches to show
// it.
//
// Of an img with srcset, a picture, a video or an audio element, that is one. A url() of a style sheet has the condition of the rules around it,
// and counts if these do not override it themselves. All style sheets count, which browsers fetch whatever their media.
type chooser struct {
	viewport
	need   func(in string, url []byte)
	needIf func(in string, url []byte, when condition)
	apply  func(url []byte, isApplied bool) // takes a style sheet

	unit    int // the element or group of waiting; 0: none
	waiting []candidate
	sizes   string     // of the last image
	size    float64    // by sizes
	block   int        // of declared
	sheet   []declared // the references of a block of a style sheet
	when    condition  // of that block
	levels  []level
}

// A candidate is a reference of which browsers fetch one.
type candidate struct {
	element          int
	in               string
	url              []byte
	descriptor, kind string
	media, sizes     string
	isDeferred       bool // until it is played
}

// fetched are the places of references that are fetched in any case, besides those of style sheets and links.
var fetched = map[string]bool{
	"iframe/src": true, "video/poster": true, "input/src": true, "xml-stylesheet/href": true,
	"body/background": true, "table/background": true, "thead/background": true, "tbody/background": true, "tfoot/background": true, "tr/background": true,
	"td/background": true, "th/background": true,
	"image/href": true, "image/xlink:href": true, "use/href": true, "use/xlink:href": true, "feimage/href": true, "feimage/xlink:href": true,
}

// chosen are the places of candidates.
var chosen = map[string]bool{
	"img/src": true, "img/srcset": true, "source/src": true, "source/srcset": true, "video/src": true, "audio/src": true,
	"link/href": true, "link/imagesrcset": true,
}

// notFetched are the labels of references that are not fetched without scripts.
const notFetched = scan.Lazy | scan.Template | scan.Conditional | scan.Speculative | scan.Overridden

// add takes the next reference of the page.
func (c *chooser) add(r *extract.Reference) {
	switch {
	case r.Labels&notFetched != 0 || len(r.URL) == 0:
	case r.Kind == scan.Header:
		if r.In == "Link" && (hasRel(r.Rel, "preload") || hasRel(r.Rel, "stylesheet")) && !isScript(r.URL) {
			c.need(r.In, r.URL)
			if hasRel(r.Rel, "stylesheet") {
				c.apply(r.URL, true)
			}
		}
	case r.Kind != scan.Embed:
	case r.How == scan.CSS:
		c.style(r)
	case r.Choice == nil:
	case chosen[r.In]:
		c.wait(r)
	case fetched[r.In],
		r.In == "frame/src" && r.Choice.Group != 0,
		r.In == "track/src" && r.Choice.Group != 0 && r.Choice.IsDefault,
		(r.In == "object/data" || r.In == "embed/src") && (r.Type == "" || isEmbedded(r.Type)):
		c.need(r.In, r.URL)
		if r.In == "xml-stylesheet/href" {
			c.apply(r.URL, true)
		}
	}
}

// wait keeps a candidate until all of its element are known.
func (c *chooser) wait(r *extract.Reference) {
	if strings.HasPrefix(r.In, "link/") && !c.isFetchedLink(r) {
		return
	}
	if r.In == "link/href" && hasRel(r.Rel, "stylesheet") {
		c.apply(r.URL, c.matches(r.Choice.Media))
	}
	unit := r.Choice.Group
	if unit == 0 || strings.HasPrefix(r.In, "link/") {
		unit = r.Choice.Element
	}
	if unit != c.unit {
		c.end()
		c.unit = unit
	}
	if strings.HasPrefix(r.In, "source/") && r.Choice.Group == 0 {
		return // browsers know it only as a child
	}
	c.waiting = append(c.waiting, candidate{
		element: r.Choice.Element, in: r.In, url: bytes.Clone(r.URL), descriptor: r.Choice.Descriptor, kind: r.Type, media: r.Choice.Media, sizes: r.Choice.Sizes,
		isDeferred: ascii.EqualFold([]byte(r.Choice.Preload), "none"),
	})
}

// isFetchedLink reports whether the target of a link element is fetched with the page.
func (c *chooser) isFetchedLink(r *extract.Reference) bool {
	as := strings.ToLower(r.Choice.As)
	switch {
	case r.In == "link/imagesrcset" && (as != "image" || !hasRel(r.Rel, "preload")):
	case hasRel(r.Rel, "stylesheet"):
		kind := essence(r.Type)
		return !r.Choice.IsDisabled && (kind == "" || kind == "text/css")
	case hasRel(r.Rel, "icon"):
		return c.matches(r.Choice.Media) && (r.Type == "" || imageTypes[essence(r.Type)])
	case hasRel(r.Rel, "preload"):
		return c.matches(r.Choice.Media) && isPreloaded(as, r.Type)
	case hasRel(r.Rel, "prefetch"):
		return true
	}
	return false
}

// end passes on what a browser fetches of the candidates.
func (c *chooser) end() {
	c.endBlock()
	list := c.waiting
	c.unit, c.waiting = 0, c.waiting[:0]
	if i := slices.IndexFunc(list, func(k candidate) bool { return k.in == "video/src" || k.in == "audio/src" }); i >= 0 {
		if !list[i].isDeferred {
			c.need(list[i].in, list[i].url)
		}
		return
	}
	isPlayed := slices.ContainsFunc(list, func(k candidate) bool { return strings.HasPrefix(k.in, "img/") }) // a picture has no src
	var source *candidate                                                                                    // of a picture
	for rest := list; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].element == rest[0].element {
			n++
		}
		isSource := strings.HasPrefix(rest[0].in, "source/")
		k := c.ofElement(rest[:n])
		rest = rest[n:]
		switch {
		case k == nil:
		case k.in == "source/src":
			if !isPlayed && !k.isDeferred {
				c.need(k.in, k.url)
			}
			isPlayed = true
		case !isSource && source != nil:
			c.need(source.in, source.url)
		case !isSource:
			c.need(k.in, k.url)
		case source == nil:
			source = k
		}
	}
}

// ofElement returns the candidate of one element that is fetched; nil: none is.
func (c *chooser) ofElement(list []candidate) *candidate {
	isSource := strings.HasPrefix(list[0].in, "source/")
	if isSource && (!c.matches(list[0].media) || list[0].kind != "" && !isShown(list[0].in, list[0].kind)) {
		return nil
	}
	type dense struct {
		*candidate
		density float64
	}
	var images []dense
	var single *candidate
	hasWidths, hasOne := false, false
	for i := range list {
		k := &list[i]
		if !strings.HasSuffix(k.in, "srcset") {
			single = k
			continue
		}
		density, isWidth := c.density(k)
		hasWidths, hasOne = hasWidths || isWidth, hasOne || density == 1
		images = append(images, dense{k, density})
	}
	if len(images) == 0 || single != nil && !hasWidths && !hasOne {
		if len(images) == 0 {
			return single
		}
		images = append(images, dense{single, 1})
	}
	order.Sort(images, func(a, b dense) int { return compareFloat(a.density, b.density) })
	for _, image := range images {
		if image.density >= 1 {
			return image.candidate
		}
	}
	last := len(images) - 1
	for last > 0 && images[last-1].density == images[last].density {
		last-- // of those with one density, the first counts
	}
	return images[last].candidate
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// density returns how many pixels of an image there are for one of the screen (HTML, "normalize the source densities").
func (c *chooser) density(k *candidate) (density float64, isWidth bool) {
	for word := range strings.FieldsSeq(k.descriptor) {
		n, err := strconv.ParseFloat(word[:len(word)-1], 64)
		switch {
		case err != nil:
		case strings.HasSuffix(word, "x"):
			return n, false
		case strings.HasSuffix(word, "w"):
			if k.sizes != c.sizes || c.size == 0 { // each image of a srcset has the same
				c.sizes, c.size = k.sizes, c.sourceSize(k.sizes)
			}
			size := c.size
			if size <= 0 {
				return math.MaxFloat64, true
			}
			return n / size, true
		}
	}
	return 1, false
}

// isEmbeddedOpenType reports whether url is that of a font that only Internet Explorer reads, by its suffix.
func isEmbeddedOpenType(url []byte) bool { return hasSuffix(url, ".eot") }

// isScript reports whether url is that of a script, by its suffix.
func isScript(url []byte) bool { return hasSuffix(url, ".js") || hasSuffix(url, ".mjs") }

// hasSuffix reports whether the path of url ends in suffix.
func hasSuffix(url []byte, suffix string) bool {
	if i := bytes.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	return len(url) >= len(suffix) && ascii.EqualFold(url[len(url)-len(suffix):], suffix)
}

// hasRel reports whether rel holds name.
func hasRel(rel, name string) bool {
	for word := range strings.FieldsSeq(rel) {
		if strings.EqualFold(word, name) {
			return true
		}
	}
	return false
}
