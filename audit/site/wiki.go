package site

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
)

// findObsidian finds a vault: the directory that holds .obsidian.
func findObsidian(d *directory) []*Site {
	if !d.hasDir(".obsidian") {
		return nil
	}
	s := d.newSite("Obsidian", ".obsidian")
	s.Slug, s.Dialect = slug.GitHub, markdown.Obsidian
	s.isLoose = true // a fragment is the text of a heading
	s.Mounts = []*Mount{{Dir: d.dir, URL: "/", Kind: Pages}}
	s.suffixes = []string{".md"}
	s.copies = copyAll
	s.route = func(_ *Site, p *Page) { p.Routes = []string{"/" + strings.TrimSuffix(p.Rel, ".md")} }
	s.table[Markdown] = []step{byWiki}
	s.table[HTML] = []step{never}
	s.table[Component] = []step{never}
	return []*Site{s}
}

// byWiki resolves a Markdown link as a wiki name, which may be relative to the file or to the vault,
// or the end of a path.
func byWiki(s *Site, r *reference) []candidate {
	if res := s.Wiki(r.use, r.path); res.State == Found {
		c := fileCandidate(res.File)
		c.isAsset = true
		return []candidate{c}
	}
	return []candidate{fileCandidate(path.Join(r.dir(), r.path))}
}

// isVault reports whether s is a vault. A generator that publishes its notes takes precedence.
func (s *Site) isVault() bool { return s.Generator == "Obsidian" }

// Wiki returns where the name in a wiki link, without its heading, leads. The name is the path of a
// file, from the root of the sources or relative to the file that uses it, or the end of such a path.
// It may omit ".md", and case is ignored. Of several files, the one nearest to the root counts, and
// of these the first by path.
func (s *Site) Wiki(u Use, name string) Result {
	s.load()
	if s.wiki != nil {
		return s.wiki(s, u, name)
	}
	wikiFiles := s.wikiFiles.Get(s.indexWiki)
	res := Result{State: Missing, Tried: []Candidate{{Name: name}}}
	name = wikiKey(name)
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		m := s.mountOf(u.File)
		if m == nil {
			return Result{State: Unknown, Why: "relative to a file that is not a page"}
		}
		dir := wikiKey(strings.TrimPrefix(path.Dir(u.File), m.Dir))
		name = path.Join("/", dir, name)
	}
	name = path.Join("/", name)
	best := ""
	for _, end := range []string{name, name + ".md"} {
		files := wikiFiles[path.Base(end)]
		if len(files) > maxSameName {
			return Result{State: Unknown, Why: "too many files have the name"}
		}
		for _, file := range files {
			if !strings.HasSuffix(file.key, end) {
				continue
			}
			if depth := strings.Count(file.key, "/"); best == "" || depth < strings.Count(best, "/") {
				best, res.State, res.File = file.key, Found, file.path
			}
		}
	}
	res.Page = s.pages[res.File]
	return res
}

// maxSameName limits how many files with one name are examined for a wiki link.
const maxSameName = 1000

// A wikiFile is a file that a wiki name may mean. key is the wikiKey of its path below its mount, with
// a leading slash.
type wikiFile struct{ path, key string }

// wikiKey returns the form of a name in which names are compared.
func wikiKey(name string) string { return norm.NFC.String(strings.ToLower(name)) }

func (s *Site) indexWiki() map[string][]wikiFile {
	all := map[string][]wikiFile{}
	for _, m := range s.Mounts {
		if m.Kind != Pages {
			continue
		}
		s.tree.files(m.Dir, s.skips, func(rel string) {
			if file := m.Dir + "/" + rel; s.mountOf(file) == m {
				key := wikiKey(path.Base(rel))
				all[key] = append(all[key], wikiFile{file, "/" + wikiKey(rel)})
			}
		})
	}
	return all
}
