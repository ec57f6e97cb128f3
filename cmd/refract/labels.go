package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

// invalidAuthority is the label of a URL that no escaping makes valid.
const invalidAuthority = "invalid-authority"

// labelsOf returns the labels of a reference: the risks of its text and of its URL, which may
// differ, and what its place in the document says.
func labelsOf(r *extract.Reference) (labels []string) {
	if r.InvalidAuthority {
		labels = append(labels, invalidAuthority)
	}
	labels = append(labels, (resolve.Risks(r.URL) | resolve.Risks(r.Ref)).Names()...)
	return append(labels, r.Labels.Names()...)
}

// labelNames returns all labels.
func labelNames() []string {
	all := append([]string{invalidAuthority}, resolve.AnyLabel.Names()...)
	return append(all, scan.LabelNames()...)
}

func checkLabels(names []string) error {
	all := labelNames()
	for _, name := range names {
		name = strings.TrimPrefix(name, "!")
		if !slices.Contains(all, name) {
			return badValue("--label", name, all)
		}
	}
	return nil
}

var labelsTopic = &cobra.Command{
	Use:   "labels",
	Short: "What --label and the labels of --json mean",
	Long: `Labels say what there is to beware of in a URL (section 7). Nothing is fetched or
looked up to find them: a URL without labels is not thereby harmless.

  invalid-authority    the host or what stands beside it cannot be made valid
  port-nondefault      a port other than the scheme's
  port-reserved        such a port, from 1 to 1023
  encoded-control      %00 to %1F or %7F, which are never decoded; but not the tabs
                       and the Gopher+ string of a gopher URL
  userinfo             something in front of the host and "@": a name, a password
  password             a password in front of the host; --redact prints *** for it
  gopher-lineend       gopher with an encoded line end, or to port 25
  userinfo-spoof       what stands before "@" looks like a host
  ambiguous-authority  browsers find another host: "\", a tab, http:/x, http:///x
  ip-host              an IP address in place of a name
  numeric-host         an IPv4 address in disguise: 0x7f.1, 2130706433, 0177.1, %31%32%37.0.0.1
  loopback             127.0.0.0/8, 0.0.0.0/8, ::1, ::, localhost; this and the next two also
                       of the IPv4 address that an IPv6 address holds: 64:ff9b::7f00:1
  private-host         10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7,
                       .internal, .home.arpa
  link-local           169.254.0.0/16, fe80::/10, .local
  active-scheme        javascript, vbscript, blob, and data with HTML, SVG or XML
  mixed-script         a label of the host mixes scripts that are not written together
  confusable           a label of the host looks like an ASCII one
  encoded-delimiter    %2F, %3A, %40, %5C, %23 or %3F in the host
  lookalike-delimiter  a character in the authority that looks like one of / ? # : @ \
  mapped-host          another host once it is mapped: ⓔⓧ.com is ex.com (UTS 46)
  second-hash          a second "#": it is put out as %23, which --rules whatwg does not do
  bidi                 a mark of direction, encoded or not
  invisible            a character that is not seen, encoded or not

Others say what there is to know about where a reference stands:

  lazy                 in an attribute that only scripts read: data-src and the like
  noscript             followed only without scripts
  template             in a template, which is shown only when a script copies it
  conditional          in a conditional comment (--conditional)
  speculative          not by its format a reference, but it looks like one
  overridden           another attribute counts: xlink:href beside href
  front-matter         a value of the metadata in front of Markdown
  unused               a link definition that nothing refers to
  alternative          in one of several forms of the same content of a message
  include              the file that is named is made a part of the document
  output               in the output of a program that the document records
  guess                the document does not say what its target is: the form is assumed
  may-continue         ends with its line, and the next line begins like the rest of
                       it: "alternatives" has the URL with that`,
}
