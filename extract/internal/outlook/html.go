package outlook

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"example.org/refract/internal/charset"
)

var (
	errNoHTML    = errors.New("no HTML in this RTF")
	errPlainText = errors.New("plain text in RTF")
)

// restoreHTML returns the HTML that was made into the RTF src ([MS-OXRTFEX] section 2.1), as UTF-8. The error
// is errNoHTML, or errPlainText if the RTF was made from plain text.
func restoreHTML(src []byte) ([]byte, error) {
	switch head := src[:min(len(src), 256)]; {
	case bytes.Contains(head, []byte(`\fromtext`)):
		return nil, errPlainText
	case !bytes.Contains(head, []byte(`\fromhtml1`)):
		return nil, errNoHTML
	}
	r := restorer{src: src, fonts: map[int]int{}}
	r.group.skipped = 1
	r.read()
	return r.out, nil
}

// A restorer restores HTML.
type restorer struct {
	src, out []byte
	group    rtfGroup
	groups   []rtfGroup // around it
	fonts    map[int]int
	font     int // that the font table defines
	page     int // the code page of the document
	pending  []byte
	ignored  int // characters that stand for the last \u, and are still to come
}

// An rtfGroup is the state that a group restores at its end.
type rtfGroup struct {
	destination rtfDestination
	isNew       bool // nothing but \* has been read in it
	isStarred   bool
	isRTF       bool // between \htmlrtf and \htmlrtf0: not in the HTML
	font        int
	skipped     int // by \ucN
}

// An rtfDestination says what the text of a group is for.
type rtfDestination uint8

const (
	shown rtfDestination = iota
	htmlTag
	fontTable
	hidden
)

// maxGroups limits how deeply groups nest whose state is kept.
const maxGroups = 1 << 12

func (r *restorer) read() {
	depth := 0 // of groups beyond maxGroups
	for i := 0; i < len(r.src); {
		c := r.src[i]
		switch c {
		case '{':
			r.flush()
			if len(r.groups) == maxGroups {
				depth++
			} else {
				r.groups = append(r.groups, r.group)
			}
			r.group.isNew, r.group.isStarred, r.ignored = true, false, 0
			i++
			continue
		case '}':
			r.flush()
			if depth > 0 {
				depth--
			} else if k := len(r.groups); k > 0 {
				r.group, r.groups = r.groups[k-1], r.groups[:k-1]
			}
			r.ignored = 0
			i++
			continue
		case '\\':
			i = r.control(i + 1)
			continue
		case '\r', '\n':
			i++
			continue
		}
		r.char(c)
		i++
	}
	r.flush()
}

// isShown reports whether text is part of the HTML.
func (r *restorer) isShown() bool {
	return r.group.destination == htmlTag || r.group.destination == shown && !r.group.isRTF
}

// char adds a byte of text.
func (r *restorer) char(c byte) {
	r.group.isNew = false
	switch {
	case r.ignored > 0:
		r.ignored--
	case !r.isShown():
	case c < 0x80 && len(r.pending) == 0:
		r.out = append(r.out, c)
	default:
		r.pending = append(r.pending, c) // perhaps the second byte of a character
	}
}

// text adds text that is not in the code page.
func (r *restorer) text(s string) {
	r.group.isNew = false
	r.flush()
	if r.isShown() {
		r.out = append(r.out, s...)
	}
}

// flush adds the pending bytes.
func (r *restorer) flush() {
	if len(r.pending) == 0 {
		return
	}
	page := r.fonts[r.group.font]
	if page == 0 {
		page = r.page
	}
	name := charsetOf(page)
	if name == "" {
		name = "windows-1252"
	}
	r.out, r.pending = append(r.out, charset.NewDecoder(name).Bytes(r.pending)...), r.pending[:0]
}

