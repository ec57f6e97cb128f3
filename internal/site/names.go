package site

import (
	"slices"
	"strings"
	"unicode"

	"example.org/refract/extract/markdown"
	"example.org/refract/internal/reason"
)

// Names answers questions about the names that documents of a site use: labels, terms, objects of programs,
// and documents.
type Names struct{ s *Site }

// Names returns the Names of the site.
func (s *Site) Names() Names { return Names{s} }

// Space returns the name space of Mentions that are labels of the site, or "" if the site has no labels.
func (n Names) Space() string {
	if n.s.namer != nil {
		return markdown.RefSpace
	}
	return ""
}

// Label says whether a label exists that a fragment, or a document of Markdown, uses. If file is not "",
// the page of that file must have it. Otherwise it may be one of another project, which is Unknown.
func (n Names) Label(file, name string) Answer {
	n.s.Load()
	switch {
	case n.s.namer == nil, file != "" && !n.isIn(file, name):
		return Answer{State: Missing}
	case n.s.Labels[LabelName(name)], n.s.Labels[BareName(name)]:
		return Answer{State: Found}
	case file == "":
		return n.s.namer.Label(n.s, name)
	}
	return Answer{State: Missing}
}

// isIn reports whether a file defines a label, or a file that it includes.
func (n Names) isIn(file, name string) bool {
	return n.s.namer.Defines(n.s, file, name) || slices.ContainsFunc(n.s.Shows[file], func(part string) bool { return n.s.namer.Defines(n.s, part, name) })
}

// Role says whether the name is defined that a role in a document of reStructuredText uses. space is that
// of its Mention.
func (n Names) Role(u Use, space, name string) Answer {
	if n.s.namer == nil {
		return Answer{Why: reason.NameOfRole}
	}
	n.s.Load()
	return n.s.namer.Role(n.s, u, space, name)
}

// Nearest returns the only label that a document of reStructuredText can have meant by an undefined one, or "".
// isCertain is true if the two differ only in punctuation and case.
func (n Names) Nearest(name string) (label string, isCertain bool) {
	if n.s.namer == nil {
		return "", false
	}
	return n.s.namer.Nearest(name)
}

// DefinedIn returns the file that defines a label, or two of reStructuredText if several do. It returns nil if the
// file is not known.
func (n Names) DefinedIn(label string) (files []string) {
	if n.s.namer == nil {
		return nil
	}
	n.s.Load()
	return n.s.namer.DefinedIn(label)
}

// Document returns the name that toctrees use for a document, or "" for another file.
func (n Names) Document(file string) string {
	if n.s.namer == nil {
		return ""
	}
	if p := n.s.Page(file); p != nil && p.Why.IsZero() && len(p.Names) > 0 {
		return p.Names[0]
	}
	return ""
}

// Documents returns the files of the documents that a pattern in a toctree matches. isAll is false if there may be
// others.
func (n Names) Documents(u Use, pattern string) (files []string, isAll bool) {
	if n.s.namer == nil {
		return nil, false
	}
	n.s.Load()
	return n.s.namer.Documents(n.s, u, pattern)
}

// MayBeObject reports whether [text][label] may name a piece of a program.
func (n Names) MayBeObject(label string) bool {
	return n.s.objectNamer != nil && n.s.objectNamer.MayBeObject(label)
}

// LabelName returns the form of a label in which labels are compared: in lower case, with white
// space collapsed.
func LabelName(name string) string {
	if isLabelName(name) {
		return name
	}
	return strings.Join(strings.Fields(strings.ToLower(name)), " ")
}

// isLabelName reports whether a name of ASCII characters is its own LabelName.
func isLabelName(name string) bool {
	space := true // before what is next
	for i := range len(name) {
		c := name[i]
		if c < ' ' || c >= 0x80 || 'A' <= c && c <= 'Z' || space && c == ' ' {
			return false
		}
		space = c == ' '
	}
	return !space || name == ""
}

// BareName returns the letters and digits of a title, to compare it with the ids that mystmd makes from
// titles.
func BareName(title string) string {
	return "\x00" + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}
