package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/internal/hostname"
)

// A continuation says whether a URL at the end of a line continues on the next.
type continuation uint8

const (
	no     continuation = iota
	maybe               // if its form says so
	unsure              // nothing tells: the line is as full as it would be if the URL were broken
	surely              // the layout or the line end shows it
	softly              // surely, and the hyphen at the line end is no part of it
)

// maxToken limits a word that is looked at, in characters.
const maxToken = 2048

// maxNear limits the lines of a paragraph that are looked at before and after a line.
const maxNear = 16

// setReach sets how far a line goes: to its last character but spaces, and marks of East Asian scripts,
// which may stand outside the margin.
func (g *page) setReach(l *line) {
	if l.isRTL {
		l.reach = -l.start
		return
	}
	l.reach = l.end
	for i := l.to - 1; i >= l.from; i-- {
		if k := g.order[i]; k >= 0 && !strings.ContainsRune(" 。，、．：；！？）」』】", g.chars[k].r) {
			l.reach = l.dx*g.chars[k].ex + l.dy*g.chars[k].ey
			return
		}
	}
}

// margin returns how far the lines of the paragraph of a and the next line go: those with the distance that
// the two have. others is the same of the lines but a; n is their number.
func (g *page) margin(a, b *line) (margin, others float32, n int) {
	gap := 1.15 * (a.base - b.base)
	others = b.reach
	n = 1
	for l := a; l.prev >= 0 && g.lines[l.prev].base-l.base <= gap && n < maxNear; n++ {
		l = &g.lines[l.prev]
		others = max(others, l.reach)
	}
	for l := b; l.next >= 0 && l.base-g.lines[l.next].base <= gap && n < 2*maxNear; n++ {
		l = &g.lines[l.next]
		others = max(others, l.reach)
	}
	return max(a.reach, others), others, n
}

// A column is what lines that begin at the same place have in common.
type column struct {
	far, second float32 // how far they reach: the line that reaches furthest, and the next
	flush       int     // lines that end where one of these two ends
}

// columnOf returns the key of the column of a line.
func (g *page) columnOf(l *line) columnKey {
	begin := l.start
	if l.isRTL {
		begin = -l.end
	}
	return columnKey{int32(begin / 2), int32(l.dx * 64), int32(l.dy * 64)}
}

type columnKey struct{ begin, dx, dy int32 }

// wholePage is the place where the column begins that has all lines of a direction.
const wholePage = math.MinInt32

// findColumns finds the columns of a page.
func (g *page) findColumns() {
	g.columns = make(map[columnKey]column)
	for i := range g.lines {
		l := &g.lines[i]
		g.setReach(l)
		key := g.columnOf(l)
		g.addReach(key, l.reach)
		if !l.isRTL {
			key.begin = wholePage
			g.addReach(key, l.reach)
		}
	}
	for i := range g.lines {
		l := &g.lines[i]
		key := g.columnOf(l)
		if c := g.columns[key]; abs(l.reach-c.second) < 0.5 || abs(l.reach-c.far) < 0.5 {
			c.flush++
			g.columns[key] = c
		}
	}
}

// addReach adds the reach of a line to a column.
func (g *page) addReach(key columnKey, reach float32) {
	c, found := g.columns[key]
	switch {
	case !found:
		c.far, c.second = reach, -farAway
	case reach > c.far:
		c.far, c.second = reach, c.far
	default:
		c.second = max(c.second, reach)
	}
	g.columns[key] = c
}

// fullness says how full a line is.
type fullness uint8

const (
	notFull   fullness = iota
	full               // no character more fits, which lines with an uneven margin are by chance only
	justified          // it is as long as others are, which says nothing
)

// fullness returns how full a line is if the next character has some width: compared with how far others of
// its paragraph go, or with the lines of its column.
func (g *page) fullness(a *line, others float32, inParagraph int, width float32) fullness {
	c := g.columns[g.columnOf(a)]
	if inParagraph < 3 {
		column := c.far
		if a.reach >= c.far {
			column = c.second
		}
		others = max(others, column)
	}
	switch {
	case a.reach < others-width || a.reach > others+0.3*a.size: // shorter than others, or beyond them, so that they show no margin
		return notFull
	case c.flush > 3 && abs(a.reach-others) < 0.5:
		return justified
	}
	return full
}

