package canon

import (
	"bytes"

	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// AppendHost appends the key of the server of url to dst, for a crawler's queues, one for each server:
// "org,example,www", and with a port that is not that of the scheme, "org,example,www:8080". It is the
// start of a [SURTKey], with non-ASCII names as [IDNASCII] and without a user. Without a host, it is the
// text before the path.
func AppendHost(dst, url []byte) []byte {
	server := resolve.Parse(url)
	if isPlainHost(server.Authority) {
		return appendReversed(dst, server.Authority)
	}
	server.Path, server.Query, server.Fragment = []byte("/"), nil, nil
	server.HasQuery, server.HasFragment = false, false
	server.Authority = server.Authority[ascii.HostStart(server.Authority):]
	key := Key{SURT: SURTKey, IDN: IDNASCII, NoTrailingDot: true}
	from := len(dst)
	dst = key.Append(dst, server.Append(nil))
	if i := bytes.LastIndexByte(dst[from:], ')'); i >= 0 {
		dst = dst[:from+i]
	}
	return dst
}

// isPlainHost reports whether a SURT only reverses the labels of authority. There is nothing to normalize,
// no user and no port, and the last label has a letter, so it is no address.
func isPlainHost(authority []byte) bool {
	label := 0 // length of the label so far
	letter := false
	for _, c := range authority {
		switch {
		case 'a' <= c && c <= 'z':
			letter = true
			label++
		case ascii.IsDigit(c) || c == '-':
			label++
		case c == '.' && label > 0:
			label, letter = 0, false
		default:
			return false
		}
	}
	return letter
}
