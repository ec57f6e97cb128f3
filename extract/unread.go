package extract

import (
	"cmp"
	"fmt"
	"path"

	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/scan"
)

// unread notes that something with a media type and a file name, "" if they are not known, is not
// read. what describes it: "a part".
func (w *walker) unread(pos Position, what, mediaType, name string) {
	if w.Note == nil {
		return
	}
	text := what
	switch {
	case mediatype.IsShown(mediaType):
		text += " of type " + mediaType
	case mediaType != "":
		text += fmt.Sprintf(" of type %.80q", mediaType)
	}
	if name != "" {
		text += fmt.Sprintf(" (%.200q)", name)
	}
	w.Note(&Note{Entity: w.ref.Entity, Pos: pos, Code: scan.CodeUnreadType, Unread: mediatype.Kind(mediaType, name), Text: text + ": not read"})
}

// largeRecord is the kind of a record whose end is not read.
const largeRecord = "large record"

// binaryKind returns the kind of the binary file e, which begins with head.
func binaryKind(head []byte, e *Entity) string {
	return mediatype.Kind(mediatype.OfBinary(head), shownName(e))
}

// shownName returns the name of a file without its directories.
func shownName(e *Entity) string { return path.Base(cmp.Or(e.Member, e.Name)) }

// unreadFile yields a Batch that holds only a note: b.entity is a binary file that begins with head,
// and is not read.
func (c *Config) unreadFile(b *Batch, head []byte, yield func(*Batch, error) bool) {
	c.setCallbacks(b)
	b.content, b.atEOF, b.later = &unreadContent{cmp.Or(mediatype.OfBinary(head), mediatype.OfPacked(head)), shownName(b.entity)}, true, true
	yield(b, nil)
}

// An unreadContent is the content of a Batch for a file that is not read.
type unreadContent struct{ mediaType, name string }

func (u *unreadContent) walk(w *walker) {
	w.unread(w.begins(), "a binary file", u.mediaType, u.name)
}

func (u *unreadContent) cuts() []cut { return nil }
