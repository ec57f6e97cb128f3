package message

import (
	"fmt"
	"net/mail"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// Each date is one instant in UTC, or none. The forms are those of RFC 5322 sections 3.3, 4.3 and
// appendix A.5, of RFC 1036, and of archives.
func TestParseDate(t *testing.T) {
	for _, c := range []struct{ date, want string }{
		{"Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06Z"},
		{"21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06Z"},
		{"21 Nov 97 09:55:06 GMT", "1997-11-21T09:55:06Z"},
		{"Fri,21 Nov 1997 09(comment):   55  :  06 -0600", "1997-11-21T15:55:06Z"},
		{"Thu, 13 Feb 1969 23:32 -0330 (Newfoundland Time)", "1969-02-14T03:02:00Z"},
		{"Tue, 1 Apr 2003 09:28:56 PDT", "2003-04-01T16:28:56Z"},
		{"Tue, 01-Apr-97 09:28:56 EST", "1997-04-01T14:28:56Z"},
		{"Tuesday, 1 April 1997 9:28 +0200", "1997-04-01T07:28:00Z"},
		{"Tue Apr  1 09:28:56 1997", "1997-04-01T09:28:56Z"},
		{"Tue Apr  1 09:28:56 PST 1997", "1997-04-01T17:28:56Z"},
		{"Tue 1 Apr 1997 09:28:56 +0000", "1997-04-01T09:28:56Z"},
		{"Thu, 31 Dec 1998 23:59:60 +0000", "1999-01-01T00:00:00Z"},
		{"Mon, 01 Jan 110 10:00:00 +0000", "2010-01-01T10:00:00Z"},
		{"21 Nov 1997 Fri 09:55:06 +0000", "1997-11-21T09:55:06Z"},
		{"21 Nov 1997 Friday 09:55:06 +0000", "1997-11-21T09:55:06Z"},
		{"21 Nov 1997 ri 09:55:06 +0000", ""},
		{"21 Nov 1997 Rif 09:55:06 +0000", ""},
		{"Mon, 31 Jun 1997 10:00:00 +0000", ""},
		{"Mon, 1 Foo 1997 10:00:00 +0000", ""},
		{"Mon, 1 Jan 1997", ""},
		{"Mon, 1 Jan 19970 10:00:00", ""},
		{"1 Jan 1997 25:00:00 +0000", ""},

		// RFC 5322 sections 3.2.2, 3.3, 4.3, and appendix A.6.3: comments and spaces anywhere.
		{"(a)Fri(b),(c) 21(d) Nov(e) 1997(f) 09:55:06(g) -0600(h)", "1997-11-21T15:55:06Z"},
		{"Thu,\r\n\t13\r\n Feb 1969\r\n 23:32 -0330 (Newfoundland (Time))", "1969-02-14T03:02:00Z"},
		{"Fri, 21 Nov 1997 09 : 55 : 06 -0600", "1997-11-21T15:55:06Z"},
		{"Fri, 21 Nov 1997 09:55:06 -0600 (not closed", "1997-11-21T15:55:06Z"},
		{"Fri, 21 Nov 1997 09:55:06 (EST)", "1997-11-21T14:55:06Z"},
		{"Fri, 21 Nov 1997 09:55:06 (at home)", "1997-11-21T09:55:06Z"},
		{"21 Nov 49 09:55:06 GMT", "2049-11-21T09:55:06Z"},
		{"21 Nov 50 09:55:06 GMT", "1950-11-21T09:55:06Z"},
		{"21 Nov 97 09:55:06 K", "1997-11-21T09:55:06Z"},

		// Years of programs that were not ready for 2000.
		{"Thu, 06 Jan 0 12:00:00 +0000", "2000-01-06T12:00:00Z"},
		{"Sat, 1 Jan 1 12:00:00 +0000", "2001-01-01T12:00:00Z"},
		{"Mon, 3 Jan 100 12:00:00 +0000", "2000-01-03T12:00:00Z"},
		{"Mon, 3 Jan 19100 12:00:00 +0000", "2000-01-03T12:00:00Z"},
		{"Sun, 04 Feb 2001 12:00:00 +0000", "2001-02-04T12:00:00Z"},

		// ISO 8601, RFC 3339.
		{"2004-05-06T12:34:56Z", "2004-05-06T12:34:56Z"},
		{"2004-05-06T12:34:56+02:00", "2004-05-06T10:34:56Z"},
		{"2004-05-06 12:34:56 +0200", "2004-05-06T10:34:56Z"},
		{"2004-05-06 12:34:56.789 -0700", "2004-05-06T19:34:56Z"},
		{"2004/05/06 12:34", "2004-05-06T12:34:00Z"},
		{"2004-05-06", ""},
		{"2004-13-06 12:34", ""},
		{"2004-05-06T", ""},

		// asctime and Unix date, with zones.
		{"Mon Jan  4 12:00:00 EST 1999", "1999-01-04T17:00:00Z"},
		{"Mon Jan  4 12:00:00 1999 EST", "1999-01-04T17:00:00Z"},
		{"Mon Jan  4 12:00:00 MET DST 1999", "1999-01-04T10:00:00Z"},
		{"Mon Jan  4 12:00:00 GMT+0100 1999", "1999-01-04T11:00:00Z"},
		{"Mon Jan 04 1999 12:00:00 GMT-0500 (EST)", "1999-01-04T17:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 GMT+0100", "1999-01-04T11:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 UTC-5", "1999-01-04T17:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 GMT+01:00", "1999-01-04T11:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 GMT +0100", "1999-01-04T11:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 +0100 GMT+5", "1999-01-04T11:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 +01:30", "1999-01-04T10:30:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 -500", "1999-01-04T17:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00+0100", "1999-01-04T11:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 CEST", "1999-01-04T10:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 BST", "1999-01-04T12:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 Eastern Standard Time", "1999-01-04T12:00:00Z"},

		{"Mon, 4 Jan 1999 12:00:00 13:00:00 +0100", "1999-01-04T12:00:00Z"},
		{"Mon, 4 Jan 1999 12:00 13:00:00 +0100", "1999-01-04T12:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 EET-2", "1999-01-04T10:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 EST5EDT", "1999-01-04T17:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 +0800(CST)", "1999-01-04T04:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 0100", "1999-01-04T11:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 &#43;0100", "1999-01-04T11:00:00Z"},
		{"Mon, 4 Jan 1999 12:00:00 +50579034", "1999-01-04T12:00:00Z"},
		{"Sat, 27 Jul 0102 04:38:14 +0300", "2002-07-27T01:38:14Z"},
		{"Mon, 01 Jan 0001 00:00:00 +0000", ""},

		// Other separators.
		{"Mon, 4 Jan 1999 12.00.00 +0100", "1999-01-04T11:00:00Z"},
		{"Mon, 4 Jan 1999 12.00 +0100", "1999-01-04T11:00:00Z"},
		{"Mon, 04-Jan-1999 12:00:00 GMT", "1999-01-04T12:00:00Z"},
		{"Mon, 04-Jan-99 12:00:00-GMT", "1999-01-04T12:00:00Z"},
		{"Mon, 4. Jan. 1999 12:00:00 +0100", "1999-01-04T11:00:00Z"},
		{"Mon,4 Jan 1999,12:00:00", "1999-01-04T12:00:00Z"},
		{"4Jan1999 12:00:00", "1999-01-04T12:00:00Z"},
		{"Monday, January 4, 1999 12:00 PM", "1999-01-04T12:00:00Z"},
		{"January 4, 1999 12:30 AM", "1999-01-04T00:30:00Z"},
		{"Jan 4th, 1999 3:05PM -0500", "1999-01-04T20:05:00Z"},
		{"4 Jan 1999 9:55 p.m.", "1999-01-04T21:55:00Z"},
		{"4 Jan 1999 9 a.m.", "1999-01-04T09:00:00Z"},
		{"4 Jan 1999 noon", "1999-01-04T12:00:00Z"},
		{"4 Jan 1999 midnight", "1999-01-04T00:00:00Z"},
		{"1999 Jan 4 12:00:00", "1999-01-04T12:00:00Z"},
		{"Jan 4 1999 12:00:00", "1999-01-04T12:00:00Z"},

		// Not a date with a time, or not one date.
		{"03/04/1999 12:00:00", ""},
		{"3.4.1999 12:00:00", ""},
		{"Mon, 4 Jan 12:00:00 +0100", ""},
		{"Mon, 4 Jan 1999 10", ""},
		{"Mon, 4 Jan 1999 12:60:61:00", ""},
		{"Wed, Feb 10, 1999 at 11:54 AM", "1999-02-10T11:54:00Z"},
		{"lun., 4 jan. 1999 12:00:00 +0100", "1999-01-04T11:00:00Z"},
		{"Lun, 4 ene 1999 12:00:00", ""},
		{"yesterday", ""},
		{"0 Jan 1999 12:00:00", ""}, {"29 Feb 1999 12:00:00", ""},

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

// The instants of the unusual dates in testdata/dates.tsv, which says where Python has another, and why ours is right.
func TestUnusualDates(t *testing.T) {
	for _, row := range scantest.Rows(t, "testdata/dates.tsv", 4) {
		got := "-"
		if d, ok := parseDate([]byte(row[0])); ok {
			got = d.Format(time.RFC3339)
		}
		if got != row[1] && !strings.HasPrefix(row[0], "=?") { // words are decoded before
			t.Errorf("%q: %s, want %s", row[0], got, row[1])
		}
		if (row[2] == "") != (row[3] == "") {
			t.Errorf("%q: a difference and its reason belong together", row[0])
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

// Any bytes are a date or none.
func FuzzParseDate(f *testing.F) {
	for _, s := range []string{"Fri, 21 Nov 1997 09(c):   55  :  06 -0600", "2004-05-06T12:34:56.7+02:00", "Jan 4th, 1999 3:05PM", "Mon Jan  4 12:00:00 GMT+0100 1999", "4-Jan-99 12.00.00-GMT"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		if d, ok := parseDate(value); ok && (d.Year() < 1899 || d.IsZero()) {
			t.Errorf("%q: %v", value, d)
		}
	})
}

// Names of zones are those of RFC 5322 section 4.3, and of the time zone database; in any case of their letters.
func TestZones(t *testing.T) {
	want := map[string]string{
		"UT UTC GMT Z WET": "+0000", "EST CDT": "-0500", "EDT": "-0400", "CST MDT": "-0600", "MST PDT": "-0700", "PST AKDT": "-0800", "AKST": "-0900", "HST": "-1000", "ADT": "-0300",
		"NST": "-0330", "NDT": "-0230", "WEST CET MET MEZ": "+0100", "CEST MEST MESZ EET SAST": "+0200", "EEST MSK": "+0300", "MSD": "+0400", "SGT HKT AWST": "+0800",
		"JST KST": "+0900", "AEST": "+1000", "AEDT": "+1100", "NZST": "+1200", "NZDT": "+1300", "BST IST A X EASTERN": "+0000",
	}
	known := 0
	for names, offset := range want {
		number, ok := parseDate([]byte("1 Jul 1997 10:00:00 " + offset))
		if !ok {
			t.Fatal(offset)
		}
		for name := range strings.FieldsSeq(names) {
			for _, zone := range []string{name, strings.ToLower(name), "(" + name + ") " + name} {
				if got, ok := parseDate([]byte("1 Jul 1997 10:00:00 " + zone)); ok && !got.Equal(number) || !ok && offset != "+0000" {
					t.Errorf("%s: %v, %v, want %v", zone, got, ok, number)
				}
			}
			if _, is := zones[strings.ToLower(name)]; is {
				known++
			}
		}
	}
	if known != len(zones) {
		t.Errorf("%d of %d zones are here", known, len(zones))
	}
}

// Hours without minutes are those of a half of the day.
func TestHalves(t *testing.T) {
	for hour, want := range map[string]int{"9am": 9, "9AM": 9, "9a.m.": 9, "9pm": 21, "9PM": 21, "9p.m.": 21, "12am": 0, "12pm": 12, "1am": 1, "11pm": 23, "9b.m.": -1, "9bm": -1, "9ax": -1, "9o": -1} {
		got, ok := parseDate([]byte("Jan 4, 1999 " + hour))
		if ok != (want >= 0) || ok && (got.Hour() != want || got.Minute() != 0 || got.Day() != 4) {
			t.Errorf("%s: %v, %v, want %d", hour, got, ok, want)
		}
	}
}
