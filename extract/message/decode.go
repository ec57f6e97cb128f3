package message

import (
	"bytes"
	"encoding/binary"
	"slices"

	"example.org/refract/extract/scan"
)

// The decodings below append to dst what src decodes to, and to m the way back, to
// where src begins at offset at. Every input is valid: what is not as its document has
// it stays as written, or as much of it as there is counts. They take time linear in
// len(src), and but for their result they allocate nothing.

// A copier appends src to dst, but for what its caller leaves out or replaces.
type copier struct {
	dst  []byte
	m    *scan.Map
	src  []byte
	at   int // offset of src
	done int // of src
}

// copyTo copies src up to i.
func (c *copier) copyTo(i int) {
	if i > c.done {
		c.dst = append(c.dst, c.src[c.done:i]...)
		c.m.Add(i-c.done, c.at+c.done, 1, 1)
		c.done = i
	}
}

// skip leaves out src[i:j].
func (c *copier) skip(i, j int) {
	c.copyTo(i)
	c.done = j
}

// put puts out in place of src[i:j].
func (c *copier) put(i, j int, out byte) {
	c.copyTo(i)
	c.dst = append(c.dst, out)
	c.m.Add(1, c.at+i, 1, j-i)
	c.done = j
}

// lineEnd returns where the line of src that i is in ends, and where the next begins.
// It ends with CRLF, LF, or src.
func lineEnd(src []byte, i int) (end, next int) {
	n := bytes.IndexByte(src[i:], '\n')
	if n < 0 {
		return len(src), len(src)
	}
	end = i + n
	next = end + 1
	if n > 0 && src[end-1] == '\r' {
		end--
	}
	return end, next
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// appendQP decodes quoted-printable (RFC 2045 6.7). Blanks at the end of a line are
// deleted (rule 3), those between the "=" of a soft break and its end too (rule 5). The
// end of src is the end of a line: the break before a boundary is the boundary's (RFC
// 2046 5.1.1), so that src may end with the "=" of a soft break.
//
// Divergences: a "=" without two hexadecimal digits stays, which 6.7 (note 2) suggests;
// digits may be lower case, and lines of any length; other bytes stay whatever they are;
// a soft break may end with a bare CR.
func appendQP(dst []byte, m *scan.Map, src []byte, at int) []byte {
	c := copier{dst: slices.Grow(dst, len(src)), m: m, src: src, at: at}
	for i := 0; i < len(src); {
		end, next := lineEnd(src, i)
		text := end // without padding
		for text > i && isBlank(src[text-1]) {
			text--
		}
		for i < text {
			k := bytes.IndexByte(src[i:text], '=')
			if k < 0 {
				break
			}
			i += k
			if n := c.escapes(i, text); n > 0 {
				i += n
				continue
			}
			if i+1 == text { // a soft break: it ends the line
				c.skip(i, next)
				text, end = next, next
				break
			}
			i++
			j := i
			for isBlank(src[j]) { // there is another byte in front of text
				j++
			}
			if src[j] == '\r' {
				j++
				if j == end { // CR CR LF, of a text converted twice
					j = next
				}
				c.skip(i-1, j)
				i = j
			}
		}
		if text < end {
			c.skip(text, end)
		}
		i = next
	}
	c.copyTo(len(src))
	return c.dst
}

// escapes decodes the run of escapes, "=" and two hexadecimal digits, that src[i:end]
// begins with, and returns its length.
func (c *copier) escapes(i, end int) int {
	if i+2 >= end || unhex[c.src[i+1]]|unhex[c.src[i+2]] >= 16 {
		return 0
	}
	c.copyTo(i)
	start := len(c.dst)
	from := i
	for ; i+2 < end && c.src[i] == '='; i += 3 {
		high, low := unhex[c.src[i+1]], unhex[c.src[i+2]]
		if high|low >= 16 {
			break
		}
		c.dst = append(c.dst, high<<4|low)
	}
	c.m.Add(len(c.dst)-start, c.at+from, 1, 3)
	c.done = i
	return i - from
}

// unhex has the values of hexadecimal digits, above 15 for what is none.
var unhex = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range 10 {
		t['0'+i] = byte(i)
	}
	for i := range 6 {
		t['a'+i], t['A'+i] = byte(10+i), byte(10+i)
	}
	return t
}()