// A joint is the end of a line and the beginning of the next, if a URL may be broken between them.
type joint struct {
	a, b       *line
	tail, head string // the words before and behind the line end
	whole      string // tail with what it continues
	start      int32  // where the URL begins, in page.order
	to         int32  // where head ends
	isWhole    bool   // all of a continues a URL of the line before
	inScheme   bool   // the line end is within "https://"
}

// jointOf returns the joint of two lines; ok is false if no URL is broken there.
func (g *page) jointOf(a, b *line) (j joint, ok bool) {
	if a.isRTL != b.isRTL {
		return j, false
	}
	from, to := a.to, b.from
	for from > a.from && a.to-from < maxToken && !g.isSpace(from-1) {
		from--
	}
	for to < b.to && to-b.from < maxToken && !g.isSpace(to) {
		to++
	}
	if to == b.from || from == a.to {
		return j, false
	}
	tail := g.word(from, a.to)
	before := len(g.text) - len(tail) - 1
	head := g.word(b.from, to)
	if i := strings.IndexFunc(head, isEastAsian); i == 0 {
		return j, false
	} else if i > 0 {
		head = head[:i]
		to = b.from + int32(utf8.RuneCountInString(head))
	}
	if a.isRTL && g.marksFirst(a, b) {
		to = b.from // the word has changed
		for to < b.to && to-b.from < maxToken && !g.isSpace(to) {
			to++
		}
		head = g.word(b.from, to)
	}
	if i := strings.IndexAny(head, "([<"); i > 0 && strings.Contains(head[i:], "://") { // another URL, in Markdown
		head = head[:i]
		to = b.from + int32(utf8.RuneCountInString(head))
	}
	j = joint{a: a, b: b, head: head, start: from, to: to, isWhole: from == a.from && before >= 0 && g.text[before] != '\n'}
	if isSchemeInTwo(tail, head) {
		j.tail, j.inScheme = tail, true
		return j, true
	}
	if !j.isWhole {
		n := beginOfURL(tail)
		if n < 0 {
			return j, false
		}
		j.start += int32(utf8.RuneCountInString(tail[:n]))
		tail = tail[n:]
	}
	j.tail, j.whole = tail, tail
	if j.isWhole {
		j.whole = g.lastWord() + tail
	}
	return j, !strings.Contains(head, "://") && (strings.HasSuffix(tail, "://") || !strings.HasPrefix(head, "www.") && !isAddress(head))
}

// isAddress reports whether a word is an address of mail, which is no part of a URL.
func isAddress(word string) bool {
	user, host, found := strings.Cut(strings.TrimRight(word, ".,;:)]}>\"'"), "@")
	return found && user != "" && !strings.ContainsAny(user, "/=%&?") && strings.IndexByte(host, '.') > 0 && isHost(host)
}

// isNumber reports whether a word is the number of a list: "12.".
func isNumber(word string) bool {
	digits := strings.TrimRight(word, ".)")
	return len(digits) < len(word) && strings.Trim(digits, "0123456789") == ""
}

// lastWord returns what the text ends with, up to its last space.
func (g *page) lastWord() string {
	from := len(g.text)
	for from > 0 && len(g.text)-from < maxToken && g.text[from-1] > ' ' {
		from--
	}
	return string(g.text[from:])
}

// isSchemeInTwo reports whether tail is the beginning of a scheme and "://", and head the rest.
func isSchemeInTwo(tail, head string) bool {
	for _, s := range []string{"https://", "http://"} {
		if len(tail) < len(s) && strings.HasPrefix(s, tail) && strings.HasPrefix(head, s[len(tail):]) {
			return true
		}
	}
	return false
}

// beginOfURL returns where the last URL of a word begins, -1 if there is none.
func beginOfURL(word string) int {
	i := strings.LastIndex(word, "://")
	if i < 0 {
		i = strings.LastIndex(word, "doi:10.")
		if i >= 0 {
			return i
		}
		i = strings.LastIndex(word, "www.")
		if i > 0 && isAlphanumeric(rune(word[i-1])) {
			return -1
		}
		return i
	}
	for i > 0 && (word[i-1]|0x20 >= 'a' && word[i-1]|0x20 <= 'z') {
		i--
	}
	return i
}

