package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/internal/config"
)

// completeValues enables shell completion for the values of flags, and keeps flags that cannot be combined from being
// offered together.
func completeValues(root *Command) {
	for _, c := range append(root.Subs, root) {
		for i := range c.List {
			if f := &c.List[i]; f.Var != nil {
				c.complete(f)
				declared := c.Flag(f.Name) // a shell shows its text as it is
				declared.Usage = strings.ReplaceAll(declared.Usage, "`", "")
			}
		}
	}
}

// complete does that for one flag.
func (c *Command) complete(f *Flag) {
	for other := range strings.FieldsSeq(f.Not) {
		c.MarkFlagsMutuallyExclusive(f.Name, other)
	}
	if f.Holds == config.Directory {
		c.MarkFlagDirname(f.Name)
	}
	if f.Values == nil {
		return
	}
	list, isList := f.Values(), c.Flag(f.Name).Value.Type() == "stringSlice"
	complete := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return completions(list, typed, isList), cobra.ShellCompDirectiveNoFileComp
	}
	if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
		panic(err)
	}
}

// completions returns the values that begin with typed. In a list, it completes the last item. It
// keeps a "!" in front of the value.
func completions(values []string, typed string, isList bool) (all []string) {
	before := ""
	if isList {
		before = typed[:strings.LastIndexByte(typed, ',')+1]
		if strings.HasPrefix(typed[len(before):], "!") {
			before += "!"
		}
	}
	for _, v := range values {
		if strings.HasPrefix(v, typed[len(before):]) {
			all = append(all, before+v)
		}
	}
	return all
}

// completionPlaces tells the help where each shell expects its script.
var completionPlaces = map[string]string{
	"bash": `The script needs the package bash-completion. In the current shell:

  source <(refract completion bash)

In every new shell:

  refract completion bash >~/.local/share/bash-completion/completions/refract`,
	"zsh": `In the current shell, after compinit:

  source <(refract completion zsh)

In every new shell, for a directory in $fpath:

  refract completion zsh >"${fpath[1]}/_refract"`,
	"fish": `In the current shell:

  refract completion fish | source

In every new shell:

  refract completion fish >~/.config/fish/completions/refract.fish`,
	"powershell": `In the current shell:

  refract completion powershell | Out-String | Invoke-Expression

In every new shell: add this line to $PROFILE.`,
}

// AddCompletion adds the command that prints completion scripts, with help in the style of the
// other commands.
func AddCompletion(root *Command) {
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find([]string{"completion"})
	if err != nil || c == root.Command {
		panic("no command completion")
	}
	c.Short = "Print a script that completes commands and flags in a shell"
	c.Long = `Completion prints a script with which a shell completes commands, flags and the values of
flags. "refract completion SHELL --help" says where to put it.`
	var shells []string
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return BadValue("completion", args[0], shells)
		}
		return c.Help()
	}
	for _, sub := range c.Commands() {
		shells = append(shells, sub.Name())
		sub.Short = "Print the script for " + sub.Name()
		sub.Long = "Prints the completion script for " + sub.Name() + ".\n\n" + completionPlaces[sub.Name()]
	}
}