// An alphabet says what characters stand for six bits each: at every place of a quantum,
// shifted to where they belong in its 24; wrong for those that do not.
type alphabet [4][256]uint32

const wrong = 1 << 31

// newAlphabet returns the alphabet of the characters that are in one of these, there at
// the place of their value.
func newAlphabet(chars ...string) *alphabet {
	a := new(alphabet)
	for k := range a {
		for i := range a[k] {
			a[k][i] = wrong
		}
		for _, s := range chars {
			for v, c := range []byte(s) {
				a[k][c] = uint32(v) << (18 - 6*k)
			}
		}
	}
	return a
}

func (a *alphabet) has(c byte) bool { return a[3][c] != wrong }

// quanta decodes to dst the quanta, four characters each, that src begins with, and
// returns how many. dst has room for them, and for 2 bytes more.
//
// On lines of 76 characters encoding/base64, which knows one alphabet, takes 1.7 times
// as long; a table of bytes takes 1.3 times, and 1.6 with four characters at a time.
func (a *alphabet) quanta(dst, src []byte) (n int) {
	s, d := src, dst
	for len(s) >= 8 && len(d) >= 8 {
		v := a[0][s[0]] | a[1][s[1]] | a[2][s[2]] | a[3][s[3]]
		w := a[0][s[4]] | a[1][s[5]] | a[2][s[6]] | a[3][s[7]]
		if v|w >= wrong {
			break
		}
		binary.BigEndian.PutUint64(d, uint64(v)<<40|uint64(w)<<16)
		s, d = s[8:], d[6:]
	}
	for len(s) >= 4 && len(d) >= 3 {
		v := a[0][s[0]] | a[1][s[1]] | a[2][s[2]] | a[3][s[3]]
		if v >= wrong {
			break
		}
		d[0], d[1], d[2] = byte(v>>16), byte(v>>8), byte(v)
		s, d = s[4:], d[3:]
	}
	return (len(src) - len(s)) / 4
}

// base64 is the alphabet of RFC 2045 6.8; for URLs the last two are others (RFC 4648
// section 5).
var (
	base64    = newAlphabet(alphanumeric + "+/")
	base64URL = newAlphabet(alphanumeric + "-_")
)

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// appendBase64 decodes base64 (RFC 2045 6.8): line breaks and characters outside of the
// alphabet are ignored. After "=" another stream may follow; a quantum that is not
// complete counts as far as it holds whole bytes.
//
// Divergences: the alphabet for URLs counts too; and what a mailing list has written
// behind the data stays as it is, from the line break on. It begins with a line with a
// character that is not of base64, behind a line that ends the data, by "=" or since it
// is short; or behind any line, if it begins with "--" or "__". No line of data follows.
func appendBase64(dst []byte, m *scan.Map, src []byte, at int) []byte {
	dst = slices.Grow(dst, len(src)/4*3+8)
	var (
		q      int    // characters of a quantum that is not complete,
		bits   uint32 // what they stand for,
		first  int    // where it begins
		data   int    // where the last character of the data ends
		line   int    // where the line begins
		usual  = 60   // characters of a line: encoders write 60 or more
		padded bool   // the line ends with "="
		ended  bool   // what was before it ended the data
		url    bool   // the data has characters of the alphabet for URLs only
		solid  = -1   // where the last line that is data for certain begins, once that is known
	)
	partial := func() {
		if q >= 2 {
			bits <<= 6 * (4 - q)
			dst = append(dst, byte(bits>>16), byte(bits>>8))[:len(dst)+q-1]
			m.Add(q-1, at+first, q-1, data-first)
		}
		q, bits = 0, 0
	}
	for i := 0; i < len(src); i++ {
		if q == 0 {
			if n := base64.quanta(dst[len(dst):cap(dst)], src[i:]); n > 0 {
				dst = dst[:len(dst)+3*n]
				m.Add(3*n, at+i, 3, 4)
				i += 4 * n
				data = i
				if i == len(src) {
					break
				}
			}
		}
		c := src[i]
		v := base64[3][c]
		if c == '-' || c == '_' {
			v, url = base64URL[3][c], true
		}
		switch {
		case v != wrong:
			if q == 0 {
				first = i
			}
			q, bits, data = q+1, bits<<6|v, i+1
			if q == 4 {
				dst = append(dst, byte(bits>>16), byte(bits>>8), byte(bits))
				m.Add(3, at+first, 3, data-first)
				q, bits = 0, 0
			}
		case c == '=':
			partial()
			data, padded = i+1, true
		case c == '\n':
			if n := data - line; n > 0 {
				ended = padded || n < usual
				usual = max(usual, n)
			}
			line, padded = i+1, false
			rest := src[line:]
			if data == 0 || !ended && !bytes.HasPrefix(rest, []byte("--")) && !bytes.HasPrefix(rest, []byte("__")) || !isForeign(rest, url) {
				break
			}
			if solid < 0 {
				solid = lastSolid(src)
			}
			if line > solid {
				partial()
				m.Add(len(src)-data, at+data, 1, 1)
				return append(dst, src[data:]...)
			}
		}
	}
	partial()
	return dst
}

