package pdf_test

import (
	"fmt"

	"example.org/refract/extract/internal/pdf"
)

func ExampleScanner() {
	const src = "%PDF-1.4\n1 0 obj\n<</Type/Annot/Subtype/Link/A<</S/URI/URI(http://example.org/\\(x\\))>>>>\nendobj\n"
	for it := range new(pdf.Scanner).Scan([]byte(src)) {
		fmt.Printf("%d %v %s %s\n", it.Span.Start, it.Kind, it.In, it.Value)
	}
	// Output:
	// 58 link URI http://example.org/(x)
}
