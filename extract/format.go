package extract

import (
	"io"
	"iter"

	"example.org/refract/extract/internal/mailbox"
	"example.org/refract/extract/message"
	"example.org/refract/extract/scan"
)

// A Format is one kind of document. Formats lists the built-in ones; a program adds its own with
// Config.Formats, which are looked up first. Only Types must be set.
//
// A Format is read-only once a Config uses it. Several goroutines may call its functions at once.
type Format struct {
	// Types are the media types of the format, in lower case. A document recognised by its name has the first
	// one. A type that begins with "+" stands for all types with that ending that are not listed themselves:
	// "+xml" (RFC 6839 section 3).
	Types []string

	Suffixes []string // of file names, in lower case: ".md"
	Alias    string   // short for the first type, as in --type; "" if there is none

	// Sniff returns the media type of a document of this format that begins with head, its first 4,096 bytes or
	// all of it; "" if the document has another format. It is called for documents whose name has no known
	// suffix. For documents with one of Suffixes, it may choose between types. Text in UTF-16 is passed without
	// its NUL bytes, unless Multipart is set. If Sniff is nil, only the name decides.
	Sniff func(head []byte) string

	// onlySniffed: a document with one of Suffixes has this format only if Sniff recognises it: "x.1" may be a
	// manual page or a log.
	onlySniffed bool

	// Charset returns the name of the charset that a document declares within itself, as the Encoding standard
	// spells it, or "". It is called with the first 1,024 bytes. If they declare none and the document is not
	// valid UTF-8, it is called again with all bytes, and whole set. If Charset is nil, documents declare no
	// charset.
	Charset func(src []byte, whole bool) string

	// UTF8Queries: the queries of references are in UTF-8, whatever the charset of the document (RFC 3987
	// section 3.1). Otherwise they are in the charset of the document, as in browsers.
	UTF8Queries bool

	// Multipart: a document consists of parts that have charsets of their own, as a message does. Scan gets the
	// bytes of the document undecoded, and yields the parts.
	Multipart bool

	// Trim returns the range of src that is the document itself, without anything that a program has put around
	// it. If Trim is nil, the range is all of src. It is called for inputs of a Multipart Format.
	Trim func(src []byte) scan.Span

	// isMessage: package message cuts up the document, and can leave out parts that are not read. frame, for a
	// file that wraps a message, returns where the message begins, and its size.
	isMessage bool
	frame     func(head []byte) (start int, size int64)

	// lines, for a document whose lines are scanned one by one, returns their scanner by the first bytes. Such
	// documents are cut into pieces of whole lines, and may have any size.
	lines func(head []byte) lineScanner

	// isBinary: a document has no lines, and is not read as text if it is too large to be held.
	isBinary bool

	// Autolink: readers of the format turn URLs in the text of its parts into links. Context passes this on to
	// the scanners of the parts.
	Autolink bool

	// Scan yields the contents of a document in source order, a base before everything that it governs. src is
	// UTF-8, or has another charset that contains ASCII. Every src is valid. Scan must run in time linear in
	// len(src); the Items are valid until the next one. If Scan is nil, documents are running text.
	Scan func(src []byte, c *Config, x Context) iter.Seq[*scan.Item]

	Audit     Role      // whether an audit reads documents of this format
	Fragments Fragments // what fragments can point to, for an audit

	// Setup, if not nil, sets the options with which an audit, a fixer or an editor reads documents of this
	// format.
	Setup func(c *Config)

	// Quote appends ref, or a path, query or fragment of it, quoted as needed at a place of a document. ok is
	// false if it cannot be written there. If Quote is nil, documents are never edited.
	Quote func(dst []byte, ref string, at scan.Place) (_ []byte, ok bool)

	// Unfinished finds the reference that is being written at the end of line, which is a line of a document up
	// to the cursor. If Unfinished is nil, an editor completes nothing.
	Unfinished func(line []byte) (_ scan.Unfinished, ok bool)
}

// A Role says whether an audit reads documents of a format.
type Role uint8

const (
	WhenNamed Role = iota // when given as arguments
	Always                // also when found in a directory
	Never                 // not even when given as arguments
)

// Fragments says what fragments can point to in the documents of a format.
type Fragments uint8

