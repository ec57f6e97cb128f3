package pdf

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/extract/scan"
)

// A char is a character of a page, from the beginning to the end of its baseline, in points of default user space.
type char struct {
	r            rune
	style        uint32 // the same if the font and the colour are the same
	size         float32
	x, y, ex, ey float32
	isFixed      bool // all characters of its font have the same width
	isUnknown    bool // a space stands for a glyph whose characters are not known
	isAlone      bool // a hyphen that is marked content of its own
}

// A segment is a run of characters that follow each other on a baseline, in the order of the content.
type segment struct {
	from, to   int32   // in page.chars
	nth        int32   // its place among the segments, in the order of the content
	dx, dy     float32 // its direction, of length 1
	base       float32 // the distance of the baseline from the origin, upwards
	start, end float32 // along the direction
	size       float32
}

// A line is what is on a baseline without large gaps: pieces of page.order.
type line struct {
	segment       // from and to are in page.order
	first   int32 // the first of its segments in the content
	next    int32 // the line that continues it below, -1: none
	prev    int32
	reach   float32 // how far it goes in the direction in which it is read, without what may stand outside the margin
	isRTL   bool    // it is read from right to left
}

// A page is the text of a page, and where its characters are.
type page struct {
	chars    []char
	segments []segment
	isCut    bool

	order   []int32 // indexes of chars, in the order of lines; -1 is a space between two
	lines   []line
	columns map[columnKey]column
	starts  map[int32]int32 // how many segments begin at a distance, in whole points
	known   vocabulary      // of the pages before

	isHardHyphen  bool // softHyphen is used for hyphens
	isOftenAlone  bool // a hyphen within a word of a line is marked content of its own
	isOftenJoined bool // one is not

	text   []byte
	places []charPlace // ordered by offset
	unsure []int32     // those of tight of which nothing tells
	tight  []int32     // offsets of line ends in text at which a URL may continue, as far as the layout shows
}

// A charPlace says which character is at an offset in the text of a page.
type charPlace struct{ at, char int32 }

// How far characters may be from each other, in sizes of the font. Word spaces are between 0.2 and 0.35, in
// justified lines up to 0.6; gaps between columns are larger than 1.
const (
	wordGap   = 0.15 // a gap between words
	columnGap = 1.0

	leastGutter = 0.5 // between columns, if many lines begin there

	justifiedGap = 6    // between the words of a justified line, at most
	sameLine     = 0.25 // between baselines
	mostUp       = 0.5  // from a baseline to a raised "~"
	flush        = 1.0  // in points, between the ends of lines at the same margin
	lineGap      = 2.2
	farAway      = 1e6 // in points; pages have at most 14,400
)

func (g *page) reset() {
	g.known.add(g.text)
	*g = page{known: g.known, chars: g.chars[:0], segments: g.segments[:0], order: g.order[:0], lines: g.lines[:0], places: g.places[:0], tight: g.tight[:0], unsure: g.unsure[:0]}
}

// addChar adds a character behind the others.
func (g *page) addChar(c char) {
	if len(g.chars) >= maxChars {
		g.isCut = true
		return
	}
	if !(max(abs(c.x), abs(c.y), abs(c.ex), abs(c.ey)) < farAway) {
		return
	}
	var last *segment
	if n := len(g.segments); n > 0 {
		last = &g.segments[n-1]
	}
	dx, dy := c.ex-c.x, c.ey-c.y
	length := float32(math.Hypot(float64(dx), float64(dy)))
	switch {
	case length > 0:
		dx, dy = dx/length, dy/length
	case last != nil:
		dx, dy = last.dx, last.dy
	default:
		dx, dy = 1, 0
	}
	if c.size == 0 {
		c.size = length
	}
	start, base := dx*c.x+dy*c.y, dx*c.y-dy*c.x
	if last != nil && c.r == '~' && dx*last.dx+dy*last.dy > 0.999 {
		// LaTeX makes a small raised operator of $^\sim$: it belongs to the run that it touches, not to a line
		// above that.
		up := base - last.base
		if up > 0 && up < mostUp*last.size && abs(start-last.end) < wordGap*last.size {
			c.x, c.y, c.ex, c.ey, base = c.x+dy*up, c.y-dx*up, c.ex+dy*up, c.ey-dx*up, last.base
		}
	}
	if last != nil && dx*last.dx+dy*last.dy > 0.999 && abs(base-last.base) < sameLine*c.size {
		if gap := start - last.end; gap > -columnGap/2*c.size && gap < columnGap*c.size {
			g.join(last, &c, gap)
			last.end = max(last.end, start+length)
			return
		}
	}
	if c.r == ' ' {
		return
	}
	from := int32(len(g.chars))
	g.chars = append(g.chars, c)
	g.segments = append(g.segments, segment{nth: int32(len(g.segments)), from: from, to: from + 1, dx: dx, dy: dy, base: base, start: start, end: start + length, size: c.size})
}

