// Package cdx reads the indexes of web archives as lists of URLs: CDX, CDXJ, and the lists of pages in WACZ files. Each
// line is about one capture.
//
//	CDX     " CDX N b a m s k r M S V g" names the columns, divided by its first byte: column "a" is the URL as it was
//	        crawled. Without that line, the URL is the third of 7, 9, 10, 11, 12 or 14 columns
//	CDXJ    a key, a timestamp, and a JSON object whose member "url" is the URL. Lines that begin with "!" or "@"
//	        are about the index itself
//	pages   a JSON object in each line, likewise
//
// What a crawler writes about itself is left out: URLs of the schemes dns, filedesc, metadata and warcinfo, and those
// that begin with "urn:X-wpull:". A line that is not one of these gives a note, and no URL: a part of it could be wrong.
package cdx

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/jsonstring"
)

// Line is the kind of a line that is not read, for counting.
const Line = "index line"

// maxColumns limits the columns of a header.
const maxColumns = 64

// A Layout says where the lines of a file have their URL. The zero Layout is that of a file without a header.
type Layout struct {
	IsHeaded  bool
	Delimiter byte
	Columns   int
	URL       int // the index of column "a"; -1: there is none

	key, date, mime, status int // of columns "N" or "A", "b", "m" and "s"; -1: there is none
	length, offset, file    int // of columns "S", "V" and "g"
}

// Is reports whether a file that begins with head, its first 4,096 bytes or all of it, is one that this package reads.
func Is(head []byte) bool {
	for line := range lines(head) {
		text := head[line.Start:line.End]
		switch {
		case len(text) == 0:
			continue
		case text[0] == '!', text[0] == '@':
			if bytes.HasPrefix(text, []byte("!OpenWayback-CDXJ")) || bytes.HasPrefix(text, []byte("!meta ")) {
				return true
			}
			continue
		case text[0] == '{':
			return bytes.HasPrefix(withoutBlanks(text[:min(len(text), 64)]), []byte(`{"format":"json-pages-`))
		}
		if _, ok := header(text); ok {
			return true
		}
		if at := object(text); at > 0 {
			return bytes.HasPrefix(withoutBlanks(text[at:min(len(text), at+64)]), []byte(`{"`))
		}
		var l Layout
		column, ok := l.column(text)
		return ok && isDate(field(text, ' ', 1)) && hasScheme(text[column.Start:column.End])
	}
	return false
}

// LayoutOf returns the Layout of a file that begins with head.
func LayoutOf(head []byte) (l Layout) {
	for line := range lines(head) {
		l, _ = header(head[line.Start:line.End])
		break
	}
	return l
}

// Scan yields the URL of each line of src, which begins with a line. It runs in time linear in len(src).
func (l Layout) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		var item scan.Item
		for line := range lines(src) {
			text := src[line.Start:line.End]
			if len(text) == 0 || text[0] == '!' || text[0] == '@' {
				continue
			}
			if h, ok := header(text); ok {
				l = h
				if l.URL < 0 {
					item = scan.Item{Op: scan.Note, Span: line, Code: scan.CodeUnreadType, Type: Line, Text: "an index without the column of URLs (a): not read"}
					if !yield(&item) {
						return
					}
				}
				continue
			}
			if l.IsHeaded && l.URL < 0 || !l.item(&item, text) {
				continue
			}
			item.Span.Start += line.Start
			item.Span.End += line.Start
			if !yield(&item) {
				return
			}
		}
	}
}

// item sets it to what a line holds: a reference, or a note. ok is false if there is nothing to report.
func (l *Layout) item(it *scan.Item, text []byte) (ok bool) {
	if at := object(text); at >= 0 {
		value, isObject := memberURL(text, at)
		in := "cdxj/url"
		if at == 0 {
			in = "pages/url"
		}
		if !isObject {
			return malformed(it, text)
		}
		if value.End == 0 {
			return false // such as the first line of a list of pages
		}
		return set(it, in, scan.JSON, value, jsonstring.Value(text, value))
	}
	column, isRow := l.column(text)
	if !isRow {
		return malformed(it, text)
	}
	value := text[column.Start:column.End]
	if string(value) == "-" {
		return false
	}
	return set(it, "cdx/a", scan.Bare, column, value)
}

