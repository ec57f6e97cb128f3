package lead

import (
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/slash"
)

// languageName matches the name of a directory for one language: "de", "zh-cn", "pt_BR".
var languageName = lazy.New(`^[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?$`)

// maxTranslations limits how many translations of a document are examined.
const maxTranslations = 8

// translations returns the paths of d in other languages. It uses the routes of the site, and
// directories beside one whose name is a language.
func (a *Library) translations(d *doc.Document) (files []string) {
	if s := d.Layout.Generated; s != nil {
		files = s.Translations(d.Path)
	}
	top := a.Boundary(d)
	for dir := d.Dir(); tree.Below(dir, top) && dir != top && path.Dir(dir) != dir; dir = path.Dir(dir) {
		if !languageName.MatchString(path.Base(dir)) {
			continue
		}
		rest := strings.TrimPrefix(d.Path, dir)
		for _, name := range slices.Sorted(maps.Keys(a.Files.List(path.Dir(dir)).Names)) {
			if name == path.Base(dir) || !languageName.MatchString(name) {
				continue
			}
			file := path.Dir(dir) + "/" + name + rest
			if l := a.Files.List(path.Dir(file)); l != nil {
				if typ, ok := l.Entry(path.Base(file)); ok && !typ.IsDir() && !slices.Contains(files, file) {
					files = append(files, file)
				}
			}
			if len(files) >= maxTranslations {
				return files
			}
		}
	}
	return files[:min(len(files), maxTranslations)]
}

// InOtherLanguage returns the translation of to that has an id, or nil. same is the id at the same
// place in to, or "" if the two documents have different numbers of headings.
func (a *Library) InOtherLanguage(to *doc.Document, id string) (other *doc.Document, same string) {
	if !to.IsMarkdown() {
		return nil, ""
	}
	for _, file := range a.translations(to) {
		other := a.Document(file)
		if other == nil || other == to || !other.HasAllIDs() {
			continue
		}
		there := other.IDs()
		at := there.Find(id)
		if at < 0 {
			continue
		}
		if here := to.IDs(); here.Len() == there.Len() {
			same = here.At(at)
		}
		return other, same
	}
	return nil, ""
}

// InLanguageOf returns the version of to in the language that the name of d has, as that of x.en-US.md, or
// nil. It is nil if a supported generator publishes to: that one says what a link means.
func (a *Library) InLanguageOf(d, to *doc.Document) *doc.Document {
	language := path.Ext(slash.Stem(d.Path))
	if language == "" || to.Layout.Generated != nil || !languageName.MatchString(language[1:]) {
		return nil
	}
	return a.Document(slash.Stem(to.Path) + language + path.Ext(to.Path))
}
