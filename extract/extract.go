// Package extract finds the URL references of documents and resolves them. For each reference it
// reports the position, the base URL that applied and why, and the absolute URL. Use it
// for files and streams of any format: it finds out the type and charset. The packages below it read one
// format each.
//
//	var cfg extract.Config // the zero value works
//	for ref, err := range cfg.Walk(name, r) {
//		if err != nil {
//			return err // r is unreadable; nothing follows
//		}
//		fmt.Printf("%s\n", ref.URL)
//	}
//
// # Terms
//
// A document contains references ("../x#s"). Resolving a reference against a base gives a URL. An
// entity is a sequence of bytes with one media type and one base. A scanner (the packages below this
// one, some of them internal) reports the contents of one entity as Items. The walker, in this package,
// is the only code that resolves references and descends into nested entities.
//
// # Formats
//
// A Format is one kind of document, and a Container a kind of file that holds documents. Formats
// and Containers list the built-in ones: running text, messages, HTML, XML and CSS, the markup
// languages of documentation, notebooks, PDF, RTF; mailboxes, archives of crawlers, ZIP and tar,
// books and office documents, messages of Outlook. A program adds its own with Config.Formats and
// Config.Containers.
//
// # Bounds
//
// Time is linear in the size of the input, for every input. No input is an error: malformed or
// unusual input yields fewer references, and a Note.
//
// Running text is read in windows, so a Walk of an input of any size holds about 1.2 MiB; with a
// charset or Config.Undo to decode, it also holds the decoded text and a map of offsets. Documents of
// all other formats are held up to Config.MaxEntity (32 MiB): a Walk then holds up to twice as much,
// or five times as much if a charset has to be decoded. Messages may have any size: parts that are
// not read are skipped, and the others are held up to Config.MaxEntity together. Archives are read in
// pieces of at least 1 MiB; a plausible Content-Length makes a Walk read up to 16 MiB ahead. Entities
// are decoded up to 16 deep. The body of a record decompresses to at most Config.MaxEntity, and at
// most 64 KiB plus 1,032 times its size. A Walk reads at most 64 MiB of the members of a Container,
// or 1,032 times the size of the Container if that is more. A reference has at most 64 KiB; longer
// ones are notes.
package extract

import (
	"errors"
	"io"
	"iter"
	"slices"
	"time"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/markdown"
	"example.org/refract/extract/message"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/resolve"
)

