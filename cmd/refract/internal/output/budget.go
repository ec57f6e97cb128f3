package output

import (
	"fmt"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
)

// The output about one document, message or record is limited to minOutput bytes plus outputRatio times its
// size; in running text, the limit applies to each window of 1 MiB. URLs that a filter rejects also count,
// because they take as much time. Without this limit, n references of a page with a base of m bytes would
// produce n × m bytes.
const (
	minOutput   = 64 << 20
	outputRatio = 100
)

// A budget tracks how much more may be output about the current entity.
type budget struct {
	left int64 // bytes; negative: no more output

	// Counts of what was left out, and the entity and position of the first.
	References, Notes int
	Entity            *extract.Entity
	Pos               extract.Position
}

// NewBudget returns the budget of an entity of size bytes.
func NewBudget(size int64) budget { return budget{left: minOutput + outputRatio*size} }

// Charge deducts n bytes.
func (b *budget) Charge(n int) { b.left -= int64(n) }

// IsSpent reports whether nothing more may be output.
func (b *budget) IsSpent() bool { return b.left < 0 }

// Skip adds 1 to counter, one of references or notes, for an item at pos that is left out.
func (b *budget) Skip(counter *int, entity *extract.Entity, pos extract.Position) {
	if b.References+b.Notes == 0 {
		b.Entity, b.Pos = entity, pos
	}
	*counter++
}

// Message says how many items were left out; it is "" if there were none.
func (b *budget) Message() string {
	if b.References+b.Notes == 0 {
		return ""
	}
	text := "too much output: " + cli.Count(b.References, "more reference")
	if b.Notes > 0 {
		text += " and " + cli.Count(b.Notes, "more note")
	}
	return fmt.Sprintf("%s of the same document left out: its output exceeds %d MiB and %d times its size", text, minOutput>>20, outputRatio)
}
