package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"path"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/container"
	"example.org/refract/internal/input"
)

// maxMembers is the maximum number of members of a Container that are walked.
const maxMembers = 1 << 18

// maxRatio is the highest compression ratio that deflate can reach. A container whose members exceed its
// size by more than this factor was made to exhaust its reader.
const maxRatio = 1032

// minBudget is what the members of any container may have, in bytes, beyond that factor.
const minBudget = 64 << 10

// newBudget returns the number of bytes that all members of a container of size bytes may have.
func newBudget(size int64) *int64 {
	budget := int64(math.MaxInt64)
	if size < math.MaxInt64/(2*maxRatio) {
		budget = minBudget + size*maxRatio
	}
	return &budget
}

// members cuts the members of a container into pieces. b holds the entity of the container, whose file has
// a name; buf holds its first n bytes, and r reads the rest.
func (c *Config) members(b *Batch, k *Container, name string, r errorReader, buf []byte, n int, yield func(*Batch, error) bool) {
	if k.stream != nil {
		c.streamMembers(b, k, name, r, buf, n, yield)
		return
	}
	at, size, isHeld, err := c.readerAt(r, buf, n)
	switch {
	case err != nil && err != io.EOF:
		yield(nil, err)
	case at == nil:
		m := c.newMemberReader(b, name, yield)
		m.note(scan.CodeTooLarge, largeArchive, fmt.Sprintf("a container of more than %d bytes that is not a file: not read", c.holdable()))
	default:
		inner := *c
		if isHeld {
			inner.holding += size
		}
		inner.open(b, k, name, at, size, yield)
	}
}

// streamMembers is members for a container that is read as a stream.
func (c *Config) streamMembers(b *Batch, k *Container, name string, r errorReader, buf []byte, n int, yield func(*Batch, error) bool) {
	if f, begin, size := fileOf(r.r, n); f != nil { // members that are not read can be skipped
		release(buf, nil)
		c.open(b, k, name, io.NewSectionReader(f, begin, size), size, yield)
		return
	}
	inner := *c
	in := io.Reader(r)
	if inner.budget == nil {
		inner.budget = newBudget(int64(n))
		in = earningReader{in, inner.budget}
	}
	src := io.MultiReader(bytes.NewReader(buf[:n]), in)
	inner.each(b, name, func(limits Limits) iter.Seq2[Member, error] { return k.stream(src, limits) }, yield)
	release(buf, nil)
}

// open cuts the members of a container of size bytes into pieces.
func (c *Config) open(b *Batch, k *Container, name string, at io.ReaderAt, size int64, yield func(*Batch, error) bool) {
	inner := *c
	if inner.budget == nil {
		inner.budget = newBudget(size)
	}
	inner.each(b, name, func(limits Limits) iter.Seq2[Member, error] {
		if k.stream != nil {
			return k.stream(io.NewSectionReader(at, 0, size), limits)
		}
		return k.Members(at, size, limits)
	}, yield)
}

// each cuts the members that open yields into pieces. c is for them, and has a budget.
func (c *Config) each(b *Batch, name string, open func(Limits) iter.Seq2[Member, error], yield func(*Batch, error) bool) {
	m := c.newMemberReader(b, name, yield)
	depth := 0
	for e := b.entity; e != nil; e = e.Parent {
		depth++
	}
	if depth > maxParts {
		m.note(scan.CodeTooDeep, "nested archive", fmt.Sprintf("nested more than %d deep: not read", maxParts))
		return
	}
	c.TypeName, c.SkipBinary, c.Begin, c.Archives, c.Storage = "", true, Mark{}, OpenArchives, nil
	limits := Limits{maxMembers, *c.budget}
	number := 0
	for member, err := range open(limits) {
		if err != nil {
			m.fail(err)
			return
		}
		number++
		if number > limits.Members || *c.budget <= 0 {
			m.note(scan.CodeTooLarge, largeArchive, "more members, or more bytes in them, than are read")
			return
		}
		if !m.read(&member) {
			return
		}
	}
}

// largeArchive is the kind of an archive that is not read to its end because of a limit.
const largeArchive = "large archive"

// holdable returns the size in bytes up to which a container is held in memory, given those that are.
func (c *Config) holdable() int64 { return max(0, c.limit()-c.holding) }

