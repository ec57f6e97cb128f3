package output

import (
	"github.com/spf13/cobra"

	"example.org/refract/cmd/refract/internal/cli"
)

// Topic returns the topic that describes the lines of --json, made from the table of their
// fields.
func Topic(*cli.Env) *cli.Command {
	return cli.NewTopic(&cobra.Command{
		Use:   "json",
		Short: "The lines of --json",
		Long: `Each line is a flat object. Unknown values are left out. Fields may be added, but
are not removed. "type" is reference, note or error; for audit also finding, not-checked
(with --verbose), coverage, probe (with --self-test), and page (with --routes); count
with --count; the last line is summary.

` + fieldHelp() + `
A line of type not-checked has the reason in message. Lines of type coverage have how many
internal links were checked and skipped in the documents of a directory, how many
of these were probed and found, and how many would not be reported if they were broken
(blind); or how many were skipped, or are blind, for a reason, which is one of twelve names,
and the text of it in message. A
probe is a link that would not be reported if changed were written there (with --verbose,
all are listed, and those without reason would be reported). A page has input, generator, config
(the configuration file of its site), url or why (it has none), aliases (its other URLs)
and, with --anchors, anchors: id and line of each; with --built also built, the file that
shows it, and built_by, how that was found. A redirect has input, from and to as written
there, and url, the path at which it applies.

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
                           options, each of which causes the difference from the first; "+"
                           joins options that are needed together
With --relative-to, ref is the shortest reference, and url the given URL, to which ref
resolves; error says that there is none.`,
	})
}
