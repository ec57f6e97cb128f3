package archivedpage

import (
	"strings"
	"testing"
)

// The forms are those of MHonArc 2.6 and hypermail 2.
func TestHeader(t *testing.T) {
	const mhonarc = "<!--X-Subject: a &#45; b -->\n<!--X-From-R13: \"oelna f. oynax\" <oelnaNfhcrearg.arg> -->\n<!--X-Date: Wed -->\n" +
		"<!--X-Message-Id: 1&#45;07@x -->\n<!--X-Content-Type: text/plain -->\n<!--X-Reference: 1@x -->\n<!--X-Reference: 2@x -->\n"
	const hypermail = "<html><!-- sent=\"Fri\" --><!-- email=\"ann@x\" --><!-- subject=\"&quot;y&quot;\" --><!-- id=\"3@x\" --><!-- inreplyto=\"2@x\" --><!-- name='' -->"
	for _, tt := range []struct{ page, want string }{
		{mhonarc, "From: \"bryan s. blank\" <bryan@supernet.net>\nDate: Wed\nSubject: a - b\nMessage-ID: <1-07@x>\nReferences: <1@x> <2@x>\n\n"},
		{hypermail, "From: ann@x\nDate: Fri\nSubject: \"y\"\nMessage-ID: <3@x>\nIn-Reply-To: <2@x>\n\n"},
		{"<!--X-Message-Id: a\nFrom: x -->\n<!--X-Subject: s --><!--", "Subject: s\nMessage-ID: <a From: x>\n\n"},
		{`<!-- id="menu" -->`, ""},
		{"<p>", ""},
		{strings.Repeat("<br>", maxComments/4) + mhonarc, ""},
	} {
		if got := string(Header([]byte(tt.page))); got != tt.want {
			t.Errorf("%.60q:\n got %q\nwant %q", tt.page, got, tt.want)
		}
	}
}
