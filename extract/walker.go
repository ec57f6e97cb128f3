package extract

import (
	"fmt"
	"sync/atomic"

	"example.org/refract/base"
	"example.org/refract/extract/internal/escape"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/rejoin"
	"example.org/refract/extract/message"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

// A walker turns the Items of one Batch into References. It descends into nested entities; the innermost
// one is the current entity.
type walker struct {
	*Batch
	yield   func(*Reference) bool
	each    func(*scan.Item) bool // item; made once, since a method value allocates
	stopped bool                  // yield returned false
	calling bool                  // a function of the caller is running
	first   *atomic.Int64         // where the first Item of a window begins, until that is known: see window.first
	reached int64                 // offset in the input of the last position; -1: none in this entity

	ref   Reference   // reused; its Entity is the current one, and its Base is in force
	own   base.Base   // the URL by which the current entity was retrieved
	bases []base.Base // that ref.Base has replaced, the outermost first
	query *escape.Query

	quotes *message.Quotes // of the content of a part of a message; nil if unknown

	frames   []frame       // the states that leave restores, the outermost first
	labels   scan.Labels   // of all references in the current entity
	carried  *carried      // from an earlier excerpt of the message; nil: nothing
	mappings []mapping     // from the Batch to the current entity
	decoded  []decodedPart // the current entity and those around it, if they were decoded
	autolink bool          // URLs in the text of the current entity are shown as links: see Format
	head     int           // where the heading of the current part begins, until its content has begun; -1: that is over
	partAt   Position      // of the current part, if it may be an archive
	isCut    bool          // the current record is not complete
	skipping int           // entities that have been entered, and are skipped
	http     bool          // entities come from a crawler: labels of charsets mean what they mean to browsers

	names    map[partName]string                 // paths of the parts of the current message
	charsets map[string]string                   // names of charsets by the labels in messages
	plain    *plain.Scanner                      // of running text; nil until it is needed
	readAs   func(mediaType, name string) string // Config.readAs; nil until it is needed

	// The URL that is being joined: how it is known, where its proof is, and its memory.
	joinedBy   string
	proof      int64
	evidence   *rejoin.Table // the URLs in the Batch; nil until they are needed
	unbroken   []byte
	pieces     []scan.Span
	joinedMore scan.More

	counted   int // lines are counted up to here, an offset in text
	line      int
	lineStart int64

	// Reused memory: a reference with its fragment, with its scheme, with its query encoded, resolved, escaped.
	joined, whole, queried, target, escaped []byte
	browser                                 browserReading
}

// A mapping maps offsets in an entity to offsets in the bytes from which it was decoded: by m, or, if m is
// nil, by adding at.
type mapping struct {
	m      *scan.Map
	at     int
	packed []byte // the bytes of the entity, if it was decoded from compressed bytes
}

// A decodedPart is an entity whose transfer encoding has been decoded: lines of a part are counted in the
// decoded text.
type decodedPart struct {
	text     []byte
	mappings int // its own, and those of the entities around it, are walker.mappings[:mappings]
	counted  int // lines are counted up to here
	line     int // line breaks before that
	start    int // of the line
}

// A frame is the state of the walker outside an entity. leave restores it.
type frame struct {
	entity *Entity
	base   base.Base
	bases  int
	labels scan.Labels
}

// A partName is a URL that names a part of a message: its Content-ID (RFC 2392) or its Content-Location
// (RFC 2557 8.2). It is known in the entity whose path is scope, and within.
type partName struct{ scope, url string }

// carried is the base that a page before a cut has set for itself. It is in force after the cut, too.
type carried struct {
	base base.Base
	part string // path of the page
}

// A browserReading resolves references as browsers do. It keeps the last base, and memory for a URL.
type browserReading struct {
	base     string
	readings *resolve.Readings
	url      []byte
}

// tell calls f, a function of the caller, with x. A nil f is allowed.
func tell[T any](w *walker, f func(T), x T) {
	if f != nil {
		w.calling = true
		f(x)
		w.calling = false
	}
}

func (w *walker) note(pos Position, code scan.Code, text string) {
	tell(w, w.Note, &Note{Entity: w.ref.Entity, Pos: pos, Code: code, Text: text})
}

// unread notes that something is not read. mediaType and name are its media type and file name, or ""; what
// describes it: "a part".
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
