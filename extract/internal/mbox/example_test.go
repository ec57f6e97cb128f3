package mbox_test

import (
	"fmt"

	"example.org/refract/extract/internal/mbox"
)

// A line of text that begins with "From " ends no message.
func ExampleSplitter() {
	src := []byte("From a@b Sat Jan  3 01:05:34 1996\nSubject: 1\n\nFrom here on\n\n" +
		"From c@d Sat Jan  3 02:05:34 1996\nSubject: 2\n\nText\n")
	var s mbox.Splitter
	for len(src) > 0 {
		p, _ := s.Next(src, 0, true)
		start, end := mbox.Body(src[:p.End])
		fmt.Printf("%q\n", src[start:end])
		src = src[p.End:]
	}
	// Output:
	// "Subject: 1\n\nFrom here on\n"
	// "Subject: 2\n\nText\n"
}
