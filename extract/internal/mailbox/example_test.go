package mailbox_test

import (
	"fmt"

	"example.org/refract/extract/internal/mailbox"
)

// A line of text that begins with "From " ends no message.
func ExampleMbox() {
	show(mailbox.Mbox(0), "From a@b Sat Jan  3 01:05:34 1996\nSubject: 1\n\nFrom here on\n\n"+
		"From c@d Sat Jan  3 02:05:34 1996\nSubject: 2\n\nText\n")
	// Output:
	// "Subject: 1\n\nFrom here on\n" true
	// "Subject: 2\n\nText\n" true
}

func ExampleNews() {
	show(mailbox.News(0), "#! rnews 6\na: b\n\n#! rnews 9\na: b\n\nc\n\n")
	// Output:
	// "a: b\n\n" true
	// "a: b\n\nc\n\n" true
}

// show prints the messages of an archive, and whether each ends where the archive says.
func show(s mailbox.Splitter, archive string) {
	for src := []byte(archive); len(src) > 0; {
		p, _ := s.Next(src, 0, true)
		start, end, exact := s.Body(src[:p.End])
		fmt.Printf("%q %v\n", src[start:end], exact)
		src = src[p.End:]
	}
}
