package survey

import (
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/site"
)

// beside counts, for each site, the references that lead above its root into another site of
// the repository: those that find something there, and those that do not.
type beside struct {
	*Surveyor
	has map[*site.Site]bool // whether a site has neighbours
}

func (l *beside) takes(d *doc.Document) bool {
	s := d.Layout.Generated
	if s == nil {
		return false
	}
	has, isKnown := l.has[s]
	if !isKnown {
		has = s.HasNeighbours()
		l.has[s] = has
	}
	return has
}

func (l *beside) see(d *doc.Document, k *doc.Reference) {
	if !strings.HasPrefix(k.Ref, "../") || k.Err != nil || doc.IsTemplate([]byte(k.Ref)) {
		return
	}
	at := l.Lead(d, k)
	if !at.Result.IsBeside {
		return
	}
	s := d.Layout.Generated
	c := l.Beside[s]
	if c == nil {
		c = new(publish.BesideCount)
		l.Beside[s] = c
	}
	if at.State == site.Found {
		c.Found++
	} else {
		c.Missing++
	}
}

func (l *beside) learn() {}
