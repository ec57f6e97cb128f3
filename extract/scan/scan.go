// Package scan defines the Items that scanners report. Use it to write a scanner, or to read the Items of
// one. It holds data only, so that a scanner need not import other packages of the project, except those it
// is built from.
//
// A scanner reads one entity (bytes with one media type and one base) and yields Items in source order, a
// base before everything that it governs. Every input is valid; malformed input yields fewer references,
// and a Note.
package scan

import (
	"fmt"
	"time"

	"example.org/refract/internal/ascii"
)

// Op says what an Item reports.
type Op uint8

const (
	Ref     Op = iota // a reference
	Base              // a base, before everything that it governs: up to the end of the entity, or to its End
	End               // ends the innermost Base that is in force
	Part              // an entity within this one, with a type and a base of its own
	Enter             // the Items up to the matching Leave are of an entity within this one
	Leave             // leaves the innermost entity that was entered
	Body              // the content of the current entity, decoded; a Body with a Name is an entity within it, with the same base
	Anchor            // the definition of a name: the target of a fragment or of a Mention of its Space
	Note              // the document is malformed or unusual
	Mention           // the use of a name that is not a URL: a label, a term
	Open              // the Items up to the matching Close are of Value, which was decompressed from Span: an entity with the same base
	Close             // ends the entity of an Open
)

var ops = [...]string{"ref", "base", "end", "part", "enter", "leave", "body", "anchor", "note", "mention", "open", "close"}

// String returns the name of op in lower case, for messages: "anchor".
func (op Op) String() string {
	if int(op) >= len(ops) {
		return fmt.Sprintf("Op(%d)", uint8(op))
	}
	return ops[op]
}

// Kind is the purpose of a reference.
type Kind uint8

const (
	Text       Kind = iota // written in running text
	Link                   // followed on request
	Embed                  // fetched to show the document
	Form                   // submitted to
	Cite                   // the source of a quotation
	Metadata               // about the document
	Header                 // in a field of a message
	Definition             // a link definition
)

var kinds = [...]string{"text", "link", "embed", "form", "cite", "metadata", "header", "definition"}

