package rst_test

import (
	"fmt"

	"example.org/refract/extract/rst"
)

func ExampleScanner() {
	const src = "See `the guide <guide.html>`_ and https://example.org/.\n\n.. image:: logo.png\n\n.. _a target: ../x\n"
	for it := range new(rst.Scanner).Scan([]byte(src)) {
		fmt.Printf("%d %v %s %s\n", it.Span.Start, it.Kind, it.In, it.Value)
	}
	// Output:
	// 16 link embedded guide.html
	// 34 text standalone https://example.org/
	// 68 embed image logo.png
	// 92 definition target ../x
}
