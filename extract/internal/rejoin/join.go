// Package rejoin decides whether a URL that ends with its line continues on the next one, by evidence: the whole URL occurs
// elsewhere. It knows nothing of formats: text of messages, running text and text of pages can use it.
package rejoin

import (
	"bytes"
	"hash/maphash"
	"slices"

	"example.org/refract/internal/ascii"
)

// MaxURLs limits the URLs in a Table, which take 16 bytes each. Further ones are left out.
const MaxURLs = 1 << 16

// A Table holds whole URLs, as hashes, with the offsets of their first occurrences. The zero Table is empty.
type Table struct{ at map[uint64]int64 }

var seed = maphash.MakeSeed()

// Hash returns the hash by which URLs are compared in this run.
func Hash(url []byte) uint64 { return maphash.Bytes(seed, url) }

// AddText adds the URLs in text whose first byte has the offset from: what begins with a scheme and "://", and ends at white
// space, a control character, or one of <>"`. Punctuation at the end belongs to the text. It takes time linear in len(text).
func (t *Table) AddText(text []byte, from int64) {
	if t.at == nil {
		t.at = make(map[uint64]int64)
	}
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte("://"))
		if n < 0 || len(t.at) >= MaxURLs {
			return
		}
		colon := i + n
		start := colon
		for start > i && ascii.IsAlnum(text[start-1]) {
			start--
		}
		end := colon + len("://")
		for end < len(text) && !stops[text[end]] {
			end++
		}
		i = end
		url := trim(text[start:end])
		if start == colon || len(url) < colon-start+len("://a.b") {
			continue
		}
		h := Hash(url)
		if _, ok := t.at[h]; !ok {
			t.at[h] = from + int64(start)
		}
	}
}

// Find returns where url occurs.
func (t *Table) Find(url []byte) (at int64, ok bool) {
	at, ok = t.at[Hash(url)]
	return at, ok
}

// stops holds the bytes that end a URL in text.
var stops = func() (is [256]bool) {
	for c := range is {
		is[c] = c <= ' ' || c == 0x7F || bytes.IndexByte([]byte("<>\"`"), byte(c)) >= 0
	}
	return is
}()

// trim returns url without the punctuation of the sentence around it. Brackets that it opens belong to it.
func trim(url []byte) []byte {
	for n := len(url); n > 0; n = len(url) {
		c := url[n-1]
		if bytes.IndexByte([]byte(".,;:!?')]}*|\\"), c) < 0 || c == ')' && bytes.Count(url, []byte{'('}) >= bytes.Count(url, []byte{')'}) ||
			c == ']' && bytes.Count(url, []byte{'['}) >= bytes.Count(url, []byte{']'}) || n > maxWhole {
			break
		}
		url = url[:n-1]
	}
	return url
}

// A Span is a range of a text.
type Span struct{ Start, End int }

// Limits of what Whole reads.
const (
	maxLines = 4    // that a URL continues over
	maxWhole = 2048 // bytes of a whole URL
	minLine  = 60   // bytes that a line would have if it were not broken before a word that may be one of the text
)

// MayContinue reports whether the URL text[start:end] ends with its line, so that Whole may find the rest of it: at most two
// punctuation marks and blanks may follow it.
func MayContinue(text []byte, end int) bool {
	_, next := lineEnd(text, end)
	return next > 0
}

// lineEnd returns where the text of the line ends whose last word ends at end, but for punctuation and blanks, and where the
// next line begins, or 0 if something else follows end.
func lineEnd(text []byte, end int) (stop, next int) {
	stop = end
	for stop < len(text) && stop < end+2 && bytes.IndexByte([]byte(".,:?;-&=_"), text[stop]) >= 0 {
		stop++
	}
	next = stop
	for next < len(text) && next < stop+2 && (text[next] == ' ' || text[next] == '\t') {
		next++
	}
	if next < len(text) && text[next] == '\r' {
		next++
	}
	if next >= len(text) || text[next] != '\n' {
		return stop, 0
	}
	return stop, next + 1
}

// isEscape reports whether text is no more than what quoted-printable leaves at the end of a line: "=20", "=".
func isEscape(text []byte) bool {
	return len(text) == 1 || len(text) == 3 && ascii.IsHex(text[1]) && ascii.IsHex(text[2])
}

// Whole returns the whole URL of which text[start:end] is the beginning: the longest one that known knows and that continues
// with the first word of the next lines, behind reply marks. rest has the pieces of text that continue it, and at is what
// known returns. Without such a URL, whole is nil. Its memory is that of buf.
//
// A word without digits and punctuation may belong to the text, not to the URL: "http://example.org/" and "about". It
// continues a URL only if the line would have been long with it, and the URL does not occur elsewhere without it.
func Whole(buf, text []byte, start, end int, known func(url []byte) (at int64, ok bool)) (whole []byte, rest []Span, at int64) {
	stop, next := lineEnd(text, end)
	line := bytes.LastIndexByte(text[max(0, start-256):start], '\n') + 1
	width := stop - max(0, start-256) - line
	buf = append(buf[:0], text[start:stop]...)
	var pieces []Span
	for n := 0; n < maxLines && next > 0; n++ {
		word := next
		for word < len(text) && word < next+32 && bytes.IndexByte([]byte("> \t|"), text[word]) >= 0 {
			word++
		}
		wordEnd := word
		for wordEnd < len(text) && !stops[text[wordEnd]] && wordEnd-word < maxWhole {
			wordEnd++
		}
		piece := text[word:wordEnd]
		if len(piece) == 0 || piece[0] == '=' && isEscape(piece) || bytes.Contains(piece, []byte("://")) || len(buf)+len(piece) > maxWhole {
			break
		}
		length := len(buf)
		buf = append(buf, piece...)
		pieces = append(pieces, Span{word, wordEnd})
		isWord := !bytes.ContainsAny(trim(piece), "0123456789/._-=&?%#~+:")
		if _, ok := known(trim(buf[:length])); isWord && ok {
			break
		}
		for cut := len(buf); cut > length; cut-- { // the URL may end before punctuation of the text
			if isWord && width+len(piece) < minLine || string(buf[length:cut]) == "/" {
				break
			}
			if where, ok := known(buf[:cut]); ok && bytes.IndexByte([]byte("-#_=?&%"), buf[cut-1]) < 0 { // it may go on
				whole, at = buf[:cut], where
				rest = slices.Clone(pieces)
				rest[len(rest)-1].End = word + cut - length
				break
			}
			if c := buf[cut-1]; ascii.IsAlnum(c) || c == '/' || len(buf)-cut > 8 {
				break
			}
		}
		_, next = lineEnd(text, wordEnd)
		if next == 0 || wordEnd-word < 2 {
			break
		}
		width = wordEnd - word
	}
	return whole, rest, at
}
