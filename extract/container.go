package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"example.org/refract/extract/babyl"
	"example.org/refract/extract/mbox"
	"example.org/refract/extract/mmdf"
	"example.org/refract/extract/news"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/warc"
)

const (
	mboxType  = "application/mbox"
	newsType  = "application/x-rnews"
	mmdfType  = "application/x-mmdf"
	babylType = "application/x-babyl"
	warcType  = "application/warc"
)

// A Container is a kind of file that holds documents. The built-in ones are archives of
// messages and of crawlers, which are read as streams; a program adds its own with
// Config.Containers, which are looked up first. Types and Members must be set.
//
// A Container is read-only once a Config uses it, and its functions may be called by several
// goroutines at once.
type Container struct {
	Types    []string // media types, in lower case; a file recognised by its name has the first one
	Suffixes []string // of file names, in lower case: ".mbox"
	Alias    string   // short for the first type, as in --type; "" if there is none
	Audit    Role     // whether an audit reads such files

	// Sniff reports whether a file that begins with head, its first 4,096 bytes or all of it, is such a
	// container. It is called if the name has no known suffix, and, with SniffText, also if the name
	// has a suffix of plain text. If Sniff is nil, only the name decides.
	Sniff     func(head []byte) bool
	SniffText bool

	// Members yields the members of the file that r reads, in the order in which they are walked. An
	// error is the last element: it says why the rest of the file cannot be read. Members must run in
	// time linear in size, not counting the decompression of members.
	Members func(r io.ReaderAt, size int64, limits Limits) iter.Seq2[Member, error]

	split func(state int) splitter // of messages; nil: without Members, the archive of a crawler
}

// A Member is a document in a Container, which may itself be a Container.
type Member struct {
	Name string // path in the container, with forward slashes
	Type string // media type, as in Config.Type; "": Name and the first bytes decide

	// Open returns a reader of the member's bytes, decompressed. It is called at most once,
	// before the next Member is asked for. If the reader is an io.Closer, it is closed.
	Open func() (io.Reader, error)
}

// Limits bounds what is read of a Container.
type Limits struct {
	Members int   // at most this many members are walked
	Bytes   int64 // in all members together, decompressed
}

// maxMembers is the maximum number of members of a Container that are walked.
const maxMembers = 1 << 16

// maxRatio is the highest compression ratio that deflate can reach. A container whose members exceed
// its size by more than this factor was made to exhaust its reader.
const maxRatio = 1032

// builtinContainers is the list of the built-in containers.
func builtinContainers() []Container {
	return []Container{
		// Archives of mailing lists are often called .txt.
		{Types: []string{mboxType}, Suffixes: []string{".mbox"}, Alias: "mbox", Audit: Always, Sniff: mbox.Is, SniffText: true, split: splitMbox},
		{Types: []string{newsType}, Alias: "news", Sniff: news.Is, SniffText: true, split: splitNews},
		{Types: []string{mmdfType}, Suffixes: []string{".mmdf"}, Alias: "mmdf", Sniff: mmdf.Is, SniffText: true, split: splitMMDF},
		{Types: []string{babylType}, Suffixes: []string{".babyl"}, Alias: "babyl", Sniff: babyl.Is, SniffText: true, split: splitBabyl},
		{Types: []string{warcType}, Suffixes: []string{".warc"}, Alias: "warc", Sniff: warc.Is},
	}
}

// Containers returns the built-in containers, in the order in which they are looked up.
func Containers() []Container { return slices.Clone(builtin().containers) }

// ContainerOfName returns the Container whose Suffixes match the end of name; nil if there is none.
func (c *Config) ContainerOfName(name string) *Container {
	ext := suffix(name)
	for i := range c.Containers {
		if slices.Contains(c.Containers[i].Suffixes, ext) {
			return &c.Containers[i]
		}
	}
	return builtin().suffixes[ext].container
}

// ContainerOfType returns the Container of a media type without parameters, in lower case; nil
// if no Container has this type.
func (c *Config) ContainerOfType(mediaType string) *Container {
	for _, list := range [...][]Container{c.Containers, builtin().containers} {
		for i := range list {
			if slices.Contains(list[i].Types, mediaType) {
				return &list[i]
			}
		}
	}
	return nil
}

// sniffContainer returns the Container of a file that begins with head, nil if it is none. isText
// reports that the file has a suffix of plain text.
func (c *Config) sniffContainer(head []byte, isText bool) *Container {
	for _, list := range [...][]Container{c.Containers, builtin().containers} {
		for i := range list {
			if k := &list[i]; k.Sniff != nil && (k.SniffText || !isText) && k.Sniff(head) {
				return k
			}
		}
	}
	return nil
}

