package extract

import (
	"bytes"
	"net/url"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A partName is a URL that names a part of a message: its Content-ID (RFC 2392) or its
// Content-Location (RFC 2557 8.2). It is known in the entity whose path is scope, and within.
type partName struct{ scope, url string }

// nameParts finds the names of the parts of the document src.
func (w *walker) nameParts(f *Format, src []byte, x Context) {
	note, message := w.Note, w.Message
	w.Note, w.Message, x.Outline = nil, nil, true
	defer func() { w.Note, w.Message = note, message }()
	for it := range f.Scan(src, w.cfg, x) {
		if it.Op != scan.Ref {
			w.item(it)
		}
		name := ""
		switch {
		case it.Op == scan.Enter && len(it.Value) > 0:
			name = "cid:" + string(it.Value)
		case it.Op == scan.Ref:
			name = w.nameOf(it.Value)
		}
		if name == "" || w.ref.Entity.Name == "" {
			continue
		}
		part := w.ref.Entity.Path()
		key := partName{part[:max(0, strings.LastIndexByte(part, '.'))], name}
		if _, ok := w.names[key]; !ok {
			if w.names == nil {
				w.names = make(map[partName]string)
			}
			w.names[key] = part
		}
	}
}

// maxHeader limits the bytes of a header that mayNameParts reads.
const maxHeader = 64 << 10

// mayNameParts reports whether the message src may have parts with names. Only a multipart, or a
// message within a message, has: then its Content-Type says so, or gives a boundary. Reading messages
// for names of parts took an eighth of the time of a table with fields of messages.
func mayNameParts(src []byte) bool {
	header, hasBegun := src[:min(len(src), maxHeader)], false
	for len(header) > 0 {
		n := bytes.IndexByte(header, '\n') + 1
		if n == 0 {
			return true
		}
		line := header[:n]
		header = header[n:]
		if i := bytes.IndexByte(line, '\r'); i >= 0 && i < n-2 {
			return true // lines may end in CR alone
		}
		if line[0] == '\n' || line[0] == '\r' && n == 2 {
			if hasBegun {
				return false
			}
			continue // a blank line before the header
		}
		hasBegun = true
		if line[0]|0x20 != 'c' || !hasPrefixFold(line, "content-type") {
			continue
		}
		for len(header) > 0 && (header[0] == ' ' || header[0] == '\t') { // including its continuation lines
			n := bytes.IndexByte(header, '\n') + 1
			if n == 0 {
				return true
			}
			line, header = line[:len(line)+n], header[n:]
		}
		lower := bytes.ToLower(line)
		for _, sign := range []string{"multipart", "message", "rfc822", "boundary"} {
			if bytes.Contains(lower, []byte(sign)) {
				return true
			}
		}
	}
	return len(src) > maxHeader
}

// hasPartNames reports whether src has a field that names a part. Of a message in several parts, most have none: without
// this, reading them for names took a twelfth of the time of --json.
func hasPartNames(src []byte) bool {
	for at := 0; ; at++ {
		i := bytes.IndexByte(src[at:], ':')
		if i < 0 {
			return false
		}
		at += i
		end := at
		for end > 0 && (src[end-1] == ' ' || src[end-1] == '\t') {
			end--
		}
		for _, name := range []string{"content-id", "content-location"} {
			if n := len(name); end >= n && src[end-1]|0x20 == name[n-1] && ascii.EqualFold(src[end-n:end], name) {
				return true
			}
		}
	}
}

// hasPrefixFold reports whether s begins with prefix, which is in lower case.
func hasPrefixFold(s []byte, prefix string) bool {
	return len(s) >= len(prefix) && ascii.EqualFold(s[:len(prefix)], prefix)
}

// thisMessage is the base against which relative references are resolved to compare them with
// each other. It is never output (RFC 2557 5e).
var thisMessage = base.Base{URI: "thismessage:/"}

// isThisMessage reports whether a base means something only within its message. What is relative to it is
// compared with the names of parts, and otherwise has no base, not even one from outside: the message says
// that there is none (RFC 2557 section 5).
func isThisMessage(uri string) bool {
	const scheme = "thismessage:"
	return len(uri) >= len(scheme) && ascii.EqualFold(uri[:len(scheme)], scheme)
}

// noBase returns the base of what is relative to nothing.
func (c *Config) noBase() base.Base {
	b, _ := base.Root(c.Rules, base.Source{}, base.Source{}) // there is nothing that could be invalid
	return b
}

// nameOf returns the URL by which ref is compared with names of parts; "" if ref cannot name a part.
func (w *walker) nameOf(ref []byte) string {
	target, res, err := w.ref.Base.Append(nil, ref)
	if err == base.ErrNoBase {
		target, res, err = thisMessage.Append(nil, ref)
	}
	if err != nil || res.SameDocument() {
		return ""
	}
	target, _, _ = bytes.Cut(target, []byte{'#'})
	if id, ok := bytes.CutPrefix(target, []byte("cid:")); ok {
		if s, err := url.PathUnescape(string(id)); err == nil {
			return "cid:" + s
		}
	}
	return string(target)
}

// partNamed returns the path of the part of the message that ref names; "" if it names none. Parts of
// the innermost multipart around the current entity take precedence.
func (w *walker) partNamed(ref []byte) string {
	if len(w.names) == 0 || len(ref) == 0 {
		return ""
	}
	name := w.nameOf(ref)
	if name == "" {
		return ""
	}
	for scope := w.ref.Entity.Path(); ; {
		if part := w.names[partName{scope, name}]; part != "" || scope == "" {
			return part
		}
		scope = scope[:max(0, strings.LastIndexByte(scope, '.'))]
	}
}

// Path returns the path of an entity in its input or in the member of a Container: "2.1", "srcdoc";
// "" for the input or member itself, and for a message of an archive. The path of a record in a
// crawler's archive begins with the number of the record, from 1. If the Container is a part of a
// message, or a record, the path begins with that part or record.
func (e *Entity) Path() string {
	path := ""
	for ; e != nil && e.Parent != nil; e = e.Parent {
		switch {
		case e.Name == "":
		case path == "":
			path = e.Name
		default:
			path = e.Name + "." + path
		}
	}
	return path
}
