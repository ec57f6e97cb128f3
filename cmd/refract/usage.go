package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Help has two lengths: -h shows the most common flags, --help shows all, in groups. A manual page
// has the same content as --help.

// helpWidth is the maximum width of help, in columns.
const helpWidth = 100

// A flagGroup is a part of the list of flags.
type flagGroup struct{ title, flags string }

// rulesFlags lists the flags of resolution that help shows.
const rulesFlags = "rules above-root same-scheme"

var rootGroups = []flagGroup{
	{"Input", "type glob hidden no-ignore archives files-from range prefer generator"},
	{"What is found", "abbreviated domains addresses undo join-quoted-blanks conditional exhaustive scripts json-ld wiki-links mdx details"},
	{"Bases and resolution", "base url published file-base " + rulesFlags + " two-readings"},
	{"Filters", "kind scheme host target-site suffix match label rel media-type"},
	{"Filters of mail", "not-quoted since until from thread"},
	{"Filters of web archives", "status warc-type"},
	{"Output", "format line-number json csv arrow parquet file-size fields edges frontier null explain output html unique sort count canonical unresolved no-fragment unwrap redact iri color strict quiet"},
	{"Limits and large runs", "jobs memory max-entity split checkpoint"},
	{"Help", "help version"},
}

// auditGroups are the groups of "refract audit". "refract lsp" uses the first four and the last
// two, with the flags that it has.
var auditGroups = []flagGroup{
	{"Input", "glob hidden no-ignore config"},
	{"Where links lead", "site root suffixes index prefix generator slugs " + rulesFlags},
	{"What is reported", "rule no-rule ignore orphans tests baseline write-baseline changed-since"},
	{"Fixes", "fix dry-run fix-schemes"},
	{"Output", "format json output html routes anchors explain color strict quiet verbose"},
	{"Limits", "jobs max-entity cache"},
	{"Help", "help version"},
}

// groupsOf maps commands to their flag groups. Other commands have a single group.
var groupsOf = map[string][]flagGroup{
	"refract": rootGroups,
	"audit":   auditGroups,
	"lsp":     auditGroups,
	"resolve": {
		{"Input", "pairs typed"},
		{"Bases and resolution", "base relative-to " + rulesFlags + " two-readings compare"},
		{"Output", "json parts get check readers explain set query-remove escape canonical redact color strict"},
		{"Help", "help version"},
	},
	"rewrite": {
		{"Rules", "absolute relative root-relative map canonical unwrap"},
		{"URLs of documents", "url root " + rulesFlags},
		{"Filters", "kind scheme host target-site suffix match label rel"},
		{"Input", "type glob hidden no-ignore generator"},
		{"Output", "dry-run diff json color quiet jobs"},
		{"Help", "help version"},
	},
	"mv": {
		{"Moving", "dry-run redirects quiet"},
		{"What is read", "glob hidden no-ignore config"},
		{"Where links lead", "site root suffixes index prefix generator slugs " + rulesFlags},
		{"Findings that prevent a move", "rule no-rule ignore orphans tests baseline"},
		{"Limits", "jobs max-entity"},
		{"Help", "help version"},
	},
	"normalize": {
		{"Normal forms", "form"},
		{"Keys", "no-fragment no-index no-tracking no-session sort-query no-trailing-dot short-ipv6 idn surt canonical"},
		{"Output", "json null color"},
		{"Help", "help version"},
	},
}

// commonFlags lists the flags that -h shows.
var commonFlags = map[string]string{
	"refract":   "line-number format json unique count kind scheme host match type base url output html explain",
	"audit":     "fix dry-run site root generator slugs rule no-rule ignore orphans baseline format html explain verbose",
	"lsp":       "site root generator slugs rule no-rule ignore",
	"resolve":   "base rules pairs parts get set check compare explain json",
	"mv":        "dry-run redirects site root generator slugs glob quiet",
	"rewrite":   "absolute relative root-relative map canonical unwrap url root kind host match glob dry-run diff",
	"normalize": "form no-fragment no-tracking surt json",
}

// withoutUse lists flags of the root that have no effect in a subcommand.
var withoutUse = map[string]string{
	"audit":     "base two-readings",
	"lsp":       "base two-readings json color",
	"mv":        "base two-readings json color",
	"rewrite":   "base two-readings",
	"normalize": "base two-readings " + rulesFlags,
}

