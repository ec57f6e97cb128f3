package input

import (
	"fmt"
	"io"
	"iter"
)

// A damage is a member of a compressed file, or a frame, that cannot be read to its end.
type damage struct {
	offset   int64 // where it begins in the file, in bytes
	end      int64 // where the next member begins of which a part can be read, or where the file ends
	err      error // why it cannot be read
	from, to int64 // its contents, as far as they could be read
	told     bool
}

// cause returns what is to be said of d: its extent is an upper bound, since its first bytes may have been read.
func (d *damage) cause() error {
	return fmt.Errorf("damaged at byte %d, up to %d bytes are unread: %w", d.offset, d.end-d.offset, d.err)
}

// maxDamages limits the members that are kept one by one, of 72 bytes each. Others are only counted, and
// the last one extends over them.
const maxDamages = 1 << 16

// A DamagedError is the error at the end of a file of several members that can be read but for some of them.
type DamagedError struct {
	list   []damage
	more   int   // members that list has no room for
	isLast bool  // nothing follows the last one
	origin int64 // the offset in the file at which its reader begins
}

// at returns member i of the list, with its place in the file.
func (e *DamagedError) at(i int) *damage {
	d := e.list[i]
	d.offset, d.end = d.offset+e.origin, d.end+e.origin
	return &d
}

// Error implements error.
func (e *DamagedError) Error() string {
	first := e.at(0)
	switch n := len(e.list) + e.more; {
	case n > 1:
		return fmt.Sprintf("damaged in %d places, the first one at byte %d: %v", n, first.offset, first.err)
	case !e.isWhole():
		return first.cause().Error()
	}
	return first.err.Error()
}

// isWhole reports whether all of the file is one member, which is damaged: its extent says nothing.
func (e *DamagedError) isWhole() bool {
	return len(e.list)+e.more == 1 && e.at(0).offset == 0 && e.isLast
}

// Unwrap returns the error of the first member.
func (e *DamagedError) Unwrap() error { return e.list[0].err }

// Untold yields the damaged members that [Stored.Damaged] has not returned: where they begin in the file,
// the number of bytes to the next member that can at least partly be read, and the error.
func (e *DamagedError) Untold() iter.Seq2[Extent, error] {
	return func(yield func(Extent, error) bool) {
		for i := range e.list {
			d := e.at(i)
			err := d.err
			if !e.isWhole() {
				err = d.cause()
			}
			if !d.told && !yield(d.extent(), err) {
				return
			}
		}
		if e.more > 0 {
			yield(e.at(len(e.list)-1).extent(), fmt.Errorf("damaged in %d more places", e.more))
		}
	}
}

// An Extent is a range of bytes of a file.
type Extent struct{ Offset, Length int64 }

func (d *damage) extent() Extent { return Extent{d.offset, d.end - d.offset} }

// A layout is what the reader of a file of several members records about them.
type layout struct {
	from   rewinder
	out    int64  // bytes of contents so far
	member mark   // the current one
	again  int64  // bytes that were read again
	bounds *marks // where members begin and end; nil: not recorded
	damage *DamagedError
}

// begin notes that a member begins here, bound that one begins or ends here.
func (l *layout) begin() {
	l.member = mark{l.from.at(), l.out}
	l.bound()
}

func (l *layout) bound() {
	if l.bounds != nil {
		l.bounds.add(l.from.at(), l.out)
	}
}

// fail notes that the current member cannot be read to its end. If nothing of it was read and it follows
// another, it adds to the extent of that: damage has many beginnings of members by chance.
func (l *layout) fail(err error) {
	e := l.damage
	if n := len(e.list); n > 0 {
		last := &e.list[n-1]
		switch {
		case last.end == l.member.at && l.member.out == l.out && !last.told:
			return
		case n >= maxDamages:
			e.more++
			return
		}
	}
	e.list = append(e.list, damage{offset: l.member.at, err: truncated(err), from: l.member.out, to: l.out})
}

// found notes that after damage, a member begins at an offset, or with isLast, that the file ends there.
func (l *layout) found(at int64, isLast bool) {
	list := l.damage.list
	list[len(list)-1].end, l.damage.isLast = at, isLast
}

// A rewinder is the compressed file that a layout describes.
type rewinder interface {
	at() int64          // the offset in the file of the next byte
	back(at int64) bool // goes back to an offset, at most maxBack before at()
}

// maxBack limits how far to go back after damage, in bytes.
const maxBack = 128 << 10

// rewind goes back to the second byte of the current member, which cannot be read to its end, or as far as
// possible. Damage may make the decompression run into the members that follow. In all, it reads at most as
// many bytes again as were read, so that no file takes more than twice the time.
func (l *layout) rewind() {
	now := l.from.at()
	to := max(l.member.at+1, now-maxBack)
	if again := now - to; again > 0 && l.again+again <= now && l.from.back(to) {
		l.again += again
	}
}

// end returns the error at the end of the file.
func (l *layout) end() error {
	if len(l.damage.list) > 0 {
		return l.damage
	}
	return io.EOF
}

// Damaged describes the damaged member whose last readable byte is in the contents from start to end, or
// which begins at start. It returns where in the file the member begins, the number of bytes to the next
// member that can at least partly be read, and why the member cannot be read to its end. Damage may also
// make a member seem longer than it was. err is nil if there is no such member. One byte after end must
// have been read, and start must ascend from call to call.
func (s *Stored) Damaged(start, end int64) (offset, length int64, err error) {
	if s.damage == nil {
		return 0, 0, nil
	}
	start, end = start-s.base.out, end-s.base.out
	list := s.damage.list
	for s.passed < len(list) && list[s.passed].to <= start {
		s.passed++
	}
	if s.passed == len(list) {
		return 0, 0, nil
	}
	next := &list[s.passed]
	if next.to > end && next.from != start || next.from == next.to {
		return 0, 0, nil
	}
	next.told = true
	d := s.damage.at(s.passed)
	return d.offset, d.end - d.offset, d.err
}
