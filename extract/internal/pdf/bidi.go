package pdf

import "slices"

// isRTL reports whether r is of a script that is read from right to left.
func isRTL(r rune) bool {
	return 0x590 <= r && r <= 0x8ff || 0xfb1d <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfefc
}

// isEastAsian reports whether r is of a script without spaces between words, whose lines end anywhere.
func isEastAsian(r rune) bool {
	return 0x2e80 <= r && r <= 0xd7ff || 0xf900 <= r && r <= 0xfaff || 0xfe30 <= r && r <= 0xfe4f || 0xff00 <= r && r <= 0xffef || r >= 0x20000
}

// A direction counts the words of lines, and those of scripts that are read from right to left.
type direction struct{ words, rtl int }

func (d direction) isRTL() bool { return 2*d.rtl > d.words }

// orderText puts the characters of lines, which are in the order of their places, in reading order where
// that is from right to left. That is so in paragraphs with mostly words of such a script, and in others by the
// evidence of the page and their margins.
func (g *page) orderText() {
	directions := make([]direction, len(g.lines))
	var whole direction
	for i := range g.lines {
		d := g.direction(&g.lines[i])
		directions[i] = d
		whole.words, whole.rtl = whole.words+d.words, whole.rtl+d.rtl
	}
	if whole.rtl == 0 {
		return
	}
	for i := range g.lines {
		if g.lines[i].prev >= 0 {
			continue
		}
		for from := int32(i); from >= 0; {
			to, next := g.paragraphEnd(from)
			if g.isParagraphRTL(from, to, directions, whole.isRTL()) {
				g.markRTL(from, next)
			}
			from = next
		}
	}
	var read []int32
	for i := range g.lines {
		if !g.lines[i].isRTL {
			continue
		}
		visual := g.order[g.lines[i].from:g.lines[i].to]
		read = g.readingOrder(read[:0], visual)
		copy(visual, read)
	}
}

// direction counts the words of a line.
func (g *page) direction(l *line) (d direction) {
	inWord := false
	for i := l.from; i < l.to; i++ {
		k := g.order[i]
		isSpace := k < 0 || g.chars[k].r == ' '
		if !isSpace && i < l.to-1 {
			switch c := &g.chars[k]; {
			case c.r == softHyphen:
				g.isHardHyphen = true
			case c.r == '-' && inWord && !g.isSpace(i+1):
				g.isOftenAlone = g.isOftenAlone || c.isAlone
				g.isOftenJoined = g.isOftenJoined || !c.isAlone
			}
		}
		if !isSpace && !inWord {
			d.words++
			if isRTL(g.chars[k].r) {
				d.rtl++
			}
		}
		inWord = !isSpace
	}
	return d
}

// paragraphEnd returns the last line of the paragraph that begins with a line, and the line below it, or
// -1. Lines of a paragraph have the same distance.
func (g *page) paragraphEnd(from int32) (last, next int32) {
	const more = 1.2
	gap := float32(0)
	for last = from; ; last = next {
		next = g.lines[last].next
		if next < 0 {
			return last, next
		}
		below := g.lines[last].base - g.lines[next].base
		if gap > 0 && (below > more*gap || gap > more*below) {
			return last, next
		}
		gap = below
	}
}

// isParagraphRTL reports whether a paragraph is read from right to left.
func (g *page) isParagraphRTL(from, last int32, directions []direction, isPageRTL bool) bool {
	var sum direction
	left, right := 0, 0 // pairs of lines that are flush on one side only
	for i := from; ; i = g.lines[i].next {
		sum.words, sum.rtl = sum.words+directions[i].words, sum.rtl+directions[i].rtl
		if i == last {
			break
		}
		a, b := &g.lines[i], &g.lines[g.lines[i].next]
		isLeft, isRight := abs(a.start-b.start) < flush, abs(a.end-b.end) < flush
		switch {
		case isLeft && !isRight:
			left++
		case isRight && !isLeft:
			right++
		}
	}
	switch {
	case sum.isRTL():
		return true
	case isPageRTL:
		return left <= right
	}
	return sum.rtl > 0 && right > left
}

// markRTL marks the lines of a paragraph, up to the one below it.
func (g *page) markRTL(from, below int32) {
	for i := from; i != below; i = g.lines[i].next {
		g.lines[i].isRTL = true
	}
}

// readingOrder appends the characters of a line from right to left, but those of runs of other scripts from
// left to right. It reverses the Unicode Bidirectional Algorithm (UAX 9), with one level of embedding.
func (g *page) readingOrder(dst, visual []int32) []int32 {
	kindOf := func(i int) (isLetter, isRight bool) {
		if visual[i] < 0 {
			return false, false
		}
		r := g.chars[visual[i]].r
		return isAlphanumeric(r) && !isRTL(r), isRTL(r)
	}
	isMark := func(i int) bool { return visual[i] >= 0 && isURLMark(g.chars[visual[i]].r) }
	for last := len(visual) - 1; last >= 0; {
		end := last
		for end >= 0 && isMark(end) { // a URL that is isolated from the text around it has its marks at its end
			end--
		}
		isLetter := false
		if end >= 0 {
			isLetter, _ = kindOf(end)
		}
		if !isLetter {
			for ; last > end; last-- {
				dst = append(dst, visual[last])
			}
			if last >= 0 {
				dst = append(dst, visual[last])
				last--
			}
			continue
		}
		first := end
		for i := end - 1; i >= 0; i-- {
			isLetter, isRight := kindOf(i)
			if isRight {
				break
			}
			if isLetter {
				first = i
			}
		}
		dst = append(dst, visual[first:last+1]...)
		last = first - 1
	}
	return dst
}

// isURLMark reports whether r is a character of URLs that is neither a letter nor a digit, and ends no
// sentence before a URL.
func isURLMark(r rune) bool {
	switch r {
	case '.', '/', '-', '_', '=', '&', '?', '#', '%', '~', '+', '@', ':':
		return true
	}
	return false
}

// marksFirst puts the marks at the end of the first word of a line before that word, if they are shown
// where its first ones are: to its left if the URL that the line above ends in is isolated from the text
// around it, so that its own marks at the end are shown to its right; to its right if those are shown to
// its left. It reports whether it did.
func (g *page) marksFirst(a, b *line) bool {
	begin := func(i int32) float32 { c := &g.chars[g.order[i]]; return b.dx*c.x + b.dy*c.y }
	isMark := func(i int32) bool { return g.order[i] >= 0 && isURLMark(g.chars[g.order[i]].r) }
	above := a.to - 1
	for above > a.from && isMark(above) {
		above--
	}
	if above == a.to-1 || g.isSpace(above) {
		return false
	}
	isIsolated := begin(a.to-1) > begin(above)
	end := b.from
	for end < b.to && !g.isSpace(end) {
		end++
	}
	from := end
	for from > b.from && isMark(from-1) {
		from--
	}
	if from == end || from == b.from || isIsolated == (begin(end-1) > begin(from-1)) {
		return false
	}
	marks := slices.Clone(g.order[from:end])
	slices.Reverse(marks)
	copy(g.order[b.from+int32(len(marks)):end], g.order[b.from:from])
	copy(g.order[b.from:], marks)
	return true
}
