package sphinx

import (
	"hash/maphash"
	"slices"

	"example.org/refract/internal/site"
)

// A typoIndex finds the names that differ from a given name in one character that is missing, added, replaced,
// or swapped with the next.
type typoIndex struct {
	names []string
	by    map[uint64][]int32 // of each name without one of its bytes, and of all of it
}

// Typos are searched for in names of these lengths, in bytes. Shorter names are often similar by chance.
const (
	minTypo  = 8
	maxTypo  = 64
	maxAlike = 16 // names that are kept for one key
)

var typoSeed = maphash.MakeSeed()

func newTypoIndex(names []string) *typoIndex {
	x := &typoIndex{names: names, by: map[uint64][]int32{}}
	for i, name := range names {
		if len(name) < minTypo || len(name) > maxTypo {
			continue
		}
		for key := range typoKeys(name) {
			if all := x.by[key]; len(all) < maxAlike && !slices.Contains(all, int32(i)) {
				x.by[key] = append(all, int32(i))
			}
		}
	}
	return x
}

// typoKeys yields the hashes of a name, and of the name with each one of its bytes removed.
func typoKeys(name string) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		if !yield(maphash.String(typoSeed, name)) {
			return
		}
		var rest [maxTypo]byte
		for i := range len(name) {
			n := copy(rest[:], name[:i])
			n += copy(rest[n:], name[i+1:])
			if !yield(maphash.Bytes(typoSeed, rest[:n])) {
				return
			}
		}
	}
}

// closest returns the only name that is one typing error away from name, or "" if there is none, or more than
// one.
func (x *typoIndex) closest(name string) string {
	if len(name) < minTypo || len(name) > maxTypo {
		return ""
	}
	found := ""
	for key := range typoKeys(name) {
		for _, i := range x.by[key] {
			other := x.names[i]
			if other == found || !site.IsTypo(name, other) {
				continue
			}
			if found != "" {
				return ""
			}
			found = other
		}
	}
	return found
}
