package pdf

import (
	"bytes"
	"cmp"
	"slices"

	"example.org/refract/extract/scan"
)

// A key is one of those whose values matter.
type key uint8

const (
	otherKey key = iota
	keyURI
	keyF
	keyUF
	keyDOS
	keyUnix
	keyMac
	keyWin
	keyFS
	keyBase
	keyS
	keyType
	keyEF
	keyLength
	keyRoot
	keyInfo
	keyEncrypt
	keyID
	keyRef
	keyJS
	keyText // text that readers show
	numKeys
)

var keysByName = map[string]key{
	"URI": keyURI, "F": keyF, "UF": keyUF, "DOS": keyDOS, "Unix": keyUnix, "Mac": keyMac, "Win": keyWin, "FS": keyFS, "Base": keyBase, "S": keyS,
	"Type": keyType, "EF": keyEF, "Length": keyLength, "Root": keyRoot, "Info": keyInfo, "Encrypt": keyEncrypt, "ID": keyID, "Ref": keyRef,
	"Title": keyText, "Author": keyText, "Subject": keyText, "Keywords": keyText, "Creator": keyText, "Producer": keyText,
	"Contents": keyText, "RC": keyText, "TU": keyText, "V": keyText, "DV": keyText, "Desc": keyText, "JS": keyJS,
}

// maxDepth limits how deeply dictionaries and arrays nest. What is deeper is not read.
const maxDepth = 256

// A frame is a dictionary or an array that is being read.
type frame struct {
	isArray bool
	key     key // of the value that comes next; in an array, that of the array itself
	last    key // of the value before
	awaits  bool
	action  what // by its S
	kind    what // by its Type
	isURL   bool // its FS is URL
	hasEF   bool
	isSpec  bool
	start   int // where it begins
	length  int // the value of Length; -1: none
	file    values
	root    int32
	info    int32
	uri     values
	base    values
}

// values are those of a key: a reference to an object, or what has been found in document.found.
type values struct {
	ref      int32
	from, to int32
}

// A parser reads the objects of the file, or of one object stream.
type parser struct {
	*document
	tokenizer
	stream int32 // index in document.streams; -1: the file
	object int32 // index in document.objects of the current one; -1: none
	stack  []frame
	deeper int // frames that are not in stack, because they are too deep
	ints   [2]int
	top    frame // the last dictionary that was not in another
	noEnd  bool  // there is no further "endstream"
}

func newParser(d *document, src []byte, stream int32) *parser {
	return &parser{document: d, tokenizer: newTokenizer(&d.account, src, 0), stream: stream, object: -1}
}

// file reads all objects of the file.
func (p *parser) file() {
	for {
		k := p.next()
		if k.kind == endOfFile {
			return
		}
		if k.kind == wordToken {
			p.word(p.tokenizer.src[k.start:k.end])
			continue
		}
		p.token(k)
	}
}

// objects reads an object stream, whose first object begins at first (ISO 32000-2 section 7.5.7).
func (p *parser) objects(first int) {
	type begin struct{ at, num int }
	var begins []begin
	t := newTokenizer(&p.document.account, p.tokenizer.src[:first], 0)
	for {
		num, at := t.next(), t.next()
		if num.kind != integerToken || at.kind != integerToken {
			break
		}
		begins = append(begins, begin{first + min(t.number(at), len(p.tokenizer.src)), t.number(num)})
	}
	slices.SortStableFunc(begins, func(a, b begin) int { return cmp.Compare(a.at, b.at) })
	p.at = first
	for {
		k := p.next()
		for len(begins) > 0 && (begins[0].at <= k.start || k.kind == endOfFile) {
			p.begin(begins[0].num, 0, begins[0].at)
			begins = begins[1:]
		}
		if k.kind == endOfFile {
			return
		}
		if k.kind == wordToken {
			p.reference(p.tokenizer.src[k.start:k.end])
			continue
		}
		p.token(k)
	}
}