// fileOf returns the regular file that r reads, if it is one, where r stood n bytes ago, and the number of
// bytes from there to the end.
func fileOf(r io.Reader, n int) (at io.ReaderAt, begin, size int64) {
	f, ok := r.(interface {
		io.ReaderAt
		io.Seeker
		Stat() (fs.FileInfo, error)
	})
	if !ok {
		return nil, 0, 0
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, 0, 0
	}
	offset, err := f.Seek(0, io.SeekCurrent)
	if err != nil || offset < int64(n) {
		return nil, 0, 0
	}
	begin = offset - int64(n)
	return f, begin, info.Size() - begin
}

// readerAt returns a reader of the whole container, and its size. buf holds its first n bytes and r reads
// the rest. The reader is nil if the container would have to be held in memory and is too large for that.
func (c *Config) readerAt(r errorReader, buf []byte, n int) (at io.ReaderAt, size int64, isHeld bool, err error) {
	if f, begin, size := fileOf(r.r, n); f != nil {
		release(buf, nil)
		return io.NewSectionReader(f, begin, size), size, false, io.EOF
	}
	buf, err = hold(r, buf, n, c.holdable())
	if err == nil {
		return nil, 0, false, nil
	}
	return bytes.NewReader(buf), int64(len(buf)), true, err
}

// A memberReader cuts the members of one container into pieces.
type memberReader struct {
	cfg     *Config // for members
	outer   *Batch  // has the entity of the container
	path    string  // of the container, as the beginning of the paths of its members
	base    base.Base
	yield   func(*Batch, error) bool
	yielded bool
	stopped bool // yield returned false

	isUnpacked bool // the member is what a compressed file contains
}

// newMemberReader returns a memberReader for the container that b holds, whose file has a name.
func (c *Config) newMemberReader(b *Batch, name string, yield func(*Batch, error) bool) *memberReader {
	m := &memberReader{cfg: c, outer: b, yield: yield, base: b.entity.Base.Inside()}
	e := b.entity
	switch {
	case e.Member != "":
		m.path = e.path + memberMark
	case e.Parent == nil:
		// A URL that names the archive is not that of a document in it.
		if e.Base.Layer == base.Retrieval && isNamedLike(e.Base.URI, e.Name) {
			m.base = c.defaultBase()
		}
	default:
		for around := e; around != nil; around = around.Parent {
			if around.Member != "" {
				m.path = around.path + memberMark
				break
			}
		}
		m.path += path.Base(name) + memberMark
		if k := c.containerOfType(e.Type); k == nil || !k.isMail {
			m.base = c.defaultBase()
		}
	}
	return m
}

// memberMark stands between the name of a container and that of its member.
const memberMark = "!/"

// defaultBase returns the base of a document for which no URL is known.
func (c *Config) defaultBase() base.Base {
	b, _ := base.Root(c.Rules, base.Source{}, c.Default) // the input has the note about an invalid one
	return b
}

// isNamedLike reports whether the last segment of a URL is the name of a file, with or without the suffix
// of a compression.
func isNamedLike(uri, name string) bool {
	uri, _, _ = strings.Cut(uri, "?")
	last, name := ascii.UnescapeAll(path.Base(uri)), path.Base(name)
	return last == name || input.Inner(last) == name
}

// read passes on the pieces of a member. It returns false if no more are wanted.
func (m *memberReader) read(member *Member) bool {
	r, err := member.Open()
	if err == nil {
		if closer, ok := r.(io.Closer); ok {
			defer closer.Close()
		}
		r = &budgetReader{r, m.cfg.budget}
		var isPacked bool
		name := member.Name
		var stored *input.Stored
		if !m.isUnpacked {
			r, stored, isPacked, err = input.UnpackLocated(name, r, maxUnpackWindow)
		} else {
			r, isPacked, err = input.Unpack(name, false, r, maxUnpackWindow)
		}
		if isPacked {
			name = input.Inner(name)
			if closer, ok := r.(io.Closer); ok {
				defer closer.Close()
			}
			r = &budgetReader{r, m.cfg.budget}
		}
		if err == nil {
			return m.readText(member, name, r, stored)
		}
	}
	m.failMember(member, err)
	return !m.stopped
}

