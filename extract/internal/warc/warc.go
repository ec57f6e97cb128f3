// Package warc reads crawl archives: WARC (ISO 28500, versions 0.17 to 1.1, and the formats that use it:
// WET and WAT), ARC, versions 1 and 2, and WACZ files, which contain such archives. It finds where records
// begin and end, parses a record, and parses its HTTP heading: fields that hold references, and the codings
// of the body. It does not interpret bodies. Use it to walk through records; package extract also reads the
// references in them.
//
// # What each record does
//
// The base of a record is its WARC-Target-URI, as the URL of retrieval (RFC 3986 5.1.3), or the URL in the
// line of an ARC record. No record is embedded in another.
//
//	response      the fields Location, Content-Location, Link and Refresh are references,
//	              and the body is read, by its type. Without an HTTP heading the block is
//	              the body: WARC 0.17, ClueWeb, FTP
//	resource      the block is the body, of the type that the record says
//	conversion    likewise: the text of WET
//	revisit       only the fields are read: the body belongs to another record
//	metadata      skipped, except for WAT (below): the outlinks of Heritrix are those of the
//	              response beside it
//	request       skipped: what a crawler sent
//	warcinfo      skipped, with the version block of ARC
//	continuation  skipped, with a note: its beginning is in another file
//	others        skipped, with a note
//
// Records of the scheme dns are skipped. Package extract also skips those that a crawler writes about
// itself, such as its log (Config.OwnRecords). Content-Location is a link, never a base: RFC 7231 appendix
// B removed that meaning. Redirects are responses like others.
//
// WAT is metadata in JSON. From it, the links of HTML are read, against the base that the head of the page
// gives, and Location and Content-Location of HTTP.
//
// # Errors in archives
//
// Each of these gives a note, and as many references as possible:
//
//   - a Content-Length that points to no record: the record ends where the next one begins, searched from
//     the header of the record on;
//   - bytes between records, and before the first;
//   - the end of the input within a record;
//   - a record larger than the limit: it is cut, and the rest is skipped up to its Content-Length, which is
//     trusted, so that no page can forge records.
//
// These do not give a note: version blocks of ARC whose line has wrong words or too few; headers with line
// ends LF or CR CR LF; folded fields; records without line ends after them; "<" and ">" around a target,
// and spaces in it.
package warc

import (
	"bytes"
	"math"
	"strconv"

	"example.org/refract/internal/ascii"
)

const (
	// maxHead limits the header of a record, in bytes: the rest belongs to the block.
	maxHead = 1 << 20
	// maxLine limits the line before an ARC record, in bytes.
	maxLine = 16 << 10
	// maxShape is the number of bytes that show whether a header of WARC begins.
	maxShape = 128
	// maxStray is the number of bytes allowed between the end of a record, as its length says, and the
	// next record, for that length to count as right.
	maxStray = 64
	// maxBlank limits the line ends between records: further ones are stray bytes.
	maxBlank = 64
)

var magic = []byte("WARC/")

// Is reports whether an input that begins with head, its first 4,096 bytes or all of it,
// is WARC or ARC.
func Is(head []byte) bool {
	head = head[blank(head):]
	return shape(head, true, false) == yes || bytes.HasPrefix(head, fileDesc) && arcShape(head, true) == yes
}

// IsRecord reports whether an input that begins with head, its first 4,096 bytes or all of it, begins with a record
// of ARC. It may lack the version block.
func IsRecord(head []byte) bool { return arcShape(head[blank(head):], true) == yes }

// A Splitter finds where the records of one archive end. Its first record shows whether it is WARC or
// ARC. A Splitter is used for one archive.
type Splitter struct {
	Limit int // the size in bytes up to which records are held, including their headers; more than 0

	// Kind is the kind of archive that the first record shows. To start in the middle of an archive,
	// set it to its value at that place.
	Kind Kind

	// Bound, if set, returns the first place in the last src, not before src[from], at which a member of the
	// compressed file begins or ends, as far as it has been read; -1 if none is known. Records are members. So
	// a record whose length points to such a place ends there, and after damage the line in which the next
	// record begins is not needed.
	Bound func(from int) int

	junk   bool // the previous piece was NotMember, or the rest of it will be
	inLine bool // and it did not end a line
}

