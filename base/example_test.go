package base_test

import (
	"errors"
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

// Where a reference has no URL, the error says why.
func ExampleBase_Append() {
	mail, _ := base.Root(resolve.Rules{}, base.Source{URI: "mailto:ann@example.org"}, base.Source{})
	for _, b := range []base.Base{{}, mail} {
		for _, ref := range []string{"http://h/", "x"} {
			url, _, err := b.Append(nil, []byte(ref))
			switch {
			case errors.Is(err, base.ErrNoBase):
				fmt.Println("relative, and there is no base")
			case err != nil:
				fmt.Println(err)
			default:
				fmt.Printf("%s\n", url)
			}
		}
	}
	// Output:
	// http://h/
	// relative, and there is no base
	// http://h/
	// unsuitable base: mailto URLs have no relative forms
}

// Resolve a reference, with the reason: the base that applied and where it came from,
// then the steps of the algorithm.
func ExampleBase_Explain() {
	page, _ := base.Root(resolve.Rules{}, base.Source{URI: "http://h/a/b", From: "--url"}, base.Source{})
	stated, _ := page.Embed("/docs/", "base/href")
	for _, fact := range stated.Explain([]byte("../x?y")) {
		fmt.Println(fact)
	}
	// Output:
	// base: "http://h/docs/", embedded (RFC 3986 5.1.1), from base/href
	// step: relative path, which replaces the last segment of the base's (RFC 3986 5.2.3)
	// inherited: scheme "http", authority "h", directory "/docs/"
	// dot segments: "/docs/../x" becomes "/x" (RFC 3986 5.2.4)
}
