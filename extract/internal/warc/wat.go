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
			readJSON(src, func(in []level, value scan.Span) bool {
				if n := len(in); n < 3 || in[n-1].named(src) != "Base" || in[n-2].named(src) != "Head" || in[n-3].named(src) != "HTML-Metadata" {
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
		readJSON(src, func(in []level, value scan.Span) bool {
			n := len(in)
			if n < 2 || in[n-2].named(src) != "Headers" {
				return true
			}
			if name := in[n-1].named(src); name == "Location" || name == "Content-Location" {
				item = scan.Item{Op: scan.Ref, Kind: scan.Header, How: scan.Field, In: name, Span: value, Value: jsonstring.Value(src, value)}
				return yield(&item)
			}
			return true
		}, func(in []level, url, path scan.Span) bool {
			n := len(in)
			if n < 2 || in[n-1].object {
				return true
			}
			switch in[n-2].named(src) {
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

// AbsoluteURLs yields the strings of JSON that are values and begin with a scheme and "//", without
// blanks. They are labelled as speculative.
func AbsoluteURLs(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		var item scan.Item
		readJSON(src, func(in []level, value scan.Span) bool {
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

// A level is an object or an array around a value.
type level struct {
	object    bool
	value     bool      // the next string is a value, not a key
	key       scan.Span // of the current member
	url, path scan.Span // the values of the members with these names
}

// named returns the key of the current member, "" in an array.
func (l *level) named(src []byte) string { return string(src[l.key.Start:l.key.End]) }

// maxDepth limits the depth to which JSON is read.
const maxDepth = 256

// readJSON calls text with every string that is a value and the levels around it, from the outermost
// in. It calls url with every object that has a member url, once the object ends, with its path
// member, too, and the levels around it. It stops if one of these returns false. It reads tokens,
// without checking their order.
func readJSON(src []byte, text func(in []level, value scan.Span) bool, url func(in []level, url, path scan.Span) bool) {
	var in []level
	for at := 0; at < len(src); at++ {
		top := len(in) - 1
		switch src[at] {
		case '{', '[':
			if len(in) == maxDepth {
				return
			}
			in = append(in, level{object: src[at] == '{'})
		case '}', ']':
			if top < 0 {
				return
			}
			l := in[top]
			in = in[:top]
			if l.url.End > 0 && url != nil && !url(in, l.url, l.path) {
				return
			}
		case ':':
			if top >= 0 {
				in[top].value = true
			}
		case ',':
			if top >= 0 {
				in[top].value = false
			}
		case '"':
			s := scan.Span{Start: at + 1, End: stringEnd(src, at+1)}
			at = s.End
			if at == len(src) {
				return
			}
			if top >= 0 && in[top].object {
				if !in[top].value {
					in[top].key = s
					continue
				}
				switch in[top].named(src) {
				case "url":
					in[top].url = s
				case "path":
					in[top].path = s
				}
			}
			if !text(in, s) {
				return
			}
		}
	}
}

// stringEnd returns the end of the string that begins at src[at].
func stringEnd(src []byte, at int) int {
	for from := at; ; {
		i := bytes.IndexByte(src[from:], '"')
		if i < 0 {
			return len(src)
		}
		end := from + i
		k := end
		for k > from && src[k-1] == '\\' {
			k--
		}
		if (end-k)%2 == 0 {
			return end
		}
		from = end + 1
	}
}
