package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Help has two lengths: -h shows the most common flags, --help shows all, in groups. A manual page
// has the same content as --help.

// HelpWidth is the maximum width of help, in columns.
const HelpWidth = 100

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

// flagText returns the description of a flag, with its default, in one line. It leaves out a placeholder
// and colon at the start, for a description that does not use its placeholder.
func flagText(f *pflag.Flag) string {
	value, _ := pflag.UnquoteUsage(f)
	return strings.TrimPrefix(flagAbout(f), value+": ")
}

// flagAbout is flagText without leaving anything out.
func flagAbout(f *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(f)
	text = strings.Join(strings.Fields(text), " ")
	switch f.DefValue {
	case "", "false", "0", "[]":
	default:
		if !strings.Contains(text, "default") {
			text += " (default " + strings.Trim(f.DefValue, "[]") + ")"
		}
	}
	return text
}

// About returns the description of a flag of c, with the form of its value, as in --help.
func (c *Command) About(name string) string { return flagAbout(c.Flag(name)) }

// Brief is About with the shorter text of -h, if the flag has one.
func (c *Command) Brief(name string) string {
	if c.known(name).Brief == "" {
		return c.About(name)
	}
	return flagAbout(c.brief(c.Flag(name)))
}

// writeFlags writes a list of flags. Their descriptions are aligned, and wrapped at HelpWidth.
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
		lines := Wrap(flagText(f), HelpWidth-indent)
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

// A usage is a way to call a command, and what that is for.
type usage struct{ call, about string }

// synopsis returns the ways to call c.
func (c *Command) synopsis() []usage {
	switch {
	case !c.HasParent():
		return []usage{
			{"refract [flags] [FILE|DIR|-]...", "find URLs and resolve them"},
			{"refract resolve [--base URL] [REF]...", "resolve references given as arguments"},
			{"refract normalize [URL]...", "normal forms of URLs, and keys to compare them"},
			{"refract audit [DIR|FILE]...", "broken links and anchors in documentation"},
			{"refract mv OLD... NEW", "move documents, and edit the references to them"},
			{"refract rewrite RULE... [DIR|FILE]...", "edit the destinations of links in place"},
			{"refract lsp", "the audit as a language server, for editors"},
			{"refract init [DIR]", "a configuration, and jobs for CI"},
		}
	case c.HasAvailableSubCommands():
		return []usage{{call: c.CommandPath() + " SHELL"}} // completion
	case !c.Runnable():
		return []usage{{call: c.CommandPath()}}
	}
	line := c.UseLine()
	if !strings.Contains(line, "[flags]") && c.HasAvailableLocalFlags() {
		line += " [flags]"
	}
	return []usage{{call: line}}
}

// writeSynopsis writes the ways to call c, with what they are for in a column.
func (c *Command) writeSynopsis(w io.Writer) {
	lines, width := c.synopsis(), 0
	for _, u := range lines {
		width = max(width, len(u.call))
	}
	for _, u := range lines {
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("  %-*s %s", width, u.call, u.about), " "))
	}
}

// writeUsage writes the help about c, except for its description.
func writeUsage(w io.Writer, c *Command) {
	fmt.Fprintf(w, "Usage:\n")
	c.writeSynopsis(w)
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
	for _, g := range c.Groups() {
		fmt.Fprintf(w, "\n%s:\n", g.Title)
		writeFlags(w, g.Flags)
	}
}

// writeHelp writes the --help text of c: what it does, how to call it, its flags, and then the rest.
func writeHelp(w io.Writer, c *Command) {
	if !c.Runnable() && !c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "%s\n", strings.TrimRight(cmp.Or(c.Long, c.Short), "\n"))
		return
	}
	fmt.Fprintf(w, "%s\n\n", c.Short)
	writeUsage(w, c)
	if c.Long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.Trim(c.Long, "\n"))
	}
	fmt.Fprint(w, c.End)
}

// WriteBrief writes the -h text of c: one screen.
func WriteBrief(w io.Writer, c *Command) {
	if c.Common == "" {
		writeHelp(w, c)
		return
	}
	fmt.Fprintf(w, "%s\n\nUsage:\n", c.Short)
	c.writeSynopsis(w)
	if c.Example != "" {
		const most = 3
		lines := strings.SplitN(c.Example, "\n", most+1)
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.Join(lines[:min(most, len(lines))], "\n"))
	}
	var flags []*pflag.Flag
	for name := range strings.FieldsSeq(c.Common) {
		flags = append(flags, c.brief(c.Flag(name)))
	}
	fmt.Fprintf(w, "\nCommon flags:\n")
	writeFlags(w, flags)
	fmt.Fprintf(w, "\n\"%s --help\" shows all flags, with examples.\n", c.CommandPath())
}

