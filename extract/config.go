package extract

import (
	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/markdown"
	"example.org/refract/extract/message"
	"example.org/refract/resolve"
)

// A Config sets how inputs are read. The zero value has the defaults. Do not change a Config while it is in
// use. Several goroutines may use it at once.
type Config struct {
	Rules resolve.Rules // how references are resolved; the zero value is RFC 3986

	// Retrieved is the URL by which the input was retrieved (RFC 3986 section 5.1.3), if known. With Cite,
	// "{message-id}" in it stands for the Message-ID of each message of an archive.
	Retrieved base.Source

	Default base.Source // the base if nothing else gives one (RFC 3986 section 5.1.4)

	// Type is the media type of the input, with the charset if necessary: "text/plain; charset=koi8-r"; or one
	// of Aliases: "html"; or the suffix of a name, without its dot: "adoc". If it is "", the name and the first
	// bytes of the input decide. Types of text that no Format or Container has, and application/octet-stream,
	// are scanned as running text; any other unknown type is an error.
	Type string

	// TypeName, if set, is the name that decides about the type in place of the input's name: where the input
	// is stored, for example. It is not part of the output.
	TypeName string

	// Begin is the place in an archive where the input begins, if the input was cut out of an archive: a Mark
	// of that archive, or Mark{Line: 1}. Positions count from there. Type must then be set.
	Begin Mark

	// MaxEntity is the size in bytes up to which an entity that a Format scans is held in memory. Larger ones
	// are scanned as running text, with a note. A message may have any size. Parts that are not read do not
	// count, and the others are read in pieces of this size, with a note about each part that is cut. 0 means
	// the constant MaxEntity; values above 512 MiB count as 512 MiB.
	MaxEntity int64

	// What to report besides references in the strict sense:
	JSONLD      bool // strings of JSON-LD that look like URLs, and of JSON in crawl archives
	Conditional bool // references in conditional comments of HTML
	Exhaustive  bool // what only thorough crawlers look for in HTML, and paths of robots.txt
	Scripts     bool // strings in JavaScript and JSON that are clearly URLs or paths
	WikiLinks   bool // [[page]] in Markdown
	Names       bool // names of documents and files that are not URLs, with ErrName: see docs/types.md
	MDX         bool // in Markdown, imports, and href, src and to of components

	// Markdown sets the Markdown dialect of the site generator. The zero Dialect is GitHub's Markdown, with
	// attribute lists.
	Markdown markdown.Dialect

	// Extlinks maps roles of reStructuredText to URLs, as extlinks of Sphinx does: "%s" in a URL stands for the
	// text of the role. Attributes are AsciiDoc attributes that are set from outside. A document may redefine
	// those whose value ends in "@"; the "@" is not part of the value.
	Extlinks, Attributes map[string]string

	Details           bool // set Text, Rel, Hreflang and Type of References
	Choices           bool // set Choice, Rel and Type of References in HTML and style sheets, and Rel of References in HTTP headers; and yield Mentions of scan.Selectable
	Messages          bool // set Entity.Message and Entity.Captured
	Records           bool // set Entity.Record
	Detect            bool // set Record.Detected
	Charsets          bool // set Entity.Charset
	Robots            bool // set Entity.Robots
	Cite              bool // as Messages, and set Reference.TargetPart and Reference.Depth
	ParserDifferences bool // set Reference.BrowserURL
	Lines             bool // count lines: set Position.Line and Column
	IRI               bool // do not escape non-ASCII characters of URLs
	SkipBinary        bool // yield only a Note for an input that looks binary

	// MapFiles maps large plain texts into memory instead of reading them, if the reader is an *os.File and the
	// system allows it. If the file becomes shorter meanwhile, the walk ends with an error, and the slices of a
	// Reference must not be accessed: that panics.
	MapFiles bool

	// Archives says which archives of files to open. Positions in a member count from its first byte, and its
	// base is Default, or Retrieved unless that is the URL of the archive itself.
	Archives Archives

	Prefer message.Prefer // which alternatives of a multipart/alternative to read
	Text   delimit.Rules  // what to recognise in running text
	Undo   Undo           // notations in running text to decode first

	// Join says which wrapped URLs without delimiters to join in running text. Known, if not nil, reports which
	// whole URLs are known beforehand; it must be safe for concurrent use. Gather, if not nil, receives the
	// URLs that the walk finds; Gathered uses them as evidence in a second pass.
	Join             Join
	Known            func(url []byte) bool
	Gather, Gathered *URLs

	// Note, Anchor and Mention, if set, are called with what documents contain besides references, in source
	// order: malformed or unusual constructs, the targets of fragments, and uses of names. Parallel calls them
	// from several goroutines, and calls them again for a Batch that is walked again; when using Parallel, set
	// the fields of each Batch instead.
	Note    func(*Note)
	Anchor  func(*Anchor)
	Mention func(*Mention)

	// OwnRecords also reads records of web archives about the work of the crawler itself. Their URLs begin with
	// "metadata:" (the log of wget), "urn:X-wpull:" or "dns:".
	OwnRecords bool

	// SelectRecord, if set, reports whether to read a record of a web archive. Parallel calls it from several
	// goroutines.
	SelectRecord func(*Record) bool

	// Storage, if set, locates the input in its file, for web archives. Members of Containers have their own.
	Storage Storage

	// Formats and Containers are looked up before the built-in ones, by media type, by suffix and by first
	// bytes.
	Formats    []Format
	Containers []Container

	budget  *int64 // bytes that the members of a Container may still have; nil outside of Containers
	holding int64  // bytes of Containers that are in memory
	window  int    // bytes in a Batch; 0 is batchSize
}

// A Storage locates the bytes of an input in its file, which may be compressed in members. In web archives,
// each record is a member of gzip, or a frame of zstd or LZ4, of its own. The goroutine that ranges over
// the Batches calls it, with ascending places, about bytes that have been read.
type Storage interface {
	// Range returns where in the file the bytes of the input from start to end are; ok is false if that is not
	// known, or if they do not fill one or several members exactly.
	Range(start, end int64) (offset, length int64, ok bool)
	// Damaged describes the damaged member whose last readable byte is between start and end, or which begins
	// at start. It returns where in the file the member begins, the number of bytes to the next member that can
	// at least partly be read, and why the member cannot be read to its end. err is nil if there is no such
	// member.
	Damaged(start, end int64) (offset, length int64, err error)
	// Bound returns the first place in the input, not before from, at which a member begins or ends, as far as
	// the input has been read; -1 if none is known.
	Bound(from int64) int64
}

// A Mark is a place where an archive can be cut: a message or a record begins there. A Config with this
// Begin reads the rest as an input of its own.
type Mark struct {
	Offset int64 // bytes from the start of the archive, decompressed
	Line   int   // from 1; 0 unless lines are counted
	State  int   // what earlier messages or records determine about later ones
}

// Archives says which ZIP and tar archives, and which Containers of the Config, to open. Archives of
// messages and of crawlers are always read.
type Archives uint8

const (
	OpenArchives Archives = iota // all, including compressed attachments
	OpenAttached                 // those in messages and in crawl archives, but not inputs
	OpenNone
)

// MaxEntity is the default of Config.MaxEntity, in bytes.
const MaxEntity = 32 << 20

// limit returns the size in bytes up to which entities are held. Decoding may triple it, and the offsets of
// a Map must stay below 2 GiB.
func (c *Config) limit() int64 {
	if c.MaxEntity <= 0 {
		return MaxEntity
	}
	return min(c.MaxEntity, 512<<20)
}
