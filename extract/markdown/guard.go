package markdown

import (
	"bytes"
	"fmt"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// goldmark takes longer than linear time on some input: an attempt at a link, at raw
// HTML or at a code span may look through the rest of its paragraph, each definition
// through those before it, each line through all blocks that are open. What that comes
// to is estimated before: for each paragraph the number of what may begin one times its
// length, definitions times definitions, lines times depth.
const (
	maxWork  = 64 // for each byte of the document
	freeWork = 1 << 23
	maxDepth = 100 // of lists and quotations
)

// tooSlow says why goldmark is not to parse src; "" if it is.
func tooSlow(src []byte) string {
	if harmless(src) {
		return ""
	}
	work := freeWork + maxWork*len(src)
	var (
		length, starts int // of the paragraph at hand
		definitions    int // in a row
		longest        int // run of backquotes in the paragraph
		ordered        bool
		table          bool
		columns        []int // of the list items that are open
	)
	flush := func() {
		work -= length * starts
		length, starts, longest = 0, 0, 0
	}
	for at := 0; at < len(src); {
		end := lineEnd(src, at)
		line := src[at:end]
		at = end
		// Containers: ">" and list items, each in a column further right.
		i, col, quotes := 0, 0, 0
		fresh := false
		for i < len(line) {
			c := line[i]
			if c == ' ' {
				i++
				col++
				continue
			}
			if c == '\t' {
				i++
				col += 4 - col%4
				continue
			}
			if c == '>' {
				i++
				col++
				if quotes++; quotes > maxDepth {
					return fmt.Sprintf("quotations more than %d deep: links are looked for in a simpler way", maxDepth)
				}
				continue
			}
			n, number := listMarker(line[i:])
			if n == 0 {
				break
			}
			if !number || ordered || length == 0 || line[i] == '1' && n == 2 {
				fresh = true
			}
			ordered = ordered || number && length == 0
			for len(columns) > 0 && columns[len(columns)-1] >= col {
				columns = columns[:len(columns)-1]
			}
			if columns = append(columns, col); len(columns) > maxDepth {
				return fmt.Sprintf("lists more than %d deep: links are looked for in a simpler way", maxDepth)
			}
			i += n
			col += n
		}
		rest := line[i:]
		work -= (quotes + len(columns)) * 64
		switch {
		case len(bytes.TrimRight(rest, "\r\n")) == 0:
			flush()
			ordered, table = false, false
			if len(bytes.TrimSpace(line)) > 0 {
				definitions = 0
			}
			continue
		case fresh || rest[0] == '#' || table:
			flush()
		case rest[0] == '|' || rest[0] == ':' || rest[0] == '-':
			table = bytes.IndexByte(rest, '-') >= 0 && len(bytes.Trim(rest, "|:- \t\r\n")) == 0
		}
		if rest[0] == '[' && bytes.Contains(rest[:min(len(rest), maxLabel)], []byte("]:")) {
			definitions++
			work -= definitions
		} else {
			starts += count(rest, &longest)
		}
		length += len(rest)
		if work-length*starts < 0 {
			break
		}
	}
	flush()
	if work < 0 {
		return "too many brackets that nothing closes: links are looked for in a simpler way"
	}
	return ""
}

// harmless reports that what stands between empty lines could be one paragraph each, and
// yet be no work. That is so for nearly all documents, and takes a fifth of the time of
// a closer look, which took a seventh of goldmark's.
func harmless(src []byte) bool {
	definitions := bytes.Count(src, []byte("]:"))
	work := freeWork + maxWork*len(src) - definitions*definitions
	for rest := src; len(rest) > 0; {
		part := rest
		if i := bytes.Index(rest, []byte("\n\n")); i >= 0 {
			part = rest[:i+2]
		}
		rest = rest[len(part):]
		starts := bytes.Count(part, []byte{']'}) + bytes.Count(part, []byte{'<'}) + bytes.Count(part, []byte{'`'})
		if work -= starts * len(part); work < 0 {
			return false
		}
	}
	// Depth takes room in front of a line: a tab for two levels.
	for at := 0; at < len(src); at = lineEnd(src, at) {
		room := 0
		for at+room < len(src) && inFront[src[at+room]] {
			if room++; room > maxDepth/2 {
				return false
			}
		}
	}
	return true
}

var inFront = set(" \t>-*+.)0123456789")

// listMarker returns the length of the list marker that s begins with, 0 if with none,
// and whether it is a number.
func listMarker(s []byte) (n int, number bool) {
	switch s[0] {
	case '-', '*', '+':
		n = 1
	default:
		for n < min(len(s), 9) && ascii.IsDigit(s[n]) {
			n++
		}
		if n == 0 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0, false
		}
		n, number = n+1, true
	}
	if n < len(s) && bytes.IndexByte([]byte(" \t\r\n"), s[n]) < 0 {
		return 0, false
	}
	return n, number
}

