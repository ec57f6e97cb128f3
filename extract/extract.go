package extract

import (
	"io"
	"iter"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/message"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/resolve"
)

// A Config says how inputs are read. The zero value has the defaults. It must not
// change while it is in use, and may be used by several goroutines at once.
type Config struct {
	Rules resolve.Rules // the zero value is RFC 3986

	// Retrieved is the URL that the input was retrieved by (section 5.1.3), if any. With
	// Cite, "{message-id}" in it stands for the Message-ID of each message of an archive.
	Retrieved base.Source

	Default base.Source // the base where nothing gives one (section 5.1.4), if any

	// Type is the media type of the input, with its charset if it needs one:
	// "text/plain; charset=koi8-r". "" finds out by its name and first bytes. What is
	// neither mail, news, an archive of a crawler, Markdown, HTML, XML nor CSS is scanned
	// as running text.
	Type string

	// Begin is where the input begins in the archive that it has been cut from, if it has
	// been: a Mark of that, or Mark{Line: 1}. Positions count from there. Type is to be
	// set then.
	Begin Mark

	// MaxEntity is the size in bytes up to which an entity is held whole, as these are
	// scanned; 0 is MaxEntity, and 512 MiB is the most. Larger ones are running text, with
	// a note.
	MaxEntity int64

	JSONLD      bool // also what looks like a URL in JSON-LD, and in JSON of a crawler's archive
	Conditional bool // also what is in conditional comments of HTML
	WikiLinks   bool // also [[page]] in Markdown
	MDX         bool // also imports of MDX, and href, src and to of its components
	Details     bool // set Text, Rel, Hreflang and Type of References
	Cite        bool // set Entity.Message and Reference.TargetPart

	Prefer message.Prefer // which forms of the same content of a message are read

	Text delimit.Rules // what is found in running text
	Undo Undo          // ways of writing to be undone before

	TwoReadings bool // find out where browsers go, if elsewhere: Reference.BrowserURL

	IRI        bool // keep what is not ASCII in URLs
	Lines      bool // count lines: Position.Line and Column are set
	SkipBinary bool // an input that looks binary yields nothing

	// Formats and Containers are looked up before the built-in ones, by media type, by suffix
	// and by first bytes.
	Formats    []Format
	Containers []Container

	budget *int64 // bytes that the members of a Container may still have; nil: this is none
	window int    // bytes in a Batch; 0 is batchSize

	// Note, Anchor and Mention are called, if set, with what documents contain besides
	// references, in source order: what is malformed or unusual, what fragments can point to,
	// and uses of names. A walk in parallel calls those of each Batch instead.
	Note    func(*Note)
	Anchor  func(*Anchor)
	Mention func(*Mention)
}

// MaxEntity is the size in bytes up to which entities are held whole by default.
const MaxEntity = 32 << 20

// An Entity is bytes with one media type and one base.
type Entity struct {
	Parent *Entity // that it is a part of; nil for an input
	Name   string  // of the input, or the step from its parent: "1.2"
	Type   string  // media type
	Base   base.Base

	// Member is the name of a member of a Container, "" of all other entities. Positions in it
	// count from its first byte.
	Member string

	Message *scan.Message // with Config.Cite, of a message: what it is cited by
}

// A Position is where bytes stand in the input, after decompression.
type Position struct {
	Offset int64 // in bytes from the first
	Length int   // in bytes
	Line   int   // from 1; 0 is unknown
	Column int   // in bytes from 1; 0 is unknown

	// Exact is false where those bytes decode to more than what is meant, or
	// decode to it only together with what stands before them.
	Exact bool
}

