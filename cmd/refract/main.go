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
	root.SetArgs(args)
	err := root.Execute()
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

// version returns the version of the module, or of the checkout it was built from, and of Go.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version + " " + info.GoVersion
}