// String returns the name of k in JSON output: "link".
func (k Kind) String() string {
	if int(k) >= len(kinds) {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kinds[k]
}

// Kinds returns the names of all kinds.
func Kinds() []string { return kinds[:] }

// How says how a reference was recognised.
type How uint8

const (
	Bare      How = iota // in text, delimited by white space and punctuation
	Angle                // in text, delimited by <…>
	Quoted               // in text, delimited by "…"
	Prefixed             // in text, prefixed with URL:
	Attribute            // the value of an attribute
	Field                // the value of a header field
	CSS                  // a token of a style sheet
	Inline               // [text](destination)
	Reference            // [label]: destination
	Autolink             // <destination> of Markdown
	JSON                 // a string in a block of data
	Element              // the content of an element

	Macro      // a macro of AsciiDoc: link:destination[text]
	Role       // a role of reStructuredText or MyST: :ref:`label`
	Directive  // the argument or an option of a directive
	Navigation // an entry of a site's navigation
	Script     // a string or a comment of a script
)

var hows = [...]string{
	"bare", "angle", "quoted", "prefixed", "attribute", "header", "css", "inline", "reference", "autolink", "json", "element",
	"macro", "role", "directive", "navigation", "script",
}

// String returns the name of h in JSON output: "attribute".
func (h How) String() string {
	if int(h) >= len(hows) {
		return fmt.Sprintf("How(%d)", uint8(h))
	}
	return hows[h]
}

// A Span is the range of bytes from Start to End, counted from the first byte of the entity.
type Span struct{ Start, End int }

// An Item is one thing that a scanner reports. It is valid until the next one: a scanner reuses it
// and the memory it points to.
type Item struct {
	Op          Op
	Kind        Kind   // of a Ref
	How         How    // of a Ref
	Flow        Flow   // of a Body
	IgnoresBase bool   // of a Ref: relative to the URL of the entity itself, whatever the base
	Loose       bool   // of a Ref or Mention: Span decodes to more than Value
	Depth       uint16 // of a Ref or Body: number of reply marks before it on its line; 0 is new text, or not known

	Labels Labels // of a Ref
	In     string // the place of a Ref: "a/href", "<URL:>"; for a Base, the source of the base

	Span  Span   // in the entity, as written
	Value []byte // decoded, may alias the entity; of a Mention, the name in the form to compare
	Map   *Map   // of a Part or Body: from Value to the entity; nil if Value is the bytes of Span

	Meant string // of a Ref: the prefix implied before Value, such as "http://" (Appendix F)
	Type  string // media type; of a Ref, on request, that of its target; of some Notes, the kind to count
	Name  string // path step of a Part, Enter, Open or Body: "2", "srcdoc"

	// Space is the namespace of the name of an Anchor or a Mention. "" holds the fragments of the document
	// itself; others are "label", "ref", "term". For a Ref, it says that Value is the name of a document or
	// file, which is not resolved; "" if it is a URL reference.
	Space string

	// Text is, for a Note, its message for people; for an Anchor that is a heading, the text of the heading; on
	// request, for a Ref, the text shown for it.
	Text string
	Code Code // of a Note: its code, for programs

	More *More // fields that few Items have; nil: none
}

// More holds the fields of an Item that are rarely set, so that Items stay small.
type More struct {
	Parts []Span // the ranges of a Ref that is put together from several, in order
	Drop  []int  // offsets in Value of hyphens that may belong to a line break

	Fragment string // of a Ref: a fragment that stands elsewhere in the document, to be added to Value

	Longer []byte // of a Ref: its Value if it continues on the next line

	Charset string   // label of the charset of a Body, as the document has it
	File    string   // of an Enter or Body: its file name, as the message has it
	Packed  bool     // of a Body: Value was decompressed, so that Span has no spelling of what it contains
	IsValue bool     // of a Body of running text: it is the value of a field, and a URL that fills it ends with it
	Message *Message // of an Enter or Body that is a message, on request

	Capture *Capture // of an Enter or Body that a crawler or browser received: see Capture

	Alt      string // of a heading: Text with the descriptions of its images, if it has any
	Source   string // of a heading: as written, without its marks
	Entities string // of a heading: Text with the entities that VitePress keeps, if it has any
	Page     int    // of a Ref: the number of its page, from 1; 0 is not known
	Boxes    []Box  // of a Ref on a page: its rectangles, one for each line

	Rel      string // on request, of a Ref
	Hreflang string // on request, of a Ref

	Choice *Choice // on request, of a Ref in HTML but for links, or in a style sheet: see Choice

	// NameSpan is the range of the name of an Anchor, and TextSpan that of the text of a heading, both
	// in the entity. The zero Span means that it is not written there, or that its position is unknown.
	NameSpan, TextSpan Span
}

// A Capture says how the content of an entity was retrieved by HTTP. Its URL is the base of the entity. A
// Body with a Capture has no content coding.
type Capture struct {
	URL         string
	Date        string // RFC 3339
	Status      int    // of HTTP; 0: there is none
	ContentType string // as the server sent it
	Redirect    string // the Location of an HTTP redirect

	RobotsTags [][]byte // the values of X-Robots-Tag
	Body       []byte   // the content, if the server sent any
}

// A Choice describes when browsers fetch a reference, as far as the page says. Texts are as written, or "".
type Choice struct {
	Element    int    // the number of the element in its document, which is above that of all elements before it; in a style sheet, of a declaration
	Group      int    // the number of its parent if that is a picture, video, audio or frameset; in a style sheet, of a block; 0: there is none
	Descriptor string // of a candidate of srcset or an option of image-set(): "2x", "800w"; of a font in a style sheet, its format in lower case: "woff2"

	Media, Sizes, As, Preload string // attributes of the element; Sizes may be that of imagesizes, and Preload that of the parent
	IsDefault, IsDisabled     bool   // attributes of the element

	Property string   // in a style sheet: the name of the declaration's property, in lower case
	Around   []string // in a style sheet: what stands before the blocks around it, outermost first: "@media print", "a:hover, .b"; valid until the next Item
	Set      int      // in a style sheet: the number of the image-set() around it; 0: there is none
}

// Selectable is the Space of an Item of Op Mention that holds, on request and at the end of a page, the names that selectors of style sheets look
// at: of its elements ('<') and attributes ('['), its ids ('#') and classes ('.'). Its Value is the Features of these, of four bytes each in big
// endian, each once; it is empty if there are too many.
const Selectable = "selectable"

// Feature stands for a name of a kind, whatever the case of its ASCII letters.
func Feature[T ~string | ~[]byte](kind byte, name T) uint32 {
	h := (2166136261 ^ uint32(kind)) * 16777619 // FNV-1a
	for i := range len(name) {
		h = (h ^ uint32(ascii.ToLower(name[i]))) * 16777619
	}
	return h
}

// Extra returns what it.More points to, or the zero More if it.More is nil.
func (it *Item) Extra() More {
	if it.More == nil {
		return More{}
	}
	return *it.More
}

// Flow says whether lines of text continue on the next line (RFC 3676).
type Flow uint8

const (
	Fixed  Flow = iota // no line does
	Flowed             // lines that end in a space do
	DelSp              // the same, and the space is not part of the text
)

// A Message holds the data by which a message is cited. Absent fields are "". Message-IDs are without
// brackets.
type Message struct {
	ID         string    // its Message-ID
	Subject    string    // decoded; of at most 80 characters
	Date       string    // as written
	Time       time.Time // Date in UTC; zero if it cannot be read
	From       string    // the address of the first author; "" if the field holds no address
	FromName   string    // the name of the first author, decoded; of at most 80 characters
	InReplyTo  string    // the first Message-ID in the In-Reply-To field
	References []string  // Message-IDs of the messages before it in its thread: the first and the last 100
	ListID     string    // of List-Id (RFC 2919), without brackets
	Newsgroups string    // separated by commas
}

// Labels is a set of properties of the place of a reference.
type Labels uint32

const (
	Lazy        Labels = 1 << iota // in an attribute that scripts read, by convention: data-src
	Noscript                       // followed only without scripts
	Template                       // in content that is shown only when a script copies it
	Conditional                    // in a comment that old versions of Internet Explorer read
	Speculative                    // not a reference by its format, but looks like one
	Overridden                     // another attribute of the element is used instead
	FrontMatter                    // a value of the metadata at the beginning of a document
	Unused                         // a definition that nothing refers to
	Alternative                    // in one of several forms of the same content (multipart/alternative)
	Include                        // the file is made a part of this document
	Output                         // the output of a program that the document records
	Guess                          // the form of the target is assumed: the document does not say what it means
	MayContinue                    // it ends at the end of its line, and the next line begins like a continuation of it
	Deleted                        // in an object that the current revision of the document does not use
	OtherHost                      // the text shown for it is a URL with another host
)

var labels = [...]string{"lazy", "noscript", "template", "conditional", "speculative", "overridden", "front-matter", "unused", "alternative", "include", "output", "guess", "may-continue", "deleted", "other-host"}

// Names returns the names of the members of l.
func (l Labels) Names() (names []string) {
	for i, name := range labels {
		if l>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// LabelNames returns the names of all labels.
func LabelNames() []string { return labels[:] }

// A Box is a rectangle on a page, from X0, Y0 to X1, Y1, in points (1/72 inch) from the lower left corner.
type Box struct{ X0, Y0, X1, Y1 float64 }

// Union returns the smallest rectangle that contains both.
func (b Box) Union(c Box) Box {
	return Box{min(b.X0, c.X0), min(b.Y0, c.Y0), max(b.X1, c.X1), max(b.Y1, c.Y1)}
}

// A Place is where a reference is written in a document.
type Place struct {
	How    How
	In     string // as of Item
	Before byte   // the byte before it; 0 if there is none
}

// Unfinished is a reference that is being written.
type Unfinished struct {
	Start int  // offset in the line, in bytes
	How   How  // of the reference
	Quote byte // the byte that ends it; 0 means white space or a bracket

	// Kind tells what it may point to: a Link to a document, an Embed to an image, a Definition to either, and
	// Text to anything.
	Kind Kind
}

// A Code says what a Note is about, for programs. The Text of a Note is for people, and may change; its
// Code does not.
type Code string

const (
	CodeBaseIgnored     Code = "base-ignored"     // a base that does not count: a second one, or one nested too deeply
	CodeDamaged         Code = "damaged"          // an archive, or a member of one, that cannot be read to its end
	CodeDuplicateLabel  Code = "duplicate-label"  // a label that is defined again: the first definition counts
	CodeEntityLimit     Code = "entity-limit"     // entities whose text is too long are left as written
	CodeInternal        Code = "internal"         // the code that reads an entity has failed: the rest of it is lost
	CodeInvalidBase     Code = "invalid-base"     // a base that is not absolute, or cannot be one
	CodeInvalidData     Code = "invalid-data"     // a data block that cannot be read
	CodeInvalidItem     Code = "invalid-item"     // an Item of an added Format whose Span is not in the document
	CodeInvalidSrcset   Code = "invalid-srcset"   // an image candidate that browsers drop
	CodeMalformed       Code = "malformed"        // a message or notebook that breaks the rules of its format
	CodePartial         Code = "partial"          // a piece of a message, or of a record, that continues elsewhere
	CodeScript          Code = "script"           // with Choices: a script in a page, of which there may be more
	CodeSimplified      Code = "simplified"       // the document is scanned in a simpler way that ignores headings
	CodeTooDeep         Code = "too-deep"         // nested too deeply; not read
	CodeTooLarge        Code = "too-large"        // over the limit: the rest is not read, or is read in a simpler way
	CodeTooLong         Code = "too-long"         // a run without white space that is too long for a reference
	CodeUnclosed        Code = "unclosed"         // a tag, a comment or another construct that nothing closes
	CodeUndefinedLabel  Code = "undefined-label"  // [text][label] with an undefined label
	CodeUndeclared      Code = "undeclared"       // quoted-printable that no header declares, or JSON by its first bytes
	CodeUnknownCharset  Code = "unknown-charset"  // an unknown charset label
	CodeUnknownEncoding Code = "unknown-encoding" // a transfer or content encoding that is unknown or cannot be decoded
	CodeUnreadType      Code = "unread-type"      // an unread type: an attachment, a record, a file
	CodeAsText          Code = "as-text"          // a file of an unread type, given by name: scanned as running text
	CodeUnread          Code = "unread"           // not read for a reason other than its size or depth
)
