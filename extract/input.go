package extract

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/decode"
)

// Batches cuts the input that r reads into pieces, in order. An error of r is the last element. Walk each
// Batch before the next one, unless Parallel walks them, because a reference may reach into the next. The
// iterator is single-use; Batches stay valid until their Release. A panic of the code that cuts the input
// becomes the last element, a *PanicError, like an error of r.
//
// Text is read in windows of 1 MiB, unless r has a method Ready() bool, which reports whether a Read
// returns at once. Then a window ends where r is not ready, so that a Batch appears as soon as there may be
// a reference in it. Batch.Pauses is true for such a window. The text after it is read when it has been
// walked or released.
func (c *Config) Batches(name string, r io.Reader) iter.Seq2[*Batch, error] {
	var ready func() bool
	if r, ok := r.(interface{ Ready() bool }); ok {
		ready = r.Ready
	}
	return c.batches(name, r, ready)
}

// batches is Batches, with ready as in Batch.
func (c *Config) batches(name string, r io.Reader, ready func() bool) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		if err := c.Validate(); err != nil {
			yield(nil, err)
			return
		}
		retrieved := c.Retrieved
		if strings.Contains(retrieved.URI, messageID) {
			retrieved.URI = ""
		}
		root, err := base.Root(c.Rules, retrieved, c.Default)
		b := &Batch{cfg: c, entity: &Entity{Name: name, Type: textType, Base: root}, pos: c.Begin.Offset, ready: ready}
		if err != nil {
			b.notes = append(b.notes, codedText{code: scan.CodeInvalidBase, text: err.Error()})
		}
		batches(b.entity, func(pass func(*Batch, error) bool) { c.read(b, cmp.Or(c.TypeName, name), r, pass) }, yield)
	}
}

// batches calls read with yield, and passes on a panic of read as the last error.
func batches(entity *Entity, read func(func(*Batch, error) bool), yield func(*Batch, error) bool) {
	calling, stopped := false, false
	offset := int64(0)
	err := func() (err error) {
		defer func() {
			if calling {
				return
			}
			if v := recover(); v != nil {
				err = newPanicError(entity, offset, v)
			}
		}()
		read(func(b *Batch, err error) bool {
			if b != nil {
				offset = b.pos + int64(b.end)
			}
			calling = true
			stopped = !yield(b, err)
			calling = false
			return !stopped
		})
		return nil
	}()
	if err != nil && !stopped {
		yield(nil, err)
	}
}

// read cuts the input that r reads into pieces, of which b is the first. b.entity is the input.
func (c *Config) read(b *Batch, name string, r io.Reader, yield func(*Batch, error) bool) {
	b.maps.Origin, b.lineStart = b.pos, b.pos
	if c.Lines {
		b.line = max(c.Begin.Line, 1)
	}
	buf := c.buffer()
	rest := errorReader{r: r}
	n := 0
	if b.ready != nil {
		n = c.readHead(name, &rest, b.ready, buf[:headSize])
	} else {
		n = rest.fill(buf[:decode.ReadSize], 0)
	}
	mediaType, label, terr := c.typeOf(name, buf[:min(n, headSize)])
	if terr != nil {
		yield(nil, terr)
		return
	}
	k := c.containerOfType(mediaType)
	if b.as != nil {
		k, mediaType = nil, b.as.Types[0]
	}
	if mediaType == binaryType && c.SkipBinary || k.hasMembers() && c.Archives != OpenArchives && !k.isPackage || c.Type == "" && (mediaType == binaryType || mediaType == textType) && mediatype.IsPacked(buf[:n]) {
		c.unreadFile(b, buf[:n], yield)
		release(buf, nil)
		return
	}
	if mediaType == binaryType && c.Type == "" && c.Begin == (Mark{}) {
		b.notes = append(b.notes, asText(b.entity, buf[:n]))
	}
	b.entity.Type = mediaType
	if k == nil {
		c.readDocument(b, label, rest, buf, n, yield)
		return
	}
	n = rest.fill(buf, n)
	switch {
	case k.hasMembers():
		c.members(b, k, name, rest, buf, n, yield)
	case k.split != nil:
		c.split(b, k.split(c.Begin.State), rest, buf, n, yield)
	default:
		c.records(b, rest, buf, n, yield)
	}
}

// typeOf returns the media type and the charset of an input that begins with head. A byte order mark takes
// precedence over Config.Type.
func (c *Config) typeOf(name string, head []byte) (mediaType, label string, err error) {
	mediaType, label = c.detect(name, head)
	if c.Begin != (Mark{}) {
		label = "" // only the beginning of an archive shows its charset
	}
	if c.Type != "" && label == "" {
		return c.declaredType()
	}
	return mediaType, label, nil
}

