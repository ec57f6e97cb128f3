package main

import (
	"fmt"

	"example.org/refract/extract"
)

// What is output about one document, message or record is at most minOutput bytes and outputRatio
// times its size; of running text, about each window of 1 MiB. URLs that a filter leaves out count,
// because they take as much time. Without this, n references of a page with a base of m bytes
// would make n × m bytes.
const (
	minOutput   = 64 << 20
	outputRatio = 100
)

// A budget says how much more may be output about the entity at hand.
type budget struct {
	left int64 // bytes; negative: nothing more

	// What has been left out, and where the first of it stands.
	references, notes int
	part              string
	pos               extract.Position
}

func newBudget(size int64) budget { return budget{left: minOutput + outputRatio*size} }

// charge takes n bytes.
func (b *budget) charge(n int) { b.left -= int64(n) }

func (b *budget) isSpent() bool { return b.left < 0 }

// skip counts what is left out at a place, one of references or notes.
func (b *budget) skip(counter *int, entity *extract.Entity, pos extract.Position) {
	if b.references+b.notes == 0 {
		b.part, b.pos = entity.Path(), pos
	}
	*counter++
}

// message says what was left out; "" if nothing was.
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
