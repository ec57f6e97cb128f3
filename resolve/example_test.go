package resolve_test

import (
	"fmt"

	"example.org/refract/resolve"
)

func ExampleResolver_Append() {
	draft, _ := resolve.Named("draft")
	for _, rules := range []resolve.Rules{{}, draft} {
		base := rules.Resolver("http://a/b/c/d;p?q")
		for _, ref := range []string{"../g", "#s", "../../../g"} {
			url, res := base.Append(nil, []byte(ref))
			if res.SameDocument() {
				fmt.Print("(current document)")
			}
			fmt.Printf("%s %q\n", url, res.Departures.Names())
		}
	}
	// Output:
	// http://a/b/g []
	// http://a/b/c/d;p?q#s []
	// http://a/g ["above-root"]
	// http://a/b/g []
	// (current document)#s []
	// http://a/../g ["above-root"]
}

func ExampleReadings_AppendBrowser() {
	readings := resolve.NewReadings("http://a/b")
	for _, ref := range []string{`http://good.example\@evil.example/`, "HTTP://%61/c", "http:g"} {
		uri, two := readings.AppendBrowser(nil, []byte(ref))
		fmt.Printf("%q %v\n", uri, two)
	}
	// Output:
	// "http://good.example/@evil.example/" true
	// "" false
	// "http://a/g" true
}
