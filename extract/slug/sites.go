package slug

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/internal/lazy"
)

// pymdownx is _uslugify of pymdownx.slugs with case "lower": hyphens in a row stay. strip_tags of
// Python-Markdown merges white space first.
func pymdownx(h Heading) string {
	text := lower(strings.Join(strings.Fields(norm.NFC.String(strings.Map(pythonSpace, h.Text))), " "), true)
	return hyphenate(text, func(r rune) bool { return r == '_' || unicode.In(r, unicode.L, unicode.N) })
}

// vitePress is mditVue after restoreEntities of VitePress.
func vitePress(h Heading) string {
	if h.Entities != "" {
		h.Text = h.Entities
	}
	return mditVue(h)
}

func vitePress2(h Heading) string {
	if h.Alt != "" {
		return mditVue(h)
	}
	return vitePress(h)
}

// mditVue is slugify of @mdit-vue/shared, for a text without emoji.
func mditVue(h Heading) string {
	var b strings.Builder
	hyphen := false
	for _, r := range norm.NFKD.String(strings.ReplaceAll(withoutEmoji(h.Text), "\n", "")) {
		switch {
		case r >= 0x300 && r <= 0x36F, r < ' ':
			continue // combining accents and controls
		case becomesHyphen(r):
			hyphen = true
			continue
		case hyphen && b.Len() > 0:
			b.WriteByte('-')
		case b.Len() == 0 && isDigitASCII(r):
			b.WriteByte('_')
		}
		hyphen = false
		b.WriteRune(r)
	}
	return lower(b.String(), true)
}

// withoutEmoji drops the names of emoji, such as ":tada:". Names are not looked up: any word between
// colons, with spaces around it, counts as one.
func withoutEmoji(text string) string {
	if strings.Count(text, ":") < 2 {
		return text
	}
	words := strings.Split(text, " ")
	for i, word := range words {
		if len(word) > 2 && word[0] == ':' && word[len(word)-1] == ':' && strings.Trim(word, ":+-_abcdefghijklmnopqrstuvwxyz0123456789") == "" {
			words[i] = ""
		}
	}
	return strings.Join(words, " ")
}

// vuePress1 is slugify of @vuepress/shared-utils 1: dashes are punctuation, too.
func vuePress1(h Heading) string {
	h.Text = strings.NewReplacer("–", "-", "—", "-").Replace(h.Text)
	return mditVue(h)
}

func rspress(h Heading) string {
	h.Text = strings.TrimSpace(h.Text)
	return github(h)
}

// becomesHyphen reports whether r becomes a hyphen in VitePress ids: JavaScript's white space,
// and punctuation.
func becomesHyphen(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r != 0x7F && !isLetterASCII(r) && !isDigitASCII(r)
	}
	return strings.ContainsRune("“”‘’\u2028\u2029\uFEFF", r) || unicode.Is(unicode.Zs, r)
}

// mdBook is id_from_content of mdBook, with "section" for an empty text.
func mdBook(h Heading) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '-'
		case r == '-', r == '_', unicode.In(r, unicode.L, unicode.N, unicode.Other_Alphabetic):
			return r
		}
		return -1
	}, lower(strings.TrimSpace(h.Text), true))
	if id == "" {
		return "section"
	}
	return id
}

// docutils is make_id of docutils.
func docutils(h Heading) string {
	text := norm.NFKD.String(docutilsLetters.Replace(lower(h.Text, true)))
	return strings.TrimLeft(hyphenated(onlyASCII(text)), "-0123456789")
}

// hyphenated replaces each run of characters other than small ASCII letters and digits by a hyphen,
// and drops hyphens at the ends.
func hyphenated(s string) string {
	var b strings.Builder
	hyphen := false
	for i := range len(s) {
		c := rune(s[i])
		if (c < 'a' || c > 'z') && !isDigitASCII(c) {
			hyphen = true
			continue
		}
		if hyphen && b.Len() > 0 {
			b.WriteByte('-')
		}
		hyphen = false
		b.WriteByte(s[i])
	}
	return b.String()
}

