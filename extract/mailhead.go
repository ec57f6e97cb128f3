package extract

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// The functions of this file answer questions about a message by a quick look, so that most messages need
// no scanner for them.

// maxHeader limits the bytes of a header that mayNameParts reads.
const maxHeader = 64 << 10

// mayNameParts reports whether the message src may have parts with names. Only a multipart, or a message
// within a message, has: then its Content-Type says so, or gives a boundary. Reading messages for names of
// parts took an eighth of the time of a table with fields of messages.
func mayNameParts(src []byte) bool {
	header, hasBegun := src[:min(len(src), maxHeader)], false
	for len(header) > 0 {
		n := bytes.IndexByte(header, '\n') + 1
		if n == 0 {
			return true
		}
		line := header[:n]
		header = header[n:]
		if i := bytes.IndexByte(line, '\r'); i >= 0 && i < n-2 {
			return true // lines may end in CR alone
		}
		if line[0] == '\n' || line[0] == '\r' && n == 2 {
			if hasBegun {
				return false
			}
			continue // a blank line before the header
		}
		hasBegun = true
		const field = "content-type"
		if line[0]|0x20 != 'c' || len(line) < len(field) || !ascii.EqualFold(line[:len(field)], field) {
			continue
		}
		for len(header) > 0 && (header[0] == ' ' || header[0] == '\t') { // including its continuation lines
			n := bytes.IndexByte(header, '\n') + 1
			if n == 0 {
				return true
			}
			line, header = line[:len(line)+n], header[n:]
		}
		lower := bytes.ToLower(line)
		for _, sign := range []string{"multipart", "message", "rfc822", "boundary"} {
			if bytes.Contains(lower, []byte(sign)) {
				return true
			}
		}
	}
	return len(src) > maxHeader
}

// hasPartNames reports whether src has a field that names a part. Most multipart messages have none:
// without this check, reading them for names took a twelfth of the time of --json.
func hasPartNames(src []byte) bool {
	for at := 0; ; at++ {
		i := bytes.IndexByte(src[at:], ':')
		if i < 0 {
			return false
		}
		at += i
		end := at
		for end > 0 && (src[end-1] == ' ' || src[end-1] == '\t') {
			end--
		}
		for _, name := range []string{"content-id", "content-location"} {
			if n := len(name); end >= n && src[end-1]|0x20 == name[n-1] && ascii.EqualFold(src[end-n:end], name) {
				return true
			}
		}
	}
}

// mayBeFragment reports whether src has the text that every message/partial has, in the usual spellings.
// Searching for it takes a hundredth of the time of a scanner.
func mayBeFragment(src []byte) bool {
	head := src[:min(len(src), 64<<10)]
	if i := bytes.Index(head, []byte("\n\n")); i >= 0 {
		head = head[:i]
	}
	return bytes.Contains(head, []byte("/partial")) || bytes.Contains(head, []byte("/Partial"))
}

// isClearlyMail reports whether a text that begins with head, its first 4,096 bytes or all of it, is
// clearly a message, although it could be something else that begins with fields. Its heading says where
// the message comes from, and has a field that all messages have, or that only servers add.
func isClearlyMail(head []byte) bool {
	isSent, isMail := false, false
	for first := true; len(head) > 0; first = false {
		line, rest, whole := bytes.Cut(head, []byte{'\n'})
		head = rest
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			break
		}
		if !first && (line[0] == ' ' || line[0] == '\t') {
			continue
		}
		name, _, ok := bytes.Cut(line, []byte{':'})
		name = bytes.TrimRight(name, " \t")
		if !isFieldName(name) || !ok && whole {
			return false
		}
		isSent = isSent || ok && isOneOf(name, "from", "received", "message-id")
		isMail = isMail || ok && isOneOf(name, "date", "mime-version", "delivered-to", "dkim-signature", "return-path")
	}
	return isSent && isMail
}

// isFieldName reports whether name consists of the characters of a field's name (RFC 5322 section 2.2).
func isFieldName(name []byte) bool {
	for _, c := range name {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return len(name) > 0
}

// isOneOf reports whether s is one of words, which are in lower case.
func isOneOf(s []byte, words ...string) bool {
	for _, w := range words {
		if ascii.EqualFold(s, w) {
			return true
		}
	}
	return false
}