// findFlag returns a flag of c, or nil if help does not show it.
func findFlag(c *cobra.Command, name string) *pflag.Flag {
	f := c.LocalFlags().Lookup(name)
	if f == nil {
		f = c.InheritedFlags().Lookup(name)
	}
	if f == nil || f.Hidden || slices.Contains(strings.Fields(withoutUse[c.Name()]), name) {
		return nil
	}
	return f
}

// flagGroups returns the flags of c in groups, without empty groups.
func flagGroups(c *cobra.Command) (titles []string, flags [][]*pflag.Flag) {
	groups, ok := groupsOf[c.Name()]
	if !ok {
		var own []string
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) { own = append(own, f.Name) })
		groups = []flagGroup{{"Flags", strings.Join(append(own, "help version"), " ")}}
	}
	for _, g := range groups {
		var list []*pflag.Flag
		for name := range strings.FieldsSeq(g.flags) {
			if f := findFlag(c, name); f != nil {
				list = append(list, f)
			}
		}
		if list != nil {
			titles, flags = append(titles, g.title), append(flags, list)
		}
	}
	return titles, flags
}

// flagName returns the spelling of a flag, and a placeholder for its value.
func flagName(f *pflag.Flag) (name, value string) {
	value, _ = pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Name == "help" {
		return "-h, --help", ""
	}
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if value != "" && f.NoOptDefVal != "" {
		return name, "[=" + value + "]"
	}
	return name, value
}

// flagText returns the description of a flag, with its default, in one line. A description that does
// not use its placeholder begins with it, and with a colon, which are left out.
func flagText(f *pflag.Flag) string {
	value, text := pflag.UnquoteUsage(f)
	text = strings.TrimPrefix(strings.Join(strings.Fields(text), " "), value+": ")
	switch f.DefValue {
	case "", "false", "0", "[]":
	default:
		if !strings.Contains(text, "default") {
			text += " (default " + strings.Trim(f.DefValue, "[]") + ")"
		}
	}
	return text
}

// writeFlags writes a list of flags. Their descriptions are aligned, and wrapped at helpWidth.
func writeFlags(w io.Writer, flags []*pflag.Flag) {
	const indent = 28
	for _, f := range flags {
		name, value := flagName(f)
		if f.Shorthand == "" && f.Name != "help" {
			name = "    " + name
		}
		if value != "" && value[0] != '[' {
			name += " "
		}
		head := "  " + name + value
		lines := wrap(flagText(f), helpWidth-indent)
		if len(head) > indent-2 {
			fmt.Fprintln(w, head)
			head = ""
		}
		for _, line := range lines {
			fmt.Fprintf(w, "%-*s%s\n", indent, head, line)
			head = ""
		}
	}
}

// synopsis returns the ways to call c.
func synopsis(c *cobra.Command) []string {
	switch {
	case !c.HasParent():
		return []string{
			"refract [flags] [FILE|DIR|-]...       find URLs and resolve them",
			"refract resolve [--base URL] [REF]... resolve references given as arguments",
			"refract normalize [URL]...            normal forms of URLs, and keys to compare them",
			"refract audit [DIR|FILE]...           broken links and anchors in documentation",
			"refract mv OLD... NEW                 move documents, and edit the references to them",
			"refract rewrite RULE... [DIR|FILE]... edit the destinations of links in place",
			"refract lsp                           the audit as a language server, for editors",
		}
	case c.HasAvailableSubCommands():
		return []string{c.CommandPath() + " SHELL"} // completion
	case !c.Runnable():
		return []string{c.CommandPath()}
	}
	line := c.UseLine()
	if !strings.Contains(line, "[flags]") && c.HasAvailableLocalFlags() {
		line += " [flags]"
	}
	return []string{line}
}

// writeUsage writes the help about c, except for its description.
func writeUsage(w io.Writer, c *cobra.Command) {
	fmt.Fprintf(w, "Usage:\n")
	for _, line := range synopsis(c) {
		fmt.Fprintf(w, "  %s\n", line)
	}
	if c.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasParent() && c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nCommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-12s %s\n", sub.Name(), sub.Short)
			}
		}
	}
	titles, flags := flagGroups(c)
	for i, title := range titles {
		fmt.Fprintf(w, "\n%s:\n", title)
		writeFlags(w, flags[i])
	}
	if !c.HasParent() {
		fmt.Fprint(w, rootEnd)
	}
}

// writeHelp writes the --help text of c.
func writeHelp(w io.Writer, c *cobra.Command) {
	text := c.Long
	if text == "" {
		text = c.Short
	}
	fmt.Fprintf(w, "%s\n", strings.TrimRight(text, "\n"))
	if c.Runnable() || c.HasAvailableSubCommands() {
		fmt.Fprintln(w)
		writeUsage(w, c)
	}
}