// A Kind is a kind of archive: WARC, ARC, or unknown so far.
type Kind uint8

const (
	Unknown Kind = iota
	IsWARC
	IsARC
)

// A Piece is the result of Next: a record with everything that the archive adds to it, its header and the line ends
// after it, or bytes that are no record.
type Piece struct {
	End    int   // where it ends, in bytes from its beginning
	Skip   int64 // for a Cut piece: the number of bytes after End that also belong to it
	Defect Defect

	// Need is, if ok is false, how many bytes Next probably needs, as far as a header says; 0 if that
	// is unknown.
	Need int
}

// A Defect is the damage of a Piece.
type Defect uint8

const (
	NoDefect    Defect = iota // a record, as long as it should be: it ends where its length says, or where the next one begins
	WrongLength               // a record that ends where the next one begins: its length leads elsewhere, or it has none
	Truncated                 // a record that the end of the input cuts off
	Cut                       // the beginning of a record that is larger than the limit
	NotRecord                 // not a record, or the rest of one that was cut
)

// Next returns the piece that src begins with. atEOF says that src ends the input; then ok is true. src is
// not empty. The first piece begins with the first byte of the archive.
//
// If ok is false, Next needs more bytes; call it again with a longer src and p.End as from. from is 0 for a
// new piece. So each byte is searched once, except for a few headers, however src grows, and the length of
// src does not affect where records end. If a record is too large to be held, the caller may cut off all of
// it except the byte before p.End, and search the rest from there.
//
// What is no record may be returned in several pieces; only their ends depend on how much of the input src
// holds. Next asks for at most Limit plus 1 MiB.
func (s *Splitter) Next(src []byte, from int, atEOF bool) (p Piece, ok bool) {
	p, ok = s.next(src, from, atEOF)
	if ok {
		s.junk = p.Defect == NotRecord || p.Defect == Cut && p.Skip == 0
		s.inLine = s.junk && p.End > 0 && src[p.End-1] != '\n'
	}
	return p, ok
}

func (s *Splitter) next(src []byte, from int, atEOF bool) (p Piece, ok bool) {
	lead, v := 0, yes
	if !s.junk { // otherwise the line ends belong to the junk
		lead = blank(src)
	}
	if s.inLine && !s.isBound(0) {
		v = no
		if s.Kind != IsARC {
			v = shape(src, atEOF, true)
		}
	}
	var start int
	var length int64
	if v == yes {
		start, length, v = s.head(src[lead:], atEOF)
	}
	switch v {
	case more:
		return Piece{}, false
	case no:
		// Return bytes that are not a record as soon as that is known.
		at, _ := s.search(src, max(from, 1), atEOF)
		at = min(at, len(src))
		if at <= 1 && !atEOF {
			return Piece{End: at}, false
		}
		return Piece{End: at, Defect: NotRecord}, true
	}
	start += lead
	if b, found := s.searchBounds(src, lead+1, min(start, len(src)), atEOF); found {
		return Piece{End: b, Defect: NotRecord}, true // damage ends this header
	}
	if from == 0 && length >= 0 {
		end := int64(start) + min(length, math.MaxInt64-int64(start))
		switch {
		case end > int64(s.Limit) && len(src) > s.Limit:
			return Piece{End: s.Limit, Skip: end - int64(s.Limit), Defect: Cut}, true
		case end > int64(len(src)):
			if !atEOF {
				return Piece{Need: int(min(end, int64(s.Limit))) + maxBlank + maxStray + maxShape}, false
			}
		default:
			if b, found := s.searchBounds(src, start, int(end), atEOF); found {
				return Piece{End: b, Defect: WrongLength}, true
			}
			at := int(end) + blank(src[end:])
			if at < len(src) && (s.isBound(int(end)) || s.isBound(at)) {
				return Piece{End: at}, true
			}
			switch s.follows(src, int(end), at, atEOF) {
			case more:
				return Piece{}, false
			case yes:
				return Piece{End: at}, true
			}
		}
	}
	at, found := s.search(src, max(from, start), atEOF)
	switch {
	case at > s.Limit:
		return Piece{End: s.Limit, Defect: Cut}, true
	case found:
		return Piece{End: at, Defect: WrongLength}, true
	case !atEOF:
		return Piece{End: at}, false
	case length > int64(len(src)-start):
		return Piece{End: len(src), Defect: Truncated}, true
	}
	return Piece{End: len(src), Defect: WrongLength}, true
}

