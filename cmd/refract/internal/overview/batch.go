package overview

import (
	"strings"
	"time"
	"unicode/utf8"

	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/extract/scan"
)

// A Source is a document that contains references: a file, a message, a record of a web archive.
type Source struct {
	Name     string    // of the input
	Member   string    // the file in an archive; "" outside of archives
	Folder   string    // the directory or archive that contains it
	Document string    // the URL from which it was retrieved
	Date     time.Time // of the message or record; zero: none
	ID       string    // Message-ID
	From     string    // address of the sender
	Subject  string
	List     string // mailing list or newsgroup
}

// A Reference is one reference in a Source.
type Reference struct {
	URL    []byte // as the run prints it
	Key    []byte // URLs with the same key count as one; nil: the URL itself
	Domain string // registered domain, or host; "" if there is none
	Kind   scan.Kind
	Labels uint64 // bits: indexes in Labels of the Collector
	Line   int    // position in the input; 0 is unknown
	Column int
}

// A Batch holds references on their way to a Collector. Workers fill Batches at the same time; the
// Collector takes them in the order of the inputs. The zero Batch is empty.
type Batch struct {
	text    []byte // URLs, keys and domains
	refs    []reference
	sources []Source
	codes   []scan.Code
}

// A reference is a Reference in a Batch. Its texts are in text, one behind the other.
type reference struct {
	source                  int32 // index in sources
	line, column            int32
	url, key, domain, start int32 // ends in text, and where the first begins
	kind                    scan.Kind
	labels                  uint64
}

const (
	maxName = webpage.MaxShown // bytes of names and URLs that are kept
	maxText = 200              // bytes of other texts
)

// In sets the document of the references that are added next.
func (b *Batch) In(s Source) {
	s.Name, s.Member, s.Folder = cut(s.Name, maxName), cut(s.Member, maxName), cut(s.Folder, maxName)
	if utf8.ValidString(s.From) {
		s.From = strings.ToLower(s.From)
	}
	s.Document, s.ID, s.From, s.Subject, s.List = cut(s.Document, maxText), cut(s.ID, maxText), cut(s.From, maxText), cut(s.Subject, maxText), cut(s.List, maxText)
	if n := len(b.sources); n == 0 || b.sources[n-1] != s {
		b.sources = append(b.sources, s)
	}
}

// cut returns the first n bytes of s, or less so as not to cut a character. It holds no memory of a
// longer text.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.Clone(s[:webpage.Start(s, n)]) + "…"
}

// Add adds a reference. Its memory can be reused.
func (b *Batch) Add(r *Reference) {
	if len(b.sources) == 0 {
		b.sources = append(b.sources, Source{})
	}
	made := reference{source: int32(len(b.sources) - 1), line: int32(r.Line), column: int32(r.Column), kind: r.Kind, labels: r.Labels, start: int32(len(b.text))}
	b.text = appendKey(b.text, r.URL)
	made.url = int32(len(b.text))
	b.text = appendKey(b.text, r.Key)
	made.key = int32(len(b.text))
	b.text = append(b.text, r.Domain[:min(len(r.Domain), maxText)]...)
	made.domain = int32(len(b.text))
	b.refs = append(b.refs, made)
}

// Note adds a note about something that was not read, or was malformed.
func (b *Batch) Note(code scan.Code) { b.codes = append(b.codes, code) }

// IsEmpty reports whether b has no references.
func (b *Batch) IsEmpty() bool { return len(b.refs) == 0 }

// Size returns roughly how many bytes of memory the content takes.
func (b *Batch) Size() int {
	return len(b.text) + 48*len(b.refs) + 500*len(b.sources) + 16*len(b.codes)
}

// Reset empties b. It keeps memory for the next references, but not much.
func (b *Batch) Reset() {
	clear(b.sources)
	clear(b.codes)
	b.text, b.refs, b.sources, b.codes = b.text[:0], b.refs[:0], b.sources[:0], b.codes[:0]
	if cap(b.text) > 1<<20 {
		b.text = nil
	}
}
