package warc

import (
	"bytes"
	"iter"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/jsonstring"
)

// WAT yields the references of a page that are in its WAT JSON: first the base from the head of the
// page, then the url of each of Links, of Link and Scripts in Head, and the HTTP fields Location and
// Content-Location, in source order. The path in an entry gives the place of the link: "A@/href" is
// "a/href". From malformed JSON it yields what it can read.
func WAT(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		var item scan.Item
		goOn := true
		if i := bytes.Index(src, []byte(`"Base"`)); i >= 0 {
			jsonstring.Walk(src, func(in []jsonstring.Level, value scan.Span) bool {
				if n := len(in); n < 3 || in[n-1].Named(src) != "Base" || in[n-2].Named(src) != "Head" || in[n-3].Named(src) != "HTML-Metadata" {
					return true
				}
				item = scan.Item{Op: scan.Base, In: "base/href", Span: value, Value: jsonstring.Value(src, value)}
				goOn = yield(&item)
				return false
			}, nil)
		}
		if !goOn {
			return
		}
		kinds := make(map[string]place)
		var entries []struct{ url, path scan.Span } // of the objects around, by their depth
		jsonstring.Walk(src, func(in []jsonstring.Level, value scan.Span) bool {
			n := len(in)
			if n == 0 {
				return true
			}
			for len(entries) <= n {
				entries = append(entries, struct{ url, path scan.Span }{})
			}
			name := in[n-1].Named(src)
			switch {
			case !in[n-1].IsObject:
			case name == "url":
				entries[n].url = value
			case name == "path":
				entries[n].path = value
			case n > 1 && in[n-2].Named(src) == "Headers" && (name == "Location" || name == "Content-Location"):
				item = scan.Item{Op: scan.Ref, Kind: scan.Header, How: scan.Field, In: name, Span: value, Value: jsonstring.Value(src, value)}
				return yield(&item)
			}
			return true
		}, func(in []jsonstring.Level) bool {
			if len(in) >= len(entries) {
				return true
			}
			url, path := entries[len(in)].url, entries[len(in)].path
			entries[len(in)].url, entries[len(in)].path = scan.Span{}, scan.Span{}
			n := len(in) - 1 // without the object that ends
			if url.End == 0 || n < 2 || in[n-1].IsObject {
				return true
			}
			switch in[n-2].Named(src) {
			case "Links", "Link", "Scripts":
			default:
				return true
			}
			p, ok := kinds[string(src[path.Start:path.End])]
			if !ok {
				p = placeOf(string(src[path.Start:path.End]))
				if len(kinds) < 1000 {
					kinds[string(src[path.Start:path.End])] = p
				}
			}
			item = scan.Item{Op: scan.Ref, Kind: p.kind, How: scan.Attribute, In: p.in, Span: url, Value: jsonstring.Value(src, url)}
			return yield(&item)
		})
	}
}

// A place is the place of a link in the page.
type place struct {
	in   string
	kind scan.Kind
}

// placeOf parses a path: "IMG@/src".
func placeOf(path string) place {
	element, attribute, _ := strings.Cut(strings.ToLower(path), "@/")
	p := place{element + "/" + attribute, scan.Embed}
	switch {
	case element == "a", element == "area", element == "link":
		p.kind = scan.Link
	case attribute == "action", attribute == "formaction":
		p.kind = scan.Form
	case attribute == "cite":
		p.kind = scan.Cite
	}
	return p
}

// AbsoluteURLs yields the strings of JSON that are values and begin with a scheme and "//", without white
// space. They are labelled as speculative.
func AbsoluteURLs(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		var item scan.Item
		jsonstring.Walk(src, func(in []jsonstring.Level, value scan.Span) bool {
			v := src[value.Start:value.End]
			colon := bytes.IndexByte(v[:min(len(v), 32)], ':')
			if colon <= 0 || !bytes.HasPrefix(v[colon+1:], []byte("//")) && !bytes.HasPrefix(v[colon+1:], []byte(`\/\/`)) {
				return true
			}
			for _, c := range v[:colon] {
				if !ascii.IsLetter(c) {
					return true
				}
			}
			ref := jsonstring.Value(src, value)
			if bytes.ContainsAny(ref, " \t\r\n") {
				return true
			}
			item = scan.Item{Op: scan.Ref, Kind: scan.Metadata, How: scan.JSON, In: "json", Labels: scan.Speculative, Span: value, Value: ref}
			return yield(&item)
		}, nil)
	}
}