// begin begins an object.
func (p *parser) begin(num, gen, at int) {
	p.stack, p.deeper, p.top = p.stack[:0], 0, frame{}
	p.object = -1
	if len(p.document.objects) >= maxObjects {
		p.isCut = true
		return
	}
	p.object = int32(len(p.document.objects))
	p.document.objects = append(p.document.objects, object{num: int32(num), gen: int32(gen), at: int32(at), stream: p.stream, refs: int32(len(p.refs))})
}

// end ends the current object.
func (p *parser) end() {
	p.stack, p.deeper, p.object, p.top = p.stack[:0], 0, -1, frame{}
}

// word reads a word of the file.
func (p *parser) word(w []byte) {
	switch string(w) {
	case "obj":
		p.begin(p.ints[0], p.ints[1], p.at)
	case "endobj":
		p.end()
	case "trailer":
		p.end()
	case "stream":
		if len(p.stack) == 0 && p.deeper == 0 && p.top.start > 0 {
			p.data()
		}
	default:
		p.reference(w)
	}
}

// reference reads the "R" of a reference, or another word that is a value.
func (p *parser) reference(w []byte) {
	f := p.frame()
	if string(w) != "R" {
		if f != nil {
			f.awaits = false
		}
		return
	}
	num := int32(p.ints[0])
	if len(p.refs) >= maxRefs {
		p.isCut = true
	} else if p.object >= 0 {
		p.refs = append(p.refs, num)
	}
	if f == nil || f.isArray {
		return
	}
	switch f.last {
	case keyURI:
		f.uri.ref = num
	case keyF, keyUF, keyDOS, keyUnix, keyMac:
		f.file.ref = num
	case keyBase:
		f.base.ref = num
	case keyRoot:
		f.root = num
	case keyInfo:
		f.info = num
	case keyEncrypt:
		p.encryptRef = num
	case keyEF:
		f.hasEF = true
	case keyLength:
		f.length = -1
	case keyJS:
		if len(p.scripts) < maxPrograms {
			p.scripts = append(p.scripts, num)
		}
		p.mark(values{ref: num}, textString)
	}
}

// frame returns the innermost dictionary or array, nil if there is none that is read.
func (p *parser) frame() *frame {
	if len(p.stack) == 0 || p.deeper > 0 {
		return nil
	}
	return &p.stack[len(p.stack)-1]
}

// token reads a token that is not a word.
func (p *parser) token(k token) {
	f := p.frame()
	switch k.kind {
	case dictBegin, arrayBegin:
		p.open(f, k)
	case dictEnd:
		p.close(false)
	case arrayEnd:
		p.close(true)
	case integerToken:
		p.ints[0], p.ints[1] = p.ints[1], p.number(k)
		if f != nil && !f.isArray && f.awaits {
			f.awaits, f.last = false, f.key
			if f.key == keyLength {
				f.length = p.ints[1]
			}
		}
	case nameToken:
		p.name(f, k)
	case literalToken, hexToken:
		p.string(f, k)
	}
}

func (p *parser) open(f *frame, k token) {
	if p.deeper > 0 || len(p.stack) == maxDepth {
		p.deeper++
		return
	}
	inner := frame{isArray: k.kind == arrayBegin, start: k.start, length: -1}
	if f != nil {
		if inner.isArray && !f.isArray && f.awaits {
			inner.key = f.key
		}
		if !f.isArray && f.awaits {
			f.awaits, f.last = false, f.key
			if f.key == keyEF {
				f.hasEF = true
			}
			if f.key == keyEncrypt && !inner.isArray {
				p.encrypt = k.start
			}
		}
	}
	p.stack = append(p.stack, inner)
}

