package pdf

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"example.org/refract/extract/scan"
)

// A value is an object as it is written, read on request. The zero value is null.
type value struct {
	kind  valueKind
	num   float64 // of a number; of a reference, the number of its object
	src   []byte  // what holds it
	start int     // of a name or a word: where it begins in src; of a string, where its content begins; of a dictionary, its "<<"
	end   int
	in    int32   // index in document.streams of what holds it; -1: the file, or a stream of content
	items []value // of an array; of a dictionary, its keys and values in turn

	account *account // of the document; nil for null
}

type valueKind uint8

const (
	nullValue valueKind = iota
	numberValue
	nameValue
	stringValue
	arrayValue
	dictValue
	referenceValue
	wordValue
)

// maxValues limits the values of one object. The widths of a font may be 65,536.
const maxValues = 1 << 17

// is reports whether v is the name s.
func (v value) is(s string) bool { return v.kind == nameValue && string(v.bytes()) == s }

// bytes returns a name without its escapes, or a word.
func (v value) bytes() []byte {
	b := v.src[v.start:v.end]
	if v.kind == nameValue && bytes.IndexByte(b, '#') >= 0 {
		return unescapeName(b)
	}
	return b
}

// get returns the value of a key of a dictionary.
func (v value) get(key string) value {
	if v.kind != dictValue {
		return value{}
	}
	for i := 0; i+1 < len(v.items); i += 2 {
		if i%16 == 14 && !v.account.spend(8) {
			return value{}
		}
		if v.items[i].is(key) {
			return v.items[i+1]
		}
	}
	return value{}
}

// list returns the values of an array, all of which the caller may look at.
func (v value) list() []value {
	if len(v.items) == 0 || !v.account.spend(len(v.items)) {
		return nil
	}
	return v.items
}

// read undoes the quoting of a string.
func (v value) read(d *decoded) {
	if !v.account.spend(v.end - v.start) {
		v.end = v.start
	}
	d.read(v.src, v.start, v.end)
}

// int returns a number as an integer, 0 for other values.
func (v value) int() int {
	if v.kind != numberValue || !(math.Abs(v.num) < 1<<31) {
		return 0
	}
	return int(v.num)
}

// A valueParser reads values from tokens.
type valueParser struct {
	tokenizer
	in    int32
	left  int // values that may still be read
	stack []value

	// If isBrief, values are used only until the next call of begin: then their items share memory, as those of
	// operands do.
	isBrief bool
	items   []value
}

// begin says that the values read before are not used any more.
func (p *valueParser) begin() { p.items = p.items[:0] }

// next reads the next value. What cannot be one is a word; at the end of src, ok is false.
func (p *valueParser) next() (v value, ok bool) {
	k := p.tokenizer.next()
	if k.kind == endOfFile {
		return value{}, false
	}
	p.stack = p.stack[:0]
	return p.value(k, 0), true
}

func (p *valueParser) value(k token, depth int) value {
	v := value{src: p.src, start: k.start, end: k.end, in: p.in, account: p.account}
	p.left--
	switch k.kind {
	case nameToken:
		v.kind = nameValue
	case literalToken, hexToken:
		v.kind = stringValue
	case integerToken:
		v.kind, v.num = numberValue, float64(p.number(k))
	case wordToken:
		v.kind = wordValue
		if c := p.src[k.start]; c <= '9' {
			v = p.real(v)
		}
	case arrayBegin:
		v.kind = arrayValue
		v.items = p.list(arrayEnd, depth+1)
	case dictBegin:
		v.kind = dictValue
		v.items = p.list(dictEnd, depth+1)
		v.end = p.at
	default:
		v.kind = wordValue
	}
	return v
}

// real reads a number with a sign or a point (section 7.3.3).
func (p *valueParser) real(v value) value {
	b := v.src[v.start:v.end]
	for len(b) > 1 && b[0] == '-' && b[1] == '-' { // written by some programs; others read it as one sign
		b = b[1:]
	}
	if n, ok := decimal(b); ok {
		v.kind, v.num = numberValue, n
		return v
	}
	if len(b) > 32 {
		return v
	}
	if n, err := strconv.ParseFloat(string(b), 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
		v.kind, v.num = numberValue, n
	}
	return v
}

// decimal returns the value of a number of at most 15 digits. It is exact, as strconv is: the quotient of
// two numbers that are.
func decimal(b []byte) (f float64, ok bool) {
	b, isNegative := bytes.CutPrefix(b, []byte("-"))
	n, digits, behind := int64(0), 0, 0 // behind the point
	hasPoint := false
	for _, c := range b {
		switch {
		case isDigit(c) && digits < len(powersOfTen)-1:
			n = n*10 + int64(c-'0')
			digits++
			if hasPoint {
				behind++
			}
		case c == '.' && !hasPoint:
			hasPoint = true
		default:
			return 0, false
		}
	}
	f = float64(n) / powersOfTen[behind]
	if isNegative {
		f = -f
	}
	return f, digits > 0
}

var powersOfTen = [16]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// list reads values up to the token that ends an array or a dictionary. "12 0 R" is one value.
func (p *valueParser) list(end tokenKind, depth int) []value {
	from := len(p.stack)
	for {
		k := p.tokenizer.next()
		if k.kind == endOfFile || k.kind == end || p.left <= 0 || depth > maxDepth {
			break
		}
		if k.kind == wordToken && (string(p.src[k.start:k.end]) == "endobj" || string(p.src[k.start:k.end]) == "stream") {
			p.at = k.start // the end is missing
			break
		}
		if n := len(p.stack); k.kind == wordToken && k.end == k.start+1 && p.src[k.start] == 'R' && n >= from+2 && p.stack[n-1].kind == numberValue && p.stack[n-2].kind == numberValue {
			p.stack = p.stack[:n-1]
			p.stack[n-2].kind = referenceValue
			continue
		}
		v := p.value(k, depth)
		p.stack = append(p.stack, v)
	}
	items := p.stack[from:]
	p.stack = p.stack[:from]
	if !p.isBrief {
		return slices.Clone(items)
	}
	n := len(p.items)
	p.items = append(p.items, items...)
	return p.items[n:len(p.items):len(p.items)]
}

