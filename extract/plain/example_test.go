package plain_test

import (
	"fmt"

	"example.org/refract/extract/plain"
)

func ExampleScanner() {
	src := []byte("See www.w3.org/Addressing/, <URL:http://h/a-\n  b> (and http://h/c_(d)).")
	for it := range new(plain.Scanner).Scan(src) {
		fmt.Printf("%s %s%s, from %d pieces\n", it.How, it.Meant, it.Value, max(1, len(it.Extra().Parts)))
	}
	// Output:
	// bare http://www.w3.org/Addressing/, from 1 pieces
	// angle http://h/a-b, from 2 pieces
	// bare http://h/c_(d), from 1 pieces
}
