// Package odf scans documents of OpenDocument (ISO/IEC 26300, OpenDocument 1.3), packaged or flat: the
// references in xlink:href, bookmarks, and the text of paragraphs, put together from its spans.
//
// A reference in a package is relative to the package as if it were a directory (part 2 section 3.7):
// "../x" is beside the document.
package odf

import (
	"bytes"
	"iter"
	"path"
	"strings"

	"example.org/refract/delimit"
	"example.org/refract/extract/internal/lexicon"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/prose"
	"example.org/refract/internal/xmlread"
)

// ManifestName is the member that lists all members.
const ManifestName = "META-INF/manifest.xml"

// MaxFile limits how many bytes of the manifest are read to find encrypted members.
const MaxFile = 8 << 20

const mimetype = "mimetypeapplication/vnd.oasis.opendocument."

// Kind returns the media type of the document, without the suffix of a template, that a ZIP archive
// beginning with head is; "" if it is none. The type is the first member.
func Kind(head []byte) string {
	const nameAt = 30
	if len(head) < nameAt || !bytes.HasPrefix(head[nameAt:], []byte(mimetype)) {
		return ""
	}
	rest := head[nameAt+len("mimetype"):]
	for _, kind := range [...]string{"text", "spreadsheet", "presentation", "graphics"} {
		if t := "application/vnd.oasis.opendocument." + kind; bytes.HasPrefix(rest, []byte(t)) {
			return t
		}
	}
	return "application/vnd.oasis.opendocument.text"
}

// Dir returns the directory that references in a member are relative to, with a slash at its end. It is the
// directory of the document, or of the object in it that the member belongs to; "" is the package.
func Dir(name string) string {
	dir, _ := path.Split(name)
	return dir
}

// IsSkipped reports whether a member holds no text of the document: the manifests and the settings.
func IsSkipped(name string) bool {
	return name == "mimetype" || strings.HasPrefix(name, "META-INF/") || path.Base(name) == "settings.xml" || name == "manifest.rdf" ||
		strings.HasPrefix(name, "Configurations2/") || strings.HasSuffix(name, "layout-cache")
}

// IsContent reports whether a member is one that Scanner scans.
func IsContent(name string) bool {
	switch path.Base(name) {
	case "content.xml", "styles.xml", "meta.xml":
		return true
	}
	return false
}

// Encrypted returns the names of the members that the manifest says are encrypted.
func Encrypted(manifest []byte) (names []string) {
	if !bytes.Contains(manifest, []byte("encryption-data")) {
		return nil
	}
	var r xmlread.Reader
	r.Reset(manifest)
	entry := ""
	for r.Next() {
		switch {
		case r.Is(xmlread.Start, "file-entry"):
			entry = string(r.Value("full-path"))
		case r.Is(xmlread.Start, "encryption-data"):
			names = append(names, entry)
		}
	}
	return names
}

// A Scanner scans one member, or a flat document. The zero Scanner has the defaults. It may be reused, but
// several goroutines must not use it at once.
type Scanner struct {
	Anchors bool          // yield an Anchor for each bookmark and table
	Rules   delimit.Rules // of references in text

	r      xmlread.Reader
	doc    prose.Doc
	src    []byte
	depth  int  // of elements of text
	isData bool // within the data of a picture
	ins    lexicon.Paths
}

// Scan yields the references and anchors of src in source order. src is UTF-8. Every src is valid. The time
// is linear in len(src). References to files outside the package are Own.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.src, s.depth, s.isData = src, 0, false
		s.doc.Reset(src)
		s.doc.Plain.Finder.Rules = s.Rules
		xmlread.Items(&s.r, &s.doc, src, xmlread.Handler{Start: s.start, End: s.end, Characters: s.characters}, yield)
		s.src = nil
	}
}

// kinds are the kinds of the references of elements that do not point to something on request.
var kinds = map[string]scan.Kind{
	"image": scan.Embed, "object": scan.Embed, "object-ole": scan.Embed, "plugin": scan.Embed, "applet": scan.Embed, "floating-frame": scan.Embed,
	"fill-image": scan.Embed, "background-image": scan.Embed, "section-source": scan.Embed, "sound": scan.Embed, "table-source": scan.Embed,
	"list-level-style-image": scan.Embed, "cell-range-source": scan.Embed, "event-listener": scan.Link, "form": scan.Form,
	"template": scan.Metadata, "auto-reload": scan.Metadata, "font-face-uri": scan.Embed, "definition-src": scan.Embed,
}

// isBlock reports whether an element holds a piece of text of its own.
func isBlock(full []byte) bool {
	switch string(full) {
	case "text:p", "text:h", "dc:description", "dc:title", "dc:subject", "meta:keyword", "meta:user-defined", "svg:desc", "svg:title":
		return true
	}
	return false
}

