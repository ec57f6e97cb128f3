// Package ooxml scans the parts of documents of Office Open XML: word processing, spreadsheets and
// presentations (ECMA-376, 5th edition; the relationships are those of its part 2, the Open Packaging
// Conventions).
//
// A reference is in a relationship of the part that uses it, in a field, a formula or in text:
//
//   - Relationships gives the targets. Those that only say how the package is put together, such as
//     the worksheets of a workbook, are not references.
//   - Scanner gives fields (HYPERLINK, INCLUDEPICTURE …), bookmarks and links to them, formulas, and the
//     text of paragraphs, put together from its runs.
//
// The text of the second form of alternate content is not read: it repeats that of the first.
//
//	ooxml.go  names of parts, relationships
//	part.go   the scanner of parts
//	field.go  instructions of fields, formulas
package ooxml

import (
	"bytes"
	"iter"
	"path"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/xmlread"
)

// PropertiesName is the part with the properties of a document, from which HyperlinkBase reads one.
const PropertiesName = "docProps/app.xml"

// MaxFile limits how many bytes of PropertiesName are read, and MaxPart how many bytes of a part are read
// to see which of its relationships it uses.
const (
	MaxFile = 1 << 20
	MaxPart = 32 << 20
)

// Kind returns the kind of document that a ZIP archive beginning with head is: "docx", "xlsx" or "pptx"; ""
// if its first member is not one with which such documents begin.
func Kind(head []byte) string {
	const nameAt = 30 // in the header of the first member
	if len(head) < nameAt {
		return ""
	}
	isFirst := func(name string) bool { return bytes.HasPrefix(head[nameAt:], []byte(name)) }
	if !isFirst("[Content_Types].xml") && !isFirst("_rels/.rels") && !isFirst("docProps/") {
		return ""
	}
	switch {
	case bytes.Contains(head, []byte("xl/")):
		return "xlsx"
	case bytes.Contains(head, []byte("ppt/")):
		return "pptx"
	}
	return "docx"
}

// Source returns the name of the part whose relationships are in the member with this name: that of
// "word/_rels/document.xml.rels" is "word/document.xml". For the relationships of the package, it is "".
func Source(name string) (source string, isRels bool) {
	dir, file := path.Split(name)
	stem, ok := strings.CutSuffix(file, ".rels")
	if !ok || path.Base(dir) != "_rels" {
		return "", false
	}
	if stem == "" {
		return "", true
	}
	return strings.TrimPrefix(path.Join(path.Dir(path.Clean(dir)), stem), "/"), true
}

// IsSkipped reports whether a member holds only what describes the package: the types of its parts, the
// schemas of data.
func IsSkipped(name string) bool {
	return name == "[Content_Types].xml" || strings.HasPrefix(name, "customXml/itemProps") || strings.HasSuffix(name, ".psmdcp")
}

// IsPart reports whether a member is a part that Scanner scans.
func IsPart(name string) bool {
	dir, _, _ := strings.Cut(name, "/")
	ext := strings.ToLower(path.Ext(name))
	return (ext == ".xml" || ext == ".vml") && dir != "customXml"
}

// HyperlinkBase returns the base of relative links of a document, given its PropertiesName; "" if it has
// none that is a URL.
func HyperlinkBase(src []byte) string {
	var r xmlread.Reader
	r.Reset(src)
	isInside := false
	var text []byte
	for r.Next() {
		switch {
		case r.Is(xmlread.Start, "HyperlinkBase"):
			isInside = !r.Empty
		case isInside && r.Kind == xmlread.Text:
			text = xmlread.Decode(text, nil, src, r.Span)
		case isInside:
			text = bytes.TrimSpace(text)
			if bytes.Contains(text, []byte("://")) {
				return string(text)
			}
			return ""
		}
	}
	return ""
}

// Relationships scans the relationships of one part.
type Relationships struct {
	Source []byte // the part, or the beginning of it
	Base   string // as of HyperlinkBase
}

// A use is how a part uses a relationship.
type use struct {
	isUsed, isLink bool
	fragment       string
}

// structure are the internal relationships that are references. All others only say how the package
// is put together.
var content = map[string]scan.Kind{
	"hyperlink": scan.Link, "image": scan.Embed, "audio": scan.Embed, "video": scan.Embed, "media": scan.Embed,
	"oleObject": scan.Embed, "package": scan.Embed, "subDocument": scan.Embed, "aFChunk": scan.Embed, "attachedTemplate": scan.Embed,
}

