package archived

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
	"example.org/refract/internal/cdx"
	"example.org/refract/internal/input"
)

// maxLine is the number of bytes of a line of an index; a longer one is counted as broken.
const maxLine = 1 << 20

// Stats counts the input of Read.
type Stats struct {
	Files, Captures, Broken int
	FirstBroken             string // where the first line is that is not one of an index: FILE:LINE
}

// Read reads indexes (CDX, CDXJ, answers of the Wayback Machine as JSON) and archives (WARC, ARC, WACZ),
// which may be compressed, and notes the captures of the URLs of t. Directories are read with all files in
// them. A line that is not one of an index is counted. A named file without a capture is an error.
func (t *Table) Read(names []string) (s Stats, err error) {
	t.seal()
	return Captures(names, t.take)
}

// A reader reads indexes and archives.
type reader struct {
	take func(*cdx.Capture) // is called for each capture
}

// Captures passes the captures in the files that are named to take.
func Captures(names []string, take func(*cdx.Capture)) (s Stats, err error) {
	r := &reader{take: take}
	walk := input.Options{NoIgnore: true}
	for file, err := range walk.Files(names) {
		if file.Path == "-" {
			return s, errors.New("an index must be a file, which is read twice if it is not one of lines")
		}
		if err != nil {
			return s, cli.WithName(file, err)
		}
		before := s.Captures
		if err := r.readFile(file, &s); err != nil {
			return s, cli.WithName(file, err)
		}
		if s.Captures > before {
			s.Files++
		} else if file.Named {
			return s, fmt.Errorf("%q: no captures found: give a CDX, CDXJ, WACZ or WARC file", file.Name)
		}
	}
	return s, nil
}

func (r *reader) readFile(file input.File, s *Stats) error {
	inner := input.Inner(file.Name)
	isIndex, err := r.readIndex(file, strings.ToLower(path.Ext(inner)), s)
	if isIndex || err != nil {
		return err
	}
	f, err := input.Open(file.Path) // again: a WACZ is read at any place
	if err != nil {
		return err
	}
	defer f.Close()
	return r.readRecords(inner, f, s)
}

// readIndex reads a file if it is an index, by its suffix or its first bytes.
func (r *reader) readIndex(file input.File, suffix string, s *Stats) (isIndex bool, err error) {
	f, err := input.Open(file.Path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, maxLine)
	head, err := in.Peek(4096)
	if err != nil && err != io.EOF {
		return false, err
	}
	if cdx.IsTable(head) {
		return true, r.readTable(in, file.Name, s)
	}
	if suffix != ".cdx" && suffix != ".cdxj" && !cdx.IsIndex(head) {
		return false, nil
	}
	return true, r.readLines(in, file.Name, s)
}

// readLines reads an index. Memory holds one line.
func (r *reader) readLines(in *bufio.Reader, name string, s *Stats) error {
	var layout cdx.Layout
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		isLong := false
		for errors.Is(err, bufio.ErrBufferFull) {
			isLong = true
			_, err = in.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return err
		}
		capture, ok, isBroken := cdx.Capture{}, false, isLong
		if !isLong {
			capture, ok, isBroken = layout.Next(bytes.TrimRight(line, "\r\n"))
		}
		r.count(s, &capture, ok)
		if isBroken {
			s.broken(name, n)
		}
		if err == io.EOF {
			return nil
		}
	}
}

// count counts a capture, and passes it on.
func (r *reader) count(s *Stats, c *cdx.Capture, ok bool) {
	if ok {
		s.Captures++
		r.take(c)
	}
}

// broken counts a line that is not one of an index.
func (s *Stats) broken(name string, line int) {
	s.Broken++
	if s.FirstBroken == "" {
		s.FirstBroken = fmt.Sprintf("%s:%d", name, line)
	}
}

// readTable reads an array of rows: an answer of the Wayback Machine as JSON. Memory holds one row.
func (r *reader) readTable(in *bufio.Reader, name string, s *Stats) error {
	var table cdx.Table
	var row []byte // the current one, up to maxLine bytes
	depth, line, first := 0, 1, 1
	isString, isEscaped := false, false
	for {
		b, err := in.ReadByte()
		if err == io.EOF {
			if depth > 0 {
				s.broken(name, line) // it was cut
			}
			return nil
		}
		if err != nil {
			return err
		}
		if b == '\n' {
			line++
		}
		switch {
		case isEscaped:
			isEscaped = false
		case isString:
			isEscaped, isString = b == '\\', b != '"'
		case b == '"':
			isString = true
		case b == '[':
			if depth++; depth == 2 {
				row, first = row[:0], line
			}
		case b == ']':
			depth--
		}
		if len(row) <= maxLine {
			row = append(row, b)
		}
		if depth != 1 || b != ']' || isString {
			continue
		}
		capture, ok, isBroken := table.Next(row)
		r.count(s, &capture, ok)
		if isBroken {
			s.broken(name, first)
		}
	}
}

// readRecords reads an archive: the headers of its records.
func (r *reader) readRecords(name string, in io.Reader, s *Stats) error {
	cfg := extract.Config{SkipBinary: true}
	cfg.SelectRecord = func(rec *extract.Record) bool {
		if rec.Target == "" || rec.Type != "response" && rec.Type != "resource" && rec.Type != "revisit" {
			return false
		}
		s.Captures++
		date := strings.Map(digit, rec.Date)
		r.take(&cdx.Capture{URL: []byte(rec.Target), Date: []byte(date), Status: rec.Status, IsRevisit: rec.Type == "revisit"})
		return false
	}
	for _, err := range cfg.Walk(name, in) {
		if err != nil {
			return err
		}
	}
	return nil
}

// digit drops what is not a digit: dates of WARC are in the form of RFC 3339.
func digit(r rune) rune {
	if '0' <= r && r <= '9' {
		return r
	}
	return -1
}
