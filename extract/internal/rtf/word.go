package rtf

import (
	"bytes"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/prose"
)

// word reads a control word with its number; start is where it begins.
func (p *parser) word(word string, n int, hasNumber bool, start int) {
	starred := p.starred
	p.starred = false
	if d, ok := destinations[word]; ok {
		p.begin(d)
		if d == htmlTag {
			p.current.inRTF = false
		}
		return
	}
	if s, ok := characters[word]; ok {
		p.put([]byte(s), start, p.at)
		return
	}
	if breaks[word] {
		p.line(start)
		return
	}
	switch word {
	case "u":
		p.pending = p.pending[:0]
		p.unit(rune(n), start, p.at)
		p.left = int(p.current.skip)
	case "uc":
		p.current.skip = int32(max(0, min(n, 64)))
	case "bin":
		p.at += max(0, min(n, len(p.src)-p.at))
	case "ansicpg":
		p.setCodePage(n)
	case "mac":
		p.setCodePage(10000)
	case "pc":
		p.setCodePage(437)
	case "pca":
		p.setCodePage(850)
	case "f":
		p.flush()
		if p.current.to == fontTable {
			p.font = int32(n)
		} else {
			p.current.codePage = p.codePageOf(int32(n))
		}
	case "fcharset":
		const most = 1 << 12
		if page, ok := charsets[n]; ok && p.current.to == fontTable && len(p.fonts) < most {
			p.fonts[p.font] = page
		}
	case "plain":
		p.flush()
		p.current.codePage = p.codePage
	case "field":
		p.current.isField = true
	case "fldrslt":
		if k := len(p.groups); k > 0 && p.groups[k-1].isLink && p.current.to == text {
			p.current.to = result
		}
	case "fromhtml": // among the first ten words ([MS-OXRTFEX] section 2.1.3.1)
		p.isHTML = !p.passed
	case "htmlrtf":
		p.current.inRTF = !hasNumber || n != 0
	case "v": // hidden text
	default:
		if starred {
			p.begin(skipped)
		}
	}
}

func (p *parser) setCodePage(n int) {
	if n == 65001 { // bytes above ASCII are then UTF-8, which is read in any case
		n = 1252
	}
	if n <= 0 || n > 0xffff || charmaps[uint16(n)] == nil && multibyte[uint16(n)] == "" {
		return
	}
	p.codePage = uint16(n)
	p.current.codePage = p.codePage
}

// codePageOf returns the code page of a font.
func (p *parser) codePageOf(font int32) uint16 {
	if page, ok := p.fonts[font]; ok {
		return page
	}
	return p.codePage
}

// finish reads what a group has captured. It reports whether that was the instruction of a link.
func (p *parser) finish(g group) bool {
	start := p.captures[g.capture]
	if start == leftOut || start == len(p.captured) {
		return false
	}
	c := &capture{p.captured[start:], p.places[start:]}
	switch g.to {
	case linkBase:
		if value := bytes.TrimSpace(c.text); len(value) > 0 && p.base == nil {
			p.base = bytes.Clone(value)
			p.baseSpan = c.span(0, len(c.text))
		}
	case template:
		if from, to := trimmed(c.text); from < to {
			p.doc.Add(prose.Item{Op: scan.Ref, Kind: scan.Embed, How: scan.Attribute, In: "template", IgnoresBase: p.base != nil, Span: c.span(from, to)}, fileURL(c.text[from:to]))
		}
	case instruction:
		return p.field(c)
	}
	return false
}

// trimmed returns the range of text without the white space around it.
func trimmed(text []byte) (from, to int) {
	from = len(text) - len(bytes.TrimLeft(text, " "))
	return from, from + len(bytes.TrimSpace(text))
}

// span returns the range in the source of text[from:to], which is not empty.
func (c *capture) span(from, to int) scan.Span {
	return scan.Span{Start: c.at[from].Start, End: c.at[to-1].End}
}

// An argument is a word of the instruction of a field.
type argument struct {
	value    []byte
	from, to int // in capture.text, without quotation marks
	isSwitch bool
}

// next returns the argument at c.text[at:], and where the next one begins.
func (c *capture) next(at int) (a argument, end int, ok bool) {
	s := c.text
	for at < len(s) && s[at] <= ' ' {
		at++
	}
	if at == len(s) {
		return a, at, false
	}
	if s[at] == '"' {
		a.from = at + 1
		i := a.from
		for i < len(s) && s[i] != '"' {
			if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '\\' || s[i+1] == '"') {
				i++
			}
			a.value = append(a.value, s[i])
			i++
		}
		a.to = i
		return a, min(i+1, len(s)), true
	}
	a.from = at
	a.isSwitch = s[at] == '\\' && at+1 < len(s) && s[at+1] != '\\'
	i := at
	for i < len(s) && s[i] > ' ' && s[i] != '"' {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] == '\\' {
			i++
		}
		a.value = append(a.value, s[i])
		i++
		if a.isSwitch && i == at+2 {
			break
		}
	}
	a.to = i
	return a, i, true
}

// A fieldType is a field with a reference.
type fieldType struct {
	kind   scan.Kind
	labels scan.Labels
	skip   int // arguments before the reference
	values string
}

