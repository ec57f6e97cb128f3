package site

import "strings"

// IsTypo reports whether two names differ by one typing error.
func IsTypo(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b):
		return a[i:] == b[i+1:] && !isDigit(b[i])
	case i == len(a):
		return false
	case a[i+1:] == b[i+1:]:
		return !isDigit(a[i]) || !isDigit(b[i]) // "step-1" is as good a name as "step-2"
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// minTypo is the least number of bytes of a name that may be a misspelled one. Shorter names are often
// similar by chance.
const minTypo = 5

const maxSegments = 1000 // first names of URLs that are compared with a missing one

// IsMisspelled reports whether a name is one typing error away from exactly one of others, and no plural of it.
func IsMisspelled(name string, others map[string]bool) bool {
	if len(name) < minTypo || others[name] {
		return false
	}
	n := 0
	for other := range others {
		if len(other) >= minTypo && other+"s" != name && name+"s" != other && IsTypo(strings.ToLower(name), strings.ToLower(other)) {
			n++
		}
	}
	return n == 1
}

// HasMisspelled reports whether the first name in a URL below the base is not that of a page, but one
// typing error away from one that is.
func (s *Site) HasMisspelled(u string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(u, "/"), "/")
	s.Load()
	return s.misspelled.Get(first, func(first string) bool { return len(s.Segments) <= maxSegments && IsMisspelled(first, s.Segments) })
}
