package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Subcommands, with their flags and help, are a tenth of what a short run takes. A search begins without them. Where it
// needs them, for help or to explain a mistake, it ends with errCommands before anything else has happened, and
// run begins again with them.

var errCommands = errors.New("the subcommands are needed")

// exitCommands stands for errCommands. It is no exit status of the program.
const exitCommands = -1

// commandNames are the subcommands and topics of the main command, also those of cobra.
var commandNames = []string{
	"audit", "completion", "help", "json", "labels", "lsp", "man", "mv", "normalize", "resolve", "rewrite", "rules", "schemes",
	cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd,
}

// isSearch reports whether args most likely run the main command, and not for help.
func isSearch(args []string) bool {
	return !slices.ContainsFunc(args, func(arg string) bool {
		flag, isFlag := strings.CutPrefix(arg, "-")
		if !isFlag {
			return slices.Contains(commandNames, arg)
		}
		return strings.HasPrefix(flag, "-h") || !strings.HasPrefix(flag, "-") && strings.Contains(flag, "h")
	})
}

// withoutCommands prepares root, which has no subcommands, for a search.
func withoutCommands(root *cobra.Command) *cobra.Command {
	root.SetFlagErrorFunc(func(*cobra.Command, error) error { return errCommands })
	return root
}