// follows reports whether a record that ends at src[end] is followed by another, or by the end of the
// input, at src[at], after empty lines or a few stray bytes.
func (s *Splitter) follows(src []byte, end, at int, atEOF bool) verdict {
	if v := s.begins(src[at:], atEOF); v == more || v == yes && !s.inURL(src, at) {
		return v
	}
	if at == end && at < len(src) {
		return no // the length is too small
	}
	stop := end + maxStray
	if atEOF && len(src) <= stop {
		return yes
	}
	view := src[:min(len(src), stop+maxLine)]
	next, found := s.search(view, max(at, 1), atEOF && len(view) == len(src))
	switch {
	case next > stop || atEOF && !found:
		return no
	case found:
		return yes
	}
	return more
}

// inURL reports whether src[at] is in the URL at the beginning of a record of ARC: the length of the record
// before it is too large.
func (s *Splitter) inURL(src []byte, at int) bool {
	if s.Kind != IsARC || at == 0 || src[at-1] == '\n' {
		return false
	}
	begin := max(0, at-maxShape)
	i := bytes.LastIndexByte(src[begin:at], '\n')
	return i >= 0 && arcShape(src[begin+i+1:], true) == yes
}

// A verdict is the result of testing some bytes.
type verdict int8

const (
	no verdict = iota
	yes
	more // more bytes are needed
)

// cut returns no if nothing can follow, else more.
func cut(atEOF bool) verdict {
	if atEOF {
		return no
	}
	return more
}

// blank returns the number of line ends at the beginning of src.
func blank(src []byte) int {
	n := 0
	for n < min(len(src), maxBlank) && (src[n] == '\r' || src[n] == '\n') {
		n++
	}
	return n
}

// head reads the header at the beginning of src. It returns where the block begins, and its length,
// -1 if the header gives none.
func (s *Splitter) head(src []byte, atEOF bool) (start int, length int64, v verdict) {
	if s.Kind != IsARC {
		v = shape(src, atEOF, false)
		if v == yes {
			start, length, v = warcHead(src, min(maxHead, s.Limit), atEOF)
			if v == yes {
				s.Kind = IsWARC
			}
		}
		if v != no {
			return start, length, v
		}
	}
	if s.Kind != IsWARC {
		v = arcShape(src, atEOF)
		if v == yes {
			s.Kind = IsARC
			l := arcLine(src)
			return l.end, l.length, yes
		}
	}
	return 0, 0, v
}

// Begins reports whether a record begins with src, what follows a whole one.
func (s *Splitter) Begins(src []byte, atEOF bool) bool { return s.begins(src, atEOF) == yes }

// begins reports whether a record begins with the line src, as far as that line alone shows.
func (s *Splitter) begins(src []byte, atEOF bool) (v verdict) {
	if s.Kind != IsARC {
		v = shape(src, atEOF, false)
	}
	if v == no && s.Kind != IsWARC {
		v = arcShape(src, atEOF)
	}
	return v
}

// search returns where a record begins in src, from src[from] on. If none does, at is how far it has
// searched; from is more than 0.
func (s *Splitter) search(src []byte, from int, atEOF bool) (at int, found bool) {
	at, found = s.searchLines(src, from, atEOF)
	if b, ok := s.searchBounds(src, from, at, atEOF); b < at {
		return b, ok
	}
	return at, found
}

