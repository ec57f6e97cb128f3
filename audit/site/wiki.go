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

// byWiki resolves a link of Markdown as a wiki name: it may be relative to the file, to the
// vault, or the end of a path.
func byWiki(s *Site, r *reference) []candidate {
	if res := s.Wiki(r.use, r.path); res.State == Found {
		c := fileCandidate(res.File)
		c.isAsset = true
		return []candidate{c}
	}
	return []candidate{fileCandidate(path.Join(r.dir(), r.path))}
}

// isVault reports whether s is a vault: a generator that publishes its notes goes before it.
func (s *Site) isVault() bool { return s.Generator == "Obsidian" }

// Wiki says where the name in a wiki link leads, without its heading: the path of a file
// from the root of the sources or relative to the file that uses it, or the end of one, with
// ".md" or without, in any case of letters. Of several files, the one that is nearest to the
// root counts, and of these the first by its path.
func (s *Site) Wiki(u Use, name string) Result {
	s.load()
	if s.wikiFiles == nil {
		s.indexWiki()
	}
	res := Result{State: Missing, Tried: []Candidate{{Name: name}}}
	name = wikiKey(name)
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		m := s.mountOf(u.File)
		if m == nil {
			return Result{State: Unknown, Why: "relative to a file that is no page"}
		}
		dir := wikiKey(strings.TrimPrefix(path.Dir(u.File), m.Dir))
		name = path.Join("/", dir, name)
	}
	name = path.Join("/", name)
	best := ""
	for _, end := range []string{name, name + ".md"} {
		files := s.wikiFiles[path.Base(end)]
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

// maxSameName is how many files of one name are looked at for a wiki link.
const maxSameName = 1000

// A wikiFile is one that a wiki name may stand for: key is that of its path below its mount,
// with a slash in front.
type wikiFile struct{ path, key string }

// wikiKey returns what names are compared by.
func wikiKey(name string) string { return norm.NFC.String(strings.ToLower(name)) }

func (s *Site) indexWiki() {
	s.wikiFiles = map[string][]wikiFile{}
	for _, m := range s.Mounts {
		if m.Kind != Pages {
			continue
		}
		s.tree.files(m.Dir, s.skips, func(rel string) {
			if file := m.Dir + "/" + rel; s.mountOf(file) == m {
				key := wikiKey(path.Base(rel))
				s.wikiFiles[key] = append(s.wikiFiles[key], wikiFile{file, "/" + wikiKey(rel)})
			}
		})
	}
}
