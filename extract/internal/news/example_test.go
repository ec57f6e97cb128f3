package news_test

import (
	"fmt"

	"example.org/refract/extract/internal/news"
)

func ExampleSplitter() {
	src := []byte("#! rnews 6\na: b\n\n#! rnews 9\na: b\n\nc\n\n")
	for len(src) > 0 {
		p, _ := news.Splitter{}.Next(src, 0, true)
		start, end, exact := news.Body(src[:p.End])
		fmt.Printf("%q %v\n", src[start:end], exact)
		src = src[p.End:]
	}
	// Output:
	// "a: b\n\n" true
	// "a: b\n\nc\n\n" true
}
