package filter

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve/risk"
)

// InvalidAuthority is the label of a URL that remains invalid however it is escaped.
const InvalidAuthority = "invalid-authority"

// labelsOf returns the labels of a reference.
func labelsOf(r *extract.Reference) []string {
	risks, _ := RisksOf(r)
	return AppendLabelNames(nil, r, risks)
}

// RisksOf returns the risks of a reference: those of its text and of its URL, which may differ. isPlain
// says that the text is [risk.IsPlain].
func RisksOf(r *extract.Reference) (risks risk.Labels, isPlain bool) {
	isPlain = risk.IsPlain(r.Ref)
	if !isPlain {
		risks = risk.Of(r.Ref)
	}
	if !bytes.Equal(r.Ref, r.URL) {
		risks |= risk.Of(r.URL)
	}
	return risks, isPlain
}

// AppendLabelNames appends to list the labels of a reference with these risks, and those that follow from
// its place in the document.
func AppendLabelNames(list []string, r *extract.Reference, risks risk.Labels) []string {
	if r.InvalidAuthority {
		list = append(list, InvalidAuthority)
	}
	for l := risks; l != 0; l &= l - 1 {
		list = append(list, riskNames[bits.TrailingZeros32(uint32(l))])
	}
	for l := r.Labels; l != 0; l &= l - 1 {
		list = append(list, placeNames[bits.TrailingZeros32(uint32(l))])
	}
	return list
}

// The names of labels, by bit.
var riskNames, placeNames = risk.AnyLabel.Names(), scan.LabelNames()

// LabelNames returns all labels.
func LabelNames() []string {
	all := append([]string{InvalidAuthority}, risk.AnyLabel.Names()...)
	return append(all, scan.LabelNames()...)
}

func checkLabels(names []string) error {
	all := LabelNames()
	for _, name := range names {
		name = strings.TrimPrefix(name, "!")
		if !slices.Contains(all, name) {
			return cli.BadValue("--label", name, all)
		}
	}
	return nil
}

// Topic returns the topic of the help about labels.
func Topic(*cli.Env) *cli.Command {
	return cli.NewTopic(&cobra.Command{
		Use:   "labels",
		Short: "What --label and the labels of --json mean",
		Long: `Labels name what to be careful about in a URL (RFC 3986 section 7). They are found
offline: a URL without labels is not necessarily harmless.

  invalid-authority    the host, user or port cannot be made valid by escaping
  port-nondefault      a port other than the default of the scheme
  port-reserved        such a port in the range 1 to 1023
  encoded-control      %00 to %1F or %7F, which are never decoded; excludes the tabs and
                       the Gopher+ string of gopher URLs
  userinfo             user information before "@"
  password             a password in the user information; --redact prints *** instead
  gopher-lineend       a gopher URL with an encoded line end, or for port 25
  userinfo-spoof       user information that looks like a host
  ambiguous-authority  browsers find another host: "\", a tab, http:/x, http:///x
  ip-host              an IP address as the host
  numeric-host         a disguised IPv4 address: 0x7f.1, 2130706433, 0177.1, %31%32%37.0.0.1
  loopback             127.0.0.0/8, 0.0.0.0/8, ::1, ::, localhost; this and the next two
                       also for the IPv4 address inside an IPv6 address: 64:ff9b::7f00:1
  private-host         10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7,
                       .internal, .home.arpa
  link-local           169.254.0.0/16, fe80::/10, .local
  active-scheme        javascript, vbscript, blob, and data with HTML, SVG or XML
  mixed-script         a label of the host mixes scripts that do not belong together
  confusable           a label of the host looks like an ASCII one
  encoded-delimiter    %2F, %3A, %40, %5C, %23 or %3F in the host
  lookalike-delimiter  a character in the authority that looks like / ? # : @ or \
  mapped-host          the host changes when it is mapped: ⓔⓧ.com is ex.com (UTS 46)
  second-hash          a second "#", printed as %23, except under --resolution whatwg
  bidi                 a direction mark, encoded or not
  invisible            an invisible character, encoded or not

Other labels describe the place of a reference:

  lazy                 in an attribute that only scripts read, such as data-src
  noscript             followed only without scripts
  template             in a template, which a script has to copy
  conditional          in a conditional comment (--also conditional)
  speculative          not a reference by its format, but looks like one
  overridden           another attribute takes precedence: href before xlink:href
  front-matter         a value in the front matter of Markdown
  unused               a link definition that is not used
  alternative          in one of several alternative bodies of a message
  include              the target is included in the document
  output               in program output that the document records
  guess                the type of the target is unknown, and its form is assumed
  may-continue         ends at a line end, and the next line may continue it:
                       "alternatives" has the longer URL
  deleted              in an object of a PDF that its current revision does not use
  other-host           the text that a PDF shows for it is a URL with another host`,
	})
}
