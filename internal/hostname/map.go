package hostname

import "strings"

// Map returns host with the UTS 46 mappings applied that Unicode 15.1 to 17 introduced.
// The tables of package idna depend on the Go release. Up to Go 1.26 they are those of Unicode 15,
// which map "ẞ" to "ss" and refuse the outlined letters; later releases have those of
// Unicode 17. After Map, both map a name to the same result.
//
// One difference remains: letters that Unicode has added since 15.0, and that do not map to older
// letters, are in no domain under a Go release that does not know them (testdata/resolve/idna.tsv).
//
// Source: IdnaMappingTable.txt, compared with the tables of Unicode 15; November 2026.
func Map(host string) string {
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
	case r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, // fillers of Hangul
		r == 0x17B4, r == 0x17B5, r == 0x180E, r >= 0x2061 && r <= 0x2063, r >= 0x206A && r <= 0x206F, // invisible
		r >= 0x1D173 && r <= 0x1D17A: // controls of musical notation
		return -1 // ignored since Unicode 16
	case r >= 0x1CCD6 && r <= 0x1CCEF: // outlined letters
		return r - 0x1CCD6 + 'a'
	case r >= 0x1CCF0 && r <= 0x1CCF9: // outlined digits
		return r - 0x1CCF0 + '0'
	case r == 0x2F868: // compatibility letters, refused up to Unicode 15
		return 0x36FC
	case r == 0x2F874:
		return 0x5F53
	case r == 0x2F91F:
		return 0x243AB
	case r == 0x2F95F:
		return 0x7AEE
	case r == 0x2F9BF:
		return 0x45D7
	}
	return r
}