// docutilsLetters are _non_id_translate and _non_id_translate_digraphs of docutils.
var docutilsLetters = strings.NewReplacer(
	"ß", "sz", "æ", "ae", "œ", "oe", "ȸ", "db", "ȹ", "qp",
	"ø", "o", "đ", "d", "ħ", "h", "ı", "i", "ł", "l", "ŧ", "t", "ƀ", "b", "ƃ", "b", "ƈ", "c", "ƌ", "d", "ƒ", "f", "ƙ", "k", "ƚ", "l",
	"ƞ", "n", "ƥ", "p", "ƫ", "t", "ƭ", "t", "ƴ", "y", "ƶ", "z", "ǥ", "g", "ȥ", "z", "ȴ", "l", "ȵ", "n", "ȶ", "t", "ȷ", "j", "ȼ", "c",
	"ȿ", "s", "ɀ", "z", "ɇ", "e", "ɉ", "j", "ɋ", "q", "ɍ", "r", "ɏ", "y")

// sindresorhus is @sindresorhus/slugify 2.2.1.
func sindresorhus(h Heading) string {
	text := transliterated(h.Text)
	for _, between := range caseChanges {
		text = between.ReplaceAllString(text, "$1 $2")
	}
	return shortened(text)
}

// caseChanges are where decamelize of @sindresorhus/slugify puts spaces, one after another: "WireGuard", "getAPI", "MFA2".
var caseChanges = []*lazy.Regexp{
	lazy.New(`([A-Z]{2,})(\d+)`), lazy.New(`([a-z\d]+)([A-Z]{2,})`), lazy.New(`([a-z\d])([A-Z])`), lazy.New(`([A-Z]+)([A-Z][a-rt-z\d]+)`),
}

// eleventy is @sindresorhus/slugify without decamelize.
func eleventy(h Heading) string { return shortened(transliterated(h.Text)) }

// transliterated returns a text in ASCII, in which spaces stand for what is no letter.
func transliterated(s string) string {
	text := norm.NFD.String(eleventyLetters.Replace(s))
	return onlyASCII(strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf && !unicode.Is(unicode.Mn, r) {
			return ' '
		}
		return r
	}, strings.ReplaceAll(text, "’", "'")))
}

// shortened returns the id of a transliterated text. "'s" and "'t" belong to the word before them.
func shortened(text string) string {
	text = strings.ToLower(text)
	for _, end := range []string{"'s", "'t"} {
		text = strings.ReplaceAll(text+" ", end+" ", end[1:]+" ")
	}
	return hyphenated(text)
}

var eleventyLetters = strings.NewReplacer("&", " and ", "ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "ẞ", "Ss",
	"æ", "ae", "Æ", "AE", "ø", "o", "Ø", "O", "œ", "oe", "Œ", "OE", "đ", "d", "Đ", "D", "ł", "l", "Ł", "L", "♥", " love ")

// zola is slugify of the crate slug.
func zola(h Heading) string {
	text := norm.NFKD.String(zolaLetters.Replace(h.Text))
	return hyphenated(strings.ToLower(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r >= utf8.RuneSelf:
			return ' '
		}
		return r
	}, text)))
}

var zolaLetters = strings.NewReplacer("ß", "ss", "ẞ", "Ss", "æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE", "ø", "o", "Ø", "O",
	"đ", "d", "Đ", "D", "ħ", "h", "Ħ", "H", "ı", "i", "ł", "l", "Ł", "L", "þ", "th", "Þ", "Th", "ð", "d", "Ð", "D", "ŧ", "t", "Ŧ", "T")

// docfx is UrilizeAsGfm of Markdig, which looks at UTF-16 code units: there are no letters beyond U+FFFF.
func docfx(h Heading) string {
	id := strings.Map(unicode.ToLower, hyphenate(h.Text, func(r rune) bool {
		return r == '_' || r <= 0xFFFF && unicode.In(r, unicode.L, unicode.Nd)
	}))
	if id == "" {
		return "section"
	}
	return id
}

