package web

import (
	"regexp"
	"strings"
)

// Patterns are URLs for which the configuration of a site has a rule: paths with parameters, whose number is limited.
type Patterns struct {
	byDir map[string][]*regexp.Regexp // by the directories that are literal in front of the first parameter
	n     int
}

// maxPatterns is the number of patterns that count.
const maxPatterns = 1000

// Add adds a pattern: as written, and as an expression.
func (p *Patterns) Add(from string, re *regexp.Regexp) {
	if p.n == maxPatterns {
		return
	}
	if p.byDir == nil {
		p.byDir = map[string][]*regexp.Regexp{}
	}
	if i := strings.IndexAny(from, `:*({[?+\`); i >= 0 {
		from = from[:i]
	}
	dir := from[:strings.LastIndexByte(from, '/')+1]
	p.byDir[dir] = append(p.byDir[dir], re)
	p.n++
}

// AddPath adds a pattern of path-to-regexp, if it is one.
func (p *Patterns) AddPath(from string) {
	if re, err := PathPattern(from); err == nil {
		p.Add(from, re)
	}
}

// Match reports whether a pattern matches a URL. It tries those whose directories the URL begins with:
// "/a/**" also matches "/a".
func (p *Patterns) Match(u string) bool {
	if p.n == 0 {
		return false
	}
	dirs := u + "/"
	for end := 0; end <= len(dirs); end++ {
		if end > 0 && dirs[end-1] != '/' {
			continue
		}
		for _, re := range p.byDir[dirs[:end]] {
			if re.MatchString(u) {
				return true
			}
		}
	}
	return false
}

// PathPattern returns the regular expression for a pattern of path-to-regexp, with a group for each of its names.
func PathPattern(from string) (*regexp.Regexp, error) {
	var b strings.Builder
	last := 0
	for _, m := range RewriteParam.FindAllStringSubmatchIndex(from, -1) {
		literal := from[last:m[0]]
		isOptional := m[7] > m[6] && from[m[6]] != '+' && strings.HasSuffix(literal, "/")
		b.WriteString(regexp.QuoteMeta(strings.TrimSuffix(literal, "/")))
		inner := "[^/]+"
		if m[4] >= 0 {
			inner = from[m[4]+1 : m[5]-1]
		}
		if from[m[6]:m[7]] != "" {
			inner = ".*"
		}
		group := "(?P<x" + from[m[2]:m[3]] + ">" + inner + ")"
		switch {
		case isOptional: // with the slash in front of it
			group = "(?:/" + group + ")?"
		case strings.HasSuffix(literal, "/"):
			group = "/" + group
		}
		b.WriteString(group)
		last = m[1]
	}
	b.WriteString(regexp.QuoteMeta(from[last:]))
	return regexp.Compile("^" + b.String() + "$")
}
