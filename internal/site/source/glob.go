package source

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// SortedKeys returns the keys of a map in their order.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// Glob returns a function that matches paths against a pattern: "*" matches within a name, "**"
// across names, and "{a,b}" is a choice. A malformed pattern matches nothing.
func Glob(pattern string) func(string) bool {
	if !strings.ContainsAny(pattern, "*?{,}") {
		return func(p string) bool { return p == pattern }
	}
	re, err := regexp.Compile("^(?:" + globExpr(pattern) + ")$")
	if err != nil {
		return func(string) bool { return false }
	}
	part := literalPart(pattern) // most paths lack it, and looking for it is faster
	return func(p string) bool { return strings.Contains(p, part) && re.MatchString(p) }
}

// literalPart returns the longest part of a pattern, outside any choice, that is contained in each matching path.
func literalPart(pattern string) (longest string) {
	depth, start := 0, 0
	end := func(at, next int) {
		if depth == 0 && at-start > len(longest) {
			longest = pattern[start:at]
		}
		start = next
	}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*' || c == '?' || c == '/' && i > 0 && pattern[i-1] == '*': // the slash of "**/" is optional
			end(i, i+1)
		case c == '{':
			end(i, i+1)
			depth++
		case c == '}' && depth > 0:
			depth--
			start = i + 1
		}
	}
	end(len(pattern), len(pattern))
	return longest
}

// globExpr returns a regular expression for a pattern.
func globExpr(pattern string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case strings.HasPrefix(pattern[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(pattern[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '{':
			b.WriteString("(?:")
			depth++
		case c == '}' && depth > 0:
			b.WriteString(")")
			depth--
		case c == ',' && depth > 0:
			b.WriteString("|")
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	b.WriteString(strings.Repeat(")", depth))
	return b.String()
}

// AnyGlob returns a function that matches paths against any of several patterns, or nil if there
// are none.
func AnyGlob(patterns []string) func(string) bool {
	if len(patterns) == 0 {
		return nil
	}
	var all []func(string) bool
	for _, p := range patterns {
		all = append(all, Glob(strings.TrimPrefix(p, "./")))
	}
	return func(rel string) bool {
		return slices.ContainsFunc(all, func(match func(string) bool) bool { return match(rel) })
	}
}

// IgnoreRules returns a function that matches paths against the lines of a .gitignore, up to 2000
// rules.
func IgnoreRules(lines string) func(string) bool {
	type rule struct {
		match   func(string) bool
		not     bool
		literal string // contained in each matching path
	}
	const maxRules = 2000
	var all []rule
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || len(all) == maxRules {
			continue
		}
		pattern, not := strings.CutPrefix(line, "!")
		expr := strings.TrimSuffix(pattern, "/")
		if !strings.Contains(expr, "/") {
			expr = "**/" + expr
		}
		expr = strings.TrimPrefix(expr, "/")
		tail := "(?:/.*)?"
		if strings.HasSuffix(pattern, "/") {
			tail = "/.*"
		}
		re, err := regexp.Compile("^(?:" + globExpr(expr) + ")" + tail + "$")
		if err == nil {
			all = append(all, rule{re.MatchString, not, longestLiteral(expr)})
		}
	}
	return func(rel string) bool {
		hit := false
		for _, r := range all {
			if r.not == hit && strings.Contains(rel, r.literal) && r.match(rel) {
				hit = !r.not
			}
		}
		return hit
	}
}

// longestLiteral returns the longest part of a pattern that matches only itself.
func longestLiteral(pattern string) (longest string) {
	if strings.ContainsAny(pattern, "{}[]\\") {
		return ""
	}
	for part := range strings.FieldsFuncSeq(pattern, func(r rune) bool { return r == '*' || r == '?' || r == '/' }) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}
