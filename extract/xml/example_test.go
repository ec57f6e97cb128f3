package xml_test

import (
	"fmt"

	"example.org/refract/extract/scan"
	"example.org/refract/extract/xml"
)

// A base governs the Items after it, up to its End; HTML in a feed is a Part.
func ExampleScanner() {
	src := []byte(`<feed xmlns="http://www.w3.org/2005/Atom"><entry xml:base="/blog/">` +
		`<link href="1"/><content type="html">&lt;a href="2"></content></entry></feed>`)
	for it := range new(xml.Scanner).Scan(src) {
		switch it.Op {
		case scan.Base, scan.Ref:
			fmt.Printf("%s %s\n", it.In, it.Value)
		case scan.Part:
			fmt.Printf("part %s: %s\n", it.Type, it.Value)
		case scan.End:
			fmt.Println("end")
		}
	}
	// Output:
	// xml:base /blog/
	// link/href 1
	// part text/html: <a href="2">
	// end
}
