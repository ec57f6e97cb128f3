package extract

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/undo"
	"example.org/refract/extract/message"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/option"
)

// A Format is one kind of document. Formats lists the built-in ones; a program adds its own with
// Config.Formats, which are looked up first. Only Types must be set.
//
// A Format is read-only once a Config uses it, and its functions may be called by several
// goroutines at once.
type Format struct {
	// Types are the media types of the format, in lower case. A document recognised by its name has the
	// first one. A type that begins with "+" stands for all types with that ending that are not listed
	// themselves: "+xml" (RFC 6839 section 3).
	Types []string

	Suffixes []string // of file names, in lower case: ".md"
	Alias    string   // short for the first type, as in --type; "" if there is none

	// Sniff returns the media type of a document of this format that begins with head, its first 4,096
	// bytes or all of it; "" if the document has another format. It is called for documents whose name
	// has no known suffix. For documents with one of Suffixes, it may choose between types. Text in
	// UTF-16 is passed without its NUL bytes, unless Multipart is set. If Sniff is nil, only the name
	// decides.
	Sniff func(head []byte) string

	// onlySniffed: a document with one of Suffixes has this format only if Sniff recognises it: "x.1"
	// may be a manual page or a log.
	onlySniffed bool

	// Charset returns the name of the charset that a document declares within itself, as the Encoding
	// standard spells it; "" if there is none. It is called with the first 1,024 bytes. If they declare
	// none and the document is not valid UTF-8, it is called again with all bytes, and whole set. If
	// Charset is nil, documents declare no charset.
	Charset func(src []byte, whole bool) string

	// UTF8Queries: the queries of references are in UTF-8, whatever the charset of the
	// document (RFC 3987 section 3.1). Otherwise they are in the charset of the document, as
	// browsers have it.
	UTF8Queries bool

	// Multipart: a document consists of parts that have charsets of their own, as a message does. Scan
	// gets the bytes of the document undecoded, and yields the parts.
	Multipart bool

	// Trim returns the range of src that is the document itself, without anything that a program
	// has put around it. If Trim is nil, the range is all of src. It is called for inputs of a
	// Multipart Format.
	Trim func(src []byte) scan.Span

	// isMessage: package message cuts up the document, and can leave out parts that are not read.
	// frame, for a file that wraps a message, returns where the message begins, and its size.
	isMessage bool
	frame     func(head []byte) (start int, size int64)

	// lines, for a document whose lines are scanned one by one, returns their scanner by the first bytes. Such documents are
	// cut into pieces of whole lines, and may have any size.
	lines func(head []byte) lineScanner

	// isBinary: a document has no lines, and is not read as text if it is too large to be held.
	isBinary bool

	// Autolink: readers of the format turn URLs in the text of its parts into links. Context passes
	// this on to the scanners of the parts.
	Autolink bool

	// Scan yields the contents of a document in source order, a base before everything that it governs.
	// src is UTF-8, or has another charset that contains ASCII. Every src is valid. Scan must run in
	// time linear in len(src); the Items are valid until the next one. If Scan is nil, documents are
	// running text.
	Scan func(src []byte, c *Config, x Context) iter.Seq[*scan.Item]

	Audit     Role      // whether an audit reads documents of this format
	Fragments Fragments // the targets of fragments that an audit finds

	// Setup sets the options with which an audit, a fixer or an editor reads documents of this
	// format. Nil sets none.
	Setup func(c *Config)

	// Quote appends ref, or a path, query or fragment of it, quoted as needed at a place of a document.
	// ok is false if it cannot be written there. If Quote is nil, documents are never edited.
	Quote func(dst []byte, ref string, at scan.Place) (_ []byte, ok bool)

	// Unfinished finds the reference that is being written at the end of line, which is a line of a
	// document up to the cursor. If Unfinished is nil, an editor completes nothing.
	Unfinished func(line []byte) (_ scan.Unfinished, ok bool)
}

// A Role says whether an audit reads documents of a format.
type Role uint8

const (
	WhenNamed Role = iota // when they are named as arguments
	Always                // also when they are found in a directory
	Never                 // not even when named
)

// Fragments says what fragments can point to in the documents of a format.
type Fragments uint8

const (
	NoFragments        Fragments = iota
	WrittenFragments             // ids, as written
	GeneratedFragments           // also headings, whose ids the generator of the site makes from their text
	SimilarFragments             // the same, by rules that differ between programs: of ids, letters and digits are compared
	TitleFragments               // also titles, from whose text Docutils makes ids
	SectionFragments             // ids, including those that the scanner makes for sections
)

// A Context holds what the Scan of a Format needs to know about the document and the walk.
type Context struct {
	Type     string // media type of the document
	Nested   bool   // the document is a part of another
	Autolink bool   // URLs in its text are shown as links: see Format
	Anchors  bool   // Items of Op Anchor are wanted
	Mentions bool   // Items of Op Mention are wanted, and Anchors in their namespaces

	// The following are for a Multipart Format. Outline: yield only the Items that name the parts:
	// Enter, Base, Content-Location and Leave. Quoted: the document comes from an mbox, which may have
	// put a ">" before lines that begin with "From ". ReadAs returns the media type as which a part is
	// read, given its own type, in lower case, and the name of its file, "" if it has none; if it
	// returns "", the part is not read.
	Outline, Quoted bool
	ReadAs          func(mediaType, name string) string

	excerpt *message.Excerpt // of a message that is too large to be held; nil: the document is whole
}

