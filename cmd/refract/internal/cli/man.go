package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/internal/input"
)

// Manual returns the command that writes manual pages.
func Manual(env *Env) *Command {
	return NewTopic(&cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages to a directory",
		Long: `Man writes a manual page for each command and each help topic into DIR, and creates DIR if
necessary. "man DIR/refract.1" shows a page; in a directory such as
/usr/local/share/man/man1, "man refract" finds it.`,
		Example: `  refract man man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("man: give the directory for the pages: refract man DIR")
			}
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return fmt.Errorf("man %q: %w", args[0], input.CauseOf(err))
			}
			return env.Root.writeManuals(env.Root.Command, args[0], cmd)
		},
	})
}

// writeManuals writes the pages of c and its subcommands into dir, and prints their names to the
// output of shown.
func (root *Command) writeManuals(c *cobra.Command, dir string, shown *cobra.Command) error {
	if c.Name() == "help" || c.Hidden {
		return nil
	}
	page := root.Of(c)
	if page.Late != nil {
		c.Long = page.Late()
	}
	name := filepath.Join(dir, manualName(c))
	if err := os.WriteFile(name, page.manual(), 0o666); err != nil {
		return fmt.Errorf("man %q: %w", name, input.CauseOf(err))
	}
	fmt.Fprintln(shown.OutOrStdout(), filepath.ToSlash(name))
	for _, sub := range c.Commands() {
		if err := root.writeManuals(sub, dir, shown); err != nil {
			return err
		}
	}
	return nil
}

// manualName returns the name of the page about c, with its section: 1 for commands, 7 for topics.
func manualName(c *cobra.Command) string {
	section := ".1"
	if !c.Runnable() && !c.HasSubCommands() {
		section = ".7"
	}
	return strings.ReplaceAll(c.CommandPath(), " ", "-") + section
}

// manual returns the page about c, in the macros of man(7). It has no date, so that the same
// program always writes the same page.
func (c *Command) manual() []byte {
	var b bytes.Buffer
	name, section, _ := strings.Cut(manualName(c.Command), ".")
	fmt.Fprintf(&b, ".TH %s %s \"\" \"%s\" \"refract\"\n", roff(strings.ToUpper(name)), section, roff("refract "+readBuild().Version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Short))
	if section == "1" {
		b.WriteString(".SH SYNOPSIS\n.nf\n")
		for _, u := range c.synopsis() {
			fmt.Fprintf(&b, "\\fB%s\\fR\n", roff(u.call))
		}
		b.WriteString(".fi\n")
	}
	if c.Long != "" {
		b.WriteString(".SH DESCRIPTION\n")
		manualText(&b, c.Long)
	}
	var groups []FlagGroup
	if section == "1" {
		b.WriteString(".SH OPTIONS\n")
		groups = c.Groups()
	}
	for _, g := range groups {
		fmt.Fprintf(&b, ".SS %s\n", roff(g.Title))
		for _, f := range g.Flags {
			name, value := flagName(f)
			if value != "" && value[0] != '[' {
				value = " \\fI" + roff(value) + "\\fR"
			}
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR%s\n%s\n", roff(name), value, roff(flagText(f)))
		}
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	if c.End != "" {
		b.WriteString(".SH NOTES\n")
		manualText(&b, c.End)
	}
	var others []string
	for _, other := range append(c.Root().Commands(), c.Root()) {
		if other != c.Command && other.Name() != "help" && !other.Hidden {
			name, section, _ := strings.Cut(manualName(other), ".")
			others = append(others, fmt.Sprintf(".BR %s (%s)", roff(name), section))
		}
	}
	fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(others, ",\n"))
	return b.Bytes()
}

// manualText writes a text: it fills paragraphs, and leaves indented lines as they are.
func manualText(b *bytes.Buffer, text string) {
	for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		if strings.HasPrefix(paragraph, " ") || strings.Contains(paragraph, "\n ") {
			fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", roff(paragraph))
			continue
		}
		fmt.Fprintf(b, ".PP\n%s\n", roff(paragraph))
	}
}

// roff quotes text: "\" begins an escape, "-" would become a hyphen, and "." and "'" begin a
// request at the start of a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
