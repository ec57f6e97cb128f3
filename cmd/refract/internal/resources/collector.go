package resources

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A collector adapts how often the garbage collector runs to the memory that an audit keeps. By default, garbage may
// grow to the size of what is kept. For a small tree, that is so little that the collector takes a tenth of the time;
// a ballast, which takes only addresses, lets it grow to more. For a large one, it would double the memory. What is
// kept then is mostly text without pointers, which the collector does not examine: it may run more often.
type collector struct {
	before int

	mu      sync.Mutex
	ballast []byte
	stopped bool
}

const (
	auditBallast = 16 << 20 // bytes of ballast
	largeHeap    = 64 << 20 // bytes kept, with the ballast, from which there is less garbage
	hugeHeap     = 192 << 20
	giantHeap    = 288 << 20
	vastHeap     = 432 << 20

	largePercent = 60 // garbage in percent of what is kept
	hugePercent  = 40
	giantPercent = 20
	vastPercent  = 13
)

// StartCollector starts the adaption, unless the environment says how often the collector runs.
func StartCollector() *collector {
	c := &collector{ballast: make([]byte, auditBallast)}
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		c.stopped = true
		return c
	}
	c.before = debug.SetGCPercent(100)
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
	if percent := percentFor(live[0].Value.Uint64()); percent > 0 {
		c.ballast = nil
		debug.SetGCPercent(percent)
	}
}

// percentFor returns how much garbage there may be, in percent of the bytes that are kept. 0 leaves it as it is.
func percentFor(live uint64) int {
	switch {
	case live > vastHeap:
		return vastPercent
	case live > giantHeap:
		return giantPercent
	case live > hugeHeap:
		return hugePercent
	case live > largeHeap:
		return largePercent
	}
	return 0
}

// Stop ends the adaption.
func (c *collector) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stopped {
		debug.SetGCPercent(c.before)
	}
	c.ballast, c.stopped = nil, true
}
