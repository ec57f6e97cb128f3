package site

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/internal/lazy"
)

// PostOf returns the parts of the path of a post, nil for other pages: the whole, the directories
// before and below "_posts", year, month, day and name. An expression for all of it takes 40 times as
// long.
func PostOf(rel string) []string {
	i := strings.LastIndex("/"+rel, "/_posts/")
	if i < 0 {
		return nil
	}
	below, name := path.Split(rel[i+len("_posts/"):])
	if name == "" || name[0] < '0' || name[0] > '9' {
		return nil
	}
	m := postName.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	return append([]string{rel, rel[:i], strings.TrimSuffix(below, "/")}, m[1:]...)
}

var postName = lazy.New(`^(\d+)-(\d+)-(\d+)-([^/]*)\.\w+$`)

// SummaryLink matches the destination of a link in the summary of a book.
var SummaryLink = lazy.New(`\]\(\s*(?:<([^>\n]*)>|([^)\s]*))`)

// HeadingLine matches a heading of Markdown.
var HeadingLine = lazy.New(`(?m)^ {0,3}#{1,6}[ \t]+(.*)$`)

// NumberAtEnd matches what distinguishes ids that would be equal.
var NumberAtEnd = lazy.New(`-\d+$`)

// CutLast is strings.Cut at the last separator. Without one, after is s.
func CutLast(s, separator string) (before, after string, ok bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(separator):], true
}

// IsWritten reports whether a text contains a word other than as a fragment.
func IsWritten(text []byte, word string) bool {
	for at := 0; word != ""; {
		n := bytes.Index(text[at:], []byte(word))
		if n < 0 {
			return false
		}
		start, end := at+n, at+n+len(word)
		at = end
		isEnd := end == len(text) || strings.IndexByte(" \t\r\n\"'>]`,;", text[end]) >= 0
		if isEnd && start > 0 && strings.IndexByte(" \t\n\"'<[`(", text[start-1]) >= 0 {
			return true
		}
	}
	return false
}
