package base_test

import (
	"fmt"

	"example.org/refract/base"
	"example.org/refract/resolve"
)

// A message that was retrieved by a URL states a base for itself and its parts.
func Example() {
	message, _ := base.Root(resolve.Rules{}, base.Source{URI: "http://archive/1", From: "--url"}, base.Source{})
	stated, _ := message.Embed("http://h/a/b", "Content-Base")
	part := stated.Inside()
	for _, b := range []base.Base{message, stated, part} {
		url, _, _ := b.Append(nil, []byte("x"))
		fmt.Printf("%s %s (%s)\n", url, b.Layer, b.From)
	}
	// Output:
	// http://archive/x retrieval (--url)
	// http://h/a/x embedded (Content-Base)
	// http://h/a/x encapsulating (Content-Base)
}
