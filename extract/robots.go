package extract

import "example.org/refract/extract/internal/robots"

// Robots is the set of restrictions that a page puts on all robots: by <meta name=robots>, anywhere in it and also in
// <noscript>, and, in a record of a web archive, by the field X-Robots-Tag of HTTP. What is addressed to
// one robot by its name, such as googlebot, does not count, nor do rules with a value, such as max-snippet.
type Robots uint16

const (
	NoIndex Robots = 1 << iota // as in robots.Names
	NoFollow
	NoArchive
	NoCache
	NoSnippet
	NoImageIndex
	NoTranslate
	NoAI
	NoImageAI
)

// Names returns the names of the members of r.
func (r Robots) Names() (names []string) {
	for i, name := range robots.Names {
		if r>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Robots returns the restrictions on the innermost page that contains r; 0 without Config.Robots.
func (r *Reference) Robots() Robots {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Robots != 0 {
			return e.Robots
		}
	}
	return 0
}

// hasRobots reports whether documents of Format f are pages that may restrict robots.
func hasRobots(f *Format) bool { return f.Types[0] == htmlType || f.Types[0] == xhtmlType }
