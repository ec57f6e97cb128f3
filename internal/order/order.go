// Package order sorts slices by code that all types of elements share.
//
// Package slices compiles 4 KB of code for each type of element that a program sorts: more than half a
// megabyte here. [sort.SliceStable] swaps elements by reflection instead, which takes about twice the time. That
// matters only where a program sorts much: there, use slices.
package order

import (
	"iter"
	"slices"
	"sort"
)

// Sort sorts s as compare orders two elements, like [slices.SortStableFunc]: elements that compare as equal keep
// their order.
func Sort[E any](s []E, compare func(a, b E) int) {
	sort.SliceStable(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}

// Sorted returns the elements of seq in the order of Sort.
func Sorted[E any](seq iter.Seq[E], compare func(a, b E) int) []E {
	s := slices.Collect(seq)
	Sort(s, compare)
	return s
}
