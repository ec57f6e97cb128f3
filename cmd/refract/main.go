// Refract finds URL references in documents, resolves them, and audits links.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit status.
const (
	exitOK       = 0 // also when nothing was found
	exitFindings = 1 // notes under --strict
	exitFailed   = 2 // usage, or an input that cannot be read
)

func main() {
	// A reader that stops reading is not a failure: writes then return EPIPE.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// A status is an exit status that needs no further message.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func run(args []string, stdout, stderr io.Writer) int {
	root := newRoot(stdout, stderr)
	help := reportHelp(root)
	args, err := joinOptional(root, args)
	if err == nil {
		root.SetArgs(args)
		err = root.Execute()
	}
	if err == nil {
		err = help.err
	}
	var s status
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitOK
	case errors.As(err, &s):
		return int(s)
	}
	fmt.Fprintf(stderr, "refract: %v\n", err)
	return exitFailed
}

// A checkedWriter remembers the first error of a writer.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// reportHelp lets the error of writing help be known, which cobra drops.
func reportHelp(root *cobra.Command) *checkedWriter {
	w := &checkedWriter{}
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		w.w = c.OutOrStdout()
		c.SetOut(w)
		c.SetErr(io.Discard) // cobra prints the error that run reports
		show(c, args)
	})
	return w
}

// version returns the version of the module, or of the checkout it was built from, and of Go.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version + " " + info.GoVersion
}
