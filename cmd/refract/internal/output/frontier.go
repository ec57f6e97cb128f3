package output

import (
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve/canon"
)

// appendFrontier appends "URL<TAB>key<TAB>host<TAB>kind<TAB>document".
func (r *Renderer) appendFrontier(b *Block, dst []byte, name string, ref *extract.Reference, target, canonical []byte) []byte {
	dst = append(ascii.AppendLine(dst, target), '\t')
	dst = append(ascii.AppendLine(dst, canonical), '\t')
	b.host = canon.AppendHost(b.host[:0], target)
	dst = append(ascii.AppendLine(dst, b.host), '\t')
	dst = append(append(dst, ref.Kind.String()...), '\t')
	return append(r.appendSource(b, dst, name, ref), r.Terminator)
}
