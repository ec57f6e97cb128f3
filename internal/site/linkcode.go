package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// linkChange matches code that sets the target of a link of a document: in the trees of unified, in tokens
// of markdown-it, and in hooks of MkDocs that search texts for links.
var linkChange = lazy.New(`\.url\s*=[^=]|\.(?:properties\??\.)?href\s*=[^=>]|['"](?:href|src)['"]\]\s*=[^=]|attrSet\(\s*['"](?:href|src)['"]|\blink_open\b` +
	`|(?s)\bdef on_page_(?:markdown|content)\b.*?(?:\bhref\b|\]\\\(|\\\.md\b)`)

// linkMarks are such that each text that linkChange matches has one.
var linkMarks = []string{".url", "href", "src'", `src"`, "link_open", "on_page_"}

// linkCodeKey is the key of the code that changes the links of a site, for source.Memo.
type linkCodeKey string

// pathStart matches the beginning of a path in a string of code: 'api/', "/api".
var pathStart = lazy.New("['\"`](?:/([^\\s'\"`/]+)|([^\\s'\"`/]+)/)")

// linkCode returns the first names of the paths in the files that change links, of those that the
// configuration imports or names: see Settings.Hooks. It is nil if no file does.
func linkCode(s *Site) (names map[string]bool) {
	return source.Memo(s.Tree, linkCodeKey(s.Config), func() (names map[string]bool) {
		var files []string
		if slices.Contains(source.ScriptSuffixes, strings.TrimPrefix(path.Ext(s.Config), ".")) {
			files = s.Tree.CodeFiles(s.Config)[1:] // a configuration has keys and redirects of the same names
		}
		for _, file := range slices.Concat(files, s.Hooks) {
			text := s.Tree.Config(file)
			isChange := slices.ContainsFunc(linkMarks, func(mark string) bool { return bytes.Contains(text, []byte(mark)) })
			if !isChange || !linkChange.Match(text) {
				continue
			}
			if names == nil {
				names = map[string]bool{}
			}
			for _, m := range pathStart.Compiled().FindAllSubmatch(text, -1) {
				names[string(m[1])+string(m[2])] = true
			}
		}
		return names
	})
}

// mayChange reports whether a local plugin may rewrite a broken link of Markdown so that it works. There
// must be such code. The link could mean a page by its file, with or without its suffix, or below the base;
// or it points to a directory without documents, like a link that is relative to another repository; or the
// code names the first part of its path. Other links stay broken however they are rewritten.
func (s resolver) mayChange(r *Reference) bool {
	if r.Form != Markdown || r.Path == "" || r.Use.Page.Mount == nil {
		return false
	}
	named := linkCode(s.Site)
	if named == nil {
		return false
	}
	for _, file := range []string{r.FileIn(r.Use.Page.Mount.Dir), path.Join(r.Use.Page.Mount.Dir, r.Path), path.Join(s.Dir, r.Path)} {
		stem := file
		if s.IsDocument(file) { // x.md may become x/, which is the page of x.mdx
			stem = slash.Stem(file)
		}
		for _, ext := range append([]string{"", "/index.md", "/index.mdx"}, s.Suffixes...) {
			if p := s.ByFile[stem+ext]; p != nil && p.Why.IsZero() || ext == "" && s.Tree.IsFile(file) {
				return true
			}
		}
	}
	for _, c := range ByURLWithBase(s.Site, r) {
		if u, ok := s.CutBase(c.URL); ok {
			if _, ok := s.Lookup(u, false); ok {
				return true
			}
		}
	}
	if first, _, hasMore := strings.Cut(strings.TrimLeft(r.Path, "/"), "/"); hasMore && named[first] {
		return true
	}
	return !r.IsRooted() && !hasDocuments(s.Site, path.Dir(path.Join(r.Dir(), r.Path)))
}

// documentsKey is the key of whether a directory has documents of a site, for source.Memo.
type documentsKey struct{ config, dir string }

// hasDocuments reports whether there is a document in a directory itself.
func hasDocuments(s *Site, dir string) bool {
	return source.Memo(s.Tree, documentsKey{s.Config, dir}, func() bool {
		for name := range s.Tree.List(dir) {
			if s.IsDocument(name) {
				return true
			}
		}
		return false
	})
}

// changedByCode returns what a broken reference is if code may change it.
func (s resolver) changedByCode(r *Reference, res Result) Result {
	if s.mayChange(r) {
		return Result{State: Unknown, Why: reason.CodeChangesLink, Tried: res.Tried}
	}
	return s.missing(r, res)
}