// members cuts the members of a container into pieces. b holds the entity of the container; buf holds
// its first n bytes, and r reads the rest.
func (c *Config) members(b *Batch, k *Container, r errorReader, buf []byte, n int, yield func(*Batch, error) bool) {
	m := &memberReader{outer: b, yield: yield}
	depth := 0
	for e := b.entity; e != nil; e = e.Parent {
		depth++
	}
	at, size, err := c.readerAt(r, buf, n)
	switch {
	case err != nil && err != io.EOF:
		yield(nil, err)
		return
	case at == nil:
		m.note(scan.CodeTooLarge, fmt.Sprintf("a container of more than %d bytes that is not a file: not read", c.limit()))
		return
	case depth > maxParts:
		m.note(scan.CodeTooDeep, fmt.Sprintf("nested more than %d deep: not read", maxParts))
		return
	}
	inner := *c
	inner.SkipBinary, inner.Begin = true, Mark{}
	if inner.budget == nil {
		inner.budget = new(int64)
		*inner.budget = max(64<<20, size*maxRatio)
	}
	m.cfg = &inner
	limits := Limits{maxMembers, *inner.budget}
	number := 0
	for member, err := range k.Members(at, size, limits) {
		if err != nil {
			if !m.stopped {
				yield(nil, err)
			}
			return
		}
		number++
		if number > limits.Members || *inner.budget <= 0 {
			m.note(scan.CodeTooLarge, "more members, or more bytes in them, than are read")
			return
		}
		if !m.read(&member) {
			return
		}
	}
}

// readerAt returns a reader of the whole container, of which buf holds the first n bytes and r reads
// the rest, and its size. The reader is nil if the container has to be held in memory and is larger
// than an entity may be.
func (c *Config) readerAt(r errorReader, buf []byte, n int) (io.ReaderAt, int64, error) {
	if f, ok := r.r.(*os.File); ok {
		info, err := f.Stat()
		at, seekErr := f.Seek(0, io.SeekCurrent)
		if err == nil && seekErr == nil && info.Mode().IsRegular() && at >= int64(n) {
			begin := at - int64(n)
			(&Batch{buf: buf}).Release()
			return io.NewSectionReader(f, begin, info.Size()-begin), info.Size() - begin, nil
		}
	}
	buf, err := hold(r, buf, n, c.limit())
	if err == nil {
		return nil, 0, nil
	}
	return bytes.NewReader(buf), int64(len(buf)), err
}

// A memberReader cuts the members of one container into pieces.
type memberReader struct {
	cfg     *Config // for members
	outer   *Batch  // has the entity of the container
	yield   func(*Batch, error) bool
	yielded bool
	stopped bool // yield returned false
}

// read passes on the pieces of a member. It returns false if no more are wanted.
func (m *memberReader) read(member *Member) bool {
	r, err := member.Open()
	if err != nil {
		m.note(scan.CodeUnread, fmt.Sprintf("member %q: %v", member.Name, err))
		return !m.stopped
	}
	if closer, ok := r.(io.Closer); ok {
		defer closer.Close()
	}
	c := *m.cfg
	c.Type = member.Type
	container := m.outer.entity
	b := &Batch{cfg: &c, later: m.yielded, entity: &Entity{Parent: container, Member: member.Name, Type: textType, Base: container.Base.Inside()}}
	b.notes, m.outer.notes = m.outer.notes, nil
	c.read(b, member.Name, &budgetReader{r, c.budget}, func(b *Batch, err error) bool {
		if err != nil { // only the rest of this member is lost, not the rest of the container
			m.note(scan.CodeUnread, fmt.Sprintf("member %q: %v", member.Name, err))
		} else {
			m.pass(b)
		}
		return !m.stopped
	})
	return !m.stopped
}

func (m *memberReader) pass(b *Batch) {
	b.later = m.yielded
	m.yielded = true
	m.stopped = !m.yield(b, nil)
}

// note passes on a Batch that holds only a note about the container.
func (m *memberReader) note(code scan.Code, text string) {
	if m.stopped {
		return
	}
	c := m.outer.cfg
	b := &Batch{cfg: c, entity: m.outer.entity, notes: append(m.outer.notes, codedText{code, text}), content: new(window), atEOF: true}
	m.outer.notes = nil
	c.setCallbacks(b)
	m.pass(b)
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
