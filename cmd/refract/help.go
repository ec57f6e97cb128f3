package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"example.org/refract/delimit"
	"example.org/refract/resolve"
)

// jsonTopic describes the lines of --json, from the table of their fields.
func jsonTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "json",
		Short: "The lines of --json",
		Long: `Each line is a flat object. What is not known is left out; fields are only ever
added. "type" is reference, note, error, of audit finding, with --verbose not-judged, with
--routes page, with --count count, or, in the last line, summary.

` + fieldHelp() + `
Of not-judged, message is the reason. A page has input, generator and config, the
configuration file, of its site, url, aliases (other URLs of it), why it has no url, and with
--anchors anchors: id and line of each.

"refract resolve" also has

  invalid, invalid_at      with --check: the first offence of ref in words, and its
                           offset in bytes
  browsers, curl, python, go
                           with --readers: the host that each finds in ref, left out if it
                           finds none or refuses the URL; differ says that they do
  query:NAME               with --get: the first parameter of that name; --get has other
                           parts under their names, one that is not there as ""
  scheme, authority, user, password, host, port, path, query, fragment
                           with --parts: the parts of the url. One that is empty is "",
                           one that is not there is left out, one that is not UTF-8
                           stands as base64 under its name and _b64
  directories, name, typecode                            ftp
  gophertype, selector, search, gopher_plus              gopher
  addresses, fields                                      mailto
  group, article, all                                    news, snews, nntp
  database, search, wtype, wpath                         wais
  host_class, drive, directories, name                   file: local, remote or unc
  object, fields                                         prospero
  message_id, content_id                                 mid, cid
  mediatype, encoding, data                              data
  number, parameters                                     tel
  nid, nss, r_component, q_component                     urn
                           addresses, directories, fields and parameters are arrays.
                           A part is as written; where its octets are what the scheme
                           sends or means, they follow if they differ, under its name
                           and _decoded, unless they hold a control character

"refract resolve --compare" puts out comparisons: "type" comparison, "ref", "base" and
  results                  each distinct result, that of the rules in force first, with
                           rules (which give it), url, error, same_document, fragment
                           and step, and
                           knobs, each of which makes the difference to the first; "+"
                           joins those that do so together
With --relative-to, "ref" is the answer, and "url" the URL that was given and that it
leads to; "error" says that none does.`,
	}
}

// lateTexts are the texts of topics that take a while to make, by the names of these.
var lateTexts = map[string]func() string{"rules": rulesTopic, "schemes": schemesTopic}

// lateTopic returns a topic whose text is made when it is shown.
func lateTopic(name, short string) *cobra.Command {
	topic := &cobra.Command{Use: name, Short: short}
	topic.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long = lateTexts[name]()
		c.Parent().HelpFunc()(c, args)
	})
	return topic
}

func rulesTopic() string {
	var b strings.Builder
	b.WriteString("--rules takes the rules of one document. Where they differ, single flags overrule it:\n\n")
	for _, k := range resolve.Knobs() {
		fmt.Fprintf(&b, "  --%s %s\n        %s\n", k.Name, strings.Join(k.Values, "|"), k.Doc)
	}
	b.WriteString("\nThe first value is that of rfc3986.\n\n")
	knobs := resolve.Knobs()
	for _, name := range resolve.Names() {
		r, _ := resolve.Named(name)
		var differs []string
		if r.Browser {
			differs = append(differs, "as browsers do: the parser of the URL Standard, which escapes and has no knobs")
		}
		for _, k := range knobs {
			for _, v := range k.Values[1:] {
				if turned := r; turned.Set(k.Name, v) == nil && turned == r {
					differs = append(differs, k.Name+"="+v)
				}
			}
		}
		for i, line := range wrap(strings.Join(differs, " "), helpWidth-12) {
			if i > 0 {
				name = ""
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-9s %s", name, line), " ") + "\n")
		}
	}
	return b.String()
}

func schemesTopic() string {
	var b strings.Builder
	b.WriteString(`What is known of each scheme: its default port, whether its URLs have a host and a
user, whether relative references can be resolved against them, where they are
defined, and their form, whose parts "refract resolve --parts" shows.

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
	// The form has a line of its own: beside the rest, few would fit in helpWidth.
	for line := range strings.Lines(table.String()) {
		fmt.Fprintf(&b, "%s      %s\n", line, forms[0])
		forms = forms[1:]
	}
	w = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	b.WriteString("\n\"x-\" stands for every scheme that begins with it. Schemes that are not listed are\nread by the generic syntax, and can be a base.\n")
	b.WriteString("\nIn running text a scheme is found before \"//\" and a host. These schemes have no \"//\", and\nare found where this follows the colon:\n\n")
	fmt.Fprintln(w, "  scheme\tfollowed by\tform defined in")
	for _, s := range delimit.Schemes() {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", s.Name, s.Proof, s.Source)
	}
	w.Flush()
	return b.String()
}