// join adds c to the last segment.
func (g *page) join(s *segment, c *char, gap float32) {
	before := &g.chars[len(g.chars)-1]
	switch {
	case before.r == c.r && gap < 0 && c.r != ' ' && isAgain(abs(before.x-c.x)+abs(before.y-c.y), abs(c.ex-c.x)+abs(c.ey-c.y), c.size):
		return
	case before.r == ' ' && c.r == ' ':
		return
	case gap > wordGap*c.size && before.r != ' ' && c.r != ' ' && !before.isTight(c, gap):
		g.chars = append(g.chars, char{r: ' ', style: c.style, size: c.size, x: before.ex, y: before.ey, ex: c.x, ey: c.y})
	}
	g.chars = append(g.chars, *c)
	s.to = int32(len(g.chars))
	s.size = max(s.size, c.size)
}

// addRule adds a rule with a thickness, in points, as "_" if it looks like one behind the last character:
// so TeX sets it in fonts that have none.
func (g *page) addRule(c char, thick float32) {
	if len(g.chars) == 0 {
		return
	}
	last := &g.chars[len(g.chars)-1]
	dx, dy := last.ex-last.x, last.ey-last.y
	n := float32(math.Hypot(float64(dx), float64(dy)))
	if n == 0 || last.r == ' ' {
		return
	}
	dx, dy = dx/n, dy/n
	along, up := dx*(c.x-last.ex)+dy*(c.y-last.ey), dx*(c.y-last.ey)-dy*(c.x-last.ex)
	length := dx*(c.ex-c.x) + dy*(c.ey-c.y)
	if em := last.size; along < -0.1*em || along > 0.2*em || abs(up) > 0.15*em || thick > 0.1*em || length < 0.2*em || length > 0.65*em {
		return
	}
	c.x, c.y = last.ex+along*dx, last.ey+along*dy
	g.addChar(char{r: '_', style: last.style, size: last.size, x: c.x, y: c.y, ex: c.x + length*dx, ey: c.y + length*dy})
}

// isTight reports whether a gap between c and the character after it is no space. A space of a font whose
// characters all have the same width also has this width. TeX stretches URLs where they may be broken.
func (c *char) isTight(next *char, gap float32) bool {
	return c.isFixed && next.isFixed && c.style == next.style && gap < (abs(c.ex-c.x)+abs(c.ey-c.y))/2
}

// isAgain reports whether characters that are drawn at a distance from the same characters, with some width
// and size, are drawn again, so that they look bold. Narrow letters that are set tightly are further from
// each other.
func isAgain(distance, width, size float32) bool {
	near := 0.2 * size
	if width > 0 {
		near = min(near, width/2)
	}
	return distance < near
}

// extend makes the last segment end at a place up to which a glyph without characters extends.
func (g *page) extend(x, y float32) {
	if n := len(g.segments); n > 0 {
		s := &g.segments[n-1]
		end, base := s.dx*x+s.dy*y, s.dx*y-s.dy*x
		if abs(base-s.base) < sameLine*s.size && end > s.end && end < s.end+10*s.size {
			s.end = end
		}
	}
}

func abs(f float32) float32 { return float32(math.Abs(float64(f))) }

// lay puts the segments in lines, and the lines in blocks of text.
func (g *page) lay() {
	sorted := make([]int32, len(g.segments))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	angle := func(s *segment) int { return int(math.Round(math.Atan2(float64(s.dy), float64(s.dx)) * 180 / math.Pi)) }
	angles := make([]int, len(g.segments))
	g.starts = make(map[int32]int32)
	for i := range g.segments {
		angles[i] = angle(&g.segments[i])
		g.starts[int32(g.segments[i].start)]++
	}
	slices.SortStableFunc(sorted, func(a, b int32) int {
		return cmp.Or(cmp.Compare(angles[a], angles[b]), cmp.Compare(g.segments[b].base, g.segments[a].base))
	})
	for i := 0; i < len(sorted); {
		first := &g.segments[sorted[i]]
		n := i + 1
		for n < len(sorted) && angles[sorted[n]] == angles[sorted[i]] && first.base-g.segments[sorted[n]].base < sameLine*min(first.size, g.segments[sorted[n]].size) {
			n++
		}
		g.addLines(sorted[i:n])
		i = n
	}
	g.starts = nil
	g.connect()
	g.orderText()
	g.findColumns()
	g.write()
}

