package judge

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// A TitleIndex holds the titles of documents, which are read at the first text that may be one.
type TitleIndex struct {
	of  lazy.Map[string, pageNames] // by path
	all lazy.Value[map[siteTitle]string]
}

// A siteTitle is a title in a site, or among the documents of no site of a repository.
type siteTitle struct {
	site  *site.Site
	top   string // as Library.Boundary returns it
	title string
}

// A pageNames is how others may call a page: its titles, and its first headings and values of its front matter.
type pageNames struct{ titles, others []string }

// mostNames limits the names of a page, all of which are compared with the text of a link.
const mostNames = 200

// has reports whether a text may mean the page: it is a part of one of its names, or has its title as a
// part. Case does not count.
func (n pageNames) has(text string) bool {
	text = strings.ToLower(text)
	isIn := func(name string) bool { return strings.Contains(name, text) }
	has := func(title string) bool { return title != "" && strings.Contains(text, title) }
	return slices.ContainsFunc(n.titles, isIn) || slices.ContainsFunc(n.others, isIn) || slices.ContainsFunc(n.titles, has)
}

// lower returns the names in lower case.
func (n pageNames) lower() pageNames {
	for _, list := range [][]string{n.titles, n.others} {
		for i := range list {
			list[i] = strings.ToLower(list[i])
		}
	}
	return n
}

// JudgeVague checks a link whose text says nothing.
func (a *Judge) JudgeVague(d *doc.Document, k *doc.LinkText) *Problem {
	if k.IsExplained(d.Source()) {
		return nil
	}
	return &Problem{Rule: rule.VagueText, Message: fmt.Sprintf("the text %q does not say what it links to", k.Text)}
}

// JudgeTitle checks the text of ref, a link of d to another page. The text is wrong if it is the title of a
// third page alone, which is no farther away, and neither the reference nor the page that it links to has
// such a name. A section may stand for its first page.
func (a *Judge) JudgeTitle(d, to *doc.Document, ref string, k *doc.LinkText) *Problem {
	all := a.Titles.all.Get(a.allTitles)
	other := all[siteTitle{d.Layout.Generated, a.Boundary(d), k.Text}]
	switch {
	case other == "" || other == d.Path || isCounterpart(other, to.Path) || common(other, d.Path) < common(to.Path, d.Path):
		return nil
	case publish.IsIndex(path.Base(other)) && strings.HasPrefix(to.Path, path.Dir(other)+"/"):
		return nil
	case hasWords(ref, k.Text) || len(a.namesOf(to).titles) == 0 || a.namesOf(to).has(k.Text) || k.IsExplained(d.Source()):
		return nil
	}
	return &Problem{
		Rule: rule.SameTarget, Target: to.Path,
		Message: fmt.Sprintf("the text is the title of %q, but links to %q", a.Shown(other), a.Shown(to.Path)),
	}
}

// isCounterpart reports whether two files are the same page, possibly in two versions or languages, by their names.
func isCounterpart(p, other string) bool {
	if publish.IsIndex(path.Base(p)) && publish.IsIndex(path.Base(other)) {
		p, other = path.Dir(p), path.Dir(other)
	}
	return path.Base(p) == path.Base(other)
}

// hasWords reports whether a reference has all words of a text.
func hasWords(ref, text string) bool {
	ref = site.BareName(ref)
	for word := range strings.FieldsSeq(text) {
		if !strings.Contains(ref, site.BareName(word)[1:]) {
			return false
		}
	}
	return true
}

// common returns the length of the longest directory that holds two files.
func common(p, other string) int {
	last := 0
	for i := 0; i < min(len(p), len(other)) && p[i] == other[i]; i++ {
		if p[i] == '/' {
			last = i
		}
	}
	return last
}

// HasSameNames reports whether links to two documents, or two states of one, may have the same texts.
func (a *Judge) HasSameNames(d, other *doc.Document) bool {
	x, y := namesOf(d), namesOf(other)
	return slices.Equal(x.titles, y.titles) && slices.Equal(x.others, y.others)
}

// allTitles returns the paths of the documents by their titles. Titles of several documents of a site have none.
func (a *Judge) allTitles() map[siteTitle]string {
	all := map[siteTitle]string{}
	for _, d := range a.Docs {
		for _, title := range namesOf(d).titles {
			if !doc.IsLikeTitle(title) {
				continue
			}
			key := siteTitle{d.Layout.Generated, a.Boundary(d), title}
			if p, isKnown := all[key]; isKnown && p != d.Path {
				all[key] = ""
			} else {
				all[key] = d.Path
			}
		}
	}
	return all
}

// namesOf returns the names of a document, which many links of others ask for, in lower case.
func (a *Judge) namesOf(d *doc.Document) pageNames {
	return a.Titles.of.Get(d.Path, func(string) pageNames { return namesOf(d).lower() })
}

// maxFront limits how many bytes of a document are read for its titles.
const maxFront = 64 << 10

// elements matches the title of an HTML document, and its main heading.
var elements = lazy.New(`(?is)<(?:title|h1)(?:\s[^>]*)?>(.{1,400}?)</(?:title|h1)>`)

// namesOf reads the names of d.
func namesOf(d *doc.Document) (names pageNames) {
	text := d.Head()
	text = text[:min(len(text), maxFront)]
	if d.IsDrawing() { // its titles are of its parts
		return names
	}
	if d.IsHTML() {
		for _, m := range elements.FindAllSubmatch(text, -1) {
			names.titles = append(names.titles, doc.ShownText(string(m[1])))
		}
		return names
	}
	front := source.FrontMatter(text)
	for key, value := range front.Members() {
		switch name := doc.ShownText(value.Or("")); {
		case key == "title":
			names.titles = append(names.titles, name)
		case doc.IsLikeTitle(name) && len(names.others) < mostNames:
			names.others = append(names.others, name)
		}
	}
	isFirst := true
	for _, k := range d.AnchorList() {
		switch {
		case k.Heading == nil:
			continue
		case !isFirst && len(names.others) >= mostNames:
			return names
		}
		name := doc.ShownText(k.Heading.Text)
		if isFirst && (!d.IsMarkdown() || isTopHeading(text, k.Line)) {
			names.titles = append(names.titles, name)
		} else if doc.IsLikeTitle(name) {
			names.others = append(names.others, name)
		}
		isFirst = false
	}
	return names
}

// isTopHeading reports whether a line is a heading of level 1 of Markdown.
func isTopHeading(text []byte, line int) bool {
	n, isUnder := 0, false
	for s := range bytes.Lines(text) {
		switch n++; {
		case isUnder:
			return len(s) > 0 && s[0] == '='
		case n == line && bytes.HasPrefix(s, []byte("# ")):
			return true
		case n == line:
			isUnder = true
		}
	}
	return false
}
