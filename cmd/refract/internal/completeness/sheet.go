package completeness

import (
	"bytes"
	"strings"

	"example.org/refract/extract"
)

// A declared reference is one of a declaration in a style sheet.
type declared struct {
	element, set int // of the Choice
	property     string
	in           string
	url          []byte
	descriptor   string
	isUsed       bool
}

// maxBlock limits the references of a block that are compared. Of further ones, none overrides those before it.
const maxBlock = 256

// style takes a reference of a style sheet.
func (c *chooser) style(r *extract.Reference) {
	if r.Choice == nil || r.Choice.Property == "" { // of an @import, for one
		c.endBlock()
		c.need(r.In, r.URL)
		c.apply(r.URL, true)
		return
	}
	if r.Choice.Group != c.block || len(c.sheet) == maxBlock {
		c.endBlock()
		c.block, c.when = r.Choice.Group, c.condition(r.Choice.Around)
	}
	property, ok := longhand(r.Choice.Property)
	if !ok || !c.matches(r.Choice.Media) {
		return
	}
	c.sheet = append(c.sheet, declared{r.Choice.Element, r.Choice.Set, property, r.In, bytes.Clone(r.URL), r.Choice.Descriptor, true})
}

// endBlock passes on what a browser fetches of a block if its rule is used: of several declarations of a property, what the last one has; of an
// image-set(), one image; and of a list with formats, as fonts have, the first that it reads.
func (c *chooser) endBlock() {
	list := c.sheet
	c.sheet, c.block = c.sheet[:0], 0
	last := map[string]int{} // the last declaration of a property
	for i := range list {
		last[list[i].property] = list[i].element
	}
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].element == list[from].element {
			to++
		}
		if last[list[from].property] == list[from].element {
			c.declaration(list[from:to])
		}
		from = to
	}
}

// declaration passes on what a browser fetches of a declaration.
func (c *chooser) declaration(list []declared) {
	isChosen := false
	for from := 0; from < len(list); {
		d := &list[from]
		to := from + 1
		for d.set != 0 && to < len(list) && list[to].set == d.set {
			to++
		}
		switch {
		case d.set != 0:
			d = option(list[from:to])
		case d.property == "src":
			isRead := d.descriptor != "embedded-opentype" && d.descriptor != "svg" && !isEmbeddedOpenType(d.url)
			if isChosen || !isRead {
				d = nil
			}
			isChosen = isChosen || isRead && d.descriptor != ""
		}
		if d != nil {
			c.needIf(d.in, d.url, c.when)
		}
		from = to
	}
}

// option returns the option of an image-set() that a screen with one pixel for each of CSS shows; nil: none (css-images-4, "image-set()").
func option(list []declared) *declared {
	var best *declared
	var density float64
	for i := range list {
		is := 1.0
		isRead := true
		for word := range strings.FieldsSeq(list[i].descriptor) {
			if kind, ok := strings.CutPrefix(strings.ToLower(word), "type("); ok {
				isRead = isShown("source/srcset", strings.Trim(kind, `"')`))
			} else if n, ok := resolution(word); ok {
				is = n
			}
		}
		if isRead && (best == nil || density < 1 && is > density || density > 1 && is >= 1 && is < density) {
			best, density = &list[i], is
		}
	}
	return best
}

// longhand returns the property that a property sets, of those that hold images; ok is false if browsers do not know it.
func longhand(property string) (name string, ok bool) {
	switch property {
	case "background", "list-style", "mask":
		return property + "-image", true
	case "-webkit-mask", "-webkit-mask-image":
		return "mask-image", true
	case "border-image", "-webkit-border-image":
		return "border-image-source", true
	case "behavior":
		return "", false
	}
	for _, prefix := range []string{"*", "_", "-moz-", "-ms-", "-o-"} {
		if strings.HasPrefix(property, prefix) {
			return "", false
		}
	}
	return property, true
}
