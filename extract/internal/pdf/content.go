package pdf

import (
	"bytes"
	"hash/fnv"
	"math"
	"strings"
	"unicode/utf8"
)

// A matrix is that of a transformation: [a b c d e f] (ISO 32000-2 section 8.3.3).
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times returns the transformation that applies m, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// matrixOf returns the matrix in an array or in operands.
func matrixOf(items []value) (m matrix, ok bool) {
	if len(items) < 6 {
		return identity, false
	}
	for i, v := range items[len(items)-6:] {
		m[i] = v.num
	}
	return m, true
}

// A state is the part of the graphics state that matters for text (sections 8.4 and 9.3).
type state struct {
	ctm                          matrix
	font                         *font
	size, char, word, lead, rise float64
	scale                        float64
	color                        uint32
	lineWidth                    float64
}

// What the content of pages may have.
const (
	maxStates  = 1 << 10 // saved states
	maxForms   = 12      // forms within forms
	maxChars   = 1 << 20 // characters of a page
	maxTagged  = 1 << 10 // marked content within marked content
	maxOperand = 1 << 8
)

// An interpreter reads the text of one page.
type interpreter struct {
	*reader
	page  *page
	state state
	saved []state
	tm    matrix // the text matrix
	line  matrix // the text line matrix
	depth int
	tags  []tag
	path  path
}

// A path is the path that is being made, as far as it may be a rule: one line or one rectangle.
type path struct {
	x, y, ex, ey float64 // in user space: of the line, or of a side of the rectangle
	height       float64 // of the rectangle
	n            int     // operators that made it
	isLine       bool
	isRectangle  bool
}

// A tag is a sequence of marked content.
type tag struct {
	from    int    // where its characters begin in page.chars
	actual  string // ActualText, which replaces the text of its glyphs (section 14.9.4)
	has     bool
	isShown bool // it has taken the place of the first glyph
}

