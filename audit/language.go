package audit

import (
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
)

// languageName matches the name of a directory for one language: "de", "zh-cn", "pt_BR".
var languageName = lazy.New(`^[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?$`)

// maxTranslations limits how many translations of a document are examined.
const maxTranslations = 8

// translations returns the paths of d in other languages. It uses the routes of the site, and
// directories beside one whose name is a language.
func (a *auditor) translations(d *document) (files []string) {
	if s := d.layout.generated; s != nil {
		files = s.Translations(d.path)
	}
	top := a.boundary(d)
	for dir := d.dir(); below(dir, top) && dir != top && path.Dir(dir) != dir; dir = path.Dir(dir) {
		if !languageName.MatchString(path.Base(dir)) {
			continue
		}
		rest := strings.TrimPrefix(d.path, dir)
		for _, name := range slices.Sorted(maps.Keys(a.files.list(path.Dir(dir)).names)) {
			if name == path.Base(dir) || !languageName.MatchString(name) {
				continue
			}
			file := path.Dir(dir) + "/" + name + rest
			if l := a.files.list(path.Dir(file)); l != nil {
				if typ, ok := l.entry(path.Base(file)); ok && !typ.IsDir() && !slices.Contains(files, file) {
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

// inOtherLanguage returns the translation of to that has an id, or nil. same is the id at the same
// place in to, or "" if the two documents have different numbers of headings.
func (a *auditor) inOtherLanguage(to *document, id string) (other *document, same string) {
	if !to.isMarkdown() {
		return nil, ""
	}
	for _, file := range a.translations(to) {
		other := a.document(file)
		if other == nil || other == to || !other.hasAllIDs() {
			continue
		}
		there := other.idsOf(other.layout.slug)
		at := there.find(id)
		if at < 0 {
			continue
		}
		if here := to.idsOf(to.layout.slug); here.len() == there.len() {
			same = here.at(at)
		}
		return other, same
	}
	return nil, ""
}
