package pdf

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/extract/scan"
)

// A decoded holds a string object with its quoting undone, and where its bytes come from.
type decoded struct {
	bytes []byte  // of the string
	at    []int32 // of each byte, and of the end: its offset in the source
	plain bool    // at is of no use: the string was encrypted
	text  []byte  // the same in UTF-8
	m     scan.Map
}

// read undoes the quoting of a string whose content is src[start:end].
func (d *decoded) read(src []byte, start, end int) {
	d.bytes, d.at, d.plain = d.bytes[:0], d.at[:0], false
	if start > 0 && src[start-1] == '<' {
		d.readHex(src, start, end)
	} else {
		d.readLiteral(src, start, end)
	}
	d.at = append(d.at, int32(end))
}

// readHex reads a hexadecimal string (ISO 32000-2 section 7.3.4.3).
func (d *decoded) readHex(src []byte, start, end int) {
	high, from := -1, start
	for i := start; i < end; i++ {
		v := hexValue(src[i])
		switch {
		case v < 0:
		case high < 0:
			high, from = v, i
		default:
			d.add(byte(high<<4|v), from)
			high = -1
		}
	}
	if high >= 0 {
		d.add(byte(high<<4), from)
	}
}

func (d *decoded) add(c byte, at int) {
	d.bytes = append(d.bytes, c)
	d.at = append(d.at, int32(at))
}

// readLiteral reads a literal string (section 7.3.4.2).
func (d *decoded) readLiteral(src []byte, start, end int) {
	for i := start; i < end; i++ {
		c := src[i]
		switch {
		case c == '\r':
			d.add('\n', i)
			if i+1 < end && src[i+1] == '\n' {
				i++
			}
			continue
		case c != '\\' || i+1 == end:
			d.add(c, i)
			continue
		}
		from := i
		i++
		c = src[i]
		if k := bytes.IndexByte([]byte("nrtbf"), c); k >= 0 {
			d.add("\n\r\t\b\f"[k], from)
			continue
		}
		switch {
		case c == '\r':
			if i+1 < end && src[i+1] == '\n' {
				i++
			}
		case c == '\n':
		case '0' <= c && c <= '7':
			n := 0
			for k := 0; k < 3 && i < end && '0' <= src[i] && src[i] <= '7'; k++ {
				n = n<<3 | int(src[i]-'0')
				i++
			}
			i--
			d.add(byte(n), from)
		default:
			d.add(c, from)
		}
	}
}

// decode converts the string to UTF-8 (section 7.9.2): UTF-16 and UTF-8 with a byte order mark, otherwise
// UTF-8 if that is valid, and PDFDocEncoding.
func (d *decoded) decode() {
	d.text = d.text[:0]
	d.m.Reset()
	b := d.bytes
	switch {
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		d.decodeUTF16(1)
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		d.decodeUTF16(0)
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) && utf8.Valid(b):
		d.copy(3)
	case utf8.Valid(b):
		d.copy(0)
	default:
		for i, c := range b {
			n := len(d.text)
			d.text = utf8.AppendRune(d.text, pdfDocRune(c))
			d.mapped(len(d.text)-n, i, i+1)
		}
	}
}

// copy makes the bytes from from on the text.
func (d *decoded) copy(from int) {
	d.text = append(d.text, d.bytes[from:]...)
	for i := from; i < len(d.bytes); i++ {
		d.mapped(1, i, i+1)
	}
}

// mapped records that the next n bytes of the text come from bytes[from:to].
func (d *decoded) mapped(n, from, to int) {
	if d.plain {
		return
	}
	d.m.Add(n, int(d.at[from]), n, int(d.at[to]-d.at[from]))
}

// decodeUTF16 decodes UTF-16; low is the index of the low byte in each unit. Language codes, which
// stand between two U+001B, are dropped (section 7.9.2.2).
func (d *decoded) decodeUTF16(low int) {
	b := d.bytes
	unit := func(i int) rune { return rune(b[i+low]) | rune(b[i+1-low])<<8 }
	for i := 2; i+1 < len(b); i += 2 {
		r, from := unit(i), i
		if r == 0x1b {
			k := i + 2
			for k+1 < len(b) && k < i+16 && unit(k) != 0x1b {
				k += 2
			}
			if k+1 < len(b) && unit(k) == 0x1b {
				i = k
				continue
			}
		}
		if utf16.IsSurrogate(r) && i+3 < len(b) {
			if pair := utf16.DecodeRune(r, unit(i+2)); pair != utf8.RuneError {
				r = pair
				i += 2
			}
		}
		n := len(d.text)
		d.text = utf8.AppendRune(d.text, r)
		d.mapped(len(d.text)-n, from, i+2)
	}
}

// pdfDocRune returns the character of a byte of PDFDocEncoding (ISO 32000-2, annex D.2).
func pdfDocRune(c byte) rune {
	switch {
	case 0x18 <= c && c < 0x20:
		return accents[c-0x18]
	case 0x80 <= c && c <= 0xa0:
		return punctuation[c-0x80]
	}
	return rune(c)
}

var (
	accents     = []rune("\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc")
	punctuation = []rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€")
)