// rtfSymbols are the control words and symbols that stand for text.
var rtfSymbols = map[string]string{
	"par": "\r\n", "line": "\r\n", "tab": "\t", "lquote": "&lsquo;", "rquote": "&rsquo;", "ldblquote": "&ldquo;", "rdblquote": "&rdquo;",
	"bullet": "&bull;", "endash": "&ndash;", "emdash": "&mdash;", "~": "&nbsp;", "_": "&shy;", "{": "{", "}": "}", `\`: `\`,
}

// control reads the control word or symbol at i, which is behind the backslash, and returns where it ends.
func (r *restorer) control(i int) int {
	if i == len(r.src) {
		return i
	}
	start := i
	for i < len(r.src) && (r.src[i]|0x20 >= 'a' && r.src[i]|0x20 <= 'z') {
		i++
	}
	if i == start {
		return r.symbol(i)
	}
	word := string(r.src[start:min(i, start+32)])
	sign, number, hasNumber := 1, 0, false
	if i+1 < len(r.src) && r.src[i] == '-' && '0' <= r.src[i+1] && r.src[i+1] <= '9' {
		sign = -1
		i++
	}
	for ; i < len(r.src) && '0' <= r.src[i] && r.src[i] <= '9'; i++ {
		number, hasNumber = min(number*10+int(r.src[i]-'0'), 1<<30), true
	}
	if i < len(r.src) && r.src[i] == ' ' {
		i++
	}
	if word == "bin" {
		return i + min(number, len(r.src)-i)
	}
	r.word(word, sign*number, hasNumber)
	return i
}

// symbol reads a control symbol, which is no letter.
func (r *restorer) symbol(i int) int {
	c := r.src[i]
	switch {
	case c == '*':
		r.group.isStarred = true
	case c == '\'' && i+2 < len(r.src):
		high, low := fromHex(r.src[i+1]), fromHex(r.src[i+2])
		if high < 16 && low < 16 {
			r.char(high<<4 | low)
			return i + 3
		}
	case c == '\r' || c == '\n':
		r.text("\r\n")
	default:
		if s := rtfSymbols[string(c)]; s != "" {
			r.text(s)
		}
	}
	return i + 1
}

func fromHex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 16
}

// word reads a control word.
func (r *restorer) word(word string, number int, hasNumber bool) {
	g := &r.group
	if g.isNew {
		g.isNew = false
		switch {
		case g.destination == hidden:
		case word == "htmltag" && g.isStarred:
			r.flush()
			g.destination = htmlTag
		case word == "fonttbl":
			g.destination = fontTable
		case g.isStarred, word == "colortbl", word == "stylesheet", word == "info", word == "pict", word == "object", word == "header", word == "footer":
			g.destination = hidden
		}
	}
	switch word {
	case "htmlrtf":
		r.flush()
		g.isRTF = !hasNumber || number != 0
	case "ansicpg":
		r.page = number
	case "f":
		r.flush()
		g.font = number
		if g.destination == fontTable {
			r.font = number
		}
	case "fcharset":
		if g.destination == fontTable && len(r.fonts) < 1<<12 {
			r.fonts[r.font] = fontPages[number]
		}
	case "uc":
		g.skipped = max(0, min(number, 255))
	case "u":
		if number < 0 {
			number += 1 << 16
		}
		r.unicode(rune(number))
		r.ignored = g.skipped
	default:
		if s := rtfSymbols[word]; s != "" {
			r.text(s)
		}
	}
}

// unicode adds a UTF-16 code unit. The halves of a surrogate pair come one after the other.
func (r *restorer) unicode(c rune) {
	if k := len(r.out) - 3; 0xDC00 <= c && c <= 0xDFFF && k >= 0 && len(r.pending) == 0 && r.out[k] == 0xED && r.out[k+1]&0xE0 == 0xA0 {
		high := rune(r.out[k]&0x0F)<<12 | rune(r.out[k+1]&0x3F)<<6 | rune(r.out[k+2]&0x3F)
		r.out = utf8.AppendRune(r.out[:k], (high-0xD800)<<10+(c-0xDC00)+0x10000)
		return
	}
	if 0xD800 <= c && c <= 0xDBFF && r.isShown() {
		r.flush()
		r.out = append(r.out, 0xED, 0x80|byte(c>>6&0x3F), 0x80|byte(c&0x3F))
		return
	}
	r.text(string(c))
}

// fontPages maps \fcharset to code pages.
var fontPages = map[int]int{
	0: 1252, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250,
}
