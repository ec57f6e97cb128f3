package mkdocs

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// includesMarkdown applies the plugin include-markdown to a site whose documents are in docs. Settings that
// change its tags, or which part of a file they include, are not known here.
func (m *model) includesMarkdown(s *site.Site, docs string) {
	o, ok := m.conf.Lookup("plugins").Named("include-markdown")
	isKnown := func(name string) bool {
		return slices.Contains([]string{"encoding", "heading_offset", "dedent", "comments", "preserve_includer_indent", "trailing_newlines", "rewrite_relative_urls", "order", "cache", "cache_dir"}, name)
	}
	if !ok || slices.ContainsFunc(o.Keys(), func(name string) bool { return !isKnown(name) }) {
		return
	}
	m.includes = docs
	for _, form := range []site.Form{site.Markdown, site.HTML} { // and Image and HTMLSource, which are like these
		s.Links[form] = append(slices.Clone(s.Steps(form)), inIncluded)
	}
}

// includeTag matches a tag that includes a file of Markdown.
var includeTag = lazy.New(`^\{%\s*include-markdown\s+(?:"([^"\\\n]+)"|'([^'\\\n]+)')((?s:.*?))%\}`)

// addIncluded adds the files that tags of the plugin include-markdown include in a file with a text. A name
// that begins with "./" or "../" is relative to the file, and any other to the documents. A pattern, a URL, a part of
// a file, and a file outside the documents may have any ids.
func (m *model) addIncluded(s *site.Site, parts *site.Parts, file string, text []byte) {
	if m.includes == "" || !bytes.Contains(text, []byte("include-markdown")) {
		return
	}
	for match := range source.MatchesAt(text, "{%", includeTag) {
		name, dir := string(match[1])+string(match[2]), m.includes
		if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
			dir = path.Dir(file)
		}
		included := path.Join(dir, name)
		isPart := bytes.Contains(match[3], []byte("start=")) || bytes.Contains(match[3], []byte("end="))
		if isPart || path.IsAbs(name) || !s.IsDocument(included) || !source.Below(included, m.includes) || !s.Tree.IsFile(included) {
			parts.IsOpen = true
			continue
		}
		parts.Files = append(parts.Files, included)
	}
}

// inIncluded returns the candidates for a reference in a file that a page in another directory includes. The
// plugin rewrites references relative to the file; what it makes of those in HTML is not known here.
func inIncluded(_ *site.Site, r *site.Reference) []site.Candidate {
	switch {
	case r.Path == "", r.IsRooted(), r.Dir() == r.PageDir():
		return nil
	case r.Form == site.HTML, r.Form == site.HTMLSource:
		return []site.Candidate{{Unknown: reason.CodeChangesLink}}
	}
	return []site.Candidate{site.FileCandidate(path.Join(r.Dir(), r.Path))}
}
