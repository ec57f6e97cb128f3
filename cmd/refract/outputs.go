package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.org/refract/audit"
	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
)

// Which files an output may replace:
//
//   - A file that only refract reads (--cache, --checkpoint, --write-baseline, --html) is
//     replaced only if it begins like a file of that kind.
//   - -o replaces any file, as ">" does, with two exceptions: a file that the run reads, and a
//     file with a document's suffix (.md, .html, .css and the like, but not .txt) that does not
//     look like output of refract. When the run reads a directory, it skips an earlier output.
//
// Empty files are always replaced.

// isWritten reports whether head, the first bytes of a file, looks like output of refract: URLs,
// references with their places, counts, edges, CSV, JSON, Arrow, or an audit report.
func isWritten(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	for _, begin := range []string{`{"type":"`, `{"path":"`, "input,line,", "count,", "input\tline\t", "count\t", "::error file=", "::warning file=", "::notice file=", "--- a/", "\xff\xff\xff\xff"} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return true
		}
	}
	for _, report := range [][2]string{
		{"<!DOCTYPE", generator}, {`{"$schema"`, `"name":"refract"`}, {`{"source"`, `"name":"refract"`},
		{"<?xml", `<testsuite name="refract audit"`}, {"<?xml", "<checkstyle "},
	} {
		if bytes.HasPrefix(head, []byte(report[0])) && bytes.Contains(head, []byte(report[1])) {
			return true
		}
	}
	return writtenLine.Match(line)
}

// writtenLine matches a URL, a reference with its place, a count, or an edge. A relative reference
// alone (--unresolved) cannot be distinguished from prose.
var writtenLine = lazy.New(`^(?:[A-Za-z][A-Za-z0-9+.-]*:\S+(?:\t.*)?|.+:\d+:\d+:.+|\d+\t\S+|[^\t]+\t[^\t]+\t[a-z]+(?:\t.*)?)$`)

const generator = `<meta name="generator" content="refract `

// Recognise files that only refract reads, by their first bytes.
func isCache(head []byte) bool { return bytes.HasPrefix(head, []byte("refract cache ")) }
func isBaseline(head []byte) bool {
	return bytes.HasPrefix(head, []byte("# What refract audit --baseline "))
}
func isPage(head []byte) bool { return bytes.Contains(head, []byte(generator)) }

// replaceable returns which files an output of -o may replace.
func replaceable(name string) atomicfile.Replaceable {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".txt", ".text": // outputs often have these suffixes
		return nil
	}
	if audit.IsDocument(name) {
		return isWritten
	}
	return nil
}

// A place is a file that a flag names.
type place struct{ flag, name string }

// distinctPlaces reports the first two flags that name the same file, under any name, if at least
// one of them is an output.
func distinctPlaces(outputs, inputs []place) error {
	for i, out := range outputs {
		for _, other := range append(outputs[i+1:len(outputs):len(outputs)], inputs...) {
			if out.name == "" || other.name == "" || !isSameFile(out.name, other.name) {
				continue
			}
			if info, err := os.Stat(out.name); err == nil && !info.Mode().IsRegular() {
				continue // a terminal, /dev/null
			}
			return fmt.Errorf("%s and %s name the same file: give two", out.flag, other.flag)
		}
	}
	return nil
}

// argumentPlaces returns the arguments as places.
func argumentPlaces(args []string) (places []place) {
	for _, arg := range args {
		if arg != "-" {
			places = append(places, place{fmt.Sprintf("the input %q", arg), arg})
		}
	}
	return places
}

// errReadAndWritten is the error for an input that the output would replace.
var errReadAndWritten = errors.New("it is also an input, and not an earlier output of refract: give another name, or remove the file")

// A writtenFile is an output of the run.
type writtenFile struct {
	name     string
	info     os.FileInfo // of the file being written; nil unless it is a regular file
	replaced os.FileInfo // the file that will be replaced; nil: the output is new
	isOurs   func(head []byte) bool
}

// identifyOutput notes which files must not be read.
func (s *search) identifyOutput(out output) {
	s.written = nil
	add := func(out interface{ Stat() (os.FileInfo, bool) }, name string, isOurs func([]byte) bool) {
		f := writtenFile{name: name, isOurs: isOurs}
		if info, ok := out.Stat(); ok {
			f.info = info
		}
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			f.replaced = info
		}
		if f.info != nil || f.replaced != nil {
			s.written = append(s.written, f)
		}
	}
	add(out, s.output, isWritten)
	if s.overview != nil {
		add(s.overview.file, s.overview.name, isPage)
	}
}

// ownOutput reports whether file is one that the run writes, or that it will replace. Such a file must
// not be read: reading it might never end, or it might hold the output of the previous run. An error
// ends the run before anything is lost.
func (s *search) ownOutput(file input.File) (own bool, err error) {
	if s.columns != nil && file.Name != "-" && s.columns.owns(file.Path) {
		if file.Named {
			err = fmt.Errorf("input %q is also the output", file.Name)
		}
		return true, err
	}
	if len(s.written) == 0 || file.Name == "-" {
		return false, nil
	}
	if !file.Named && atomicfile.IsTemp(file.Path) {
		return true, nil
	}
	info, err := os.Stat(file.Path)
	if err != nil {
		return false, nil // reading it will report the reason
	}
	for i := range s.written {
		own, err = s.written[i].is(file, info)
		if own || err != nil {
			return own, err
		}
	}
	return false, nil
}

// is reports whether f is file, or will replace it. info describes file.
func (f *writtenFile) is(file input.File, info os.FileInfo) (own bool, err error) {
	if f.info != nil && os.SameFile(info, f.info) {
		return true, nil
	}
	if f.replaced == nil || !os.SameFile(info, f.replaced) {
		return false, nil
	}
	if file.Named {
		return true, fmt.Errorf("input %q is also the output", file.Name)
	}
	head, err := atomicfile.Head(file.Path)
	if err == nil && len(head) > 0 && !f.isOurs(head) {
		err = fmt.Errorf("output %q: %w", f.name, errReadAndWritten)
	}
	return true, err
}
