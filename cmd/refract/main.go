// Refract finds URL references in documents, resolves them, and audits links.
package main

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"example.org/refract/cmd/refract/internal/cli"
)

func main() {
	// A reader that stops reading is no failure: writes then return EPIPE.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	root, addCommands := newSearch(stdout, stderr)
	if isSearch(args) {
		if code := cli.Execute(withoutCommands(root), args, stderr); code != cli.ExitCommands {
			return code
		}
		root, addCommands = newSearch(stdout, stderr)
	}
	addCommands()
	return cli.Execute(root, args, stderr)
}
