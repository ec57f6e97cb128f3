package searchcmd

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"example.org/refract/cmd/refract/internal/resources"
)

// Pages, windows and documents in use take less than the bound on memory. The rest is garbage, which the
// collector lets grow to the size of the memory in use. While several large documents follow each
// other, that would be too much.
const (
	smallEntity = 128 << 10 // bytes up to which the collector needs no limit
	hugeEntity  = 8 << 20   // bytes from which a collection takes little of the time
	largeEntity = 2 << 20   // bytes from which a limit has to leave room for what is freed late
	programSize = 18 << 20  // bytes that the collector does not count: mostly code
	lateSize    = 6 << 20
	packedBytes = 2 // bytes that each byte of a message takes while its archives are read
)

// ballastSize is the size of a piece of memory that is allocated, but never touched, so that it takes only
// addresses. Garbage may grow to the size of the allocated memory, so the collector runs less often. The
// memory in use is small, mostly tables of the program and buffers of the jobs: the collector took up to a
// twentieth of the time. A higher percentage of garbage would also let large documents leave more of it;
// the ballast is dropped once there is one.
const ballastSize = 4 << 20

// Garbage may grow to a part of what a run keeps if that is large, as a Set of --unique is. Where it is not, a run would collect each
// two MiB (49 times for a list of two million URLs, where 4 do): then a larger ballast lets it grow to keptGarbage.
const keptGarbage = 10 << 20

// The collector does not run before there are firstGarbage bytes. A short run ends before that: collections would take
// a twentieth of its time, half of it to allocate the pooled buffers again. Other runs reach no more memory than later.
const (
	firstGarbage = 16 << 20
	firstPercent = firstGarbage / (4 << 20) * 100 // of 4 MiB, the smallest heap that is collected
	usualPercent = 100
)

// A memoryLimit makes the collector run less often, but earlier when large entities are read.
type memoryLimit struct {
	jobs    int
	more    int64 // bytes in use besides the entities
	percent int   // of what is in use that garbage may grow to, where more is; 0: as usual
	ballast []byte

	mu      sync.Mutex // protects ballast and waiting, and largest while it grows
	waiting bool       // the collector waits for firstGarbage
	largest atomic.Int64
	packed  atomic.Bool // there are archives within messages or records
}

// keep limits the garbage of a run that keeps much, to a percentage of it, until undo is called.
func (m *memoryLimit) keep(percent int) (undo func()) {
	m.percent = percent
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// start begins a search.
func (m *memoryLimit) start() {
	if m.percent > 0 {
		m.ballast = make([]byte, keptGarbage/m.percent*100)
	}
	if m.more > 0 {
		return
	}
	percent := debug.SetGCPercent(firstPercent)
	if percent != usualPercent {
		debug.SetGCPercent(percent) // GOGC is set, and says how much garbage there may be
		return
	}
	m.ballast = make([]byte, ballastSize)
	m.waiting = true
	first := new([64]byte)
	runtime.SetFinalizer(first, func(*[64]byte) { // runs after the first collection
		m.mu.Lock()
		defer m.mu.Unlock()
		m.endWait()
	})
}

// endWait makes the collector run as usual. m.mu is locked.
func (m *memoryLimit) endWait() {
	if m.waiting {
		m.waiting = false
		debug.SetGCPercent(usualPercent)
	}
}

// set adapts the limit to an entity of size bytes.
func (m *memoryLimit) set(size int64) {
	if size <= max(m.largest.Load(), smallEntity) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	largest := m.largest.Load()
	if size <= largest || largest == 0 && debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return // the other reason: GOMEMLIMIT is set
	}
	m.largest.Store(size)
	if size > largeEntity {
		m.ballast = nil
		m.endWait()
	}
	limit := int64(m.jobs)*(resources.MemoryOfJob+resources.MemoryOfBytes*size) + m.more + int64(len(m.ballast)) - programSize
	if size > largeEntity {
		limit -= lateSize
	}
	debug.SetMemoryLimit(limit)
}

// inArchive adapts the limit to an archive in a piece of size bytes: both are held, and the archive is at most
// three quarters of its base64.
func (m *memoryLimit) inArchive(size int64) {
	m.packed.Store(true)
	m.set(size + size/4*3)
}

// collect is called before and after a piece of size bytes is scanned. The garbage of a huge piece should
// not add to the memory that reading and scanning take, however late the collector is. An attached archive
// takes as much memory again as its message. Without a collection, that of one message and the buffers with
// which the next one is read could be more than the limit leaves room for. Where there is room, a
// collection would only be in the way: in an mbox whose messages have archives of some MiB, collections
// took a fifth of the time.
func (m *memoryLimit) collect(size int64) {
	if size > hugeEntity || size > largeEntity && m.packed.Load() && !m.hasRoom(packedBytes*size) {
		debug.FreeOSMemory()
	}
}

// HasRoom reports whether n more bytes fit into the memory that the limit is for.
func (m *memoryLimit) hasRoom(n int64) bool {
	used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(used)
	return int64(used[0].Value.Uint64()-used[1].Value.Uint64())+n <= debug.SetMemoryLimit(-1)+lateSize
}

// reset undoes start and set.
func (m *memoryLimit) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ballast = nil
	m.endWait()
	if m.largest.Load() > 0 {
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
