package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The forms are those of MHonArc 2.6 and hypermail 2.
func TestPageMessage(t *testing.T) {
	const mhonarc = "<!-- MHonArc v2.6.19 -->\n<!--X-Subject: Re: a &#45;&#45; b &amp; c -->\n" +
		"<!--X-From-R13: \"oelna f. oynax\" <oelnaNfhcrearg.arg> -->\n<!--X-Date: Wed, 28 Jul 1999 14:06:37 &#45;0400 (EDT) -->\n" +
		"<!--X-Message-Id: 1999&#45;07@supernet.net -->\n<!--X-Content-Type: text/plain -->\n" +
		"<!--X-Reference: 1@x -->\n<!--X-Reference: 2@x -->\n<!--X-Head-End-->\n<a href=\"http://h/\">x</a>"
	const hypermail = "<!DOCTYPE html><html><head>\n<!-- received=\"Fri Oct 29 12:47:47 2010\" -->\n<!-- isoreceived=\"20101029164747\" -->\n" +
		"<!-- sent=\"Fri, 29 Oct 2010 12:47:42 -0400\" -->\n<!-- isosent=\"20101029164742\" -->\n<!-- name=\"Ann\" -->\n<!-- email=\"ann@example.org\" -->\n" +
		"<!-- subject=\"Re: [x] &quot;y&quot;\" -->\n<!-- id=\"3@x\" -->\n<!-- charset=\"us-ascii\" -->\n<!-- inreplyto=\"2@x\" -->\n" +
		"<!-- expires=\"-1\" --></head><a href=\"http://h/\">x</a>"
	for _, tt := range []struct{ name, page, want string }{
		{"MHonArc", mhonarc, `1999-07@supernet.net|Re: a -- b & c|1999-07-28T18:06:37Z|bryan@supernet.net||[1@x 2@x]`},
		{"hypermail", hypermail, `3@x|Re: [x] "y"|2010-10-29T16:47:42Z|ann@example.org|2@x|[]`},
		{"hidden addresses", strings.ReplaceAll(hypermail, "@", "_at_"), `3_at_x|Re: [x] "y"|2010-10-29T16:47:42Z|ann@example.org|2_at_x|[]`},
		{"an id of something else", `<html><!-- id="menu" --><a href="http://h/">x</a>`, ""},
		{"no id", strings.Replace(mhonarc, "X-Message-Id", "X-Id", 1), ""},
		{"a line break in a value", "<html><!--X-Message-Id: a\nFrom: x@y -->\n<!--X-Subject: s -->\n<a href=\"http://h/\">", `a From: x@y|s|0001-01-01T00:00:00Z|||[]`},
		{"too far", "<html>" + strings.Repeat("<br>", 4<<10) + mhonarc, ""},
	} {
		cfg := Config{Type: "text/html", Cite: true}
		n := 0
		for ref, err := range cfg.Walk("p", strings.NewReader(tt.page)) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			got := ""
			if m := ref.Message(); m != nil {
				got = fmt.Sprintf("%s|%s|%s|%s|%s|%v", m.ID, m.Subject, m.Time.Format(time.RFC3339), m.From, m.InReplyTo, m.References)
			}
			if got != tt.want {
				t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d references", tt.name, n)
		}
	}
}
