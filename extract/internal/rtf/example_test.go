package rtf_test

import (
	"fmt"

	"example.org/refract/extract/internal/rtf"
)

func ExampleScanner() {
	const src = `{\rtf1{\field{\*\fldinst HYPERLINK "guide.html"}{\fldrslt the guide}} http://example.org/}`
	for it := range new(rtf.Scanner).Scan([]byte(src)) {
		fmt.Printf("%d %v %s %s\n", it.Span.Start, it.Kind, it.In, it.Value)
	}
	// Output:
	// 36 link HYPERLINK guide.html
	// 70 text  http://example.org/
}