// searchBounds is search for a record that begins with a member of the compressed file, before src[to].
func (s *Splitter) searchBounds(src []byte, from, to int, atEOF bool) (at int, found bool) {
	if s.Bound == nil {
		return to, false
	}
	for b := s.Bound(from); b >= 0 && b < to; b = s.Bound(b + 1) {
		switch s.begins(src[b:], atEOF) {
		case yes:
			return b, true
		case more:
			return b, false
		}
	}
	return to, false
}

// isBound reports whether a member of the compressed file begins or ends at src[at].
func (s *Splitter) isBound(at int) bool { return s.Bound != nil && s.Bound(at) == at }

// searchLines is search for records that begin lines, or that are recognised within one.
func (s *Splitter) searchLines(src []byte, from int, atEOF bool) (at int, found bool) {
	at = len(src)
	if s.Kind != IsARC {
		at, found = searchWARC(src, from, atEOF)
		if found && s.Kind == IsWARC {
			return at, true
		}
	}
	if s.Kind != IsWARC {
		// A record of the other kind may begin before it.
		if arc, ok := searchARC(src[:min(len(src), at+maxLine)], from, atEOF || at+maxLine < len(src)); ok && arc <= at || !ok && !found && arc < at {
			return arc, ok
		}
	}
	return at, found
}

func searchWARC(src []byte, from int, atEOF bool) (at int, found bool) {
	for from < len(src) {
		i := bytes.Index(src[from:], magic)
		if i < 0 {
			break
		}
		from += i
		switch shape(src[from:], atEOF, src[from-1] != '\n') {
		case yes:
			return from, true
		case more:
			return from, false
		}
		from++
	}
	if atEOF {
		return len(src), false
	}
	return max(from, len(src)-len(magic)+1), false
}

func searchARC(src []byte, from int, atEOF bool) (at int, found bool) {
	for from--; from < len(src); from++ {
		i := bytes.IndexByte(src[from:], '\n')
		if i < 0 {
			break
		}
		from += i
		switch arcShape(src[from+1:], atEOF) {
		case yes:
			return from + 1, true
		case more:
			return from + 1, false
		}
	}
	return len(src), false
}

// shape reports whether a header of WARC begins at src: the line of its version, and a field. If it
// does not begin a line, as where compressed data is damaged, the field has to be a field of WARC.
func shape(src []byte, atEOF, inLine bool) verdict {
	n := min(len(src), len(magic))
	if !bytes.Equal(src[:n], magic[:n]) {
		return no
	}
	full := len(src) >= maxShape
	src = src[:min(len(src), maxShape)]
	for n < len(src) && (ascii.IsDigit(src[n]) || src[n] == '.') {
		n++
	}
	version := n - len(magic)
	for n < len(src) && (src[n] == '\r' || src[n] == ' ' || src[n] == '\t') {
		n++
	}
	if n == len(src) {
		return cut(atEOF || full)
	}
	if src[n] != '\n' || version < len("0.1") {
		return no
	}
	field := src[n+1:]
	for i, c := range field {
		switch {
		case c == ':' && i > 0:
			if name := bytes.ToLower(field[:i]); inLine && !bytes.HasPrefix(name, []byte("warc-")) && !bytes.HasPrefix(name, []byte("content-")) {
				return no
			}
			return yes
		case !ascii.IsLetter(c):
			if c != '-' && c != '_' && !ascii.IsDigit(c) {
				return no
			}
		}
	}
	return cut(atEOF || full)
}

// warcHead reads a header up to the empty line after it, but at most most bytes. So no byte is read more
// than twice, even if a header contains text that looks like a header.
func warcHead(src []byte, most int, atEOF bool) (start int, length int64, v verdict) {
	length = -1
	f := fields{src: src[:min(len(src), most)]}
	f.line() // of the version
	for f.next() {
		if length < 0 && ascii.EqualFold(f.name, "content-length") {
			length = parseLength(f.value)
		}
	}
	if !f.ended && !atEOF && len(src) < most {
		return 0, 0, more
	}
	return f.at, length, yes
}

