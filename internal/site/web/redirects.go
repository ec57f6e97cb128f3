package web

import (
	"bytes"
	"path"
	"strings"
	"unicode"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// CodeRedirects are redirects that the code of a configuration makes, from URLs that are not known: most give former
// directories to the names of pages, and other names are in the code, or in data that it reads.
type CodeRedirects struct {
	names lazy.Value[map[string]bool] // of pages, and those in code and data; nil until needed
}

// DecidedBy returns the configuration if its code may redirect from a URL below the base, or "".
func (r *CodeRedirects) DecidedBy(s *site.Site, u string) string {
	name := path.Base(u)
	if name == "/" || !r.names.Get(func() map[string]bool { return redirectNames(s) })[name] {
		return ""
	}
	return path.Base(s.Config)
}

// dataFile matches the name of a file of data in code.
var dataFile = lazy.New(`['"]([\w./-]*(?:\.json|\.ya?ml|\.toml|\b_redirects))['"]`)

// maxData is the number of files of data whose names are read.
const maxData = 20

// redirectNames returns the names in URLs from which the code of the configuration of s may redirect.
func redirectNames(s *site.Site) map[string]bool {
	all := map[string]bool{}
	for at := range s.ByURL {
		all[path.Base(at)] = true
	}
	add := func(text []byte) {
		for name := range bytes.FieldsFuncSeq(text, endsName) {
			all[string(name)] = true
		}
	}
	n := 0
	for _, code := range s.Tree.Code(s.Config) {
		add(code)
		for _, m := range dataFile.FindAllSubmatch(code, maxData) {
			file := path.Join(path.Dir(s.Config), string(m[1]))
			if n < maxData && s.Tree.IsFile(file) {
				n++
				add(s.Tree.Config(file))
			}
		}
	}
	return all
}

// endsName reports whether c is not part of a name in a URL path.
func endsName(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_.~%", c)
}
