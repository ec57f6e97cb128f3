package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/windows"
)

// IgnorePipes does nothing: a pipe without a reader ends no process.
func IgnorePipes() {}

// isBrokenPipe reports whether an error says that nobody reads a pipe any more: the reader has ended, or is ending.
func isBrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, syscall.EPIPE)
}

// notify sends the signals that end the process to c: Ctrl-C, and SIGTERM, for which Go takes that the
// console is closed.
func notify(c chan os.Signal) { signal.Notify(c, os.Interrupt, syscall.SIGTERM) }

// enableColour makes a console understand escape sequences; consoles before Windows Terminal do so only on
// request. It returns false if the console cannot.
func enableColour(f *os.File) bool {
	console, mode := windows.Handle(f.Fd()), uint32(0)
	if windows.GetConsoleMode(console, &mode) != nil {
		return true // a terminal of another kind
	}
	return mode&windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING != 0 ||
		windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
