//go:build !js

package main

import (
	"fmt"
	"os"
)

// main prints what the page would show of the files that its arguments name. The page is built with GOOS=js GOARCH=wasm.
func main() {
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		fmt.Printf("%s\n", find(name, "", text))
	}
}
