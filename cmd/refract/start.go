package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/cmd/refract/internal/cli"
)

// Subcommands, with their flags and help, are a tenth of what a short run takes. A search begins without them. Where it
// needs them, for help or to explain a mistake, it ends with cli.ErrCommands before anything else has happened, and
// run begins again with them.

// cobraNames are the commands that cobra adds.
var cobraNames = []string{"completion", "help", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}

// isCommand reports whether name is that of a subcommand or topic.
func isCommand(name string) bool {
	for _, c := range commands {
		if c.name == name {
			return true
		}
	}
	return slices.Contains(cobraNames, name)
}

// isSearch reports whether args most likely run the main command, and not for help.
func isSearch(args []string) bool {
	return !slices.ContainsFunc(args, func(arg string) bool {
		flag, isFlag := strings.CutPrefix(arg, "-")
		if !isFlag {
			return isCommand(arg)
		}
		return strings.HasPrefix(flag, "-h") || !strings.HasPrefix(flag, "-") && strings.Contains(flag, "h")
	})
}

// withoutCommands prepares root, which has no subcommands, for a search.
func withoutCommands(root *cli.Command) *cli.Command {
	root.SetFlagErrorFunc(func(*cobra.Command, error) error { return cli.ErrCommands })
	return root
}
