package mailbox

import (
	"bytes"
	"strconv"
	"strings"

	"example.org/refract/internal/ascii"
)

const (
	// maxLead limits the bytes before the first "From " line, maxHeader the bytes of the header that
	// are searched for a Content-Length.
	maxLead   = 4096
	maxHeader = 1 << 20
	// maxLine is the longest line that RFC 5322 2.1.1 allows, in bytes, including its end.
	maxLine = 1000
	// maxQuoted is the number of ">From " lines allowed between a "From " line and the first field:
	// each UUCP relay leaves one.
	maxQuoted = 8
)

var (
	fromLine = []byte("From ")
	quoted   = []byte(">From ")

	contentLength = []byte("Content-Length:")
)

// IsMbox reports whether an input is a mailbox: whether the first nonempty line of head is a "From " line
// that counts. head is the first 4,096 bytes of the input or all of it.
func IsMbox(head []byte) bool { return separates(head, lead(head), true) == yes }

// Mbox returns the Splitter of a mailbox file: mboxo, mboxrd, mboxcl and mboxcl2, whose common part is RFC
// 4155.
//
// Before each message stands a line that begins with "From ". Text also has such lines, because not every
// writer quotes them. So a line counts only if it has a date in the form of asctime and a header field
// follows, or if two header fields follow. Any two will do if a single word follows "From " ("From
// -7379267013834866826", of Google Groups and the Internet Archive); otherwise they must be two fields of mail. In the
// archive of a list, with 77,342 messages, the date is never wrong. Counting all lines that begin with
// "From " would be wrong 39 times, and counting those after an empty line 164 times.
//
// Notable divergences from RFC 4155:
//
//   - the address is not read: archives obfuscate it, or leave it out;
//   - the date may have any of the forms found in practice, and may be missing in three kinds of lines that
//     cannot be confused with text: see dated;
//   - no empty line is required before it: 130 of those messages have none;
//   - lines may end in CRLF; a byte order mark and empty lines may come first.
//
// A mailbox of the kinds mboxcl and mboxcl2 has a Content-Length in every message. If the first sixteen
// have none, the mailbox is of another kind, and the field is no longer searched for. The search took a
// twelfth of the time of reading an archive of plain mail.
func Mbox(state int) Splitter { return &mbox{state} }

type mbox struct {
	// state is the number of messages so far, counted from the first, without a Content-Length, or -1
	// once a message has one.
	state int
}

func (s *mbox) State() int { return s.state }

// Next ends a message where the next "From " line that counts begins, or with the input.
//
// A Content-Length field (mboxcl, mboxcl2) counts if it points to the end of the input or to a "From " line
// that counts, give or take two line ends: "From " lines before that are text. Often the length is wrong
// because something edited the message; then it does not count. To check it, Next asks for up to 16 MiB
// more bytes than usual, and reads the header, of at most 1 MiB, again in each call until they are there.
// It does not search for the field in a message that is partly cut off.
func (s *mbox) Next(src []byte, from int, atEOF bool) (p Piece, ok bool) {
	at := from
	if at == 0 {
		at = lead(src)
		if !atEOF && (at == len(src) || len(src) < len(fromLine)) {
			return Piece{}, false
		}
		at++
	}
	// Tried on 32 MB of mail: IndexByte of 'F' 8.7 GB/s, Index of "From " 8.4, IndexByte of '\n' 3.3,
	// Index of "\nFrom " 2.9; counting lines 19. The rest of the time goes into searching the headers
	// for a Content-Length: 3.9 in all.
	for ; at < len(src); at++ {
		i := bytes.Index(src[at:], fromLine)
		if i < 0 {
			break
		}
		at += i
		if src[at-1] != '\n' {
			p.Quoted = p.Quoted || src[at-1] == '>'
			continue
		}
		switch separates(src, at, atEOF) {
		case more:
			p.End = at
			return p, false
		case yes:
			p.End, ok = s.lengthen(src, at, atEOF)
			p.Quoted = p.Quoted || p.End > at
			return p, ok
		}
	}
	if atEOF {
		p.End = len(src)
		return p, true
	}
	p.End = max(at, len(src)-len(fromLine)+1)
	return p, false
}

