package asciidoc_test

import (
	"fmt"

	"example.org/refract/extract/asciidoc"
)

func ExampleScanner() {
	const src = "= Title\n\nSee link:guide.html[the guide], https://example.org/[a site] and <<chapter>>.\n\nimage::logo.png[]\n"
	for it := range new(asciidoc.Scanner).Scan([]byte(src)) {
		fmt.Printf("%d %v %s %s\n", it.Span.Start, it.Kind, it.In, it.Value)
	}
	// Output:
	// 18 link link: guide.html
	// 41 link url[] https://example.org/
	// 76 link <<>> #chapter
	// 95 embed image: logo.png
}
