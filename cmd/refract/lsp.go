package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"example.org/refract/audit"
	"example.org/refract/cmd/refract/internal/lsp"
	"example.org/refract/extract"
)

// newLSP makes the command that serves editors.
func newLSP(cfg *extract.Config, readRules func() error) *cobra.Command {
	var (
		o audit.Options
		v = repeatFlags{readRules: readRules}
	)
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve the findings of audit to an editor",
		Long: `Lsp speaks the Language Server Protocol on standard input and output: editors start it.
It audits the folders of the workspace as "refract audit" does, in the first of them,
each time a document has changed and nothing more has for 150 ms, with the text that the
editor has. What is found is shown where it stands, also in documents that are not open.
What is suggested is offered as a quick fix. Within a destination, files are completed,
and behind "#" the ids of the document that it leads to; to go to the definition of a
reference is to open where it leads. Flags are given where the editor says how to start
it: "refract lsp --no-rule unused-definition"; .refract.yaml counts as it does for audit.

Exit status: 0 after shutdown and exit, 1 when the editor has gone without them, 2 when
what it sends is not of the protocol.`,
		Args: cobra.NoArgs,
	}
	read := auditFlags(cmd, cfg, &o, &v)
	cmd.Flags().Bool("stdio", true, "standard input and output are used: there is nothing else")
	cmd.Flags().MarkHidden("stdio") // many editors say so
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		configure := func(dir string) (audit.Options, error) {
			v.dir = dir
			err := read()
			o.Paths = v.paths
			return o, err
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