// run reads the operators of a stream of content with its resources.
func (p *interpreter) run(src []byte, resources value) {
	if p.depth > maxForms {
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	saved, tags := len(p.saved), len(p.tags)
	t := valueParser{tokenizer: newTokenizer(&p.account, src, 0), in: -1, left: len(src), isBrief: true}
	var operands []value
	for {
		v, ok := t.next()
		if !ok {
			break
		}
		if v.kind != wordValue {
			if len(operands) == maxOperand { // the last ones count
				operands = append(operands[:0], operands[maxOperand-16:]...)
				t.items = nil
			}
			operands = append(operands, v)
			continue
		}
		if op := v.bytes(); string(op) == "BI" {
			skipImage(&t)
		} else {
			p.operator(op, operands, resources)
		}
		operands = operands[:0]
		t.begin()
	}
	if len(p.saved) > saved { // a form leaves the state as it was
		p.state, p.saved = p.saved[saved], p.saved[:saved]
	}
	p.tags = p.tags[:min(len(p.tags), tags)]
}

// skipImage skips an inline image (section 8.9.7), whose data ends at "EI" between white space.
func skipImage(t *valueParser) {
	src := t.src
	i := bytes.Index(src[t.at:], []byte("ID"))
	if i < 0 {
		t.at = len(src)
		return
	}
	at := t.at + i + 2
	for {
		i := bytes.Index(src[at:], []byte("EI"))
		if i < 0 {
			t.at = len(src)
			return
		}
		at += i + 2
		if class[src[at-3]] == space && (at == len(src) || class[src[at]] == space && isText(src[at:min(len(src), at+12)])) {
			t.at = at
			return
		}
	}
}

// isText reports whether the bytes behind an image are those of operators.
func isText(b []byte) bool {
	for _, c := range b {
		if c > 0x7e || c < ' ' && class[c] != space {
			return false
		}
	}
	return true
}

// num returns the operand that is i from the end.
func num(operands []value, i int) float64 {
	if i >= len(operands) {
		return 0
	}
	n := operands[len(operands)-1-i].num
	return max(-1e9, min(n, 1e9))
}

// operator executes an operator (annex A).
func (p *interpreter) operator(op []byte, operands []value, resources value) {
	s := &p.state
	switch string(op) {
	case "q":
		if len(p.saved) < maxStates {
			p.saved = append(p.saved, *s)
		}
	case "Q":
		if n := len(p.saved); n > 0 {
			*s, p.saved = p.saved[n-1], p.saved[:n-1]
		}
	case "cm":
		if m, ok := matrixOf(operands); ok {
			s.ctm = m.times(s.ctm)
		}
	case "Do":
		p.form(operands, resources)
	case "gs":
		if len(operands) > 0 {
			if f := p.get(p.named(resources, "ExtGState", operands[0]), "Font"); len(f.items) == 2 {
				s.font, s.size = p.fontOf(f.items[0]), p.resolved(f.items[1]).num
			}
		}
	case "g", "rg", "k", "sc", "scn":
		s.color = colorOf(op, operands)
	case "w":
		s.lineWidth = num(operands, 0)
	case "m", "l", "re", "c", "v", "y", "h":
		p.addPath(string(op), operands)
	case "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n":
		p.paint(string(op))
	case "BDC", "BMC", "EMC":
		p.tag(string(op), operands, resources)
	default:
		p.textOperator(op, operands, resources)
	}
}

// styleBits are those of a style that say which font it is. The others are of the colour.
const styleBits = 14

// colorOf returns a number for a colour, without the bits of the font. Colours that look the same have the
// same one, as far as their operands show; it is 0 for black, the initial one.
func colorOf(op []byte, operands []value) uint32 {
	var c [4]float64
	for i := range operands {
		c[i%4] = num(operands, len(operands)-1-i)
	}
	switch kind := op[0]; {
	case kind == 'g' && len(operands) == 1:
		c = [4]float64{c[0], c[0], c[0]}
	case len(operands) == 4 && operands[3].kind == numberValue:
		k := c[3]
		c = [4]float64{1 - c[0] - k, 1 - c[1] - k, 1 - c[2] - k}
	case len(operands) != 3 || operands[2].kind != numberValue:
		h := fnv.New32a() // says only whether two colours are the same
		for _, v := range operands {
			h.Write(v.src[v.start:v.end])
			h.Write([]byte{' '})
		}
		return h.Sum32() << styleBits
	}
	n := uint32(0)
	for _, part := range c[:3] {
		n = n<<6 | uint32(63*max(0, min(part, 1)))
	}
	return n << styleBits
}

// addPath adds to the path what an operator constructs (section 8.5.2).
func (p *interpreter) addPath(op string, operands []value) {
	path := &p.path
	path.n++
	switch {
	case op == "m" && path.n == 1:
		path.x, path.y = num(operands, 1), num(operands, 0)
	case op == "l" && path.n == 2 && !path.isRectangle:
		path.ex, path.ey, path.isLine = num(operands, 1), num(operands, 0), true
	case op == "re" && path.n == 1:
		path.x, path.y, path.height = num(operands, 3), num(operands, 2), num(operands, 0)
		path.ex, path.ey, path.isRectangle = path.x+num(operands, 1), path.y, true
	}
}

// paint paints the path, and begins a new one (section 8.5.3).
func (p *interpreter) paint(op string) {
	was, m := p.path, p.state.ctm
	p.path = path{}
	thick := was.height
	switch {
	case was.isLine && was.n == 2 && op == "S":
		thick = p.state.lineWidth
	case !was.isRectangle || was.n > 1 || op != "f" && op != "f*":
		return
	}
	p.page.addRule(char{
		x: float32(was.x*m[0] + was.y*m[2] + m[4]), y: float32(was.x*m[1] + was.y*m[3] + m[5]),
		ex: float32(was.ex*m[0] + was.ey*m[2] + m[4]), ey: float32(was.ex*m[1] + was.ey*m[3] + m[5]),
	}, float32(math.Abs(thick)*math.Hypot(m[2], m[3])))
}

// textOperator executes an operator of text (section 9.4).
func (p *interpreter) textOperator(op []byte, operands []value, resources value) {
	s := &p.state
	last := value{}
	if n := len(operands); n > 0 {
		last = operands[n-1]
	}
	switch string(op) {
	case "BT":
		p.tm, p.line = identity, identity
	case "Tf":
		if len(operands) >= 2 {
			s.font = p.fontOf(p.entryOf(resources, "Font", operands[len(operands)-2]))
			s.size = num(operands, 0)
		}
	case "Tc":
		s.char = num(operands, 0)
	case "Tw":
		s.word = num(operands, 0)
	case "Tz":
		s.scale = num(operands, 0) / 100
	case "TL":
		s.lead = num(operands, 0)
	case "Ts":
		s.rise = num(operands, 0)
	case "Td":
		p.move(num(operands, 1), num(operands, 0))
	case "TD":
		s.lead = -num(operands, 0)
		p.move(num(operands, 1), num(operands, 0))
	case "Tm":
		if m, ok := matrixOf(operands); ok {
			p.tm, p.line = m, m
		}
	case "T*":
		p.move(0, -s.lead)
	case "'":
		p.move(0, -s.lead)
		p.show(last)
	case `"`:
		s.word, s.char = num(operands, 2), num(operands, 1)
		p.move(0, -s.lead)
		p.show(last)
	case "Tj":
		p.show(last)
	case "TJ":
		for _, v := range last.items {
			if v.kind == stringValue {
				p.show(v)
			} else if s.font != nil && s.font.isVertical() {
				p.tm = matrix{1, 0, 0, 1, 0, -v.num / 1000 * s.size}.times(p.tm)
			} else {
				p.tm = matrix{1, 0, 0, 1, -v.num / 1000 * s.size * s.scale, 0}.times(p.tm)
			}
		}
	}
}

func (p *interpreter) move(x, y float64) {
	p.line = matrix{1, 0, 0, 1, x, y}.times(p.line)
	p.tm = p.line
}

// entryOf returns the entry of a category of resources, which may be a reference.
func (p *interpreter) entryOf(resources value, category string, key value) value {
	if key.kind != nameValue {
		return value{}
	}
	return p.get(resources, category).get(string(key.bytes()))
}

func (p *interpreter) named(resources value, category string, key value) value {
	return p.resolved(p.entryOf(resources, category, key))
}

// form shows a form (section 8.10).
func (p *interpreter) form(operands []value, resources value) {
	if len(operands) == 0 || p.depth > maxForms || p.account.shown <= 0 {
		return
	}
	ref := p.entryOf(resources, "XObject", operands[0])
	if ref.kind != referenceValue || p.textless[int32(ref.num)] {
		return
	}
	num, before := int32(ref.num), p.account.shown
	p.textless[num] = true // also while it is shown: it cannot be in itself
	defer func() {
		if p.account.shown < before {
			delete(p.textless, num)
		}
	}()
	if o, _ := p.object(int(ref.num)); !p.get(o, "Subtype").is("Form") {
		return
	}
	d, data, _ := p.stream(ref)
	if data == nil {
		return
	}
	own := p.get(d, "Resources")
	if own.kind != dictValue {
		own = resources
	}
	outer, tm, line := p.state, p.tm, p.line
	if m, ok := matrixOf(p.get(d, "Matrix").items); ok {
		p.state.ctm = m.times(p.state.ctm)
	}
	p.run(data, own)
	p.state, p.tm, p.line = outer, tm, line
}

// tag begins or ends marked content (section 14.6).
func (p *interpreter) tag(op string, operands []value, resources value) {
	if op == "EMC" {
		if n := len(p.tags); n > 0 {
			p.page.markAlone(p.tags[n-1].from)
			p.tags = p.tags[:n-1]
		}
		return
	}
	t := tag{from: len(p.page.chars)}
	if op == "BDC" && len(operands) > 0 {
		properties := operands[len(operands)-1]
		if properties.kind == nameValue {
			properties = p.named(resources, "Properties", properties)
		}
		if v := p.resolved(properties.get("ActualText")); v.kind == stringValue {
			t.actual, t.has = p.textOf(v), true
		}
	}
	if len(p.tags) < maxTagged {
		p.tags = append(p.tags, t)
	}
}

// textOf returns a text string (section 7.9.2.2).
func (p *interpreter) textOf(v value) string {
	d := &p.document.value
	v.read(d)
	d.plain = true
	d.decode()
	return string(d.text)
}

// actual returns the marked content around what is shown whose text replaces it; nil if there is none.
func (p *interpreter) actual() *tag {
	for i := range p.tags {
		if p.tags[i].has {
			p.account.spend(i)
			return &p.tags[i]
		}
	}
	p.account.spend(len(p.tags))
	return nil
}

// show shows a string.
func (p *interpreter) show(v value) {
	s := &p.state
	if v.kind != stringValue || s.font == nil {
		return
	}
	d := &p.document.value
	v.read(d)
	f := s.font
	tagged := p.actual()
	if p.account.shown -= 4; p.account.shown <= 0 { // the string itself
		p.isCut = true
		return
	}
	for b := d.bytes; len(b) > 0 && p.account.shown > 0; p.account.shown-- {
		n, chars, width, isSpace := f.next(b)
		b = b[min(n, len(b)):]
		advance := width*s.size + s.char
		if isSpace {
			advance += s.word
		}
		m := p.tm.times(s.ctm)
		next := matrix{1, 0, 0, 1, advance * s.scale, 0}
		if f.isVertical() {
			next = matrix{1, 0, 0, 1, 0, -s.size + s.char}
			if isSpace {
				next[5] += s.word
			}
		}
		p.tm = next.times(p.tm)
		if tagged != nil {
			chars = ""
			if !tagged.isShown {
				chars, tagged.isShown = tagged.actual, true
				p.account.shown -= len(chars)
			}
		}
		end := p.tm.times(s.ctm)
		x, y := m[4]+s.rise*m[2], m[5]+s.rise*m[3]
		size := math.Hypot(m[2], m[3]) * math.Abs(s.size) * f.em
		p.page.add(chars, char{
			style: f.id ^ s.color, size: float32(size), isFixed: f.isFixed,
			x: float32(x), y: float32(y), ex: float32(x + end[4] - m[4]), ey: float32(y + end[5] - m[5]),
		})
	}
}

// add adds the characters of one glyph, which is at c. Each gets an equal share of its baseline.
func (g *page) add(chars string, c char) {
	dx, dy := c.ex-c.x, c.ey-c.y
	if dx == 0 && dy == 0 && chars == "\u00ad" {
		return // it is not shown
	}
	c.isUnknown = chars == unknown
	if r, size := utf8.DecodeRuneInString(chars); size != len(chars) || r >= 0x80 {
		chars = allPlainly(chars)
	}
	n := utf8.RuneCountInString(chars)
	if n == 0 {
		g.extend(c.ex, c.ey)
		return
	}
	dx, dy = dx/float32(n), dy/float32(n)
	for _, r := range chars {
		c.r, c.ex, c.ey = r, c.x+dx, c.y+dy
		g.addChar(c)
		c.x, c.y = c.ex, c.ey
	}
}

// allPlainly returns how the characters of a glyph are read in a URL. Programs for macOS and others name
// all hyphens that a glyph may be.
func allPlainly(chars string) string {
	const hyphens = "-\u00ad\u2010\u2011"
	if utf8.RuneCountInString(chars) > 1 && strings.Trim(chars, hyphens) == "" {
		return "-"
	}
	var all []byte
	for _, r := range chars {
		all = append(all, plainly(r)...)
	}
	return string(all)
}

// plainly returns how a character is read in a URL: ligatures are letters, and white space is a space.
func plainly(r rune) string {
	switch {
	case r < ' ', r == 0xa0, 0x2000 <= r && r <= 0x200a, r == 0x202f, r == 0x3000, r == 0xfffc, r == utf8.RuneError:
		return " "
	case 0x200b <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x2060 <= r && r <= 0x2069, r == 0xfeff:
		return ""
	case r == 0x2010, r == 0x2011:
		return "-"
	case r == 0x2dc, r == 0x223c: // as TeX sets "~"
		return "~"
	case r == 0x2236:
		return ":"
	case r == 0x2215, r == 0x2044:
		return "/"
	case 0xfb00 <= r && r <= 0xfb06:
		return [...]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}[r-0xfb00]
	}
	return string(r)
}
