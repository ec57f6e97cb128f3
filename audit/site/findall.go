package site

import (
	"bytes"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// A finder looks for what a regular expression matches where a word is. To look for the word first takes a tenth of the
// time of an expression that may begin at each byte.
type finder struct {
	re   *lazy.Regexp // begins with "^" and word, and white space
	word string
	// isStart reports whether a match may begin at an offset.
	isStart func(text []byte, at int) bool
	// end returns the offset where to continue behind a word at an offset where nothing matches. It makes the
	// search linear where an expression may read far.
	end func(text []byte, at int) int
}

// find returns the first group of up to n matches, or of all if n < 0.
func (f *finder) find(text []byte, n int) (found []string) {
	for at := 0; n < 0 || len(found) < n; {
		i := bytes.Index(text[at:], []byte(f.word))
		if i < 0 {
			return found
		}
		at += i
		behind := at + len(f.word)
		if behind >= len(text) || !isBlank(text[behind]) || !f.isStart(text, at) {
			at = behind
			continue
		}
		if m := f.re.FindSubmatchIndex(text[at:]); m != nil {
			found = append(found, string(text[at+m[2]:at+m[3]]))
			at += m[1]
		} else {
			at = f.end(text, behind)
		}
	}
	return found
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// isLineStart reports whether a line of a text begins at an offset.
func isLineStart(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// isWordStart reports whether an ASCII letter at an offset begins a word.
func isWordStart(text []byte, at int) bool {
	return at == 0 || !ascii.IsAlnum(text[at-1]) && text[at-1] != '_'
}

// atOnce returns an offset itself.
func atOnce(_ []byte, at int) int { return at }

// endOfImport returns the end of the part of a line without quotes and semicolons behind "import" that is no import of
// a component: no other in this part is one, except the last, whose name may follow in the next line.
func endOfImport(text []byte, at int) int {
	for at < len(text) && isBlank(text[at]) {
		at++
	}
	end := bytes.IndexAny(text[at:], "'\"\n;")
	if end < 0 {
		return len(text)
	}
	if part := bytes.TrimRight(text[at:at+end], " \t\r\f"); text[at+end] == '\n' && bytes.HasSuffix(part, []byte("import")) {
		return at + len(part) - len("import")
	}
	return at + end
}
