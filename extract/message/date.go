package message

import (
	"bytes"
	"strings"
	"time"

	"example.org/refract/internal/ascii"
)

// months are the first three letters of each, in lower case.
const months = "janfebmaraprmayjunjulaugsepoctnovdec"

// zones are those of RFC 5322 section 4.3, in minutes east of Greenwich. Other names, including
// military zones, count as unknown: "-0000".
var zones = map[string]int{
	"ut": 0, "utc": 0, "gmt": 0, "z": 0,
	"est": -5 * 60, "edt": -4 * 60, "cst": -6 * 60, "cdt": -5 * 60,
	"mst": -7 * 60, "mdt": -6 * 60, "pst": -8 * 60, "pdt": -7 * 60,
}

// parseDate parses the value of a Date field (RFC 5322 section 3.3, and 4.3 for old forms: years of
// two digits, zones by name, no seconds). ok is false if the value is not a date, such as the 31st of
// June.
func parseDate(value []byte) (t time.Time, ok bool) {
	if i := bytes.IndexByte(value, '('); i >= 0 { // a comment, with the zone's name
		value = value[:i]
	}
	if i := bytes.IndexByte(value, ','); i >= 0 { // the day of the week
		value = value[i+1:]
	}
	word := func() (w []byte) {
		value = bytes.TrimLeft(value, " \t\r\n-")
		n := bytes.IndexAny(value, " \t\r\n")
		if i := bytes.IndexByte(value, '-'); i > 0 && (n < 0 || i < n) && i < 4 { // 1-Apr-1997, in old news
			n = i
		}
		if n < 0 {
			n = len(value)
		}
		w, value = value[:n], value[n:]
		return w
	}
	first := word()
	if len(first) >= 3 && ascii.IsLetter(first[0]) && monthOf(first) == 0 {
		first = word() // the day of the week, without a comma
	}
	day, isDay := number(first)
	month := word()
	if !isDay && monthOf(first) > 0 { // Tue Apr  1 09:28:56 1997, as of C
		day, isDay = number(month)
		month = first
	}
	year := word()
	var clock []byte
	if bytes.IndexByte(year, ':') > 0 {
		clock, year = year, word()
		if len(year) > 0 && ascii.IsLetter(year[0]) { // and a zone before the year
			year = word()
		}
	} else {
		clock = word()
	}
	y, isYear := number(year)
	m := monthOf(month)
	if !isDay || !isYear || m == 0 || len(year) > 4 || len(year) < 2 {
		return t, false
	}
	switch {
	case len(year) == 2 && y < 50:
		y += 2000
	case len(year) < 4:
		y += 1900
	}
	seconds, isTime := clockOf(clock)
	if !isTime {
		return t, false
	}
	value = bytes.TrimLeft(value, " \t\r\n") // a sign belongs to the zone
	zone, _, _ := bytes.Cut(value, []byte{' '})
	t = time.Date(y, time.Month(m), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day {
		return time.Time{}, false
	}
	return t.Add(time.Duration(seconds-60*zoneOf(zone)) * time.Second), true
}

// number parses decimal digits, at most four.
func number(s []byte) (n int, ok bool) {
	for _, c := range s {
		if !ascii.IsDigit(c) || len(s) > 4 {
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

// clockOf parses hours, minutes and optional seconds, and returns the seconds of the day.
func clockOf(s []byte) (seconds int, ok bool) {
	for i, unit := range [...]int{3600, 60, 1} {
		digits, rest, more := bytes.Cut(s, []byte{':'})
		n, isNumber := number(digits)
		if !isNumber || n > 60 || i == 0 && n > 23 {
			return 0, false
		}
		seconds += n * unit
		s = rest
		if !more {
			return seconds, i > 0
		}
	}
	return seconds, false
}

// zoneOf returns a zone in minutes east of Greenwich; 0 if it is not known.
func zoneOf(s []byte) int {
	s = bytes.TrimSpace(s)
	if len(s) == 5 && (s[0] == '+' || s[0] == '-') {
		n, ok := number(s[1:])
		if !ok {
			return 0
		}
		minutes := n/100*60 + n%100
		if s[0] == '-' {
			return -minutes
		}
		return minutes
	}
	return zones[strings.ToLower(string(s))]
}
