// The links of an mbox with the Message-ID of the message that each stands in.
package main

import (
	"fmt"
	"log"
	"os"

	"example.org/refract/extract"
)

func main() {
	cfg := extract.Config{Cite: true}
	for ref, err := range cfg.Walk("list.mbox", os.Stdin) {
		if err != nil {
			log.Fatal(err)
		}
		if m := ref.Message(); m != nil && ref.URL != nil {
			fmt.Printf("%s\t%s\n", m.ID, ref.URL)
		}
	}
}
