// Package org reads the names that links of Org documents search for.
package org

import (
	"bytes"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// Search returns the search of a link in brackets in the file whose name ends at source[end]: "#id" or
// "*heading"; "" if it is anything else.
func Search(source []byte, end int) string {
	const longest = 1000
	if end > len(source) { // the file has changed
		return ""
	}
	rest, ok := bytes.CutPrefix(source[end:min(len(source), end+longest)], []byte("::"))
	if !ok || len(rest) == 0 || rest[0] != '#' && rest[0] != '*' {
		return ""
	}
	for i, c := range rest {
		if c == ']' && rest[i-1] != '\\' {
			return string(rest[:i])
		}
	}
	return ""
}

// Names are the names that links can search for in an Org document.
type Names struct {
	CustomIDs, IDs map[string]bool
	headings       map[string]bool // the words of their titles, with one space between them
	slugs          map[string]bool // of the headings, by GitHub's rule
	IsPartial      bool            // there may be more
}

// Has reports whether a search, "#id" or "*heading", finds something. Emacs finds only CUSTOM_IDs by "#id". GitHub shows Org documents with ids of
// all headings, and the package toc-org writes links to these, and follows them in Emacs.
func (n *Names) Has(search string) bool {
	if id, ok := strings.CutPrefix(search, "#"); ok {
		return n.CustomIDs[id] || n.slugs[id]
	}
	return n.headings[words(search[1:])]
}

// NamesOf returns the names of a document. A line that begins with stars and a space is a heading wherever it stands.
func NamesOf(text []byte) *Names {
	n := &Names{
		CustomIDs: map[string]bool{}, IDs: map[string]bool{}, headings: map[string]bool{}, slugs: map[string]bool{},
		IsPartial: bytes.IndexByte(text, 0) >= 0,
	}
	var slugger slug.Slugger
	for line := range bytes.Lines(text) {
		title := bytes.TrimLeft(line, "*")
		if len(title) < len(line) && title[0] == ' ' {
			n.addHeading(string(title), &slugger)
			continue
		}
		name, value, ok := bytes.Cut(bytes.TrimPrefix(bytes.TrimSpace(line), []byte(":")), []byte(":"))
		switch {
		case !ok:
		case ascii.EqualFold(name, "CUSTOM_ID"):
			n.CustomIDs[string(bytes.TrimSpace(value))] = true
		case ascii.EqualFold(name, "ID"):
			n.IDs[string(bytes.TrimSpace(value))] = true
		}
	}
	return n
}

// addHeading adds a heading without the state of its task, its priority and its tags. A document may define
// other states: a word in capital letters may be one.
func (n *Names) addHeading(title string, slugger *slug.Slugger) {
	title = tags.ReplaceAllString(strings.TrimSpace(title), "")
	first, rest, _ := strings.Cut(title, " ")
	isTask := first == "TODO" || first == "DONE"
	if isTask {
		title = strings.TrimSpace(rest)
	}
	n.slugs[slugger.Slug(slug.Heading{Text: link.ReplaceAllString(priority.ReplaceAllString(title, ""), "$1$2")})] = true
	n.headings[words(title)] = true
	if !isTask && state.MatchString(first) {
		title = strings.TrimSpace(rest)
		n.headings[words(title)] = true
	}
	title = priority.ReplaceAllString(title, "")
	n.headings[words(title)] = true
	n.headings[words(strings.TrimPrefix(title, "COMMENT "))] = true
}

// words returns the words in which searches and headings are compared: without cookies such as [1/2], and
// without backslashes before brackets.
func words(s string) string {
	s = escape.ReplaceAllString(cookie.ReplaceAllString(s, " "), "$1")
	return strings.Join(strings.Fields(s), " ")
}

var (
	tags     = lazy.New(`(?:^|[ \t]+):[\pL\pN_@#%:]+:$`)
	state    = lazy.New(`^[\p{Lu}\pN_-]+$`)
	priority = lazy.New(`^\[#[A-Za-z0-9]{1,2}\][ \t]*`)
	cookie   = lazy.New(`\[[0-9]*(?:%|/[0-9]*)\]`)
	link     = lazy.New(`\[\[[^\[\]]+\]\[([^\[\]]+)\]\]|\[\[([^\[\]]+)\]\]`)
	escape   = lazy.New(`\\([\[\]\\])`)
)