// set makes it a reference.
func set(it *scan.Item, in string, how scan.How, span scan.Span, url []byte) bool {
	if isOwn(url) {
		return false
	}
	if !hasScheme(url) {
		*it = scan.Item{Op: scan.Note, Span: span, Code: scan.CodeUnreadType, Type: Line, Text: "a line of an index whose URL is not absolute: not read"}
		return true
	}
	*it = scan.Item{Op: scan.Ref, Kind: scan.Link, How: how, In: in, Span: span, Value: url}
	return true
}

func malformed(it *scan.Item, text []byte) bool {
	*it = scan.Item{Op: scan.Note, Span: scan.Span{End: len(text)}, Code: scan.CodeUnreadType, Type: Line, Text: "not a line of an index: not read"}
	return true
}

// own are the beginnings of URLs of records about the work of a crawler.
var own = [...]string{"dns:", "filedesc:", "metadata:", "warcinfo:", "urn:x-wpull:"}

func isOwn(url []byte) bool {
	for _, s := range own {
		if len(url) >= len(s) && ascii.EqualFold(url[:len(s)], s) {
			return true
		}
	}
	return false
}

// hasScheme reports whether url is absolute.
func hasScheme(url []byte) bool {
	for i, c := range url {
		switch {
		case c == ':':
			return i > 0
		case !ascii.IsLetter(c) && (i == 0 || !ascii.IsScheme(c)):
			return false
		}
	}
	return false
}

// header parses a line that names the columns.
func header(text []byte) (l Layout, ok bool) {
	if len(text) < 6 || ascii.IsLetter(text[0]) || ascii.IsDigit(text[0]) || string(text[1:4]) != "CDX" || text[4] != text[0] {
		return l, false
	}
	l = Layout{IsHeaded: true, Delimiter: text[0], URL: -1, key: -1, date: -1, mime: -1, status: -1, length: -1, offset: -1, file: -1}
	for name := range bytes.SplitSeq(bytes.TrimRight(text[5:], " "), text[:1]) {
		if len(name) != 1 || l.Columns == maxColumns {
			return Layout{}, false
		}
		switch column := name[0]; {
		case column == 'a' && l.URL < 0:
			l.URL = l.Columns
		case (column == 'N' || column == 'A') && l.key < 0:
			l.key = l.Columns
		case column == 'b' && l.date < 0:
			l.date = l.Columns
		case column == 'm' && l.mime < 0:
			l.mime = l.Columns
		case column == 's' && l.status < 0:
			l.status = l.Columns
		case column == 'S' && l.length < 0:
			l.length = l.Columns
		case column == 'V' && l.offset < 0:
			l.offset = l.Columns
		case column == 'g' && l.file < 0:
			l.file = l.Columns
		}
		l.Columns++
	}
	return l, true
}

// column returns where a row has its URL; ok is false if it has other columns than l says.
func (l *Layout) column(text []byte) (s scan.Span, ok bool) {
	delimiter, column := byte(' '), 2
	if l.IsHeaded {
		delimiter, column = l.Delimiter, l.URL
	}
	n := 1 + bytes.Count(text, []byte{delimiter})
	if l.IsHeaded && n != l.Columns || !l.IsHeaded && !slices.Contains([]int{7, 9, 10, 11, 12, 14}, n) {
		return s, false
	}
	value := field(text, delimiter, column)
	s.Start = cap(text) - cap(value)
	s.End = s.Start + len(value)
	return s, true
}

