package built

import (
	"bytes"
	"path"
	"strings"
)

// A copyState says whether a build has a copy of a source.
type copyState uint8

const (
	noCopy copyState = iota // none to which the page has a link
	Same                    // it is the source as it is now
	Differs
)

// CopyOf compares a source, given its path and its text, with the copy of it that a page links to. Sphinx
// leaves such copies.
func (p *Page) CopyOf(file string, text func() []byte) copyState {
	name := path.Base(file)
	r := newResolver(p)
	for _, trace := range p.Traces {
		if strings.TrimSuffix(path.Base(trace), ".txt") != name {
			continue
		}
		at := r.lead([]byte(trace)).File
		if at == "" || isHTML(at) {
			continue
		}
		copied := p.Site.payload(at)
		switch {
		case copied == nil:
		case bytes.Equal(copied, text()):
			return Same
		default:
			return Differs
		}
	}
	return noCopy
}