// isForeign reports whether the line that src begins with holds a character that is not
// of base64, or of that for URLs, or is a rule: "--", "____".
func isForeign(src []byte, url bool) bool {
	end, _ := lineEnd(src, 0)
	line := bytes.Trim(src[:end], " \t\r")
	rule := len(line) > 1 && (line[0] == '-' || line[0] == '_')
	for _, c := range line {
		if !base64.has(c) && c != '=' && (!url || !base64URL.has(c)) {
			return true
		}
		rule = rule && c == line[0]
	}
	return rule
}

// lastSolid returns where the last line of src begins that has 60 characters or more,
// all of base64, as lines of data have and no others; 0 if there is none.
func lastSolid(src []byte) int {
	for end := len(src); end > 0; {
		begin := bytes.LastIndexByte(src[:end], '\n') + 1
		line := bytes.TrimRight(src[begin:end], "\r=")
		if len(line) >= 60 && !slices.ContainsFunc(line, func(c byte) bool { return !base64.has(c) }) {
			return begin
		}
		end = begin - 1
	}
	return 0
}

// uucode is the alphabet of uuencode (POSIX): a blank and a backquote are both 0.
var uucode = newAlphabet(" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_", "`")

// A uuBlock is where a uuencoded file stands in a text.
type uuBlock struct {
	begin int // of its first line, "begin 644 name"
	data  int // of the lines of data
	tail  int // of what ends it
	end   int // of the block
	name  string
}

// findUU finds the first uuencoded file in src from an offset on that begins a line: a
// line "begin", three or four octal digits and a name, then at least one line of data as
// POSIX has it, as many more as there are, and a line "end" if there is one. It looks at
// nothing behind the end of the block but the next lines, so that to find all blocks
// takes time linear in src.
func findUU(src []byte, from int) (b uuBlock, ok bool) {
	for i := from; i < len(src); {
		n := bytes.Index(src[i:], uuBegin)
		if n < 0 {
			break
		}
		if i += n; i > from && src[i-1] != '\n' {
			i += len(uuBegin)
			continue
		}
		end, next := lineEnd(src, i)
		b.begin, b.data = i, next
		i = next
		mode, name, found := bytes.Cut(src[b.begin+len(uuBegin):end], []byte(" "))
		if name = bytes.TrimSpace(name); !found || len(name) == 0 || !isMode(mode) {
			continue
		}
		if b.tail = uuData(src, next); b.tail > next {
			b.name = string(name)
			b.end = uuTail(src, b.tail)
			return b, true
		}
	}
	return uuBlock{}, false
}

var uuBegin = []byte("begin ") // with a line break in front the search takes half as long again

func isMode(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '7' {
			return false
		}
	}
	return len(s) == 3 || len(s) == 4
}

