package canon_test

import (
	"fmt"

	"example.org/refract/resolve/canon"
)

// Keys make URLs equal that most likely point to the same page, and sort them by domain.
func ExampleKey_Append() {
	key := canon.Key{NoIndex: true, NoTracking: true, SortQuery: true, NoFragment: true}
	surt := canon.Key{SURT: canon.SURTKey}
	url := []byte("http://www.Example.org/a/index.html?b=2&utm_source=mail&a=1#s")
	fmt.Printf("%s\n", key.Append(nil, url))
	fmt.Printf("%s\n", surt.Append(nil, url))
	// Output:
	// http://www.example.org/a/?a=1&b=2
	// org,example,www)/a/index.html?b=2&utm_source=mail&a=1#s
}

// Keys that other programs make of one URL.
func ExampleProfile() {
	for _, p := range canon.Profiles() {
		key := canon.Key{Profile: p}
		fmt.Printf("%-17v %s\n", p, key.Append(nil, []byte("http://u@www.Example.org:80//a/./%7Eb?z&y=%31#s")))
	}
	// Output:
	// cdx               org,example)/a/~b?y=1&z
	// w3lib             http://u@www.example.org:80//a/~b?y=1&z=
	// urlcanon-semantic http://www.example.org/a/~b?y=1&z
	// crawler-commons   http://www.example.org/a/~b?y=1&z
}
