// Package rejoin decides whether a URL that ends with its line continues on the next one, by evidence: the
// whole URL occurs elsewhere. It knows nothing of formats: text of messages, running text and text of pages
// can use it.
package rejoin

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
	"sync"
	"unicode"

	"example.org/refract/internal/ascii"
)

// MaxURLs limits the URLs in a Table by default, which take about 50 bytes each. Further ones are left out.
const MaxURLs = 1 << 16

// Evidence says how a URL occurs in a Table.
type Evidence uint8

const (
	None      Evidence = iota
	AtLineEnd          // only at ends of lines, before the same word of the next line: it may be the beginning of a longer one
	Whole              // also where something else ends it, or before different words
)

// A Found says how a URL occurs.
type Found struct {
	Evidence
	At   int64  // offset of an occurrence, the first where it is whole if there is one
	next uint32 // hash of the word of the next line; 0: none
}

// Or returns what f and g say of the same URL in two Tables, at the place in f if that has one.
func (f Found) Or(g Found) Found {
	switch {
	case f.Evidence == None:
		return g
	case g.Evidence == Whole || g.Evidence == AtLineEnd && g.next != f.next:
		f.Evidence = Whole
	}
	return f
}

// isWholeBefore reports whether the URL is whole where next is the word of the next line: it is known to
// be, or something else follows here.
func (f Found) isWholeBefore(next uint32) bool {
	return f.Evidence == Whole || f.Evidence == AtLineEnd && next != f.next
}

// A Table holds URLs as hashes, with the offsets of their first occurrences and how they occur. The zero
// Table is empty.
//
// A URL counts as an occurrence only if it is whole: one that ends with its line is left out if the next
// lines continue it to a known URL. That is certain only when all text has been added, so such URLs wait
// until then.
type Table struct {
	Max  int // the most URLs; 0 means MaxURLs
	at   map[uint64]Found
	full bool

	waiting []ending
	waits   map[[2]uint64]bool // what waiting has: a URL and what the next line makes of it
	buf     []byte
	settled sync.Once
}

// An ending is a URL that ends with its line, and what the next lines make of it.
type ending struct {
	url    uint64
	at     int64
	next   uint32
	longer [maxLonger]uint64
}

// maxLonger is the number of lines that may continue a URL in text that is evidence.
const maxLonger = 3

var seed = maphash.MakeSeed()

// Hash returns the hash by which URLs are compared in this run.
func Hash(url []byte) uint64 { return maphash.Bytes(seed, url) }

// AddText adds the URLs in text, whose first byte has the offset from. A URL begins with a scheme and
// "://", and ends at white space, a control character, or one of <>"`. Punctuation at the end belongs to
// the text. It takes time linear in len(text).
func (t *Table) AddText(text []byte, from int64) {
	if t.at == nil {
		t.at = make(map[uint64]Found)
	}
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte("//")) // slashes are rarer than colons in mail
		if n < 0 {
			return
		}
		if n == 0 || text[i+n-1] != ':' {
			i += n + 1
			continue
		}
		colon := i + n - 1
		start := colon
		for start > i && colon-start < maxScheme && ascii.IsAlnum(text[start-1]) {
			start--
		}
		end := colon + len("://")
		for end < len(text) && !stops[text[end]] {
			end++
		}
		i = end
		url := trim(unquoted(text, start, end))
		if start == colon || len(url) < colon-start+len("://a.b") {
			continue
		}
		if next := wordAfter(text, end); next == 0 {
			t.add(Hash(url), from+int64(start), 0)
		} else {
			t.wait(text, url, end, ending{at: from + int64(start), next: next})
		}
	}
}

// wait notes e, the ending of url, which ends at text[end].
func (t *Table) wait(text, url []byte, end int, e ending) {
	e.url = Hash(url)
	stop, next := lineEnd(text, end)
	t.buf = append(t.buf[:0], url...)
	t.buf = append(t.buf, text[end:stop]...)
	for i := 0; i < maxLonger && next > 0; i++ {
		word := skipMarks(text, next)
		wordEnd := endOfWord(text, word)
		if !mayContinue(text[word:wordEnd]) {
			break
		}
		t.buf = append(t.buf, text[word:wordEnd]...)
		e.longer[i] = Hash(trim(t.buf))
		stop, next = lineEnd(text, wordEnd)
		t.buf = append(t.buf, text[wordEnd:stop]...)
	}
	key := [2]uint64{e.url, e.longer[0] ^ uint64(e.next)}
	switch {
	case t.waits[key]:
		return
	case len(t.waiting) >= cmp.Or(t.Max, MaxURLs):
		t.full = true
		return
	case t.waits == nil:
		t.waits = make(map[[2]uint64]bool)
	}
	t.waits[key] = true
	t.waiting = append(t.waiting, e)
}

