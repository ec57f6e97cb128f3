package extract

import (
	"time"

	"example.org/refract/base"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/scan"
)

// An Entity is a sequence of bytes with one media type and one base: an input, a message, a body part, a
// record of a crawl, a member of a Container, a document within a document.
type Entity struct {
	Parent *Entity // the entity that contains this one; nil for an input
	Name   string  // name of the input, or the step from Parent: "1.2"
	Type   string  // media type
	Base   base.Base

	// Member is the name of a member of a Container; "" for all other entities. Positions in a member
	// count from its first byte.
	Member string
	path   string // of a member: see MemberPath

	isInPackage bool // Base is that of packageBase

	Message *scan.Message // with Config.Messages or Cite: fields of a message by which it is cited
	File    string        // for a part of a message: the file name of the part; "" if it has none

	// Captured is, with Config.Messages or Cite, when a record of a web archive was made, in UTC; zero for
	// other entities, and if the record has no readable date.
	Captured time.Time

	Record *Record // with Config.Records: the record of a web archive

	// Charset is, with Config.Charsets, the charset from which the text was decoded, by its name in the
	// Encoding standard; "" for text that needs no decoding, and for formats with their own encoding.
	Charset string

	Robots Robots // with Config.Robots: of an HTML page, or of a record of a web archive
}

// Path returns the path of an entity in its input or in the member of a Container: "2.1", "srcdoc"; "" for
// the input or member itself, and for a message of an archive. The path of a record in a crawl archive
// begins with the number of the record, from 1. If the Container is a part of a message, or a record, the
// path begins with that part or record.
func (e *Entity) Path() string {
	path := ""
	for ; e != nil && e.Parent != nil; e = e.Parent {
		switch {
		case e.Name == "":
		case path == "":
			path = e.Name
		default:
			path = e.Name + "." + path
		}
	}
	return path
}

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

// A Record is the header of a record of a web archive. Texts are as written unless stated otherwise, and ""
// if the record does not have them.
type Record struct {
	Type      string // such as "response"; "" for a type that no version of WARC defines
	ID        string // WARC-Record-ID, with its brackets
	Target    string // WARC-Target-URI, without the brackets around it; of ARC, the URL
	Date      string // WARC-Date; of ARC, in RFC 3339 form
	Truncated string // WARC-Truncated: why the record does not have all of the body
	Damaged   string // why the archive does not have all of the record, being damaged or cut there; "" if it is whole

	Status      int    // of HTTP; 0: there is none
	ContentType string // of HTTP; if the record has no HTTP heading, of the record
	Redirect    string // the Location of an HTTP redirect

	// Detected is, with Config.Detect, the media type of the body by its first bytes. If they show only that it
	// is text or binary data, it is the type in ContentType, in lower case and without parameters. It is "" if
	// there is no body.
	Detected string

	// Offset and Length say where the record is in the file, in bytes, as Config.Storage gives them; in a
	// member of a Container, where it is in the member. Length is 0 if that is not known.
	Offset, Length int64
}

// Robots is the set of restrictions that a page puts on all robots: by <meta name=robots>, anywhere in it
// and also in <noscript>, and, in a record of a web archive, by the X-Robots-Tag header of HTTP. Rules for
// one robot, such as googlebot, do not count, nor do rules with a value, such as max-snippet.
type Robots uint16

const (
	NoIndex Robots = 1 << iota // "noindex" in the page; Robots.Names has the others
	NoFollow
	NoArchive
	NoCache
	NoSnippet
	NoImageIndex
	NoTranslate
	NoAI
	NoImageAI
)

// Names returns the names of the members of r.
func (r Robots) Names() (names []string) {
	for i, name := range robots.Names {
		if r>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}
