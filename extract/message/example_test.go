package message_test

import (
	"fmt"

	"example.org/refract/extract/message"
	"example.org/refract/extract/scan"
)

// The content of a part is a Body, with its transfer encoding decoded: the scanner for its type finds
// the references.
func ExampleScanner() {
	src := []byte("Subject: x\nContent-Base: http://h/d/\nArchived-At: <http://l/1>\n" +
		"Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"y\">\n")
	s := message.Scanner{ReadAs: func(mediaType, _ string) string { return mediaType }}
	for it := range s.Scan(src) {
		switch it.Op {
		case scan.Base, scan.Ref:
			fmt.Printf("%s %s\n", it.In, it.Value)
		case scan.Body:
			fmt.Printf("%s %q\n", it.Type, it.Value)
		}
	}
	// Output:
	// Content-Base http://h/d/
	// Content-Base http://h/d/
	// Archived-At http://l/1
	// text/html "<a href=\"y\">\n"
}