// addLines adds the lines of segments with one baseline.
func (g *page) addLines(row []int32) {
	byStart := func(a, b int32) int { return cmp.Compare(g.segments[a].start, g.segments[b].start) }
	slices.SortStableFunc(row, byStart)
	if g.hasGaps(row) {
		row = g.words(row)
		slices.SortStableFunc(row, byStart)
	}
	most := g.mostGap(row)
	for k, i := range row {
		s := &g.segments[i]
		if k > 0 {
			l := &g.lines[len(g.lines)-1]
			before := &g.segments[row[k-1]]
			gap := s.start - l.end
			if gap < 0 && isAgain(abs(before.start-s.start), s.end-s.start, s.size) && g.isSame(before, s) {
				continue
			}
			if gap > -0.3*s.size && gap < most*min(s.size, l.size) && (gap < leastGutter*s.size || !g.beginsColumn(s.start)) {
				if gap > wordGap*s.size && g.chars[s.from].r != ' ' {
					g.order = append(g.order, -1)
				}
				g.order = g.appendOrder(s)
				l.to, l.end, l.size, l.first = int32(len(g.order)), max(l.end, s.end), max(l.size, s.size), min(l.first, s.nth)
				continue
			}
		}
		l := line{segment: *s, first: s.nth, next: -1, prev: -1}
		l.from = int32(len(g.order))
		g.order = g.appendOrder(s)
		l.to = int32(len(g.order))
		g.lines = append(g.lines, l)
	}
}

// beginsColumn reports whether many more segments begin at a distance than around it.
func (g *page) beginsColumn(start float32) bool {
	const (
		least = 5
		reach = 12 // points
	)
	at := int32(start)
	here, around := int32(0), int32(0)
	for i := at - reach; i <= at+reach; i++ {
		around += g.starts[i]
		if abs(float32(i-at)) < 2 {
			here += g.starts[i]
		}
	}
	return here >= least && 2*here > around
}

// mostGap returns how far the segments of a row may be from each other within a line, in sizes of the font.
// Words of a justified line may have large gaps, which are all the same.
func (g *page) mostGap(row []int32) float32 {
	if len(row) < 3 {
		return columnGap
	}
	least, most, size := float32(farAway), float32(0), g.segments[row[0]].size
	for k, i := range row {
		s := &g.segments[i]
		if s.size != size || slices.ContainsFunc(g.chars[s.from:s.to], func(c char) bool { return c.r == ' ' }) {
			return columnGap
		}
		if k > 0 {
			gap := s.start - g.segments[row[k-1]].end
			least, most = min(least, gap), max(most, gap)
		}
	}
	if most-least > 0.1*size || most > justifiedGap*size {
		return columnGap
	}
	return justifiedGap + 0.1
}

// hasGaps reports whether a segment of a row begins within another, as if something had been left out there.
func (g *page) hasGaps(row []int32) bool {
	end := float32(-farAway)
	for _, i := range row {
		s := &g.segments[i]
		if s.start < end-0.3*s.size {
			return true
		}
		end = max(end, s.end)
	}
	return false
}

// words returns segments for the words of those of a row: programs that take some characters from another
// font may show them later, in gaps that they left.
func (g *page) words(row []int32) []int32 {
	var words []int32
	for _, i := range row {
		s := g.segments[i]
		for from := s.from; from < s.to; {
			to := from
			for to < s.to && g.chars[to].r != ' ' {
				to++
			}
			if to > from {
				w := s
				first, last := &g.chars[from], &g.chars[to-1]
				w.from, w.to = from, to
				w.start, w.end = s.dx*first.x+s.dy*first.y, s.dx*last.ex+s.dy*last.ey
				words = append(words, int32(len(g.segments)))
				g.segments = append(g.segments, w)
			}
			from = to + 1
		}
	}
	return words
}

func (g *page) appendOrder(s *segment) []int32 {
	for i := s.from; i < s.to; i++ {
		g.order = append(g.order, i)
	}
	return g.order
}

