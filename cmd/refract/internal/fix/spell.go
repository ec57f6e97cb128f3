package fix

import (
	"strings"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
)

// spell returns the spelling of ref that replaces r in src, a document of format f. If path, query
// or fragment is the same in both, it keeps its spelling. ok is false if ref cannot be written
// there.
func spell(f *extract.Format, src []byte, r *reference, ref string) (text []byte, ok bool) {
	return spellIn(f, src, r, ref, func(dst, piece []byte) []byte { return append(dst, piece...) })
}

// spellIn is spell where outer appends a piece of new text in the quoting of the text around the document
// of format f.
func spellIn(f *extract.Format, src []byte, r *reference, ref string, outer func(dst, piece []byte) []byte) (text []byte, ok bool) {
	if f == nil || f.Quote == nil {
		return nil, false
	}
	place := scan.Place{How: r.how, In: r.in}
	if r.start > 0 {
		place.Before = src[r.start-1]
	}
	was, is := parts(r.ref), parts(ref)
	written, same := writtenParts(r.raw, was)
	for i := range is {
		if same && is[i] == was[i] {
			text = append(text, written[i]...)
			continue
		}
		piece, ok := f.Quote(nil, is[i], place)
		if !ok {
			return nil, false
		}
		text = outer(text, piece)
	}
	return text, true
}

// parts splits a reference into its path, with everything before it; its query with "?"; and its
// fragment with "#".
func parts(ref string) (p [3]string) {
	p[0] = ref
	if i := strings.IndexByte(p[0], '#'); i >= 0 {
		p[0], p[2] = p[0][:i], p[0][i:]
	}
	if i := strings.IndexByte(p[0], '?'); i >= 0 {
		p[0], p[1] = p[0][:i], p[0][i:]
	}
	return p
}

// writtenParts splits a reference as written into its parts, and reports whether these correspond
// to was. They may not: a "#" may belong to a character reference, and a "?" may be written as one.
func writtenParts(raw string, was [3]string) (p [3]string, ok bool) {
	hash := strings.IndexByte(raw, '#')
	for hash > 0 && raw[hash-1] == '&' {
		next := strings.IndexByte(raw[hash+1:], '#')
		if next < 0 {
			hash = next
			break
		}
		hash += 1 + next
	}
	p[0] = raw
	if hash >= 0 {
		p[0], p[2] = raw[:hash], raw[hash:]
	}
	if i := strings.IndexByte(p[0], '?'); i >= 0 {
		p[0], p[1] = p[0][:i], p[0][i:]
	}
	return p, (p[1] != "") == (was[1] != "") && (p[2] != "") == (was[2] != "")
}
