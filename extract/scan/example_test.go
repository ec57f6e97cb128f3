package scan_test

import (
	"bytes"
	"fmt"

	"example.org/refract/extract/scan"
)

// A scanner is a function from the bytes of a document to Items.
func Example() {
	src := []byte("goto http://h/a\ngoto ../b\n")
	items := func(yield func(*scan.Item) bool) {
		var it scan.Item // is used again for each reference
		at := 0
		for line := range bytes.Lines(src) {
			if ref, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("goto ")); ok {
				start := at + len("goto ")
				it = scan.Item{Op: scan.Ref, Kind: scan.Link, In: "goto", Span: scan.Span{Start: start, End: start + len(ref)}, Value: ref}
				if !yield(&it) {
					return
				}
			}
			at += len(line)
		}
	}
	for it := range items {
		fmt.Printf("%v %s %v %s\n", it.Kind, it.In, it.Span, it.Value)
	}
	// Output:
	// link goto {5 15} http://h/a
	// link goto {21 25} ../b
}

// A Map leads from decoded bytes back to the source: here, "&amp;" was decoded.
func ExampleMap() {
	const src = "a?b&amp;c" // "a?b&c"
	var m scan.Map
	m.Add(3, 0, 1, 1) // "a?b"
	m.Add(1, 3, 1, 5) // "&"
	m.Add(1, 8, 1, 1) // "c"
	s, exact := m.Back(scan.Span{Start: 2, End: 4})
	fmt.Println(src[s.Start:s.End], exact)
	// Output:
	// b&amp; true
}
