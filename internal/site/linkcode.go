package site

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"

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
			sources, isLost := builtPlugins(s)
			files = append(files, sources...)
			if isLost {
				names = map[string]bool{}
			}
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

// pluginList matches the beginning of a list of plugins that change the documents of a site.
var pluginList = lazy.New(`\b(?:remark|rehype)Plugins\b`)

// builtPlugins returns the sources of the plugins that the configuration imports from the output of a build, which is not
// in the tree. isLost says that there is a plugin without a known source.
func builtPlugins(s *Site) (sources []string, isLost bool) {
	text := s.Tree.Config(s.Config)
	list := pluginList.Compiled().FindIndex(text)
	if list == nil {
		return nil, false
	}
	used := map[string]bool{}
	for name := range bytes.FieldsFuncSeq(text[list[1]:], func(c rune) bool { return !isOfName(c) }) {
		used[string(name)] = true
	}
	for _, e := range s.Tree.ReadFile(s.Config).Names.Entries {
		name, _, ok := e.Value.Import()
		if !ok || !used[e.Key] || !strings.HasPrefix(name, ".") || s.Tree.ModuleFile(path.Join(path.Dir(s.Config), name)) != "" {
			continue
		}
		file := sourceOfBuilt(s, name)
		if file == "" {
			isLost = true
			continue
		}
		sources = append(sources, file)
	}
	return sources, isLost
}

// isOfName reports whether c may be part of a name in JavaScript.
func isOfName(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || c == '$'
}

// sourceOfBuilt returns the file of which a build makes a module: src/x.ts for ./dist/x.js. It is "" if there is none.
func sourceOfBuilt(s *Site, module string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(path.Clean(module), "./"), "/")
	for _, dir := range []string{"src", ""} {
		if file := s.Tree.ModuleFile(path.Join(path.Dir(s.Config), dir, rest)); rest != "" && file != "" {
			return file
		}
	}
	return ""
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
