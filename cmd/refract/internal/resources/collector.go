package resources

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A collector adapts how often the garbage collector runs to the memory that an audit keeps. By default,
// garbage may grow to the size of the kept memory, and the first run is at 4 MiB. For a small tree, that is
// so little that the collector takes a tenth of the time, so some more garbage is always allowed. For a
// large one, it would double the memory.
//
// However large a tree is, garbage may be a fixed fraction of the kept memory. The collector examines all
// kept memory each time, so with less and less garbage, its time would be more than proportional to the
// tree.
type collector struct {
	before int
	isMove bool

	mu      sync.Mutex
	percent int // what is set
	stopped bool
}

const (
	moreGarbage = 16 << 20 // bytes of garbage that a small heap may have beside its own size
	leastHeap   = 4 << 20  // bytes at which the collector first runs with 100 percent
	largeHeap   = 48 << 20 // bytes kept from which there is less garbage
	hugeHeap    = 192 << 20

	startPercent = usualPercent + 100*moreGarbage/leastHeap
	usualPercent = 50 // garbage in percent of what is kept, besides moreGarbage
	largePercent = 60
	hugePercent  = 50
	movePercent  = 50 // more for moves, and twice as much for a heap that is not large
)

// StartCollector starts the adaption, unless the environment says how often the collector runs.
func StartCollector() *collector { return startCollector(false) }

// StartCollectorForMoves is StartCollector for several audits that keep what they have read: the collector
// examines more kept memory each time, and less of it is new.
func StartCollectorForMoves() *collector { return startCollector(true) }

func startCollector(isMove bool) *collector {
	c := &collector{isMove: isMove}
	c.percent = c.percentFor(0)
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		c.stopped = true
		return c
	}
	c.before = debug.SetGCPercent(c.percent)
	c.watch()
	return c
}

// watch calls adapt after each run of the collector.
func (c *collector) watch() {
	mark := new([16]byte)
	runtime.SetFinalizer(mark, func(*[16]byte) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.stopped {
			c.adapt()
			c.watch()
		}
	})
}

// adapt sets how much garbage there may be.
func (c *collector) adapt() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := c.percentFor(live[0].Value.Uint64())
	if percent == c.percent {
		return
	}
	c.percent = percent
	debug.SetGCPercent(percent)
}

// percentFor is percentFor for what c is for.
func (c *collector) percentFor(live uint64) int {
	percent := percentFor(live)
	switch {
	case !c.isMove, live > hugeHeap:
		return percent
	case live > largeHeap:
		return percent + movePercent
	}
	return percent + 2*movePercent
}

// percentFor returns how much garbage there may be, in percent of the bytes that are kept.
func percentFor(live uint64) int {
	switch {
	case live > hugeHeap:
		return hugePercent
	case live > largeHeap:
		return largePercent
	}
	return usualPercent + int(100*moreGarbage/max(live, leastHeap))
}

// Stop ends the adaption.
func (c *collector) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stopped {
		debug.SetGCPercent(c.before)
	}
	c.stopped = true
}
