package html

import (
	"bytes"
	"encoding/binary"

	"example.org/refract/extract/scan"
)

// selectable are the names in a page that selectors of style sheets look at, each once.
type selectable struct {
	features []byte
	seen     map[uint32]struct{}
	recent   [512]uint32 // of seen: most names have just been seen
}

// maxFeatures limits the features of a page.
const maxFeatures = 64 << 10

func (n *selectable) add(kind byte, name []byte) {
	f := scan.Feature(kind, name)
	r := &n.recent[f%uint32(len(n.recent))]
	if *r == f {
		return
	}
	*r = f
	if _, ok := n.seen[f]; ok || len(n.seen) > maxFeatures {
		return
	}
	if n.seen == nil {
		n.seen = map[uint32]struct{}{}
	}
	n.seen[f] = struct{}{}
	n.features = binary.BigEndian.AppendUint32(n.features, f)
}

// addElement adds the name of an element.
func (s *Scanner) addElement(called []byte) {
	s.selectable.add('<', called)
	if equalFold(called, "image") {
		s.selectable.add('<', []byte("img")) // 13.2.6.4.7, unless it is in SVG
	}
}

// addAttribute adds the name of an attribute, and the ids or classes in it.
func (s *Scanner) addAttribute(name []byte, at, end int) {
	s.selectable.add('[', name)
	switch {
	case len(name) == len("class") && equalFold(name, "class"):
		for class := range bytes.FieldsFuncSeq(s.decode(at, end).b, isSpace) {
			s.selectable.add('.', class)
		}
	case len(name) == len("id") && equalFold(name, "id"):
		s.selectable.add('#', s.decode(at, end).b)
	}
}

func isSpace(r rune) bool { return r < 0x80 && byteClass[r]&spaceByte != 0 }

// putSelectable yields the names of the page.
func (s *Scanner) putSelectable() {
	n := &s.selectable
	s.item = scan.Item{Op: scan.Mention, Space: scan.Selectable}
	if len(n.seen) <= maxFeatures {
		s.item.Value = n.features
	}
	s.put()
	clear(n.seen)
	*n = selectable{features: n.features[:0], seen: n.seen}
}