// A Config sets how inputs are read. The zero value has the defaults. A Config must not change
// while it is in use, and may be used by several goroutines at once.
type Config struct {
	Rules resolve.Rules // how references are resolved; the zero value is RFC 3986

	// Retrieved is the URL by which the input was retrieved (RFC 3986 section 5.1.3), if it is
	// known. With Cite, "{message-id}" in it stands for the Message-ID of each message of an
	// archive.
	Retrieved base.Source

	Default base.Source // the base if nothing else gives one (RFC 3986 section 5.1.4)

	// Type is the media type of the input, with the charset if necessary: "text/plain;
	// charset=koi8-r"; or one of Aliases: "html"; or the suffix of a name, without its dot: "adoc". If it is "", the name
	// and the first bytes of the input decide. Types of text that no Format or Container has, and application/octet-stream, are
	// scanned as running text; any other unknown type is an error.
	Type string

	// TypeName, if set, is the name that decides about the type, in place of that of the input: where the input is stored, for
	// example. It is not part of the output.
	TypeName string

	// Begin is the place in an archive where the input begins, if the input was cut out of an archive:
	// a Mark of that archive, or Mark{Line: 1}. Positions count from there. Type must then be set.
	Begin Mark

	// MaxEntity is the size in bytes up to which an entity that a Format scans is held in memory.
	// Larger ones are scanned as running text, with a note. A message may have any size: parts that are
	// not read do not count, and the others are read in pieces of this size, with a note about each
	// part that is cut. 0 means the constant MaxEntity; values above 512 MiB count as 512 MiB.
	MaxEntity int64

	// What is reported besides references in the strict sense:
	JSONLD      bool // strings of JSON-LD that look like URLs, and of JSON in a crawler's archive
	Conditional bool // references in conditional comments of HTML
	Exhaustive  bool // of HTML, what only thorough crawlers look for: conditional comments, URLs and paths in running text, bases, document types and the like; paths of robots.txt
	Scripts     bool // strings in JavaScript and JSON that are clearly URLs or paths: in pages, in files, and in records of web archives
	WikiLinks   bool // [[page]] in Markdown
	Names       bool // names of documents and files that are not URLs, with ErrName: see docs/types.md
	MDX         bool // in Markdown, imports, and href, src and to of components

	// Markdown sets the Markdown dialect that the site generator reads. The zero Dialect is GitHub's
	// Markdown, with attribute lists.
	Markdown markdown.Dialect

	// Extlinks maps roles of reStructuredText to URLs, as extlinks of Sphinx does: "%s" in a URL stands
	// for the text of the role. Attributes are AsciiDoc attributes that are set from outside. A
	// document may redefine those whose value ends in "@"; the "@" is not part of the value.
	Extlinks, Attributes map[string]string

	Details     bool // set Text, Rel, Hreflang and Type of References
	Messages    bool // set Entity.Message and Entity.Captured
	Records     bool // set Entity.Record
	Detect      bool // set Record.Detected
	Charsets    bool // set Entity.Charset
	Robots      bool // set Entity.Robots
	Cite        bool // as Messages, and set Reference.TargetPart and Reference.Depth
	TwoReadings bool // set Reference.BrowserURL
	Lines       bool // count lines: set Position.Line and Column
	IRI         bool // do not escape non-ASCII characters of URLs
	SkipBinary  bool // yield only a Note for an input that looks binary; ZIP, LZ4 and the like yield it in any case

	// MapFiles maps large plain texts into memory instead of reading them, if the reader is an *os.File and the system
	// allows it. If the file becomes shorter meanwhile, the walk ends with an error, and the slices of a Reference must
	// not be accessed: that panics.
	MapFiles bool

	// Archives says which archives of files are opened. Positions in a member count from its first byte,
	// and its base is Default, or Retrieved unless that is the URL of the archive itself.
	Archives Archives

	Prefer message.Prefer // which alternatives of a multipart/alternative are read
	Text   delimit.Rules  // what is recognised in running text
	Undo   Undo           // notations in running text that are decoded first

	// Join says which URLs in running text are joined that are broken over lines without delimiters, and Known, if not
	// nil, which whole URLs are known beforehand. It must be safe for concurrent use. Gather, if not nil, receives the URLs
	// of what is read; in a second pass, as Gathered, it is evidence, too.
	Join             Join
	Known            func(url []byte) bool
	Gather, Gathered *URLs

	// Note, Anchor and Mention, if set, are called with what documents contain besides references, in
	// source order: malformed or unusual constructs, the targets of fragments, and uses of names.
	// Parallel calls them from several goroutines, and calls them again for a Batch that is walked
	// again; when using Parallel, set the fields of each Batch instead.
	Note    func(*Note)
	Anchor  func(*Anchor)
	Mention func(*Mention)

	// OwnRecords: records of web archives about the work of the crawler itself are read, too. Their URLs begin with
	// "metadata:" (the log of wget), "urn:X-wpull:" or "dns:".
	OwnRecords bool

	// SelectRecord, if set, reports whether a record of a web archive is read. Parallel calls it from several
	// goroutines.
	SelectRecord func(*Record) bool

	// Storage, if set, says where the input is in its file, for web archives. Members of Containers have their own.
	Storage Storage

	// Formats and Containers are looked up before the built-in ones, by media type, by suffix
	// and by first bytes.
	Formats    []Format
	Containers []Container

	budget  *int64 // bytes that the members of a Container may still have; nil outside of Containers
	holding int64  // bytes of Containers that are in memory
	window  int    // bytes in a Batch; 0 is batchSize
}

// A Storage knows where the bytes of an input are in its file, which may be compressed in members: in web archives, each record is
// a member of gzip, or a frame of zstd or LZ4, of its own. It is asked by the goroutine that ranges over the Batches,
// with places that ascend, about bytes that have been read.
type Storage interface {
	// Range returns where in the file the bytes of the input from start to end are; ok is false if that is not known, or if
	// they are not exactly one or several members.
	Range(start, end int64) (offset, length int64, ok bool)
	// Damaged returns where in the file the damaged member begins whose last readable byte is from start to end, or which begins at
	// start, and why it cannot be read to its end. err is nil if there is none.
	Damaged(start, end int64) (offset int64, err error)
	// Bound returns the first place in the input, not before from, at which a member begins or ends, as far as the input has been
	// read; -1 if none is known.
	Bound(from int64) int64
}

