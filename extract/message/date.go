package message

import (
	"bytes"
	"strings"
	"time"

	"example.org/refract/internal/ascii"
)

// months are the first three letters of each, in lower case.
const months = "janfebmaraprmayjunjulaugsepoctnovdec"

// zones are minutes east of Greenwich: those of RFC 5322 section 4.3, and names that mailers write in place
// of numbers and that have one meaning in mail. Others, such as BST and IST, and military zones, count as
// unknown: "-0000". Source: by hand, as of November 2026, the time zone database.
var zones = map[string]int{
	"ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0,
	"est": -5 * 60, "edt": -4 * 60, "cst": -6 * 60, "cdt": -5 * 60,
	"mst": -7 * 60, "mdt": -6 * 60, "pst": -8 * 60, "pdt": -7 * 60,
	"akst": -9 * 60, "akdt": -8 * 60, "hst": -10 * 60, "adt": -3 * 60, "nst": -3*60 - 30, "ndt": -2*60 - 30,
	"west": 60, "cet": 60, "met": 60, "mez": 60, "cest": 2 * 60, "mest": 2 * 60, "mesz": 2 * 60, "eet": 2 * 60, "eest": 3 * 60,
	"msk": 3 * 60, "msd": 4 * 60, "sgt": 8 * 60, "hkt": 8 * 60, "awst": 8 * 60, "jst": 9 * 60, "kst": 9 * 60,
	"aest": 10 * 60, "aedt": 11 * 60, "nzst": 12 * 60, "nzdt": 13 * 60, "sast": 2 * 60,
}

// maxDate limits the bytes of a Date field that are read.
const maxDate = 256

// parseDate parses the value of a Date field. It accepts the form of RFC 5322 sections 3.3 and 4.3
// (comments anywhere, years of two and three digits, zones by name, no seconds), that of asctime, with or
// without a zone, ISO 8601, and the forms between them that programs have written. ok is false if the value
// is not a date with a time, such as the 31st of June, or if it may be several dates, such as 3/4/1999.
// Without a known zone, the time is UTC.
func parseDate(value []byte) (t time.Time, ok bool) {
	var buf [maxDate]byte
	text, remark := withoutComments(buf[:0], value[:min(len(value), maxDate)])
	d := date{day: -1, year: -1, seconds: -1}
	text = bytes.ReplaceAll(text, []byte("&#43;"), []byte{'+'}) // as archives on the web write it
	for word := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r <= ' ' || r == ',' || r == ';' }) {
		if !d.take(word) {
			break // it is no part of the date
		}
	}
	if d.day < 0 || d.year < 0 || d.month == 0 || d.units < 2 {
		return t, false
	}
	if !d.hasZone {
		d.zone = zones[strings.ToLower(string(remark))] // 12:00:00 (EST)
	}
	if d.isAfternoon && d.seconds < 12*3600 {
		d.seconds += 12 * 3600
	} else if d.isMorning && d.seconds >= 12*3600 {
		d.seconds -= 12 * 3600
	}
	t = time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
	if t.Day() != d.day {
		return time.Time{}, false
	}
	return t.Add(time.Duration(d.seconds-60*d.zone) * time.Second), true
}

// withoutComments appends value to dst with a space in place of each comment (RFC 5322 section 3.2.2), and
// returns the last comment. One that is not closed ends with value.
func withoutComments(dst, value []byte) (text, last []byte) {
	for {
		i := bytes.IndexByte(value, '(')
		if i < 0 {
			return append(dst, value...), last
		}
		dst = append(append(dst, value[:i]...), ' ')
		n := comment(value[i:])
		if n < 0 {
			return dst, bytes.TrimSpace(value[i+1:])
		}
		last = bytes.TrimSpace(value[i+1 : i+n-1])
		value = value[i+n:]
	}
}

// A date is what the words of a date have shown so far.
type date struct {
	day, month, year int // -1, 0, -1: not known
	seconds          int // of the day; -1: not known
	zone             int // minutes east of Greenwich
	hasZone          bool
	isMorning        bool // a.m.
	isAfternoon      bool // p.m.
	colon            bool // the last word ended within the time: "09: 55 : 06"
	units            int  // of the time that are known
}

// take reads the next word. It returns false if the word cannot be a part of a date.
func (d *date) take(word []byte) bool {
	c := word[0]
	switch {
	case d.colon || d.seconds >= 0 && d.units < 3 && c == ':':
		return d.takeClock(word)
	case ascii.IsDigit(c):
		return d.takeNumber(word)
	case c == '+' || c == '-':
		if d.seconds < 0 {
			return d.takeAll(word[1:]) // -1-Apr-1997
		}
		return d.takeZone(word)
	case ascii.IsLetter(c):
		return d.takeName(word)
	}
	return c == '.' || c == '"' || c == '\''
}

