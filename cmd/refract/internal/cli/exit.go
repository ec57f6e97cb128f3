package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Exit status.
const (
	ExitOK       = 0 // also if nothing was found
	ExitFindings = 1 // audit findings, notes under --strict, or references under --fail-if-found
	ExitFailed   = 2 // wrong usage, or an input that cannot be read

	ExitInterrupted = 128 // plus the signal number, as in shells: 130 for Ctrl-C
)

// A Status is an exit status that needs no further message.
type Status int

func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// ErrCommands ends a command that needs the subcommands, before anything else has happened.
var ErrCommands = errors.New("the subcommands are needed")

// ErrShown ends a command that has shown its help.
const ErrShown = Status(ExitOK)

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

// ExitCommands stands for ErrCommands. It is no exit status of the program.
const ExitCommands = -1

// Execute runs root with args, and returns the exit status, or ExitCommands.
func Execute(root *Command, args []string, stderr io.Writer) int {
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		completeValues(root) // cobra keeps these functions forever, in a global table
	}
	help := reportHelp(root)
	args, err := joinOptional(root, args)
	if err == nil {
		root.SetArgs(args)
		err = root.Execute()
	}
	if err == nil {
		err = help.err
	}
	var s Status
	switch {
	case errors.Is(err, ErrCommands):
		return ExitCommands
	case err == nil, isBrokenPipe(err):
		return ExitOK
	case errors.As(err, &s):
		return int(s)
	}
	fmt.Fprintf(stderr, "refract: %s\n", VisibleLines(err.Error()))
	return ExitFailed
}
