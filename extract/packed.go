package extract

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"path"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/container"
	"example.org/refract/internal/decode"
	"example.org/refract/internal/input"
)

// maxUnpackWindow limits how many bytes the decompressor of a compressed member or attachment may allocate.
const maxUnpackWindow = 8 << 20

// A packedFile is an attachment, or the body of a record, that may be an archive or compressed.
type packedFile struct {
	src  []byte
	name string   // of the file; "" if it has none
	what string   // for notes: "a part"
	pos  Position // of the part or record
	cut  bool     // src may end before the file does
}

// packed walks the contents of f. It notes what cannot be read: a damaged attachment does not make the
// message unreadable.
func (w *walker) packed(f packedFile) bool {
	if w.probing {
		return true
	}
	cfg := *w.cfg
	cfg.Type, cfg.TypeName, cfg.Begin, cfg.SkipBinary, cfg.Archives, cfg.Storage = "", "", Mark{}, true, OpenArchives, nil
	cfg.holding += int64(len(f.src))
	if cfg.budget == nil {
		cfg.budget = newBudget(int64(len(f.src)))
	}
	part := w.ref.Entity
	n := &nestedWalk{outer: w, pos: f.pos}
	b := &Batch{cfg: &cfg, entity: part, later: true}
	more, failed := true, error(nil)
	cfg.unpack(b, f, func(b *Batch, err error) bool {
		if err != nil {
			failed = err
		} else {
			more = n.walk(b)
		}
		return more
	})
	n.prev.Release()
	if failed == nil || !more {
		return more
	}
	text, kind, code := failed.Error(), damagedArchive, scan.CodeUnread
	var unread *container.UnreadError
	switch {
	case failed == errOffice:
		w.unread(f.pos, f.what, part.Type, f.name)
		return true
	case errors.As(failed, &unread):
		code, kind = scan.CodeUnreadType, unread.Kind
	case f.cut:
		text, kind, code = "an archive in a message, or a record, that is too large to be held: not read to its end", "large archive", scan.CodeTooLarge
	}
	tell(w, w.Note, &Note{Entity: part, Pos: f.pos, Code: code, Unread: kind, Text: text})
	return true
}

// attachment walks what is in a part of a message.
func (w *walker) attachment(it *scan.Item) bool {
	f := packedFile{src: it.Value, name: it.Extra().File, what: "a part", pos: w.partAt}
	if w.excerpt != nil {
		if w.excerpt.Part != "" && w.excerpt.Part == w.ref.Entity.Path() {
			return true // the piece before this one has the note
		}
		f.cut = !w.excerpt.Ends
	}
	if !w.cfg.isPacked(f.src) {
		w.unread(f.pos, f.what, w.ref.Entity.Type, f.name)
		return true
	}
	return w.packed(f)
}

// unpack cuts what is in f into pieces.
func (c *Config) unpack(b *Batch, f packedFile, yield func(*Batch, error) bool) {
	name := f.name
	if name == "" {
		name = cmp.Or(path.Base(b.entity.Name), "file")
	}
	if k := c.sniffContainer(f.src[:min(len(f.src), 4096)], false); k.hasMembers() {
		c.open(b, k, name, bytes.NewReader(f.src), int64(len(f.src)), yield)
		return
	}
	r, _, err := input.Unpack(name, true, bytes.NewReader(f.src), maxUnpackWindow)
	if err != nil {
		yield(nil, err)
		return
	}
	if closer, ok := r.(io.Closer); ok {
		defer closer.Close()
	}
	r = &budgetReader{r, c.budget}
	buf := c.buffer()
	n, err := (&decode.Stream{Reader: r}).Fill(buf)
	if k := c.sniffContainer(buf[:min(n, 4096)], false); k.hasMembers() {
		c.members(b, k, name, errorReader{r, err}, buf, n, yield)
		return
	}
	m := c.newMemberReader(b, name, yield)
	m.isUnpacked = true
	head := bytes.NewReader(buf[:n])
	m.read(&Member{Name: input.Inner(path.Base(name)), Open: func() (io.Reader, error) { return io.MultiReader(head, errorReader{r, err}), nil }})
	release(buf, nil)
}

// damagedArchive is the kind of an attachment that cannot be read to its end.
const damagedArchive = "damaged archive"

// A nestedWalk walks the Batches of an archive within the document that outer walks.
type nestedWalk struct {
	outer *walker
	prev  *Batch   // released when the one after it has been walked
	pos   Position // of the part or record, for notes about the archive itself
}

// walk walks b, and returns false to stop.
func (n *nestedWalk) walk(b *Batch) bool {
	w := n.outer
	if w.Note != nil {
		part := w.ref.Entity
		b.Note = func(note *Note) {
			if note.Entity == part {
				note.Pos = n.pos
			}
			if note.Code == scan.CodeDamaged { // the message itself is not
				note.Code, note.Unread = scan.CodeUnread, damagedArchive
			}
			tell(w, w.Note, note)
		}
	}
	b.Anchor, b.Mention, b.Message = telling(w, w.Anchor), telling(w, w.Mention), telling(w, w.Message)
	b.SelectRecord = w.SelectRecord
	b.Begin = func(size int64) {
		w.CountOnly = false
		tell(w, w.Begin, size)
	}
	more := true
	for r := range b.References() {
		more = w.pass(r)
		if !more {
			break
		}
		b.CountOnly = w.CountOnly
	}
	w.Skipped += b.Skipped
	if w.err == nil {
		w.err = b.err
	}
	n.prev.Release()
	n.prev = b
	return more
}

// telling returns a function that calls f for w; nil if f is nil.
func telling[T any](w *walker, f func(T)) func(T) {
	if f == nil {
		return nil
	}
	return func(x T) { tell(w, f, x) }
}
