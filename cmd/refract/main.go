// Refract finds URL references in documents, resolves them, and audits links.
package main

import (
	"io"
	"os"

	"example.org/refract/cmd/refract/internal/auditcmd"
	"example.org/refract/cmd/refract/internal/auditflags"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/joblog"
	"example.org/refract/cmd/refract/internal/lsp"
	"example.org/refract/cmd/refract/internal/move"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/cmd/refract/internal/rewrite"
	"example.org/refract/cmd/refract/internal/searchcmd"
	"example.org/refract/cmd/refract/internal/setup"
	"example.org/refract/cmd/refract/internal/urlcmd"
)

// commands are the subcommands and topics of the main command, besides those of cobra. They are made when
// they are needed.
var commands = []struct {
	name string
	make func(*cli.Env) *cli.Command
}{
	{"resolve", urlcmd.Resolve},
	{"normalize", urlcmd.Normalize},
	{"audit", auditcmd.Command},
	{"mv", move.Command},
	{"lsp", lsp.Command},
	{"init", setup.Command},
	{"rewrite", rewrite.Command},
	{"also", searchcmd.AlsoTopic},
	{"generators", auditcmd.GeneratorsTopic},
	{"rules", auditcmd.RulesTopic},
	{"resolution", resolutionTopic},
	{"schemes", schemesTopic},
	{"types", cli.TypesTopic},
	{"labels", filter.Topic},
	{cli.LargeRuns, cli.LargeRunsTopic},
	{"json", output.Topic},
	{"config", auditflags.Topic},
	{"man", cli.Manual},
}

func main() {
	// A reader that stops reading is no failure: writes then return EPIPE.
	cli.IgnorePipes()
	os.Exit(run(os.Args[1:], joblog.Open(os.Stdout), joblog.Open(os.Stderr)))
}

// run runs the command with args, which do not have its name, and returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	if isSearch(args) {
		root, _ := searchcmd.Command(stdout, stderr)
		if code := cli.Execute(withoutCommands(root), args, stderr); code != cli.ExitCommands {
			return code
		}
	}
	return cli.Execute(newCommand(stdout, stderr), args, stderr)
}

// newCommand returns the main command with its subcommands and topics.
func newCommand(stdout, stderr io.Writer) *cli.Command {
	root, env := searchcmd.Command(stdout, stderr)
	for _, c := range commands {
		root.Add(c.make(env))
	}
	cli.AddCompletion(root)
	return root
}
