package slug

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/internal/lazy"
)

// github is slug of github-slugger. Nothing is trimmed, and no hyphens are merged.
// It knows the characters of Unicode 13, as github.com did when its cases were taken.
func github(h Heading) string {
	return hyphenate(lower(h.Text, true), func(r rune) bool { return isWord(r) && (isASCII(r) || !unicode.Is(since13, r)) })
}

// gitlab is comrak's Anchorizer. It keeps numbers of every kind ("²"), which GitHub
// drops, and drops the letters in circles, which GitHub keeps.
func gitlab(h Heading) string {
	text := strings.ReplaceAll(h.Text, "\n", " ") // comrak's collect_text
	return hyphenate(lower(text, true), func(r rune) bool {
		if isASCII(r) {
			return isWord(r)
		}
		return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc)
	})
}

func gitlab16(h Heading) string {
	id := merge(hyphenate(lower(strings.Trim(h.Text, rubySpace), false), isWord))
	if id != "" && strings.Trim(id, "0123456789") == "" {
		return "anchor-" + id
	}
	return id
}

// pythonASCII is slugify of Python-Markdown.
func pythonASCII(h Heading) string {
	// strip_tags makes white space a space before the conversion to ASCII could drop it.
	return python(onlyASCII(norm.NFKD.String(strings.Map(pythonSpace, h.Text))))
}

// pythonUnicode is slugify_unicode, which does not decompose characters and drops marks.
func pythonUnicode(h Heading) string { return python(strings.Map(pythonSpace, h.Text)) }

func python(s string) string {
	kept := strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || isASCII(r) && isWord(r) || !isASCII(r) && unicode.In(r, unicode.L, unicode.N) {
			return r
		}
		return -1
	}, s)
	return merge(strings.ReplaceAll(lower(strings.Trim(kept, " "), true), " ", "-"))
}

func pythonSpace(r rune) rune {
	if unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F {
		return ' '
	}
	return r
}

// isBlank reports whether a heading consists of marks alone, which is not a heading in kramdown.
func isBlank(h Heading) bool {
	return strings.Trim(h.Text, rubySpace) == "" && strings.Trim(h.Source, rubySpace) == ""
}

// kramdown is basic_generate_id of kramdown. It drops everything before the first letter.
func kramdown(h Heading) string {
	first := strings.IndexFunc(h.Text, isLetterASCII)
	if first < 0 {
		return "section"
	}
	return lower(hyphenate(h.Text[first:], func(r rune) bool { return isLetterASCII(r) || isDigitASCII(r) }), false)
}

// kramdownGFM is generate_gfm_header_id of kramdown-parser-gfm.
func kramdownGFM(h Heading) string {
	text := lower(typographic(h.Text, h.Source, kramdownSymbols), false)
	return hyphenate(strings.ReplaceAll(text, "\t", " "), isWord)
}

// typographic replaces hyphens in a row by dashes, which ids do not contain: "a -- b" is "a--b". It leaves
// code alone, which source identifies: the n-th "--x" outside of links in source is the n-th in text.
func typographic(text, source string, symbols *strings.Replacer) string {
	if !hasSymbol(text) {
		return text
	}
	source = quoteEscaped(source)
	var b strings.Builder
	from := 0
	for _, span := range codeSpans(source) {
		code := strings.Trim(source[span[0]:span[1]], " ")
		if !hasSymbol(code) {
			continue // the result is the same, wherever it stands
		}
		before, at, end := strings.Count(source[from:span[0]], code), -1, 0
		for ; before >= 0; before-- {
			i := strings.Index(text[end:], code)
			if i < 0 {
				break
			}
			at = end + i
			end = at + len(code)
		}
		if at >= 0 {
			symbols.WriteString(&b, text[:at])
			b.WriteString(code)
			text = text[end:]
		}
		if before >= 0 {
			break // source has more than text: do not search for each in vain
		}
		from = span[1]
	}
	symbols.WriteString(&b, text)
	return b.String()
}

// escapedHyphens matches hyphens that are written with backslashes, and another one behind them.
var escapedHyphens = lazy.New(`(?:\\-)+-?`)