// A store reads objects of a document, and keeps those that it has read, and the object streams that it has
// decoded, as far as they are small.
type store struct {
	*document
	decoded map[int32][]byte // by index of document.streams
	size    int
	read    map[int32]value // objects, by index
	cost    int             // of them, in bytes that were read
	parser  valueParser
}

// maxKept limits what a store keeps, in bytes.
const maxKept = 8 << 20

// maxRead limits the text of the objects that a store keeps, in bytes. A value takes some 50 times its text at most.
const maxRead = 1 << 18

// objectStream returns the decoded data of an object stream.
func (s *store) objectStream(i int32) []byte {
	if b, ok := s.decoded[i]; ok {
		return b
	}
	b, _ := s.decode(&s.streams[i])
	s.buffer = nil // b is kept
	if s.size+len(b) > maxKept {
		clear(s.decoded)
		s.size = 0
	}
	if s.decoded == nil {
		s.decoded = make(map[int32][]byte)
	}
	s.decoded[i] = b
	s.size += len(b)
	return b
}

// object returns an object and its index; -1 if there is none. What it costs is charged to the account.
func (s *store) object(num int) (v value, index int32) {
	index = s.latest(int32(num))
	if index < 0 || s.account.isSpent() {
		return value{}, -1
	}
	if v, ok := s.read[index]; ok {
		s.account.spend(8)
		return v, index
	}
	o := &s.objects[index]
	src := s.src
	if o.stream >= 0 {
		src = s.objectStream(o.stream)
	}
	if int(o.at) >= len(src) {
		return value{}, -1
	}
	s.parser.tokenizer = newTokenizer(&s.account, src, int(o.at))
	s.parser.in, s.parser.left = o.stream, maxValues
	v, _ = s.parser.next()
	cost := s.parser.at - int(o.at) + 64
	if s.cost += cost; s.cost > maxRead {
		clear(s.read)
		s.cost = cost
	}
	if s.read == nil {
		s.read = make(map[int32]value)
	}
	s.read[index] = v
	s.account.spend(64)
	return v, index
}

// maxReferences limits how many references point to one another.
const maxReferences = 8

// resolved returns the object to which v refers, or v.
func (s *store) resolved(v value) value {
	v, _ = s.resolvedIn(v, -1)
	return v
}

// resolvedIn returns the object to which v refers and its index, or v and index, that of the object that holds it.
func (s *store) resolvedIn(v value, index int32) (value, int32) {
	for n := 0; v.kind == referenceValue; n++ {
		if n == maxReferences {
			return value{}, -1
		}
		v, index = s.object(int(v.num))
	}
	return v, index
}

// get returns the value of a key of a dictionary, which may be a reference.
func (s *store) get(d value, key string) value { return s.resolved(d.get(key)) }

// string returns the bytes of a string, decrypted if object, the index of the object that holds it, is known.
func (s *store) string(v value, object int32) []byte {
	if v.kind != stringValue {
		return nil
	}
	v.read(&s.document.value)
	b := slices.Clone(s.document.value.bytes)
	if s.crypt != nil && v.in < 0 && object >= 0 {
		o := &s.objects[object]
		b = s.crypt.decrypt(s.crypt.strings, b, int(o.num), int(o.gen))
	}
	return b
}

// stream returns the dictionary and the decoded data of the stream to which v refers, and the range of the
// data in the file.
func (s *store) stream(v value) (d value, data []byte, at scan.Span) {
	for n := 0; n < maxReferences && v.kind == referenceValue; n++ {
		o, index := s.object(int(v.num))
		if o.kind == referenceValue {
			v = o
			continue
		}
		if o.kind != dictValue || o.in >= 0 {
			return value{}, nil, at
		}
		at = s.dataOf(o)
		stream := stream{object: index, dict: int32(o.start), data: at}
		data, err := s.decode(&stream)
		s.buffer = nil // data is kept
		if err != nil {
			return o, nil, at
		}
		return o, data, at
	}
	return value{}, nil, at
}

// dataOf returns where the data of a stream is whose dictionary is d.
func (s *store) dataOf(d value) scan.Span {
	t := newTokenizer(&s.account, s.src, d.end)
	if k := t.next(); k.kind != wordToken || !bytes.HasPrefix(s.src[k.start:k.end], []byte("stream")) {
		return scan.Span{}
	}
	start := t.at
	if bytes.HasPrefix(s.src[start:], []byte("\r\n")) {
		start += 2
	} else if start < len(s.src) && (s.src[start] == '\n' || s.src[start] == '\r') {
		start++
	}
	length := -1
	if v := s.get(d, "Length"); v.kind == numberValue {
		length = v.int()
	}
	var none bool
	end, _ := endOfData(s.src, start, length, &none)
	s.account.spend((end - start) / 16) // it may have been searched for
	return scan.Span{Start: start, End: end}
}

// A place is where a string stands: the index in document.streams of its stream, or -1 for the file, and
// the offset of its content.
type place struct {
	in    int32
	start int32
}

func (v value) place() place { return place{v.in, int32(v.start)} }
