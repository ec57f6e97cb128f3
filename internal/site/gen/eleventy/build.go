package eleventy

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// inputOption matches the directory that a command passes to Eleventy, which overrides the configuration.
var inputOption = lazy.New(`\beleventy\b[^"&|;\n]*?\s--input[= ](?:\\")?\.?/?([\w][\w./-]*)`)

// scriptInput returns the directory of sources that the scripts in package.json pass to Eleventy, or
// "".
func scriptInput(d *source.Dir) string {
	if m := inputOption.FindStringSubmatch(string(d.Tree.Config(d.In("package.json")))); m != nil {
		return strings.Trim(m[1], "/")
	}
	return ""
}

// buildFiles are the files that say what else a build copies.
var buildFiles = []string{
	"gulpfile.js", "gulpfile.mjs", "gulpfile.cjs", "gulpfile.ts", "gulpfile.babel.js", "package.json", "Makefile", "Gruntfile.js", "webpack.config.js", "vite.config.js",
}

// assets adds the directories of the sources that other programs of the build copy to the same place of
// the output: a build file names both "src/img" and "dist/img".
func (g *model) assets(d *source.Dir, s *site.Site, output string) {
	input := strings.TrimPrefix(strings.TrimPrefix(g.input, d.Path), "/")
	if input == "" || output == "" {
		return
	}
	for _, name := range buildFiles {
		g.build += string(d.Tree.Config(d.In(name)))
	}
	l := d.Tree.List(g.input)
	for _, name := range source.SortedKeys(l) {
		dir := g.input + "/" + name
		if !l[name].IsDir() || name[0] == '_' || name[0] == '.' || g.isMounted(s, dir) {
			continue
		}
		if g.namesPath(path.Join(input, name)) && g.namesPath(path.Join(output, name)) && g.holdsAssets(s, dir) {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/" + name + "/", Kind: site.Static})
			g.assetDirs = append(g.assetDirs, "/"+name+"/")
		}
	}
}

func (g *model) isMounted(s *site.Site, dir string) bool {
	return slices.ContainsFunc(s.Mounts, func(m *site.Mount) bool { return m.Dir == dir })
}

// namesPath reports whether a build file names a path.
func (g *model) namesPath(p string) bool {
	for rest := g.build; ; {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		before, after := byte(' '), byte(' ')
		if i > 0 {
			before = rest[i-1]
		}
		rest = rest[i+len(p):]
		if rest != "" {
			after = rest[0]
		}
		if strings.IndexByte("\"'` /=:", before) >= 0 && strings.IndexByte("\"'` /,;", after) >= 0 {
			return true
		}
	}
}

// holdsAssets reports whether a directory holds pictures, and no pages.
func (g *model) holdsAssets(s *site.Site, dir string) bool {
	pictures, pages := 0, 0
	s.Tree.Files(dir, s.Skips, func(rel string) {
		switch {
		case s.IsDocument(rel):
			pages++
		case site.IsAssetSuffix(path.Ext(rel)):
			pictures++
		}
	})
	return pictures > 0 && pages == 0
}

// isAssetMade reports whether a program of the build may make a file below one of assetDirs: a build
// file names it, or the sources hold no file with its suffix.
func (g *model) isAssetMade(s *site.Site, u string) bool {
	for _, dir := range g.assetDirs {
		rest, ok := strings.CutPrefix(u, dir)
		if !ok {
			continue
		}
		ext := path.Ext(rest)
		if ext == "" || strings.Contains(g.build, path.Base(rest)) {
			return true
		}
		has := false
		s.Tree.Files(g.input+dir[:len(dir)-1], s.Skips, func(rel string) { has = has || path.Ext(rel) == ext })
		return !has
	}
	return false
}

// minifier matches names of functions that make a finished page smaller, or format it.
var minifier = lazy.New(`(?i)minif|prettier|beautif|prettify`)

// onlyFormats reports whether a transform formats pages, and does not change the targets of their
// references.
func (g *model) onlyFormats(s *site.Site, call source.Value) bool {
	if g.text == nil {
		g.text = s.Tree.Config(s.Config)
	}
	if call.Span.End == 0 || call.Span.End > len(g.text) || call.Span.Start >= call.Span.End {
		return false
	}
	text := string(g.text[call.Span.Start:call.Span.End])
	return minifier.MatchString(text) && !strings.Contains(text, "href") && !strings.Contains(text, "replace(")
}

// routelessPlugins are plugins of Eleventy that make no pages.
var routelessPlugins = strings.Fields(`rss syntaxhighlight navigation toc img image render bundle directory-output vite i18n webc htmlbase idattribute
	inputpath sprite reading-time footnote upgrade syntax highlight plugintoc mermaid svg icon font embed time prism katex markdown anchor emoji feed`)

// isRouteless reports whether a plugin is known to make no pages. The effects of the project's own plugins
// are seen in their calls.
func isRouteless(from, export string) bool {
	if strings.HasPrefix(from, ".") {
		return true
	}
	name := strings.ToLower(from + " " + export)
	return slices.ContainsFunc(routelessPlugins, func(part string) bool { return strings.Contains(name, part) })
}

// quotedURL matches a string that may be a URL of the site.
var quotedURL = lazy.New("[\"'`](/[\\w][\\w./-]*)[\"'`]")

