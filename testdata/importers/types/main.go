// A page is read as the type that the program names.
package main

import (
	"fmt"
	"os"
	"strings"

	"example.org/refract/extract"
)

func main() {
	for _, t := range os.Args[1:] {
		cfg := extract.Config{Type: t}
		for ref, err := range cfg.Walk("", strings.NewReader(`<!-- http://h/x --><a href=http://h/y>`)) {
			if err != nil {
				fmt.Printf("%.70s\n", err)
				break
			}
			fmt.Printf("%s %s %s\n", t, ref.In, ref.URL)
		}
	}
}
