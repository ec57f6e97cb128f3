package site

import (
	"path"
	"strings"

	"example.org/refract/internal/reason"
	"golang.org/x/text/unicode/norm"
)

// Wiki returns the target of the name in a wiki link, without its heading. The name is the path of a file,
// from the root of the sources or relative to the file that uses it, or the end of such a path. It may omit
// ".md", and case is ignored.
//
// Of several files, the one that shares most directories with the file that uses the name counts. A vault
// may be one of several in the tree, such as those of languages. Of these it is the one nearest to the
// root, and then the first by path.
func (s *Site) Wiki(u Use, name string) Result {
	s.Load()
	if s.wikiReader != nil {
		return s.wikiReader.Wiki(s, u, name)
	}
	wikiFiles := s.wikiFiles.Get(s.indexWiki)
	res := Result{State: Missing, Tried: []Candidate{{Name: name}}}
	name = WikiKey(name)
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		m := s.MountOf(u.File)
		if m == nil {
			return Result{State: Unknown, Why: relativeToNoPage}
		}
		dir := WikiKey(strings.TrimPrefix(path.Dir(u.File), m.Dir))
		name = path.Join("/", dir, name)
	}
	name = path.Join("/", name)
	from := ""
	if m := s.MountOf(u.File); m != nil {
		from = WikiKey(strings.TrimPrefix(u.File, m.Dir))
	}
	best, bestShared := "", 0
	for _, end := range []string{name, name + ".md"} {
		files := wikiFiles[path.Base(end)]
		if len(files) > maxSameName {
			return Result{State: Unknown, Why: tooManyFiles}
		}
		for _, file := range files {
			if !strings.HasSuffix(file.key, end) {
				continue
			}
			shared := sharedDirs(from, file.key)
			if best == "" || shared > bestShared || shared == bestShared && strings.Count(file.key, "/") < strings.Count(best, "/") {
				best, bestShared, res.State, res.File = file.key, shared, Found, file.path
			}
		}
	}
	res.Page = s.ByFile[res.File]
	return res
}

// sharedDirs returns the number of directories at the start of two paths that are the same.
func sharedDirs(a, b string) (n int) {
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// maxSameName limits how many files with one name are examined for a wiki link.
const maxSameName = 1000

// A wikiFile is a file that a wiki name may mean. key is the WikiKey of its path below its mount, with
// a leading slash.
type wikiFile struct{ path, key string }

// WikiKey returns the form of a name in which names are compared.
func WikiKey(name string) string { return norm.NFC.String(strings.ToLower(name)) }

func (s *Site) indexWiki() map[string][]wikiFile {
	all := map[string][]wikiFile{}
	for _, m := range s.Mounts {
		if m.Kind != Pages {
			continue
		}
		s.Tree.Files(m.Dir, s.Skips, func(rel string) {
			if file := m.Dir + "/" + rel; s.MountOf(file) == m {
				key := WikiKey(path.Base(rel))
				all[key] = append(all[key], wikiFile{file, "/" + WikiKey(rel)})
			}
		})
	}
	return all
}

// Reasons.
var (
	relativeToNoPage = reason.New(reason.Unpublished, "relative-to-no-page", "relative to a file that is not a page")
	tooManyFiles     = reason.New(reason.Base, "too-many-files", "too many files have the name")
)
