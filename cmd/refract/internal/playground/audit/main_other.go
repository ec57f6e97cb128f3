//go:build !js

package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"example.org/refract/cmd/refract/internal/report"
)

// The page is built with GOOS=js GOARCH=wasm.
func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run prints the result that the page would show for an audit of the files with these names, and returns
// the exit status. With -policy, it prints the Content-Security-Policy of report pages.
func run(names []string, out, errs io.Writer) int {
	if len(names) == 1 && names[0] == "-policy" {
		fmt.Fprintln(out, report.Policy())
		return 0
	}
	files := newDropped()
	for _, name := range names {
		text, err := os.ReadFile(name)
		err = errors.Join(err, files.add(name, text))
		if err != nil {
			fmt.Fprintln(errs, err)
			return 2
		}
	}
	text, err := files.audit()
	if err != nil {
		fmt.Fprintln(errs, err)
		return 2
	}
	fmt.Fprintf(out, "%s\n", text)
	return 0
}
