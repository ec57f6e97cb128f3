// Package searchcmd is the command without a subcommand: it finds references and resolves them.
package searchcmd

import (
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/joblog"
)

const rootHelp = `Refract finds URL references in documents and resolves them. It prints one absolute
URL per line, in document order. It never goes online.

In plain text, it finds references as people write them: in <angle brackets> or "quotes",
after URL:, wrapped, or bare in a sentence; www.example.org stands for
http://www.example.org. In HTML, XHTML, SVG and CSS, it finds what a browser sees, and
obeys <base>. In Markdown, it finds what GitHub turns into links and images, or what the
site generator of the directory does. In mail, news, saved pages and web archives, it
decodes each part, with the base that the headers give. "refract help types" lists all
formats.

In directories, it skips hidden files and those that .gitignore excludes. It decompresses
files ending in .gz, .bz2, .xz, .zst, .lz4 and .Z. Without arguments, it reads standard
input.`

const rootExamples = `  refract letter.txt                    every URL in a text
  refract -n docs/                      with file:line:column: in front
  refract --unique --scheme https .     each https URL once
  refract --explain letter.txt          where each URL stands and how it was resolved
  refract --json mail.txt               the same for programs
  refract --prefer html list.mbox       the links in a mail archive
  refract --count domain .              how often each domain appears
  refract --html all.html list.mbox     also a page to explore, in a browser
  refract --edges crawl.warc            the edges of a link graph
  refract --url http://h/d/ page.html   resolve the links of a saved page
  refract --base http://h/d/ a.txt      also resolve relative references: <URL:../x>
  zcat log.gz | refract --host example.org
  find . -name '*.html' | refract --files-from -
  refract --split 1G list.mbox          ranges of an archive, for several workers
  refract resolve --base http://a/b/c ../d`

// rootEnd follows the flags in the help of the command without a subcommand.
const rootEnd = `
Exit status: 0 if successful, also if nothing was found; 1 if audit has findings, --strict
something to report, or --fail-if-found a reference; 2 if something could not be read (the
rest is processed); 130 if interrupted.

"refract help TOPIC" explains also (what --also finds), config (the keys of .refract.yaml),
json (the lines of --json), labels (suspicious URLs), large-runs (archives, workers,
tables), resolution (rules and options), schemes (ports and forms) and types (names and
suffixes).
"refract completion --help" sets up shell completion; "refract man DIR" writes manual
pages. Write ./resolve for a file that has the name of a command.
`

// Command returns the main command, without subcommands, and the Env that it shares with them.
func Command(stdout, stderr io.Writer) (root *cli.Command, env *cli.Env) {
	o := new(options)
	cmd := &cobra.Command{
		Use:           "refract [flags] [FILE|DIR|-]...",
		Short:         "Find URL references in documents and resolve them",
		Long:          rootHelp,
		Example:       rootExamples,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && o.list == "" {
				if term.IsTerminal(int(os.Stdin.Fd())) {
					if !cmd.HasSubCommands() {
						return cli.ErrCommands
					}
					root.ShowHelp(cli.WriteBrief)
					return nil
				}
				args = []string{"-"}
			}
			args, err := cli.Arguments(cmd, args)
			if err != nil {
				return err
			}
			return find(cmd, o, args)
		},
	}
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	cmd.SetFlagErrorFunc(cli.FlagError)
	flags, readRules := o.flags()
	root = cli.NewCommand(cmd, "line-number format json unique count kind scheme host type base output html explain", flags)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		c := root.Of(cmd)
		if o.json {
			joblog.SetForm(stdout, joblog.JSON)
		}
		if c.ShowBrief() {
			return cli.ErrShown
		}
		if o.version {
			if err := cli.WriteVersion(cmd.OutOrStdout(), o.json); err != nil {
				return err
			}
			return cli.ErrShown
		}
		if err := c.CheckTogether(); err != nil {
			return err
		}
		if !slices.Contains(cli.ColorValues, o.color) {
			return cli.BadValue("--color", o.color, cli.ColorValues)
		}
		return readRules()
	}
	root.End = rootEnd
	cli.AddHelp(root)
	return root, &cli.Env{Config: &o.cfg, JSON: &o.json, ReadRules: readRules, Root: root}
}
