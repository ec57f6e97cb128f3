package searchcmd

import (
	"io"

	"example.org/refract/cmd/refract/internal/cli"
)

// runSearch runs the main command.
func runSearch(args []string, stdout, stderr io.Writer) int {
	root, _ := Command(stdout, stderr)
	return cli.Execute(root, args, stderr)
}
