package extract

import (
	"errors"
	"slices"
	"time"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/resolve"
)

// A Position is a range of bytes of the input, after decompression, or of the innermost member of a
// Container.
type Position struct {
	Offset int64 // of the first byte, from 0
	Length int   // in bytes
	Line   int   // from 1; 0 is unknown
	Column int   // in bytes from 1; 0 is unknown

	// Exact is false if the bytes decode to more than the reference, or decode to it only together with bytes
	// before them.
	Exact bool
}

// A Reference is one reference of a document. It and the memory it points to are valid until the next one;
// Clone keeps it.
type Reference struct {
	Entity *Entity
	Pos    Position
	Ranges []Position // the ranges, if the reference is put together from several

	// PartLine and PartColumn are the line and column in the decoded part of a message or the decoded body of a
	// record, from 1; 0 means unknown, or outside of parts.
	PartLine, PartColumn int

	// TargetPart is, with Config.Cite, the path of the part of the same message that the reference
	// names (RFC 2392, RFC 2557 8.2).
	TargetPart string

	Kind  scan.Kind
	How   scan.How
	In    string // where it is written: "a/href", "<URL:>"
	Meant string // prefix that an abbreviated Ref stands for: "http://", "ftp://", "mailto:" (RFC 3986 section 4.5)

	Raw []byte // as written
	Ref []byte // with the quoting of the document's format undone
	URL []byte // absolute, escaped where necessary or as browsers do; it may alias Ref; nil if there is none

	// BrowserURL is, with Config.ParserDifferences, the URL that browsers make of Ref, if it has another host
	// or path than URL ([resolve.Readings]); otherwise nil.
	BrowserURL []byte

	Base base.Base // in force here
	// Inside is, for a reference from one member of a package to another, the path of the target from the root
	// of the package, and the fragment, as a URL reference: "/OEBPS/ch%201.xhtml#one". URL and Err are then
	// nil.
	Inside []byte

	Result           resolve.Result // the step that decided; the current document has no URL
	Fragment         []byte         // a fragment that points into the current document, with its "#"
	Err              error          // why there is no URL
	InvalidAuthority bool           // the authority of URL is invalid and left as written
	Alternatives     [][]byte       // other possible URLs, at most 16: without a line-end hyphen, or continued

	// Page is the number of the PDF page that contains the reference, from 1; 0 means unknown. Boxes are its
	// rectangles there, one for each line.
	Page  int
	Boxes []scan.Box

	// JoinedBy says how a joined reference is known to continue on the next line (text, archive, known, form,
	// layout). Proof is the offset of the whole URL in the input, as Position.Offset; -1 if it is not known.
	JoinedBy string
	Proof    int64

	Labels scan.Labels // properties of the place where it is written
	Depth  int         // with Config.Cite, in a message: how deep the text is quoted; 0 means new text, or unknown

	// With Config.Details, as written in the document: the text shown for the reference, and attributes of its
	// element.
	Text, Rel, Hreflang, Type string

	Choice *scan.Choice // with Config.Choices: for a reference in an attribute of HTML
}

// ErrTooLong is the Err of a Reference whose URL would have more than 2 MiB when it is escaped. A URL
// of the scheme data that needs no escaping may have any length.
var ErrTooLong = errors.New("a URL of more than 2 MiB")

// ErrName is the Err of a Reference that is the name of a document or file, not a URL: only the site
// generator knows what it resolves to. See Config.Names.
var ErrName = errors.New("a name: only the program that makes the site knows its URL")

// Message returns the citation data of the innermost message that contains r. It returns nil if r is not in
// a message, or without Config.Messages and Cite.
func (r *Reference) Message() *scan.Message {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Message != nil {
			return e.Message
		}
	}
	return nil
}