// isSame reports whether two segments have the same text.
func (g *page) isSame(a, b *segment) bool {
	return slices.EqualFunc(g.chars[a.from:a.to], g.chars[b.from:b.to], func(x, y char) bool { return x.r == y.r })
}

// maxBelow limits how many lines are looked at for the one that continues another.
const maxBelow = 50

// mostRaised is how many characters in a smaller font may be raised or lowered between two lines.
const mostRaised = 4

// isLabel reports whether a line is the number of a note or a list, or a bullet, behind which the text of
// its row stands.
func (g *page) isLabel(l *line) bool {
	const most = 5 // characters
	if l.to-l.from > most {
		return false
	}
	for _, k := range g.order[l.from:l.to] {
		if k >= 0 && unicode.IsLetter(g.chars[k].r) {
			return false
		}
	}
	return true
}

// connect finds for each line the nearest one below that overlaps it, if it is the nearest above that one, too.
func (g *page) connect() {
	for i := range g.lines {
		a := &g.lines[i]
		best := int32(-1)
		for k := i + 1; k < min(len(g.lines), i+maxBelow); k++ {
			b := &g.lines[k]
			gap := a.base - b.base
			if gap > lineGap*a.size || a.dx*b.dx+a.dy*b.dy < 0.99 {
				break
			}
			if gap < 0.5*min(a.size, b.size) || min(a.end, b.end) <= max(a.start, b.start) || 1.3*b.size < a.size && b.to-b.from <= mostRaised {
				continue
			}
			if best >= 0 && g.lines[best].base-b.base > sameLine*b.size {
				break // further below than the nearest
			}
			if best < 0 || abs(b.start-a.start) < abs(g.lines[best].start-a.start) {
				best = int32(k)
			}
		}
		if best < 0 {
			continue
		}
		b := &g.lines[best]
		if a.size > 1.3*b.size || b.size > 1.3*a.size {
			continue
		}
		if b.prev >= 0 { // it has another line above: the nearer one, or the one that begins where it begins
			other := &g.lines[b.prev]
			isScheme := g.isScheme(a) // it is the end of a line with large gaps
			isNearer := abs(other.start-b.start) <= abs(a.start-b.start) && !g.isLabel(other)
			if g.isScheme(other) || !isScheme && other.base-a.base < sameLine*a.size && isNearer {
				continue
			}
			other.next = -1
		}
		a.next, b.prev = best, int32(i)
	}
}

// write writes the text, block by block, in the order of the content.
func (g *page) write() {
	var heads []int32
	for i := range g.lines {
		if g.lines[i].prev < 0 {
			heads = append(heads, int32(i))
		}
	}
	slices.SortStableFunc(heads, func(a, b int32) int { return cmp.Compare(g.lines[a].first, g.lines[b].first) })
	g.text = nil
	for _, h := range heads {
		for i := h; i >= 0; i = g.lines[i].next {
			g.trimOpen(&g.lines[i])
			g.writeLine(&g.lines[i])
			next := g.lines[i].next
			if next >= 0 {
				switch g.continues(&g.lines[i], &g.lines[next]) {
				case surely:
					continue
				case softly:
					g.dropHyphen()
					continue
				case maybe:
					g.tight = append(g.tight, int32(len(g.text)))
				case unsure:
					g.tight, g.unsure = append(g.tight, int32(len(g.text))), append(g.unsure, int32(len(g.text)))
				}
			}
			g.text = append(g.text, '\n')
		}
		g.text = append(g.text, '\n')
	}
}

// dropHyphen takes the hyphen back that was written last.
func (g *page) dropHyphen() {
	if text, hasHyphen := bytes.CutSuffix(g.text, []byte("-")); hasHyphen {
		g.text, g.places = text, g.places[:len(g.places)-1]
	}
}

// trimOpen leaves out the spaces at the end of a line behind a URL that ends in a hyphen: it goes on.
func (g *page) trimOpen(l *line) {
	to := l.to
	for to > l.from && g.isSpace(to-1) {
		to--
	}
	if to == l.to || to == l.from || g.chars[g.order[to-1]].r != '-' {
		return
	}
	from := to
	for from > l.from && to-from < maxToken && !g.isSpace(from-1) {
		from--
	}
	n := len(g.text)
	isRest := from == l.from && n > 0 && g.text[n-1] != '\n' // the line before continues here
	if isRest || beginOfURL(g.word(from, to)) >= 0 {
		l.to = to
	}
}

func (g *page) isSpace(i int32) bool { return g.order[i] < 0 || g.chars[g.order[i]].r == ' ' }

