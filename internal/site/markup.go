package site

import "bytes"

// Markup is how a link of Markdown is written. The zero Markup is that of other references.
type Markup struct {
	File       interface{ Source() []byte } // that holds the link
	Start, End int                          // of the destination in the text of File
	IsInline   bool                         // [x](y), and no definition
}

// Text returns the text of the file, or nil.
func (m *Markup) Text() []byte {
	if m.File == nil {
		return nil
	}
	return m.File.Source()
}

// IsAngle reports whether the destination is in angle brackets: [x](<y>).
func (m *Markup) IsAngle() bool {
	text, at := m.Text(), m.Start-1
	return at >= 0 && at < len(text) && text[at] == '<'
}

// maxBehind limits how many bytes behind a destination are read.
const maxBehind = 200

// behind returns what follows the destination of an inline link.
func (m *Markup) behind() []byte {
	if !m.IsInline {
		return nil
	}
	text := m.Text()
	return text[min(m.End, len(text)):min(len(text), m.End+maxBehind)]
}

// Attributes returns the attribute list after the link, without braces. nil means none.
func (m *Markup) Attributes() []byte {
	list, hasList := bytes.CutPrefix(m.behind(), []byte("){"))
	list, _, isClosed := bytes.Cut(list, []byte("}"))
	if !hasList || !isClosed {
		return nil
	}
	return list
}

// Title returns the text after the destination, up to the parenthesis or the end of the line.
func (m *Markup) Title() []byte {
	rest := m.behind()
	if i := bytes.IndexAny(rest, ")\n"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}
