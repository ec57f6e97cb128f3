package doc

import (
	"encoding/binary"
	"iter"
	"strings"

	"example.org/refract/extract/slug"
)

// Dots counts relative paths to the directory of their document or below.
type Dots struct{ With, Without int } // with "./" in front, and without

// CountDots sets d.Dots for its references.
func (d *Document) CountDots(refs []Reference) {
	d.Dots = Dots{}
	for i := range refs {
		switch ref := refs[i].Ref; {
		case strings.HasPrefix(ref, "./"):
			d.Dots.With++
		case ref != "" && strings.IndexByte("./#?@", ref[0]) < 0 && !strings.Contains(ref, ":"):
			d.Dots.Without++
		}
	}
}

// Votes are the fragments that point to a document: those that are ids of it under GitHub's algorithm, and
// those that are not.
type Votes struct{ Live, Dead fragments }

// fragments are packed one after another, since there may be millions.
type fragments []byte

func (f *fragments) add(fragment string) {
	*f = append(binary.AppendUvarint(*f, uint64(len(fragment))), fragment...)
}

func (f fragments) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for c := NewReader(string(f)); c.in != ""; {
			var fragment string
			c.String(&fragment)
			if !yield(fragment) {
				return
			}
		}
	}
}

// CountVote records whether a fragment that points to d exists under GitHub's algorithm. It is safe for
// concurrent use.
func (d *Document) CountVote(fragment string) {
	_, live := d.IDsOf(slug.GitHub).Hit(fragment)
	d.Memo.mu.Lock()
	defer d.Memo.mu.Unlock()
	if d.Votes == nil {
		d.Votes = new(Votes)
	}
	if live {
		d.Votes.Live.add(fragment)
	} else {
		d.Votes.Dead.add(fragment)
	}
}
