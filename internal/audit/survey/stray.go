package survey

import (
	"path"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/site"
)

const minAdopted = 10 // references to pages of a site that are needed to place a directory

const maxAdoptions = 16 // candidate places for a directory

const maxStrays = 500 // references of a directory that are examined

// stray counts the references of documents outside any site that lead to pages of a site, by directory. From them it infers
// where directories are published.
type stray struct {
	*Surveyor
	strays map[string][]string // paths of such references, by directory
}

func (l *stray) takes(d *doc.Document) bool { return isPlain(d) }

func (l *stray) see(d *doc.Document, k *doc.Reference) {
	if !strings.Contains(k.Ref, ".html") || strings.HasPrefix(k.Ref, "/") {
		return
	}
	t, ok := l.Aim(d, k)
	if !ok || !t.Inside {
		return
	}
	p := l.Find(d, k, &t)
	if p.Kind != tree.IsMissing {
		return
	}
	if lead.IsStrayRef(k) && len(l.strays[d.Dir()]) < maxStrays {
		l.strays[d.Dir()] = append(l.strays[d.Dir()], ascii.UnescapeAll(k.Ref[:lead.PathLength(k.Ref)]))
	}
	if l.IsStray(d, &t, &p) {
		l.Stray[d.Dir()]++
	}
}

func (l *stray) learn() {
	l.Adopted = map[string]*publish.Adoption{}
	for dir, refs := range l.strays {
		if len(refs) < minAdopted {
			continue
		}
		var best *publish.Adoption
		most, least := 0, 0
		for _, b := range l.adoptions(refs) {
			found, missing := 0, 0
			for _, ref := range refs {
				u, outside := b.Url(ref)
				switch {
				case outside:
				case b.Site.At(u).State == site.Found:
					found++
				default:
					missing++
				}
			}
			if found > most || found == most && missing < least {
				best, most, least = b, found, missing
			}
		}
		if most >= minAdopted && least*4 <= most {
			l.Adopted[dir] = best
		}
	}
}

// adoptions returns the places that individual references suggest, up to maxAdoptions.
func (a *Surveyor) adoptions(refs []string) (all []*publish.Adoption) {
	seen := map[string]bool{}
	for _, ref := range refs {
		up := 0
		rest := path.Clean(ref)
		for strings.HasPrefix(rest, "../") {
			rest, up = rest[3:], up+1
		}
		for _, s := range a.Layouts.Finder.Sites() {
			for _, u := range s.Ending(rest) {
				names := strings.FieldsFunc(strings.TrimSuffix(u, rest), func(r rune) bool { return r == '/' })
				for range up {
					names = append(names, "*")
				}
				if key := s.Config + "\n" + strings.Join(names, "/"); !seen[key] {
					seen[key] = true
					all = append(all, &publish.Adoption{Site: s, Names: names})
				}
				if len(all) == maxAdoptions {
					return all
				}
			}
		}
	}
	return all
}
