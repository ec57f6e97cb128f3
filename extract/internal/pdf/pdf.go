// Package pdf scans PDF files for references: actions that open a URL or a file, file specifications,
// metadata, URLs in the strings that readers show (titles, comments, values of fields), and those in the
// text of pages. Use it for the references of a file as they are written; package extract also resolves
// them.
//
// It is a scanner, not a reader. It takes every object between the first and the last byte of the file, and
// in its object streams, and does not use cross-reference tables. So it reads damaged files, and finds what
// earlier revisions held; that has the label Deleted. The text of pages is that of the current revision.
//
// Actions and file specifications: ISO 32000-2 sections 12.6.4 and 7.11. The URIs of URI actions are
// relative to the Base of the catalog's URI dictionary (7.7.2, 12.6.4.8), file specifications to the file.
// Objects may be in object streams (7.5.7), and encrypted with an empty user password (7.6).
//
// Text: ISO 32000-2 sections 7.7.3 (pages), 8.10 (forms) and 9 (text). Characters are put in words, lines
// and blocks by their places on the page. A URL at the end of a line continues on the next one if the
// layout shows it: page.continues.
package pdf

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"

	"example.org/refract/delimit"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
)

// Type is the media type of PDF.
const Type = "application/pdf"

// MetadataType is the type of the metadata of a file, which is XMP: RDF in XML.
const MetadataType = "application/x-xmp+xml"

// maxDecoded is the default of Scanner.Limit, in bytes.
const maxDecoded = 32 << 20

// leastDecoded is how many bytes the filters of a stream of any PDF may make together. With twice the size
// of the PDF, it leaves a scan below 32 MiB and four times that size.
const leastDecoded = 8 << 20

// What one file may have. The data about it stays below 100 MiB.
const (
	maxFound   = 1 << 20 // strings that may be references
	maxObjects = 1 << 20
	maxRefs    = 1 << 22 // references between objects
	maxStreams = 1 << 19
)

// A Scanner scans one file. The zero Scanner has the defaults. It may be reused, but several goroutines
// must not use it at once.
type Scanner struct {
	// Limit is how many bytes one stream may have once it is decoded; 0 means 32 MiB. All streams together
	// may have four times as many, in each of two passes.
	Limit int64

	// ReadAs returns the media type as which an embedded file is read, given its own; "" if it is not
	// read. If ReadAs is nil, none is read.
	ReadAs func(mediaType, name string) string

	Rules delimit.Rules // of references in text

	d document
}

// Is reports whether a file that begins with head is a PDF. Up to 1,024 bytes may precede its header, as readers have
// it.
func Is(head []byte) bool {
	const magic = "%PDF-"
	if bytes.HasPrefix(bytes.TrimLeft(head, "\xef\xbb\xbf\x00\t\n\f\r "), []byte(magic)) {
		return true
	}
	i := bytes.Index(head[:min(len(head), 1024)], []byte("\n"+magic))
	return i >= 0 && bytes.Contains(head[i:], []byte(" obj"))
}

// Scan yields the references of src in the order of the file. Every input is valid. The time is linear
// in len(src) and in the size of the decoded object streams; the memory is a few times len(src) at most.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		d := &s.d
		d.reset(src)
		d.limit = maxDecoded
		if s.Limit > 0 {
			d.limit = int(s.Limit)
		}
		d.text.Finder.Rules = s.Rules
		d.readAs = s.ReadAs
		d.scan(yield)
		d.release()
	}
}

// A document is the state of one Scan.
type document struct {
	src    []byte
	limit  int
	readAs func(mediaType, name string) string

	found   []found
	streams []stream
	objects []object
	byNum   []int32 // indexes of objects, ordered by number, then by place in the file
	refs    []int32 // numbers of objects that others refer to, in order: see object.refs
	wanted  map[int32]what
	roots   []int32
	live    []bool // by index of objects; nil: not known
	isCut   bool   // one of the limits was reached
	buffer  []byte // of the last stream that was decoded

	account account // of this pass
	isShort bool    // a stream was decoded in part

	pages                                 []pageText // those with references
	scripts                               []int32    // numbers of objects that are scripts
	programs                              []program
	where                                 map[place]*annotation
	unreadFonts, unreadChars, unreadPages int // what has no characters
	undecoded                             int // pages whose content has a filter that is not known

	crypt      *encryption
	encrypt    int    // where the encryption dictionary begins; 0: none
	encryptRef int32  // or its object; 0: none
	id         []byte // the first part of the identifier of the file
	isLocked   bool

	value decoded
	text  plain.Scanner
	parts []scan.Span
	item  scan.Item
	more  scan.More
	whole scan.Map
}