// takeAll is take for a word that may be empty.
func (d *date) takeAll(word []byte) bool { return len(word) == 0 || d.take(word) }

// takeName reads the name of a day, a month or a zone, or "PM".
func (d *date) takeName(word []byte) bool {
	n := 0
	for n < len(word) && (ascii.IsLetter(word[n]) || word[n] == '.') {
		n++
	}
	name, rest := bytes.TrimRight(word[:n], "."), word[n:]
	var buf [longestName]byte
	lower := string(lowerName(&buf, name))
	switch {
	case d.seconds >= 0 && (lower == "pm" || lower == "p.m"):
		d.isAfternoon, d.units = true, max(d.units, 2)
	case d.seconds >= 0 && (lower == "am" || lower == "a.m"):
		d.isMorning, d.units = true, max(d.units, 2)
	case d.seconds < 0 && d.day >= 0 && (lower == "noon" || lower == "midnight"):
		d.seconds, d.units = 0, 3
		d.isAfternoon = lower == "noon"
	case d.month == 0 && d.seconds < 0 && monthOf(name) > 0:
		d.month = monthOf(name)
	case d.seconds < 0: // the day of the week, in any language, or "at"
		return (d.day < 0 || isDayName(lower) || lower == "at") && d.takeAll(bytes.TrimLeft(rest, "-"))
	case (lower == "utc" || lower == "gmt") && len(rest) > 0 && (rest[0] == '+' || rest[0] == '-'): // GMT+0100; in EST+5 the sign would be the opposite one
		return d.takeZone(rest)
	case lower == "dst" && d.hasZone: // MET DST
		d.zone += 60
	case !d.hasZone:
		zone, isKnown := zones[lower]
		d.zone, d.hasZone = zone, isKnown
		return true
	}
	return d.takeAll(bytes.TrimLeft(rest, "-/"))
}

// isDayName reports whether name is one of a day of the week.
func isDayName(name string) bool {
	return len(name) >= 3 && strings.Contains("sunmontuewedthufrisat", name[:3]) && strings.Index("sunmontuewedthufrisat", name[:3])%3 == 0
}

// takeNumber reads a day, a year or a time, or a whole date.
func (d *date) takeNumber(word []byte) bool {
	n := 0
	for n < len(word) && ascii.IsDigit(word[n]) {
		n++
	}
	rest := word[n:]
	value, ok := number(word[:n])
	sep := byte(0)
	if len(rest) > 0 {
		sep = rest[0]
	}
	switch {
	case n == 4 && (sep == '-' || sep == '/') && d.year < 0 && d.day < 0:
		return d.takeISO(word)
	case sep == ':' || sep == '.' && d.day >= 0 && d.seconds < 0 && n <= 2 && len(rest) > 1:
		return d.takeClock(word)
	case d.day >= 0 && d.seconds < 0 && n <= 2 && isHalf(rest): // 9 a.m.
		d.seconds, d.units = value*3600, 3
		return value <= 12 && d.take(rest)
	case d.day < 0 && n <= 2 && value > 0:
		d.day = value
		rest = bytes.TrimLeft(rest, "-./")
		if isOrdinal(rest) {
			rest = rest[2:]
		}
		return (sep != '/' && sep != '.' || len(rest) == 0 || !ascii.IsDigit(rest[0])) && d.takeAll(rest)
	case d.year < 0 && d.day >= 0:
		d.year = fullYear(value, n)
		return ok && d.year >= 0 && d.takeAll(bytes.TrimLeft(rest, "-:"))
	case d.seconds < 0 && d.day >= 0 && len(rest) == 0 && n <= 2 && value < 24: // 09 : 55
		d.seconds, d.units = value*3600, 1
		return true
	case d.year < 0 && n == 4: // 1997 Nov 21
		d.year = fullYear(value, n)
		return d.year >= 0 && d.takeAll(bytes.TrimLeft(rest, "-"))
	case d.seconds >= 0 && n == 4 && len(rest) == 0:
		return d.takeZone(word)
	}
	return false
}

// isHalf reports whether text is "am" or "pm".
func isHalf(text []byte) bool {
	return len(text) >= 2 && (text[0]|0x20 == 'a' || text[0]|0x20 == 'p') && (text[1]|0x20 == 'm' || text[1] == '.')
}