// settle adds the URLs that wait, without those that are cut.
func (t *Table) settle() {
	isCut := func(longer uint64) bool { return longer != 0 && t.at[longer].Evidence == Whole }
	rest := slices.DeleteFunc(t.waiting, func(e ending) bool { return slices.ContainsFunc(e.longer[:], isCut) })
	for _, e := range rest {
		t.add(e.url, e.at, e.next)
	}
	t.waiting, t.waits, t.buf = nil, nil, nil
}

// add adds a URL that stands at an offset, and ends its line before a word with the hash next; 0 if
// something else ends it.
func (t *Table) add(url uint64, at int64, next uint32) {
	e, ok := t.at[url]
	switch {
	case !ok && len(t.at) >= cmp.Or(t.Max, MaxURLs):
		t.full = true
		return
	case ok && (e.Evidence == Whole || e.next == next):
		return
	case ok || next == 0: // an offset at which it is whole is the better proof
		if next == 0 {
			e.At = at
		}
		e.Evidence = Whole
	default:
		e = Found{AtLineEnd, at, next}
	}
	t.at[url] = e
}

// unquoted returns the URL text[start:end], which ends before an apostrophe if one precedes it.
func unquoted(text []byte, start, end int) []byte {
	url := text[start:end]
	if start > 0 && text[start-1] == '\'' {
		url, _, _ = bytes.Cut(url, []byte{'\''})
	}
	return url
}

// wordAfter returns a hash of the first word of the next line if text[:end] ends its line and that word may
// continue a URL. It returns 0 if the word is no part of a URL, or a word of the text that would have had
// room on the line.
func wordAfter(text []byte, end int) uint32 {
	stop, next := lineEnd(text, end)
	if next == 0 {
		return 0
	}
	start := skipMarks(text, next)
	wordEnd := endOfWord(text, start)
	word := text[start:wordEnd]
	if wordEnd == len(text) && len(word) == 0 {
		return 1 // unknown
	}
	line := bytes.LastIndexByte(text[max(0, stop-minLine):stop], '\n')
	if !mayContinue(word) || isWord(word) && line >= 0 && stop-max(0, stop-minLine)-line+len(word) < minLine {
		return 0
	}
	return uint32(Hash(bytes.Trim(word, ".,;:!?/-_'\")]"))) | 1 // another line break may be before or after them
}

// endOfWord returns the end of the word at start.
func endOfWord(text []byte, start int) int {
	end := start
	for end < len(text) && !stops[text[end]] && end-start < maxWhole {
		end++
	}
	return end
}

// mayContinue reports whether word may be a part of a URL that begins before it: "--", "[1]" and "=20" are none.
func mayContinue(word []byte) bool {
	return bytes.IndexFunc(word, isAlnum) >= 0 && !bytes.Contains(word, []byte("://")) && (word[0] != '=' || !isEscape(word))
}

// isWord reports whether a piece of a line may be a word of the text: it has neither digits nor punctuation within.
func isWord(piece []byte) bool { return !bytes.ContainsAny(trim(piece), "0123456789/._-=&?%#~+:") }

// Find returns how url occurs. No text may be added after the first call.
func (t *Table) Find(url []byte) Found {
	t.settled.Do(t.settle)
	return t.at[Hash(url)]
}

// IsFull reports whether URLs were left out.
func (t *Table) IsFull() bool { return t.full }

// stops holds the bytes that end a URL in text.
var stops = func() (is [256]bool) {
	for c := range is {
		is[c] = c <= ' ' || c == 0x7F || bytes.IndexByte([]byte("<>\"`"), byte(c)) >= 0
	}
	return is
}()

// trim returns url without the punctuation of the sentence around it. Brackets that it opens belong to it.
func trim(url []byte) []byte {
	n := len(url)
	if n == 0 || n > maxWhole || !closes[url[n-1]] {
		return url
	}
	// How many more brackets are closed than opened.
	round := bytes.Count(url, []byte{')'}) - bytes.Count(url, []byte{'('})
	square := bytes.Count(url, []byte{']'}) - bytes.Count(url, []byte{'['})
	for ; n > 0 && closes[url[n-1]]; n-- {
		switch c := url[n-1]; {
		case c == ')' && round <= 0 || c == ']' && square <= 0:
			return url[:n]
		case c == ')':
			round--
		case c == ']':
			square--
		}
	}
	return url[:n]
}

// closes holds the punctuation that a sentence puts behind a URL.
var closes = func() (is [256]bool) {
	for _, c := range []byte(".,;:!?')]}*|\\") {
		is[c] = true
	}
	return is
}()

// A Span is a range of a text.
type Span struct{ Start, End int }

// Limits of what is read.
const (
	maxLines  = 8  // that a URL continues over
	maxMarks  = 32 // reply marks and spaces before the text of a line
	maxScheme = 32
	maxWhole  = 2048 // bytes of a whole URL
	minLine   = 60   // bytes that a line would have if it were not broken before a word that may be one of the text
)

