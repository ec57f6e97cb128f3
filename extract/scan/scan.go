// Package scan holds what scanners report: data only, so that a scanner needs to
// import nothing else of the project but what it is made of.
//
// A scanner reads one entity (bytes with one media type and one base) and yields
// Items in source order, a base before everything that it governs. Every input is
// valid; odd input yields less, and a Note.
package scan

import "time"

// Op says what an Item reports.
type Op uint8

const (
	Ref     Op = iota // a reference
	Base              // a base, in front of all that it governs: to the end of the entity, or to its End
	End               // the last Base that has not ended governs no more
	Part              // an entity within this one, with a type and a base of its own
	Enter             // what follows, to its Leave, is of an entity within this one
	Leave             // the last Enter that has not been left
	Body              // the content of the entity at hand, decoded; one with a Name is an entity within it, with the same base
	Anchor            // the definition of a name: what a fragment may point at (an id, a name, a heading), or what a Mention of its Space uses
	Note              // the document is malformed or unusual
	Mention           // the use of a name that is no URL: a label, a term
)

// Kind says what a reference is for.
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

func (k Kind) String() string { return kinds[k] }

// Kinds returns the names of all kinds.
func Kinds() []string { return kinds[:] }

// How says by what a reference was recognised.
type How uint8

const (
	Bare      How = iota // in text, by white space and punctuation
	Angle                // in text, by <…>
	Quoted               // in text, by "…"
	Prefixed             // in text, by URL:
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
)

var hows = [...]string{
	"bare", "angle", "quoted", "prefixed", "attribute", "header", "css", "inline", "reference", "autolink", "json", "element",
	"macro", "role", "directive", "navigation",
}

func (h How) String() string { return hows[h] }

// A Span is the bytes from Start to End, in bytes from the entity's first.
type Span struct{ Start, End int }

// An Item is one thing that a scanner reports. It is valid until the next one:
// a scanner reuses it and everything that it points to.
type Item struct {
	Op    Op
	Kind  Kind   // of a Ref
	How   How    // of a Ref
	Flow  Flow   // of a Body
	Own   bool   // of a Ref: relative to the URL of the entity itself, whatever its base
	Loose bool   // of a Ref or Mention: Span decodes to more than Value
	Depth uint16 // of a Ref or Body: how many reply marks precede it on its line; 0 is new text, or not known

	Labels Labels // of a Ref
	In     string // where a Ref stands: "a/href", "<URL:>"; what gave a Base

	Span  Span   // in the entity, as written
	Value []byte // after undoing the quoting; aliases the entity where nothing was undone. Of a Mention: the name, in the form in which names of its Space are compared
	Map   *Map   // of a Part or Body: from Value to the entity; nil where Value is the bytes of Span

	Meant string // of a Ref: "http://" or the like is meant in front of Value (Appendix F)
	Type  string // media type of a Part, Enter or Body; on request, of what a Ref refers to, as the document has it
	Name  string // path step of a Part, Enter or Body: "2", "srcdoc"

	// Space is the namespace of the name of an Anchor or a Mention. "" holds the
	// fragments of the document itself; others are "label", "ref", "term".
	Space string

	// Text is of a Note: what is odd, for people. Of an Anchor that is a heading: its
	// text. On request, of a Ref: what is shown for it.
	Text string
	Code Code // of a Note: what is odd, for programs

	More *More // what few Items have; nil: nothing
}

// More holds the fields of an Item that are rarely set, so that Items stay small.
type More struct {
	Parts []Span // the ranges of a Ref that is put together from several, in order
	Drop  []int  // offsets in Value of hyphens that may belong to a line break

	Longer []byte // the Value of a Ref in a reading that continues on the next line

	Charset string   // label of the charset of a Body, as the document has it
	File    string   // of an Enter or Body: the name of the file that it is, as the message has it
	Message *Message // of an Enter or Body that is a message, on request

	Alt      string // of a heading: Text with the descriptions of its images, if it has any
	Source   string // of a heading: as written, without its marks
	Rel      string // on request, of a Ref
	Hreflang string // on request, of a Ref

	// NameSpan is where the name of an Anchor is written, and TextSpan where the text of a
	// heading is, both in the entity. The zero Span: it is not written, or not known where.
	NameSpan, TextSpan Span
}

// Extra returns what it.More points to, or the zero More where that is nil.
func (it *Item) Extra() More {
	if it.More == nil {
		return More{}
	}
	return *it.More
}

// Flow says whether lines of text continue each other (RFC 3676).
type Flow uint8

const (
	Fixed  Flow = iota // no line does
	Flowed             // those that end in a space are continued
	DelSp              // and the space is not of the text
)

// A Message says by what a message is cited. What it does not have is "". Message-IDs are
// without brackets.
type Message struct {
	ID         string    // its Message-ID
	Subject    string    // decoded; of at most 80 characters
	Date       string    // as written
	Time       time.Time // Date in UTC; zero if it cannot be read
	From       string    // the address of the first author
	InReplyTo  string    // the first Message-ID in that field
	References []string  // Message-IDs of the messages before it in its thread: the first and the last 100
	ListID     string    // of RFC 2919, without brackets
	Newsgroups string    // separated by commas
}

// Labels is a set of what there is to know about where a reference stands.
type Labels uint32

const (
	Lazy        Labels = 1 << iota // in an attribute that scripts read, by convention: data-src
	Noscript                       // followed only without scripts
	Template                       // in content that is shown only when a script copies it
	Conditional                    // in a comment that old versions of Internet Explorer read
	Speculative                    // not by its format a reference, but looks like one
	Overridden                     // another attribute of the element is used in its place
	FrontMatter                    // a value of the metadata in front of a document
	Unused                         // a definition that nothing refers to
	Alternative                    // in one of several forms of the same content (multipart/alternative)
	Include                        // the file is made a part of this document
	Output                         // the output of a program that the document records
	Guess                          // the form of the target is assumed: the document does not say what it means
	MayContinue                    // it ends with its line, and the next line begins like the rest of it
)

var labels = [...]string{"lazy", "noscript", "template", "conditional", "speculative", "overridden", "front-matter", "unused", "alternative", "include", "output", "guess", "may-continue"}

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
