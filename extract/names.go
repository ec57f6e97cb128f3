package extract

import (
	"bytes"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// nameParts finds the names of the parts of the document src.
func (w *walker) nameParts(f *Format, src []byte, x Context) {
	note, message := w.Note, w.Message
	w.Note, w.Message, x.Outline = nil, nil, true
	defer func() { w.Note, w.Message = note, message }()
	for it := range f.Scan(src, w.cfg, x) {
		if it.Op != scan.Ref {
			w.each(it)
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

// thisMessage is the base against which relative references are resolved to compare them with each other.
// It is never output (RFC 2557 5e).
var thisMessage = base.Base{URI: "thismessage:/"}

// isThisMessage reports whether a base means something only within its message. References relative to it
// are compared with the names of parts, and otherwise have no base, not even one from outside. The message
// says that there is none (RFC 2557 section 5).
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
		return "cid:" + string(ascii.UnescapeAll(id))
	}
	return string(target)
}

// partNamed returns the path of the part of the message that ref names, or "". Parts of the innermost
// multipart around the current entity take precedence.
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