// A Reference is one reference of a document. It is valid until the next one, with
// all it holds; Clone keeps it.
type Reference struct {
	Entity *Entity
	Pos    Position
	Ranges []Position // what it is put together from, if from several ranges

	// PartLine and PartColumn are where it stands in the part of a message, or the body
	// of a record, as that is when its encoding is undone; 0 is unknown, as in Position.
	PartLine, PartColumn int

	// TargetPart is, with Config.Cite, the path of the part of the same message that it
	// names (RFC 2392, RFC 2557 8.2).
	TargetPart string

	Kind  scan.Kind
	How   scan.How
	In    string // where it stands: "a/href", "<URL:>"
	Meant string // in front of Ref, which is abbreviated: "http://", "ftp://", "mailto:" (Appendix F)

	Raw []byte // as written
	Ref []byte // after undoing the quoting of the document's format
	URL []byte // absolute, escaped once where it must be, or by the rules of browsers; nil if there is none

	// BrowserURL is, with Config.TwoReadings, where browsers take Ref, if that is
	// another host or path than that of RFC 3986 ([resolve.Readings]); otherwise nil.
	BrowserURL []byte

	Base             base.Base      // in force here
	Result           resolve.Result // what decided; for the current document there is no URL
	Fragment         []byte         // of the current document, with its "#"
	Err              error          // why there is no URL
	InvalidAuthority bool           // of the URL, which holds it as written
	Alternatives     [][]byte       // other readings of it, as URLs: without a hyphen that a line break follows

	Labels scan.Labels // what there is to know about where it stands
	Depth  int         // reply marks in front of its line; 0 is new text, or not known

	// With Config.Details, as the document has them: what is shown for the reference,
	// and the attributes of its element.
	Text, Rel, Hreflang, Type string
}

// An Anchor defines a name, by default one that a fragment can point to. It is valid until the
// callback returns.
type Anchor struct {
	Entity *Entity
	Pos    Position
	In     string // "h2/id", "heading"
	Space  string // the namespace of Name: "" holds the fragments of the document; others are "label", "ref", "term"
	Name   []byte // the id; nil for a heading of Markdown without an explicit id

	// NamePos is where Name is written, and TextPos where the text of a heading is. The zero
	// Position: it is not written, or not known where.
	NamePos, TextPos Position

	// Heading is what package slug makes the id of a heading of Markdown from.
	Heading slug.Heading
}

// A Mention is a use of a name that is no URL: a label, a term. It is valid until the callback
// returns.
type Mention struct {
	Entity *Entity
	Pos    Position // of the name as written
	In     string   // where it is used: "link"
	Space  string   // the namespace of Name, as in Anchor
	Name   []byte   // in the form in which names of its Space are compared
}

// Message returns what the message is cited by that r is in, the innermost one; nil if r is in
// none, or without Config.Cite.
func (r *Reference) Message() *scan.Message {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Message != nil {
			return e.Message
		}
	}
	return nil
}

// Document returns the URL by which the document that r is in was retrieved, unescaped; "" if
// it is not known.
func (r *Reference) Document() string {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Base.Layer == base.Retrieval {
			return e.Base.URI
		}
	}
	return ""
}

// Member returns the name of the member of a Container that r is in, the innermost one; "" if
// it is in none.
func (r *Reference) Member() string {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Member != "" {
			return e.Member
		}
	}
	return ""
}

// Clone returns a copy of r that stays valid.
func (r *Reference) Clone() *Reference {
	c := *r
	c.Raw, c.Ref, c.URL, c.Fragment = clone(r.Raw), clone(r.Ref), clone(r.URL), clone(r.Fragment)
	c.BrowserURL = clone(r.BrowserURL)
	c.Ranges = append([]Position(nil), r.Ranges...)
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

// A Note reports that a document is malformed or unusual. It is valid until the callback
// returns.
type Note struct {
	Entity *Entity
	Pos    Position
	Code   scan.Code // what it is about, for programs; "" has no code yet
	Text   string
}

// Walk yields the references of the input that r reads, in source order. An error
// of r is the last element: what was read before it has been walked. name is for
// the Entity. The iterator is single-use.
func (c *Config) Walk(name string, r io.Reader) iter.Seq2[*Reference, error] {
	return func(yield func(*Reference, error) bool) {
		var prev *Batch
		for b, err := range c.Batches(name, r) {
			if err != nil {
				yield(nil, err)
				return
			}
			for ref := range b.References() {
				if !yield(ref, nil) {
					return
				}
			}
			prev.Release()
			prev = b
		}
		prev.Release()
	}
}
