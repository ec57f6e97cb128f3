// The references of a directory: of the disk, and embedded in the program.
package main

import (
	"embed"
	"fmt"

	"example.org/refract/extract"
	"example.org/refract/extract/source"
)

//go:embed in
var embedded embed.FS

func main() {
	for _, files := range []source.Options{{Archives: true}, {Archives: true, FS: embedded}} {
		for f, err := range files.Files("in", "none") {
			if err != nil {
				fmt.Printf("%.15s\n", err)
				continue
			}
			refs, err := extract.All(f.Walk(extract.Config{}))
			for _, ref := range refs {
				fmt.Printf("%s %s %s\n", f.Name, ref.Member(), ref.URL)
			}
			fmt.Print(err, "\n")
		}
	}
}
