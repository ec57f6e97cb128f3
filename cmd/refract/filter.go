package main

import (
	"bytes"
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

// A filter says which references are put out. The zero filter lets all through but
// active schemes.
type filter struct {
	kinds   []scan.Kind
	schemes []string
	hosts   []string
	labels  []string
}

// active holds the schemes that are put out only when they are named.
var active = []string{"javascript", "vbscript", "data", "about"}

// match reports whether r, whose URL is put out as url, is let through; all: so are
// active schemes that are not named. The label active-scheme names them too.
func (f *filter) match(r *extract.Reference, url []byte, all bool) bool {
	if len(f.kinds) > 0 && !slices.Contains(f.kinds, r.Kind) {
		return false
	}
	if len(f.labels) > 0 {
		if !slices.ContainsFunc(labelsOf(r), func(l string) bool { return slices.Contains(f.labels, l) }) {
			return false
		}
		all = all || slices.Contains(f.labels, resolve.ActiveScheme.String())
	}
	scheme := func(s string) bool { return schemeIs(url, s) }
	if len(f.schemes) > 0 {
		if !slices.ContainsFunc(f.schemes, scheme) {
			return false
		}
	} else if !all && mayBeActive(url) && slices.ContainsFunc(active, scheme) {
		return false
	}
	if len(f.hosts) == 0 {
		return true
	}
	host := strings.TrimSuffix(strings.ToLower(hostOf(url)), ".")
	return slices.ContainsFunc(f.hosts, func(h string) bool {
		h = strings.ToLower(h)
		if domain, ok := strings.CutPrefix(h, "."); ok {
			return host == domain || strings.HasSuffix(host, h)
		}
		return host == h
	})
}

// mayBeActive decides by the first letter of an active scheme: nearly every URL has
// another.
func mayBeActive(url []byte) bool {
	return len(url) > 0 && strings.IndexByte("jvda", url[0]|0x20) >= 0
}

// schemeIs reports whether url begins with the scheme s and a colon.
func schemeIs(url []byte, s string) bool {
	return len(url) > len(s) && url[len(s)] == ':' && strings.EqualFold(string(url[:len(s)]), s)
}

// hostOf returns the host of url without user and port, IP literals with brackets.
func hostOf(url []byte) string {
	host := resolve.Parse(url).Authority
	host = host[bytes.LastIndexByte(host, '@')+1:]
	if i := bytes.LastIndexByte(host, ':'); i >= 0 && bytes.IndexByte(host[i:], ']') < 0 {
		host = host[:i]
	}
	return string(host)
}
