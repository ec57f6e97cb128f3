// The links of a page.
package main

import (
	"fmt"
	"log"
	"os"

	"example.org/refract/base"
	"example.org/refract/extract"
)

func main() {
	cfg := extract.Config{Retrieved: base.Source{URI: "http://h/d/page.html"}}
	for ref, err := range cfg.Walk("page.html", os.Stdin) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", ref.URL)
	}
}