// continues decides whether the URL at the end of line a continues on line b.
func (g *page) continues(a, b *line) continuation {
	j, ok := g.jointOf(a, b)
	if !ok {
		return no
	}
	if g.endsSoftly(a) {
		return surely
	}
	end, begin := g.chars[g.order[a.to-1]].r, g.chars[g.order[b.from]].r
	if strings.ContainsRune(")>]}\"',;!”’»。，、", end) || strings.ContainsRune("[](){}<>\"'•*", begin) {
		return no
	}
	// Marks in text that is read from right to left may be of another font than the letters around them.
	start, last, first := g.letter(a, j.start, a.to, 1), g.letter(a, a.to-1, j.start-1, -1), g.letter(b, b.from, j.to, 1)
	if last.style != first.style || start.style != last.style && !isRest(j.whole, j.head) {
		return no
	}
	// A line is broken because the next word does not fit: if it would fit, the URL has ended.
	margin, others, n := g.margin(a, b)
	room := margin - a.reach
	if room > g.width(b.from, j.to-1) {
		if strings.IndexByte("_=&%~+", j.tail[len(j.tail)-1]) >= 0 { // no URL ends so: lines are broken in another way
			return unsure
		}
		return no
	}
	if j.inScheme {
		return surely
	}
	if how, ok := g.byWords(&j); ok {
		return how
	}
	if strings.HasSuffix(j.tail, "/-") || g.endsAlone(a) && !g.isOftenAlone { // the hyphen may be that of the line
		return unsure
	}
	if isNumber(j.head) && strings.IndexByte(parts[1:], j.tail[len(j.tail)-1]) < 0 {
		return unsure
	}
	isFull := j.isWhole && room < wordGap*a.size // broken anywhere, as the line before
	if g.isDistinct(a, b, j.start, j.to, last.style) || isRest(j.whole, j.head) || isFull && strings.ContainsAny(j.head, parts) {
		return surely
	}
	if strings.HasSuffix(j.tail, "/") && g.isForeign(&j) {
		if strings.ContainsAny(j.head, "0123456789") {
			return surely
		}
		return unsure
	}
	how := g.brokenAnywhere(&j, g.fullness(a, others, n, 1.05*g.width(b.from, b.from)))
	if how == maybe && isPieceAlone(&j) {
		return unsure
	}
	return how
}

// byWords decides by what the words at a line end are: another URL, and pieces of a word.
func (g *page) byWords(j *joint) (how continuation, ok bool) {
	last := rune(j.tail[len(j.tail)-1])
	switch {
	case last == '-':
		return g.byHyphen(j)
	case last == '.':
		return afterDot(j)
	case strings.HasSuffix(j.tail, "://"), !isNewURL(j.head), isHostInTwo(j.whole, j.head):
		return no, false
	case isAlphanumeric(last):
		return no, true
	case strings.ContainsRune("/=?&", last): // a list of URLs without schemes, or one URL within another
		return unsure, true
	}
	return no, false
}

// isNewURL reports whether a word may be a URL of its own: it begins with the name of a host, and has more
// than the name of a file.
func isNewURL(word string) bool {
	word = strings.TrimRight(word, ".,;:)]}>\"'")
	end := strings.IndexAny(word, "/:?#")
	if end < 0 {
		end = len(word)
	}
	dots := strings.Count(word[:end], ".")
	return dots > 0 && (dots > 1 || end < len(word)) && strings.IndexByte(word[:end], '_') < 0 && isAlphanumeric(rune(word[0])) && unicode.IsLetter(rune(word[end-1])) && isHost(word[:end])
}

