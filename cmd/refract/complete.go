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

// flagValues returns the values that a shell offers for flags which take one of a few words, by
// the path of the command, a blank, and the name of the flag; those of all commands have no path.
func flagValues() map[string][]string {
	values := map[string][]string{
		"refract format": formatValues, "audit format": auditFormats(),
		"kind": scan.Kinds(), "label": labelNames(), "count": countValues, "prefer": preferValues,
		"target-site": siteValues, "color": colorValues, "canonical": canonicalNames(),
		"abbreviated": abbreviatedValues, "domains": domainsValues, "undo": extract.UndoNames(),
		"type": strings.Split(typeNames(), ", "), "rules": resolve.Names(), "csv": {"raw"},
		"generator": append(site.Names(), "none"), "slugs": append([]string{"auto"}, slug.Names()...),
		"check": resolve.GrammarNames(), "get": editable, "form": formNames,
		"idn": {"ascii", "unicode"}, "surt": {"key", "full"},
		"fields": selectable(), "media-type": {"text/html", "text/plain", "text/*", "message/rfc822"},
		"rel":    {"nofollow", "canonical", "alternate", "next", "prev", "license", "stylesheet", "icon", "noopener", "ugc", "sponsored"},
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

// directoryFlags are the flags whose values are directories; other values without a list are
// names of files or free text.
var directoryFlags = []string{"root"}

// completeValues lets shells complete the values of flags.
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

// completions returns the values that begin with what is typed: of a list, with its last item,
// behind "!" if that is there.
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
