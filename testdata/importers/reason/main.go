// Where a reference leads, and why.
package main

import (
	"fmt"

	"example.org/refract/base"
	"example.org/refract/resolve"
)

func main() {
	b, _ := base.Root(resolve.Rules{}, base.Source{URI: "http://h/a/b", From: "--url"}, base.Source{})
	url, result, err := b.Append(nil, []byte("../x?y"))
	fmt.Printf("%s: base %v by %v (%s), section %v, %v\n", url, b, b.Layer, b.From, result.Step, err)
}