// fieldTypes holds the fields with references; values are the switches that take an argument (ECMA-376-1 section
// 17.16.5).
var fieldTypes = map[string]fieldType{
	"HYPERLINK":      {kind: scan.Link, values: "lot"},
	"INCLUDEPICTURE": {kind: scan.Embed, values: "c"},
	"IMPORT":         {kind: scan.Embed, values: "c"},
	"INCLUDETEXT":    {kind: scan.Embed, labels: scan.Include, values: "cntx"},
	"INCLUDE":        {kind: scan.Embed, labels: scan.Include, values: "c"},
	"LINK":           {kind: scan.Embed, skip: 1, values: "f"},
	"RD":             {kind: scan.Embed, labels: scan.Include},
}

// field reads the instruction of a field: its type, arguments and switches. It reports whether it was that of a link.
func (p *parser) field(c *capture) bool {
	a, at, _ := c.next(0)
	name := strings.ToUpper(string(a.value))
	f, ok := fieldTypes[name]
	if !ok {
		return false
	}
	var target, fragment argument
	skip := f.skip
	for {
		a, end, ok := c.next(at)
		if !ok {
			break
		}
		at = end
		switch {
		case a.isSwitch && len(a.value) > 1 && takesValue(f, a.value[1]):
			value, end, ok := c.next(at)
			if !ok || value.isSwitch {
				continue
			}
			at = end
			if a.value[1]|0x20 == 'l' && name == "HYPERLINK" {
				fragment = value
			}
		case a.isSwitch:
		case skip > 0:
			skip--
		case target.to == 0:
			target = a
		}
	}
	return p.add(c, name, &f, target, fragment)
}

// takesValue reports whether an argument follows a switch of a field. The switches for formats have one in all fields.
func takesValue(f fieldType, letter byte) bool {
	return strings.IndexByte("*@#", letter) >= 0 || strings.IndexByte(f.values, letter|0x20) >= 0
}

// add adds the reference of a field.
func (p *parser) add(c *capture, name string, f *fieldType, target, fragment argument) bool {
	hasTarget, hasFragment := len(target.value) > 0, len(fragment.value) > 0
	it := prose.Item{Op: scan.Ref, Kind: f.kind, How: scan.Attribute, Labels: f.labels, In: name}
	it.IgnoresBase = p.base != nil && name != "HYPERLINK" // the base is that of hyperlinks
	p.value = p.value[:0]
	switch {
	case hasTarget && hasFragment:
		it.Span, it.Loose = c.span(min(target.from, fragment.from), max(target.to, fragment.to)), true
	case hasTarget:
		it.Span = c.span(target.from, target.to)
	case hasFragment:
		it.Span, it.Loose = c.span(fragment.from, fragment.to), true
	default:
		return false
	}
	if hasTarget {
		p.value = append(p.value, fileURL(target.value)...)
	}
	if hasFragment && bytes.IndexByte(p.value, '#') < 0 {
		p.value = append(append(p.value, '#'), fragment.value...)
	}
	p.doc.Add(it, p.value)
	return true
}

// fileURL returns the reference for a target that may be a path of Windows.
func fileURL(s []byte) []byte {
	isDrive := len(s) > 2 && s[1] == ':' && s[2] == '\\'
	isShare := bytes.HasPrefix(s, []byte(`\\`))
	if bytes.IndexByte(s, '\\') < 0 || !isDrive && bytes.IndexByte(s, ':') >= 0 {
		return s
	}
	out := bytes.ReplaceAll(s, []byte{'\\'}, []byte{'/'})
	switch {
	case isDrive:
		return append([]byte("file:///"), out...)
	case isShare:
		return append([]byte("file:"), out...)
	}
	return out
}

// destinations holds the control words that begin a destination. Others are skipped if \* precedes
// them.
var destinations = map[string]destination{
	"fldinst": instruction, "hlinkbase": linkBase, "template": template, "fonttbl": fontTable, "htmltag": htmlTag, "mhtmltag": skipped,
	"colortbl": skipped, "stylesheet": skipped, "pict": skipped, "objdata": skipped, "objclass": skipped, "objname": skipped, "listtable": skipped,
	"listoverridetable": skipped, "revtbl": skipped, "filetbl": skipped, "themedata": skipped, "datafield": skipped, "datastore": skipped,
	"nonshppict": skipped, "private": skipped, "xe": skipped, "tc": skipped, "bkmkstart": skipped, "bkmkend": skipped,
	"shppict": text, "shpinst": text, "shptxt": text, "annotation": text, "footnote": text, "atnid": text, "atnauthor": text, "title": text,
	"author": text, "doccomm": text, "header": text, "footer": text, "headerl": text, "headerr": text, "headerf": text, "footerl": text, "footerr": text, "footerf": text,
}

// breaks are the control words that separate text.
var breaks = map[string]bool{
	"par": true, "line": true, "page": true, "sect": true, "column": true, "cell": true, "nestcell": true, "row": true, "nestrow": true, "softline": true, "tab": true,
}

// characters are the control words for characters.
var characters = map[string]string{
	"emdash": "—", "endash": "–", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "bullet": "•",
	"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "zwj": "\u200d", "zwnj": "\u200c",
}

// charsets maps the charsets of fonts to code pages.
var charsets = map[int]uint16{
	0: 1252, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257,
	204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}

var charmaps = map[uint16]*charmap.Charmap{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 866: charmap.CodePage866, 874: charmap.Windows874,
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254,
	1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258, 10000: charmap.Macintosh,
}

var multibyte = map[uint16]string{932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5"}
