package asciidoc

import (
	"bytes"
	"hash/maphash"
	"strconv"
	"strings"
	"unicode"
)

// replaced are the texts that Asciidoctor replaces by character references, which ids do not contain.
var replaced = strings.NewReplacer(" -- ", "", "...", "", "->", "", "=>", "", "<-", "", "<=", "", "(C)", "", "(R)", "", "(TM)", "", "&", "", "<", "", ">", "")

// sectionID returns the id that Asciidoctor makes of a title (Section.generate_id): in lower case, with word
// characters kept, runs of spaces, dots and hyphens replaced by one separator, and the rest dropped.
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

// give records that an element has an id.
func (p *parser) give(id string) {
	if p.ids == nil {
		p.ids = map[uint64]int32{}
	}
	p.ids[hash(id)]++
}

// plainTitle returns a title without its marks, ids and macros, with attributes substituted.
func (p *parser) plainTitle(text []byte) string {
	expanded, _ := p.expand(text)
	var b []byte
	for i := 0; i < len(expanded); i++ {
		switch c := expanded[i]; c {
		case '`', '*':
		case '#', '_':
			if i+1 < len(expanded) && i > 0 && isWord(expanded[i-1]) && (isWord(expanded[i+1]) || c == '#') {
				b = append(b, c)
			}
		case '[':
			if i+1 < len(expanded) && expanded[i+1] == '[' {
				if end := bytes.Index(expanded[i:min(len(expanded), i+maxValue)], []byte("]]")); end > 0 {
					i += end + 1
				}
			}
		case ':':
			name, open, closing := titleMacro(expanded, i)
			if closing == 0 {
				b = append(b, c)
				continue
			}
			b = append(b[:max(len(b)-len(name), 0)], p.plainTitle(expanded[open+1:closing])...)
			i = closing
		default:
			b = append(b, c)
		}
	}
	return string(bytes.TrimSpace(b))
}

// titleMacro returns the name of the macro whose ":" is at i in a title, and the offsets of its brackets.
func titleMacro(title []byte, i int) (name string, open, closing int) {
	for _, name := range []string{"link", "xref", "https", "http"} {
		if !bytes.HasSuffix(title[:i], []byte(name)) {
			continue
		}
		open := bytes.IndexByte(title[i:min(len(title), i+maxValue)], '[')
		if open < 0 || bytes.IndexByte(title[i:i+open], ' ') >= 0 {
			break
		}
		open += i
		if n := bytes.IndexByte(title[open:min(len(title), open+maxValue)], ']'); n > 1 {
			return name, open, open + n
		}
	}
	return "", 0, 0
}
