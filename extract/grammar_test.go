package extract

import (
	"bytes"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// likeOthers lists types that the scanner of another one reads.
var likeOthers = map[string]string{
	"text/csv": textType, "text/javascript": textType, "application/json": textType, "text/vcard": calendarType, emlxType: messageType,
	svgType: xhtmlType, "application/rss+xml": xmlType, "application/atom+xml": xmlType, "application/rdf+xml": xmlType, opmlType: xmlType,
	"application/vnd.google-earth.kml+xml": xmlType, "application/xslt+xml": xmlType, "application/oebps-package+xml": xmlType,
	"application/x-dtbncx+xml": xmlType, "application/smil+xml": xmlType,
	"application/dash+xml": xmlType, "application/opensearchdescription+xml": xmlType,
}

// The time of each scanner is linear for all pairs and triples of its tokens.
func TestGrammars(t *testing.T) {
	variants := map[string]bool{} // whether a type has been tested with a Setup
	for _, f := range builtinFormats() {
		name := f.Types[0]
		if isSet, ok := variants[name]; ok && isSet == (f.Setup != nil) {
			continue
		}
		variants[name] = f.Setup != nil
		g, ok := scantest.Grammars[name]
		if !ok && scantest.Grammars[likeOthers[name]].Tokens == "" {
			t.Errorf("%s has no grammar", name)
		}
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			scantest.Combinations(t, g, func(src []byte) {
				c := Config{Type: name, Cite: true, Anchor: func(*Anchor) {}, Mention: func(*Mention) {}}
				if f.Setup != nil {
					f.Setup(&c)
				}
				for range c.Walk("x", bytes.NewReader(src)) {
				}
			})
		})
	}
}