// name reads a name: a key, or a value.
func (p *parser) name(f *frame, k token) {
	if f == nil || f.isArray {
		return
	}
	text := p.tokenizer.src[k.start:k.end]
	if bytes.IndexByte(text, '#') >= 0 {
		text = unescapeName(text)
	}
	if !f.awaits {
		f.awaits, f.key = true, keysByName[string(text)]
		return
	}
	f.awaits, f.last = false, f.key
	switch f.key {
	case keyS:
		f.action = actions[string(text)]
	case keyFS:
		f.isURL = string(text) == "URL"
	case keyType:
		switch string(text) {
		case "ObjStm":
			f.kind = objectStream
		case "Metadata":
			f.kind = metadata
		case "EmbeddedFile":
			f.kind = embeddedFile
		case "Filespec", "F":
			f.isSpec = true
		}
	}
}

// unescapeName undoes the "#xx" of a name (section 7.3.5).
func unescapeName(s []byte) []byte {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '#' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			out = append(out, byte(hexValue(s[i+1])<<4|hexValue(s[i+2])))
			i += 2
			continue
		}
		out = append(out, s[i])
	}
	return out
}

// string reads a string.
func (p *parser) string(f *frame, k token) {
	if f == nil {
		if p.object >= 0 && p.deeper == 0 {
			p.add(k, anyString)
		}
		return
	}
	if f.isArray {
		if f.key == keyID && p.stream < 0 {
			if len(p.id) == 0 {
				var d decoded
				d.read(p.tokenizer.src, k.start, k.end)
				p.id = d.bytes
			}
			f.key = otherKey
		}
		return
	}
	if !f.awaits {
		return
	}
	f.awaits, f.last = false, f.key
	switch f.key {
	case keyURI:
		f.uri = p.addTo(f.uri, k, uriValue)
	case keyF, keyUF, keyDOS, keyUnix, keyMac:
		f.file = p.addTo(f.file, k, anyFile)
		if f.key == keyUF { // takes precedence (section 7.11.3)
			for i := f.file.from; i < f.file.to-1; i++ {
				p.found[i].overridden = true
			}
		}
	case keyBase:
		f.base = p.addTo(f.base, k, nothing)
	case keyText, keyJS:
		if k.kind == literalToken || k.end-k.start < maxHexText {
			p.add(k, textString)
		}
	}
}

// maxHexText limits a text string in hexadecimal, in bytes. Longer ones are signatures.
const maxHexText = 2 << 10

// add adds a string to what has been found.
func (p *parser) add(k token, w what) {
	if k.start == k.end {
		return
	}
	if len(p.found) >= maxFound {
		p.isCut = true
		return
	}
	p.found = append(p.found, found{start: int32(k.start), end: int32(k.end), object: p.object, stream: p.stream, what: w})
}

// addTo adds a string as a value to v.
func (p *parser) addTo(v values, k token, w what) values {
	n := int32(len(p.found))
	if v.from == v.to {
		v.from = n
	}
	p.add(k, w)
	v.to = int32(len(p.found))
	return v
}

// mark sets what the strings of v are, if that was open.
func (p *parser) mark(v values, w what) {
	for i := v.from; i < v.to; i++ {
		if p.found[i].what == anyFile {
			p.found[i].what = w
		}
	}
	if v.ref != 0 && p.wanted[v.ref] == nothing {
		p.wanted[v.ref] = w
	}
}

// close ends a dictionary or an array. What nothing begins is ignored.
func (p *parser) close(isArray bool) {
	if p.deeper > 0 {
		p.deeper--
		return
	}
	n := len(p.stack)
	if n > 0 && p.stack[n-1].isArray && !isArray { // the array has no end
		for n > 0 && p.stack[n-1].isArray {
			n--
		}
		p.stack = p.stack[:n]
	}
	if n == 0 || p.stack[n-1].isArray != isArray {
		return
	}
	f := p.stack[n-1]
	p.stack = p.stack[:n-1]
	if isArray {
		return
	}
	p.finish(&f)
	if n == 1 {
		p.top = f
	}
}