// An object is the definition of an indirect object.
type object struct {
	num, gen int32
	at       int32 // where it begins, in the file or in its stream
	stream   int32 // index of the object stream that holds it; -1: none
	refs     int32 // index of its first reference in document.refs
}

// A stream is one that is decoded.
type stream struct {
	object    int32     // index in document.objects; -1: none
	dict      int32     // where its dictionary begins
	data      scan.Span // in the file
	kind      what
	isDamaged bool
}

// what says what a string or a stream is.
type what uint8

const (
	nothing      what = iota
	uriValue          // a URI, of an action
	goToR             // the file of an action
	goToE             //
	launch            //
	importData        //
	submitForm        //
	thread            //
	fileURL           // a URL of a file specification
	fileSpec          // a file specification that is marked as such
	anyFile           // what may be a file specification, if something refers to it
	anyString         // an object that is a string
	baseURI           // the base of URIs
	textString        // text
	externalData      // the file that holds the data of a stream
	objectStream
	metadata
	embeddedFile
)

// actions holds the types of actions that have a file.
var actions = map[string]what{
	"URI": uriValue, "GoToR": goToR, "GoToE": goToE, "Launch": launch, "ImportData": importData, "SubmitForm": submitForm, "Thread": thread,
}

// kinds holds how references are reported.
var kinds = [...]struct {
	in   string
	kind scan.Kind
}{
	uriValue: {"URI", scan.Link}, goToR: {"GoToR", scan.Link}, goToE: {"GoToE", scan.Link}, launch: {"Launch", scan.Link},
	importData: {"ImportData", scan.Embed}, submitForm: {"SubmitForm", scan.Form}, thread: {"Thread", scan.Link},
	fileURL: {"Filespec/URL", scan.Link}, fileSpec: {"Filespec", scan.Link}, externalData: {"stream/F", scan.Embed},
}

// A found is a string that may be reported.
type found struct {
	start, end int32 // between its delimiters, in the file or in the decoded stream
	object     int32 // index in document.objects; -1: none
	stream     int32 // index in document.streams; -1: the file
	what       what
	overridden bool
	isURL      bool // of a file specification
}

func (d *document) reset(src []byte) {
	const most = 1 << 16
	if cap(d.found) > most || cap(d.objects) > most || cap(d.refs) > most {
		*d = document{}
	}
	*d = document{
		src: src, found: d.found[:0], streams: d.streams[:0], objects: d.objects[:0], byNum: d.byNum[:0], refs: d.refs[:0], roots: d.roots[:0],
		wanted: d.wanted, value: d.value, text: d.text, buffer: d.buffer,
	}
	if d.wanted == nil {
		d.wanted = make(map[int32]what)
	}
	clear(d.wanted)
}

func (d *document) release() {
	d.src, d.item, d.more, d.crypt, d.live, d.readAs, d.pages, d.where, d.programs, d.scripts = nil, scan.Item{}, scan.More{}, nil, nil, nil, nil, nil, nil, nil
	if cap(d.buffer) > 1<<20 {
		d.buffer = nil
	}
}

