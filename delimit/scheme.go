package delimit

import (
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

// A Scheme is one whose references have no "//". In running text, such a reference is found only where the
// text after the colon proves it.
type Scheme struct {
	Name   string
	Proof  string // the condition, in words
	Source string // the document that defines the required form
}

// Schemes returns the schemes without slashes that are found in running text.
func Schemes() []Scheme {
	list := make([]Scheme, len(proofs))
	for i, p := range proofs {
		list[i] = Scheme{p.scheme, p.words, p.source}
	}
	return list
}

// proofs are sorted by name.
var proofs = [...]struct {
	scheme string
	proof  func(rest []byte) bool // given at most maxProof bytes
	words  string
	source string
}{
	{"acct", hasAddress, "an address", "RFC 7565 section 7"},
	{"bitcoin", coinProof, "an address of 25 to 90 letters and digits", "BIP 21"},
	{"cid", hasAddress, "an address", "RFC 2392 section 2"},
	{"doi", doiProof, `"10.", digits, "/"`, "DOI Handbook section 3.2; ISO 26324"},
	{"file", func(s []byte) bool { return len(s) > 1 && s[0] == '/' && isWord(s[1]) }, `"/" and a name`, "RFC 8089 section 2"},
	{"geo", geoProof, "two numbers and a comma", "RFC 5870 section 3.3"},
	{"magnet", fieldProof, `"?", a field, "="`, "BEP 9"},
	{"mailto", mailtoProof, "an address, or fields", "RFC 6068 section 2"},
	{"matrix", matrixProof, `"u/", "r/", "roomid/" or "e/", and a name`, "Matrix 1.2, appendix Matrix URI scheme"},
	{"mid", hasAddress, "an address", "RFC 2392 section 2"},
	{"news", newsProof, "a message-id, or a group of two labels", "RFC 1738 section 3.6; RFC 5538 section 2"},
	{"sip", hasAddress, "an address", "RFC 3261 section 19.1.1"},
	{"sips", hasAddress, "an address", "RFC 3261 section 19.1.1"},
	{"sms", telProof, "three digits", "RFC 5724 section 2.2"},
	{"snews", newsProof, "as of news", "RFC 5538 section 6"},
	{"tel", telProof, "three digits", "RFC 3966 section 3"},
	{"urn", urnProof, "a namespace, a colon, a name", "RFC 8141 section 2"},
	{"xmpp", hasAddress, "an address", "RFC 5122 section 2.2"},
}

// proofOf returns the condition on the bytes after the colon of a scheme without slashes, or nil if text
// never contains references of the scheme.
func proofOf(scheme []byte) func(rest []byte) bool {
	if string(scheme) == "mailto" { // the usual case
		return mailtoProof
	}
	for i := range proofs {
		if p := &proofs[i]; len(p.scheme) == len(scheme) && ascii.EqualFold(scheme, p.scheme) {
			return p.proof
		}
	}
	return nil
}

// hasAddress reports whether s contains "@" between characters of an address, before
// any character that ends a reference.
func hasAddress(s []byte) bool {
	for i, c := range s {
		if c == '@' {
			return i > 0 && i+1 < len(s) && (isWord(s[i+1]) || s[i+1] == '[' || s[i+1] >= utf8.RuneSelf)
		}
		if class[c]&(cEnd|cColon) != 0 {
			break
		}
	}
	return false
}

// newsProof accepts a message-id, or a group of at least two labels, the last of at least two characters.
func newsProof(s []byte) bool {
	if hasAddress(s) {
		return true
	}
	if len(s) == 0 || !ascii.IsLetter(s[0]) {
		return false
	}
	last, labels := 0, 1
	i := 0
	for ; i < len(s) && (isWord(s[i]) || s[i] == '.' || s[i] == '-' || s[i] == '+'); i++ {
		if s[i] == '.' {
			if i+1 == len(s) || !isWord(s[i+1]) {
				break // the dot of the sentence
			}
			last, labels = i+1, labels+1
		}
	}
	return labels > 1 && i-last > 1
}

func telProof(s []byte) bool {
	digits := 0
	for i, c := range s {
		switch {
		case ascii.IsDigit(c):
			digits++
		case c == '+' && i == 0, c == '-', c == '.', c == '(', c == ')':
		default:
			return digits > 2
		}
	}
	return digits > 2
}

// urnProof accepts a namespace identifier, a colon, and at least one character after it.
func urnProof(s []byte) bool {
	for i, c := range s {
		if c == ':' {
			return i > 1 && i <= 32 && i+1 < len(s) && isWord(s[i+1])
		}
		if !ascii.IsAlnum(c) && c != '-' {
			break
		}
	}
	return false
}

// mailtoProof accepts an address, or fields alone: "mailto:?subject=x" (RFC 6068 section 2).
func mailtoProof(s []byte) bool {
	if hasAddress(s) {
		return true
	}
	for len(s) > 0 && isWord(s[0]) {
		s = s[1:]
	}
	return fieldProof(s)
}

// fieldProof accepts "?", the name of a field, and "=".
func fieldProof(s []byte) bool {
	if len(s) == 0 || s[0] != '?' {
		return false
	}
	i := 1
	for i < len(s) && (isWord(s[i]) || s[i] == '.' || s[i] == '-') {
		i++
	}
	return i > 1 && i+1 < len(s) && s[i] == '=' && class[s[i+1]]&cEnd == 0
}

// geoProof accepts a latitude and a longitude.
func geoProof(s []byte) bool {
	n := decimal(s)
	return n > 0 && n < len(s) && s[n] == ',' && decimal(s[n+1:]) > 0
}

// decimal returns the length of the number at the start of s, or 0.
func decimal(s []byte) int {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	digits := i
	for i < len(s) && ascii.IsDigit(s[i]) {
		i++
	}
	if i == digits {
		return 0
	}
	if i+1 < len(s) && s[i] == '.' && ascii.IsDigit(s[i+1]) {
		for i++; i < len(s) && ascii.IsDigit(s[i]); i++ {
		}
	}
	return i
}

// matrixProof accepts the kind of an entity, "/", and a name.
func matrixProof(s []byte) bool {
	for _, kind := range [...]string{"u/", "r/", "e/", "user/", "room/", "roomid/", "event/"} {
		if n := len(kind); len(s) > n && string(s[:n]) == kind && isWord(s[n]) {
			return true
		}
	}
	return false
}

// coinProof accepts an address in Base58 or Bech32.
func coinProof(s []byte) bool {
	n, digits := 0, 0
	for n < len(s) && ascii.IsAlnum(s[n]) {
		if ascii.IsDigit(s[n]) {
			digits++
		}
		n++
	}
	return n >= 25 && n <= 90 && digits > 1
}

// doiProof accepts the prefix of a registrant, "10.1000", "/", and a suffix.
func doiProof(s []byte) bool {
	if len(s) < 4 || string(s[:3]) != "10." {
		return false
	}
	i := 3
	for i < len(s) && (ascii.IsDigit(s[i]) || s[i] == '.') {
		i++
	}
	return i > 3 && i+1 < len(s) && s[i] == '/' && class[s[i+1]]&cEnd == 0
}

// groupEnd returns the length of the newsgroup at the start of s. The group must have at
// least two labels, and ">" must follow; otherwise the result is 0.
func groupEnd(s []byte) int {
	labels := 0
	for i, c := range s {
		switch {
		case c == '>' && labels > 0 && s[i-1] != '.':
			return i
		case c == '.' && i > 0 && s[i-1] != '.':
			labels++
		case !isWord(c) && c != '-' && c != '+':
			return 0
		}
	}
	return 0
}