// Formats returns the built-in formats, in the order in which they are looked up.
func Formats() []Format { return slices.Clone(builtin().formats) }

// Aliases returns the media types of all formats and containers that have an Alias, keyed by alias.
func (c *Config) Aliases() map[string]string {
	aliases := make(map[string]string)
	for a, mediaType := range builtin().aliases {
		aliases[a] = mediaType
	}
	for i := range c.Containers {
		if k := &c.Containers[i]; k.Alias != "" && len(k.Types) > 0 {
			aliases[k.Alias] = k.Types[0]
		}
	}
	for i := range c.Formats {
		if f := &c.Formats[i]; f.Alias != "" && len(f.Types) > 0 {
			aliases[f.Alias] = f.Types[0]
		}
	}
	return aliases
}

// declaredType returns the media type and the charset that Type, which is not "", stands for.
func (c *Config) declaredType() (mediaType, label string, err error) {
	if t := c.typeOfWord(c.Type); t != "" {
		return t, "", nil
	}
	return ParseType(c.Type)
}

// typeOfWord returns the media type that an alias, or a suffix without its dot, stands for, in any case; "" if there is
// none.
func (c *Config) typeOfWord(word string) string {
	if word == "" || strings.ContainsAny(word, "/.") {
		return ""
	}
	aliases := c.Aliases()
	if t := cmp.Or(aliases[word], aliases[strings.ToLower(word)]); t != "" {
		return t
	}
	name := nameOfWord(word)
	if t, ok := c.typeOfName(name); ok {
		return t
	}
	if undo.LanguageOf(name) != nil || undoByName(name, nil) != 0 {
		return textType
	}
	return ""
}

// nameOfWord returns a name that ends in a suffix without its dot.
func nameOfWord(word string) string { return "x." + strings.ToLower(word) }

