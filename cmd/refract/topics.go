package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/delimit"
	"example.org/refract/resolve"
)

// resolutionTopic returns the topic about --resolution.
func resolutionTopic(*cli.Env) *cli.Command {
	return cli.LateTopic("resolution", "The rules of resolution and their options", resolutionText)
}

func resolutionText() string {
	var b strings.Builder
	b.WriteString("--resolution NAME selects the rules of one document. Options after commas change single points, as\nin rfc2396,above-root=remove:\n\n")
	for _, k := range resolve.Options() {
		fmt.Fprintf(&b, "  %s=%s\n        %s\n", k.Name, strings.Join(k.Values, "|"), k.Doc)
	}
	b.WriteString("\nThe first value of each is the one of rfc3986. The other documents differ from it in:\n\n")
	options := resolve.Options()
	for _, name := range resolve.RulesNames() {
		r, _ := resolve.RulesNamed(name)
		var differs []string
		if r.Browser {
			differs = append(differs, "as browsers do: the parser of the URL Standard, which escapes and has no options")
		}
		for _, k := range options {
			for _, v := range k.Values[1:] {
				if turned := r; turned.Set(k.Name, v) == nil && turned == r {
					differs = append(differs, k.Name+"="+v)
				}
			}
		}
		for i, line := range cli.Wrap(strings.Join(differs, " "), cli.HelpWidth-12) {
			if i > 0 {
				name = ""
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-9s %s", name, line), " ") + "\n")
		}
	}
	return b.String()
}

// schemesTopic returns the topic about schemes.
func schemesTopic(*cli.Env) *cli.Command {
	return cli.LateTopic("schemes", "What is known about each scheme", schemesText)
}

func schemesText() string {
	var b strings.Builder
	b.WriteString(`For each scheme: its default port, whether its URLs have a host and a user, whether they
can be a base, where they are defined, and their form. "refract resolve --parts" prints
the parts.

`)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	forms := []string{"form"}
	fmt.Fprintln(w, "  scheme\tport\thost\tuser\tbase\tdefined in")
	word := map[bool]string{true: "yes", false: "no"}
	for _, s := range resolve.Schemes() {
		port, form := "-", s.Form
		if s.Port > 0 {
			port = fmt.Sprint(s.Port)
		}
		if form == "" {
			form = "undefined"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\n", s.Name, port, s.Host, word[s.User && s.Host != resolve.HostNone], word[s.Base], s.Section)
		forms = append(forms, form)
	}
	w.Flush()
	// Put the form on a line of its own: few forms would fit beside the other columns within
	// helpWidth.
	for line := range strings.Lines(table.String()) {
		fmt.Fprintf(&b, "%s      %s\n", line, forms[0])
		forms = forms[1:]
	}
	w = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	b.WriteString("\n\"x-\" stands for every scheme that begins with it. Other schemes\nfollow the generic syntax, and can be a base.\n")
	b.WriteString("\nIn running text, a scheme is found before \"//\" and a host. These schemes have no \"//\";\nthey are found if the colon is followed by:\n\n")
	fmt.Fprintln(w, "  scheme\tfollowed by\tform defined in")
	for _, s := range delimit.Schemes() {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", s.Name, s.Proof, s.Source)
	}
	w.Flush()
	return b.String()
}