// scripts adds the pages of templates that are scripts, at their own URLs and at those that they name,
// and the URLs that functions of the configuration give to pages.
func (g *model) scripts(s *site.Site) {
	var texts [][]byte
	s.Tree.Files(g.input, s.Skips, func(rel string) {
		stem, ext, isScript := strings.Cut(rel, ".11ty.")
		if !isScript || strings.Contains(ext, ".") || s.MountOf(g.input+"/"+rel) == nil || s.MountOf(g.input+"/"+rel).Kind != site.Pages {
			return
		}
		s.AddRoute(strings.TrimSuffix("/"+stem+"/", "index/"))
		texts = append(texts, s.Tree.Text(g.input+"/"+rel, source.MaxConfig))
	})
	if g.changesURLs {
		texts = append(texts, s.Tree.Config(s.Config))
		for _, e := range s.Tree.ReadFile(s.Config).Names.Entries {
			if name, _, ok := e.Value.Import(); ok && strings.HasPrefix(name, ".") {
				texts = append(texts, s.Tree.Config(s.Tree.ModuleFile(path.Join(path.Dir(s.Config), name))))
			}
		}
	}
	for _, text := range texts {
		for _, m := range quotedURL.FindAllSubmatch(text, -1) {
			s.AddRoute(string(m[1]))
		}
	}
}

// isPaginated reports whether a template makes several pages: its front matter or the data of a directory
// sets pagination. A value that a script computes counts if the script names the key, not if it may come
// from elsewhere.
func (g *model) isPaginated(p *site.Page) bool {
	v := g.fromCascade(p, "pagination")
	switch {
	case v.IsUnknown():
		for dir := path.Dir(p.File); source.Below(dir, g.input); dir = path.Dir(dir) {
			if g.namesPagination(dir + "/" + path.Base(dir)) {
				return true
			}
		}
		return g.namesPagination(slash.Stem(p.File))
	case v.IsGiven():
		return true
	}
	return g.isPaginatedByScript(p)
}

// namesPagination reports whether a script that computes data names the key.
func (g *model) namesPagination(stem string) bool {
	return bytes.Contains(g.tree.Text(g.dataFile(stem), source.MaxPage), []byte("pagination"))
}

// isPaginatedByScript reports whether the front matter of a page is a script that sets pagination.
func (g *model) isPaginatedByScript(p *site.Page) bool {
	text := g.tree.Text(p.File, site.MaxFront)
	if !bytes.HasPrefix(text, []byte("---js")) && !bytes.HasPrefix(text, []byte("--- js")) {
		return false
	}
	front, _, ok := bytes.Cut(text[3:], []byte("\n---"))
	return ok && bytes.Contains(front, []byte("pagination"))
}

// stringAssignment matches a variable of a template that is set to a string, or to one with something
// appended.
var stringAssignment = lazy.New(`\b(?:assign|set)\s+([\w-]+)\s*=\s*["']([^"'\n]*)["']([^%\n]*)`)

// plainVariable matches an id that is the value of a variable.
var plainVariable = lazy.New(`^\{\{-?\s*([\w-]+)\s*-?\}\}$`)

// otherVariable matches code that sets variables to something that is not a string: a loop, a macro, or the
// assignment of a value.
var otherVariable = lazy.New(`\b(?:for|assign|set|capture|macro)\s+([^=%\n]*?)(?:\s+in\s|\s*=\s*[^%\n]*|\s*%)`)

// stringArgument matches a string that is passed to a template.
var stringArgument = lazy.New(`([\w-]+)\s*[:=]\s*(?:"([^"\n]*)"|'([^'\n]*)')`)

// valuesOf returns the ids that a variable of the templates of a page may have as its value. texts are
// those of the page, of its layouts, and of the files that they include. A variable that nothing sets has
// none.
func (g *model) valuesOf(p *site.Page, name string, texts [][]byte) (ids idsOfPart) {
	if p != nil {
		switch v := g.fromCascade(p, name); {
		case v.Or("") != "":
			ids.addPlain(v.Or(""))
		case v.IsGiven():
			ids.isOpen = true
		}
	}
	for _, text := range texts {
		if !bytes.Contains(text, []byte(name)) {
			continue
		}
		for _, m := range otherVariable.FindAllSubmatch(text, -1) {
			words := strings.FieldsFunc(string(m[1]), func(r rune) bool { return strings.ContainsRune(" ,()", r) })
			if slices.Contains(words, name) && !stringAssignment.Match(m[0]) {
				ids.isOpen = true
			}
		}
		for _, m := range stringAssignment.FindAllSubmatch(text, -1) {
			if string(m[1]) == name {
				ids.addValue(string(m[2]), strings.Trim(string(m[3]), "- "))
			}
		}
		for _, m := range stringArgument.FindAllSubmatch(text, -1) {
			if string(m[1]) == name {
				ids.addPlain(string(m[2]) + string(m[3]))
			}
		}
	}
	return ids
}

// addValue adds an id that is a text, or a text with something appended.
func (all *idsOfPart) addValue(text, rest string) {
	re := prefixed(text)
	switch {
	case rest == "":
		all.addPlain(text)
	case re != nil:
		all.patterns = append(all.patterns, re)
	default:
		all.isOpen = true
	}
}
