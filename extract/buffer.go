package extract

import (
	"io"
	"os"
	"sync"
	"sync/atomic"

	"example.org/refract/delimit"
	"example.org/refract/internal/decode"
)

// An input is read in windows of batchSize bytes, together with the bytes that decide about their first and
// last reference: delimit.Before bytes before, lookahead after.
const (
	batchSize = 1 << 20
	lookahead = delimit.MaxReference + 16<<10

	windowSize = delimit.Before + batchSize + lookahead
)

var buffers = sync.Pool{New: func() any {
	b := make([]byte, windowSize)
	return &b
}}

// pooledWindows is the largest number of windows that a document may have for its memory to return to the
// pool. The memory of larger documents would stay allocated while they are decoded.
const pooledWindows = 4

// largeBuffers holds larger buffers, of any size up to decode.MaxPooled.
var largeBuffers sync.Pool

// buffer returns a buffer for a window.
func (c *Config) buffer() []byte {
	buf := *buffers.Get().(*[]byte)
	if c.window > 0 {
		buf = buf[:delimit.Before+c.window+lookahead]
	}
	return buf
}

// release returns buf to its pool, or, if it is too large for one, to s, if that is not nil.
func release(buf []byte, s *spare) {
	full := buf[:cap(buf)]
	switch n := len(full); {
	case n == windowSize:
		buffers.Put(&full)
	case n < windowSize: // a decoded page
	case n <= decode.MaxPooled:
		largeBuffers.Put(&full)
	case s != nil:
		s.CompareAndSwap(nil, &full)
	}
}

// larger returns a longer buffer with the bytes of buf, whose memory it releases.
func larger(buf []byte) []byte { return grow(buf, largeBuffer(2*len(buf))) }

// grow moves the bytes of buf to the beginning of big.
func grow(buf, big []byte) []byte {
	copy(big, buf)
	release(buf, nil)
	return big
}

// fit returns a buffer with room for more than n bytes.
func fit(n int, c *Config) []byte {
	buf := c.buffer()
	for n >= len(buf) {
		buf = larger(buf)
	}
	return buf
}

// largeBuffer returns a buffer of at least size bytes, and at most 1 MiB or a half more.
func largeBuffer(size int) []byte {
	const unit = 1 << 20
	size = (size + unit - 1) / unit * unit
	if big, _ := largeBuffers.Get().(*[]byte); big != nil {
		if size <= len(*big) && len(*big) <= size+max(size/2, unit) {
			return *big
		}
		largeBuffers.Put(big)
	}
	return make([]byte, size)
}

// A spare keeps one large buffer for the next large record of an archive: it takes no more memory than the
// limit leaves for that record.
type spare struct{ atomic.Pointer[[]byte] }

// atLeast returns a buffer with more than size bytes. need is how many bytes are probably needed, 0 if
// unknown. Since that may be wrong, a new buffer has at most four times the size.
func (s *spare) atLeast(size, need int) []byte {
	size = max(2*size, min(need, 4*size))
	if size <= decode.MaxPooled {
		return largeBuffer(size)
	}
	if kept := s.Swap(nil); kept != nil && len(*kept) >= size {
		return *kept
	}
	return largeBuffer(size)
}

// An errorReader reads r, unless r has already returned err.
type errorReader struct {
	r   io.Reader
	err error
}

func (e errorReader) Read(p []byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	return e.r.Read(p)
}

// Fill reads into buf, which has n bytes, and returns how many it then has: fewer than len(buf) only with e.err.
func (e *errorReader) fill(buf []byte, n int) int {
	if e.err != nil {
		return n
	}
	var more int
	more, e.err = (&decode.Stream{Reader: e.r}).Fill(buf[n:])
	return n + more
}

// hold reads r into buf, which already has n bytes, until r ends or the limit is exceeded. It returns the
// error of r, io.EOF or another; nil if the limit is exceeded.
func hold(r io.Reader, buf []byte, n int, limit int64) ([]byte, error) {
	var full [][]byte // the bytes before buf: doubling buf would take three times the memory
	size := int64(0)  // of full
	for {
		if size+int64(n) > limit {
			return join(full, buf[:n]), nil
		}
		if n == len(buf) && len(full) == 0 {
			if more := remaining(r); more > 0 && int64(n)+more <= limit {
				buf = grow(buf, largeBuffer(n+int(more)+1)) // with room for the read that finds the end
			}
		}
		if n == len(buf) {
			full, size = append(full, buf), size+int64(n)
			n = 0
			if len(full) < pooledWindows {
				buf = *buffers.Get().(*[]byte)
			} else {
				buf = make([]byte, windowSize)
			}
		}
		k, err := r.Read(buf[n:])
		n += k
		if err != nil && size+int64(n) <= limit { // otherwise r returns it again
			return join(full, buf[:n]), err
		}
	}
}

// remaining returns how many bytes r still has, if it is a regular file; 0 if that is unknown.
func remaining(r io.Reader) int64 {
	if e, ok := r.(errorReader); ok {
		r = e.r
	}
	f, ok := r.(*os.File)
	if !ok {
		return 0
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return info.Size() - at
}

// join returns the bytes of full and of last in one buffer, and releases the others.
func join(full [][]byte, last []byte) []byte {
	if len(full) == 0 {
		return last
	}
	size := len(last)
	for _, b := range full {
		size += len(b)
	}
	all := largeBuffer(size)
	n := 0
	for i, b := range append(full, last) {
		n += copy(all[n:], b)
		if i == 0 || len(full) < pooledWindows {
			release(b, nil)
		}
	}
	return all[:n]
}
