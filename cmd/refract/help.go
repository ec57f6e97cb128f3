package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"example.org/refract/delimit"
	"example.org/refract/resolve"
)

// jsonTopic returns the topic that describes the lines of --json, made from the table of their
// fields.
func jsonTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "json",
		Short: "The lines of --json",
		Long: `Each line is a flat object. Unknown values are left out. Fields may be added, but
are not removed. "type" is reference, note or error; for audit also finding, not-judged
(with --verbose) and page (with --routes); count with --count; the last line is summary.

` + fieldHelp() + `
A line of type not-judged has the reason in message. A page has input, generator, config
(the configuration file of its site), url or why (it has none), aliases (its other URLs)
and, with --anchors, anchors: id and line of each.

"refract rewrite" prints lines of type rewritten, or not-rewritten with the reason in
message: input, line, column, offset, length, kind, how, in, raw, ref and url as above, and
new_raw, new_ref and new_url: the same after the edit.

"refract resolve" also prints

  invalid, invalid_at      with --check: the first violation in ref, in words, and its
                           offset in bytes
  browsers, curl, python, go
                           with --readers: the host that each finds in ref; missing if it
                           finds none or rejects the URL. differs is true if they disagree
  query:NAME               with --get: the first parameter of that name. --get prints other
                           parts under their names; a missing part is ""
  scheme, authority, user, password, host, port, path, query, fragment
                           with --parts: the components of the url. An empty component is
                           "", a missing one is left out, one that is not UTF-8 is base64
                           under its name with _b64
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
                           Parts are as written. If the octets that the scheme sends or
                           means differ, they follow under the name with _decoded, unless
                           they contain a control character

"refract resolve --compare" prints lines of type comparison with ref, base and
  results                  each distinct result, that of the rules in force first: rules
                           (that give it), url, error, same_document, fragment, step, and
                           knobs, each of which causes the difference from the first; "+"
                           joins knobs that are needed together
With --relative-to, ref is the shortest reference, and url the given URL, to which ref
resolves; error says that there is none.`,
	}
}

// lateTexts maps the names of topics that are slow to make to functions that make them.
var lateTexts = map[string]func() string{"rules": rulesTopic, "schemes": schemesTopic}

// lateTopic returns a topic whose text is made only when it is shown.
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
	b.WriteString("--rules selects the rules of one document. A flag overrides each point in which they differ:\n\n")
	for _, k := range resolve.Knobs() {
		fmt.Fprintf(&b, "  --%s %s\n        %s\n", k.Name, strings.Join(k.Values, "|"), k.Doc)
	}
	b.WriteString("\nThe first value of each is the one of rfc3986. The other documents differ from it in:\n\n")
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
