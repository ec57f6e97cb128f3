// Package filemap maps windows of a file into memory, and turns faults in that memory into errors about the
// file.
package filemap

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"unsafe"
)

// A Map maps a regular file into memory, several windows at a time. Compared with reads of 64 KiB, 140 MB
// of source code take a tenth less CPU time on one core, and a quarter less on two. Compared with a mapping
// for each window, which begin anywhere, half as many page faults occur, and pages that two windows share
// are faulted once: a tenth less again. A mapping of the whole file saves no more.
//
// Memory of a file that has become shorter raises SIGBUS where it is read. guard makes that a panic, and
// walker.recovered and Guard make the panic an error about the file.
type Map struct {
	file *os.File
	at   int64 // offset in the file up to which it has been read or mapped
	size int64
	lost atomic.Bool // an error has been reported

	last *mappedPages // what was mapped last
}

// mappedPages are a part of a file in memory, as long as the Map or a region needs it.
type mappedPages struct {
	pages []byte
	from  int64 // of pages, in the file
	users atomic.Int32
}

const (
	mapAlign = 2 << 20 // faults in mappings that begin at multiples of this are fewer
	mapSize  = 6 << 20
)

func (m *mappedPages) release() {
	if m != nil && m.users.Add(-1) == 0 {
		unmapFile(m.pages)
	}
}

var ErrShorter = errors.New("the file became shorter while it was read")

// New returns a Map if r is a regular file, from where it has been read on; otherwise nil.
func New(r io.Reader) *Map {
	f, ok := r.(*os.File)
	if !ok || !canMap {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	return &Map{file: f, at: at, size: info.Size()}
}

// Next maps n bytes, the first back of which have been read before, or fewer at the end of the file. It
// returns nil if the rest has to be read: the file is smaller, it has become longer, or it cannot be
// mapped.
func (m *Map) Next(back, n int) *Region {
	if m == nil {
		return nil
	}
	from := m.at - int64(back)
	var err error
	if rest := m.size - from; rest < int64(n) {
		if m.last == nil || m.isLonger() {
			return nil
		}
		n, err = int(rest), io.EOF
	}
	if m.last == nil || from+int64(n) > m.last.from+int64(len(m.last.pages)) {
		m.last.release()
		m.last = nil
		start := from &^ (mapAlign - 1)
		pages, err := mapFile(m.file, start, int(min(m.size-start, max(mapSize, from+int64(n)-start))))
		if err != nil {
			return nil
		}
		m.last = &mappedPages{pages: pages, from: start}
		m.last.users.Store(1)
	}
	m.last.users.Add(1)
	m.at = from + int64(n)
	skip := int(from - m.last.from)
	return &Region{file: m, mappedPages: m.last, Buf: m.last.pages[skip : skip+n : skip+n], Err: err}
}

// isLonger reports whether the file may have more than m.size bytes.
func (m *Map) isLonger() bool {
	_, err := m.file.ReadAt(make([]byte, 1), m.size)
	return err != io.EOF
}

// End makes reads of the file continue after the mapped part. It returns nil: nothing is mapped after that.
func (m *Map) End() *Map {
	if m != nil {
		m.Close()
		m.file.Seek(m.at, io.SeekStart)
	}
	return nil
}

// Close drops the mappings that no region needs. Nothing may be mapped after that.
func (m *Map) Close() {
	if m != nil {
		m.last.release()
		m.last = nil
	}
}

// A Region is a part of a file in memory. A nil Region stands for memory that has been read.
type Region struct {
	file *Map
	*mappedPages
	Buf []byte // the requested bytes
	Err error  // io.EOF if nothing follows buf
}

func (r *Region) Close() {
	r.release()
	r.mappedPages, r.Buf = nil, nil
}

// Guard calls f, which accesses the region. It returns an error if the file no longer has the bytes that f
// accesses.
func (r *Region) Guard(f func()) (err error) {
	if r == nil {
		f()
		return nil
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); r.IsFault(v) {
			err = r.Fault()
		} else if v != nil {
			panic(v)
		}
	}()
	f()
	return nil
}

// IsFault reports whether v is the value of a panic because of an access to the region.
func (r *Region) IsFault(v any) bool {
	fault, ok := v.(interface {
		runtime.Error
		Addr() uintptr
	})
	if r == nil || r.mappedPages == nil || !ok {
		return false
	}
	first := uintptr(unsafe.Pointer(unsafe.SliceData(r.pages)))
	return fault.Addr() >= first && fault.Addr()-first < uintptr(len(r.pages))
}

// Fault returns the error about the file, once; then io.EOF.
func (r *Region) Fault() error {
	if r.file.lost.Swap(true) {
		return io.EOF
	}
	return &fs.PathError{Op: "read", Path: r.file.file.Name(), Err: ErrShorter}
}
