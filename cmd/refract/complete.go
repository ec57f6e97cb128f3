package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/audit"
	"example.org/refract/audit/site"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/resolve"
)

// flagValues returns the values that a shell offers for flags with a fixed set of values. The keys
// are the path of the command, a space, and the name of the flag; for flags of all commands, the
// name alone.
func flagValues() map[string][]string {
	values := map[string][]string{
		"refract format": formatValues, "audit format": auditFormats(), "rewrite canonical": rewritable(),
		"kind": scan.Kinds(), "label": labelNames(), "count": countValues, "prefer": preferValues,
		"target-site": siteValues, "color": colorValues, "canonical": canonicalNames(),
		"abbreviated": abbreviatedValues, "domains": domainsValues, "undo": extract.UndoNames(),
		"type": strings.Split(typeNames(), ", "), "rules": resolve.Names(), "csv": {"raw"},
		"generator": append(site.Names(), "none"), "slugs": append([]string{"auto"}, slug.Names()...),
		"check": resolve.GrammarNames(), "get": editable, "form": formNames,
		"idn": {"ascii", "unicode"}, "surt": {"key", "full", "cdx"},
		"fields": selectable(), "media-type": {"text/html", "text/plain", "text/*", "message/rfc822"},
		"rel":    {"nofollow", "canonical", "alternate", "next", "prev", "license", "stylesheet", "icon", "noopener", "ugc", "sponsored"},
		"status": {"200", "2xx", "3xx", "4xx", "5xx"}, "warc-type": recordTypes,
		"suffix": {".pdf", ".html", ".md", ".zip", ".png", ".jpg"},
	}
	for _, r := range audit.Rules() {
		values["rule"] = append(values["rule"], string(r)+"\t"+r.About())
	}
	values["no-rule"] = values["rule"]
	for _, s := range resolve.Schemes() {
		values["scheme"] = append(values["scheme"], s.Name)
	}
	for _, k := range resolve.Knobs() {
		values[k.Name] = k.Values
	}
	return values
}

// directoryFlags lists the flags whose values are directories. Values of the remaining flags are
// file names or free text.
var directoryFlags = []string{"root"}

// completeValues enables shell completion for the values of flags.
func completeValues(root *cobra.Command) {
	values := flagValues()
	for _, c := range append(root.Commands(), root) {
		register := func(f *pflag.Flag) {
			list, ok := values[c.Name()+" "+f.Name]
			if !ok {
				list, ok = values[f.Name]
			}
			if !ok {
				return
			}
			complete := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				return completions(list, typed, f.Value.Type() == "stringSlice"), cobra.ShellCompDirectiveNoFileComp
			}
			if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
				panic(err)
			}
		}
		c.LocalNonPersistentFlags().VisitAll(register)
		if !c.HasParent() {
			c.PersistentFlags().VisitAll(register)
		}
		for _, name := range directoryFlags {
			if c.Flags().Lookup(name) != nil {
				c.MarkFlagDirname(name)
			}
		}
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

// addCompletion adds the command that prints completion scripts, with help in the style of the
// other commands.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find([]string{"completion"})
	if err != nil || c == root {
		panic("no command completion")
	}
	c.Short = "Print a script that completes commands and flags in a shell"
	c.Long = `Completion prints a script with which a shell completes commands, flags and the values of
flags. "refract completion SHELL --help" says where to put it.`
	var shells []string
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return badValue("completion", args[0], shells)
		}
		return c.Help()
	}
	for _, sub := range c.Commands() {
		shells = append(shells, sub.Name())
		sub.Short = "Print the script for " + sub.Name()
		sub.Long = "Prints the completion script for " + sub.Name() + ".\n\n" + completionPlaces[sub.Name()]
	}
}