// MaxEntity is the default of Config.MaxEntity, in bytes.
const MaxEntity = 32 << 20

// An Entity is a sequence of bytes with one media type and one base: an input, a message, a body
// part, a record of a crawler, a member of a Container, a document within a document.
type Entity struct {
	Parent *Entity // the entity that contains this one; nil for an input
	Name   string  // of the input, or the step from Parent: "1.2"
	Type   string  // media type
	Base   base.Base

	// Member is the name of a member of a Container; "" for all other entities. Positions in a member
	// count from its first byte.
	Member string
	path   string // of a member: see MemberPath

	isInPackage bool // Base is that of packageBase

	Message *scan.Message // with Config.Messages or Cite, for a message: its Message-ID and other fields by which it is cited
	File    string        // for a part of a message: the file name of the part; "" if it has none

	// Captured is, with Config.Messages or Cite, when a record of a web archive was made, in UTC; zero for other
	// entities, and if the record has no date that can be read.
	Captured time.Time

	Record *Record // with Config.Records, of a record of a web archive

	// Charset is, with Config.Charsets, the charset in which the text was decoded, by its name in the Encoding standard;
	// "" for text that is read as it is, and for formats of their own encoding.
	Charset string

	Robots Robots // with Config.Robots, of an HTML page, and of a record of a web archive
}

// A Position is a range of bytes of the input, after decompression, or of the innermost member of
// a Container.
type Position struct {
	Offset int64 // of the first byte, from 0
	Length int   // in bytes
	Line   int   // from 1; 0 is unknown
	Column int   // in bytes from 1; 0 is unknown

	// Exact is false if the bytes decode to more than the reference, or decode to it only together with
	// bytes before them.
	Exact bool
}

// A Reference is one reference of a document. It and the memory it points to are valid until the next
// one; Clone keeps it.
type Reference struct {
	Entity *Entity
	Pos    Position
	Ranges []Position // the ranges, if the reference is put together from several

	// PartLine and PartColumn are the line and column in the decoded part of a message or the decoded
	// body of a record, from 1; 0 is unknown, or outside of parts.
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
	URL []byte // absolute, escaped where necessary, or by the rules of browsers; it may be Ref; nil if there is none

	// BrowserURL is, with Config.TwoReadings, the URL that browsers make of Ref, if it has
	// another host or path than URL ([resolve.Readings]); otherwise nil.
	BrowserURL []byte

	Base base.Base // in force here
	// Inside is, for a reference in a member of a package that leads to a member, the path of that member
	// from the root of the package, and the fragment, as a URL reference: "/OEBPS/ch%201.xhtml#one". It has
	// no URL then, and Err is nil.
	Inside []byte

	Result           resolve.Result // the step that decided; the current document has no URL
	Fragment         []byte         // a fragment that points into the current document, with its "#"
	Err              error          // why there is no URL
	InvalidAuthority bool           // the authority of URL is invalid and left as written
	Alternatives     [][]byte       // URLs of other readings, at most 16: without a hyphen before a line break, or continued on the next line

	// Page is the number of the page of a PDF on which the reference is, from 1; 0 is not known. Boxes are its rectangles there, one for
	// each line.
	Page  int
	Boxes []scan.Box

	// JoinedBy says how a reference is known to continue on the next line (text, archive, known, form, layout), if it was joined.
	// Proof is the offset of the whole URL in the input, as Position.Offset; -1 if it is not known.
	JoinedBy string
	Proof    int64

	Labels scan.Labels // about the place where it is written
	Depth  int         // with Config.Cite, in a message: how deep the text is quoted; 0 is new text, or not known

	// With Config.Details, as written in the document: the text shown for the reference, and attributes
	// of its element.
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

	// NamePos is the position of Name, and TextPos that of the text of a heading. The zero Position
	// means that it is not written in the document, or that its position is unknown.
	NamePos, TextPos Position

	// Heading is the input from which package slug makes the id of a Markdown heading.
	Heading slug.Heading
}

// A Mention is a use of a name that is not a URL: a label, a term. It is valid until the callback
// returns.
type Mention struct {
	Entity *Entity
	Pos    Position // of the name as written
	In     string   // where it is used: "link"
	Space  string   // the namespace of Name, as in Anchor
	Raw    []byte   // as written
	Name   []byte   // in the form in which names of its Space are compared
}

