package doc

import (
	"bytes"
	"slices"

	"example.org/refract/internal/site"
)

// A NavEntry is an entry of the navigation of a site. The document that holds it is a configuration
// file, or a page with front matter.
type NavEntry struct {
	Reference
	Result  site.Result
	Dir     string // directory that names are relative to; "" for a URL
	Resolve func(ref string) site.Result
}

// A RedirectEntry is a redirect of a site that a configuration file, a page or a file for the host has.
type RedirectEntry struct {
	Reference                // of the target; of an alias, the alias
	Of        []RedirectSite // the sites that have it: several may share the file of a host
}

// A RedirectSite is a redirect in one of the sites that have it.
type RedirectSite struct {
	*site.Redirector
	*site.Redirect
}

// JudgedInFront returns how many references in front matter are checked, because they are entries of the
// navigation.
func (d *Document) JudgedInFront() int { return min(len(d.Nav), int(d.Skipped[IsFrontMatter])) }

// DropJudged removes n references in front matter from those listed as not checked, entries of the
// navigation first.
func (d *Document) DropJudged(n int) {
	if n > 0 {
		d.Unchecked = slices.Clone(d.Unchecked) // a Cache may share it
	}
	for _, isSure := range []bool{true, false} {
		d.Unchecked = slices.DeleteFunc(d.Unchecked, func(ref Reference) bool {
			if n == 0 || ref.Reason != IsFrontMatter {
				return false
			}
			if isSure && !slices.ContainsFunc(d.Nav, func(e NavEntry) bool { return e.Pos.Offset == ref.Pos.Offset }) {
				return false
			}
			n--
			return true
		})
	}
}

// Lined counts the lines of a text. It looks at each byte once if the offsets come in order.
type Lined struct {
	Text            []byte
	Line, start, at int // the line of offset at, and the offset where that line begins
}

// Position returns the line and the column of an offset that is not before the previous one.
func (l *Lined) Position(offset int) (line, column int) {
	passed := l.Text[l.at:offset]
	l.Line += bytes.Count(passed, []byte("\n"))
	if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
		l.start = l.at + i + 1
	}
	l.at = offset
	return l.Line, offset - l.start + 1
}
