package main

import (
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

const rootHelp = `Refract finds URL references in documents and resolves them: one absolute URL
a line, in the order of the text.

In text, references are found as people delimit them: in <angle brackets> or
"quotes", broken over lines or not, behind URL:, or bare in a sentence;
www.example.org is short for http://www.example.org. In HTML, XHTML, SVG and CSS they
are what a browser sees, and <base> is obeyed; in Markdown, what GitHub makes links
and images of, and in a directory, what the generator of the site does. Messages of
mail and news, their archives (mbox, Maildir, MH, rnews) and saved pages (MHTML) are
taken apart, decoded, and read part by part, with the base that their headings give.
Directories are walked as ripgrep walks them, .gz, .bz2, .xz, .zst and .Z are read
through, and without an argument refract reads a pipe. Nothing is ever fetched.`

const rootExamples = `  refract letter.txt                  every URL of a text
  refract -n docs/ | sort -u          with file:line:column in front
  refract --unique --scheme https .   each https URL once
  refract --json mail.txt             where each stands, and why it means what it does
  refract --prefer html list.mbox     the links of an archive of mail
  zcat log.gz | refract --host example.org
  refract --count domain .            which sites are referred to most
  find . -name '*.html' | refract --files-from -    an edge a line, for a graph
  refract --split 1000000000 list.mbox              an archive for several workers
  refract --url http://h/d/ page.html   what a saved page refers to
  refract --base http://h/d/ a.txt    resolve relative references too: <URL:../x>
  refract --explain letter.txt        with what decided under each
  refract resolve --base http://a/b/c ../d`

// rootEnd follows the flags in the help of the command without a subcommand.
const rootEnd = `
Exit status: 0, also when nothing was found; 1 for notes under --strict and findings of
audit; 2 when something could not be read, the rest having been processed; 130 when
interrupted.

"refract help rules" explains --rules and its knobs, "refract help json" the lines
of --json, "refract help labels" what there is to beware of, "refract help schemes"
what is known of each. "refract completion --help" sets up completion in a shell, and
"refract man DIR" writes manual pages. A file that is called like a subcommand is given
as ./resolve.
`

// newRoot makes the command with its subcommands and topics.
func newRoot(stdout, stderr io.Writer) *cobra.Command {
	o := new(options)
	root := &cobra.Command{
		Use:           "refract [flags] [FILE|DIR|-]...",
		Short:         "Find URL references in documents and resolve them",
		Long:          rootHelp,
		Example:       rootExamples,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.version {
				return writeVersion(cmd.OutOrStdout(), o.json)
			}
			if len(args) == 0 && o.list == "" {
				if term.IsTerminal(int(os.Stdin.Fd())) {
					writeBrief(cmd.OutOrStdout(), cmd)
					return nil
				}
				args = []string{"-"}
			}
			if err := checkArguments(cmd, args); err != nil {
				return err
			}
			return find(cmd, o, args)
		},
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(flagError)

	readRules := o.sharedFlags(root)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if showBrief(cmd) {
			return errShown
		}
		if err := checkTogether(cmd); err != nil {
			return err
		}
		if !slices.Contains(colorValues, o.color) {
			return badValue("--color", o.color, colorValues)
		}
		return readRules()
	}
	l := root.Flags()
	l.SortFlags = false
	for _, group := range []func(*pflag.FlagSet){
		o.retrievalFlags, o.formatFlags, o.workerFlags, o.distinctFlags, o.urlFlags,
		o.filters.flags, o.documentFlags, o.textFlags, o.fileFlags,
	} {
		group(l)
	}
	l.BoolVarP(&o.version, "version", "V", false, "the version, the commit and the release of Go that this was built from")
	excludeEachOther(root)
	addHelp(root)
	root.AddCommand(newResolve(&o.cfg, &o.json), newNormalize(&o.json), newAudit(&o.cfg, &o.json, readRules), newLSP(&o.cfg, readRules),
		lateTopic("rules", "The rules of resolution and their knobs"),
		lateTopic("schemes", "What is known of each scheme"), labelsTopic, jsonTopic(), newMan())
	return root
}

// excludeEachOther states which flags of root cannot be given together.
func excludeEachOther(root *cobra.Command) {
	for _, flags := range [][]string{
		{"json", "csv", "null"},
		{"json", "csv", "edges"},
		{"format", "json"},
		{"format", "csv"},
		{"format", "edges"},
		{"edges", "line-number"},
		{"edges", "two-readings"},
	} {
		root.MarkFlagsMutuallyExclusive(flags...)
	}
	for flag, others := range map[string][]string{
		"explain": {"csv", "null", "edges", "count"},
		"count":   {"unique", "edges", "line-number", "unresolved", "two-readings"},
		"split":   {"csv", "format", "edges", "explain", "count", "unique", "line-number", "null", "range", "checkpoint"},
	} {
		for _, other := range others {
			root.MarkFlagsMutuallyExclusive(flag, other)
		}
	}
}
