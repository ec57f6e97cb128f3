// Package lazy provides regular expressions that are compiled at their first use, so that a run
// compiles only those that it needs. Compiling all at start takes longer than reading a small
// document.
package lazy

import (
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a regular expression that is compiled at its first use. It is safe for concurrent
// use.
type Regexp struct {
	pattern string
	once    sync.Once
	re      *regexp.Regexp
}

// New returns the regular expression for pattern. If the pattern is invalid, the first use panics.
// A test in internal/project compiles every pattern in the source.
func New(pattern string) *Regexp { return &Regexp{pattern: pattern} }

// Compiled returns the compiled regular expression.
func (r *Regexp) Compiled() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.pattern) })
	return r.re
}

// The methods of regexp.Regexp that the program uses.

func (r *Regexp) Match(b []byte) bool                  { return r.Compiled().Match(b) }
func (r *Regexp) MatchString(s string) bool            { return r.Compiled().MatchString(s) }
func (r *Regexp) Find(b []byte) []byte                 { return r.Compiled().Find(b) }
func (r *Regexp) FindString(s string) string           { return r.Compiled().FindString(s) }
func (r *Regexp) FindIndex(b []byte) []int             { return r.Compiled().FindIndex(b) }
func (r *Regexp) FindStringSubmatch(s string) []string { return r.Compiled().FindStringSubmatch(s) }
func (r *Regexp) FindSubmatchIndex(b []byte) []int     { return r.Compiled().FindSubmatchIndex(b) }
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.Compiled().FindAllStringIndex(s, n)
}
func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return r.Compiled().FindAllSubmatch(b, n)
}
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.Compiled().FindAllStringSubmatch(s, n)
}
func (r *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return r.Compiled().FindAllSubmatchIndex(b, n)
}
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.Compiled().FindAllStringSubmatchIndex(s, n)
}
func (r *Regexp) ReplaceAll(src, by []byte) []byte { return r.Compiled().ReplaceAll(src, by) }
func (r *Regexp) ReplaceAllString(src, by string) string {
	return r.Compiled().ReplaceAllString(src, by)
}
func (r *Regexp) ReplaceAllStringFunc(src string, by func(string) string) string {
	return r.Compiled().ReplaceAllStringFunc(src, by)
}

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

// Quote returns an expression that matches text. Each byte that is no UTF-8 matches U+FFFD, as which package regexp
// reads such a byte; it compiles no expression with one.
func Quote(text string) string {
	return regexp.QuoteMeta(strings.Map(func(r rune) rune { return r }, text))
}
