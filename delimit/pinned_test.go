package delimit

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// Text has the references that it had, under all rules.
func TestPinned(t *testing.T) {
	rules := []Rules{{}, {Domains: DomainsAll}, {Domains: DomainsCommon, Addresses: true}, {Addresses: true, JoinQuotedBlanks: true}, {Abbreviated: 1}, {Abbreviated: 2, Domains: DomainsAll}}
	mixture := func(string) scantest.Mixture {
		return scantest.Mixture{Grammar: scantest.Grammars["text/plain"], Count: 3000}
	}
	scantest.Pinned(t, mixture, func(_ string, i int, doc []byte) string {
		var b strings.Builder
		f := Finder{Rules: rules[i%len(rules)]}
		for s := range f.All(doc) {
			fmt.Fprintf(&b, "%d-%d %d %v %v %q %v %s", s.Start, s.End, s.Open, s.How, s.URL, s.Meant, s.TooLong, s.AppendURL(nil, doc))
			if s.Joined != nil {
				fmt.Fprintf(&b, " joined %+v", *s.Joined)
			}
			if s.Continued != nil {
				fmt.Fprintf(&b, " continued %+v", *s.Continued)
			}
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, f.May(doc), Rest(doc, len(doc)/2))
		return b.String()
	})
}