const (
	NoFragments        Fragments = iota
	WrittenFragments             // ids, as written
	GeneratedFragments           // also headings, from whose text the site generator makes ids
	SimilarFragments             // also headings, by rules of several programs: compares only letters and digits
	TitleFragments               // also titles, from whose text Docutils makes ids
	SectionFragments             // ids, including those that the scanner makes for sections
)

// A lineScanner scans whole lines of a document.
type lineScanner func(src []byte) iter.Seq[*scan.Item]

// A Context holds what the Scan of a Format needs to know about the document and the walk.
type Context struct {
	Type     string // media type of the document
	Nested   bool   // the document is a part of another
	Autolink bool   // URLs in its text are shown as links: see Format
	Anchors  bool   // Items of Op Anchor are wanted
	Mentions bool   // Items of Op Mention are wanted, and Anchors in their namespaces

	// The following are for a Multipart Format. Outline: yield only the Items that name the parts: Enter, Base,
	// Content-Location and Leave. Quoted: the document comes from an mbox, which may have put a ">" before
	// lines that begin with "From ". ReadAs returns the media type as which to read a part, given its own type,
	// in lower case, and its file name, or "". If it returns "", the part is not read.
	Outline, Quoted bool
	ReadAs          func(mediaType, name string) string

	excerpt *message.Excerpt // of a message that is too large to be held; nil: the document is whole
}

// A Container is a kind of file that holds documents. The built-in ones are archives of messages and of
// crawls, which are read as streams; a program adds its own with Config.Containers, which are looked up
// first. Types and Members must be set.
//
// A Container is read-only once a Config uses it. Several goroutines may call its functions at once.
type Container struct {
	Types    []string // media types, in lower case; a file recognised by its name has the first one
	Suffixes []string // of file names, in lower case: ".mbox"
	Alias    string   // short for the first type, as in --type; "" if there is none
	Audit    Role     // whether an audit reads such files

	// Sniff reports whether a file that begins with head, its first 4,096 bytes or all of it, is such a
	// container. It is called if the name has no known suffix, and, with SniffText, also if the name has a
	// suffix of plain text. If Sniff is nil, only the name decides.
	Sniff     func(head []byte) bool
	SniffText bool

	// Members yields the members of the file that r reads, in the order in which they are walked. An error is
	// the last element: it says why the rest of the file cannot be read. Members must run in time linear in
	// size, not counting the decompression of members.
	Members func(r io.ReaderAt, size int64, limits Limits) iter.Seq2[Member, error]

	// stream is Members for a file that is read from its beginning to its end.
	stream func(r io.Reader, limits Limits) iter.Seq2[Member, error]

	// onlySniffed: the suffixes are those of attachments; what an input is, Sniff alone decides.
	onlySniffed bool

	// isPackage: a file is one document in several members, such as a book. It is read wherever it is found,
	// unlike an archive. A ZIP archive with one of Suffixes is such a container.
	isPackage bool

	// isMail: the members are those of a message around it, and have its base.
	isMail bool

	split func(state int) mailbox.Splitter // of messages; nil: without Members or stream, the archive of a crawler
}

// IsPackage reports whether files of k are documents in several members, such as EPUB and office documents.
// They are read wherever they are found, and by audits.
func (k *Container) IsPackage() bool { return k != nil && k.isPackage && k.Audit == Always }

// hasMembers reports whether k is opened by walker.packed.
func (k *Container) hasMembers() bool { return k != nil && (k.Members != nil || k.stream != nil) }

// A Member is a document in a Container, which may itself be a Container.
type Member struct {
	Name string // path in the container, with forward slashes
	Type string // media type, as in Config.Type; "": Name and the first bytes decide

	// Open returns a reader of the member's bytes, decompressed. It is called at most once, before the next
	// Member is asked for. If the reader is an io.Closer, it is closed.
	Open func() (io.Reader, error)

	// place, for a member of a package, is its path as a URL reference: "/OEBPS/ch%201.xhtml". Relative
	// references in it point to other members. If it is "", as in an archive, they point to no member.
	place string

	// isInDir: references with Item.IgnoresBase are relative to the package as if it were a directory,
	// otherwise to the package as a file. hasOwn: there may be such references, so they do not follow HTML.
	hasOwn, isInDir bool

	format *Format // how it is read; nil: Type, Name and the first bytes decide
}

// Limits bounds how much of a Container is read.
type Limits struct {
	Members int   // most members to walk
	Bytes   int64 // most bytes of all members together, decompressed
}
