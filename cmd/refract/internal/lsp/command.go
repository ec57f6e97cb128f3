package lsp

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.org/refract/cmd/refract/internal/auditflags"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/joblog"
	"example.org/refract/internal/audit"
)

// Command returns the command that runs the language server.
func Command(env *cli.Env) *cli.Command {
	var (
		o audit.Options
		v auditflags.Repeat
	)
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve the audit to editors (language server)",
		Long: `Lsp speaks the Language Server Protocol on standard input and output; an editor starts it.
It audits each folder of the workspace as "refract audit" does when started there, with the
text that is in the editor. 150 ms after an edit, the document is judged; the others
follow if they may depend on what has changed. Findings are shown where they are, also in
documents that are not open. Quick fixes write suggestions, create missing documents, and
add findings to the baseline, if one is configured. Hover shows the target of a link, such
as the lines of main.go#L3-L9. Editors can also show definitions, references to documents
and headings and their number, document links and symbols. File names are completed within
a link, and ids after "#". Headings, labels of Markdown and files can be renamed, with all
that links to them. With --built, or built in .refract.yaml, the ids in the pages of a build
are used for documents that have not changed since.

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
	var builds auditflags.Builds
	shared, stdio := auditflags.NewShared(env, &o, &v), true
	list := slices.Concat(shared.Start, cli.InGroup("Link targets", []cli.Flag{builds.Flag()}), cli.InGroup("What is reported", []cli.Flag{shared.Forbid()}), shared.Limits, []cli.Flag{
		// Many editors pass it.
		{Name: "stdio", Var: &stdio, Config: cli.Never, Help: "standard input and output are used: there is nothing else"},
	})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		given := auditflags.FlagsOf(cmd)
		configure := func(dir string, flags []string) (settings, error) {
			o, v = audit.Options{}, auditflags.Repeat{Env: env, List: list, Dir: dir}
			given.Restore()
			if err := given.Apply(flags); err != nil {
				return settings{}, err
			}
			err := shared.Read(cmd)
			o.Paths = v.Paths
			builds.Set(&o, nil)
			return settings{o, v.BaselineFile()}, err
		}
		if term.IsTerminal(int(os.Stdin.Fd())) {
			fmt.Fprintln(cmd.ErrOrStderr(), "refract: lsp waits for an editor on standard input: see refract lsp --help")
		}
		joblog.SetForm(cmd.OutOrStdout(), joblog.Data)
		ok, err := serve(configure, program{cli.Version(), cli.Home()}, cmd.InOrStdin(), cmd.OutOrStdout())
		if err != nil {
			return fmt.Errorf("lsp: %w", err)
		}
		if !ok {
			return cli.Status(cli.ExitFindings)
		}
		return nil
	}
	return cli.NewCommand(cmd, "site root generator slugs rule no-rule ignore", list)
}
