package message

import (
	"bytes"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// Text undoes the ways in which text of a media type, in lower case, is written that
// are neither of a transfer encoding nor of a charset: lines that flow (RFC 3676), the
// commands of text/enriched (RFC 1896) and text/richtext (RFC 1341 7.1.3), and the
// folds and escapes of calendars and cards (RFC 5545, RFC 6350). It appends what src
// means to dst and, to m, the way back to src. false says that src is to be scanned as
// it is; then dst and m are as they were. Every input is valid.
func Text(mediaType string, flow scan.Flow, dst []byte, m *scan.Map, src []byte) ([]byte, bool) {
	c := copier{dst: dst, m: m, src: src}
	switch mediaType {
	case "text/plain":
		if flow == scan.Fixed {
			return dst, false
		}
		c.join(flow == scan.DelSp)
	case "text/enriched":
		c.undoCommands(true)
	case "text/richtext":
		c.undoCommands(false)
	case "text/calendar", "text/vcard", "text/directory", "text/x-vcard", "text/x-vcalendar":
		c.unfold()
	}
	if c.done == 0 { // nothing was left out or replaced
		return dst, false
	}
	c.copyTo(len(src))
	return c.dst, true
}

// join joins lines that flow with the next (RFC 3676 4.1): those that end in a blank,
// which delSp deletes (4.3), if the next has the same quote depth (4.5). Quote marks and
// the stuffed blank (4.4) of a line that is joined to another vanish; those of the
// first line of a paragraph stay, since delimiting takes quote marks off by itself, and
// a stuffed line that begins with ">" would look quoted.
//
// Divergences: quote marks may be apart by a blank each, as many programs write them; an
// empty line is not joined to one that flows in front of it, since that blank is left
// over from typing, and the empty line separates paragraphs for every reader.
func (c *copier) join(delSp bool) {
	src := c.src
	for line := 0; line < len(src); {
		end, next := lineEnd(src, line)
		if end == line || src[end-1] != ' ' || next == len(src) {
			line = next
			continue
		}
		// A paragraph begins here.
		text, depth := unquote(src, line)
		for end > text && src[end-1] == ' ' && string(src[text:end]) != signature {
			after, d := unquote(src, next)
			stop, next2 := lineEnd(src, next)
			if d != depth || after >= stop || string(src[after:stop]) == signature {
				break
			}
			if delSp {
				end--
			}
			c.skip(end, after)
			text, end, next = after, stop, next2
			if next == len(src) {
				break
			}
		}
		line = next
	}
}

// signature is the line in front of a signature, which does not flow (RFC 3676 4.3).
const signature = "-- "

// unquote returns where the text of the line of src at i begins, behind its quote marks
// and one blank that is stuffed, and the number of these marks.
func unquote(src []byte, i int) (text, depth int) {
	for text = i; text < len(src); text++ {
		if src[text] == '>' {
			depth++
		} else if src[text] != ' ' || text+1 == len(src) || src[text+1] != '>' || depth == 0 {
			break
		}
	}
	if text < len(src) && src[text] == ' ' {
		text++
	}
	return text, depth
}

// undoCommands drops the commands of text/enriched (RFC 1896) or text/richtext: "<", an
// optional "/", letters, digits and hyphens, ">". "<<" of the former is "<", and so is
// <lt> of the latter, whose <nl> and <np> are line breaks. What is not so written stays.
//
// A command that begins or ends a paragraph becomes a blank, which keeps a reference
// from what is shown on another line. Line breaks stay as they are, although one alone
// means a blank in both and n mean n-1 in the former: no reference is joined across
// them, and the lines are counted by them.
//
// <param>, what is in it, and </param> vanish, if no other "<" is between: it is not
// shown, and would be glued to what is. If it holds "://" all of it stays as written:
// then nothing is missed, and its own brackets delimit it.
func (c *copier) undoCommands(enriched bool) {
	src := c.src
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			return
		}
		i += n
		if enriched && i+1 < len(src) && src[i+1] == '<' {
			c.put(i, i+2, '<')
			i += 2
			continue
		}
		end := commandEnd(src, i)
		if end == 0 {
			i++
			continue
		}
		if bytes.EqualFold(src[i:end], []byte("<param>")) {
			n := bytes.IndexByte(src[end:], '<')
			if n < 0 {
				n = len(src) - end
			}
			if value, shut := src[end:end+n], commandEnd(src, end+n); shut > 0 && bytes.EqualFold(src[end+n:shut], []byte("</param>")) {
				if !bytes.Contains(value, []byte("://")) {
					c.skip(i, shut)
				}
				i = shut
				continue
			}
		}
		var lower [maxCommand]byte
		name := lower[:copy(lower[:], bytes.TrimPrefix(src[i+1:end-1], []byte("/")))]
		for k := range name {
			name[k] |= 0x20 // digits and hyphens have it already
		}
		if out := commands[string(name)]; out == 0 || out == '<' && enriched {
			c.skip(i, end)
		} else {
			c.put(i, end, out)
		}
		i = end
	}
}

