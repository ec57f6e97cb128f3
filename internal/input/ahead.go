package input

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"sync"

	"example.org/refract/internal/inflate"
)

// A web crawler's archive is a gzip file with one member per record, and most of the time to read
// it is spent on decompression. To use several processors, the file is cut into segments of a fixed
// size. The first bytes in a segment that look like the start of a member most likely are one. Each
// worker decompresses members from there to the first member that begins in the next segment. The
// members of one segment must end exactly where the next segment's part begins. If they do not,
// those bytes were not the start of a member, and that segment is decompressed again in sequence,
// as a plain reader would do.
const (
	segment = 256 << 10
	// maxAhead limits in bytes how much of a segment is decompressed in advance. A larger member is
	// decompressed in sequence.
	maxAhead = 4 << 20
	// minAhead is the smallest file size in bytes for which this is worthwhile.
	minAhead = 1 << 20
)

// OpenAhead is like Open, but decompresses large files of many gzip members with n goroutines. It
// takes at most n+2 times 4 MiB of memory.
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

// batchOf reports whether the file begins with the first line of a news batch.
func batchOf(f *os.File) bool {
	line := make([]byte, maxBatchLine)
	n, _ := f.ReadAt(line, 0)
	return batchLine(line[:n]) > 0
}

// ahead reads segments in order.
type ahead struct {
	file  io.ReaderAt
	size  int64
	queue chan *part // in the order of the file
	stop  chan struct{}

	at     int64    // offset in the file at which the next member begins
	part   *part    // the next part in the queue that begins at or after at
	out    []byte   // remaining output of the current part
	used   []byte   // the whole output of the current part
	turn   *turn    // reads members in sequence; nil until needed
	inTurn bool     // in the middle of a member of turn
	rest   *members // after damage: reads all remaining members

	marked bool   // whether marks are recorded
	marks  []mark // of members, except those after damage
	bounds *marks // where members begin and end; nil: not recorded
	total  int64  // number of bytes output before out, or before the next read
	begun  int64  // total where the member of turn began
	damage *DamagedError
}

// A mark is the start of a member: its offset in the file, and in the decompressed data.
type mark struct{ at, out int64 }

// A part is the decompressed data of a segment.
type part struct {
	start, end int64 // range of its members; end is the start of the next member. start is -1 if there is none
	out        []byte
	marks      []mark
	done       chan struct{}
}

func newAhead(file io.ReaderAt, size int64, n int) *ahead {
	a := &ahead{file: file, size: size, queue: make(chan *part, n), stop: make(chan struct{}), damage: new(DamagedError)}
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
	for { // find the first bytes that look like a member
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
			break // too much to hold in memory
		}
		k, err := t.z.Read(out[n:])
		n += k
		if err == nil {
			continue
		}
		if err != io.EOF {
			break // the data before the damage is output when it is read in sequence
		}
		if end := t.at(); end >= from+segment || end == size {
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

func newTurn() *turn { return &turn{in: bufio.NewReaderSize(nil, 64<<10), z: new(inflate.Member)} }

// A turn reads members in sequence, each to its end.
type turn struct {
	in   *bufio.Reader
	file io.ReaderAt
	size int64
	from *io.SectionReader // of file, to its end
	z    *inflate.Member
	base int64 // offset in the file at which from begins
}

// begin starts with the member at offset at.
func (t *turn) begin(file io.ReaderAt, size, at int64) error {
	t.file, t.size = file, size
	t.back(at)
	return t.next()
}

// back goes to offset at, whatever is there.
func (t *turn) back(at int64) bool {
	t.base, t.from = at, io.NewSectionReader(t.file, at, t.size-at)
	t.in.Reset(t.from)
	return true
}

func (t *turn) next() error {
	return t.z.Reset(t.in)
}

// at returns the offset of the next byte: the end of the member, after it has been read to io.EOF.
func (t *turn) at() int64 {
	read, _ := t.from.Seek(0, io.SeekCurrent)
	return t.base + read - int64(t.in.Buffered())
}

// close stops the decompression in advance.
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
				a.at, a.inTurn = a.turn.at(), false
				if a.bounds != nil {
					a.bounds.add(a.at, a.total)
				}
			} else if err != nil {
				a.inTurn = false
				a.afterDamage()
				a.rest.member = mark{a.at, a.begun}
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
			if a.bounds != nil {
				for _, m := range a.part.marks {
					a.bounds.add(m.at, a.total+m.out)
				}
				a.bounds.add(a.part.end, a.total+int64(len(a.part.out)))
			}
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
		// If it is already at this offset, keep what it has buffered.
		t, err := a.turn, error(nil)
		if t.from != nil && t.at() == a.at {
			err = t.next()
		} else {
			err = t.begin(a.file, a.size, a.at)
		}
		if a.inTurn = err == nil; a.inTurn && a.marked {
			a.marks = append(a.marks, mark{a.at, a.total})
		}
		a.begun = a.total
		if a.inTurn && a.bounds != nil {
			a.bounds.add(a.at, a.total)
		}
		if !a.inTurn {
			// There is no member here: treat it like the end of any other member.
			t.back(a.at)
			a.afterDamage()
			a.rest.next()
		}
	}
}

// afterDamage makes a.rest read what follows in a.turn.
func (a *ahead) afterDamage() {
	a.rest = &members{r: a.turn.in, z: a.turn.z, layout: layout{from: a.turn, out: a.total, bounds: a.bounds, damage: a.damage}}
}