// words returns what Type can be besides a media type: the Aliases in order, and then all suffixes of formats and
// containers, without their dots.
func (c *Config) words() []string {
	var suffixes []string
	for _, f := range slices.Concat(c.Formats, builtin().formats) {
		suffixes = append(suffixes, f.Suffixes...)
	}
	for _, k := range slices.Concat(c.Containers, builtin().containers) {
		suffixes = append(suffixes, k.Suffixes...)
	}
	words := slices.Sorted(maps.Keys(c.Aliases()))
	slices.Sort(suffixes)
	for _, s := range suffixes {
		word := strings.TrimPrefix(s, ".")
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// isAdded reports whether f is one of c.Formats.
func (c *Config) isAdded(f *Format) bool {
	for i := range c.Formats {
		if f == &c.Formats[i] {
			return true
		}
	}
	return false
}

// Validate returns an error about the first thing in c that cannot be meant: an unknown Type; a Format or Container
// without Types, with a type that no document can have, or with a suffix that no name can end in. Walk, WalkParallel and
// Batches return the same error before they read.
func (c *Config) Validate() error {
	err := c.checkType()
	for i := 0; i < len(c.Formats) && err == nil; i++ {
		err = checkKind(fmt.Sprintf("Formats[%d]", i), c.Formats[i].Types, c.Formats[i].Suffixes)
	}
	for i := 0; i < len(c.Containers) && err == nil; i++ {
		err = checkKind(fmt.Sprintf("Containers[%d]", i), c.Containers[i].Types, c.Containers[i].Suffixes)
	}
	if err != nil {
		return fmt.Errorf("extract: %w", err)
	}
	return nil
}

// checkType returns an error if Type is neither the type of a Format or Container, nor one of text, nor an alias or suffix.
func (c *Config) checkType() error {
	if c.Type == "" {
		return nil
	}
	if c.typeOfWord(c.Type) != "" {
		return nil
	}
	if !strings.Contains(c.Type, "/") {
		return option.NotOneOf("Type", c.Type, c.words())
	}
	mediaType, _, err := ParseType(c.Type)
	if err != nil {
		return option.Bad("Type", c.Type, "%w", errors.Unwrap(err))
	}
	if mediaType == binaryType || mediatype.IsTextual(mediaType) || c.FormatOfType(mediaType) != nil || c.containerOfType(mediaType) != nil {
		return nil
	}
	var known []string
	for t := range builtin().types {
		known = append(known, t)
	}
	for _, t := range c.Aliases() {
		known = append(known, t)
	}
	slices.Sort(known)
	if meant := option.Near(mediaType, known); meant != "" {
		return option.Bad("Type", c.Type, "nothing reads this media type: did you mean %q?", meant)
	}
	return option.Bad("Type", c.Type, "nothing reads this media type: give one that refract reads, or text/plain")
}

// checkKind checks the types and suffixes of a Format or Container with a name.
func checkKind(name string, types, suffixes []string) error {
	if len(types) == 0 {
		return &option.Error{Name: name, Cause: errors.New("has no Types: name a media type, such as text/x-gemini")}
	}
	for _, t := range types {
		major, minor, _ := strings.Cut(t, "/")
		if !strings.HasPrefix(t, "+") && (major == "" || minor == "") || t != strings.ToLower(t) || strings.ContainsAny(t, "; \t") {
			return option.Bad(name+".Types", t, "give a media type in lower case, without parameters")
		}
	}
	for _, s := range suffixes {
		if s != suffix(s) {
			return option.Bad(name+".Suffixes", s, "no name ends like this: give the last dot and what follows, in lower case")
		}
	}
	return nil
}

// FormatOfName returns the Format whose Suffixes match the end of name, nil if there is none.
func (c *Config) FormatOfName(name string) *Format {
	ext := suffix(name)
	for i := range c.Formats {
		if f := &c.Formats[i]; len(f.Types) > 0 && slices.Contains(f.Suffixes, ext) {
			return f
		}
	}
	if robots.IsText(name) {
		return &robotsTextFormat
	}
	if c.Scripts {
		if f := codeOfName(name); f != nil {
			return f
		}
	}
	return builtin().suffixes[ext].format
}

// FormatOfType returns the Format of a media type without parameters, in lower case; nil if no Format
// has this type: documents of it are running text.
func (c *Config) FormatOfType(mediaType string) *Format {
	for i := range c.Formats {
		if slices.Contains(c.Formats[i].Types, mediaType) {
			return &c.Formats[i]
		}
	}
	t := builtin()
	f := t.types[mediaType]
	if mediaType == robotsTextType {
		return &robotsTextFormat
	}
	if c.Scripts && (f == nil || f.Scan == nil) {
		if code := codeOfType(mediaType); code != nil {
			return code
		}
	}
	if f == nil {
		if i := strings.LastIndexByte(mediaType, '+'); i >= 0 {
			f = c.formatOfSyntax(mediaType[i:])
		}
	}
	return f
}

// formatOfSyntax returns the Format of types that end in "+xml" or the like.
func (c *Config) formatOfSyntax(suffix string) *Format {
	for i := range c.Formats {
		if slices.Contains(c.Formats[i].Types, suffix) {
			return &c.Formats[i]
		}
	}
	return builtin().types[suffix]
}

// FormatOf returns the Format and the media type of an input that begins with head. It uses c.Type, the name, or the first 4,096
// bytes; it needs no more of them. The Format is nil for containers, and for types
// that no Format has.
func (c *Config) FormatOf(name string, head []byte) (f *Format, mediaType string) {
	mediaType, label := c.detect(name, head[:min(len(head), headSize)])
	if c.Type != "" && label == "" {
		if t, _, err := c.declaredType(); err == nil {
			return c.FormatOfType(t), t
		}
	}
	if f := c.FormatOfName(name); f != nil && f.Types[0] == mediaType {
		return f, mediaType
	}
	return c.FormatOfType(mediaType), mediaType
}

// scanner returns the Format of a media type if it has a scanner; nil means running text.
func (c *Config) scanner(mediaType string) *Format {
	if f := c.FormatOfType(mediaType); f != nil && f.Scan != nil {
		return f
	}
	return nil
}

// typeOfName returns the media type for the suffix of name.
func (c *Config) typeOfName(name string) (mediaType string, ok bool) {
	if f := c.FormatOfName(name); f != nil {
		return f.Types[0], true
	}
	if k := c.ContainerOfName(name); k != nil {
		return k.Types[0], true
	}
	return "", false
}

func suffix(name string) string { return strings.ToLower(path.Ext(name)) }

// A kind is the Format or Container of a suffix.
type kind struct {
	format    *Format
	container *Container
}

// A table holds the built-in formats and containers, for look-ups in constant time.
type table struct {
	formats    []Format
	containers []Container
	types      map[string]*Format
	suffixes   map[string]kind
	aliases    map[string]string
}

var (
	builtinOnce  sync.Once
	builtinTable table
)

// builtin returns the table of built-in formats and containers. It cannot be initialised with the
// package, because its functions use it.
func builtin() *table {
	builtinOnce.Do(func() {
		t := &builtinTable
		t.formats, t.containers = builtinFormats(), builtinContainers()
		t.types, t.suffixes, t.aliases = make(map[string]*Format), make(map[string]kind), make(map[string]string)
		alias := func(name string, types []string) {
			if name != "" {
				t.aliases[name] = types[0]
			}
		}
		for i := range t.formats {
			f := &t.formats[i]
			for _, mediaType := range f.Types {
				if t.types[mediaType] == nil {
					t.types[mediaType] = f
				}
			}
			for _, s := range f.Suffixes {
				t.suffixes[s] = kind{format: f}
			}
			alias(f.Alias, f.Types)
		}
		for i := range t.containers {
			k := &t.containers[i]
			for _, s := range k.Suffixes {
				t.suffixes[s] = kind{container: k}
			}
			alias(k.Alias, k.Types)
		}
	})
	return &builtinTable
}
