// Package notebook scans Jupyter notebooks: the JSON of nbformat 3 and 4, and scripts in the percent format
// of Jupytext.
//
// It finds the cells, and yields the content of each as a Body: Markdown, text for code, and the outputs of
// a run. The scanners of these types find the references in it. A Map maps each Body back through the
// escapes of its strings to the notebook.
//
//	notebook.go  Scanner: cells and outputs
//	json.go      JSON, as far as a notebook needs it
//	percent.go   PercentScanner: cells of a script
//
// The JSON is read in one pass, without recursion. Unneeded values, such as images in base64, are skipped
// without being decoded. The source of a cell is read at the end of the cell, since its type may follow it.
// So each byte is read at most twice.
//
// Sources: the schemas of nbformat 3 and 4.5; json.loads of Python for details that they leave open (of
// equal keys the last one counts).
package notebook

import (
	"bytes"
	"iter"
	"strconv"

	"example.org/refract/extract/scan"
)

// A Scanner scans one notebook. The zero Scanner has the defaults. It may be reused, but
// several goroutines must not use it at once.
type Scanner struct {
	item  scan.Item
	more  scan.More
	value []byte
	m     scan.Map
}

const (
	htmlType     = "text/html"
	markdownType = "text/markdown"
	textType     = "text/plain"
	svgType      = "image/svg+xml"
)

// Scan yields a Body for each cell and each output of src in source order, and a Note where src is not
// valid JSON, or has no cells; the rest is one Body of JSON. src is UTF-8. Every input is valid. The time
// is linear in len(src).
//
// The Name of the Body of a cell is its number, from 1. That of an output is the number of the cell,
// ".output." and the number of the output, from 1; it has the label Output. A heading cell of nbformat 3
// becomes a heading of Markdown.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		n := reader{Scanner: s, parser: parser{src: src}, yield: yield}
		if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
			n.at = 3
		}
		n.document()
		n.rest()
		s.item = scan.Item{}
		s.release()
	}
}

// rest yields the text that document could not read as cells: everything after the last whole cell of an
// invalid notebook, such as one that was cut, or all of JSON that has no cells.
func (n *reader) rest() {
	text := "the notebook is not valid JSON: the rest is read as text"
	switch {
	case n.stopped, !n.malformed && (n.hasCells || bytes.IndexByte(n.src, '"') < 0):
		return
	case !n.malformed:
		text = "no notebook: it has no cells, and is read as text"
	}
	n.item = scan.Item{Op: scan.Note, Span: scan.Span{Start: n.at, End: n.at}, Code: scan.CodeMalformed, Text: text}
	if n.yield(&n.item) && n.read < len(n.src) {
		n.item = scan.Item{Op: scan.Body, Type: "application/json", Span: scan.Span{Start: n.read, End: len(n.src)}, Value: n.src[n.read:]}
		n.yield(&n.item)
	}
}

// release releases memory beyond what most notebooks need.
func (s *Scanner) release() {
	const maxValue = 64 << 10
	s.m.Reset()
	if cap(s.value) > maxValue {
		s.value, s.m = nil, scan.Map{}
	}
}

// A reader reads one notebook.
type reader struct {
	*Scanner
	parser
	yield   func(*scan.Item) bool
	stopped bool // yield returned false
	cells   int  // cells begun so far

	hasCells bool // there is a list of them
	read     int  // where the last whole cell ends
}

// document reads the outermost object.
func (n *reader) document() {
	n.object(func(key []byte) {
		switch string(key) {
		case "cells":
			n.hasCells = true
			n.array(n.cell)
		case "worksheets": // of nbformat 3
			n.hasCells = true
			n.array(func() {
				n.object(func(key []byte) {
					if string(key) == "cells" {
						n.array(n.cell)
					} else {
						n.skip()
					}
				})
			})
		default:
			n.skip()
		}
	})
}

// A cell holds the offsets of the values of a cell; 0 means that there is none.
type cell struct {
	kind            string
	source, outputs int
	mimeType        string // of a raw cell
	level           int    // of a heading cell
}

// cell reads a cell: first it finds the values, then it reads their content.
func (n *reader) cell() {
	n.cells++
	var c cell
	n.object(func(key []byte) {
		switch string(key) {
		case "cell_type":
			c.kind = n.shortString()
			return
		case "source", "input": // "input" is the source of code in nbformat 3
			c.source = n.at
		case "outputs":
			c.outputs = n.at
		case "metadata":
			n.metadata(&c)
			return
		case "level":
			c.level = n.digit()
			return
		}
		n.skip()
	})
	if n.malformed || n.stopped {
		return
	}
	end := n.at
	name := strconv.Itoa(n.cells)
	inOrder := []func(){
		func() { n.source(&c, name) },
		func() { n.outputs(&c, name) },
	}
	if c.outputs < c.source {
		inOrder[0], inOrder[1] = inOrder[1], inOrder[0]
	}
	for _, read := range inOrder {
		if !n.stopped {
			read()
		}
	}
	n.at = end
	if !n.malformed {
		n.read = end
	}
}

