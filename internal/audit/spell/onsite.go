package spell

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/site"
	"example.org/refract/resolve"
)

// fixOnSite is mend for a reference that points nowhere on the site.
func (a *Speller) fixOnSite(d *doc.Document, ref *doc.Reference, l *lead.Landing, p *judge.Problem) {
	res := &l.Result
	if res.Other != "" {
		p.Suggestion = a.SpelledOnSite(d, ref, l.Use, res.Other)
		p.Certain = a.fixes(d, ref, p.Suggestion, res.Other) && !(res.Case && a.IsOneOfTwins(d, res.Other))
		return
	}
	near := p.Target
	if near == "" && d.IsRST() && len(res.Tried) > 0 && l.Use.Page.Mount != nil { // a document name
		near = path.Join(l.Use.Page.Mount.Dir, res.Tried[0].Name) + path.Ext(l.Use.Page.File)
	}
	p.Suggestion, p.Certain = a.nearestOnSite(d, ref, l.Use, near)
}

// nearestOnSite returns the reference that a broken one may have meant, and whether that is certain. It
// links to the only file of that name, or to one beside it with another suffix.
func (a *Speller) nearestOnSite(d *doc.Document, ref *doc.Reference, u site.Use, file string) (string, bool) {
	c := resolve.Parse([]byte(ref.Ref))
	name := path.Base(strings.TrimSuffix(string(c.Path), "/"))
	if name == "." || name == ".." || name == "/" || publish.IsIndex(name) {
		return "", false
	}
	names := []string{name}
	if path.Ext(name) == "" || path.Ext(name) == ".html" {
		stem := strings.TrimSuffix(name, ".html")
		names = []string{stem + ".md", stem + ".mdx"}
		if d.IsRST() {
			names = append(names, stem+path.Ext(u.Page.File))
		}
	}
	if file != "" {
		if other, ok := a.Files.List(path.Dir(file)).SameStem(path.Base(file)); ok {
			to := path.Dir(file) + "/" + other
			if s := a.SpelledOnSite(d, ref, u, to); s != "" && isSameContent(ref, path.Base(file), other) {
				return s, len(a.ByName[path.Base(file)]) == 0 && !a.isContested(d, ref, file, to) && a.fixes(d, ref, s, to)
			}
		}
	}
	for _, name := range names {
		paths := inLanguageOf(d.Layout.Generated, u.Page, string(c.Path), a.ByName[name])
		if len(paths) != 1 || paths[0] == d.Path || paths[0] == file {
			continue
		}
		s := a.SpelledOnSite(d, ref, u, paths[0])
		certain := file != "" && len(a.ByName[name]) == 1 && a.isWhereItWas(file, paths[0]) && !a.isContested(d, ref, file, paths[0]) && a.fixes(d, ref, s, paths[0])
		return s, certain
	}
	if file != "" {
		if to := a.mistyped(d, path.Dir(file), []string{path.Base(file)}); to != "" {
			return a.SpelledOnSite(d, ref, u, to), false
		}
	}
	return "", false
}

// maxEditions is the number of files of one name whose languages are compared.
const maxEditions = 100

// inLanguageOf returns the files without those that a site publishes in another language than a page, unless the path of
// the reference names that language. If none are left, it returns those of pages that are shown until they are translated.
func inLanguageOf(s *site.Site, page *site.Page, ref string, files []string) []string {
	if s == nil || page == nil || len(files) > maxEditions {
		return files
	}
	own := s.Language(page)
	var same, original []string
	for _, file := range files {
		lang := own
		if p := s.ByFile[file]; p != nil {
			lang = s.Language(p)
		}
		switch {
		case lang == own, lang != "" && slices.Contains(strings.Split(ref, "/"), lang):
			same = append(same, file)
		case lang == "" && slices.Contains(s.Langs, own):
			original = append(original, file)
		}
	}
	if len(same) > 0 {
		return same
	}
	return original
}