// pandocSymbols are what the extension smart replaces by characters that ids do not contain.
var pandocSymbols = strings.NewReplacer("---", "—", "--", "–", "...", "…")

// pandoc is textToIdentifier of Pandoc.
func pandoc(h Heading) string {
	text := typographic(h.Text, h.Source, pandocSymbols)
	kept := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("_-.", r) || unicode.In(r, unicode.L, unicode.N) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	id := strings.Join(strings.Fields(kept), "-")
	if first := strings.IndexFunc(id, unicode.IsLetter); first >= 0 {
		return id[first:]
	}
	return "section"
}

// docsify is slugify of Docsify 4, which reads HTML: an ampersand is "&amp;" there.
func docsify(h Heading) string {
	id := docsifyID(docsifyEntities.Replace(strings.TrimSpace(strings.ReplaceAll(h.Text, "{docsify-ignore}", ""))))
	for strings.Contains(id, "--") {
		id = strings.ReplaceAll(id, "--", "-")
	}
	return withUnderscore(id)
}

var docsifyEntities = strings.NewReplacer("&", "amp", `"`, "quot", "'", "39", "<", "lt", ">", "gt")

// docsify5 is slugify of Docsify 5.
func docsify5(h Heading) string {
	text := norm.NFC.String(strings.TrimSpace(h.Text))
	return withUnderscore(docsifyID(withoutTags(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.So, r) || r == 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff {
			return -1
		}
		return r
	}, text))))
}

// withoutTags drops what is between "<" and ">".
func withoutTags(text string) string {
	var b strings.Builder
	for {
		before, rest, isOpen := strings.Cut(text, "<")
		inside, after, isClosed := strings.Cut(rest, ">")
		b.WriteString(before)
		switch {
		case !isOpen || !isClosed:
			b.WriteString(text[len(before):])
			return b.String()
		case inside == "":
			b.WriteString("<>")
		}
		text = after
	}
}

// docsifyID drops punctuation. Only ASCII letters become small.
func docsifyID(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r < utf8.RuneSelf && strings.ContainsRune("\\'!\"#$%&()*+,./:;<=>?@[]^`{|}~", r),
			r >= 0x2000 && r <= 0x206f, r >= 0x2e00 && r <= 0x2e7f, r == utf8.RuneError:
			return -1
		case unicode.IsSpace(r), r == 0xfeff:
			return '-'
		}
		return r
	}, text)
}

// withUnderscore puts "_" before a digit at the start.
func withUnderscore(id string) string {
	if id != "" && isDigitASCII(rune(id[0])) {
		return "_" + id
	}
	return id
}

// honKit is github-slugid. It takes any white space for a space.
func honKit(h Heading) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("[]!\"'#$%&()*+,./:;<=>?@\\^_`{|}~©∑®†“”‘’∂ƒ™℠…œŒ˚ºª•∆∞♥", r), r == utf8.RuneError:
			return -1
		case unicode.IsSpace(r):
			return '-'
		}
		return r
	}, h.Text)
	return strings.TrimPrefix(strings.ToLower(id), "-")
}