// scan reads the file, then its object streams, and then yields what it has found.
func (d *document) scan(yield func(*scan.Item) bool) {
	d.allow()
	p := newParser(d, d.src, -1)
	p.file()
	d.openEncryption()
	if len(d.objects) == 0 {
		d.note(yield, "PDF", "a PDF without objects: not read")
		return
	}
	if d.isLocked && !d.note(yield, "encrypted PDF", "a PDF that is encrypted with a password, or in a way that is not known: only its metadata is read") {
		return
	}
	damaged := false
	for i := range d.streams {
		s := &d.streams[i]
		if s.kind != objectStream {
			continue
		}
		text, err := d.decode(s)
		if err != nil {
			damaged, s.isDamaged = true, true
			continue
		}
		first, t := entry(&d.account, d.src, int(s.dict), "First")
		p := newParser(d, text, int32(i))
		p.objects(min(t.number(first), len(text)))
	}
	if d.isCut {
		d.item = scan.Item{Op: scan.Note, Code: scan.CodeTooLarge, Text: "a PDF with too many objects or strings: not read to its end"}
		if !yield(&d.item) {
			return
		}
	}
	d.sortObjects()
	d.isShort = d.isShort || d.account.isSpent()
	if d.isShort && !d.noteShort(yield, scan.Span{}) {
		return
	}
	if !damaged && !d.isLocked && !d.isCut && !d.isShort {
		d.findLive()
	}
	if !d.isLocked {
		isNoted := d.isShort
		d.readPages()
		if d.isShort && !isNoted && !d.noteShort(yield, scan.Span{}) {
			return
		}
	}
	if d.yieldAll(yield) && d.yieldPrograms(yield) {
		d.yieldPages(yield)
	}
}

// allow begins a pass over the streams.
func (d *document) allow() {
	d.account.begin(len(d.src), d.limit)
}

// noteShort notes that streams, or the one in a range, were decoded in part.
func (d *document) noteShort(yield func(*scan.Item) bool, at scan.Span) bool {
	d.item = scan.Item{Op: scan.Note, Code: scan.CodeTooLarge, Span: at, Text: "a PDF with streams that are too large when they are decoded: only their beginnings are read"}
	return yield(&d.item)
}

// openEncryption prepares the decryption, if the file is encrypted.
func (d *document) openEncryption() {
	if d.encryptRef != 0 {
		d.sortObjects()
		if i := d.latest(d.encryptRef); i >= 0 {
			d.encrypt = int(d.objects[i].at)
		}
	}
	if d.encrypt != 0 {
		d.crypt = newEncryption(&d.account, d.src, d.encrypt, d.id)
		d.isLocked = d.crypt == nil
	}
}

// decode returns the decoded data of a stream. It is valid until the next call.
func (d *document) decode(s *stream) ([]byte, error) {
	data := d.src[s.data.Start:s.data.End]
	steps := d.filters(int(s.dict))
	if d.isLocked && (s.kind != metadata || len(steps) > 0) {
		return nil, errFilter
	}
	if d.crypt != nil && !(s.kind == metadata && !d.crypt.metadata) && !(len(steps) > 0 && steps[0].name == "Crypt") && s.object >= 0 {
		o := &d.objects[s.object]
		d.account.spend(len(data))
		data = d.crypt.decrypt(d.crypt.streams, data, int(o.num), int(o.gen))
	}
	into := d.buffer[:0]
	d.buffer = nil // if it is too small, it is garbage
	d.account.isCut = false
	text, err := decodeStream(data, steps, &d.account, into)
	if len(steps) == 1 && err == nil {
		d.buffer = text
	}
	d.isShort = d.isShort || d.account.isCut
	return text, err
}

// direct returns the first token of a value of a dictionary, and what follows it; if the value is a
// reference, those of an object that is not in an object stream.
func (d *document) direct(dict int, key string) (token, tokenizer) {
	k, t := entry(&d.account, d.src, dict, key)
	if k.kind != integerToken {
		return k, t
	}
	if i := d.latest(int32(t.number(k))); i >= 0 && d.objects[i].stream < 0 {
		t = newTokenizer(&d.account, d.src, int(d.objects[i].at))
		return t.next(), t
	}
	return k, t
}

// filters returns the filters of a stream, whose dictionary begins at d.src[dict].
func (d *document) filters(dict int) (steps []filterStep) {
	src := d.src
	k, t := d.direct(dict, "Filter")
	for isArray := k.kind == arrayBegin; k.kind == nameToken || k.kind == arrayBegin; k = t.next() {
		if k.kind == nameToken {
			steps = append(steps, filterStep{name: string(src[k.start:k.end]), early: true})
		}
		if !isArray || len(steps) > maxFilters {
			break
		}
	}
	if len(steps) == 0 || len(steps) > maxFilters {
		return steps
	}
	k, t = d.direct(dict, "DecodeParms")
	if k.kind != dictBegin && k.kind != arrayBegin {
		return steps
	}
	for i := 0; i < len(steps) && k.kind != endOfFile && k.kind != arrayEnd; k = t.next() {
		switch k.kind {
		case dictBegin:
			steps[i].readParameters(&d.account, src, k.start)
			i++
			for depth := 1; depth > 0; {
				switch k = t.next(); k.kind {
				case dictBegin:
					depth++
				case dictEnd:
					depth--
				case endOfFile:
					return steps
				}
			}
		case wordToken: // null
			i++
		}
	}
	return steps
}

