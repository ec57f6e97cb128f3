//go:build !unix && !windows

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// IgnorePipes does nothing: there are no signals.
func IgnorePipes() {}

// isBrokenPipe reports whether an error says that nobody reads a pipe any more.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// notify sends the signals that end the process to c.
func notify(c chan os.Signal) { signal.Notify(c, os.Interrupt) }

// enableColour lets a terminal understand escape sequences.
func enableColour(*os.File) bool { return true }
