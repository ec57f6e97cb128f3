package searchcmd

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/cmdtest"
)

// runSearch runs the main command.
func runSearch(args []string, stdout, stderr io.Writer) int {
	root, _ := Command(stdout, stderr)
	return cli.Execute(root, args, stderr)
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"refract": func() {
			signal.Ignore(syscall.SIGPIPE)
			os.Exit(runSearch(os.Args[1:], os.Stdout, os.Stderr))
		},
		"measure": cmdtest.Measure,
	})
}