// readParameters reads the parameters of a filter (section 7.4.4.3).
func (f *filterStep) readParameters(a *account, src []byte, dict int) {
	const most = 1 << 20 // of a row, in bytes
	number := func(key string, absent int) int {
		if k, t := entry(a, src, dict, key); k.kind == integerToken {
			return min(t.number(k), most)
		}
		return absent
	}
	f.early = number("EarlyChange", 1) != 0
	f.predictor = number("Predictor", 1)
	bits := min(number("Colors", 1), 32) * min(number("BitsPerComponent", 8), 16)
	f.pixel = (bits + 7) / 8
	f.row = min((number("Columns", 1)*bits+7)/8, most)
}

// sortObjects orders the objects by number, and those with the same number by place in the file.
func (d *document) sortObjects() {
	d.byNum = d.byNum[:0]
	for i := range d.objects {
		d.byNum = append(d.byNum, int32(i))
	}
	slices.SortFunc(d.byNum, func(a, b int32) int {
		x, y := &d.objects[a], &d.objects[b]
		return cmp.Or(cmp.Compare(x.num, y.num), cmp.Compare(d.place(x), d.place(y)), cmp.Compare(a, b))
	})
}

// place returns where an object begins in the file, or the stream that holds it.
func (d *document) place(o *object) int {
	if o.stream >= 0 {
		return d.streams[o.stream].data.Start
	}
	return int(o.at)
}

// latest returns the index of the last definition of an object; -1 if there is none.
func (d *document) latest(num int32) int32 {
	i, _ := slices.BinarySearchFunc(d.byNum, num+1, func(k, num int32) int { return cmp.Compare(d.objects[k].num, num) })
	if i == 0 || d.objects[d.byNum[i-1]].num != num {
		return -1
	}
	return d.byNum[i-1]
}

// findLive finds the objects that the current revision uses: those that can be reached from the
// catalog. If there is no catalog, nothing is known.
func (d *document) findLive() {
	if len(d.roots) == 0 || len(d.found) == 0 || d.latest(d.roots[0]) < 0 {
		return
	}
	d.live = make([]bool, len(d.objects))
	var queue []int32
	visit := func(num int32) {
		if i := d.latest(num); i >= 0 && !d.live[i] {
			d.live[i] = true
			queue = append(queue, i)
		}
	}
	for _, num := range d.roots {
		visit(num)
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		end := int32(len(d.refs))
		if int(i)+1 < len(d.objects) {
			end = d.objects[i+1].refs
		}
		for _, num := range d.refs[d.objects[i].refs:end] {
			visit(num)
		}
	}
}

// isDeleted reports whether the current revision does not use what is in an object.
func (d *document) isDeleted(object int32) bool {
	return d.live != nil && object >= 0 && !d.live[object]
}

// resolve decides what a found string is.
func (d *document) resolve(f *found) what {
	switch f.what {
	case anyFile, anyString, fileSpec, fileURL:
	default:
		return f.what
	}
	if f.object >= 0 {
		if w := d.wanted[d.objects[f.object].num]; w != nothing {
			return w
		}
	}
	if f.what == fileSpec || f.what == fileURL {
		return f.what
	}
	return nothing
}

// note yields a Note about the whole file; kind is for counting what is not read.
func (d *document) note(yield func(*scan.Item) bool, kind, text string) bool {
	d.item = scan.Item{Op: scan.Note, Code: scan.CodeUnreadType, Text: text, Type: kind}
	return yield(&d.item)
}

// name returns the path step of an entity: "object 15".
func (d *document) name(s *stream) string {
	if s.object < 0 {
		return "object"
	}
	return fmt.Sprintf("object %d", d.objects[s.object].num)
}
