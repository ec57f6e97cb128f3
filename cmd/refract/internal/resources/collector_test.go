package resources

import (
	"runtime/debug"
	"testing"
)

// The more is kept, the less garbage there may be, but never less than a fixed part of it: the time would not be linear.
func TestPercentFor(t *testing.T) {
	for live, want := range map[uint64]int{
		0: startPercent, leastHeap: startPercent, moreGarbage: 150, largeHeap: 83,
		largeHeap + 1: largePercent, hugeHeap: largePercent, hugeHeap + 1: hugePercent, 1 << 62: hugePercent,
	} {
		if got := percentFor(live); got != want {
			t.Errorf("%d bytes: %d %%, want %d", live, got, want)
		}
	}
}

// gcPercent returns what GOGC is.
func gcPercent() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}

// A collector sets back what it has found, and changes nothing that the environment sets.
func TestCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(77))
	c := StartCollector()
	if got := gcPercent(); got != startPercent {
		t.Errorf("%d %% at the start", got)
	}
	c.mu.Lock()
	c.percent = hugePercent // of a larger heap, which was released
	c.adapt()
	if c.percent <= largePercent || gcPercent() != c.percent {
		t.Errorf("%d %% for a small heap", c.percent)
	}
	c.mu.Unlock()
	c.Stop()
	c.Stop()
	moves := StartCollectorForMoves()
	if got := gcPercent(); got != startPercent+2*movePercent {
		t.Errorf("%d %% for moves", got)
	}
	moves.mu.Lock()
	moves.percent = 1
	moves.adapt()
	if got := gcPercent(); got <= startPercent || got != moves.percent {
		t.Errorf("%d %% for moves with a small heap", got)
	}
	moves.mu.Unlock()
	for live, want := range map[uint64]int{largeHeap + 1: largePercent + movePercent, hugeHeap + 1: hugePercent} {
		if got := moves.percentFor(live); got != want {
			t.Errorf("%d bytes: %d %% for moves, want %d", live, got, want)
		}
	}
	moves.Stop()
	if got := gcPercent(); got != 77 {
		t.Errorf("%d %% at the end", got)
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "50")
			c := StartCollector()
			if got := gcPercent(); got != 77 {
				t.Errorf("%d %%", got)
			}
			c.Stop()
			if got := gcPercent(); got != 77 {
				t.Errorf("%d %% at the end", got)
			}
		})
	}
}
