package delimit_test

import (
	"fmt"

	"example.org/refract/delimit"
)

func ExampleFinder_All() {
	text := []byte("(see http://a/b_(c)), or <http://www.example.org/a-\n  b>.")
	var f delimit.Finder
	for s := range f.All(text) {
		fmt.Printf("%d-%d %s %s\n", s.Start, s.End, s.How, s.AppendTo(nil, text))
		if s.Joined != nil && s.Joined.Hyphens != nil {
			fmt.Println("the hyphen may be the typesetter's")
		}
	}
	// Output:
	// 5-19 bare http://a/b_(c)
	// 26-55 angle http://www.example.org/a-b
	// the hyphen may be the typesetter's
}
