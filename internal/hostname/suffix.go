package hostname

// The public suffixes are the list of publicsuffix.org: "co.uk" of www.example.co.uk.
// golang.org/x/net/publicsuffix has the same list, and imports net/http for the interface of its cookie
// jars. Nothing in a program that never goes online should, so the list is here as text. A test compares it
// with that package, and writes it again from there with UPDATE=1.

import (
	_ "embed"
	"strings"
	"sync"
)

// list has a line for each name, in order: a suffix, or a name with flags after a space. "p" says that a
// private organization has the suffix, "*" that each name below this one is a suffix, "+" that this one is
// also a suffix, and "!" that it is none in spite of that. A test of the list compares it with its source.
//
//go:embed list.txt
var list string

// flags are those of the names in the list.
var flags = sync.OnceValue(func() map[string]string {
	flags := make(map[string]string, strings.Count(list, "\n"))
	for line := range strings.Lines(list) {
		name, f, _ := strings.Cut(line[:len(line)-1], " ")
		flags[name] = f
	}
	return flags
})

// maxLabels is the number of labels of the longest name in the list, and one for what is below it.
const maxLabels = 7

// Suffix returns the public suffix of a host in lower case and ASCII, and whether it is in the list as one
// that the registry of a top-level domain has. If no rule of the list is for the host, its last label is
// the suffix. An IP address is its own.
func Suffix(host string) (suffix string, isOfRegistry bool) {
	if IsAddress(host) {
		return host, false
	}
	start := len(host) // of the suffixes with at most maxLabels labels, the longest first
	for n := 0; n < maxLabels && start > 0; n++ {
		start = 1 + strings.LastIndexByte(host[:start-1], '.')
	}
	name := host[start:]
	f, ok := flags()[name]
	for {
		_, parent, isBelow := strings.Cut(name, ".")
		above, hasRule := flags()[parent]
		switch {
		case ok && strings.Contains(f, "!"):
			return parent, !strings.Contains(f, "p")
		case ok && (f == "" || f == "p" || strings.Contains(f, "+")):
			return name, !strings.Contains(f, "p")
		case !isBelow:
			return name, false
		case hasRule && strings.Contains(above, "*"):
			return name, !strings.Contains(above, "p")
		}
		name, f, ok = parent, above, hasRule
	}
}

// Registered returns the registered domain of a host: its public suffix and the label before it. ok is
// false if the host is a suffix itself, an IP address, or has an empty label.
func Registered(host string) (domain string, ok bool) {
	if host == "" || host[0] == '.' || host[len(host)-1] == '.' || strings.Contains(host, "..") {
		return "", false
	}
	suffix, _ := Suffix(host)
	before, ok := strings.CutSuffix(host, "."+suffix)
	if !ok {
		return "", false
	}
	return host[1+strings.LastIndexByte(before, '.'):], true
}
