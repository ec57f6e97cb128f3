//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// IgnorePipes makes writes to a pipe without a reader return an error, which [Execute] knows, instead of
// ending the process.
func IgnorePipes() { signal.Ignore(syscall.SIGPIPE) }

// isBrokenPipe reports whether an error says that nobody reads a pipe any more.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// notify sends the signals that end the process to c.
func notify(c chan os.Signal) {
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signal.Notify(c, syscall.SIGHUP)
	}
}

// enableColour lets a terminal understand escape sequences: all do.
func enableColour(*os.File) bool { return true }
