package output

import (
	"bytes"

	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
	"example.org/refract/resolve/canon"
)

// appendFrontier appends "URL<TAB>key<TAB>host<TAB>kind<TAB>document".
func (r *Renderer) appendFrontier(b *Block, dst []byte, name string, ref *extract.Reference, target, canonical []byte) []byte {
	dst = append(ascii.AppendLine(dst, target), '\t')
	dst = append(ascii.AppendLine(dst, canonical), '\t')
	u := resolve.Parse(target)
	if !bytes.Equal(b.scheme, u.Scheme) || !bytes.Equal(b.authority, u.Authority) || b.hostKey == nil {
		b.scheme, b.authority = append(b.scheme[:0], u.Scheme...), append(b.authority[:0], u.Authority...)
		b.hostKey = appendHostKey(b.hostKey[:0], target)
	}
	dst = append(ascii.AppendLine(dst, b.hostKey), '\t')
	dst = append(append(dst, ref.Kind.String()...), '\t')
	return append(r.appendSource(b, dst, name, ref), r.Terminator)
}

// appendHostKey appends the key of the host of url, for a queue: "org,example,www", and with a port
// that is not that of the scheme, "org,example,www:8080". Addresses are not reversed.
func appendHostKey(dst, url []byte) []byte {
	origin := resolve.Parse(url)
	origin.Path, origin.Query, origin.Fragment = []byte("/"), nil, nil
	origin.HasQuery, origin.HasFragment = false, false
	origin.Authority = origin.Authority[ascii.HostStart(origin.Authority):]
	key := canon.Key{SURT: canon.SURTKey, IDN: canon.IDNASCII, NoTrailingDot: true}
	from := len(dst)
	dst = key.Append(dst, origin.Append(nil))
	if i := bytes.LastIndexByte(dst[from:], ')'); i >= 0 {
		dst = dst[:from+i]
	}
	return dst
}
