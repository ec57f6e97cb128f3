package output

import (
	"bytes"
	"path/filepath"
	"strings"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
)

// IsWritten reports whether head, the first bytes of a file, looks like output of refract: URLs,
// references with their places, counts, edges, CSV, JSON, Arrow, or an audit report.
func IsWritten(head []byte) bool {
	for _, begin := range []string{`{"type":"`, `{"path":"`, "input,line,", "count,", "input\tline\t", "count\t", "::error file=", "::warning file=", "::notice file=", "--- a/", "\xff\xff\xff\xff", report.Marker + "\n", "documents="} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return true
		}
	}
	for _, format := range [][2]string{
		{"<!DOCTYPE", generator}, {`{"$schema"`, `"name":"refract"`}, {`{"source"`, `"name":"refract"`},
		{"<?xml", `<testsuite name="refract audit"`}, {"<?xml", "<checkstyle "},
		{`[{"description":`, `"check_name":"refract/`}, {"[]\n", ""},
	} {
		if bytes.HasPrefix(head, []byte(format[0])) && bytes.Contains(head, []byte(format[1])) {
			return true
		}
	}
	return areWritten(head)
}

// areWritten reports whether each whole line of head is one of text output, or explains one.
func areWritten(head []byte) bool {
	for i, line := range bytes.SplitAfter(head, []byte("\n")) {
		isExplanation := i > 0 && (len(line) == 0 || line[0] == ' ')
		isCut := i > 0 && !bytes.HasSuffix(line, []byte("\n"))
		if !isExplanation && !isCut && !writtenLine.Match(bytes.TrimSuffix(line, []byte("\n"))) {
			return false
		}
	}
	return true
}

// writtenLine matches a URL, a reference with its place, a count, or an edge. A relative reference
// alone (--unresolved) cannot be distinguished from prose.
var writtenLine = lazy.New(`^(?:[A-Za-z][A-Za-z0-9+.-]*:\S+(?:\t.*)?|.+:\d+:\d+:.+|\d+\t\S+|[^\t]+\t[^\t]+\t[a-z]+(?:\t.*)?)$`)

const generator = `<meta name="generator" content="refract `

// IsCache recognises the file of --cache by its first bytes.
func IsCache(head []byte) bool { return bytes.HasPrefix(head, []byte("refract cache ")) }

// IsBaseline recognises a baseline by its first bytes.
func IsBaseline(head []byte) bool {
	return bytes.HasPrefix(head, []byte("# What refract audit --baseline "))
}

// IsPage recognises the page of --html by its first bytes.
func IsPage(head []byte) bool { return bytes.Contains(head, []byte(generator)) }

// Replaceable returns which files an output of -o may replace.
func Replaceable(name string) atomicfile.Replaceable {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".txt", ".text": // outputs often have these suffixes
		return nil
	}
	if doc.IsDocument(name) {
		return IsWritten
	}
	return nil
}
