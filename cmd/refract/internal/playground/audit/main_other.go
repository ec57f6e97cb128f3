//go:build !js

package main

import (
	"errors"
	"fmt"
	"os"

	"example.org/refract/cmd/refract/internal/report"
)

// main prints what the page would show of an audit of the files that its arguments name. The page is built with GOOS=js
// GOARCH=wasm. With -policy, it prints the Content-Security-Policy of report pages.
func main() {
	if len(os.Args) == 2 && os.Args[1] == "-policy" {
		fmt.Println(report.Policy())
		return
	}
	files := newDropped()
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		err = errors.Join(err, files.add(name, text))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	text, err := files.audit()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Printf("%s\n", text)
}
