package resolve

import "strings"

// MapHost returns host with those characters mapped whose mapping in UTS 46 is of Unicode 15.1 to
// 17. The tables of package idna depend on the Go release: those of Unicode 15 up to Go 1.26,
// which map "ẞ" to "ss" and refuse the outlined letters, and those of Unicode 17 from then on. With
// MapHost in front, both map a name to the same one.
//
// What remains: letters that Unicode has added since 15.0, and that are mapped to none of before,
// are in no domain with a Go release that does not know them.
//
// Source: IdnaMappingTable.txt, compared with the tables of Unicode 15; November 2026.
func MapHost(host string) string {
	if !strings.ContainsFunc(host, func(r rune) bool { return r >= 0x4C0 && newMapping(r) != r }) {
		return host
	}
	return strings.Map(newMapping, host)
}

func newMapping(r rune) rune {
	switch {
	case r == 0x4C0: // Ӏ
		return 0x4CF
	case r >= 0x10A0 && r <= 0x10C5: // Georgian capitals
		return r - 0x10A0 + 0x2D00
	case r == 0x1E9E: // ẞ
		return 0xDF
	case r == 0x2132: // Ⅎ
		return 0x214E
	case r == 0x2183: // Ↄ
		return 0x2184
	case r == 0xA7CB:
		return 0x264
	case r == 0xA7DC:
		return 0x19B
	case r == 0xA7F1:
		return 's'
	case r >= 0x1CCD6 && r <= 0x1CCEF: // outlined letters
		return r - 0x1CCD6 + 'a'
	case r >= 0x1CCF0 && r <= 0x1CCF9: // outlined digits
		return r - 0x1CCF0 + '0'
	}
	return r
}