// count returns how often something begins in a line whose end goldmark may look for
// in the whole paragraph.
func count(line []byte, longest *int) (n int) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ']':
			if i+1 < len(line) && (line[i+1] == '(' || line[i+1] == '[') {
				n++
			}
		case '<':
			if i+1 < len(line) && line[i+1] != ' ' {
				n++
			}
		case '`':
			run := 1
			for i+1 < len(line) && line[i+1] == '`' {
				run++
				i++
			}
			if run > *longest {
				*longest = run
				n++
			}
		}
	}
	return n
}

// simple takes inline links, definitions, autolinks and HTML from the body, line by
// line and without regard to blocks, but for fenced code.
func (s *Scanner) simple(body int) {
	fence := []byte(nil)
	s.mask = bytes.Repeat([]byte{' '}, len(s.src))
	for at := body; at < len(s.src); {
		end := lineEnd(s.src, at)
		line := s.src[at:end]
		text := bytes.TrimLeft(line, " \t>")
		if run := fenceOf(text); run != nil && (fence == nil || bytes.HasPrefix(run, fence) && len(bytes.TrimSpace(text[len(run):])) == 0) {
			if fence == nil {
				fence = run
			} else {
				fence = nil
			}
		} else if fence == nil {
			copy(s.mask[at:], line)
			s.line(at, end)
		}
		at = end
	}
}

// fenceOf returns the marks that open or close a block of code.
func fenceOf(s []byte) []byte {
	for _, c := range []byte("`~") {
		n := 0
		for n < len(s) && s[n] == c {
			n++
		}
		if n >= 3 {
			return s[:n]
		}
	}
	return nil
}

// line takes what stands in the line src[at:end].
func (s *Scanner) line(at, end int) {
	src := s.src[:end]
	ref := func(from, to int, how scan.How, in string, kind scan.Kind) {
		s.add(scan.Item{Kind: kind, How: how, In: in, Span: scan.Span{Start: from, End: to}, Value: unescape(src[from:to])})
	}
	if label := bytes.TrimLeft(src[at:], " >"); len(label) > 0 && label[0] == '[' {
		if i := bytes.Index(label[:min(len(label), maxLabel)], []byte("]:")); i > 1 && label[1] != '^' {
			rest := bytes.TrimLeft(label[i+2:], " \t")
			if from, to := destination(src, end-len(rest)); to > from {
				ref(from, to, scan.Reference, "definition", scan.Definition)
				return
			}
		}
	}
	for i := at; i < end; i++ {
		switch c := src[i]; {
		case c == '\\':
			i++
		case c == '`':
			run := i
			for run < end && src[run] == '`' {
				run++
			}
			// Code ends in its line here, or is none.
			if n := bytes.Index(src[run:end], src[i:run]); n >= 0 {
				for k := range s.mask[i : run+n] {
					s.mask[i+k] = ' '
				}
				i = run + n + (run - i) - 1
			} else {
				i = run - 1
			}
		case c == ']' && i+1 < end && src[i+1] == '(':
			from := i + 2
			for from < end && (src[from] == ' ' || src[from] == '\t') {
				from++
			}
			if from, to := destination(src, from); to > from && closes(src[to:]) {
				ref(from, to, scan.Inline, "link", scan.Link)
				i = to - 1
			}
		case c == '<':
			if n := bytes.IndexAny(src[i+1:end], "<> \t\r\n"); n > 0 && src[i+1+n] == '>' && bytes.Contains(src[i+1:i+1+n], []byte("://")) {
				ref(i+1, i+1+n, scan.Autolink, "autolink", scan.Link)
				i += n
			}
		}
	}
}

// destination returns where the destination stands that src may hold at at (CommonMark
// 6.3): in angle brackets, or without white space and with balanced parentheses.
func destination(src []byte, at int) (from, to int) {
	if at < len(src) && src[at] == '<' {
		if n := bytes.IndexAny(src[at+1:], "<>\r\n"); n >= 0 && src[at+1+n] == '>' {
			return at + 1, at + 1 + n
		}
		return at, at
	}
	depth := 0
	for i := at; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\' && i+1 < len(src):
			i++
		case c <= ' ' && depth > 0:
			return at, at
		case c <= ' ':
			return at, i
		case c == '(':
			if depth++; depth > 32 {
				return at, at
			}
		case c == ')':
			if depth--; depth < 0 {
				return at, i
			}
		}
	}
	if depth > 0 {
		return at, at
	}
	return at, len(src)
}

// closes reports whether what follows a destination can be the rest of a link.
func closes(s []byte) bool {
	s = bytes.TrimLeft(bytes.TrimPrefix(s, []byte(">")), " \t")
	return len(s) > 0 && bytes.IndexByte([]byte(")\"'("), s[0]) >= 0
}
