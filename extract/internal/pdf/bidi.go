package pdf

// isRTL reports whether r is of a script that is read from right to left.
func isRTL(r rune) bool {
	return 0x590 <= r && r <= 0x8ff || 0xfb1d <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfefc
}

// isEastAsian reports whether r is of a script without spaces between words, whose lines end anywhere.
func isEastAsian(r rune) bool {
	return 0x2e80 <= r && r <= 0xd7ff || 0xf900 <= r && r <= 0xfaff || 0xfe30 <= r && r <= 0xfe4f || 0xff00 <= r && r <= 0xffef || r >= 0x20000
}

// orderText puts the characters of lines, which are in the order of their places, in the order in which they are read, if most words of
// the page are of a script that is read from right to left.
func (g *page) orderText() {
	var rtl, words int
	for i := range g.lines {
		inWord := false
		l := &g.lines[i]
		for n, k := range g.order[l.from:l.to] {
			if k >= 0 && g.chars[k].r == softHyphen && n < int(l.to-l.from)-1 {
				g.isHardHyphen = true
			}
			isSpace := k < 0 || g.chars[k].r == ' '
			if !isSpace && !inWord {
				words++
				if isRTL(g.chars[k].r) {
					rtl++
				}
			}
			inWord = !isSpace
		}
	}
	g.isRTL = 2*rtl > words
	if !g.isRTL {
		return
	}
	var read []int32
	for i := range g.lines {
		visual := g.order[g.lines[i].from:g.lines[i].to]
		read = g.readingOrder(read[:0], visual)
		copy(visual, read)
	}
}

// readingOrder appends the characters of a line from right to left, but those of runs of other scripts from left to right: what the
// Unicode Bidirectional Algorithm (UAX 9) does to display a line, done backwards, with one level of embedding.
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

// isURLMark reports whether r is a character of URLs that is neither a letter nor a digit, and ends no sentence before a URL.
func isURLMark(r rune) bool {
	switch r {
	case '.', '/', '-', '_', '=', '&', '?', '#', '%', '~', '+', '@', ':':
		return true
	}
	return false
}