// afterDot decides about a URL before a dot, which ends sentences, too: these begin with a capital letter.
func afterDot(j *joint) (how continuation, ok bool) {
	if isHostInTwo(j.whole, j.head) {
		return surely, true
	}
	head := strings.TrimRight(j.head, ".,;:)]}>\"'")
	_, path, found := strings.Cut(j.whole, "://")
	if !found {
		path = j.whole // "doi:10."
	}
	if strings.IndexByte(path, '/') < 0 || strings.HasSuffix(j.tail, "/.") || head == "" {
		return no, false
	}
	if strings.HasSuffix(j.tail, head+".") || strings.IndexByte(head, ':') > 0 { // the number again, or another URI
		return no, true
	}
	digits := len(head) - len(strings.TrimLeft(head, "0123456789"))
	switch {
	case digits == len(head) && digits > 4: // it is no year
		return surely, true
	case digits > 2 && digits < len(head) && head[digits] == '.':
		return surely, true
	case 'a' <= head[0] && head[0] <= 'z':
		if len(head) < len(j.head) || strings.ContainsAny(head, parts) || j.to == j.b.to {
			return surely, true
		}
		return unsure, true
	}
	return no, false
}

// byHyphen decides about a URL before a hyphen, which may be that of a word that was broken: the words of
// the document tell.
func (g *page) byHyphen(j *joint) (how continuation, ok bool) {
	isNoLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	tail := j.tail[:len(j.tail)-1]
	left := tail[strings.LastIndexFunc(tail, isNoLetter)+1:]
	right := j.head
	if i := strings.IndexFunc(right, isNoLetter); i >= 0 {
		right = right[:i]
	}
	if len(left) < 2 || len(right) < 2 || !g.known.has(left+right) {
		return no, false
	}
	if g.known.has(right) {
		return unsure, true
	}
	return softly, true
}

// isPieceAlone reports whether a line has one word only, which may be a piece of the URL that fills the line before it.
func isPieceAlone(j *joint) bool {
	first := rune(j.head[0])
	return j.to == j.b.to && first < utf8.RuneSelf && (unicode.IsLower(first) || unicode.IsDigit(first) || hasParts(j.head))
}

// isForeign reports whether head is a word in Latin letters in a text of another script: the text before
// the URL, or after head, is in that script.
func (g *page) isForeign(j *joint) bool {
	if r := j.head[0]; r >= utf8.RuneSelf || !isAlphanumeric(rune(r)) {
		return false
	}
	other := 0
	for _, k := range []int32{g.lastLetter(j.a, j.start), g.firstLetter(j.b, j.to)} {
		switch {
		case k < 0:
		case unicode.Is(unicode.Latin, g.chars[k].r):
			return false
		default:
			other++
		}
	}
	return other > 0
}

// lastLetter returns the last letter of a line before a place in page.order, -1 if there is none;
// firstLetter the first one from there on.
func (g *page) lastLetter(l *line, to int32) int32 {
	for i := to - 1; i >= l.from && to-i < maxToken; i-- {
		if k := g.order[i]; k >= 0 && unicode.IsLetter(g.chars[k].r) {
			return k
		}
	}
	return -1
}

func (g *page) firstLetter(l *line, from int32) int32 {
	for i := from; i < l.to && i-from < maxToken; i++ {
		if k := g.order[i]; k >= 0 && unicode.IsLetter(g.chars[k].r) {
			return k
		}
	}
	return -1
}

// isScheme reports whether the text of a line is no more than the beginning of a URL. Marks stand before it
// where text is read from right to left.
func (g *page) isScheme(l *line) bool {
	if n := l.to - l.from; n < 7 || n > 9 {
		return false
	}
	s := strings.TrimSpace(g.word(l.from, l.to))
	return s == "https://" || s == "http://" || s == "//:https" || s == "//:http"
}

// letter returns the first letter or digit of a range of a line in page.order; if there is none, the first
// character. In text that is read from right to left, digits are like marks.
func (g *page) letter(l *line, from, to, step int32) *char {
	digit := int32(-1)
	for i := from; i != to; i += step {
		k := g.order[i]
		switch {
		case k < 0:
		case unicode.IsLetter(g.chars[k].r), !l.isRTL && unicode.IsDigit(g.chars[k].r):
			return &g.chars[k]
		case digit < 0 && unicode.IsDigit(g.chars[k].r):
			digit = k
		}
	}
	if digit >= 0 {
		return &g.chars[digit]
	}
	return &g.chars[g.order[from]]
}