// uuData returns where the lines of data at i end.
//
// The first has all the characters that stand for its bytes, and at most four more: to
// fill the last quantum, and a checksum of one or two. The others are like it; or they
// stand for as many bytes, where blanks at their end are missing; or they are as long,
// whatever they say that they stand for.
func uuData(src []byte, i int) int {
	usual, long := 0, 0
	for i < len(src) {
		end, next := lineEnd(src, i)
		n, chars := uuLine(src[i:end])
		line := end - i - 1
		if n == 0 || chars < 0 {
			break
		}
		strict := line >= (4*n+2)/3 && line <= uuChars(n)+2
		if !strict && (usual == 0 || n != usual && line != long) {
			break
		}
		if usual == 0 {
			usual, long = n, line
		}
		i = next
	}
	return i
}

// uuLine returns how many bytes a line stands for, and how many characters of it stand
// for them; these are -1 if one is not of the alphabet.
func uuLine(line []byte) (n, chars int) {
	if len(line) == 0 {
		return 0, 0
	}
	if !uucode.has(line[0]) {
		return 0, -1
	}
	n = int(uucode[3][line[0]])
	line = line[1:][:min(len(line)-1, uuChars(n))]
	for _, c := range line {
		if !uucode.has(c) {
			return n, -1
		}
	}
	return n, len(line)
}

// uuChars returns how many characters stand for n bytes.
func uuChars(n int) int { return (n + 2) / 3 * 4 }

// uuTail returns where a line for no bytes and a line "end", or one of them, at i end.
// That for no bytes is a blank, which may be missing, or a backquote.
func uuTail(src []byte, i int) int {
	end, next := lineEnd(src, i)
	zero := bytes.TrimRight(src[i:end], " \t")
	tail := i
	if len(zero) == 0 || string(zero) == "`" {
		if len(zero) > 0 {
			tail = next
		}
		i = next
		end, next = lineEnd(src, i)
	}
	if string(bytes.TrimRight(src[i:end], " \t")) == "end" {
		return next
	}
	return tail
}

// appendUU decodes uuencode (POSIX): the files in src, as findUU finds them, and what
// else it holds as it is. Without a line "begin", src begins with the lines of data.
//
// Characters missing at the end of a line are blanks. What only they would stand for,
// bytes of 0, is left out: nothing in src does.
func appendUU(dst []byte, m *scan.Map, src []byte, at int) []byte {
	c := copier{dst: slices.Grow(dst, len(src)+8), m: m, src: src, at: at}
	b, ok := findUU(src, 0)
	if !ok {
		b.tail = uuData(src, 0)
		b.end = b.tail
		if b.tail > 0 {
			b.end = uuTail(src, b.tail)
		}
	}
	for {
		c.skip(b.begin, b.end)
		for i := b.data; i < b.tail; {
			end, next := lineEnd(src, i)
			n, chars := uuLine(src[i:end])
			i++
			k := uucode.quanta(c.dst[len(c.dst):cap(c.dst)], src[i:i+chars])
			whole := min(n, 3*k)
			c.dst = c.dst[:len(c.dst)+whole]
			m.Add(whole, at+i, 3, 4)
			if rest := chars - 4*k; rest > 0 {
				i += 4 * k
				last, out := [4]byte{' ', ' ', ' ', ' '}, [3]byte{}
				copy(last[:], src[i:i+rest])
				uucode.quanta(out[:], last[:])
				k := min(n-whole, 3)
				c.dst = append(c.dst, out[:k]...)
				m.Add(k, at+i, k, rest)
			}
			i = next
		}
		if !ok {
			break
		}
		if b, ok = findUU(src, b.end); !ok {
			break
		}
	}
	c.copyTo(len(src))
	return c.dst
}

// unFrom undoes what an mbox does to lines that begin with "From " behind any number of
// ">" (mboxrd), or behind none (mboxo): it takes one ">" away. What an mboxo has left
// as it was, a line that began with ">From ", cannot be distinguished from that.
func unFrom(dst []byte, m *scan.Map, src []byte, at int) []byte {
	c := copier{dst: slices.Grow(dst, len(src)), m: m, src: src, at: at}
	mark := []byte(">From ")
	for i := 0; ; {
		n := bytes.Index(src[i:], mark)
		if n < 0 {
			break
		}
		line := i + n
		for line > 0 && src[line-1] == '>' {
			line--
		}
		if line == 0 || src[line-1] == '\n' {
			c.skip(line, line+1)
		}
		i += n + len(mark)
	}
	c.copyTo(len(src))
	return c.dst
}