// Scan yields the references of src, which is a relationships part (Part 2 section 9.3), in source order.
// Every src is valid. The time is linear in the length of src and of the source.
//
// An external target ignores the base of the part: it is relative to the place of the document, or to its
// base. An internal one is relative to the part. A relationship that the part does not use is Unused; the
// anchor of its first use is its Fragment.
func (s *Relationships) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		uses := s.uses(src)
		var r xmlread.Reader
		var m scan.Map
		r.Reset(src)
		for r.Next() {
			if !r.Is(xmlread.Start, "Relationship") {
				continue
			}
			at, ok := r.Attr("Target")
			if !ok || at.End == at.Start {
				continue
			}
			u := uses[string(r.Value("Id"))]
			it := scan.Item{Op: scan.Ref, How: scan.Attribute, Span: at, In: path.Base(string(r.Value("Type")))}
			it.IgnoresBase = ascii.EqualFold(r.Value("TargetMode"), "external")
			kind, isContent := content[it.In]
			switch {
			case it.IgnoresBase && !isContent:
				kind = scan.Embed
			case it.IgnoresBase, isContent:
			case u.isLink: // a slide
				kind = scan.Link
			default:
				continue
			}
			it.Kind = kind
			m.Reset()
			it.Value = xmlread.Decode(nil, &m, src, at)
			if s.Source != nil && !u.isUsed && it.In != "attachedTemplate" && !isImplicit(it.In) {
				it.Labels |= scan.Unused
			}
			if u.fragment != "" && bytes.IndexByte(it.Value, '#') < 0 {
				it.More = &scan.More{Fragment: u.fragment}
			}
			if !s.put(&it, yield) {
				return
			}
		}
	}
}

// isImplicit reports whether a relationship is used without being named.
func isImplicit(kind string) bool {
	return kind == "externalLinkPath" || kind == "pivotCacheDefinition" || kind == "mailMergeSource" || kind == "mailMergeHeaderSource"
}

// put yields a reference, relative to Base if it is external.
func (s *Relationships) put(it *scan.Item, yield func(*scan.Item) bool) bool {
	if !it.IgnoresBase || s.Base == "" {
		return yield(it)
	}
	it.IgnoresBase = false
	base := scan.Item{Op: scan.Base, In: "HyperlinkBase", Span: scan.Span{Start: it.Span.Start, End: it.Span.Start}, Value: []byte(s.Base)}
	return yield(&base) && yield(it) && yield(&scan.Item{Op: scan.End})
}

// uses returns how the source uses each relationship in src.
func (s *Relationships) uses(src []byte) map[string]use {
	uses := make(map[string]use)
	var r xmlread.Reader
	r.Reset(src)
	for r.Next() {
		if r.Is(xmlread.Start, "Relationship") {
			uses[string(r.Value("Id"))] = use{}
		}
	}
	r.Reset(s.Source)
	for r.Next() {
		if r.Kind != xmlread.Start {
			continue
		}
		for _, a := range r.Attrs {
			if len(a.Name) == len(a.Full) || a.Value.End-a.Value.Start > 256 {
				continue // it has no prefix
			}
			u, ok := uses[string(s.Source[a.Value.Start:a.Value.End])]
			if !ok {
				continue
			}
			if !u.isUsed {
				u.fragment = string(anchorOf(&r))
			}
			u.isUsed, u.isLink = true, u.isLink || bytes.HasPrefix(r.Name, []byte("hlink")) || string(r.Name) == "hyperlink"
			uses[string(s.Source[a.Value.Start:a.Value.End])] = u
		}
	}
	return uses
}

// anchorOf returns the fragment that the element of a link adds to the target: of Word the anchor or the
// location in a document, of Excel the location.
func anchorOf(r *xmlread.Reader) []byte {
	if string(r.Name) != "hyperlink" {
		return nil
	}
	for _, name := range [...]string{"anchor", "docLocation", "location"} {
		if v := r.Value(name); len(v) > 0 && len(v) < maxFragment {
			return bytes.TrimPrefix(v, []byte("#"))
		}
	}
	return nil
}

const maxFragment = 4 << 10 // bytes