// Message returns the citation data of the innermost message that contains r; nil if r is not in a
// message, or without Config.Messages and Cite.
func (r *Reference) Message() *scan.Message {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Message != nil {
			return e.Message
		}
	}
	return nil
}

// Date returns the date of the innermost message or record that contains r, in UTC; zero if there is
// none that can be read, or without Config.Messages and Cite.
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

// Document returns the URL by which the document that contains r was retrieved, unescaped; "" if it
// is not known.
func (r *Reference) Document() string {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Base.Layer == base.Retrieval {
			return e.Base.URI
		}
	}
	return ""
}

// Member returns the name of the innermost member of a Container that contains r; "" if there is
// none.
func (r *Reference) Member() string { return r.Entity.member() }

// MemberPath returns the path of the innermost member of a Container that contains e, from the input on:
// "a/b.html", or, if that is in an archive within the input, "lib.zip!/b.html". It is "" if there is none.
// If the Container is in a message or a record, the path begins with the name of its file: "lib.zip!/b.html".
func (e *Entity) MemberPath() string {
	for ; e != nil; e = e.Parent {
		if e.Member != "" {
			return e.path
		}
	}
	return ""
}

func (e *Entity) member() string {
	for ; e != nil; e = e.Parent {
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
	c.BrowserURL, c.Inside = clone(r.BrowserURL), clone(r.Inside)
	c.Ranges = append([]Position(nil), r.Ranges...)
	c.Boxes = slices.Clone(r.Boxes)
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

	// Unread is the kind of thing that is not read, or, with the code as-text, that is scanned as
	// running text. It is meant for counting: "PDF", "image", ".pst", a media type, "binary", "large
	// record". It is "" if the note is about something that is read.
	Unread string

	Damage *Damage // with the code damaged, of a record of a web archive
}

// A Damage says why a record of a web archive is incomplete.
type Damage struct {
	Offset int64  // where the damaged member or frame begins in the file, or, in an uncompressed file, the record
	Target string // the URL of the record; "" if it has none
	Err    error
}

// Walk yields the references of the input that r reads, in source order. An error of r is the last
// element, after the references of everything read before it. name is for the Entity, and its suffix
// helps to find the type of the input. The iterator is single-use.
//
// r may be a stream that pauses, such as a pipe or a connection: of running text, Walk yields a
// reference as soon as what r has returned decides about it, before it reads more. That is the
// white space after the reference at the latest, or, if the reference ends a line of 60 bytes or more
// and may continue, the first word of the next line. If neither name nor Config.Type gives a type, the
// first lines decide about that: those that may begin a message, markup or TeX are read up to 4 KiB.
// All other documents, and text with a charset or Config.Undo to decode, are read as files are.
//
// To cancel a Walk, stop the loop, or let a Read of r return the error of a context: Walk reads no further,
// and yields what precedes the error.
//
// If the code that reads a document, message or record panics, such as the Scan of a Format, Walk
// continues after that document, message or record, and calls Note for each panic. The last element
// is then the first panic, a *PanicError.
func (c *Config) Walk(name string, r io.Reader) iter.Seq2[*Reference, error] {
	return func(yield func(*Reference, error) bool) {
		var prev *Batch
		var failure error
		for b, err := range c.batches(name, r, readiness(r)) {
			if err != nil {
				if failure != nil {
					err = errors.Join(err, failure)
				}
				failure = err
				break
			}
			for ref := range b.References() {
				if !yield(ref, nil) {
					return
				}
			}
			if failure == nil {
				failure = b.Err()
			}
			prev.Release()
			prev = b
		}
		prev.Release()
		if failure != nil {
			yield(nil, failure)
		}
	}
}

// All returns copies of the references that refs yields, which stay valid, and the first error: of
// c.Walk(name, r), all references of an input. To collect what Walk itself yields would be wrong: it reuses one Reference.
//
//	refs, err := extract.All(cfg.Walk(name, r))
func All(refs iter.Seq2[*Reference, error]) ([]*Reference, error) {
	var all []*Reference
	for r, err := range refs {
		if err != nil {
			return all, err
		}
		all = append(all, r.Clone())
	}
	return all, nil
}
