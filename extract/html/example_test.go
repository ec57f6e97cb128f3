package html_test

import (
	"fmt"

	"example.org/refract/extract/html"
	"example.org/refract/extract/scan"
)

// The base comes first, wherever it stands in the document.
func ExampleScanner() {
	src := []byte(`<a href="a&amp;b">x</a><img srcset="s.png, l.png 2x"><base href="/dir/">`)
	for it := range new(html.Scanner).Scan(src) {
		if it.Op == scan.Ref || it.Op == scan.Base {
			fmt.Printf("%d %s %s\n", it.Span.Start, it.In, it.Value)
		}
	}
	// Output:
	// 65 base/href /dir/
	// 9 a/href a&b
	// 36 img/srcset s.png
	// 43 img/srcset l.png
}