// quoteEscaped makes code of escaped hyphens, which programs leave alone, too.
func quoteEscaped(source string) string {
	if !strings.Contains(source, `\-`) {
		return source
	}
	var b strings.Builder
	from := 0
	for _, span := range append(codeSpans(source), [2]int{len(source), len(source)}) {
		b.WriteString(escapedHyphens.ReplaceAllStringFunc(source[from:span[0]], func(m string) string {
			return "`" + strings.ReplaceAll(m, `\`, "") + "`"
		}))
		b.WriteString(source[span[0]:span[1]])
		from = span[1]
	}
	return b.String()
}

func hasSymbol(s string) bool {
	return strings.Contains(s, "--") || strings.Contains(s, "...") || strings.Contains(s, "<<") || strings.Contains(s, ">>")
}

// kramdownSymbols are the TYPOGRAPHIC_SYMS of kramdown, in its order, if they
// change an id. The spaces beside guillemets become non-breaking spaces.
var kramdownSymbols = strings.NewReplacer("---", "—", "--", "–", "<< ", "«", " >>", "»", "<<", "«", ">>", "»")

// hugoSymbols are those of goldmark's typographer, which Hugo enables.
var hugoSymbols = strings.NewReplacer("---", "—", "--", "–")

// codeSpans returns the ranges of code, between runs of backquotes of equal length.
func codeSpans(source string) (spans [][2]int) {
	runs := map[int][]int{} // the starts of the runs of each length
	for i := 0; i < len(source); {
		n := backquotes(source[i:])
		if n > 0 {
			runs[n] = append(runs[n], i)
		}
		i += max(n, 1)
	}
	for i := 0; i < len(source); {
		n := backquotes(source[i:])
		if n == 0 {
			if source[i] == '\\' {
				i++
			}
			i++
			continue
		}
		i += n
		for len(runs[n]) > 0 && runs[n][0] < i {
			runs[n] = runs[n][1:]
		}
		if len(runs[n]) > 0 {
			end := runs[n][0]
			spans = append(spans, [2]int{i, end})
			i = end + n
		}
	}
	return spans
}

func backquotes(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// goldmark is Generate of goldmark's parser.IDs.
func goldmark(h Heading) string {
	s := strings.Trim(h.Text, " \t\n\v\f\r")
	id := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= 0xF8 || 0x80 <= c && c < 0xC2:
			i += 99 // the length that goldmark assumes for a character that begins with this byte
		case c >= 0xF0:
			i += 4
		case c >= 0xE0:
			i += 3
		case c >= 0xC2:
			i += 2
		default:
			i++
			switch {
			case 'A' <= c && c <= 'Z':
				id = append(id, c+'a'-'A')
			case isLetterASCII(rune(c)), isDigitASCII(rune(c)):
				id = append(id, c)
			case c == ' ', c == '\t', c == '\n', c == '\r', c == '-', c == '_':
				id = append(id, '-')
			}
		}
	}
	return orHeading(string(id))
}

// hugo is sanitizeAnchorName of Hugo after textHeadingID.
func hugo(h Heading) string { return hugo143(Heading{Text: hugoText(h)}) }

func hugoASCII(h Heading) string { return hugoASCII143(Heading{Text: hugoText(h)}) }

// hasNoText reports whether Hugo gives a heading no id, because it has no text.
func hasNoText(h Heading) bool { return h.Text == "" && h.Alt == "" }

func hugoText(h Heading) string {
	return typographic(h.Text[strings.LastIndexByte(h.Text, '\n')+1:], h.Source, hugoSymbols)
}

func hugo143(h Heading) string { return hugoTrimmed(strings.TrimSpace(h.Text)) }

func hugoASCII143(h Heading) string {
	if !strings.ContainsFunc(h.Text, isNotASCII) {
		return hugo143(h)
	}
	// First drop accents, then trim white space, then drop non-ASCII characters.
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(h.Text))
	return hugoTrimmed(onlyASCII(strings.TrimSpace(bare)))
}

func hugoTrimmed(s string) string {
	return orHeading(hyphenate(strings.ToLower(s), func(r rune) bool {
		return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}))
}

func orHeading(id string) string {
	if id == "" {
		return "heading"
	}
	return id
}

// hyphenate keeps hyphens and the characters that keep accepts, and replaces spaces by hyphens.
func hyphenate(s string, keep func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', keep(r):
			return r
		}
		return -1
	}, s)
}

// merge replaces each run of hyphens by one.
func merge(s string) string {
	if !strings.Contains(s, "--") {
		return s
	}
	before := rune(0)
	return strings.Map(func(r rune) rune {
		if r == '-' && before == '-' {
			return -1
		}
		before = r
		return r
	}, s)
}

func onlyASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return -1
		}
		return r
	}, s)
}

// lower is the default case conversion of section 3.13 of the Unicode Standard, which
// JavaScript, Python, Ruby and Rust share. It is like unicode.ToLower, but "İ" keeps its dot
// and, except in Ruby, a "Σ" at the end of a word becomes "ς".
func lower(s string, sigma bool) string {
	if !strings.ContainsFunc(s, isNotASCII) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		switch {
		case r == 'İ':
			b.WriteString("i̇")
		case r == 'Σ' && sigma && endsWord(s[:i], s[i+len("Σ"):]):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// endsWord is the condition Final_Sigma of the same section. It is fast even for many
// sigmas: the characters that it ignores stand between at most two of them.
func endsWord(before, after string) bool {
	before = strings.TrimRightFunc(before, isCaseIgnorable)
	after = strings.TrimLeftFunc(after, isCaseIgnorable)
	r, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return isCased(r) && !isCased(next)
}

func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Uppercase, unicode.Other_Lowercase)
}

func isCaseIgnorable(r rune) bool {
	return strings.ContainsRune(midWord, r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

// isWord is \p{Word} of Ruby without the hyphen and the space, which is also what
// github-slugger keeps: alphabetic characters, marks, decimal digits and
// connecting punctuation.
func isWord(r rune) bool {
	if isASCII(r) {
		return r == '_' || isLetterASCII(r) || isDigitASCII(r)
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic)
}

func isASCII(r rune) bool { return r < utf8.RuneSelf }

func isNotASCII(r rune) bool { return !isASCII(r) }

func isLetterASCII(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

func isDigitASCII(r rune) bool { return '0' <= r && r <= '9' }

// rubySpace holds the characters that strip of Ruby removes.
const rubySpace = "\t\n\v\f\r \x00"

// midWord are the characters whose Word_Break is MidLetter, MidNumLet or
// Single_Quote in Unicode's WordBreakProperty.txt.
const midWord = "'.:·\u0387\u055F\u05F4\u2018\u2019\u2024\u2027\uFE13\uFE52\uFE55\uFF07\uFF0E\uFF1A"

//go:generate go run since13_gen.go
