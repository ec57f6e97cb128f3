package main

import (
	"io"

	"example.org/refract/cmd/refract/internal/auditcmd"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/lspcmd"
	"example.org/refract/cmd/refract/internal/mvcmd"
	"example.org/refract/cmd/refract/internal/normalizecmd"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/cmd/refract/internal/resolvecmd"
	"example.org/refract/cmd/refract/internal/rewritecmd"
	"example.org/refract/cmd/refract/internal/searchcmd"
)

// commands are the subcommands and topics of the main command, besides those of cobra. They are made when they are needed.
var commands = []struct {
	name string
	make func(*cli.Env) *cli.Command
}{
	{"resolve", resolvecmd.Command},
	{"normalize", normalizecmd.Command},
	{"audit", auditcmd.Command},
	{"mv", mvcmd.Command},
	{"lsp", lspcmd.Command},
	{"rewrite", rewritecmd.Command},
	{"rules", rulesTopic},
	{"schemes", schemesTopic},
	{"labels", filter.Topic},
	{"json", output.Topic},
	{"man", cli.Manual},
}

// newSearch returns the main command, and a function that adds its subcommands and topics.
func newSearch(stdout, stderr io.Writer) (root *cli.Command, addCommands func()) {
	root, env := searchcmd.Command(stdout, stderr)
	return root, func() {
		for _, c := range commands {
			root.Add(c.make(env))
		}
		cli.AddCompletion(root)
	}
}
