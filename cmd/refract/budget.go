package main

import (
	"fmt"

	"example.org/refract/extract"
)

// The output about one document, message or record is limited to minOutput bytes plus outputRatio
// times its size; in running text, the limit applies to each window of 1 MiB. URLs that a filter
// rejects count, too, because they take as much time. Without this limit, n references of a page
// with a base of m bytes would produce n × m bytes.
const (
	minOutput   = 64 << 20
	outputRatio = 100
)

// A budget tracks how much more may be output about the current entity.
type budget struct {
	left int64 // bytes; negative: no more output

	// Counts of what was left out, and the entity and position of the first.
	references, notes int
	entity            *extract.Entity
	pos               extract.Position
}

func newBudget(size int64) budget { return budget{left: minOutput + outputRatio*size} }

// charge deducts n bytes.
func (b *budget) charge(n int) { b.left -= int64(n) }

func (b *budget) isSpent() bool { return b.left < 0 }

// skip adds 1 to counter, one of references or notes, for an item at pos that is left out.
func (b *budget) skip(counter *int, entity *extract.Entity, pos extract.Position) {
	if b.references+b.notes == 0 {
		b.entity, b.pos = entity, pos
	}
	*counter++
}

// message says how many items were left out; it is "" if there were none.
func (b *budget) message() string {
	if b.references+b.notes == 0 {
		return ""
	}
	text := "too much output: " + count(b.references, "more reference")
	if b.notes > 0 {
		text += " and " + count(b.notes, "more note")
	}
	return fmt.Sprintf("%s of the same document left out: its output exceeds %d MiB and %d times its size", text, minOutput>>20, outputRatio)
}
