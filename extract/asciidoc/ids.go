package asciidoc

import (
	"bytes"
	"hash/maphash"
	"strconv"
	"strings"
	"unicode"
)

// replaced are what Asciidoctor makes character references of, which ids do not have.
var replaced = strings.NewReplacer(" -- ", "", "...", "", "->", "", "=>", "", "<-", "", "<=", "", "(C)", "", "(R)", "", "(TM)", "", "&", "", "<", "", ">", "")

// sectionID returns the id that Asciidoctor makes of a title (Section.generate_id): in lower case, without
// what is neither a word, a space, a dot nor a hyphen, and runs of these as one separator.
func (p *parser) sectionID(title string) string {
	prefix, separator := p.values["idprefix"], p.values["idseparator"]
	var b strings.Builder
	b.WriteString(prefix)
	pending := false
	for _, r := range strings.ToLower(replaced.Replace(title)) {
		switch {
		case r == ' ' || r == '.' || r == '-':
			if separator == "" && r != ' ' {
				b.WriteRune(r)
			}
			pending = separator != ""
		case string(r) == separator:
			pending = true
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || unicode.Is(unicode.Pc, r) || unicode.Is(unicode.N, r):
			if pending && b.Len() > len(prefix) || pending && prefix != "" && !strings.HasSuffix(prefix, separator) {
				b.WriteString(separator[:1])
			}
			pending = false
			b.WriteRune(r)
		}
	}
	base := b.String()
	if base == prefix && prefix == "" {
		base = "_"
	}
	if p.ids[hash(base)] == 0 {
		return base
	}
	for n := p.ids[hash(base)] + 1; ; n++ {
		id := base + separator + strconv.Itoa(int(n))
		if p.ids[hash(id)] == 0 {
			p.ids[hash(base)] = n // the next one begins there
			return id
		}
	}
}

var seed = maphash.MakeSeed()

func hash(id string) uint64 { return maphash.String(seed, id) }

// give takes down that an element has an id.
func (p *parser) give(id string) {
	if p.ids == nil {
		p.ids = map[uint64]int32{}
	}
	p.ids[hash(id)]++
}

// plainTitle returns a title without its marks, ids and macros, and with the values of attributes.
func (p *parser) plainTitle(text []byte) string {
	expanded, _ := p.expand(text)
	var b strings.Builder
	for i := 0; i < len(expanded); i++ {
		switch c := expanded[i]; c {
		case '`', '*':
		case '#', '_':
			if i+1 < len(expanded) && i > 0 && isWord(expanded[i-1]) && (isWord(expanded[i+1]) || c == '#') {
				b.WriteByte(c)
			}
		case '[':
			if i+1 < len(expanded) && expanded[i+1] == '[' {
				if end := strings.Index(string(expanded[i:]), "]]"); end > 0 {
					i += end + 1
				}
			}
		case ':':
			name, open, closing := titleMacro(expanded, i)
			if closing == 0 {
				b.WriteByte(c)
				continue
			}
			before := b.String()
			b.Reset()
			b.WriteString(before[:len(before)-len(name)])
			b.WriteString(p.plainTitle(expanded[open+1 : closing]))
			i = closing
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String())
}

// titleMacro returns the name of the macro whose ":" is at i in a title, and where the brackets of its text are.
func titleMacro(title []byte, i int) (name string, open, closing int) {
	for _, name := range []string{"link", "xref", "https", "http"} {
		if !bytes.HasSuffix(title[:i], []byte(name)) {
			continue
		}
		open := bytes.IndexByte(title[i:], '[')
		if open < 0 || bytes.IndexByte(title[i:i+open], ' ') >= 0 {
			break
		}
		open += i
		if n := bytes.IndexByte(title[open:], ']'); n > 1 {
			return name, open, open + n
		}
	}
	return "", 0, 0
}