// Body excludes the "From " line before the message and the empty line after it, which belong to the
// mailbox (RFC 4155 appendix A). ">From " lines in the header are kept.
func (*mbox) Body(src []byte) (start, end int, exact bool) {
	if i := lead(src); separates(src, i, true) == yes {
		start = i + bytes.IndexByte(src[i:], '\n') + 1
	}
	end = len(src)
	if rest, ok := bytes.CutSuffix(src[start:], []byte("\n")); ok {
		rest = bytes.TrimSuffix(rest, []byte("\r"))
		if bytes.HasSuffix(rest, []byte("\n")) {
			end = start + len(rest)
		}
	}
	return start, end, true
}

// lead returns the number of bytes before the first line that is not blank.
func lead(src []byte) int {
	i := 0
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		i = 3
	}
	for i < min(len(src), maxLead) && (src[i] == '\n' || src[i] == '\r') {
		i++
	}
	return i
}

// A verdict is the result of testing a line.
type verdict int8

const (
	no verdict = iota
	yes
	more // more bytes are needed
)

// cut returns no if src has ended, else more.
func cut(atEOF bool) verdict {
	if atEOF {
		return no
	}
	return more
}

// separates reports whether a "From " line that counts begins at src[i].
func separates(src []byte, i int, atEOF bool) verdict {
	s := src[i:]
	n, v := begins(s, fromLine, atEOF)
	if v != yes {
		return v
	}
	envelope := bytes.TrimSpace(s[len(fromLine):n])
	isDated := dated(envelope)
	for range maxQuoted {
		s = s[n:]
		n, v = begins(s, quoted, atEOF)
		switch {
		case v == more:
			return more
		case v == no && isDated:
			return field(s, atEOF)
		case v == no:
			return twoFields(s, bytes.IndexByte(envelope, ' ') < 0, atEOF)
		}
	}
	return no
}

// twoFields reports whether s begins with two header fields. Unless any is set, both must be fields
// of mail or news: after "From here on" in text, lines may look like fields.
func twoFields(s []byte, any, atEOF bool) verdict {
	for n := range 2 {
		v := field(s, atEOF)
		if v != yes {
			return v
		}
		if !any && !ofMail(s[:bytes.IndexByte(s, ':')]) {
			return no
		}
		if n == 1 {
			return yes
		}
		for first := true; first || len(s) > 0 && (s[0] == ' ' || s[0] == '\t'); first = false { // including its continuation lines
			end := bytes.IndexByte(s[:min(len(s), maxLine)], '\n')
			if end < 0 {
				if len(s) >= maxLine {
					return no
				}
				return cut(atEOF)
			}
			s = s[end+1:]
		}
		if len(s) == 0 {
			return cut(atEOF)
		}
	}
	return no
}

// ofMail reports whether a field with this name is one that begins a heading of mail or news. Source:
// by hand, as of November 2026, from RFC 5322 section 3.6, RFC 5536 section 3, and the first fields
// in archives.
func ofMail(name []byte) bool {
	var lower [32]byte
	if len(name) > len(lower) {
		return false
	}
	for i, c := range name {
		lower[i] = ascii.ToLower(c)
	}
	switch string(lower[:len(name)]) {
	case "from", "to", "cc", "subject", "date", "message-id", "received", "return-path", "path", "newsgroups", "xref",
		"reply-to", "sender", "organization", "references", "in-reply-to", "lines", "status", "mime-version",
		"content-type", "delivered-to", "approved", "relay-version", "posting-version", "article-i.d.", "nntp-posting-host",
		"x-received", "x-google-thread", "x-google-attributes", "x-mozilla-status", "x-status", "x-uid", "x-keywords":
		return true
	}
	return false
}

// begins reports whether s begins with a line that has this prefix, and returns the length of the
// line, including its end.
func begins(s, prefix []byte, atEOF bool) (n int, v verdict) {
	if !bytes.HasPrefix(s, prefix[:min(len(prefix), len(s))]) {
		return 0, no
	}
	if len(s) < len(prefix) {
		return 0, cut(atEOF)
	}
	if i := bytes.IndexByte(s[:min(len(s), maxLine)], '\n'); i >= 0 {
		return i + 1, yes
	}
	if len(s) >= maxLine {
		return 0, no
	}
	return 0, cut(atEOF)
}