// brief returns a copy of f with a description short enough for one line or two.
func (c *Command) brief(f *pflag.Flag) *pflag.Flag {
	short := *f
	value, _ := pflag.UnquoteUsage(f)
	text := c.known(f.Name).Brief
	if text == "" {
		text, _, _ = strings.Cut(strings.Join(strings.Fields(f.Usage), " "), ". ")
	}
	if value != "" && !strings.Contains(text, "`") {
		text = strings.Replace(text, value, "`"+value+"`", 1)
	}
	short.Usage = text
	return &short
}

// AddHelp gives root and its subcommands their help, and a command for it.
func AddHelp(root *Command) {
	root.SetHelpFunc(func(inner *cobra.Command, _ []string) {
		c := root.Of(inner)
		if c.showVersion() {
			return
		}
		if c.Late != nil {
			c.Long = c.Late()
		}
		c.ShowHelp(writeHelp)
	})
	root.SetUsageFunc(func(c *cobra.Command) error {
		writeUsage(c.OutOrStderr(), root.Of(c))
		return nil
	})
	isSchema := false
	help := &cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Help about a command or a topic",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				var names []string
				for _, sub := range root.Commands() {
					names = append(names, sub.Name())
				}
				return BadValue("help", strings.Join(args, " "), names)
			}
			if isSchema {
				return writeSchema(c.OutOrStdout(), root.Of(about))
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
	}
	help.Flags().BoolVar(&isSchema, "schema", false, "with config: print a JSON schema of .refract.yaml")
	root.SetHelpCommand(help)
}

func writeSchema(w io.Writer, c *Command) error {
	if c.Schema == nil {
		return errors.New("help: --schema is only for \"refract help config --schema\"")
	}
	_, err := w.Write(c.Schema())
	return err
}

// showVersion prints the version if c is a topic, or the parent of commands, and was given --version: cobra
// shows the help of commands that it cannot run.
func (c *Command) showVersion() (shown bool) {
	wanted, err := c.Flags().GetBool("version")
	if err != nil || !wanted || c.Runnable() {
		return false
	}
	asJSON, _ := c.Flags().GetBool("json")
	return WriteVersion(c.OutOrStdout(), asJSON) == nil
}

// ShowBrief shows the -h help, if -h was given.
func (c *Command) ShowBrief() (shown bool) {
	if is, err := c.Flags().GetBool("brief-help"); err != nil || !is {
		return false
	}
	c.ShowHelp(WriteBrief)
	return true
}

// reportHelp makes errors of writing help available, which cobra drops.
func reportHelp(root *Command) *checkedWriter {
	w := &checkedWriter{}
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		w.w = c.OutOrStdout()
		c.SetOut(w)
		c.SetErr(io.Discard) // cobra prints the error that run reports
		show(c, args)
	})
	return w
}

// Wrap breaks s at spaces into lines of at most width bytes.
func Wrap(s string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// LargeRuns is the name of the topic about large runs.
const LargeRuns = "large-runs"

// LargeRunsTopic returns the topic that shows the flags of the main command for large runs.
func LargeRunsTopic(env *Env) *Command {
	return LateTopic(LargeRuns, "Flags for archives and crawls", func() string {
		var b strings.Builder
		b.WriteString(`Flags of "refract" for archives and crawls: to divide them among workers, to continue
after an interruption, to write tables, and to fetch again what is damaged.

`)
		writeFlags(&b, env.Root.In(LargeRuns))
		b.WriteString(`
Examples:
  refract --split 1G list.mbox | parallel --pipe -N1 refract --files-from -
  refract -o urls.txt --checkpoint state archive/    again, to continue
  refract --parquet urls --sort-by url *.warc.gz
`)
		return b.String()
	})
}

// LateTopic returns a topic whose text is made only when it is shown.
func LateTopic(name, short string, text func() string) *Command {
	topic := NewTopic(&cobra.Command{Use: name, Short: short})
	topic.Late = text
	return topic
}
