// Package mailhead answers questions about a message by a quick look, so that most messages need no scanner for them.
package mailhead

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// maxHeader limits the bytes of a header that MayNameParts reads.
const maxHeader = 64 << 10

// MayNameParts reports whether the message src may have parts with names. Only a multipart, or a
// message within a message, has: then its Content-Type says so, or gives a boundary. Reading messages
// for names of parts took an eighth of the time of a table with fields of messages.
func MayNameParts(src []byte) bool {
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
		if line[0]|0x20 != 'c' || !hasPrefixFold(line, "content-type") {
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

// HasPartNames reports whether src has a field that names a part. Of a message in several parts, most have none: without
// this, reading them for names took a twelfth of the time of --json.
func HasPartNames(src []byte) bool {
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

// hasPrefixFold reports whether s begins with prefix, which is in lower case.
func hasPrefixFold(s []byte, prefix string) bool {
	return len(s) >= len(prefix) && ascii.EqualFold(s[:len(prefix)], prefix)
}

// MayBeFragment reports whether src has what every message/partial has, in the usual spellings. Searching for
// it takes a hundredth of the time of a scanner.
func MayBeFragment(src []byte) bool {
	head := src[:min(len(src), 64<<10)]
	if i := bytes.Index(head, []byte("\n\n")); i >= 0 {
		head = head[:i]
	}
	return bytes.Contains(head, []byte("/partial")) || bytes.Contains(head, []byte("/Partial"))
}