// readText is read for a member that r reads, after decompression. name is without the suffix of the
// compression. stored locates the contents in the member; nil means unknown.
func (m *memberReader) readText(member *Member, name string, r io.Reader, stored *input.Stored) bool {
	c := *m.cfg
	c.Type = member.Type
	if stored != nil {
		c.Storage = stored
	}
	e := m.entity(member, textType)
	b := &Batch{cfg: &c, later: m.yielded, entity: e, as: member.format}
	if member.hasOwn {
		b.own = ownBase(m.cfg.Rules, m.outer.entity.Base, member.isInDir)
	}
	b.notes, m.outer.notes = m.outer.notes, nil
	c.read(b, name, r, func(b *Batch, err error) bool {
		if err != nil { // only the rest of this member is lost, not the rest of the container
			m.failMember(member, err)
		} else {
			m.pass(b)
		}
		return !m.stopped
	})
	return !m.stopped
}

// entity returns the Entity of a member.
func (m *memberReader) entity(member *Member, mediaType string) *Entity {
	name := strings.TrimPrefix(member.Name, "./") // as tar has names if a directory was packed
	e := &Entity{Parent: m.outer.entity, Member: name, Type: mediaType, Base: m.base, path: m.path + name}
	if member.place != "" {
		e.Base, e.isInPackage = packageBase(m.cfg.Rules, member.place), true
	}
	return e
}

func (m *memberReader) pass(b *Batch) {
	b.later = m.yielded || m.outer.later
	b.held = m.cfg.holding
	m.yielded = true
	m.stopped = !m.yield(b, nil)
}

// note passes on a Batch that holds only a note about the container. kind is as in Note.Unread.
func (m *memberReader) note(code scan.Code, kind, text string) {
	m.noteAbout(m.outer.entity, code, kind, text)
}

func (m *memberReader) noteAbout(e *Entity, code scan.Code, kind, text string) {
	m.passNote(e, codedText{code: code, text: text, unread: kind})
}

func (m *memberReader) passNote(e *Entity, n codedText) {
	if m.stopped {
		return
	}
	c := m.outer.cfg
	b := &Batch{cfg: c, entity: e, notes: append(m.outer.notes, n), content: new(window), atEOF: true}
	m.outer.notes = nil
	c.setCallbacks(b)
	m.pass(b)
}

// fail passes on what prevents the rest of the container from being read.
func (m *memberReader) fail(err error) {
	var unread *container.UnreadError
	switch {
	case m.stopped:
	case errors.As(err, &unread):
		m.note(scan.CodeUnreadType, unread.Kind, unread.Text)
	case err == errOffice && m.outer.entity.Parent == nil || err == errOffice && m.outer.entity.Member != "":
		m.outer.cfg.unreadFile(m.outer, nil, m.yield)
	case m.outer.entity.Member != "":
		m.noteAbout(m.outer.entity, scan.CodeDamaged, "", err.Error())
	default:
		m.yield(nil, err)
	}
}

// failMember passes on what prevents a member, or the rest of it, from being read.
func (m *memberReader) failMember(member *Member, err error) {
	e := m.entity(member, binaryType)
	var (
		unread  *container.UnreadError
		damaged *input.DamagedError
	)
	switch {
	case errors.As(err, &damaged):
		for at, err := range damaged.Untold() {
			m.passNote(e, codedText{code: scan.CodeDamaged, text: err.Error(), damage: &Damage{Offset: at.Offset, Length: at.Length, Err: err}})
		}
	case errors.As(err, &unread):
		m.noteAbout(e, scan.CodeUnreadType, unread.Kind, unread.Text)
	case errors.Is(err, errBudget):
		m.noteAbout(e, scan.CodeTooLarge, largeArchive, err.Error())
	default:
		m.noteAbout(e, scan.CodeDamaged, "", err.Error())
	}
}

var errBudget = errors.New("more bytes in members than are read")

// A budgetReader reads r until the budget is used up.
type budgetReader struct {
	r      io.Reader
	budget *int64
}

func (b *budgetReader) Read(p []byte) (int, error) {
	if *b.budget <= 0 {
		return 0, errBudget
	}
	n, err := b.r.Read(p)
	*b.budget -= int64(n)
	return n, err
}

// An earningReader reads r, and adds to a budget what its bytes may decompress to.
type earningReader struct {
	r      io.Reader
	budget *int64
}

func (e earningReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if *e.budget < math.MaxInt64/2 {
		*e.budget += int64(n) * maxRatio
	}
	return n, err
}