// MayContinue reports whether the URL text[start:end] ends with its line, so that Whole may find the rest
// of it: at most two punctuation marks and spaces may follow it.
func MayContinue(text []byte, end int) bool {
	_, next := lineEnd(text, end)
	return next > 0
}

// lineEnd returns where the text of the line ends whose last word ends at end, except for punctuation and
// spaces, and where the next line begins, or 0 if something else follows end.
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

// skipMarks returns where the text of the line begins that starts at line, behind reply marks.
func skipMarks(text []byte, line int) int {
	word := line
	for word < len(text) && word < line+maxMarks && bytes.IndexByte([]byte("> \t|"), text[word]) >= 0 {
		word++
	}
	return word
}

// Find returns the whole URL that begins with text[start:end]: the longest one that known knows and that
// continues with the first word of the next lines, after reply marks. rest has the pieces of text that
// continue it, and at is the result of known. Without such a URL, whole is nil. Its memory is that of buf.
//
// A word without digits and punctuation may belong to the text, not to the URL: "http://example.org/" and
// "about". It continues a URL only if three conditions hold. The URL does not occur elsewhere without it.
// The line would have been long with it, or ends in a character that ends no URL. A line break within a
// word is neither after a space nor before a capital letter. A proof alone is not enough: programs have
// glued such words to URLs when they quoted them.
func Find(buf, text []byte, start, end int, known func(url []byte) Found) (whole []byte, rest []Span, at int64) {
	stop, next := lineEnd(text, end)
	line := bytes.LastIndexByte(text[max(0, start-256):start], '\n') + 1
	width := stop - max(0, start-256) - line
	inQuotes := start > 0 && text[start-1] == '\''
	buf = append(buf[:0], text[start:stop]...)
	var pieces []Span
	for n := 0; n < maxLines && next > 0; n++ {
		word := skipMarks(text, next)
		wordEnd := endOfWord(text, word)
		piece := text[word:wordEnd]
		if inQuotes {
			piece, _, inQuotes = bytes.Cut(piece, []byte{'\''})
			inQuotes = !inQuotes
		}
		if !mayContinue(piece) || len(buf)+len(piece) > maxWhole {
			break
		}
		length := len(buf)
		buf = append(buf, piece...)
		pieces = append(pieces, Span{word, wordEnd})
		pieceStop, after := lineEnd(text, wordEnd)
		isText := isWord(piece)
		last := buf[length-1]
		isLong := width+len(piece) >= minLine || bytes.IndexByte(mayGoOn, last) >= 0
		atWord := ascii.IsAlnum(last) && (piece[0] == '(' || 'A' <= piece[0] && piece[0] <= 'Z' || ascii.IsBlank(text[stop]))
		if isText && (atWord || known(trim(buf[:length])).Evidence == Whole) {
			break
		}
		for cut := len(buf); cut > length && (isLong || !isText); cut-- { // the URL may end before punctuation of the text
			found := known(buf[:cut])
			if found.isWholeBefore(wordAfter(text, word+cut-length)) && (cut < len(buf) || !goesOn(text, wordEnd)) &&
				(bytes.IndexByte(mayGoOn, buf[cut-1]) < 0 || buf[cut-1] == '=' && found.Evidence == Whole) {
				whole, at = buf[:cut], found.At
				rest = slices.Clone(pieces)
				rest[len(rest)-1].End = word + cut - length
				break
			}
			if c := buf[cut-1]; ascii.IsAlnum(c) || c == '/' || len(buf)-cut > 8 || after > 0 && bytes.IndexByte(mayGoOn, c) >= 0 {
				break
			}
		}
		next, stop = after, pieceStop
		if next == 0 || wordEnd-word < 2 && !ascii.IsAlnum(piece[0]) {
			break
		}
		width = wordEnd - word
	}
	return whole, rest, at
}

// mayGoOn holds what a URL hardly ends in.
var mayGoOn = []byte("-_=?&%#")

// goesOn reports whether the line text[:end] is followed by one that begins like the rest of a URL, rather
// than like text.
func goesOn(text []byte, end int) bool {
	_, next := lineEnd(text, end)
	if next == 0 {
		return false
	}
	start := skipMarks(text, next)
	word := trim(text[start:endOfWord(text, start)])
	return mayContinue(word) && (bytes.IndexByte([]byte("./-?&=_#%"), word[0]) >= 0 || bytes.ContainsAny(word, "/=_%#") || isDigest(word))
}

// isDigest reports whether word may be the end of a hash: 6 digits in base 16 or more, one of which is a decimal digit.
func isDigest(word []byte) bool {
	n := 0
	for n < len(word) && ascii.IsHex(word[n]) {
		n++
	}
	return n >= 6 && bytes.ContainsAny(word[:n], "0123456789")
}

func isAlnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
