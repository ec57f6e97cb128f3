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

// MHonArc's comments have the date of the last Received field, and a Message-ID that may be made up; the page shows the Date.
func TestMHonArcDate(t *testing.T) {
	const received, sent = "Fri,  4 Oct 2019 20:22:27 +0200 (CEST)", "Fri, 4 Oct 2019 21:22:16 +0300"
	for _, tt := range []struct{ head, want string }{
		{"<li><em>Date</em>: Fri, 4 Oct 2019 21:22:16 &#43;0300</li>", sent},
		{"<LI><STRONG>Date</STRONG>: Fri, 4 Oct <i>2019</i> 21:22:16 +0300\n<LI><STRONG>To</STRONG>: x", sent},
		{"<li><em>Date</em>: yesterday</li>", received},
		{"<b>Date</b> 12:00", received},
		{"", received},
	} {
		page := "<!--X-Date: " + received + " -->\n<!--X-Message-Id: 1@x -->\n<!--X-Head-of-Message-->\n" + tt.head + "\n<!--X-Head-of-Message-End-->"
		if got, want := string(Header([]byte(page))), "Date: "+tt.want+"\nMessage-ID: <1@x>\n\n"; got != want {
			t.Errorf("%q:\n got %q\nwant %q", tt.head, got, want)
		}
	}
	const invented = "<!--X-Date: Fri -->\n<!--X-Message-Id: a0@NO&#45;ID&#45;FOUND.mhonarc.org -->"
	if got := string(Header([]byte(invented))); got != "Date: Fri\n\n" {
		t.Errorf("an invented Message-ID: %q", got)
	}
}

// hypermail knows the zone of its own times.
func TestHypermailDate(t *testing.T) {
	for _, tt := range []struct{ sent, iso, want string }{
		{"Fri Feb 26 08:15:42 1999", "19990226161542", "1999-02-26T16:15:42Z"},
		{"Fri, 29 Oct 2010 12:47:42 -0400", "20101029164742", "Fri, 29 Oct 2010 12:47:42 -0400"},
		{"Sun, 9 Jan 100 17:11:08 +1100 (EST)", "01000109061108", "Sun, 9 Jan 100 17:11:08 +1100 (EST)"},
		{"Fri Feb 26 08:15:42 1999", "1999", "Fri Feb 26 08:15:42 1999"},
		{"Fri Feb 26 08:15:42 1999", "1999-2-26 16:15", "Fri Feb 26 08:15:42 1999"},
	} {
		page := "<!-- sent=\"" + tt.sent + "\" -->\n<!-- isosent=\"" + tt.iso + "\" -->\n<!-- id=\"1@x\" -->"
		if got, want := string(Header([]byte(page))), "Date: "+tt.want+"\nMessage-ID: <1@x>\n\n"; got != want {
			t.Errorf("%s, %s:\n got %q\nwant %q", tt.sent, tt.iso, got, want)
		}
	}
}

// The form is what published programs read in pages of Google Groups.
func TestGoogleGroups(t *testing.T) {
	const message = `<section data-doc-id="a1"><div class="LgTNRd"><h3 class="s1f8Zd">Ann &amp; <b>Bob</b></h3></div>` +
		"<div class=\"ELCJ4d\"><span class=\"zX2W9c\">Jul 13, 2023, 7:31:18\u202fPM (2 days ago)</span></div><div class=\"ptW7te\" role=\"region\"><a href=\"http://h/\">x</a></div></section>"
	const head = `<link rel="canonical" href="https://groups.google.com/g/list/c/x"><h1 class="KPwZRb gKR4Fb"><html-blob>A &lt;subject&gt;</html-blob></h1>`
	const want = "From: \"Ann & Bob\" <>\nDate: Jul 13, 2023, 7:31:18 PM (2 days ago)\nSubject: A <subject>\n\n"
	for _, tt := range []struct{ page, want string }{
		{head + message, want},
		{head + message + message, ""}, // a thread
		{strings.ReplaceAll(head, "groups.google.com", "example.org") + message, ""},
		{head, ""},
		{`groups.google.com <h3 class="s1f8Zd"><span class="zX2W9c">`, ""},
	} {
		if got := string(Header([]byte(tt.page))); got != tt.want {
			t.Errorf("%.60q:\n got %q\nwant %q", tt.page, got, tt.want)
		}
	}
}

// The form is that of HyperKitty 1.3.
func TestHyperKitty(t *testing.T) {
	const head = "<h1>A &amp; B</h1>\n<div id=\"X\" class=\"email-header\"><h2 class=\"name\">\n  <a href=\"/users/1\">%s</a>\n</h2>\n" +
		"<span class=\"date d-none d-sm-inline\">\n 9 Apr\n 2021\n</span><div class=\"time\">\n<span title=\"Sender's time: April 9, 2021, 1:43 p.m.\">11:43 a.m.</span></div>\n"
	const reply = `<a href="mailto:li@example.org?Subject=Re%3A%20A&amp;In-Reply-To=&lt;1%2B2@x&gt;">`
	page := func(name string) string { return strings.Replace(head, "%s", name, 1) }
	for _, tt := range []struct{ page, want string }{
		{page("Ann") + reply, "From: \"Ann\" <>\nDate: 9 Apr 2021 11:43 a.m.\nSubject: A & B\nMessage-ID: <1+2@x>\n\n"},
		{page("Ann"), "From: \"Ann\" <>\nDate: 9 Apr 2021 11:43 a.m.\nSubject: A & B\n\n"},
		{page("ann\uFF20example.org"), "From: ann@example.org\nDate: 9 Apr 2021 11:43 a.m.\nSubject: A & B\n\n"},
		{page("Ann \uFF20 home"), "From: \"Ann \uFF20 home\" <>\nDate: 9 Apr 2021 11:43 a.m.\nSubject: A & B\n\n"},
		{page("Ann") + page("Bob"), ""}, // a thread
	} {
		if got := string(Header([]byte(tt.page))); got != tt.want {
			t.Errorf("%.80q:\n got %q\nwant %q", tt.page, got, tt.want)
		}
	}
}