// field returns a column of a row, nil if it has fewer.
func field(text []byte, delimiter byte, column int) []byte {
	for ; column > 0; column-- {
		i := bytes.IndexByte(text, delimiter)
		if i < 0 {
			return nil
		}
		text = text[i+1:]
	}
	if i := bytes.IndexByte(text, delimiter); i >= 0 {
		text = text[:i]
	}
	return text
}

func isDate(word []byte) bool {
	for _, c := range word {
		if !ascii.IsDigit(c) {
			return false
		}
	}
	return 4 <= len(word) && len(word) <= 17
}

// object returns where the JSON object of a line begins: 0 in a list of pages, or after a key and a timestamp; -1 if
// the line has none.
func object(text []byte) int {
	if text[0] == '{' {
		return 0
	}
	key := bytes.IndexByte(text, ' ')
	if key < 0 {
		return -1
	}
	date := bytes.IndexByte(text[key+1:], ' ')
	if date < 0 || !isDate(text[key+1:key+1+date]) {
		return -1
	}
	at := key + 1 + date + 1
	for at < len(text) && text[at] == ' ' {
		at++
	}
	if at == len(text) || text[at] != '{' {
		return -1
	}
	return at
}

// memberURL returns the range of the text of the member "url" of the object that begins at src[at]; it is empty if
// the object has none. ok is false if the object does not end with the line.
func memberURL(src []byte, at int) (value scan.Span, ok bool) {
	ok = members(src, at, func(name []byte, v scan.Span) {
		if string(name) == "url" && value.End == 0 && src[v.Start-1] == '"' {
			value = v
		}
	})
	return value, ok
}

// members calls yield with the members of the object that begins at src[at] whose values are strings or
// words, such as numbers. It passes a name as written, and the range of a value, without quotation marks.
// ok is false if the object does not end with the line.
func members(src []byte, at int, yield func(name []byte, value scan.Span)) (ok bool) {
	depth, isValue := 0, false
	var name []byte
	for ; at < len(src); at++ {
		switch c := src[at]; c {
		case '{', '[':
			depth++
			isValue = false
		case '}', ']':
			if depth--; depth == 0 {
				return len(bytes.TrimSpace(src[at+1:])) == 0
			}
		case ':':
			isValue = true
		case ',':
			isValue = false
			if depth == 1 {
				name = nil
			}
		case '"':
			end := stringEnd(src, at+1)
			switch {
			case end == len(src):
				return false
			case depth == 1 && !isValue:
				name = src[at+1 : end]
			case depth == 1 && name != nil:
				yield(name, scan.Span{Start: at + 1, End: end})
				name = nil
			}
			at = end
		case ' ', '\t', '\r':
		default:
			end := at + 1
			for end < len(src) && (ascii.IsLetter(src[end]) || ascii.IsDigit(src[end])) {
				end++
			}
			if depth == 1 && isValue && name != nil {
				yield(name, scan.Span{Start: at, End: end})
				name = nil
			}
			at = end - 1
		}
	}
	return false
}

// stringEnd returns where the string that begins at src[at] ends; len(src) if it does not.
func stringEnd(src []byte, at int) int {
	for at < len(src) {
		i := bytes.IndexAny(src[at:], `"\`)
		if i < 0 {
			break
		}
		if at += i; src[at] == '"' {
			return at
		}
		at += 2
	}
	return len(src)
}

func withoutBlanks(s []byte) []byte {
	return []byte(strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, string(s)))
}

// lines yields the ranges of the lines of src, without their line ends.
func lines(src []byte) iter.Seq[scan.Span] {
	return func(yield func(scan.Span) bool) {
		for at := 0; at < len(src); {
			end, next := len(src), len(src)
			if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
				end, next = at+i, at+i+1
			}
			if end > at && src[end-1] == '\r' {
				end--
			}
			if !yield(scan.Span{Start: at, End: end}) {
				return
			}
			at = next
		}
	}
}
