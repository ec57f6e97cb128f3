package delimit_test

import (
	"fmt"

	"example.org/refract/delimit"
)

// The URLs of a string: without the punctuation of the sentence, joined where a line
// break interrupts them, and with the scheme that an abbreviated one leaves out.
func ExampleURLs() {
	text := "(see http://a/b_(c)), www.example.org, or\n<http://www.example.org/a/\n  b.html>."
	for _, url := range delimit.URLs(text) {
		fmt.Println(url)
	}
	// Output:
	// http://a/b_(c)
	// http://www.example.org
	// http://www.example.org/a/b.html
}

// The URLs of a string with their offsets in bytes, and what delimits them.
func ExampleFinder_All() {
	text := []byte("(see http://a/b_(c)), or <http://www.example.org/a-\n  b>.")
	var f delimit.Finder
	for s := range f.All(text) {
		fmt.Printf("%d-%d %s %s\n", s.Start, s.End, s.How, s.AppendURL(nil, text))
		if s.Joined != nil && s.Joined.Hyphens != nil {
			fmt.Println("the hyphen may have been added by the typesetter")
		}
	}
	// Output:
	// 5-19 bare http://a/b_(c)
	// 26-55 angle http://www.example.org/a-b
	// the hyphen may have been added by the typesetter
}

// Next works on a stream: it says from where on it needs more text. Here the text
// arrives in two pieces, the first of which ends within a URL.
func ExampleFinder_Next() {
	pieces := []string{"See http://www.exam", "ple.org/ for more."}
	var f delimit.Finder
	var text []byte
	at := 0
	for i, piece := range pieces {
		text = append(text, piece...)
		for {
			s, next, ok := f.Next(text, at, i == len(pieces)-1)
			at = next
			if !ok {
				fmt.Println("complete up to offset", at)
				break
			}
			fmt.Printf("%d %s\n", s.Start, s.AppendTo(nil, text))
		}
	}
	// Output:
	// complete up to offset 4
	// 4 http://www.example.org/
	// complete up to offset 37
}

// Rules add domains without "www." and addresses, or turn abbreviations off.
func ExampleRules() {
	text := []byte("Write to ann@example.org, or see example.org/faq and www.example.org.")
	for _, rules := range []delimit.Rules{
		{},
		{Abbreviated: delimit.AbbreviatedNone},
		{Domains: delimit.DomainsAll, Addresses: true},
	} {
		f := delimit.Finder{Rules: rules}
		var urls []string
		for s := range f.All(text) {
			urls = append(urls, string(s.AppendURL(nil, text)))
		}
		fmt.Println(urls)
	}
	// Output:
	// [http://www.example.org]
	// []
	// [mailto:ann@example.org http://example.org/faq http://www.example.org]
}
