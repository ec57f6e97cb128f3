//go:build !js

package main

import (
	"fmt"
	"io"
	"os"
)

// The page is built with GOOS=js GOARCH=wasm.
func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run prints what the page would show of the files with these names, and returns the exit status.
func run(names []string, out, errs io.Writer) int {
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(errs, err)
			return 2
		}
		fmt.Fprintf(out, "%s\n", find(name, "", text))
	}
	return 0
}
