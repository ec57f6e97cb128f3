// Files:
//
//	asciidoc.go    Scanner
//	block.go       lines: headers, titles, delimited blocks, conditionals, includes
//	style.go       attribute lists in front of blocks
//	table.go       tables: cells, and the styles of columns
//	inline.go      macros in text
//	url.go         URLs and addresses in text
//	attributes.go  attributes and their values
//	ids.go         the ids of sections

// Package asciidoc scans AsciiDoc for references, as Asciidoctor 2.0 reads it (its substitutors.rb,
// parser.rb and rx.rb), with the resource ids of Antora. It is not a renderer: it reads the lines once,
// skips verbatim text, and finds the macros in the rest. Use it for the references of a document as they
// are written; package extract also resolves them.
//
// Asciidoctor substitutes quotes and attributes before it looks for macros. This package looks up a value
// where a target contains {name}, and ends a bare URL at the quote mark that closes the text around it. It
// reads both branches of a conditional: text that the attributes of the document itself hide has the label
// Conditional.
package asciidoc

import (
	"bytes"
	"iter"
	"strings"

	"example.org/refract/extract/scan"
)

// Spaces of Mentions. IDSpace is that of <<x>>, where x is an id or the title of a section, and
// ResourceSpace that of Antora's resource ids: "module:page.adoc".
const (
	IDSpace       = "id"
	ResourceSpace = "resource"
)

// A Scanner scans one document. The zero Scanner has the defaults. It may be reused, but several goroutines
// must not use it at once.
type Scanner struct {
	Anchors  bool // yield an Anchor for each id, including those of sections
	Mentions bool // yield a Mention for each name that is not a URL
	Names    bool // yield a Ref, with Space, for each name in ResourceSpace, in place of a Mention

	// Attributes are set from outside, as by the configuration of a site. A document may change
	// those whose value ends in "@"; the "@" is not part of the value.
	Attributes map[string]string
}

// Scan yields the references, parts, anchors and mentions of src in source order. src is UTF-8. Every input
// is valid. The time is linear in len(src).
//
// An attribute whose value is a URL is a reference of Kind Definition. Where the attribute is used, the
// Value of the reference is the text after substitution, and its Span is that of the use. An undefined name
// in braces stays as written: the reference has the label Guess.
//
// The target of xref:x[] is an id of the document if x has neither a suffix nor "#". It is a Ref with
// IgnoresBase set and the Value "#x" if x may be an id; if x has spaces or capitals, it may be the title of
// a section, and is a Mention in IDSpace. A target with a suffix or "#" in the form of an Antora resource
// id is a Mention in ResourceSpace.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		p := &parser{Scanner: s, src: src, yield: yield, attributes: newAttributes(s.Attributes)}
		p.at = len(src) - len(bytes.TrimPrefix(src, []byte("\uFEFF")))
		p.findTargets()
		p.header()
		for p.at < len(src) && !p.done {
			p.block()
		}
	}
}

// A parser reads a document.
type parser struct {
	*Scanner
	src   []byte
	at    int // where the next line begins
	yield func(*scan.Item) bool
	done  bool // the caller wants no more Items
	item  scan.Item
	more  scan.More

	attributes
	style        style  // of the next block
	isCompat     bool   // compat-mode: text between backquotes is literal, and "+" is a quote
	conditionals []bool // for each open conditional, whether it hides its content
	hidden       int    // the number of those that do
	table        table  // the open one
	shownTable   table  // the one that is open before a hidden branch: what the branch leaves open ends with it

	isTerm        bool // the last paragraph is a term of a description list without text
	isDescription bool // the text of such a term may begin on the next line

	ids map[uint64]int32 // how often each id, by its hash, has been given; for "_a" the last number
}

// emit yields p.item.
func (p *parser) emit() {
	if p.hidden > 0 {
		p.item.Labels |= scan.Conditional
	}
	p.done = p.done || !p.yield(&p.item)
}

// ref yields a reference.
func (p *parser) ref(kind scan.Kind, how scan.How, in string, from, to int) {
	if from >= to || p.done {
		return
	}
	p.item = scan.Item{Kind: kind, How: how, In: in, Span: scan.Span{Start: from, End: to}, Value: p.src[from:to]}
	if bytes.IndexByte(p.item.Value, '{') >= 0 {
		value, isKnown := p.expand(p.item.Value)
		p.item.Loose = !bytes.Equal(value, p.item.Value)
		p.item.Value = value
		if !isKnown {
			p.item.Labels |= scan.Guess
		}
	}
	if hasEntity(p.item.Value) {
		p.item.Value, p.item.Loose = unescape(p.item.Value), true
	}
	if bytes.Contains(p.item.Value, []byte("\\...")) { // an escaped ellipsis
		p.item.Value, p.item.Loose = bytes.ReplaceAll(p.item.Value, []byte("\\..."), []byte("...")), true
	}
	if len(p.item.Value) == 0 { // an attribute without a value
		return
	}
	p.emit()
}

// refOf yields a reference with a Value that differs from what is written.
func (p *parser) refOf(it scan.Item) {
	if p.done {
		return
	}
	p.item = it
	p.emit()
}

// part yields passed-through HTML.
func (p *parser) part(from, to int) {
	if bytes.IndexByte(p.src[from:to], '<') < 0 || p.done {
		return
	}
	p.item = scan.Item{Op: scan.Part, Type: "text/html", Name: "raw", Span: scan.Span{Start: from, End: to}, Value: p.src[from:to]}
	p.emit()
}

// anchor yields the definition of an id. Names in braces stand for their values; if one has none, the
// anchor has the label Guess.
func (p *parser) anchor(in, id string, from, to int) {
	labels := scan.Labels(0)
	if strings.IndexByte(id, '{') >= 0 {
		value, isKnown := p.expand([]byte(id))
		id = string(value)
		if !isKnown {
			labels = scan.Guess
		}
	}
	p.give(id)
	if p.done || !p.Anchors {
		return
	}
	span := scan.Span{Start: from, End: to}
	p.more = scan.More{NameSpan: span}
	p.item = scan.Item{Op: scan.Anchor, In: in, Span: span, Value: []byte(id), Labels: labels, More: &p.more}
	p.emit()
}

// mention yields the use of a name.
func (p *parser) mention(space, in string, from, to int) {
	p.mentionOf(space, scan.Item{In: in, Span: scan.Span{Start: from, End: to}, Value: p.src[from:to]})
}

// mentionOf is mention for names that may differ from the text of the use.
func (p *parser) mentionOf(space string, it scan.Item) {
	isName := p.Scanner.Names && space == ResourceSpace
	if p.done || !p.Mentions && !isName || len(it.Value) == 0 {
		return
	}
	value, _ := p.expand(it.Value)
	isLoose := it.Loose || !bytes.Equal(value, it.Value)
	p.item = scan.Item{Op: scan.Mention, Space: space, In: it.In, Span: it.Span, Value: value, Loose: isLoose}
	if isName {
		p.item.Op, p.item.Kind, p.item.How = scan.Ref, scan.Link, scan.Macro
		if it.In == "image:" {
			p.item.Kind = scan.Embed
		}
		if it.In == "include::" {
			p.item.Kind, p.item.Labels = scan.Embed, scan.Include
		}
	}
	p.emit()
}
