package scantest

import (
	"iter"
	"slices"
	"testing"

	"example.org/refract/extract/scan"
)

// InOrder yields the items of a scanner, and checks that each lies in the document of size bytes, with all
// its parts, that none begins before the last one, and that a reference has a value.
func InOrder(t *testing.T, size int, items iter.Seq[*scan.Item]) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		last := 0
		for it := range items {
			if it.Span.Start < last || it.Span.End < it.Span.Start || it.Span.End > size {
				t.Fatalf("%v %q at %v of %d bytes, after %d", it.Op, it.Value, it.Span, size, last)
			}
			if it.Op == scan.Ref && len(it.Value) == 0 {
				t.Fatalf("an empty reference at %v", it.Span)
			}
			for _, part := range it.Extra().Parts {
				if part.Start < 0 || part.End > size || part.Start > part.End {
					t.Fatalf("a part at %v", part)
				}
			}
			last = it.Span.Start
			if !yield(it) {
				return
			}
		}
	}
}

// References returns the references among items of src, as they are found or, without a value, as they are
// written, sorted.
func References(src string, items iter.Seq[*scan.Item]) []string {
	all := []string{}
	for it := range items {
		switch {
		case it.Op != scan.Ref:
		case it.Value == nil:
			all = append(all, src[it.Span.Start:it.Span.End])
		default:
			all = append(all, string(it.Value))
		}
	}
	slices.Sort(all)
	return all
}
