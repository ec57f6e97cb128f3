package source

import (
	"bytes"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// A Pattern looks for what a regular expression matches where a word is. To look for the word first takes a tenth of the
// time of an expression that may begin at each byte.
type Pattern struct {
	Regexp *lazy.Regexp // begins with "^" and word, and white space
	Word   string
	// IsStart reports whether a match may begin at an offset.
	IsStart func(text []byte, at int) bool
	// End returns the offset where to continue behind a word at an offset where nothing matches. It makes the
	// search linear where an expression may read far.
	End func(text []byte, at int) int
}

// Find returns the first group of up to n matches, or of all if n < 0.
func (f *Pattern) Find(text []byte, n int) (found []string) {
	for at := 0; n < 0 || len(found) < n; {
		i := bytes.Index(text[at:], []byte(f.Word))
		if i < 0 {
			return found
		}
		at += i
		behind := at + len(f.Word)
		if behind >= len(text) || !ascii.IsHTMLSpace(text[behind]) || !f.IsStart(text, at) {
			at = behind
			continue
		}
		if m := f.Regexp.FindSubmatchIndex(text[at:]); m != nil {
			found = append(found, string(text[at+m[2]:at+m[3]]))
			at += m[1]
		} else {
			at = f.End(text, behind)
		}
	}
	return found
}

// IsLineStart reports whether a line of a text begins at an offset.
func IsLineStart(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// IsWordStart reports whether an ASCII letter at an offset begins a word.
func IsWordStart(text []byte, at int) bool {
	return at == 0 || !ascii.IsAlnum(text[at-1]) && text[at-1] != '_'
}

// AtOnce returns an offset itself.
func AtOnce(_ []byte, at int) int { return at }

// EndOfImport returns the end of the part of a line without quotes and semicolons behind "import" that is no import of
// a component: no other in this part is one, except the last, whose name may follow in the next line.
func EndOfImport(text []byte, at int) int {
	for at < len(text) && ascii.IsHTMLSpace(text[at]) {
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