// metadata reads the type of a raw cell.
func (n *reader) metadata(c *cell) {
	n.object(func(key []byte) {
		if k := string(key); k == "raw_mimetype" || k == "format" {
			c.mimeType = n.shortString()
			return
		}
		n.skip()
	})
}

// source yields the source of a cell.
func (n *reader) source(c *cell, name string) {
	if c.source == 0 {
		return
	}
	mediaType, prefix := textType, ""
	switch c.kind {
	case "markdown":
		mediaType = markdownType
	case "heading":
		mediaType, prefix = markdownType, "######"[:min(max(c.level, 1), 6)]+" "
	case "html": // of nbformat 3
		mediaType = htmlType
	case "raw":
		mediaType = rawType(c.mimeType)
	}
	n.at = c.source
	n.body(scan.Item{Type: mediaType, Name: name}, prefix)
}

// rawType returns the media type by which to read a raw cell.
func rawType(mimeType string) string {
	switch mimeType {
	case htmlType, markdownType:
		return mimeType
	case "text/restructuredtext", "text/x-rst":
		return "text/x-rst"
	case "text/asciidoc":
		return mimeType
	case "text/latex", "text/x-tex":
		return "text/x-tex"
	}
	return textType
}

// outputs yields the outputs of a cell.
func (n *reader) outputs(c *cell, name string) {
	if c.outputs == 0 {
		return
	}
	n.at = c.outputs
	i := 0
	n.array(func() {
		i++
		n.output(name + ".output." + strconv.Itoa(i))
	})
}

// mediaTypes maps the keys of nbformat 4 and 3 to the types of outputs to read.
var mediaTypes = map[string]string{
	htmlType: htmlType, markdownType: markdownType, svgType: svgType, textType: textType,
	"html": htmlType, "svg": svgType, "text": textType,
}

// output yields the content of one output. It skips text if the output has the same content in
// another form.
func (n *reader) output(name string) {
	type form struct {
		at        int
		mediaType string
	}
	var forms []form
	isRich := false
	add := func(key []byte) {
		if t := mediaTypes[string(key)]; t != "" && len(forms) < 2*len(mediaTypes) {
			forms = append(forms, form{n.at, t})
			isRich = isRich || t != textType
		}
		n.skip()
	}
	n.object(func(key []byte) {
		if string(key) == "data" {
			n.object(add)
		} else {
			add(key)
		}
	})
	end := n.at
	for _, f := range forms {
		if n.malformed || n.stopped {
			return
		}
		if f.mediaType != textType || !isRich {
			n.at = f.at
			n.body(scan.Item{Type: f.mediaType, Name: name, Labels: scan.Output}, "")
		}
	}
	n.at = end
}

// body yields it as a Body whose content is the string or array of strings here. The prefix is
// not part of the notebook.
func (n *reader) body(it scan.Item, prefix string) {
	n.m.Reset()
	n.value = n.value[:0]
	it.Op, it.Span.Start = scan.Body, n.at
	if prefix != "" {
		n.value = append(n.value, prefix...)
		n.m.Add(len(prefix), n.at, len(prefix), 1)
	}
	add := func() {
		if n.peek() == '"' {
			n.value = n.appendString(n.value, &n.m)
		} else {
			n.skip()
		}
	}
	if n.peek() == '[' {
		n.array(add)
	} else {
		add()
	}
	if len(n.value) == len(prefix) {
		return
	}
	it.Span.End = n.at
	n.more.Charset = "utf-8" // whatever a page in an output says
	it.Value, it.Map, it.More = n.value, &n.m, &n.more
	n.item = it
	if !n.yield(&n.item) {
		n.stopped = true
	}
}

// Is reports whether a document that begins with head is a notebook.
func Is(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(head) == 0 || head[0] != '{' {
		return false
	}
	rest := bytes.TrimLeft(head[1:], " \t\r\n")
	switch {
	case bytes.HasPrefix(rest, []byte(`"cells"`)), bytes.HasPrefix(rest, []byte(`"worksheets"`)):
		return bytes.Contains(rest, []byte(`"cell_type"`)) || bytes.Contains(rest, []byte(`"nbformat"`))
	case bytes.HasPrefix(rest, []byte(`"metadata"`)), bytes.HasPrefix(rest, []byte(`"nbformat`)):
		return bytes.Contains(rest, []byte(`"nbformat"`)) && bytes.Contains(rest, []byte(`"metadata"`))
	}
	return false
}