// endsSoftly reports whether a line ends in a hyphen that is not in the text: a soft one, or one that is
// marked content of its own, as InDesign writes the hyphens that it adds, if those within lines are not.
func (g *page) endsSoftly(l *line) bool {
	k := g.order[l.to-1]
	if k < 0 {
		return false
	}
	if g.chars[k].r == softHyphen {
		return !g.isHardHyphen
	}
	return g.endsAlone(l) && !g.isOftenAlone && g.isOftenJoined
}

// endsAlone reports whether a line ends in a hyphen that is marked content of its own, behind a letter.
func (g *page) endsAlone(l *line) bool {
	k := g.order[l.to-1]
	return k >= 0 && g.chars[k].isAlone && l.to-l.from > 1 && !g.isSpace(l.to-2)
}

// brokenAnywhere decides about a URL that may be broken between any two of its characters.
func (g *page) brokenAnywhere(j *joint, how fullness) continuation {
	first, last := rune(j.head[0]), rune(j.tail[len(j.tail)-1])
	isAlone := j.start == j.a.from // a URL too long for a line begins on a line of its own, whose letters are not spaced
	switch {
	case first >= utf8.RuneSelf:
		return maybe
	case how != justified && g.reachesMargin(j.a) && isPieceAtMargin(j):
		return surely
	case how == notFull || !isAlphanumeric(first) && !isURLMark(first):
		return maybe
	}
	isDense := isEastAsian(g.chars[g.order[j.a.from]].r) || g.hasEastAsian(j.b)
	switch {
	case isDense, isAlone && isPiece(j.head), how == full && hasParts(j.head), isHostInTwo(j.whole, j.head):
		return surely
	case isAlphanumeric(last) && isAlphanumeric(first) && (how == full || isAlone):
		return unsure
	}
	return maybe
}

// reachesMargin reports whether a line goes as far as others of the page, to a character. One line may go
// beyond the margin.
func (g *page) reachesMargin(l *line) bool {
	const character = 0.6 // of the size
	key := g.columnOf(l)
	key.begin = wholePage
	return !l.isRTL && l.reach > g.columns[key].second-character*l.size
}

// isPieceAtMargin reports whether the text after a line that reaches the margin of the page is a piece of a
// URL by its form, if the line has nothing else, or if one of the two has only words of the URL.
func isPieceAtMargin(j *joint) bool {
	if j.start == j.a.from || j.isWhole {
		return strings.ContainsAny(j.head, "/_=%&?#0123456789")
	}
	return hasParts(j.head) || j.to == j.b.to && isPiece(j.head)
}

// leastPiece is the length from which a word with digits is a piece of a URL that is broken anywhere:
// "pip3" may be a command below it.
const leastPiece = 8

// isPiece reports whether a word is a piece of a URL that is broken anywhere, by its form: it has
// separators of URLs, not only hyphens, or it is long and has digits.
func isPiece(word string) bool {
	word = strings.TrimRight(word, ".,;:)]}>\"'")
	return strings.ContainsAny(word, "./_=%&?") || len(word) >= leastPiece && strings.ContainsAny(word, "0123456789")
}

// isHostInTwo reports whether tail ends in the name of a host that is none without the beginning of head.
func isHostInTwo(tail, head string) bool {
	_, host, found := strings.Cut(tail, "://")
	if !found && strings.HasPrefix(tail, "www.") {
		host = tail
	}
	end := strings.IndexAny(head, "/:?#")
	if end < 0 {
		end = len(strings.TrimRight(head, ".,;:)]}>\"'?!"))
	}
	if name, isEnd := strings.CutSuffix(host, "."); isEnd && end == len(head) && strings.IndexByte(name, '.') > 0 && isHost(name) {
		return false // the end of a sentence
	}
	return host != "" && !strings.ContainsAny(host, "/?#:@[") && !isHost(host) && isHost(host+head[:end])
}

// isHost reports whether the top-level domain of a host is known, or whether a provider gives its customers
// names such as the host.
func isHost(host string) bool {
	name, isKnown := hostname.Suffix(strings.ToLower(host))
	return isKnown || strings.IndexByte(name, '.') > 0
}

