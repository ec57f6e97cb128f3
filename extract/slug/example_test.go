package slug_test

import (
	"fmt"
	"strings"

	"example.org/refract/extract/slug"
)

func ExampleSlugger() {
	headings := []slug.Heading{
		{Text: "What's new -- and what isn't"},
		{Text: "Café", Source: "*Café*"},
		{Text: "Café"},
	}
	for _, algorithm := range []slug.Algorithm{slug.GitHub, slug.PythonMarkdown, slug.KramdownGFM, slug.Goldmark} {
		s := slug.Slugger{Algorithm: algorithm}
		var ids []string
		for _, h := range headings {
			ids = append(ids, s.Slug(h))
		}
		fmt.Println(strings.Join(ids, " "))
	}
	// Output:
	// whats-new----and-what-isnt café café-1
	// whats-new-and-what-isnt cafe cafe_1
	// whats-new--and-what-isnt café café-1
	// whats-new----and-what-isnt caf caf-1
}
