package markdown_test

import (
	"fmt"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/scan"
)

func ExampleScanner() {
	src := []byte("[a](b.md) ![c](d\\&e.png) <f@g.h>\n\n<a href=i>j</a>\n")
	for it := range new(markdown.Scanner).Scan(src) {
		fmt.Printf("%s %s %s%s\n", it.Kind, it.In, it.Meant, it.Value)
	}
	// Output:
	// link link b.md
	// embed image d&e.png
	// link autolink mailto:f@g.h
	// link a/href i
}

// Mentions are the uses of labels; the Anchors in the same Space define them.
func ExampleScanner_mentions() {
	s := markdown.Scanner{Mentions: true}
	for it := range s.Scan([]byte("See [the docs][Docs] and [docs].\n\n[docs]: /d\n")) {
		switch it.Op {
		case scan.Mention:
			fmt.Printf("%d uses %s %q\n", it.Span.Start, it.Space, it.Value)
		case scan.Anchor:
			fmt.Printf("%d defines %s %q\n", it.Span.Start, it.Space, it.Value)
		}
	}
	// Output:
	// 15 uses label "docs"
	// 26 uses label "docs"
	// 35 defines label "docs"
}