// mintlify is slugify of @mintlify/common: @sindresorhus/slugify, for which characters that URLs encode are
// letters, without some punctuation and pictographs at the end.
func mintlify(h Heading) string {
	const separators = "-.!~*'()" // punctuation that encodeURIComponent leaves
	text := strings.Join(strings.Fields(strings.ToLower(h.Text)), "-")
	var id []byte
	for i, r := range text {
		switch {
		case r == '\'' && len(id) > 0 && isWordASCII(text[i-1]) && isShortEnding(text[i+1:]):
		case !strings.ContainsRune(separators, r):
			id = utf8.AppendRune(id, r)
		case len(id) > 0 && id[len(id)-1] != '-':
			id = append(id, '-')
		}
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("?,;:\"[]{}", r) || unicode.Is(pictographs, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, strings.TrimSuffix(string(id), "-"))
}

func isWordASCII(b byte) bool { return isLetterASCII(rune(b)) || isDigitASCII(rune(b)) }

// isShortEnding reports whether text follows the apostrophe of "it's" or "don't".
func isShortEnding(text string) bool {
	return text != "" && (text[0] == 's' || text[0] == 't') && (len(text) == 1 || text[1] == '-')
}

// gitBook is slugify of npm, for which punctuation other than dots and apostrophes is a hyphen. An id does
// not begin with a digit, and has at most 100 characters. Source: working links of documentation on
// GitBook.
func gitBook(h Heading) string {
	text := strings.ToLower(norm.NFKD.String(zolaLetters.Replace(gitBookWords.Replace(h.Text))))
	var id []byte
	for _, r := range text {
		switch {
		case r == '.' || r == '_' || isLetterASCII(r) || isDigitASCII(r):
			id = append(id, byte(r))
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r):
		case len(id) > 0 && id[len(id)-1] != '-':
			id = append(id, '-')
		}
	}
	const most = 100
	id = bytes.TrimRight(id[:min(len(id), most)], "-")
	if len(id) > 0 && isDigitASCII(rune(id[0])) {
		return "id-" + string(id)
	}
	return string(id)
}

var gitBookWords = strings.NewReplacer("&", " and ", "|", " or ", "%", " percent ", "$", " dollar ", "<", " less than ", ">", " greater than ")

// nuxt is slug of github-slugger, for a text without emoji.
func nuxt(h Heading) string {
	h.Text = withoutEmoji(h.Text)
	return github(h)
}

// nuxtID is what compileHast of @nuxtjs/mdc does to an id.
func nuxtID(id string) string {
	id = merge(id)
	return withUnderscore(strings.TrimSuffix(strings.TrimPrefix(id, "-"), "-"))
}

// doxia is encodeId of DoxiaUtils, for a text that flexmark has made typographic. An id begins with a letter or "_".
func doxia(h Heading) string {
	const upperHex = "0123456789ABCDEF"
	text := strings.TrimSpace(quoted(typographic(h.Text, h.Source, doxiaSymbols)))
	if text == "" {
		return ""
	}
	var id strings.Builder
	if c := rune(text[0]); !isLetterASCII(c) && c != '_' {
		id.WriteByte('a')
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ':
			id.WriteByte('_')
		case c == '-' || c == '_' || c == '.' || isLetterASCII(rune(c)) || isDigitASCII(rune(c)):
			id.WriteByte(c)
		default:
			id.WriteString(string([]byte{'.', upperHex[c>>4], upperHex[c&15]}))
		}
	}
	return id.String()
}

// doxiaSymbols are those of flexmark's typographic extension.
var doxiaSymbols = strings.NewReplacer("---", "—", "--", "–", "...", "…")

// quoted makes pairs of quotation marks typographic. One that stands between letters is an apostrophe.
func quoted(text string) string {
	text = pairs(text, '"', "“", "”", func(rune, rune) bool { return true })
	return pairs(text, '\'', "‘", "’", func(before, after rune) bool { return !isWord(before) || !isWord(after) })
}

// pairs replaces every two marks, of those that count between their neighbours.
func pairs(text string, mark byte, left, right string, counts func(before, after rune) bool) string {
	var at []int
	for i := range len(text) {
		if text[i] == mark {
			before, _ := utf8.DecodeLastRuneInString(text[:i])
			after, _ := utf8.DecodeRuneInString(text[i+1:])
			if counts(before, after) {
				at = append(at, i)
			}
		}
	}
	var b strings.Builder
	done := 0
	for ; len(at) > 1; at = at[2:] {
		b.WriteString(text[done:at[0]] + left + text[at[0]+1:at[1]] + right)
		done = at[1] + 1
	}
	b.WriteString(text[done:])
	return b.String()
}