// isBreak reports whether an element ends a reference in the text before it.
func isBreak(full []byte) bool {
	switch string(full) {
	case "text:tab", "text:line-break", "text:s", "text:note", "office:annotation", "draw:frame", "draw:text-box", "text:note-citation":
		return true
	}
	return false
}

func (s *Scanner) start() {
	r := &s.r
	switch full := string(r.Full); {
	case isBlock(r.Full):
		s.depth++
		s.doc.Break(r.Span.Start, r.Span.End)
	case isBreak(r.Full):
		s.doc.Break(r.Span.Start, r.Span.End)
	case full == "office:binary-data":
		s.isData = true
	case full == "text:bookmark", full == "text:bookmark-start", full == "text:reference-mark", full == "text:reference-mark-start":
		s.anchor("name", "")
	case full == "table:table":
		s.anchor("name", "|table")
	case full == "text:section":
		s.anchor("name", "|region")
	}
	for i := range r.Attrs {
		if a := &r.Attrs[i]; string(a.Name) == "href" && len(a.Full) > len(a.Name) && a.Value.End > a.Value.Start {
			s.reference(a)
		}
	}
	if string(r.Name) == "form" {
		return
	}
	if at, ok := r.Attr("formula"); ok {
		s.formula(at)
	}
}

func (s *Scanner) end() {
	r := &s.r
	switch {
	case isBlock(r.Full):
		s.depth = max(0, s.depth-1)
		s.doc.Break(r.Span.Start, r.Span.End)
	case isBreak(r.Full) && !r.Empty:
		s.doc.Break(r.Span.Start, r.Span.End)
	case string(r.Full) == "office:binary-data":
		s.isData = false
	}
}

func (s *Scanner) characters() {
	at := s.r.Span
	if s.depth == 0 || s.isData || at.End <= at.Start {
		return
	}
	if s.r.Kind == xmlread.CData {
		s.doc.Text(at.Start, at.End)
		return
	}
	xmlread.Pieces(s.src, at, func(out []byte, from, to int) {
		if len(out) == to-from {
			s.doc.Text(from, to)
		} else {
			s.doc.Undone(out, from, to)
		}
	})
}

// anchor adds an Anchor whose name is that of an attribute, with a suffix.
func (s *Scanner) anchor(attr, suffix string) {
	if at, ok := s.r.Attr(attr); ok && s.Anchors && at.End > at.Start {
		s.doc.Add(prose.Item{Op: scan.Anchor, Span: at, In: s.ins.Join(s.r.Full, attr)}, append(xmlread.Decode(nil, nil, s.src, at), suffix...))
	}
}

// reference adds the reference of an attribute.
func (s *Scanner) reference(a *xmlread.Attr) {
	kind, ok := kinds[string(s.r.Name)]
	if !ok {
		kind = scan.Link
	}
	if show := s.r.Value("show"); kind == scan.Link && string(show) == "embed" {
		kind = scan.Embed
	}
	var m scan.Map
	value := xmlread.Decode(nil, &m, s.src, a.Value)
	it := prose.Item{Op: scan.Ref, Kind: kind, How: scan.Attribute, Span: a.Value, In: s.ins.Join(s.r.Full, string(a.Full))}
	it.IgnoresBase = isOutside(value)
	s.doc.Add(it, value)
}

// isOutside reports whether a reference points out of the package.
func isOutside(ref []byte) bool {
	ref = bytes.TrimPrefix(ref, []byte("./"))
	return bytes.HasPrefix(ref, []byte("../")) || bytes.HasPrefix(ref, []byte("/")) || bytes.HasPrefix(ref, []byte("#"))
}

// formula adds the URL of HYPERLINK in a formula, if it is constant.
func (s *Scanner) formula(at scan.Span) {
	const maxFormula = 64 << 10 // bytes
	if at.End-at.Start > maxFormula {
		return
	}
	var m scan.Map
	b := xmlread.Decode(nil, &m, s.src, at)
	const function = `HYPERLINK("`
	for from := 0; ; {
		i := bytes.Index(b[from:], []byte(function))
		if i < 0 {
			return
		}
		start := from + i + len(function)
		n := bytes.IndexByte(b[start:], '"')
		if n < 0 {
			return
		}
		from = start + n + 1
		if n > 0 && from < len(b) && (b[from] == ';' || b[from] == ')' || b[from] == ',') {
			span, exact := m.Back(scan.Span{Start: start, End: start + n})
			s.doc.Add(prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Macro, Span: span, Loose: !exact, In: "HYPERLINK()", IgnoresBase: true}, b[start:start+n])
		}
	}
}
