package pdf

import "example.org/refract/internal/ascii"

// A vocabulary has the words of a document, as far as it has been read: hashes of those that are not
// wrapped, without regard to case.
type vocabulary map[uint32]struct{}

// What is kept of the words of a document.
const (
	maxWords  = 1 << 16
	leastWord = 3 // bytes, like mostWord
	mostWord  = 24
)

// has reports whether a document has a word.
func (v vocabulary) has(word string) bool {
	if len(v) == 0 || len(word) > mostWord {
		return false
	}
	_, found := v[hashWord(word)]
	return found
}

// hashWord returns the hash of a word, without regard to case: FNV-1a, so that two runs agree on the few
// words that share one.
func hashWord[T string | []byte](word T) uint32 {
	hash := uint32(2166136261)
	for i := range len(word) {
		hash = (hash ^ uint32(ascii.ToLower(word[i]))) * 16777619
	}
	return hash
}

// isWordByte reports whether a byte is that of a letter: those of UTF-8 that are not ASCII are.
func isWordByte(c byte) bool { return c >= 0x80 || 'a' <= c|0x20 && c|0x20 <= 'z' }

// add adds the words of a text, which are between white space, marks of sentences and hyphens. Pieces of
// wrapped words, and those of URLs, do not count.
func (v *vocabulary) add(text []byte) {
	if *v == nil && len(text) > 0 {
		*v = make(vocabulary)
	}
	isRest := false // the next word is the rest of one of the line before
	for at := 0; at < len(text) && len(*v) < maxWords; at++ {
		from := at
		for at < len(text) && isWordByte(text[at]) {
			at++
		}
		isBroken := isLineEnd(text, at+1) && text[at] == '-'
		if n := at - from; n >= leastWord && n <= mostWord && !isRest && !isBroken && endsWord(text, at) {
			(*v)[hashWord(text[from:at])] = struct{}{}
		}
		isRest = isBroken || isRest && at == from
		if !isBroken && !endsWord(text, at) {
			for at < len(text) && text[at] > ' ' {
				at++
			}
			isRest = at > 0 && text[at-1] == '-' && isLineEnd(text, at)
		}
	}
}

// isLineEnd reports whether a line ends at a place.
func isLineEnd(text []byte, at int) bool { return at < len(text) && text[at] == '\n' }

// endsWord reports whether what stands at a place may stand behind a word: no part of a URL.
func endsWord(text []byte, at int) bool {
	if at == len(text) {
		return true
	}
	switch text[at] {
	case ' ', '\n', ',', ';', '-', '(', ')', '"':
		return true
	case '.', ':', '?', '!':
		return at+1 == len(text) || text[at+1] <= ' '
	}
	return false
}
