package mailbox

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// maxCommand limits the line before an article, in bytes, including its end.
const maxCommand = 64

var command = []byte("#! rnews ")

// IsNews reports whether an input that begins with head, 64 bytes or all of it, is a batch.
func IsNews(head []byte) bool {
	_, n, _ := commandLine(head, true)
	return n > 0
}

// News returns the Splitter of a batch of news (RFC 1036 section 4.3, news(5), rnews(1)). Before each
// article stands a line
//
//	#! rnews 1234
//
// The number is the size of the article in bytes. Compressed batches begin with a line that says so; this
// package does not read them.
//
// Notable divergence: a number that points neither to another such line nor to the end of the input is
// wrong, and then the next such line counts. This happens in each batch that is stored with CRLF, since the
// number counts a line end as one byte (news(5)).
func News(int) Splitter { return news{} }

type news struct{ stateless }

// Next ends an article where the number in its line says, if the line of the next article begins there or
// the input ends; otherwise where the next such line begins, or with the input. A number of more than
// maxAhead counts as wrong.
func (news) Next(src []byte, from int, atEOF bool) (p Piece, ok bool) {
	p.End, ok = nextArticle(src, from, atEOF)
	return p, ok
}

func nextArticle(src []byte, at int, atEOF bool) (end int, ok bool) {
	if at == 0 {
		size, n, more := commandLine(src, atEOF)
		if more {
			return 0, false
		}
		if n > 0 && size <= maxAhead {
			end := n + size
			if atEOF && end == len(src) {
				return end, true
			}
			_, next, more := commandLine(src[min(end, len(src)):], atEOF)
			if next > 0 {
				return end, true
			}
			if more {
				return 0, false
			}
		}
		at = max(n, 1) // the number is wrong, or missing
	}
	for ; at < len(src); at++ {
		i := bytes.Index(src[at:], command)
		if i < 0 {
			break
		}
		at += i
		if src[at-1] != '\n' {
			continue
		}
		if _, n, more := commandLine(src[at:], atEOF); n > 0 || more {
			return at, !more
		}
	}
	if atEOF {
		return len(src), true
	}
	return max(at, len(src)-len(command)+1), false
}

// Body says that an article is exact if its number of bytes is right, counting each line end as one byte or as written.
// The last article of a batch that was cut off is not.
func (news) Body(src []byte) (start, end int, exact bool) {
	size, start, _ := commandLine(src, true)
	exact = start > 0 && (size == len(src)-start || size == len(src)-start-bytes.Count(src[start:], []byte("\r\n")))
	return start, len(src), exact
}

// commandLine reads the line at the beginning of s, if it is one that precedes an article. It returns the
// number in the line, at most maxAhead+1, and the length n of the line, including its end. Otherwise
// n is 0, and more reports that more bytes are needed to decide.
func commandLine(s []byte, atEOF bool) (size, n int, more bool) {
	k := min(len(s), len(command))
	if !bytes.Equal(s[:k], command[:k]) {
		return 0, 0, false
	}
	for n = k; n < len(s) && ascii.IsDigit(s[n]) && n < maxCommand; n++ {
		size = min(10*size+int(s[n]-'0'), maxAhead+1)
	}
	digits := n - k
	for n < len(s) && (s[n] == ' ' || s[n] == '\r') && n < maxCommand {
		n++
	}
	switch {
	case n >= maxCommand:
	case n == len(s):
		return 0, 0, !atEOF
	case digits > 0 && s[n] == '\n':
		return size, n + 1, false
	}
	return 0, 0, false
}
