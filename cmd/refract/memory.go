package main

import (
	"math"
	"runtime/debug"
)

// The memory of a search is bounded: for each job 32 MiB and four times its largest entity, and
// --memory. The pages, windows and documents that are held take less. What comes on top is garbage,
// which the collector lets grow to the size of what is held; where large documents follow each
// other, that would be too much.
const (
	memoryOfJob   = 32 << 20
	memoryOfBytes = 4
	largeEntity   = 2 << 20  // bytes up to which the collector needs no limit
	programSize   = 24 << 20 // bytes that the collector does not count: code and its stacks
)

// A memoryLimit lets the collector run earlier where large entities are read.
type memoryLimit struct {
	jobs    int
	more    int64 // bytes that are held beside the entities
	largest int64
}

// set takes note of an entity of size bytes.
func (m *memoryLimit) set(size int64) {
	if size <= max(m.largest, largeEntity) {
		return
	}
	if m.largest == 0 && debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return // GOMEMLIMIT is set
	}
	m.largest = size
	debug.SetMemoryLimit(int64(m.jobs)*(memoryOfJob+memoryOfBytes*size) + m.more - programSize)
}

// reset undoes set.
func (m *memoryLimit) reset() {
	if m.largest > 0 {
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
