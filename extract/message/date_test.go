package message

import (
	"fmt"
	"net/mail"
	"testing"
	"time"
)

// Each date is one instant in UTC, or none. The forms are those of RFC 5322 sections 3.3, 4.3 and
// appendix A.5, of RFC 1036, and of archives.
func TestParseDate(t *testing.T) {
	for _, c := range []struct{ date, want string }{
		{"Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06Z"},
		{"21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06Z"},
		{"21 Nov 97 09:55:06 GMT", "1997-11-21T09:55:06Z"},
		{"Fri,21 Nov 1997 09(comment):   55  :  06 -0600", ""},
		{"Thu, 13 Feb 1969 23:32 -0330 (Newfoundland Time)", "1969-02-14T03:02:00Z"},
		{"Tue, 1 Apr 2003 09:28:56 PDT", "2003-04-01T16:28:56Z"},
		{"Tue, 01-Apr-97 09:28:56 EST", "1997-04-01T14:28:56Z"},
		{"Tuesday, 1 April 1997 9:28 +0200", "1997-04-01T07:28:00Z"},
		{"Tue Apr  1 09:28:56 1997", "1997-04-01T09:28:56Z"},
		{"Tue Apr  1 09:28:56 PST 1997", "1997-04-01T09:28:56Z"},
		{"Tue 1 Apr 1997 09:28:56 +0000", "1997-04-01T09:28:56Z"},
		{"Thu, 31 Dec 1998 23:59:60 +0000", "1999-01-01T00:00:00Z"},
		{"Mon, 01 Jan 110 10:00:00 +0000", "2010-01-01T10:00:00Z"},
		{"Mon, 31 Jun 1997 10:00:00 +0000", ""},
		{"Mon, 1 Foo 1997 10:00:00 +0000", ""},
		{"Mon, 1 Jan 1997", ""},
		{"Mon, 1 Jan 19970 10:00:00", ""},
		{"1 Jan 1997 25:00:00 +0000", ""},
		{"", ""}, {"x", ""}, {",", ""}, {"-", ""}, {"1-1-1-1", ""},
	} {
		got := ""
		if d, ok := parseDate([]byte(c.date)); ok {
			got = d.Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.date, got, c.want)
		}
	}
}

// Where the library accepts a date, the result is the same instant; a day that does not exist is
// rejected by both.
func TestParseDateLibrary(t *testing.T) {
	for day := range 33 {
		for _, month := range []string{"Jan", "Feb", "Apr", "dec"} {
			for _, rest := range []string{"1996 00:00:00 +0000", "2000 23:59 -1200", "2024 12:34:56 +0545", "97 1:02:03 GMT"} {
				date := fmt.Sprintf("%d %s %s", day, month, rest)
				want, err := mail.ParseDate(date)
				if got, ok := parseDate([]byte(date)); ok != (err == nil) || ok && !got.Equal(want) {
					t.Errorf("%q: %v %v, the library has %v %v", date, got, ok, want, err)
				}
			}
		}
	}
}
