package lazy

import (
	"strings"
	"sync"
)

// A Set is a set of words that is built at its first use. It is safe for concurrent use.
type Set struct {
	words string
	once  sync.Once
	in    map[string]bool
}

// NewSet returns the set of the words, which white space separates.
func NewSet(words string) *Set { return &Set{words: words} }

// Has reports whether the set contains word.
func (s *Set) Has(word string) bool {
	s.once.Do(func() {
		s.in = make(map[string]bool)
		for w := range strings.FieldsSeq(s.words) {
			s.in[w] = true
		}
	})
	return s.in[word]
}