// hasParts reports whether a word has parts as URLs have them, and is not the name of a host or a file in a sentence.
func hasParts(word string) bool {
	word = strings.TrimRight(word, ".,;:)]}>\"'?!")
	if strings.ContainsAny(word, "_=%&?") {
		return true
	}
	i := strings.IndexByte(word, '/')
	return i >= 0 && word != "and/or" && (strings.Count(word, "/") > 1 || strings.ContainsAny(word, ".-0123456789"))
}

// hasEastAsian reports whether a line has text of a script without spaces.
func (g *page) hasEastAsian(l *line) bool {
	for _, k := range g.order[l.from:min(l.to, l.from+maxToken)] {
		if k >= 0 && isEastAsian(g.chars[k].r) {
			return true
		}
	}
	return false
}

// parts are the characters that separate the parts of a URL. The first one ends sentences, too.
const parts = "./_=%&?-"

// isRest reports whether head, the first word of a line, continues the URL at the end of tail by its form:
// URLs rarely end in a separator of their parts, and words rarely have one inside.
func isRest(tail, head string) bool {
	last := tail[len(tail)-1]
	if !isAlphanumeric(rune(head[0])) {
		return head[0] == '.' && isHostInTwo(tail, head)
	}
	_, path, _ := strings.Cut(tail, "://")
	head = strings.TrimRight(head, ".,;:)]}>\"'")
	hasParts := strings.ContainsAny(head, parts)
	switch {
	case last == '?': // or the end of a sentence
		return hasParts
	case strings.IndexByte("-_=&#%~+@", last) >= 0, strings.HasSuffix(tail, "%20"):
		return true
	case strings.HasSuffix(tail, "://"):
		return strings.IndexByte(head, '.') > 0
	case last == '/':
		return hasParts && (!unicode.IsUpper(rune(head[0])) || isFile(head))
	case last == '.': // in a name of a host, which cannot end so
		return hasParts && strings.IndexByte(path, '/') < 0 && (strings.IndexByte(head, '.') > 0 || isHostInTwo(tail, head))
	}
	// A host that is no name yet.
	return path != "" && !strings.ContainsAny(path, "/.:") && strings.IndexByte(head, '.') > 0
}

// isFile reports whether a word that begins with a capital letter is the name of a file, or its last
// directories: "Fig.3" and "TCP/IP" are not.
func isFile(word string) bool {
	if strings.IndexByte(word, '/') >= 0 {
		return strings.ContainsAny(word, "0123456789._")
	}
	const leastName, mostType = 4, 5
	i := strings.LastIndexByte(word, '.')
	if suffix := word[i+1:]; i < leastName || len(suffix) < 2 || len(suffix) > mostType || strings.Trim(suffix, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return strings.IndexByte(word, '_') > 0
	}
	return true
}

// isDistinct reports whether a URL has a style of its own: the text after it has another; or the text
// before it, if its line ends there. The text before it alone does not tell: words after a label in bold
// are no URL.
func (g *page) isDistinct(a, b *line, from, to int32, style uint32) bool {
	if end := g.chars[g.order[to-1]]; end.style != style && !isAlphanumeric(end.r) {
		return true
	}
	for to < b.to && g.isSpace(to) {
		to++
	}
	for from--; from >= a.from && g.isSpace(from); from-- {
	}
	hasBefore := from >= a.from
	isOther := hasBefore && g.chars[g.order[from]].style != style
	if to < b.to {
		return g.chars[g.order[to]].style != style && (isOther || !hasBefore)
	}
	return isOther
}

// width returns how wide the characters of a range of page.order are, from the first to the last. In a line
// that is read from right to left, a mark at the end of a URL may stand before its beginning.
func (g *page) width(first, last int32) float32 {
	c, d := g.order[first], g.order[last]
	if c < 0 || d < 0 {
		return 0
	}
	sum := float32(0)
	for _, k := range g.order[first : last+1] {
		if k >= 0 {
			sum += abs(g.chars[k].ex-g.chars[k].x) + abs(g.chars[k].ey-g.chars[k].y)
		}
	}
	return max(sum, abs(g.chars[d].ex-g.chars[c].x)+abs(g.chars[d].ey-g.chars[c].y))
}
