package pdf

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// asciiNames are the names of the glyphs of U+0020 to U+007E, latinNames those of U+00A1 to U+00FF (the
// Adobe Glyph List).
const (
	asciiNames = "space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash " +
		"zero one two three four five six seven eight nine colon semicolon less equal greater question at " +
		"A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore grave " +
		"a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde"
	latinNames = "exclamdown cent sterling currency yen brokenbar section dieresis copyright ordfeminine guillemotleft logicalnot sfthyphen registered macron " +
		"degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla onesuperior ordmasculine guillemotright onequarter onehalf threequarters questiondown " +
		"Agrave Aacute Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex Edieresis Igrave Iacute Icircumflex Idieresis " +
		"Eth Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply Oslash Ugrave Uacute Ucircumflex Udieresis Yacute Thorn germandbls " +
		"agrave aacute acircumflex atilde adieresis aring ae ccedilla egrave eacute ecircumflex edieresis igrave iacute icircumflex idieresis " +
		"eth ntilde ograve oacute ocircumflex otilde odieresis divide oslash ugrave uacute ucircumflex udieresis yacute thorn ydieresis"
)

// otherNames are further names that fonts for text use.
const otherNames = "quoteleft ‘ quoteright ’ quotesinglbase ‚ quotedblleft “ quotedblright ” quotedblbase „ endash – emdash — bullet • dagger † daggerdbl ‡ ellipsis … " +
	"perthousand ‰ guilsinglleft ‹ guilsinglright › fraction ⁄ fi fi fl fl ff ff ffi ffi ffl ffl trademark ™ Euro € florin ƒ minus - " +
	"circumflex ˆ tilde ˜ caron ˇ breve ˘ dotaccent ˙ ring ˚ ogonek ˛ hungarumlaut ˝ dotlessi ı Lslash Ł lslash ł OE Œ oe œ Scaron Š scaron š Zcaron Ž zcaron ž Ydieresis Ÿ " +
	"Aogonek Ą aogonek ą Cacute Ć cacute ć Eogonek Ę eogonek ę Nacute Ń nacute ń Sacute Ś sacute ś Zacute Ź zacute ź Zdotaccent Ż zdotaccent ż " +
	"Ccaron Č ccaron č Dcaron Ď dcaron ď Ecaron Ě ecaron ě Ncaron Ň ncaron ň Rcaron Ř rcaron ř Tcaron Ť tcaron ť Uring Ů uring ů Gbreve Ğ gbreve ğ Scedilla Ş scedilla ş Idotaccent İ " +
	"Abreve Ă abreve ă Ohungarumlaut Ő ohungarumlaut ő Uhungarumlaut Ű uhungarumlaut ű Dcroat Đ dcroat đ nbspace \u00a0 nonbreakingspace \u00a0 hyphentwo - softhyphen \u00ad " +
	"similar ~ asciitildemath ~ visiblespace ␣ slashmath / arrowright → arrowleft ← lessequal ≤ greaterequal ≥ notequal ≠ periodcentered ·"

// glyphs returns the map from names of glyphs to characters. It is made at its first use, as are the encodings.
var glyphs = sync.OnceValue(func() map[string]string {
	m := make(map[string]string)
	for i, n := range strings.Fields(asciiNames) {
		m[n] = string(rune(0x20 + i))
	}
	for i, n := range strings.Fields(latinNames) {
		m[n] = string(rune(0xa1 + i))
	}
	pairs := strings.Split(otherNames, " ")
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
})

// charsOfName returns the characters of a glyph by its name, "" if they are not known: the Adobe Glyph List
// specification, section 2, with a part of the list.
func charsOfName(name string) string {
	if s, ok := glyphs()[name]; ok {
		return s
	}
	name, _, _ = strings.Cut(name, ".")
	if len(name) > 100 {
		return ""
	}
	var all []byte
	for part := range strings.SplitSeq(name, "_") {
		s, ok := glyphs()[part]
		if !ok {
			s = charsOfCode(part)
		}
		if s == "" {
			return ""
		}
		all = append(all, s...)
	}
	return string(all)
}

// charsOfCode returns the characters of "uni0041" and "u0041".
func charsOfCode(name string) string {
	digits, ok := strings.CutPrefix(name, "uni")
	size := 4
	if !ok || len(digits)%4 != 0 || len(digits) == 0 {
		digits, ok = strings.CutPrefix(name, "u")
		size = len(digits)
		if !ok || size < 4 || size > 6 {
			return ""
		}
	}
	var s []byte
	for ; len(digits) > 0; digits = digits[size:] {
		n, err := strconv.ParseUint(digits[:size], 16, 32)
		if err != nil || !utf8.ValidRune(rune(n)) {
			return ""
		}
		s = utf8.AppendRune(s, rune(n))
	}
	return string(s)
}

// standardHigh has the names of StandardEncoding from 0xA1 on (ISO 32000-2, annex D.2); "-" is no character.
const standardHigh = "exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl - " +
	"endash dagger daggerdbl periodcentered - paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand - questiondown - " +
	"grave acute circumflex tilde macron breve dotaccent dieresis - ring cedilla - hungarumlaut ogonek caron emdash - - - - - - - - - - - - - - - - AE - ordfeminine " +
	"- - - - Lslash Oslash OE ordmasculine - - - - - ae - - - dotlessi - - lslash oslash oe germandbls"

// An encodingTable maps the codes of a simple font to characters.
type encodingTable [256]string

var (
	standardEncoding = sync.OnceValue(func() *encodingTable {
		t := new(encodingTable)
		for c := 0x20; c < 0x7f; c++ {
			t[c] = string(rune(c))
		}
		t['\''], t['`'] = "’", "‘"
		for i, n := range strings.Fields(standardHigh) {
			t[0xa1+i] = glyphs()[n]
		}
		return t
	})
	winAnsiEncoding  = sync.OnceValue(func() *encodingTable { return tableOf(charmap.Windows1252) })
	macRomanEncoding = sync.OnceValue(func() *encodingTable { return tableOf(charmap.Macintosh) })
)

func tableOf(m *charmap.Charmap) *encodingTable {
	t := new(encodingTable)
	for c := 0x20; c < 0x100; c++ {
		if r := m.DecodeByte(byte(c)); r != utf8.RuneError {
			t[c] = string(r)
		}
	}
	return t
}
