package markdown

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// Bounds of the elements that are read in the expressions of MDX. What is deeper is not read.
const (
	maxNested = 4   // expressions of attributes within elements within expressions
	maxOpen   = 256 // open braces and elements
)

// A jsxFrame is an open construct of JSX (https://facebook.github.io/jsx/, Syntax).
type jsxFrame struct {
	in    jsxPart
	level int // of the mask that its tags go to: how many attributes are around it
	at    int // where braces open
}

type jsxPart uint8

const (
	inScript  jsxPart = iota // within braces
	inTag                    // between the name of a tag and its ">"
	inContent                // between an opening and a closing tag
)

// jsxStops holds the bytes that elements stops at.
var jsxStops = [...][256]bool{
	inScript:  {'{': true, '}': true, '<': true, '\'': true, '"': true, '`': true, '/': true},
	inTag:     {'{': true, '\'': true, '"': true, '>': true},
	inContent: {'{': true, '<': true},
}

// elements copies the tags of the elements in the expression src[from:to], which is an attribute of a tag
// or stands in text, into masks for package html. Tags within an attribute of a tag are in another mask
// than that tag.
func (s *Scanner) elements(from, to int) {
	if bytes.IndexByte(s.src[from:to], '<') < 0 {
		return
	}
	open := []jsxFrame{{inScript, 0, from}}
	seg := from // where the part of a tag begins that has not been copied
	for i := from + 1; i < to && len(open) > 0; i++ {
		f := open[len(open)-1]
		c := s.src[i]
		if !jsxStops[f.in][c] {
			continue
		}
		if c == '{' {
			level := f.level
			if f.in == inTag {
				s.copyTag(level, seg, i)
				level++
			}
			open = append(open, jsxFrame{inScript, level, i})
		} else if f.in == inScript {
			switch {
			case c == '}':
				open = open[:len(open)-1]
				if n := len(open); n > 0 && open[n-1].in == inTag {
					s.coverValue(open[n-1].level, f.at, i+1)
					seg = i + 1
				}
			case c == '<' && s.opensElement(from, i, to):
				seg = i
				open, i = s.openElement(open, f.level, i)
			default:
				i += s.skipScript(s.src[i:to])
			}
		} else if f.in == inTag {
			switch c {
			case '"', '\'':
				i += s.through(s.src[i+1:to], string(c))
			case '>':
				s.copyTag(f.level, seg, i+1)
				open = open[:len(open)-1]
				if s.src[i-1] != '/' {
					open = append(open, jsxFrame{inContent, f.level, i})
				}
			}
		} else if c == '<' && i+1 < to {
			if s.src[i+1] == '/' {
				end := i + s.through(s.src[i:to], ">")
				s.copyTag(f.level, i, end)
				open, i = open[:len(open)-1], max(i, end-1)
			} else if s.src[i+1] == '>' || ascii.IsLetter(s.src[i+1]) {
				seg = i
				open, i = s.openElement(open, f.level, i)
			}
		}
		if len(open) > maxOpen || s.effort < 0 {
			return
		}
	}
}

// openElement opens the element whose tag begins at src[at], and returns the last byte of what it has read.
func (s *Scanner) openElement(open []jsxFrame, level, at int) ([]jsxFrame, int) {
	if s.src[at+1] == '>' { // a fragment has no name
		return append(open, jsxFrame{inContent, level, at}), at + 1
	}
	return append(open, jsxFrame{inTag, level, at}), at + runOf(s.src[at+1:], isComponentName)
}

// opensElement reports whether the "<" at src[at] in an expression that begins at from opens an element.
// After a name or a value it means "less than", or opens the arguments of a type.
func (s *Scanner) opensElement(from, at, to int) bool {
	if at+1 == to || s.src[at+1] != '>' && !ascii.IsLetter(s.src[at+1]) {
		return false
	}
	before := bytes.TrimRight(s.src[from:at], " \t\r\n")
	c := before[len(before)-1]
	return !ascii.IsAlnum(c) && bytes.IndexByte([]byte(")]_$'\"`"), c) < 0 || bytes.HasSuffix(before, []byte("return"))
}

// skipScript returns how many bytes follow the first one in the string or comment that text begins with, or 0.
func (s *Scanner) skipScript(text []byte) int {
	switch {
	case text[0] == '\'' || text[0] == '"' || text[0] == '`':
		i := quoted(text)
		if i < len(text) && text[i] == text[0] {
			return i
		}
		s.effort -= i
	case bytes.HasPrefix(text, []byte("//")):
		return s.through(text[1:], "\n")
	case bytes.HasPrefix(text, []byte("/*")):
		return s.through(text[1:], "*/")
	}
	return 0
}

// through returns the length of text up to and with end, or 0. What is not there costs effort, so that the
// time is linear.
func (s *Scanner) through(text []byte, end string) int {
	n := bytes.Index(text, []byte(end))
	if n < 0 {
		s.effort -= len(text)
		return 0
	}
	return n + len(end)
}

// copyTag copies a part of a tag into the mask of a level.
func (s *Scanner) copyTag(level, from, to int) {
	if level >= maxNested || from >= to {
		return
	}
	for len(s.nested) <= level {
		s.nested = append(s.nested, nil)
	}
	if s.nested[level] == nil {
		s.nested[level] = bytes.Repeat([]byte{' '}, len(s.src))
		s.memory -= len(s.src)
	}
	copy(s.nested[level][from:to], s.src[from:to])
}

// coverValue makes letters of the expression src[from:to] in a tag of a level.
func (s *Scanner) coverValue(level, from, to int) {
	if level < maxNested {
		for i := from; i < to; i++ {
			s.nested[level][i] = mark
		}
	}
}

// expressions adds the references and anchors of the elements in expressions.
func (s *Scanner) expressions() {
	for _, mask := range s.nested {
		if mask == nil {
			continue
		}
		for of := range s.scanTags(mask) {
			it := *of
			if it.Op != scan.Ref && it.Op != scan.Anchor || s.src[it.Span.Start] == '{' && !s.isLiteral(&it) && !s.keepsExpression(&it) {
				continue
			}
			if at := s.src[it.Span.Start:it.Span.End]; bytes.Equal(at, it.Value) {
				it.Value = at
			} else {
				it.Value = bytes.Clone(it.Value)
			}
			s.add(it)
		}
	}
}
