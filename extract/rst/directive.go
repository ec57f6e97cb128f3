package rst

import (
	"bytes"
	"strings"
	"sync"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A content says what the content of a directive is.
type content uint8

const (
	parsed   content = iota // blocks of reStructuredText; also in unknown directives
	verbatim                // anything else
	literal                 // text with inline markup, in which line breaks matter
	entries                 // the documents of a toctree
	rows                    // CSV, with reStructuredText in its cells
	terms                   // a definition list, of a glossary
	raw                     // of another format
)

// An argument says how a directive uses its argument.
type argument uint8

const (
	isText argument = iota // with inline markup
	isFile                 // a reference to a file that is shown in place of the directive
	isNone                 // a name, a signature or the like, which refers to nothing
	isRead                 // a file that is read as part of the document
)

// A directive holds what is known about the directives with one name.
type directive struct {
	content  content
	argument argument
}

// directives are those of docutils and Sphinx other than {parsed, isText}.
var directives = sync.OnceValue(func() map[string]directive {
	m := make(map[string]directive)
	set := func(d directive, names string) {
		for _, name := range strings.Fields(names) {
			m[name] = d
		}
	}
	set(directive{verbatim, isNone}, `code code-block sourcecode highlight math graphviz digraph graph
		inheritance-diagram doctest testcode testoutput testsetup testcleanup prompt productionlist plot
		ipython mermaid uml meta console autosummary bibliography role default-role contents sectnum section-numbering
		header-rows unicode date parsed-code jupyter-execute exec runblock sphinx-argparse`)
	set(directive{parsed, isNone}, `function class method attribute data module exception option envvar
		cmdoption program describe object automodule autoclass autofunction autoexception automethod
		autoattribute autodata currentmodule only ifconfig container index tabularcolumns
		class-style list-table-style highlightlang staticmethod classmethod property decorator macro type
		var member struct enum enumerator union setting fieldlookup templatetag templatefilter django-admin
		django-admin-option confval opcode pdbcommand`)
	set(directive{parsed, isFile}, "image figure thumbnail video audio")
	set(directive{parsed, isRead}, "include")
	set(directive{verbatim, isFile}, "literalinclude")
	set(directive{literal, isNone}, "parsed-literal")
	set(directive{entries, isNone}, "toctree")
	set(directive{rows, isText}, "csv-table")
	set(directive{terms, isNone}, "glossary")
	set(directive{raw, isNone}, "raw")
	return m
})

// directiveOf returns what is known about a directive.
func directiveOf(name string) directive {
	if d, ok := directives()[name]; ok {
		return d
	}
	if strings.Contains(name, ":") || strings.HasPrefix(name, "auto") || strings.HasPrefix(name, "doxygen") { // a signature
		return directive{parsed, isNone}
	}
	return directive{}
}

// directive reads a directive: l is its first line, and args the rest of that line after "::".
func (p *parser) directive(l line, name string, args line) {
	name = strings.ToLower(name)
	d := directiveOf(name)
	margin, column := l.column, l.column+3
	from, to, last := args.text, args.end, l
	if !args.isBlank() && fieldMarker(p.content(&args)) > 0 { // options may begin on the first line
		to = from
		args.next = l.next
		last = p.option(name, args, margin)
	}
	takesMore := from < to || (d.argument == isFile || d.argument == isRead) && last == l
	for takesMore && last.next < len(p.src) { // the argument extends to the options, or to a blank line
		below := p.lineAt(last.next)
		if below.isBlank() || below.column <= margin || fieldMarker(p.content(&below)) > 0 {
			break
		}
		if from == to {
			from = below.text
		}
		last, to, column = below, below.end, below.column
	}
	if from < to {
		first := p.found.n
		p.argument(name, d, from, to)
		p.describes(name, l, from, to, last.next)
		p.found.sort(first) // objects are among the references of the argument
	}
	for last.next < len(p.src) {
		below := p.lineAt(last.next)
		if below.isBlank() || below.column <= margin || fieldMarker(p.content(&below)) == 0 {
			break
		}
		last = p.option(name, below, margin)
	}
	p.at = last.next
	if name == "productionlist" {
		p.productions(l.start, p.endOfBlock(l.next, margin))
	}
	if from < to && d.argument == isText {
		p.literal(column, to)
	}
	if p.foreign == 0 && !isKnown(name) {
		p.foreign = margin + 1
	}
	p.body(d, string(bytes.TrimSpace(p.src[from:max(from, to)])), margin)
}

// argument reads the argument of a directive.
func (p *parser) argument(name string, d directive, from, to int) {
	switch d.argument {
	case isFile:
		value := asURI // of an image
		if name == "literalinclude" {
			value = asPath
		}
		p.add(form{kind: scan.Embed, how: scan.Directive, in: imageName(name), value: value}, from, to, -1)
	case isRead:
		if p.src[from] != '<' { // <isonum.txt> is a file of docutils, which only defines substitutions
			p.names.includes = true
			p.add(form{kind: scan.Embed, how: scan.Directive, in: name, labels: scan.Include, value: asPath}, from, to, -1)
		} else {
			p.names.standard = true
		}
	case isText:
		p.inline(from, to)
	}
}

// imageName maps figure and thumbnail to image, with which they share options.
func imageName(name string) string {
	if name == "figure" || name == "thumbnail" {
		return "image"
	}
	return name
}

// option reads ":name: value" of a directive, and returns its last line.
func (p *parser) option(directive string, l line, margin int) line {
	n := fieldMarker(p.content(&l))
	name := string(p.src[l.text+1 : l.text+n-1])
	value := p.skip(l, n)
	from, to := value.text, value.end
	for l.next < len(p.src) { // the value may continue on the next lines
		below := p.lineAt(l.next)
		if below.isBlank() || below.column <= margin || fieldMarker(p.content(&below)) > 0 || below.column <= l.column {
			break
		}
		if from == to {
			from = below.text
		}
		to = below.end
		column := l.column
		l = below
		l.column = column
	}
	if from < to {
		p.optionValue(directive, name, from, to)
	}
	return l
}

// optionValue reads the value of an option.
func (p *parser) optionValue(directive, name string, from, to int) {
	uri := p.src[from:to]
	switch name {
	case "target":
		if p.isIndirect(uri) {
			start, end := indirectName(p.src, from, to)
			p.useName(start, end, ofTarget)
			return
		}
		p.add(form{kind: scan.Link, how: scan.Directive, in: imageName(directive) + "/target", value: asURI}, from, to, -1)
	case "file", "url":
		if directive == "raw" || directive == "csv-table" {
			value := asURI
			if name == "file" {
				value = asPath
			}
			p.add(form{kind: scan.Embed, how: scan.Directive, in: directive + "/" + name, value: value}, from, to, -1)
		}
	case "link":
		if hasScheme(uri) {
			p.add(form{kind: scan.Link, how: scan.Directive, in: directive + "/link", value: asURI}, from, to, -1)
		}
	case "name":
		p.names.define(nameOf(uri))
		p.anchors(from, to, "name")
	case "label":
		if directive == "math" && p.Mentions && p.Anchors {
			p.addObject("math:label", string(uri), from, to)
		}
	case "header":
		if directive == "csv-table" {
			p.row(from, to)
		}
	}
}

// body reads the content of a directive: lines that are indented more than margin.
func (p *parser) body(d directive, argument string, margin int) {
	if d.content == parsed {
		return // as blocks, with the lines that follow
	}
	first, ok := p.nextText(p.at)
	if !ok || first.column <= margin {
		return
	}
	if d.content == terms {
		p.margins = append(p.margins, int32(first.column))
		p.glossary = len(p.margins)
		return
	}
	from := first.start
	p.at = p.endOfBlock(first.start, margin)
	switch d.content {
	case literal:
		p.inline(first.text, p.at)
	case rows:
		p.row(from, p.at)
	case entries:
		p.toctree(from, p.at)
	case raw:
		if strings.Contains(" "+strings.ToLower(argument)+" ", " html ") && p.pieces == nil {
			p.add(form{op: scan.Part}, from, p.at, -1)
		}
	}
}

// toctree reads the entries of a toctree: "document", "Title <document>", or a URL. Patterns are not
// references.
func (p *parser) toctree(from, to int) {
	for from < to {
		l := p.lineAt(from)
		from = l.next
		entry := p.content(&l)
		switch string(entry) {
		case "", "self":
			continue
		}
		start, end := l.text, l.end
		isTitled := false
		if open := bytes.LastIndexByte(entry, '<'); open > 0 && entry[len(entry)-1] == '>' {
			start, end, isTitled = l.text+open+1, l.end-1, true
		}
		value := p.src[start:end]
		switch {
		case start == end:
		case bytes.ContainsAny(value, "*?[") && !isTitled && !bytes.Contains(value, []byte("://")):
			if p.Mentions {
				p.add(form{op: scan.Mention, in: "toctree", space: GlobSpace, value: asWritten}, start, end, -1)
			}
		default:
			p.add(form{kind: scan.Link, how: scan.Directive, in: "toctree", value: asPath}, start, end, -1)
		}
	}
}

// row reads the cells of CSV, which may be quoted.
func (p *parser) row(from, to int) {
	for from < to {
		for from < to && (ascii.IsAnySpace(p.src[from]) || p.src[from] == ',') {
			from++
		}
		if from == to {
			return
		}
		end := from
		if p.src[from] == '"' {
			from++
			for end = from; end < to && (p.src[end] != '"' || end+1 < to && p.src[end+1] == '"'); end++ {
				if p.src[end] == '"' {
					end++
				}
			}
			p.inline(from, min(end, to))
			from = end + 1
			continue
		}
		for end < to && p.src[end] != ',' && p.src[end] != '\n' {
			end++
		}
		p.inline(from, end)
		from = end
	}
}
