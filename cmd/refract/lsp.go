package main

import (
	"fmt"

	"github.com/spf13/cobra"

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
It audits the folders of the workspace as "refract audit" does, as if started in the
first one, with the text that is in the editor, 150 ms after the last change. Findings are
shown where they are, also in documents that are not open, and suggestions are offered as
quick fixes. File names are completed within a link, and ids after "#". "Go to definition"
opens the target. Flags belong to the command in the configuration of the editor:
"refract lsp --no-rule unused-definition". .refract.yaml applies as for audit.

Exit status: 0 after shutdown and exit, 1 if the client disconnects without them, 2 if it
violates the protocol.`,
		Args: cobra.NoArgs,
	}
	read := auditFlags(cmd, cfg, &o, &v)
	cmd.Flags().Bool("stdio", true, "standard input and output are used: there is nothing else")
	cmd.Flags().MarkHidden("stdio") // many editors pass it
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
