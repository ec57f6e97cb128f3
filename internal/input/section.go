package input

import (
	"fmt"
	"io"
	"os"
)

// An Indexed is an input that maps offsets in its contents to offsets in its file, which may be
// compressed.
type Indexed struct {
	io.ReadCloser
	Size int64 // of the file, in bytes; -1 if the file cannot be split

	plain bool
	ahead *ahead // for gzip
}

// OpenIndexed is like [OpenAhead], for a file that is to be split. Only gzip and uncompressed files
// can be.
func OpenIndexed(path string, n int) (*Indexed, error) {
	r, err := Open(path)
	if err != nil {
		return nil, err
	}
	x := &Indexed{ReadCloser: r, Size: -1}
	file, isFile := r.(*os.File)
	s, isStream := r.(*stream)
	if isStream {
		file, isFile = s.file.(*os.File)
	}
	if path == "-" || !isFile {
		return x, nil
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return x, nil
	}
	if !isStream {
		x.Size, x.plain = info.Size(), true
	} else if _, isGzip := s.r.(*members); isGzip && !batchOf(file) {
		x.Size, x.ahead = info.Size(), newAhead(file, info.Size(), n)
		x.ahead.marked, s.r = true, x.ahead
	}
	return x, nil
}

// At returns the position in the file of the byte at offset, if the file can be split there; a gzip
// file can if a member begins there. Offsets must ascend from call to call, and must have been
// read.
func (x *Indexed) At(offset int64) (at int64, ok bool) {
	if x.ahead == nil {
		return offset, x.plain
	}
	m := x.ahead.marks
	for len(m) > 0 && m[0].out < offset {
		m = m[1:]
	}
	x.ahead.marks = m
	if len(m) == 0 || m[0].out > offset {
		return 0, false
	}
	// Skip members without content.
	for len(m) > 1 && m[1].out == offset {
		m = m[1:]
	}
	return m[0].at, true
}

// OpenSection is like [OpenAhead], for the bytes from start to end, or to the end of the file if
// end is -1. It decompresses them if the file is gzip.
func OpenSection(path string, start, end int64, n int) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, failure(path, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, failure(path, err)
	}
	if end < 0 || end > info.Size() {
		end = info.Size()
	}
	part := io.NewSectionReader(f, start, max(end-start, 0))
	var r io.Reader = part
	if kind, _ := bySuffix(path); kind != nil && kind.suffix == ".gz" || kind == nil && isCrawl(path) {
		kind = &formats[0]
		head := make([]byte, magicLen)
		k, _ := f.ReadAt(head, 0)
		isGzip := kind.magic(head[:k]) // as Open does
		switch k, _ = part.ReadAt(head, 0); {
		case !isGzip:
		case kind.magic(head[:k]):
			a := newAhead(part, part.Size(), n)
			a.damage.origin = start
			r = a
		default:
			f.Close()
			return nil, failure(path, fmt.Errorf("no gzip member begins at byte %d", start))
		}
	}
	return &stream{r: r, file: f, name: path}, nil
}
