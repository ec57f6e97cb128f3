//go:build ablate

package ablate

import (
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
)

var (
	lock sync.Mutex
	off  = strings.Split(os.Getenv("REFRACT_OFF"), ",") // "table: name"
	seen = map[string]bool{}
)

// Off reports whether a rule is switched off: one entry of a table of reasons, or one learner.
func Off(table, name string) bool {
	lock.Lock()
	defer lock.Unlock()
	rule := table + ": " + name
	seen[rule] = true
	return slices.Contains(off, rule)
}

// Switch switches off the given rules only.
func Switch(rules ...string) {
	lock.Lock()
	defer lock.Unlock()
	off = rules
}

// Seen returns the rules that have been asked for.
func Seen() []string {
	lock.Lock()
	defer lock.Unlock()
	return slices.Sorted(maps.Keys(seen))
}
