package pdf

import "bytes"

// A token is one token of the syntax of objects (ISO 32000-2 section 7.2).
type token struct {
	kind       tokenKind
	start, end int // of a string: what is between its delimiters
}

type tokenKind uint8

const (
	endOfFile tokenKind = iota
	nameToken
	literalToken // (…)
	hexToken     // <…>
	integerToken // without sign; start and end hold its digits
	wordToken    // "obj", "true", and numbers that are not integers
	dictBegin
	dictEnd
	arrayBegin
	arrayEnd
)

// maxString limits a literal string, in bytes. What begins a longer one is skipped.
const maxString = 1 << 20

// A tokenizer cuts src into tokens. It skips what cannot begin a token.
type tokenizer struct {
	account *account
	src     []byte
	at      int
	budget  int // bytes left for searching the ends of literal strings that have none
}

func newTokenizer(a *account, src []byte, at int) tokenizer {
	return tokenizer{account: a, src: src, at: at, budget: 8*len(src) + maxString}
}

// The classes of bytes: ISO 32000-2, tables 1 and 2.
const (
	regular = iota
	space
	delimiter
)

var class = func() (t [256]uint8) {
	for _, c := range "\x00\t\n\f\r " {
		t[c] = space
	}
	for _, c := range "()<>[]{}/%" {
		t[c] = delimiter
	}
	return t
}()

// next returns the next token. When the account is spent, the text ends.
func (t *tokenizer) next() token {
	from := t.at
	k := t.cut()
	if !t.account.spend(t.at - from + 1) {
		t.at = len(t.src)
		return token{endOfFile, t.at, t.at}
	}
	return k
}

// cut returns the next token.
func (t *tokenizer) cut() token {
	for t.at < len(t.src) {
		start := t.at
		c := t.src[start]
		switch {
		case class[c] == space:
			t.at++
		case class[c] == regular:
			return t.regular()
		case c == '/':
			t.at++
			t.skipRegular()
			return token{nameToken, start + 1, t.at}
		case c == '(':
			if end := t.literalEnd(start + 1); end >= 0 {
				t.at = end + 1
				return token{literalToken, start + 1, end}
			}
			t.at++
		case c == '<' && start+1 < len(t.src) && t.src[start+1] == '<':
			t.at += 2
			return token{dictBegin, start, t.at}
		case c == '<':
			t.at++
			for t.at < len(t.src) && (isHex(t.src[t.at]) || class[t.src[t.at]] == space) {
				t.at++
			}
			if t.at < len(t.src) && t.src[t.at] == '>' {
				t.at++
				return token{hexToken, start + 1, t.at - 1}
			}
		case c == '>' && start+1 < len(t.src) && t.src[start+1] == '>':
			t.at += 2
			return token{dictEnd, start, t.at}
		case c == '[':
			t.at++
			return token{arrayBegin, start, t.at}
		case c == ']':
			t.at++
			return token{arrayEnd, start, t.at}
		case c == '%':
			t.comment()
		default:
			t.at++
		}
	}
	return token{endOfFile, t.at, t.at}
}

func (t *tokenizer) skipRegular() {
	for t.at < len(t.src) && class[t.src[t.at]] == regular {
		t.at++
	}
}

// regular reads a word or an integer. "0R" and "endobj12" are two tokens, as readers have it.
func (t *tokenizer) regular() token {
	start := t.at
	for t.at < len(t.src) && isDigit(t.src[t.at]) {
		t.at++
	}
	if t.at > start && (t.at == len(t.src) || t.src[t.at] != '.') {
		return token{integerToken, start, t.at}
	}
	if t.src[start] == 'e' {
		for _, glued := range []string{"endobj", "endstream"} {
			if bytes.HasPrefix(t.src[start:], []byte(glued)) {
				t.at = start + len(glued)
				return token{wordToken, start, t.at}
			}
		}
	}
	t.skipRegular()
	return token{wordToken, start, t.at}
}

// comment skips a comment, up to the end of its line.
func (t *tokenizer) comment() {
	for t.at < len(t.src) && t.src[t.at] != '\n' && t.src[t.at] != '\r' {
		t.at++
	}
}

// literalEnd returns where the literal string ends whose content begins at at: the offset of its ")".
// It returns -1 if there is no end.
func (t *tokenizer) literalEnd(at int) int {
	limit := min(len(t.src), at+min(maxString, t.budget))
	depth := 0
	for i := at; i < limit; i++ {
		switch t.src[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	t.budget -= limit - at
	t.account.spend(limit - at)
	return -1
}

// number returns the value of an integer token; 1<<31-1 if it is larger.
func (t *tokenizer) number(k token) int {
	const most = 1<<31 - 1
	n := 0
	for _, c := range t.src[k.start:k.end] {
		n = n*10 + int(c-'0')
		if n > most {
			return most
		}
	}
	return n
}

// entry returns the first token of the value of a key of the dictionary that begins at src[dict]. The
// tokenizer returned is after that token.
func entry(a *account, src []byte, dict int, key string) (token, tokenizer) {
	t := newTokenizer(a, src, dict)
	depth := 0
	atKey := false
	for {
		k := t.next()
		switch k.kind {
		case endOfFile:
			return k, t
		case dictBegin, arrayBegin:
			if depth == 1 {
				atKey = false
			}
			depth++
			if depth == 1 {
				atKey = true
			}
			continue
		case dictEnd, arrayEnd:
			depth--
			if depth <= 0 {
				return token{kind: endOfFile}, t
			}
			if depth == 1 {
				atKey = true
			}
			continue
		}
		if depth != 1 {
			continue
		}
		if k.kind != nameToken {
			atKey = true // so that the "0 R" of a reference is skipped
			continue
		}
		if !atKey {
			atKey = true
			continue
		}
		if string(src[k.start:k.end]) == key {
			return t.next(), t
		}
		atKey = false
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return hexValue(c) >= 0 }

// hexValue returns the value of a hexadecimal digit, -1 for other bytes.
func hexValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