// finish decides about the strings of a dictionary that has ended.
func (p *parser) finish(f *frame) {
	outer := p.frame()
	within := otherKey
	if outer != nil && !outer.isArray {
		within = outer.last
	}
	if f.root != 0 {
		p.roots = append(p.roots[:0], f.root)
		if f.info != 0 {
			p.roots = append(p.roots, f.info)
		}
	}
	if f.uri.ref != 0 {
		p.mark(f.uri, uriValue)
	}
	p.base(f, within)
	if f.file.from == f.file.to && f.file.ref == 0 {
		return
	}
	for i := f.file.from; f.isURL && i < f.file.to; i++ {
		p.found[i].isURL = true
	}
	switch {
	case f.action != nothing:
		p.mark(f.file, f.action)
		return
	case f.hasEF:
		p.mark(values{from: f.file.from, to: f.file.to}, nothing)
		return
	case within == keyRef:
		p.mark(f.file, externalData)
		return
	}
	switch within {
	case keyF, keyUF, keyWin, keyMac, keyUnix:
		// The dictionary around it says what it is.
		if outer.file.from == outer.file.to {
			outer.file.from = f.file.from
		}
		outer.file.to = max(outer.file.to, f.file.to)
		if f.file.ref != 0 {
			outer.file.ref = f.file.ref
		}
		return
	}
	if f.isURL {
		p.mark(f.file, fileURL)
	} else if f.isSpec {
		p.mark(f.file, fileSpec)
	}
}

// base decides about a string Base: it counts in the dictionary URI of the catalog.
func (p *parser) base(f *frame, within key) {
	if f.base.from < f.base.to && (within == keyURI || within == otherKey && p.object >= 0 && len(p.stack) == 0) {
		p.found[f.base.from].what = baseURI
		if within != keyURI { // only if the catalog refers to it
			p.found[f.base.from].overridden = true
		}
	}
}

// data reads a stream (section 7.3.8), whose dictionary is p.top.
func (p *parser) data() {
	src := p.tokenizer.src
	start := p.at
	if bytes.HasPrefix(src[start:], []byte("\r\n")) {
		start += 2
	} else if start < len(src) && (src[start] == '\n' || src[start] == '\r') {
		start++
	}
	end, after := endOfData(src, start, p.top.length, &p.noEnd)
	p.at = after
	f := &p.top
	if f.file.from < f.file.to && f.kind == nothing {
		p.mark(f.file, externalData)
	}
	if f.kind != nothing && len(p.streams) >= maxStreams {
		p.isCut = true
	} else if f.kind != nothing {
		p.streams = append(p.streams, stream{object: p.object, dict: int32(f.start), data: scan.Span{Start: start, End: end}, kind: f.kind})
	}
	p.top = frame{}
}

// endOfData returns where the data of a stream ends that begins at start, and where what follows begins.
// The length that the dictionary gives, -1 if it gives none, counts if "endstream" is there. noEnd says
// that there is no further "endstream".
func endOfData(src []byte, start, length int, noEnd *bool) (end, after int) {
	const keyword = "endstream"
	if n := length; n >= 0 && n <= len(src)-start {
		rest := bytes.TrimLeft(src[start+n:min(len(src), start+n+len(keyword)+4)], "\r\n ")
		if bytes.HasPrefix(rest, []byte(keyword[:min(len(keyword), max(len(rest), 1))])) {
			return start + n, start + n
		}
	}
	if !*noEnd {
		if i := bytes.Index(src[start:], []byte(keyword)); i >= 0 {
			end = start + i
			after = end
			if end > start && src[end-1] == '\n' {
				end--
			}
			if end > start && src[end-1] == '\r' {
				end--
			}
			return end, after
		}
		*noEnd = true
	}
	if i := bytes.Index(src[start:], []byte("endobj")); i >= 0 {
		return start + i, start + i
	}
	return len(src), len(src)
}