// isOrdinal reports whether text begins like that behind the number in "21st".
func isOrdinal(text []byte) bool {
	if len(text) < 2 || len(text) > 2 && ascii.IsAlnum(text[2]) {
		return false
	}
	s := string(text[:2])
	return s == "st" || s == "nd" || s == "rd" || s == "th"
}

// fullYear returns a year that was written with n digits, or -1. Programs that wrote 19 before the number
// of years since 1900 wrote 19100 for the year 2000.
func fullYear(year, n int) int {
	switch {
	case n == 4 && year >= 1900:
		return year
	case n == 4 && year >= 100 && year < 200: // 0102
		return 1900 + year
	case n == 5 && year >= 19100 && year < 19200:
		return 2000 + year - 19100
	case n == 3:
		return 1900 + year
	case n > 3:
		return -1
	case year < 50:
		return 2000 + year
	}
	return 1900 + year
}

// takeISO reads 2004-05-06, with or without a time behind it.
func (d *date) takeISO(word []byte) bool {
	if len(word) < len("2004-05-06") || word[7] != word[4] {
		return false
	}
	year, isYear := number(word[:4])
	month, isMonth := number(word[5:7])
	day, isDay := number(word[8:10])
	if !isYear || !isMonth || !isDay || fullYear(year, 4) < 0 || month < 1 || month > 12 || day < 1 {
		return false
	}
	d.year, d.month, d.day = year, month, day
	return d.takeAll(bytes.TrimLeft(word[10:], "Tt_-:"))
}

// takeClock reads a time, or what of it stands in a word: "09:55:06", "09.55", "09:", ":06". What follows
// it may be a zone.
func (d *date) takeClock(word []byte) bool {
	if d.units == 3 || d.seconds >= 0 && word[0] != ':' && !d.colon {
		return false // a second time
	}
	d.seconds = max(d.seconds, 0)
	for d.units < 3 {
		word = bytes.TrimLeft(word, ":.")
		n := 0
		for n < len(word) && ascii.IsDigit(word[n]) {
			n++
		}
		value, _ := number(word[:n])
		if n == 0 || n > 2 || value > 60 || value == 60 && d.units < 2 || d.units == 0 && value > 23 {
			d.colon = d.units > 0 && len(word) == 0
			if !d.colon {
				d.units = 0
			}
			return d.colon
		}
		d.seconds += value * [...]int{3600, 60, 1}[d.units]
		d.units++
		word = word[n:]
		d.colon = len(word) > 0 && (word[0] == ':' || word[0] == '.')
		if !d.colon {
			break
		}
	}
	d.colon = d.colon && d.units < 3
	if len(word) > 1 && (word[0] == '.' || word[0] == ':' || word[0] == ',') { // parts of a second
		for word = word[1:]; len(word) > 0 && ascii.IsDigit(word[0]); {
			word = word[1:]
		}
	}
	return (d.units > 1 || d.colon) && d.takeAll(bytes.Trim(word, ".:"))
}

// takeZone reads a zone as a number: "+0100", "-5", "+01:00". A second one is left out.
func (d *date) takeZone(word []byte) bool {
	if d.hasZone && d.zone != 0 {
		return true
	}
	digits := make([]byte, 0, 8)
	hasColon := false
	for _, c := range bytes.TrimLeft(word, "+-") {
		if c == ':' {
			hasColon = true
			continue
		}
		if !ascii.IsDigit(c) || len(digits) > 4 {
			break
		}
		digits = append(digits, c)
	}
	n, ok := number(digits)
	if !ok || len(digits) > 4 || n%100 > 59 {
		return true // a zone that is not known
	}
	if len(digits) <= 2 && !hasColon {
		n *= 100
	}
	d.zone, d.hasZone = n/100*60+n%100, true
	if word[0] == '-' {
		d.zone = -d.zone
	}
	return true
}

// number parses decimal digits, at most five.
func number(s []byte) (n int, ok bool) {
	for _, c := range s {
		if !ascii.IsDigit(c) || len(s) > 5 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, len(s) > 0
}

// monthOf returns the number of a month given its first three letters, or 0.
func monthOf(s []byte) int {
	if len(s) < 3 {
		return 0
	}
	var name [3]byte
	for i := range name {
		name[i] = ascii.ToLower(s[i])
	}
	if i := strings.Index(months, string(name[:])); i >= 0 && i%3 == 0 {
		return i/3 + 1
	}
	return 0
}
