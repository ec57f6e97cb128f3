package risk

// The table is checked against confusables.txt of the Unicode Consortium, whose path
// is given in CONFUSABLES (https://www.unicode.org/Public/security/latest/):
//go:generate go run lookalikes_check.go

// lookalikes maps letters to the ASCII letters that most fonts draw alike.
//
// Source: chosen by hand from the small letters of confusables.txt (UTS 39 section 4)
// that are Cyrillic, Greek, Armenian or Latin, and compared with it as of Unicode 13 in
// November 2026. "κ" and "ь" are not in the source, and "ӏ" looks like "i" there.
var lookalikes = map[rune]byte{
	'а': 'a', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'һ': 'h', 'і': 'i', 'ј': 'j', 'ӏ': 'l', 'о': 'o', 'р': 'p', 'ԛ': 'q', 'г': 'r',
	'ѕ': 's', 'ѵ': 'v', 'ԝ': 'w', 'х': 'x', 'у': 'y', 'ү': 'y', 'ь': 'b', // Cyrillic
	'α': 'a', 'γ': 'y', 'ι': 'i', 'κ': 'k', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'σ': 'o', 'υ': 'u', 'ϲ': 'c', 'ϳ': 'j', // Greek
	'ց': 'g', 'հ': 'h', 'ո': 'n', 'օ': 'o', 'զ': 'q', 'ս': 'u', // Armenian
	'ı': 'i', 'ɑ': 'a', 'ɡ': 'g', // Latin
}
