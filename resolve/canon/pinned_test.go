package canon

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// URLs have the keys that they had, in each form.
func TestPinned(t *testing.T) {
	keys := []Key{
		{}, {IDN: 1}, {IDN: 2}, {ShortIPv6: true, NoTrailingDot: true}, {NoIndex: true, NoFragment: true}, {NoTracking: true}, {NoSession: true},
		{SortQuery: true}, {SURT: 1}, {SURT: 2}, {NoTracking: true, NoSession: true, SortQuery: true, NoIndex: true},
	}
	for _, p := range Profiles() {
		keys = append(keys, Key{Profile: p})
	}
	tokens := scantest.Grammar{Tokens: `http:// https:// HTTP:// www. /index.html /default.asp ? & = utm_source=x gclid=1 ;jsessionid=1 PHPSESSID=0123456789abcdef0123456789abcdef # % %2e %2F %7e @ : :80 :443 [2001:db8:0::1] 127.1 0x7f é a Z - + .. ./ // \\ \s \t mailto: ftp:// . xn--e1afmkfd`}
	mixture := func(string) scantest.Mixture { return scantest.Mixture{Grammar: tokens, Count: 1500, Pieces: 4} }
	scantest.Pinned(t, mixture, func(_ string, _ int, doc []byte) string {
		var b strings.Builder
		for _, k := range keys {
			fmt.Fprintf(&b, "%s\n", k.Append(nil, doc))
		}
		return b.String()
	})
}
