package site

import (
	"slices"
	"strings"
)

// Translations returns the sources of the same page in other languages.
func (s *Site) Translations(file string) (files []string) {
	s.Load()
	p := s.ByFile[file]
	if p == nil || len(p.Routes) == 0 || len(s.Langs) == 0 {
		return nil
	}
	rest := p.Routes[0]
	for _, lang := range append(slices.Clone(s.Langs), s.DefaultLang) {
		if below, ok := strings.CutPrefix(rest, "/"+lang+"/"); ok && lang != "" {
			rest = "/" + below
			break
		}
	}
	for _, lang := range append([]string{"", s.DefaultLang}, s.Langs...) {
		u := rest
		if lang != "" {
			u = "/" + lang + rest
		}
		if other := s.ByURL[u]; other != nil && other.File != "" && other != p && !slices.Contains(files, other.File) {
			files = append(files, other.File)
		}
	}
	return files
}
