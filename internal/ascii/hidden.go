package ascii

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