// maxCommand is how many characters a command has at most (RFC 1896; 40 in RFC 1341).
const maxCommand = 60

// commands has what commands stand for that do not stand for nothing.
var commands = map[string]byte{
	"lt": '<', "nl": '\n', "np": '\n',
	"paragraph": ' ', "center": ' ', "flushleft": ' ', "flushright": ' ', "flushboth": ' ',
	"indent": ' ', "indentright": ' ', "outdent": ' ', "outdentright": ' ', "excerpt": ' ', "nofill": ' ',
	"samepage": ' ', "heading": ' ', "footing": ' ', "comment": ' ', "signature": ' ',
}

// commandEnd returns where the command that src has at i ends, 0 if it has none there.
func commandEnd(src []byte, i int) int {
	start := i + 1
	if start < len(src) && src[start] == '/' {
		start++
	}
	for end := start; end < len(src) && end <= start+maxCommand; end++ {
		switch c := src[end]; {
		case c == '>' && end > start:
			return end + 1
		case c == '-', ascii.IsAlnum(c):
		default:
			return 0
		}
	}
	return 0
}

// unfold takes folds away, which are a line break and one blank (RFC 5545 3.1, RFC 6350
// 3.2, RFC 2425 5.8.1), and undoes the escapes \n, \N, \, \; and \\ of text (RFC 5545
// 3.3.11, RFC 6350 3.4), whose characters a fold may part. Values that are not text
// have no escapes; in a reference a backslash means nothing else.
//
// vCard 2.1 and vCalendar 1.0 fold as mail does, where a blank is: there it stays.
func (c *copier) unfold() {
	src := c.src
	blank := 1
	if bytes.Contains(src, []byte("\nVERSION:2.1")) || bytes.Contains(src, []byte("\nVERSION:1.0")) {
		blank = 0
	}
	// folds returns where the folds at i end.
	folds := func(i int) int {
		for i < len(src) {
			end, next := lineEnd(src[:min(i+2, len(src))], i)
			if end != i || next == len(src) || !isBlank(src[next]) {
				break
			}
			i = next + blank
			if blank == 0 {
				break
			}
		}
		return i
	}
	for i := 0; i < len(src); {
		end, next := lineEnd(src, i)
		for i < end {
			n := bytes.IndexByte(src[i:end], '\\')
			if n < 0 {
				break
			}
			i += n
			j := folds(i + 1)
			stop := i + 1
			if j < len(src) {
				if k := strings.IndexByte(`\,;nN`, src[j]); k >= 0 {
					stop = j + 1
					c.put(i, stop, "\\,;\n\n"[k])
				}
			}
			if i = stop; i > end {
				end, next = lineEnd(src, i)
			}
		}
		if stop := folds(end); stop > end {
			c.skip(end, stop)
			next = stop
		}
		i = next
	}
}
