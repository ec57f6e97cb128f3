package script_test

import (
	"fmt"

	"example.org/refract/extract/internal/script"
)

func ExampleScanner() {
	const src = `fetch("/api/v1/items"); let x = "no/path"; open('https://example.org/')`
	for it := range new(script.Scanner).Scan([]byte(src)) {
		fmt.Printf("%d %v %s %s\n", it.Span.Start, it.Kind, it.In, it.Value)
	}
	// Output:
	// 7 link string /api/v1/items
	// 49 link string https://example.org/
}
