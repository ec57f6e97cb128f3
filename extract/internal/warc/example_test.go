package warc_test

import (
	"fmt"
	"strings"

	"example.org/refract/extract/internal/warc"
)

func ExampleSplitter() {
	src := []byte(strings.ReplaceAll(`WARC/1.0
WARC-Type: response
WARC-Target-URI: http://h/
Content-Length: 32

HTTP/1.1 302 Found
Location: /a

`, "\n", "\r\n"))
	s := warc.Splitter{Limit: 1 << 20}
	for len(src) > 0 {
		p, _ := s.Next(src, 0, true)
		var rec warc.Record
		rec.Parse(src[:p.End])
		var h warc.HTTP
		if h.Parse(src[rec.Block.Start:rec.Block.End]) {
			for it := range h.References() {
				fmt.Printf("%s: %s %s\n", rec.Target, it.In, it.Value)
			}
		}
		src = src[p.End:]
	}
	// Output:
	// http://h/: Location /a
}