func (g *page) word(from, to int32) string {
	var s strings.Builder
	for _, k := range g.order[from:to] {
		if k < 0 {
			s.WriteByte(' ')
			continue
		}
		if r := g.chars[k].r; r == softHyphen && g.isHardHyphen {
			s.WriteByte('-')
		} else {
			s.WriteRune(r)
		}
	}
	return s.String()
}

// markAlone marks the last character if it is a hyphen, and the only one from a place on.
func (g *page) markAlone(from int) {
	if n := len(g.chars); n == from+1 && g.chars[from].r == '-' {
		g.chars[from].isAlone = true
	}
}

func isAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// softHyphen stands for a hyphen at the end of a line that is not in the text (ISO 32000-2 section
// 14.8.2.2.3). Programs that mistake it for a hyphen also use it within lines, where it is one.
const softHyphen = '\u00ad'

// writeLine writes the text of a line.
func (g *page) writeLine(l *line) {
	for i := l.from; i < l.to; i++ {
		k := g.order[i]
		if k < 0 {
			g.text = append(g.text, ' ')
			continue
		}
		if i == l.to-1 && g.endsSoftly(l) {
			continue
		}
		r := g.chars[k].r
		if r == softHyphen {
			r = '-'
		}
		g.places = append(g.places, charPlace{int32(len(g.text)), k})
		g.text = utf8.AppendRune(g.text, r)
	}
}

// isTight reports whether the layout allows that the URL before the line end at or after an offset of the
// text continues on the next line.
func (g *page) isTight(end int) bool {
	i := bytes.IndexByte(g.text[end:], '\n')
	if i < 0 {
		return false
	}
	_, found := slices.BinarySearch(g.tight, int32(end+i))
	return found
}

// isUnsure reports whether the URL that ends at an offset of the text ends with its line, and may continue
// on the next for all that is known.
func (g *page) isUnsure(end int) bool {
	for end < len(g.text) && g.text[end] == '.' {
		end++
	}
	_, found := slices.BinarySearch(g.unsure, int32(end))
	return found
}

// endsInHyphen reports whether the URL that ends at an offset of the text ends with its line, in a hyphen:
// it continues in another column, or on another page.
func (g *page) endsInHyphen(end int) bool {
	return g.text[end-1] == '-' && (end == len(g.text) || g.text[end] <= ' ')
}

// isBeforeUnknown reports whether a glyph whose characters are not known follows an offset of the text.
func (g *page) isBeforeUnknown(at int) bool {
	i, found := g.placeOf(at)
	return found && g.chars[g.places[i].char].isUnknown
}

// placeOf returns the index of the place of an offset of the text, or of the next one.
func (g *page) placeOf(at int) (i int, found bool) {
	return slices.BinarySearchFunc(g.places, int32(at), func(p charPlace, at int32) int { return cmp.Compare(p.at, at) })
}

// boxes appends the rectangles of a range of the text, one for each line.
func (g *page) boxes(dst []scan.Box, s scan.Span) []scan.Box {
	i, _ := g.placeOf(s.Start)
	var first, last *char // of the last rectangle
	for ; i < len(g.places) && int(g.places[i].at) < s.End; i++ {
		c := &g.chars[g.places[i].char]
		b := c.box()
		if n := len(dst); last != nil && n > 0 && (c.isBehind(last) || first.isBehind(c)) {
			dst[n-1] = dst[n-1].Union(b)
		} else {
			dst, first = append(dst, b), c
		}
		last = c
	}
	return dst
}

// isBehind reports whether c begins where d ends.
func (c *char) isBehind(d *char) bool { return abs(c.x-d.ex)+abs(c.y-d.ey) < columnGap*c.size }

// box returns the rectangle around a character: from a fifth of its size below the baseline to four fifths above.
func (c *char) box() scan.Box {
	dx, dy := float64(c.ex-c.x), float64(c.ey-c.y)
	n := math.Hypot(dx, dy)
	if n == 0 {
		dx, n = 1, 1
	}
	ux, uy := -dy/n*float64(c.size), dx/n*float64(c.size) // upwards
	box := scan.Box{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	for _, p := range [][2]float32{{c.x, c.y}, {c.ex, c.ey}} {
		for _, up := range []float64{-0.2, 0.8} {
			x, y := float64(p[0])+up*ux, float64(p[1])+up*uy
			box = box.Union(scan.Box{X0: x, Y0: y, X1: x, Y1: y})
		}
	}
	return box
}