// writeBrief writes the -h text of c: one screen.
func writeBrief(w io.Writer, c *cobra.Command) {
	names, ok := commonFlags[c.Name()]
	if !ok {
		writeHelp(w, c)
		return
	}
	fmt.Fprintf(w, "%s\n\nUsage:\n", c.Short)
	for _, line := range synopsis(c) {
		fmt.Fprintf(w, "  %s\n", line)
	}
	var flags []*pflag.Flag
	for name := range strings.FieldsSeq(names) {
		if f := findFlag(c, name); f != nil {
			flags = append(flags, brief(f))
		}
	}
	fmt.Fprintf(w, "\nCommon flags:\n")
	writeFlags(w, flags)
	fmt.Fprintf(w, "\n\"%s --help\" shows all flags, with examples.\n", c.CommandPath())
}

// brief returns a copy of f with a description short enough for one line or two.
func brief(f *pflag.Flag) *pflag.Flag {
	short := *f
	value, _ := pflag.UnquoteUsage(f)
	text := briefTexts[f.Name]
	if text == "" {
		text, _, _ = strings.Cut(strings.Join(strings.Fields(f.Usage), " "), ". ")
	}
	if value != "" && !strings.Contains(text, "`") {
		text = strings.Replace(text, value, "`"+value+"`", 1)
	}
	short.Usage = text
	return &short
}

// briefTexts holds shorter descriptions than those of --help.
var briefTexts = map[string]string{
	"count":     "print how often each `WHAT` appears: url, host or domain",
	"kind":      "only these `KIND`s: link, embed, text, ...; !KIND excludes",
	"scheme":    "only these `SCHEME`s",
	"type":      "read the inputs as `TYPE`, such as html (default: by name and first bytes)",
	"url":       "the inputs were retrieved from `URL`",
	"base":      "base `URL` for documents that have none",
	"output":    "write to `FILE`, which appears when it is complete",
	"rules":     "resolve by the `RULES` of a document, such as rfc1808 or whatwg (default rfc3986)",
	"generator": "look only for the configuration of site generator `NAME`, or for none",
	"slugs":     "make ids of headings as `FLAVOUR` does, such as github or mkdocs (default auto)",
	"html":      "also write an HTML page to `FILE`",
	"ignore":    "do not report references that match `GLOB`",
	"get":       "print only these `PARTS` of each result, such as host,query:id",
	"check":     "print where each REF breaks a `GRAMMAR`",
	"form":      "apply only these `FORM`s of normalization (default all)",
	"surt":      "reverse the labels of the host: `FORM` key, full or cdx",
}

// errShown ends a command that has shown its help.
const errShown = status(exitOK)

// addHelp gives root and its subcommands their help, and a command for it.
func addHelp(root *cobra.Command) {
	p := root.PersistentFlags()
	p.Bool("help", false, "-h prints the common flags, --help all flags")
	p.BoolP("brief-help", "h", false, "the common flags")
	p.MarkHidden("brief-help")
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if showVersion(c) {
			return
		}
		showHelp(c, writeHelp)
	})
	root.SetUsageFunc(func(c *cobra.Command) error {
		writeUsage(c.OutOrStderr(), c)
		return nil
	})
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Help about a command or a topic",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				var names []string
				for _, sub := range root.Commands() {
					names = append(names, sub.Name())
				}
				return badValue("help", strings.Join(args, " "), names)
			}
			about.SetOut(c.OutOrStdout())
			about.HelpFunc()(about, nil)
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, sub := range root.Commands() {
				names = append(names, sub.Name()+"\t"+sub.Short)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	})
}

// showVersion prints the version if c is a topic, or the parent of commands, and was given
// --version: cobra shows the help of what it cannot run.
func showVersion(c *cobra.Command) (shown bool) {
	wanted, err := c.Flags().GetBool("version")
	if err != nil || !wanted || c.Runnable() {
		return false
	}
	asJSON, _ := c.Flags().GetBool("json")
	return writeVersion(c.OutOrStdout(), asJSON) == nil
}

// showBrief shows the -h help, if -h was given.
func showBrief(c *cobra.Command) (shown bool) {
	if is, err := c.Flags().GetBool("brief-help"); err != nil || !is {
		return false
	}
	showHelp(c, writeBrief)
	return true
}
