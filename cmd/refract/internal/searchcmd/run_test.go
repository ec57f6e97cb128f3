package searchcmd

import (
	"io"
	"os"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/joblog"
	"example.org/refract/internal/testing/cmdtest"
)

// TestMain lets tests run refract in processes of their own: the main command, without subcommands.
func TestMain(m *testing.M) {
	cmdtest.Main(m, func() {
		cli.IgnorePipes()
		os.Exit(runSearch(os.Args[1:], joblog.Open(os.Stdout), joblog.Open(os.Stderr)))
	})
}

// runSearch runs the main command.
func runSearch(args []string, stdout, stderr io.Writer) int {
	root, _ := Command(stdout, stderr)
	return cli.Execute(root, args, stderr)
}
