package audit

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/audit/site"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

const (
	minAdopted   = 10  // references to pages of a site that are needed to place a directory
	maxAdoptions = 16  // candidate places for a directory
	maxStrays    = 500 // references of a directory that are examined
)

// An adoption records that the documents of a directory outside any site are published in a
// directory of a site. In names, "*" stands for a directory of any name.
type adoption struct {
	site  *site.Site
	names []string
}

// url returns the URL that a relative path leads to from the directory. outside is true if that is
// above the root of the site, or below an unknown directory.
func (b *adoption) url(ref string) (u string, outside bool) {
	names := b.names
	for name := range strings.SplitSeq(ref, "/") {
		switch {
		case name == ".." && len(names) == 0:
			return "", true
		case name == "..":
			names = names[:len(names)-1]
		case name != "" && name != ".":
			names = append(names[:len(names):len(names)], name)
		}
	}
	u = strings.TrimSuffix(b.site.Base, "/") + "/" + strings.Join(names, "/")
	return u, strings.Contains(u, "*/")
}

// adopt finds where the documents of directories outside any site are published. It infers this
// from their references to pages, whose paths strays holds by directory.
func (a *auditor) adopt(strays map[string][]string) {
	a.adopted = map[string]*adoption{}
	for dir, refs := range strays {
		if len(refs) < minAdopted {
			continue
		}
		var best *adoption
		most, least := 0, 0
		for _, b := range a.adoptions(refs) {
			found, missing := 0, 0
			for _, ref := range refs {
				u, outside := b.url(ref)
				switch {
				case outside:
				case b.site.At(u).State == site.Found:
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
			a.adopted[dir] = best
		}
	}
}

// adoptions returns the places that individual references suggest, up to maxAdoptions.
func (a *auditor) adoptions(refs []string) (all []*adoption) {
	seen := map[string]bool{}
	for _, ref := range refs {
		up := 0
		rest := path.Clean(ref)
		for strings.HasPrefix(rest, "../") {
			rest, up = rest[3:], up+1
		}
		for _, s := range a.layouts.finder.Sites() {
			for _, u := range s.Ending(rest) {
				names := strings.FieldsFunc(strings.TrimSuffix(u, rest), func(r rune) bool { return r == '/' })
				for range up {
					names = append(names, "*")
				}
				if key := s.Config + "\n" + strings.Join(names, "/"); !seen[key] {
					seen[key] = true
					all = append(all, &adoption{s, names})
				}
				if len(all) == maxAdoptions {
					return all
				}
			}
		}
	}
	return all
}

// judgeAdopted judges a reference in a document that is part of no site, but whose directory is
// known to be published in one. ok is false if the reference must be judged in another way.
func (a *auditor) judgeAdopted(d *document, k *reference, t *target) (ok bool) {
	b := a.adopted[d.dir()]
	if b == nil || !isStrayRef(k) {
		return false
	}
	u, outside := b.url(ascii.UnescapeAll(k.ref[:pathLength(k.ref)]))
	if outside || a.isInOtherSite(b.site, u) {
		return false
	}
	switch res := b.site.At(u); {
	case res.State == site.Unknown:
		return false
	case res.State == site.Found && res.File != "":
		a.judgeFragment(d, k, t, a.realOf(res.File))
	case res.State == site.Missing:
		a.reportReference(d, k, problem{
			rule: missingRule(k), cause: u,
			message: fmt.Sprintf("the site of %s has no page at %s, which is where this leads, like the other references in %s", a.quoted(b.site.Config), strconv.Quote(u), a.quoted(d.dir())),
		})
	}
	return true
}

// isInOtherSite reports whether a URL of a site is in a directory that belongs to another site.
func (a *auditor) isInOtherSite(s *site.Site, u string) bool {
	at := path.Join(s.Dir, strings.TrimPrefix(u, strings.TrimSuffix(s.Base, "/")))
	return slices.ContainsFunc(a.layouts.finder.Sites(), func(o *site.Site) bool { return len(o.Dir) > len(s.Dir) && below(at, o.Dir) })
}

// isStrayRef reports whether a reference is relative and leads to a page, judging by ".html".
func isStrayRef(k *reference) bool {
	return k.err == nil && k.result.Step != resolve.Absolute && !strings.HasPrefix(k.ref, "/") && path.Ext(k.ref[:pathLength(k.ref)]) == ".html"
}