// readDocument makes b a document if it can be held in memory, otherwise the first of several windows of
// running text. buf holds its first n bytes; r reads the rest.
func (c *Config) readDocument(b *Batch, label string, r errorReader, buf []byte, n int, yield func(*Batch, error) bool) {
	f := c.scanner(b.entity.Type)
	if b.as != nil {
		f = b.as
	}
	if c.Charsets && f == nil {
		b.entity.Charset = label
	}
	if f == nil && label == "utf-8" {
		label = "" // Text is scanned as it is
	}
	undo := c.Undo
	if f == nil {
		undo = b.undoByHead(undo, buf[:min(n, headSize)])
	}
	if f != nil {
		n = r.fill(buf, n)
	}
	s, err := &decode.Stream{Reader: r.r}, r.err
	switch {
	case f != nil && f.isMessage && f.frame == nil && (err == nil || int64(n) > c.limit()):
		c.readMessage(b, f, r, buf, n, yield)
		return
	case f != nil && f.lines != nil && label == "":
		c.readLines(b, f.lines, r, buf, n, yield)
		return
	case f != nil:
		limit := c.limit()
		if f.isBinary {
			b.line = 0
		}
		buf, err = hold(r, buf, n, limit)
		if err != nil {
			c.setDocument(b, f, buf, label)
			if yield(b, nil) && err != io.EOF {
				yield(nil, err)
			}
			return
		}
		if f.isMessage {
			c.readMessage(b, f, r, buf, len(buf), yield)
			return
		}
		if f.isBinary {
			c.setCallbacks(b)
			b.tooLargeToRead(limit)
			release(buf, nil)
			yield(b, nil)
			return
		}
		b.notes = append(b.notes, tooLarge(limit))
		if hasEntities(b.entity.Type) && undo&UndoNone == 0 {
			undo |= UndoEntities
		}
		if mediatype.IsJSON(b.entity.Type) && undo&UndoNone == 0 {
			undo |= UndoJSON
		}
		s.Reader = io.MultiReader(bytes.NewReader(buf), r)
		buf, n = c.buffer(), 0
	case label != "" || undo != 0 || b.guess != nil || b.strings != nil:
		s.Reader = io.MultiReader(bytes.NewReader(bytes.Clone(buf[:n])), r)
		n, err = 0, nil
	}
	if label != "" {
		s.Push(decode.Charset(label))
	}
	pushUndo(s, undo)
	switch {
	case b.guess != nil:
		s.PushFollower(b.guess)
	case b.strings != nil:
		s.PushFollower(b.strings.Literals())
	}
	s.Prompt = b.strings == nil && label == "" && undo&^(UndoJSON|UndoNone|UndoAuto) == 0
	err, ok := c.windows(b, s, buf, n, err, yield)
	if ok && err != io.EOF {
		yield(nil, err)
	}
}

func tooLarge(limit int64) codedText {
	return codedText{code: scan.CodeTooLarge, text: fmt.Sprintf("more than %d bytes: scanned as running text", limit)}
}

// readiness returns the method Ready of r, if it has one. For all other readers that may pause, it returns
// a function that always returns false, and nil for files and memory.
func readiness(r io.Reader) func() bool {
	switch r := r.(type) {
	case interface{ Ready() bool }:
		return r.Ready
	case interface{ Len() int }: // of package bytes or strings
		return nil
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return nil
		}
	}
	return func() bool { return false }
}

// readHead reads the beginning of an input that may pause into head, until it is full, or the input is not
// ready and head decides about the type. It returns the length of head.
func (c *Config) readHead(name string, r *errorReader, ready func() bool, head []byte) int {
	n := 0
	for n < len(head) && r.err == nil && (n == 0 || ready() || !c.settled(name, head[:n])) {
		var k int
		k, r.err = r.r.Read(head[n:])
		n += k
	}
	return n
}

// settled reports whether an input that begins with head is running text whatever follows: its first line
// is text that begins no other type. It asks only about whole lines.
//
// A file of the same bytes may have another type if a NUL or a line of TeX is among the first 4,096, or if
// the first field of a message has a name in capitals.
func (c *Config) settled(name string, head []byte) bool {
	head = bytes.TrimPrefix(head[:bytes.LastIndexByte(head, '\n')+1], []byte("\xef\xbb\xbf"))
	head = bytes.TrimLeft(head, decode.Spaces)
	line, _, ok := bytes.Cut(head, newline)
	if !ok || bytes.IndexFunc(line, isBinary) >= 0 {
		return false
	}
	if f := c.FormatOfType(c.Type); f != nil && f.Scan == nil {
		return true
	}
	line = bytes.TrimRight(line, decode.Spaces)
	switch {
	case suffix(name) == ".arc": // the first record may be damaged
		return false
	case c.Type != "" || len(c.Formats)+len(c.Containers) > 0:
		return false
	case bytes.IndexByte([]byte(".'\\%!@"), line[0]) >= 0: // roff, TeX, an index of a crawl
		return false
	case line[0] == '<' && len(line) > 1 && (ascii.IsLetter(line[1]) || line[1] == '!' || line[1] == '?'): // markup
		return false
	case line[0] == '{' && line[len(line)-1] != '}': // a notebook, rather than a line of JSON
		return false
	}
	if mayBeField(line) {
		head = append(bytes.Clone(head), "From: a\nTo: b\nDate: c\n\n"...) // if the heading has not ended, it is one of a message
	}
	mediaType, _ := c.detect(name, head)
	return mediaType == textType
}

// isBinary reports whether a character indicates that what contains it is not text in UTF-8.
func isBinary(r rune) bool {
	return r == utf8.RuneError || r < ' ' && !strings.ContainsRune("\t\r\f\b\x1b", r)
}

// mayBeField reports whether line may be the first of a message: "From ", or a field. "INFO: x" and
// "http://x" are none.
func mayBeField(line []byte) bool {
	if bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
		return true
	}
	name, value, ok := bytes.Cut(line, []byte(":"))
	hasLower := false
	for _, c := range name {
		if !ascii.IsAlnum(c) && c != '-' && c != '_' {
			return false
		}
		hasLower = hasLower || 'a' <= c && c <= 'z' || c == '-'
	}
	return ok && hasLower && ascii.IsLetter(name[0]) && !bytes.HasPrefix(value, []byte("//"))
}
