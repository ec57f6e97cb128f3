package message

import (
	"bytes"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// Text decodes the notations of text of a media type, in lower case, that are part of neither a
// transfer encoding nor a charset: lines that flow (RFC 3676), the commands of text/enriched (RFC
// 1896) and text/richtext (RFC 1341 7.1.3), and the folds and escapes of calendars and cards (RFC
// 5545, RFC 6350). It appends the meaning of src to dst and, to m, the map back to src. It returns
// false if src is to be scanned as it is; then dst and m are unchanged. Every input is valid.
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
	if c.done == 0 { // nothing was omitted or replaced
		return dst, false
	}
	c.copyTo(len(src))
	return c.dst, true
}

// join joins lines that flow with the next line (RFC 3676 4.1): those that end in a space, which delSp
// deletes (4.3), if the next line has the same quote depth (4.5). It drops the quote marks and the stuffed
// space (4.4) of a line that is joined to another. Those of the first line of a paragraph stay, because
// delimiting removes quote marks itself, and a stuffed line that begins with ">" would look quoted.
//
// Divergences: a space may separate quote marks, as many programs write them; an empty line is not joined
// to a flowing line before it, since the space there is left over from typing, and the empty line separates
// paragraphs for every reader.
func (c *copier) join(delSp bool) {
	src := c.src
	for line := 0; line < len(src); {
		end, next := ascii.Line(src, line)
		if end == line || src[end-1] != ' ' || next == len(src) {
			line = next
			continue
		}
		// A paragraph begins here.
		text, depth := unquote(src, line)
		for end > text && src[end-1] == ' ' && string(src[text:end]) != signature {
			after, d := unquote(src, next)
			stop, next2 := ascii.Line(src, next)
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

// signature is the line before a signature, which does not flow (RFC 3676 4.3).
const signature = "-- "

// unquote returns where the text of the line of src at i begins, after its quote marks and one stuffed
// space, and the number of these marks.
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

// undoCommands drops the commands of text/enriched (RFC 1896) or text/richtext: "<", an optional "/",
// letters, digits and hyphens, ">". "<<" of text/enriched becomes "<", and so does <lt> of text/richtext,
// whose <nl> and <np> become line breaks. Everything else stays.
//
// A command that begins or ends a paragraph becomes a space, which separates a reference from text shown on
// another line. Line breaks stay as they are, although a single one means a space in both formats, and n
// mean n-1 in text/enriched. No reference is joined across them, and lines are counted by them.
//
// <param>, its content, and </param> vanish, if there is no other "<" between them: the content is not
// shown, and would be joined to the text around it. But if the content holds "://", all of it stays as
// written: then nothing is missed, and its own brackets delimit it.
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

// maxCommand is the maximum number of characters of a command (RFC 1896; 40 in RFC 1341).
const maxCommand = 60

// commands holds the replacements of commands that are not simply dropped.
var commands = map[string]byte{
	"lt": '<', "nl": '\n', "np": '\n',
	"paragraph": ' ', "center": ' ', "flushleft": ' ', "flushright": ' ', "flushboth": ' ',
	"indent": ' ', "indentright": ' ', "outdent": ' ', "outdentright": ' ', "excerpt": ' ', "nofill": ' ',
	"samepage": ' ', "heading": ' ', "footing": ' ', "comment": ' ', "signature": ' ',
}

// commandEnd returns the end of the command at src[i], 0 if there is none.
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

// unfold removes folds, which are a line break and one space or tab (RFC 5545 3.1, RFC 6350 3.2, RFC 2425
// 5.8.1), and decodes the escapes \n, \N, \, \; and \\ of text (RFC 5545 3.3.11, RFC 6350 3.4), which a
// fold may split. Values that are not text have no escapes; in a reference a backslash means nothing else.
//
// vCard 2.1 and vCalendar 1.0 fold as mail does, at existing white space, which then stays. Their values
// may be quoted-printable. Programs also escape colons.
func (c *copier) unfold() {
	src := c.src
	blank := 1
	if bytes.Contains(src, []byte("\nVERSION:2.1")) || bytes.Contains(src, []byte("\nVERSION:1.0")) {
		blank = 0
	}
	// folds returns the end of the folds at i.
	folds := func(i int) int {
		for i < len(src) {
			end, next := ascii.Line(src[:min(i+2, len(src))], i)
			if end != i || next == len(src) || !ascii.IsBlank(src[next]) {
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
		end, next := ascii.Line(src, i)
		if colon := bytes.IndexByte(src[i:end], ':'); blank == 0 && colon > 0 && bytes.Contains(bytes.ToUpper(src[i:i+colon]), []byte("QUOTED-PRINTABLE")) {
			i = c.quotedValue(i + colon + 1)
			continue
		}
		for i < end {
			n := bytes.IndexByte(src[i:end], '\\')
			if n < 0 {
				break
			}
			i += n
			j := folds(i + 1)
			stop := i + 1
			if j < len(src) {
				if k := strings.IndexByte(`\,;:nN`, src[j]); k >= 0 {
					stop = j + 1
					c.put(i, stop, "\\,;:\n\n"[k])
				}
			}
			if i = stop; i > end {
				end, next = ascii.Line(src, i)
			}
		}
		if stop := folds(end); stop > end {
			c.skip(end, stop)
			next = stop
		}
		i = next
	}
}

// quotedValue decodes the quoted-printable value at src[i], which may have soft line breaks. It returns where the next
// line begins.
func (c *copier) quotedValue(i int) int {
	for i < len(c.src) {
		end, next := ascii.Line(c.src, i)
		for i < end {
			n := bytes.IndexByte(c.src[i:end], '=')
			if n < 0 {
				return next
			}
			i += n
			if i+1 == end && next > end {
				c.skip(i, next) // a soft line break
				break
			}
			i += max(c.escapes(i, end), 1)
		}
		if i >= end {
			return next
		}
		i = next
	}
	return len(c.src)
}
