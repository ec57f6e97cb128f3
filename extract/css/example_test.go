package css_test

import (
	"fmt"

	"example.org/refract/extract/css"
)

func ExampleScanner() {
	src := []byte(`@import "a.css"; /* url(no) */ p { background: URL( b\.png ) }`)
	for it := range new(css.Scanner).Scan(src) {
		fmt.Printf("%s %s (as written: %s)\n", it.In, it.Value, src[it.Span.Start:it.Span.End])
	}
	// Output:
	// @import a.css (as written: a.css)
	// url() b.png (as written: b\.png)
}
