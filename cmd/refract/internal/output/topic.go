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
A line of type not-checked has the reason in message. A line of type coverage counts the
internal links of a directory: checked, skipped, probed, found, and blind (would not be
reported if they were broken); or the links skipped or blind for one of twelve reasons, whose
text is in message. A probe is a link that would not be reported if changed were written
there; with --verbose, those without reason would be reported. A page has input, generator,
config (the file), url or why (it has none), aliases (other URLs), with --anchors anchors (id
and line), with --built also built (the file that shows it) and built_by (how it was found).
A redirect has input, from and to as written, and url, the path at which it applies.

"refract rewrite" prints lines of type rewritten, or not-rewritten with the reason in
message: input, line, column, offset, length, kind, how, in, raw, ref and url, and new_raw,
new_ref and new_url after the edit.

"refract resolve" also prints

  invalid, invalid_at      with --check: the first violation in ref, and its byte offset
  browsers, curl, python, go
                           with --readers: the host that each finds in ref, if any.
                           differs is true if they disagree
  query:NAME               with --get: the first parameter of that name. Other parts
                           have their names; a missing part is ""
  scheme, authority, user, password, host, port, path, query, fragment
                           with --parts: the components of the url. An empty component
                           is "", a missing one is left out
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
                           Parts are as written. If the octets that they mean differ, and
                           have no control character, they follow as NAME_decoded

"refract resolve --compare" prints lines of type comparison with ref, base and
  results                  each distinct result, that of the rules in force first: its
                           rules, url, error, same_document, fragment, step, and the
                           options that each cause the difference ("+" joins options
                           needed together)
With --relative-to, ref is the shortest reference to url; error says that there is none.`,
	})
}
