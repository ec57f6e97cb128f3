package doc

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// OrgSpace is the name space of the links of an Org document that search a document: "#id", "*heading" and "id:x".
const OrgSpace = "org"

// IsOrg reports whether d is an Org document.
func (d *Document) IsOrg() bool { return path.Ext(d.Path) == ".org" || d.File.Type == "text/x-org" }

// keepOrgLink keeps a link that searches a document. [[name]] is no such link here: hosts of code read it as the name of a file.
func (s scanner) keepOrgLink(m *extract.Mention) {
	sign := map[string]string{"custom-id": "#", "heading": "*", "id": "id:"}[m.Space]
	if sign != "" {
		s.d.Names = append(s.d.Names, Note{m.Pos, sign + string(m.Name), OrgSpace})
	}
}

// OrgSearch returns what a link in brackets searches in the file that k names, "#id" or "*heading"; "" if it is anything else.
func (d *Document) OrgSearch(k *Reference) string {
	const longest = 1000
	if !d.IsOrg() || !strings.HasPrefix(k.In, "[[") {
		return ""
	}
	source, end := d.Source(), int(k.Pos.Offset)+k.Pos.Length
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

// OrgNames are what links search in an Org document.
type OrgNames struct {
	CustomIDs, IDs map[string]bool
	headings       map[string]bool // the words of their titles, with one space between them
	IsPartial      bool            // there may be more
}

// Has reports whether a search, "#id" or "*heading", finds something.
func (n *OrgNames) Has(search string) bool {
	if id, ok := strings.CutPrefix(search, "#"); ok {
		return n.CustomIDs[id]
	}
	return n.headings[orgWords(search[1:])]
}

// OrgNames returns the names of d, an Org document. A line that begins with stars and a space is a heading wherever it stands.
func (d *Document) OrgNames() *OrgNames {
	text := d.Head()
	n := &OrgNames{map[string]bool{}, map[string]bool{}, map[string]bool{}, len(text) >= MaxHead || bytes.IndexByte(text, 0) >= 0}
	for line := range bytes.Lines(text) {
		title := bytes.TrimLeft(line, "*")
		if len(title) < len(line) && title[0] == ' ' {
			n.addHeading(string(title))
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

// addHeading adds a heading without the state of its task, its priority and its tags. A document may define other states: a word in
// capital letters may be one.
func (n *OrgNames) addHeading(title string) {
	title = orgTags.ReplaceAllString(strings.TrimSpace(title), "")
	first, rest, _ := strings.Cut(title, " ")
	isTask := first == "TODO" || first == "DONE"
	if !isTask {
		n.headings[orgWords(title)] = true
	}
	if isTask || orgState.MatchString(first) {
		title = strings.TrimSpace(rest)
		n.headings[orgWords(title)] = true
	}
	title = orgPriority.ReplaceAllString(title, "")
	n.headings[orgWords(title)] = true
	n.headings[orgWords(strings.TrimPrefix(title, "COMMENT "))] = true
}

// orgWords returns the words in which searches and headings are compared: without cookies such as [1/2], and without backslashes before brackets.
func orgWords(s string) string {
	s = orgEscape.ReplaceAllString(orgCookie.ReplaceAllString(s, " "), "$1")
	return strings.Join(strings.Fields(s), " ")
}

var (
	orgTags     = lazy.New(`(?:^|[ \t]+):[\pL\pN_@#%:]+:$`)
	orgState    = lazy.New(`^[\p{Lu}\pN_-]+$`)
	orgPriority = lazy.New(`^\[#[A-Za-z0-9]{1,2}\][ \t]*`)
	orgCookie   = lazy.New(`\[[0-9]*(?:%|/[0-9]*)\]`)
	orgEscape   = lazy.New(`\\([\[\]\\])`)
)
