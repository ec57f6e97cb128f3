package site

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
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

// NumberAtEnd matches the number that distinguishes ids that would be equal.
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

type slugsKey struct {
	file string
	text *lazy.Regexp
}

// Slugs returns the ids that GitHub makes of the texts in a page that are the first group of an expression,
// at most 10,000. It reads a page once for an expression.
func Slugs(s *Site, file string, text *lazy.Regexp) map[string]bool {
	return source.Memo(s.Tree, slugsKey{file, text}, func() map[string]bool {
		ids := map[string]bool{}
		for _, m := range text.FindAllSubmatch(s.Tree.Text(file, source.MaxPage), maxSlugs) {
			ids[slug.GitHub.Slug(slug.Heading{Text: string(m[1])})] = true
		}
		return ids
	})
}

// maxSlugs limits the texts of a page of which Slugs makes ids.
const maxSlugs = 10_000
