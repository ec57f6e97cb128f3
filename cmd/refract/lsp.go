package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"example.org/refract/audit"
	"example.org/refract/cmd/refract/internal/lsp"
	"example.org/refract/extract"
)

// newLSP returns the command that runs the language server.
func newLSP(cfg *extract.Config, readRules func() error) *cobra.Command {
	var (
		o audit.Options
		v = repeatFlags{readRules: readRules}
	)
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve the audit to editors (language server)",
		Long: `Lsp speaks the Language Server Protocol on standard input and output; an editor starts it.
It audits each folder of the workspace as "refract audit" does when started there, with the
text that is in the editor. 150 ms after an edit, the document is judged; the others
follow if they may depend on what has changed. Findings are shown where they are, also in
documents that are not open, and suggestions are offered as quick fixes; so is creating a
missing document. Hover shows what a link leads to. Editors can also show definitions,
references to documents and headings and their number, document links and symbols. File
names are completed within a link, and ids after "#". Headings, labels of Markdown and files
can be renamed, with all that leads to them.

Flags belong to the command in the configuration of the editor: "refract lsp --no-rule
unused-definition". .refract.yaml applies as for audit. Settings of the editor in the
section "refract" are flags, too: {"noRule": ["unused-definition"]}.

Exit status: 0 after shutdown and exit, 1 if the client disconnects without them, 2 if it
violates the protocol.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("lsp %q: leave it out: the editor says which folders to audit", args[0])
			}
			return nil
		},
	}
	read := auditFlags(cmd, cfg, &o, &v)
	cmd.Flags().Bool("stdio", true, "standard input and output are used: there is nothing else")
	cmd.Flags().MarkHidden("stdio") // many editors pass it
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		given := flagsOf(cmd)
		configure := func(dir string, settings []string) (audit.Options, error) {
			o, v = audit.Options{}, repeatFlags{readRules: readRules, dir: dir}
			given.restore()
			if err := given.apply(settings); err != nil {
				return o, err
			}
			err := read()
			o.Paths = v.paths
			return o, err
		}
		if term.IsTerminal(int(os.Stdin.Fd())) {
			fmt.Fprintln(cmd.ErrOrStderr(), "refract: lsp waits for an editor on standard input: see refract lsp --help")
		}
		ok, err := lsp.Serve(configure, version(), cmd.InOrStdin(), cmd.OutOrStdout())
		if err != nil {
			return fmt.Errorf("lsp: %w", err)
		}
		if !ok {
			return status(exitFindings)
		}
		return nil
	}
	return cmd
}

// givenFlags are the flags of a command line, which settings of an editor and configuration files add
// to, for one folder after the other.
type givenFlags struct {
	cmd    *cobra.Command
	values map[*pflag.Flag]givenFlag
}

type givenFlag struct {
	list    []string // of a flag that takes several values
	value   string
	changed bool
}

// flagsOf returns the flags that the command line of cmd has set.
func flagsOf(cmd *cobra.Command) *givenFlags {
	g := &givenFlags{cmd, map[*pflag.Flag]givenFlag{}}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		was := givenFlag{value: f.Value.String(), changed: f.Changed}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			was.list = append([]string{}, many.GetSlice()...)
		}
		g.values[f] = was
	})
	return g
}

// restore sets all flags as on the command line.
func (g *givenFlags) restore() {
	for f, was := range g.values {
		if many, ok := f.Value.(pflag.SliceValue); ok {
			many.Replace(was.list)
		} else {
			f.Value.Set(was.value)
		}
		f.Changed = was.changed
	}
}

// apply sets flags, given as --NAME=VALUE, that the command line does not set. On error, the other
// flags are still set.
func (g *givenFlags) apply(settings []string) (failure error) {
	for _, setting := range settings {
		name, value, _ := strings.Cut(strings.TrimPrefix(setting, "--"), "=")
		f := g.cmd.Flags().Lookup(name)
		switch {
		case f == nil || f.Hidden || name == "help" || name == "version" || name == "base":
			failure = cmp.Or(failure, fmt.Errorf("%q is not a flag of %s", name, g.cmd.CommandPath()))
		case g.values[f].changed:
		default:
			if err := g.cmd.Flags().Set(name, value); err != nil {
				failure = cmp.Or(failure, fmt.Errorf("%s: %w", name, err))
			}
		}
	}
	return failure
}