// Date returns the date of the innermost message or record that contains r, in UTC. It is zero if there is
// no readable date, or without Config.Messages and Cite.
func (r *Reference) Date() time.Time {
	for e := r.Entity; e != nil; e = e.Parent {
		switch {
		case e.Message != nil:
			return e.Message.Time
		case !e.Captured.IsZero():
			return e.Captured
		}
	}
	return time.Time{}
}

// Document returns the URL by which the document that contains r was retrieved, unescaped, or "" if it is
// not known.
func (r *Reference) Document() string {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Base.Layer == base.Retrieval {
			return e.Base.URI
		}
	}
	return ""
}

// Member returns the name of the innermost member of a Container that contains r, or "".
func (r *Reference) Member() string { return r.Entity.member() }

// Record returns the header of the innermost record of a web archive that contains r. It returns nil if r
// is not in a record, or without Config.Records.
func (r *Reference) Record() *Record {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Record != nil {
			return e.Record
		}
	}
	return nil
}

// Charset returns the charset from which the text that contains r was decoded. It is "" for text that needs
// no decoding, and without Config.Charsets.
func (r *Reference) Charset() string {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Charset != "" {
			return e.Charset
		}
	}
	return ""
}

// Robots returns the restrictions on the innermost page that contains r; 0 without Config.Robots.
func (r *Reference) Robots() Robots {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Robots != 0 {
			return e.Robots
		}
	}
	return 0
}

// Clone returns a copy of r that stays valid.
func (r *Reference) Clone() *Reference {
	c := *r
	c.Raw, c.Ref, c.URL, c.Fragment = clone(r.Raw), clone(r.Ref), clone(r.URL), clone(r.Fragment)
	c.BrowserURL, c.Inside = clone(r.BrowserURL), clone(r.Inside)
	c.Ranges = append([]Position(nil), r.Ranges...)
	c.Boxes = slices.Clone(r.Boxes)
	if r.Choice != nil {
		choice := *r.Choice
		choice.Around = slices.Clone(choice.Around)
		c.Choice = &choice
	}
	c.Alternatives = nil
	for _, a := range r.Alternatives {
		c.Alternatives = append(c.Alternatives, clone(a))
	}
	return &c
}

func clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}

// An Anchor defines a name, by default one that a fragment can point to. It is valid until the callback
// returns.
type Anchor struct {
	Entity *Entity
	Pos    Position
	In     string // "h2/id", "heading"
	Space  string // the namespace of Name: "" holds the fragments of the document; others are "label", "ref", "term"
	Name   []byte // the id; nil for a heading of Markdown without an explicit id

	// NamePos is the position of Name, and TextPos that of the text of a heading. The zero Position means that
	// it is not written in the document, or that its position is unknown.
	NamePos, TextPos Position

	// Heading is the input from which package slug makes the id of a Markdown heading.
	Heading slug.Heading
}

// A Mention is a use of a name that is not a URL: a label, a term. It is valid until the callback returns.
type Mention struct {
	Entity *Entity
	Pos    Position // of the name as written
	In     string   // where it is used: "link"
	Space  string   // the namespace of Name, as in Anchor
	Raw    []byte   // as written
	Name   []byte   // in the form in which names of its Space are compared
}

// A Note reports that a document is malformed or unusual. It is valid until the callback returns.
type Note struct {
	Entity *Entity
	Pos    Position
	Code   scan.Code // identifies the condition, for programs; "" if it has no code yet
	Text   string

	// Unread is the kind of thing that is not read, or, with the code as-text, that is scanned as running text.
	// It is meant for counting: "PDF", "image", ".pst", a media type, "binary", "large record". It is "" if the
	// note is about something that is read.
	Unread string

	Damage *Damage // with the code damaged, in a web archive
}

// A Damage describes an unreadable range of a web archive. Offset and Length are in bytes, in the file.
type Damage struct {
	Offset int64  // where the damaged member or frame begins, or, in an uncompressed file, the record
	Length int64  // at most so many bytes are unread, up to the next readable member or the end
	Target string // the URL of the record; "" if it has none
	Err    error
}
