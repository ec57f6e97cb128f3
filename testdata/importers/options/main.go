// What an audit says about options that cannot be meant.
package main

import (
	"context"
	"fmt"

	"example.org/refract/audit"
)

func main() {
	for _, o := range []audit.Options{
		{Dir: "none"}, {Dir: "tree/a.md"}, {Dir: "tree", Only: []audit.Rule{"mising-file"}}, {Dir: "tree", Globs: []string{"[a"}}, {Dir: "tree", Paths: []string{}},
	} {
		_, err := audit.Run(context.Background(), o, nil)
		fmt.Printf("%.70s\n", err)
	}
}