// parseLength parses a number of bytes; -1 if s is not a number.
func parseLength(s []byte) int64 {
	n, err := strconv.ParseInt(string(bytes.TrimSpace(s)), 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// An arcRecord is the line before an ARC record.
type arcRecord struct {
	url, date, mediaType []byte
	length               int64
	end                  int // after the line end
}

// arcShape reports whether a record of ARC begins at src: a line with a URL, an IP address, a date,
// and more.
func arcShape(src []byte, atEOF bool) verdict {
	i := 0
	for ; i < min(len(src), 32) && src[i] != ':'; i++ {
		if c := src[i]; !ascii.IsLetter(c) && (i == 0 || !ascii.IsScheme(c)) {
			return no
		}
	}
	switch {
	case i == len(src):
		return cut(atEOF)
	case i == 0 || i == 32:
		return no
	}
	if bytes.IndexByte(src[:min(len(src), maxLine)], '\n') < 0 && !atEOF && len(src) < maxLine {
		return more
	}
	switch {
	case arcLine(src).url != nil:
		return yes
	case bytes.HasPrefix(src, fileDesc) && bytes.Count(src[:min(len(src), maxLine)], []byte{'\n'}) < 2 && len(src) < maxLine:
		return cut(atEOF)
	}
	return no
}

var fileDesc = []byte("filedesc:")

// versionLine reads the line at the beginning of src if it is that of a version block of ARC, whatever is
// wrong with its fields. Such a line begins with "filedesc:", and the next line has the two numbers of a
// version. Some programs write "-" for fields, or other words.
func versionLine(src []byte) (l arcRecord) {
	src = src[:min(len(src), maxLine)]
	end := bytes.IndexByte(src, '\n')
	if !bytes.HasPrefix(src, fileDesc) || end < 0 {
		return l
	}
	next := bytes.Fields(src[end+1 : end+1+indexAny(src[end+1:], "\n")])
	if len(next) < 3 || parseLength(next[0]) < 1 || parseLength(next[1]) < 0 {
		return l
	}
	words := bytes.Fields(src[:end])
	return arcRecord{url: words[0], length: parseLength(words[len(words)-1]), end: end + 1}
}

// arcLine reads the line at the beginning of src; url is nil if the line does not begin a record. There may
// be spaces in the URL and in the media type, so the address is searched from the end.
func arcLine(src []byte) (l arcRecord) {
	l = recordLine(src)
	if l.url == nil {
		if v := versionLine(src); v.url != nil {
			return v
		}
	}
	return l
}

// recordLine is arcLine for a line whose fields are in order.
func recordLine(src []byte) (l arcRecord) {
	line := src[:min(len(src), maxLine)]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	} else if len(src) >= maxLine {
		return l
	}
	l.end = min(len(line)+1, len(src))
	line = bytes.TrimRight(line, "\r ")
	end := len(line)
	var after [3][]byte // the words after the current one
	l.length = -1
	for n := range 16 {
		i := bytes.LastIndexByte(line[:end], ' ')
		if i < 0 {
			break
		}
		word := line[i+1 : end]
		if n == 0 {
			l.length = parseLength(word)
		}
		if n >= 3 && address(word) && date(after[0]) {
			l.url, l.date, l.mediaType = bytes.TrimRight(line[:i], " "), after[0], after[1]
			return l
		}
		after[2], after[1], after[0] = after[1], after[0], word
		end = i
	}
	return l
}

// address reports whether word looks like an IP address.
func address(word []byte) bool {
	dots, colons := bytes.Count(word, []byte{'.'}), bytes.Count(word, []byte{':'})
	for _, c := range word {
		if !ascii.IsHex(c) && c != '.' && c != ':' {
			return false
		}
	}
	return dots == 3 && len(word) <= 15 || colons >= 2
}

// date reports whether word is a date, or the placeholder for an unknown date.
func date(word []byte) bool {
	for _, c := range word {
		if !ascii.IsDigit(c) {
			return string(word) == "null" || string(word) == "-"
		}
	}
	return len(word) >= 8
}