// field reports whether s begins with a header field: a name (RFC 5322 2.2) and a colon. A line of
// text that is a URL does not count: no "//" may follow the colon.
func field(s []byte, atEOF bool) verdict {
	for i, c := range s[:min(len(s), maxLine)] {
		if c == ':' && i > 0 {
			v, rest := yes, s[i+1:]
			if bytes.HasPrefix(rest, []byte("//")) {
				v = no
			} else if len(rest) < 2 && bytes.HasPrefix([]byte("//"), rest) && !atEOF {
				v = more
			}
			return v
		}
		if c <= ' ' || c >= 0x7f || c == ':' {
			return no
		}
	}
	if len(s) >= maxLine {
		return no
	}
	return cut(atEOF)
}

// names holds the days of the week and the months as asctime spells them. Each begins at a multiple
// of three, and nothing else there begins with a capital.
const names = "SunMonTueWedThuFriSatJanFebMarAprMayJunJulAugSepOctNovDec"

// dated reports whether the text after "From " has a date: a word that begins with one of names and
// has no more letters, or a date like 2020-03-03, and somewhere after it a time. That covers the
// dates of asctime and of RFC 5322, with zones, with "remote from" after them, and with years of two
// digits. These lines have no date:
//   - "From - ", of Netscape and its heirs, and "From " with nothing after it;
//   - "From 1844347792267117879@xxx", of Google, which mostly has a date.
func dated(s []byte) bool {
	s = bytes.TrimSpace(s)
	if len(s) == 0 || string(s) == "-" {
		return true
	}
	if id, ok := bytes.CutSuffix(s, []byte("@xxx")); ok && len(bytes.Trim(id, "0123456789")) == 0 {
		return true
	}
	for i := 0; i+3 < len(s); i++ {
		if i > 0 && s[i-1] != ' ' {
			continue
		}
		word := s[i : i+3]
		if 'A' <= word[0] && word[0] <= 'Z' && !ascii.IsLetter(s[i+3]) && strings.Contains(names, string(word)) ||
			i+10 < len(s) && s[i+4] == '-' && s[i+7] == '-' && ascii.IsDigit(word[0]) && ascii.IsDigit(s[i+9]) {
			return timed(s[i+3:])
		}
	}
	return false
}

// timed reports whether s contains a time of day, h:mm or longer.
func timed(s []byte) bool {
	for i := 1; i+2 < len(s); i++ {
		if s[i] == ':' && ascii.IsDigit(s[i-1]) && ascii.IsDigit(s[i+1]) && ascii.IsDigit(s[i+2]) {
			return true
		}
	}
	return false
}

// lengthen is Next for the case that the first "From " line that counts is at src[at]: a
// Content-Length may show that the line is text.
func (s *mbox) lengthen(src []byte, at int, atEOF bool) (end int, ok bool) {
	if s.state >= 16 {
		return at, true
	}
	end, has := s.contentEnd(src[:at])
	if has {
		s.state = -1
	} else {
		s.state++
	}
	if end <= at || end-at > maxAhead {
		return at, true
	}
	for range 3 {
		if end >= len(src) {
			if !atEOF {
				return at, false
			}
			if end == len(src) {
				return end, true
			}
			break
		}
		if src[end-1] == '\n' {
			switch separates(src, end, atEOF) {
			case more:
				return at, false
			case yes:
				return end, true
			}
		}
		if src[end] == '\r' {
			end++
		}
		if end < len(src) && src[end] != '\n' {
			break
		}
		end++
	}
	return at, true
}

// contentEnd returns where the message at the beginning of src ends by its Content-Length, 0 if there is
// none. The first Content-Length that is a number counts. has is true if this message has one, or an
// earlier one had.
func (s *mbox) contentEnd(src []byte) (end int, has bool) {
	had := s.state < 0
	at, _, _ := s.Body(src)
	if at == 0 {
		return 0, had // not the beginning of a message
	}
	length, found := 0, false
	for head := src[:min(len(src), at+maxHeader)]; ; {
		n := bytes.IndexByte(head[at:], '\n') + 1
		if n == 0 {
			return 0, had || found
		}
		line := head[at : at+n]
		at += n
		switch {
		case n == 1, n == 2 && line[0] == '\r':
			if !found || length > len(src)+maxAhead {
				return 0, had || found
			}
			return at + length, true
		case line[0]|0x20 == 'c' && !found && n > len(contentLength) && bytes.EqualFold(line[:len(contentLength)], contentLength):
			var err error
			length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(contentLength):])))
			found = err == nil && length >= 0
		}
	}
}
