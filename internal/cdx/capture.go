package cdx

import (
	"bytes"
	"strconv"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/jsonstring"
)

// A Capture is what one line of an index says. Its slices belong to the line, or are new.
type Capture struct {
	URL    []byte // absolute; nil: the index has only keys
	Key    []byte // the key of the line, by the rules of the program that made the index; nil: it has none
	Date   []byte // 4 to 17 digits: year, month, day, hour, minute, second, thousandths
	Status int    // of HTTP; 0: the line does not say
	File   []byte // the archive that has the record; nil: the line does not say
	Offset int64  // of the record in File
	Length int64  // 0: the line does not say

	// IsRevisit reports that the capture has the contents of an earlier one.
	IsRevisit bool
}

// IsError reports whether the capture is of an answer that is neither a page nor a redirect.
func (c *Capture) IsError() bool { return c.Status != 0 && c.Status/100 != 2 && c.Status/100 != 3 }

// Next returns the capture in the next line of an index, without its line end. A header sets l. ok is false
// if the line is about no capture; isBroken reports that it is not even a line of an index. It is less
// strict than Scan, since its caller knows that this is an index. A row without a header may have three or
// more columns, and objects need no key before them.
func (l *Layout) Next(text []byte) (c Capture, ok, isBroken bool) {
	if len(text) == 0 || text[0] == '!' || text[0] == '@' {
		return c, false, false
	}
	h, isHeader := header(text)
	if isHeader {
		*l = h
		return c, false, h.date < 0 || h.URL < 0 && h.key < 0
	}
	if at := object(text); at >= 0 {
		c, ok, isBroken = captureOfObject(text, at)
	} else {
		c, ok = l.row(text)
		isBroken = !ok
	}
	if !ok || isOwn(c.URL) {
		return Capture{}, false, isBroken
	}
	if c.URL != nil && !hasScheme(c.URL) || !isDate(c.Date) {
		return Capture{}, false, true
	}
	return c, true, false
}

// row returns the capture of a row of columns.
func (l *Layout) row(text []byte) (c Capture, ok bool) {
	key, date, url, mime, status, delimiter := 0, 1, 2, 3, 4, byte(' ')
	n := 1 + bytes.Count(text, []byte{' '})
	length, offset, file := -1, -1, -1
	switch {
	case n >= 11: // N b a m s k r M S V g
		length, offset, file = 8, 9, 10
	case n >= 9: // without S, or without M and S
		offset, file = n-2, n-1
	}
	if l.IsHeaded {
		length, offset, file = l.length, l.offset, l.file
		key, date, url, mime, status, delimiter = l.key, l.date, l.URL, l.mime, l.status, l.Delimiter
		n = 1 + bytes.Count(text, []byte{delimiter})
		if n != l.Columns || date < 0 {
			return c, false
		}
	}
	if n < 3 {
		return c, false
	}
	column := func(i int) []byte {
		if i < 0 {
			return nil
		}
		return field(text, delimiter, i)
	}
	c = Capture{URL: column(url), Key: column(key), Date: column(date), Status: number(column(status)), IsRevisit: isRevisit(column(mime))}
	c.setPlace(column(file), column(offset), column(length))
	return c, c.URL != nil || c.Key != nil
}

// captureOfObject returns the capture that the object says which begins at text[at], with the key and date before it.
func captureOfObject(text []byte, at int) (c Capture, ok, isBroken bool) {
	if at > 0 {
		c.Key, c.Date = field(text, ' ', 0), field(text, ' ', 1)
	}
	var file, offset, length []byte
	isWhole := members(text, at, func(name []byte, value scan.Span) {
		switch string(name) {
		case "url":
			c.URL = jsonstring.Value(text, value)
		case "timestamp":
			if at == 0 {
				c.Date = text[value.Start:value.End]
			}
		case "filename":
			file = jsonstring.Value(text, value)
		case "offset":
			offset = text[value.Start:value.End]
		case "length":
			length = text[value.Start:value.End]
		case "status":
			c.Status = number(text[value.Start:value.End])
		case "mime", "mimetype":
			c.IsRevisit = isRevisit(text[value.Start:value.End])
		}
	})
	c.setPlace(file, offset, length)
	switch {
	case !isWhole:
		return c, false, true
	case c.URL == nil || c.Date == nil: // such as a line of an index of indexes, or of a list of pages
		return c, false, false
	}
	return c, true, false
}

// setPlace sets where the record is, if offset is a number.
func (c *Capture) setPlace(file, offset, length []byte) {
	at, err := strconv.ParseInt(string(offset), 10, 64)
	if err != nil || at < 0 || len(file) == 0 {
		return
	}
	c.File, c.Offset = file, at
	if n, err := strconv.ParseInt(string(length), 10, 64); err == nil && n > 0 {
		c.Length = n
	}
}

func isRevisit(mediaType []byte) bool { return string(mediaType) == "warc/revisit" }

// number returns the value of a status, 0 if it is none.
func number(text []byte) int {
	n, err := strconv.ParseUint(string(text), 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

// Date14 returns a date as 14 digits: those that are not given are the first month, day, hour, minute and second.
func Date14(digits []byte) string {
	const first = "00000101000000"
	if len(digits) >= len(first) {
		return string(digits[:len(first)])
	}
	return string(digits) + first[len(digits):]
}

// IsIndex reports whether a file that begins with head, its first bytes or all of it, is an index of
// captures: one that Is finds, but not a list of pages; or the answer of an index server, an object with a
// timestamp in each line.
func IsIndex(head []byte) bool {
	var l Layout
	for line := range lines(head) {
		text := head[line.Start:line.End]
		if len(text) == 0 || text[0] == '!' || text[0] == '@' {
			continue
		}
		_, isHeader := header(text)
		_, ok, _ := l.Next(text)
		return isHeader || ok
	}
	return false
}
