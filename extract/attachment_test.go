package extract

import (
	"fmt"
	"strings"
	"testing"
)

// TestAttachedTypes checks parts whose declared type does not say how they are read.
func TestAttachedTypes(t *testing.T) {
	const page, link = `<a href="http://h.example/?a&amp;b">x</a>`, "link http://h.example/?a&b true"
	for _, tt := range []struct{ what, fields, body, want string }{
		{"vCard 2.1", "text/x-vcard", "BEGIN:VCARD\nVERSION:2.1\nURL;QUOTED-PRINTABLE:http://h.example/a=3Db=\nc\nNOTE:http\\://i.example/\nEND:VCARD\n",
			"text http://h.example/a=bc true, text http://i.example/ true"},
		{"AMP for mail", "text/x-amp-html", `<a href="https://h.example/x">x</a>`, "link https://h.example/x true"},
		{"iCalendar by type", "application/ics", "BEGIN:VCALENDAR\nURL:https://h.example/lo\n ng\nEND:VCALENDAR\n", "text https://h.example/long true"},
		{"iCalendar by suffix", `application/octet-stream; name="a.ICS"`, "URL:https://h.example/lo\n ng\n", "text https://h.example/long true"},
		{"patch by suffix", "application/octet-stream; name=a.patch", "+ http://h.example/x\n", "text http://h.example/x true"},
		{"JSON by suffix", "application/octet-stream; name=a.json", `{"u": "http:\/\/h.example\/x"}`, "text http://h.example/x true"},
		// Names in encoded words. Python 3.11, email.policy.default, decodes them so, but not those without quotation marks.
		{"a name of Outlook", `application/octet-stream; name="=?utf-8?B?w6QuaHRtbA==?="`, page, link},
		{"a name of Gmail", "application/octet-stream\nContent-Disposition: attachment; filename=\"=?UTF-8?B?w6QuaHRtbA==?=\"", page, link},
		{"a name of PHP", "application/octet-stream; name=\"=?UTF-8?Q?=C3=A4_long.ht?=\n =?UTF-8?Q?ml?=\"", page, link},
		{"without quotation marks", "application/octet-stream; name==?UTF-8?B?w6QuaHRtbA==?=; x=y", page, link},
		{"the same, in two words", "application/octet-stream; name==?UTF-8?B?w6QuaA==?=\n =?UTF-8?B?dG1s?=", page, link},
		{"in Japanese", `application/octet-stream; name="=?ISO-2022-JP?B?GyRCJDIbKEIuaHRtbA==?="`, page, link},
		{"not padded, behind a word", `application/octet-stream; name="a =?UTF-8?B?w6QuaHRtbA?="`, page, link},
		{"before the suffix", `application/octet-stream; name="=?utf-8?Q?a?=.html"`, page, link},
		{"in two pieces", `application/octet-stream; name*0="=?UTF-8?Q?=C3=A4.h"; name*1="tml?="`, page, link},
		{"a program in an encoded word", `application/octet-stream; name="=?utf-8?B?w6QuZXhl?="`, page, ""},
		{"no encoded word", `application/octet-stream; name="=?utf-8?B?w6QuaHRtbA"`, page, ""},
		{"a program", "application/octet-stream; name=a.exe", "http://h.example/x\n", ""},
		{"HTML of Eudora", "text/plain", "\n<x-html>\n<a href=\"http://h.example/?a&amp;b\">x</a></x-html>\n", "link http://h.example/?a&b true"},
		{"text with a tag", "text/plain", "see <x-html> http://h.example/?a&amp;b\n", "text http://h.example/?a&amp;b true"},
	} {
		src := "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: " + tt.fields + "\n\n" + tt.body + "\n--b--\n"
		var got []string
		for ref, err := range new(Config).Walk("a.eml", strings.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s %s %v", ref.Kind, ref.Ref, ref.Pos.Exact))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: got %q", tt.what, got)
		}
	}
}
