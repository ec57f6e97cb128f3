package input

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// An archive of a crawler is gzip of one member for each record, and to decompress it takes
// most of the time that reading it does. It is cut into segments of so many bytes; in each
// begins a member, most likely, with the first bytes that look like it. From there on,
// members are decompressed by several at a time, up to the first that begins in the next
// segment. Where that is, the one in front has to end: if it does not, what looked like a
// member was none, and that segment is decompressed in its turn, as all would be.
const (
	segment = 256 << 10
	// maxAhead bounds in bytes what is decompressed of a segment in advance. A member that
	// is larger is read in its turn.
	maxAhead = 4 << 20
	// minAhead is the size of a file that is worth it.
	minAhead = 1 << 20
)

// OpenAhead is Open, but that large files of many gzip members are decompressed by n at a
// time, with n and two times 4 MiB of memory at most.
func OpenAhead(path string, n int) (io.ReadCloser, error) {
	r, err := Open(path)
	s, ok := r.(*stream)
	if err != nil || !ok || n < 2 {
		return r, err
	}
	file, isFile := s.file.(*os.File)
	if _, isGzip := s.r.(*members); !isGzip || !isFile {
		return r, nil
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < minAhead || batchOf(file) {
		return r, nil
	}
	s.r = newAhead(file, info.Size(), n)
	return s, nil
}

// batchOf reports whether the file begins with the line of a batch of news.
func batchOf(f *os.File) bool {
	line := make([]byte, maxBatchLine)
	n, _ := f.ReadAt(line, 0)
	return batchLine(line[:n]) > 0
}

// ahead reads segments in order.
type ahead struct {
	file  io.ReaderAt
	size  int64
	queue chan *part // in order
	stop  chan struct{}

	at     int64    // in the file: a member begins there
	part   *part    // the next in the queue that may begin at at, or behind
	out    []byte   // of a part, what is still to be given
	used   []byte   // all of it
	turn   *turn    // reads members in their turn; nil before there is one
	inTurn bool     // it is in a member
	rest   *members // behind damage: all

	marked bool   // marks are kept
	marks  []mark // of members, those behind damage left out
	total  int64  // bytes before out, or before what is read next
}

// A mark is where a member begins in the file, and in what is decompressed.
type mark struct{ at, out int64 }

// A part is what was decompressed of a segment.
type part struct {
	start, end int64 // of its members; end is where the next begins. Without any, start is -1
	out        []byte
	marks      []mark
	done       chan struct{}
}

func newAhead(file io.ReaderAt, size int64, n int) *ahead {
	a := &ahead{file: file, size: size, queue: make(chan *part, n), stop: make(chan struct{})}
	go func() {
		defer close(a.queue)
		work := make(chan struct{}, n)
		for from := int64(0); from < size; from += segment {
			p := &part{start: -1, done: make(chan struct{})}
			select {
			case a.queue <- p:
			case <-a.stop:
				return
			}
			select {
			case work <- struct{}{}:
			case <-a.stop:
				return
			}
			go func() {
				p.read(file, size, from)
				close(p.done)
				<-work
			}()
		}
	}()
	return a
}

// read decompresses the members that begin in the segment at from.
func (p *part) read(file io.ReaderAt, size, from int64) {
	head := make([]byte, min(segment+magicLen-1, size-from))
	if n, err := file.ReadAt(head, from); n < len(head) && err != nil {
		return
	}
	at := 0
	for { // the first that looks like a member
		i := bytes.Index(head[at:], []byte("\x1f\x8b\x08"))
		if i < 0 || at+i >= segment || len(head)-at-i < magicLen {
			return
		}
		if at += i; gzipMagic(head[at:]) {
			break
		}
		at++
	}
	start := from + int64(at)
	t := turns.Get().(*turn)
	defer turns.Put(t)
	if t.begin(file, size, start) != nil {
		return
	}
	out := *outs.Get().(*[]byte)
	marks := []mark{{start, 0}}
	for n := 0; ; {
		if n == len(out) {
			break // too much to be held
		}
		k, err := t.z.Read(out[n:])
		n += k
		if err == nil {
			continue
		}
		if err != io.EOF {
			break // what was in front of the damage is given when its turn comes
		}
		if end := t.end(); end >= from+segment || end == size {
			p.start, p.end, p.out, p.marks = start, end, out[:n], marks
			return
		} else {
			marks = append(marks, mark{end, int64(n)})
		}
		if t.next() != nil {
			break
		}
	}
	outs.Put(&out)
}

var (
	outs  = sync.Pool{New: func() any { b := make([]byte, maxAhead); return &b }}
	turns = sync.Pool{New: func() any { return newTurn() }}
)

func newTurn() *turn { return &turn{in: bufio.NewReaderSize(nil, 64<<10), z: new(gzip.Reader)} }

// A turn reads one member after the other, each to its end.
type turn struct {
	in   *bufio.Reader
	from *io.SectionReader
	at   int64 // where from begins
	z    *gzip.Reader
}

// begin begins with the member at at.
func (t *turn) begin(file io.ReaderAt, size, at int64) error {
	t.at, t.from = at, io.NewSectionReader(file, at, size-at)
	t.in.Reset(t.from)
	return t.next()
}

func (t *turn) next() error {
	err := t.z.Reset(t.in)
	t.z.Multistream(false)
	return err
}

// end is where the member has ended, once it has been read to io.EOF.
func (t *turn) end() int64 {
	read, _ := t.from.Seek(0, io.SeekCurrent)
	return t.at + read - int64(t.in.Buffered())
}

// close ends what is done in advance.
func (a *ahead) close() { close(a.stop) }

func (a *ahead) Read(b []byte) (int, error) {
	for {
		switch {
		case a.rest != nil:
			return a.rest.Read(b)
		case len(a.out) > 0:
			n := copy(b, a.out)
			a.out = a.out[n:]
			return n, nil
		case a.inTurn:
			n, err := a.turn.z.Read(b)
			a.total += int64(n)
			if err == io.EOF {
				a.at, a.inTurn = a.turn.end(), false
			} else if err != nil {
				a.rest = &members{r: a.turn.in, z: a.turn.z}
				a.rest.fail(err)
				a.rest.find()
			}
			if n > 0 {
				return n, nil
			}
			continue
		case a.used != nil:
			used := a.used
			outs.Put(&used)
			a.used = nil
		}
		if a.at == a.size {
			return 0, io.EOF
		}
		for a.part == nil || a.part.start < a.at {
			p, ok := <-a.queue
			if !ok {
				a.part = &part{start: a.size}
				break
			}
			<-p.done
			a.part = p
		}
		if a.part.start == a.at {
			if a.marked {
				for _, m := range a.part.marks {
					a.marks = append(a.marks, mark{m.at, a.total + m.out})
				}
			}
			a.total += int64(len(a.part.out))
			a.out, a.at, a.part = a.part.out, a.part.end, nil
			a.used = a.out[:cap(a.out)]
			continue
		}
		if a.turn == nil {
			a.turn = newTurn()
		}
		// Where it stands already, what it has read of the file is not read again.
		t, err := a.turn, error(nil)
		if t.from != nil && t.end() == a.at {
			err = t.next()
		} else {
			err = t.begin(a.file, a.size, a.at)
		}
		if a.inTurn = err == nil; a.inTurn && a.marked {
			a.marks = append(a.marks, mark{a.at, a.total})
		}
		if !a.inTurn {
			// There is none: as behind any other member.
			t.in.Reset(io.NewSectionReader(a.file, a.at, a.size-a.at))
			a.rest = &members{r: t.in, z: t.z}
			a.rest.next()
		}
	}
}
