package message

import (
	"bytes"
	"encoding/binary"
	"slices"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// The decodings below append to dst the decoded form of src, and to m the map back to it; src begins
// at offset at of the source. Every input is valid: bytes that violate the format stay as written,
// and truncated input counts as far as it goes. The decodings take time linear in len(src), and
// allocate nothing except their result.

// A copier appends src to dst, except for ranges that its caller skips or replaces.
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

// appendQP decodes quoted-printable (RFC 2045 6.7). It deletes spaces and tabs at the end of a line (rule
// 3), and also those between the "=" of a soft break and the end of its line (rule 5). The end of src ends
// a line. The line break before a boundary belongs to the boundary (RFC 2046 5.1.1), so src may end with
// the "=" of a soft break.
//
// Divergences: a "=" without two hexadecimal digits stays, as 6.7 (note 2) suggests; digits may be lower
// case, and lines may have any length; all other bytes stay; a soft break may end with a bare CR.
func appendQP(dst []byte, m *scan.Map, src []byte, at int) []byte {
	c := copier{dst: slices.Grow(dst, len(src)), m: m, src: src, at: at}
	for i := 0; i < len(src); {
		end, next := ascii.Line(src, i)
		text := end // without padding
		for text > i && ascii.IsBlank(src[text-1]) {
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
			for ascii.IsBlank(src[j]) { // ends: a byte before src[text] is not blank
				j++
			}
			if src[j] == '\r' {
				j++
				if j == end { // CR CR LF, in a text that was converted twice
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

// escapes decodes the run of escapes, each "=" and two hexadecimal digits, at the beginning of
// src[i:end], and returns its length.
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

// unhex holds the values of hexadecimal digits, and more than 15 for other bytes.
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

// An alphabet gives the six bits that each character stands for. It has one table per place of a
// quantum, with the bits shifted to their position in its 24; other characters have the value wrong.
type alphabet [4][256]uint32

const wrong = 1 << 31

// newAlphabet returns the alphabet of the characters in chars: the index of a character in any of the
// strings is its value.
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

// quanta decodes to dst the quanta, four characters each, at the beginning of src, and returns their
// number. dst has room for them, and for 2 more bytes.
//
// On lines of 76 characters encoding/base64, which knows one alphabet, takes 1.7 times as long; a
// table of bytes takes 1.3 times, and 1.6 with four characters at a time.
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

// base64 is the alphabet of RFC 2045 6.8; the alphabet for URLs differs in the last two characters
// (RFC 4648 section 5).
var (
	base64    = newAlphabet(alphanumeric + "+/")
	base64URL = newAlphabet(alphanumeric + "-_")
)

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// appendBase64 decodes base64 (RFC 2045 6.8): it ignores line breaks and characters outside of the
// alphabet. After "=" another stream may follow; an incomplete quantum gives the whole bytes that it
// holds.
//
// Divergences: the alphabet for URLs is also accepted; and text that a mailing list has appended to
// the data stays as it is, from the line break on. This text begins with a line that has a character
// outside of the alphabet and follows a line that ends the data, by "=" or because it is short; or
// with any line that begins with "--" or "__". No line of data comes after it.
func appendBase64(dst []byte, m *scan.Map, src []byte, at int) []byte {
	dst = slices.Grow(dst, len(src)/4*3+8)
	var (
		q      int    // number of characters of an incomplete quantum,
		bits   uint32 // their bits,
		first  int    // and where it begins
		data   int    // where the last character of the data ends
		line   int    // where the line begins
		usual  = 60   // number of characters of a line: encoders write 60 or more
		padded bool   // the line ends with "="
		ended  bool   // an earlier line ended the data
		url    bool   // the data has characters of the alphabet for URLs only
		solid  = -1   // where the last line begins that is certainly data; -1 until that is computed
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

// isForeign reports whether the first line of src is not base64: it holds a character outside of the
// alphabet (with url, of both alphabets), or is a rule: "--", "____".
func isForeign(src []byte, url bool) bool {
	end, _ := ascii.Line(src, 0)
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

// lastSolid returns where the last line of src begins that has 60 or more characters, all of base64;
// only lines of data look like that. It returns 0 if there is none.
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

// A uuBlock is the place of a uuencoded file in a text.
type uuBlock struct {
	begin int // where its first line begins, "begin 644 name"
	data  int // where the lines of data begin
	tail  int // where the lines that end it begin
	end   int // the end of the block
	name  string
}

// findUU finds the first uuencoded file in src at or after from, which begins a line. The file is a
// line "begin", three or four octal digits and a name; then at least one line of data as POSIX
// defines it, as many more as there are; and a line "end" if there is one. findUU reads nothing after
// the end of the block except the next lines, so finding all blocks takes time linear in src.
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
		end, next := ascii.Line(src, i)
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

var uuBegin = []byte("begin ") // with a line break before it the search takes half as long again

func isMode(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '7' {
			return false
		}
	}
	return len(s) == 3 || len(s) == 4
}

// uuData returns where the lines of data that begin at i end.
//
// The first line has all the characters that its count of bytes needs, and at most four more: to fill the
// last quantum, and a checksum of one or two. The other lines are of the same kind; or they stand for as
// many bytes, but lack spaces at the end; or they are as long, whatever their count says.
func uuData(src []byte, i int) int {
	usual, long := 0, 0
	for i < len(src) {
		end, next := ascii.Line(src, i)
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

// uuLine returns the number of bytes that a line stands for, and the number of its characters that
// encode them. The latter is -1 if a character is not in the alphabet.
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

// uuChars returns the number of characters that encode n bytes.
func uuChars(n int) int { return (n + 2) / 3 * 4 }

// uuTail returns the end of a line for no bytes, a line "end", or both, at i. The line for no bytes is a
// space, which may be missing, or a backquote.
func uuTail(src []byte, i int) int {
	end, next := ascii.Line(src, i)
	zero := bytes.TrimRight(src[i:end], " \t")
	tail := i
	if len(zero) == 0 || string(zero) == "`" {
		if len(zero) > 0 {
			tail = next
		}
		i = next
		end, next = ascii.Line(src, i)
	}
	if string(bytes.TrimRight(src[i:end], " \t")) == "end" {
		return next
	}
	return tail
}

// appendUU decodes uuencode (POSIX): the files in src that findUU finds; the rest stays as it is. Without a
// line "begin", src begins with the lines of data.
//
// Characters missing at the end of a line count as spaces. Zero bytes that only missing characters encode
// are left out, since they have no source in src.
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
			end, next := ascii.Line(src, i)
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

// unFrom reverses the quoting of an mbox for lines that begin with "From " after one or more ">": it
// removes one ">". mboxrd quotes lines with any number of ">", mboxo only those with none, so a line
// of an mboxo that originally began with ">From " also loses its ">". The two cannot be
// distinguished.
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
