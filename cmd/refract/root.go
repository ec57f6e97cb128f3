package main

import (
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

const rootHelp = `Refract finds URL references in documents and resolves them. It prints one absolute
URL per line, in document order. It never goes online.

In plain text, it finds references as people write them: in <angle brackets> or
"quotes", after URL:, broken across lines, or bare in a sentence; www.example.org stands
for http://www.example.org. In HTML, XHTML, SVG and CSS, it finds what a browser sees,
and obeys <base>. In Markdown, it finds what GitHub turns into links and images; in the
directory of a site generator, what that generator does. reStructuredText, AsciiDoc, Org,
LaTeX, Texinfo, man pages, notebooks, RTF and XML are read by their own rules; so is PDF,
except for the text of its pages. Mail and news messages, their archives (mbox, Maildir,
MH, rnews), saved pages (MHTML) and web archives (WARC, WACZ) are decoded and read part by
part, with the base that their headers give.

In directories, hidden files and those that .gitignore excludes are not read. Files ending
in .gz, .bz2, .xz, .zst, .lz4 and .Z are decompressed. Without arguments, refract reads
standard input.`

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
  refract --base http://h/d/ a.txt      resolve relative references, too: <URL:../x>
  zcat log.gz | refract --host example.org
  find . -name '*.html' | refract --files-from -
  refract --split 1G list.mbox          ranges of an archive, for several workers
  refract resolve --base http://a/b/c ../d`

// rootEnd follows the flags in the help of the command without a subcommand.
const rootEnd = `
Exit status: 0 if successful, also if nothing was found; 1 if audit has findings or
--strict something to report; 2 if something could not be read (the rest is processed);
130 if interrupted.

"refract help TOPIC" explains rules (--rules and its knobs), json (the lines of --json),
labels (what to be careful about in a URL) and schemes (what is known about each).
"refract completion --help" sets up shell completion; "refract man DIR" writes manual
pages. Write ./resolve for a file that has the name of a command.
`

// newRoot returns the main command with its subcommands and topics.
func newRoot(stdout, stderr io.Writer) *cobra.Command {
	root, addCommands := newSearch(stdout, stderr)
	addCommands()
	return root
}

// newSearch returns the main command, and a function that adds its subcommands and topics.
func newSearch(stdout, stderr io.Writer) (root *cobra.Command, addCommands func()) {
	o := new(options)
	root = &cobra.Command{
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
						return errCommands
					}
					showHelp(cmd, writeBrief)
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
		if o.version {
			if err := writeVersion(cmd.OutOrStdout(), o.json); err != nil {
				return err
			}
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
	excludeEachOther(root)
	addHelp(root)
	return root, func() {
		root.AddCommand(newResolve(&o.cfg, &o.json), newNormalize(&o.json), newAudit(&o.cfg, &o.json, readRules), newMv(&o.cfg, &o.json, readRules), newLSP(&o.cfg, readRules), newRewrite(&o.cfg, &o.json),
			lateTopic("rules", "The rules of resolution and their knobs"),
			lateTopic("schemes", "What is known about each scheme"), labelsTopic, jsonTopic(), newMan())
		addCompletion(root)
	}
}

// excludeEachOther declares which flags of root cannot be combined.
func excludeEachOther(root *cobra.Command) {
	for _, flags := range [][]string{
		{"json", "csv", "null"},
		{"json", "csv", "edges"},
		{"format", "json"},
		{"format", "csv"},
		{"format", "edges"},
		{"edges", "line-number"},
		{"edges", "two-readings"},
		{"edges", "unwrap"},
	} {
		root.MarkFlagsMutuallyExclusive(flags...)
	}
	for flag, others := range map[string][]string{
		"explain":  {"csv", "null", "edges", "count"},
		"count":    {"unique", "edges", "line-number", "unresolved", "two-readings", "unwrap"},
		"frontier": {"json", "csv", "edges", "format", "fields", "count", "line-number", "explain", "unresolved", "two-readings", "unwrap"},
		"split":    {"csv", "format", "edges", "frontier", "explain", "count", "unique", "line-number", "null", "range", "checkpoint", "html"},
	} {
		for _, other := range others {
			root.MarkFlagsMutuallyExclusive(flag, other)
		}
	}
}
