// The URLs of a string with their offsets.
package main

import (
	"fmt"
	"io"
	"os"

	"example.org/refract/delimit"
)

func main() {
	text, _ := io.ReadAll(os.Stdin)
	for s := range new(delimit.Finder).All(text) {
		fmt.Println(s.Start, s.End, string(s.AppendURL(nil, text)))
	}
}
