package report

import (
	"bytes"
	"os"
	"strings"
	"unicode/utf8"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// A region is the range of a finding. Lines and columns start at 1; the end is exclusive.
type region struct {
	line int // 0 is unknown

	// The following fields are set if the document could be read again, and still has the line and
	// the reference of the finding. Columns count UTF-16 code units; byte fields count bytes of
	// UTF-8.
	isRead                   bool
	column, byteColumn       int
	endLine                  int
	endColumn, endByteColumn int
	exact                    bool // the text there is Raw, and consists of the reference alone
}

// A source reads the documents of findings again, to compute the missing parts of positions: the end, and
// columns in characters. It reads each document once if findings are in the order of documents, and counts
// each line once, however many findings it has.
type source struct {
	path string
	text []byte // nil if it cannot be read

	// The line that was counted last begins at line; there are column-1 units between line and at. A
	// column of -1 means that the line is not UTF-8, so its characters are unknown.
	line, at, column int
}

// region returns the region of f.
func (s *source) region(f *audit.Finding) region {
	pos := f.Pos
	r := region{line: pos.Line}
	if pos.Line < 1 || pos.Column < 1 || f.Rule == rule.Orphan { // it concerns the whole document
		return r
	}
	s.open(f.Path)
	line, start, end := pos.Offset-int64(pos.Column-1), pos.Offset, pos.Offset+int64(pos.Length)
	if s.text == nil || line < 0 || end > int64(len(s.text)) || line > 0 && s.text[line-1] != '\n' {
		return r // it has changed, is compressed, or is in an encoding such as UTF-16
	}
	here := s.text[start:end]
	reference := f.Ref != nil
	if reference && !bytes.Equal(here, f.Ref.Raw) {
		return r
	}
	column := s.count(int(line), int(start))
	last := bytes.LastIndexByte(here, '\n') + 1
	n, ok := units(here[last:])
	if column < 1 || !ok {
		return r
	}
	r.isRead, r.exact = true, reference && pos.Exact
	r.column, r.byteColumn = column, pos.Column
	r.endLine, r.endColumn, r.endByteColumn = pos.Line, column+n, pos.Column+len(here)
	if last > 0 {
		r.endLine += bytes.Count(here, []byte("\n"))
		r.endColumn, r.endByteColumn = 1+n, 1+len(here)-last
	}
	return r
}

// open reads a document, unless it is the current one. It does not read a document that is too
// large for an audit to hold whole.
func (s *source) open(path string) {
	if s.path == path {
		return
	}
	*s = source{path: path, line: -1}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() <= extract.MaxEntity {
		s.text, _ = os.ReadFile(path)
	}
}

// count returns the column of an offset in the line that begins at line. A result below 1 means
// unknown. It continues from the previous position, in either direction.
func (s *source) count(line, offset int) int {
	if s.line != line {
		s.line, s.at, s.column = line, line, 1
		if line == 0 && bytes.HasPrefix(s.text, []byte("\ufeff")) {
			s.at = len("\ufeff") // not a character of the text (3.30.1 of SARIF)
		}
	}
	if s.column < 1 {
		return -1
	}
	n, ok := units(s.text[min(s.at, offset):max(s.at, offset)])
	if offset < s.at {
		n = -n
	}
	s.at, s.column = offset, s.column+n
	if !ok {
		s.column = -1
	}
	return s.column
}

// units returns the number of UTF-16 code units in s. ok is false if s is not UTF-8, or contains
// NUL: then it is probably in another encoding.
func units(s []byte) (n int, ok bool) {
	for _, c := range s {
		if c == 0 {
			return 0, false
		}
		if c&0xc0 != 0x80 {
			n++
		}
		if c >= 0xf0 {
			n++
		}
	}
	return n, utf8.Valid(s)
}

// fix returns a replacement for the bytes of f, which is in the region r: its suggestion, if the
// document has no quoting there, and the suggestion needs none in any document.
func fix(f *audit.Finding, r *region) (string, bool) {
	unsafe := func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("-._~/#?%:@+", c))
	}
	ok := f.Suggestion != "" && r.exact && f.Ref != nil && bytes.Equal(f.Ref.Raw, f.Ref.Ref) && !strings.ContainsFunc(f.Suggestion, unsafe)
	return f.Suggestion, ok
}
