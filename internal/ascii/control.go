package ascii

// AppendLine appends s with its control characters percent-encoded (C0, DEL, C1 from U+0080 to U+009F, and
// the separators U+2028 and U+2029), so that s stays within one line of output and cannot control a
// terminal. It also encodes direction marks, which no IRI may have (RFC 3987, section 4.1) and which could
// reverse the rest of the line, and U+FEFF, which is no more than a byte order mark. All other bytes stay,
// including those that are not UTF-8.
func AppendLine[S string | []byte](dst []byte, s S) []byte {
	start := plainStart(s)
	if start == len(s) { // nearly always
		return append(dst, s...)
	}
	kept := 0 // end of the part of s that dst already has
	for i := start; i < len(s); {
		if len(s)-i >= 8 && isPlain(s[i:i+8]) {
			i += 8
			continue
		}
		n := controlLen(s[i:])
		if n == 0 {
			i++
			continue
		}
		dst = append(dst, s[kept:i]...)
		for range n {
			dst = append(dst, '%', hexDigits[s[i]>>4], hexDigits[s[i]&15])
			i++
		}
		kept = i
	}
	return append(dst, s[kept:]...)
}

// plainStart returns the number of bytes that s begins with and isPlain accepts: all of them, or a multiple of 8.
func plainStart[S string | []byte](s S) int {
	i := 0
	for i+8 <= len(s) && isPlain(s[i:i+8]) {
		i += 8
	}
	if i > 0 && len(s)-i < 8 && isPlain(s[len(s)-8:]) {
		return len(s)
	}
	return i
}

// isPlain reports whether the eight bytes of s are ASCII without control characters.
func isPlain[S string | []byte](s S) bool {
	_ = s[7]
	const ones = 0x0101010101010101
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	return (x|(x-' '*ones)|(x+ones))&(0x80*ones) == 0 // detects bytes from 0x80, below the space, and DEL
}

const hexDigits = "0123456789ABCDEF"

// controlLen returns the length in bytes of the control character at the start of s, or 0 if s
// begins with another character. s must not be empty.
func controlLen[S string | []byte](s S) int {
	switch c := s[0]; {
	case c < ' ', c == 0x7f:
		return 1
	case c == 0xc2 && len(s) > 1 && s[1] >= 0x80 && s[1] < 0xa0:
		return 2
	case c == 0xd8 && len(s) > 1 && s[1] == 0x9c: // U+061C
		return 2
	case c == 0xe2 && len(s) > 2 && s[1] == 0x80 && (s[2] >= 0xa8 && s[2] <= 0xae || s[2] == 0x8e || s[2] == 0x8f): // U+2028 to U+202E, U+200E, U+200F
		return 3
	case c == 0xe2 && len(s) > 2 && s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9: // U+2066 to U+2069
		return 3
	case c == 0xef && len(s) > 2 && s[1] == 0xbb && s[2] == 0xbf: // U+FEFF
		return 3
	}
	return 0
}

// IsHidden reports whether a character may end a line, move the cursor of a terminal, or reverse or hide
// the text beside it: control characters (C0, DEL, C1), separators of lines, direction marks, characters
// without width, and the byte order mark. No output shows one of these as it is, if it comes from the
// input: this is the one list of them.
func IsHidden(r rune) bool {
	return r < ' ' || r >= 0x7f && (r < 0xa0 || r == 0x61c || r >= 0x200b && r <= 0x200f ||
		r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x2069 || r == 0xfeff)
}

// IsWithoutWidth reports whether a hidden character only takes no space, such as those that join the letters of Persian
// words and of emoji: names and IRIs have them.
func IsWithoutWidth(r rune) bool { return r >= 0x200b && r <= 0x200d || r >= 0x2060 && r <= 0x2065 }
