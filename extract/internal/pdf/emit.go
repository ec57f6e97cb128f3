package pdf

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"example.org/refract/extract/scan"
)

// yieldAll yields what has been found, in the order of the file. It returns false if yield did.
func (d *document) yieldAll(yield func(*scan.Item) bool) bool {
	d.allow()
	kept := d.found[:0]
	var base *found
	for i := range d.found {
		f := d.found[i]
		if d.isLocked && f.stream < 0 {
			continue
		}
		w := d.resolve(&f)
		if f.what == baseURI {
			if isWanted := !f.overridden || f.object >= 0 && d.wanted[d.objects[f.object].num] == uriValue; isWanted && !d.isDeleted(f.object) {
				base = &f
			}
			continue
		}
		if w == nothing {
			continue
		}
		f.what = w
		kept = append(kept, f)
	}
	if base != nil && !d.yieldBase(base, yield) {
		return false
	}
	slices.SortStableFunc(kept, func(a, b found) int {
		return cmp.Or(cmp.Compare(d.fileOffset(&a), d.fileOffset(&b)), cmp.Compare(a.start, b.start))
	})
	next := 0
	for i := 0; i <= len(kept); {
		at := len(d.src)
		if i < len(kept) {
			at = d.fileOffset(&kept[i])
		}
		for ; next < len(d.streams) && d.streams[next].data.Start < at; next++ {
			if !d.yieldStream(&d.streams[next], yield) {
				return false
			}
		}
		if i == len(kept) {
			return true
		}
		n := 1
		if s := kept[i].stream; s >= 0 {
			for i+n < len(kept) && kept[i+n].stream == s {
				n++
			}
		}
		if !d.yieldGroup(kept[i:i+n], yield) {
			return false
		}
		i += n
	}
	return true
}

// fileOffset returns the offset in the file of what has been found, or of its object stream.
func (d *document) fileOffset(f *found) int {
	if f.stream >= 0 {
		return d.streams[f.stream].data.Start
	}
	return int(f.start)
}

// yieldBase yields the base of URIs.
func (d *document) yieldBase(f *found, yield func(*scan.Item) bool) bool {
	src := d.src
	span := scan.Span{Start: int(f.start), End: int(f.end)}
	if f.stream >= 0 {
		s := &d.streams[f.stream]
		src, _ = d.decode(s)
		span = s.data
	}
	d.read(f, src)
	d.item = scan.Item{Op: scan.Base, Span: span, Value: d.value.text, In: "catalog/URI/Base"}
	return yield(&d.item)
}

// yieldGroup yields one string of the file, or those of one object stream.
func (d *document) yieldGroup(group []found, yield func(*scan.Item) bool) bool {
	src := d.src
	index := group[0].stream
	if index >= 0 {
		s := &d.streams[index]
		src, _ = d.decode(s)
		d.item = scan.Item{Op: scan.Open, Span: s.data, Value: src, Type: Type, Name: d.name(s)}
		if !yield(&d.item) {
			return false
		}
	}
	for i := range group {
		f := &group[i]
		if int(f.end) > len(src) {
			break // the budget of this pass is used up
		}
		if !d.yieldString(f, src, yield) {
			return false
		}
	}
	if index < 0 {
		return true
	}
	d.item = scan.Item{Op: scan.Close}
	return yield(&d.item)
}

// read undoes the quoting of a string, and decrypts it. Those of object streams are not encrypted
// themselves.
func (d *document) read(f *found, src []byte) {
	v := &d.value
	v.read(src, int(f.start), int(f.end))
	if d.crypt != nil && f.stream < 0 && f.object >= 0 {
		o := &d.objects[f.object]
		v.bytes, v.plain = d.crypt.decrypt(d.crypt.strings, v.bytes, int(o.num), int(o.gen)), true
	}
	v.decode()
}

// yieldString yields a reference, or those of a text.
func (d *document) yieldString(f *found, src []byte, yield func(*scan.Item) bool) bool {
	d.read(f, src)
	labels := scan.Labels(0)
	if d.isDeleted(f.object) {
		labels |= scan.Deleted
	}
	span := scan.Span{Start: int(f.start), End: int(f.end)}
	if f.what == textString {
		return d.yieldText(span, labels, yield)
	}
	value := d.value.text
	k := kinds[f.what]
	d.item = scan.Item{Op: scan.Ref, Kind: k.kind, How: scan.Attribute, In: k.in, Span: span, Value: value, Labels: labels}
	switch f.what {
	case uriValue, fileURL:
		d.item.Value = bytes.TrimSpace(value)
		if a := d.where[place{f.stream, f.start}]; a != nil {
			d.more = scan.More{Page: a.page, Boxes: a.boxes}
			d.item.More, d.item.Text = &d.more, a.shown
			d.item.Labels |= a.labels
		}
	default:
		if f.overridden {
			d.item.Labels |= scan.Overridden
		}
		if f.isURL || isURL(value) { // written by programs that do not know /FS /URL
			break
		}
		if f.what == launch && isProgram(value) {
			d.item.Labels |= scan.Guess
		}
		d.item.IgnoresBase = true
		d.item.Value = urlOfPath(value)
	}
	if len(d.item.Value) == 0 {
		return true
	}
	return yield(&d.item)
}

// isURL reports whether a file specification is a URL: it begins with a scheme of more than a letter, and "//".
func isURL(s []byte) bool {
	i := bytes.Index(s, []byte("://"))
	if i < 2 {
		return false
	}
	for _, c := range s[:i] {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}

// isProgram reports whether a file that is launched may be a program, which is searched for in several places.
func isProgram(path []byte) bool {
	name := bytes.ToLower(path)
	for _, s := range []string{".exe", ".com", ".bat", ".cmd", ".app"} {
		if bytes.HasSuffix(name, []byte(s)) {
			return true
		}
	}
	return bytes.IndexByte(name, '.') < 0
}

// urlOfPath returns the reference to a file that a file specification names (section 7.11.2): its path,
// with characters escaped that have a meaning in references. Backslashes are separators for Windows.
func urlOfPath(path []byte) []byte {
	if !bytes.ContainsAny(path, `%?#\:`) {
		return path
	}
	var out []byte
	first := bytes.IndexAny(path, `/\`)
	if first < 0 {
		first = len(path)
	}
	for i, c := range path {
		switch {
		case c == '\\' && i+1 < len(path) && path[i+1] == '/':
			// an escaped slash, which is part of a name
			out = append(out, "%5C"...)
		case c == '\\':
			out = append(out, '/')
		case c == '%' || c == '?' || c == '#' || c == ':' && i < first:
			out = append(out, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		default:
			out = append(out, c)
		}
	}
	return out
}

// yieldText yields the references in a text string.
func (d *document) yieldText(span scan.Span, labels scan.Labels, yield func(*scan.Item) bool) bool {
	ok := true
	d.text.Rest = false
	d.text.Window(d.value.text, 0, len(d.value.text), true, func(it *scan.Item) bool {
		if d.value.plain {
			it.Span, it.Loose = span, true
			it.More = nil
		} else {
			d.locate(it)
		}
		it.Labels |= labels
		ok = yield(it)
		it.Loose = false
		return ok
	})
	return ok
}

// locate maps the spans of an Item of a text to its source.
func (d *document) locate(it *scan.Item) {
	back, exact := d.value.m.Back(it.Span)
	it.Span, it.Loose = back, it.Loose || !exact
	if it.More == nil || it.More.Parts == nil {
		return
	}
	d.parts = d.parts[:0]
	for _, s := range it.More.Parts {
		back, _ := d.value.m.Back(s)
		d.parts = append(d.parts, back)
	}
	d.more = *it.More
	d.more.Parts = d.parts
	it.More = &d.more
}

// yieldStream yields a stream of metadata, or an embedded file, as an entity; nothing for other streams.
func (d *document) yieldStream(s *stream, yield func(*scan.Item) bool) bool {
	mediaType := MetadataType
	switch {
	case s.kind == objectStream && s.isDamaged && !d.isLocked:
		return d.noteUndecoded(s, "an object stream", yield)
	case s.kind == embeddedFile:
		own := d.mediaType(s)
		mediaType = ""
		if d.readAs != nil {
			mediaType = d.readAs(own, "")
		}
		if mediaType == "" {
			d.item = scan.Item{Op: scan.Note, Code: scan.CodeUnreadType, Span: s.data, Type: own}
			return yield(&d.item)
		}
	case s.kind != metadata:
		return true
	}
	text, err := d.decode(s)
	if err == nil && d.account.isCut && !d.noteShort(yield, s.data) {
		return false
	}
	if err != nil && !d.isLocked {
		return d.noteUndecoded(s, "a stream", yield)
	}
	if err != nil || len(text) == 0 {
		return true
	}
	return d.yieldBody(s.data, text, mediaType, d.name(s), yield)
}

// noteUndecoded notes that a stream cannot be decoded.
func (d *document) noteUndecoded(s *stream, what string, yield func(*scan.Item) bool) bool {
	d.item = scan.Item{Op: scan.Note, Code: scan.CodeUnreadType, Span: s.data, Text: what + " that cannot be decoded: not read", Type: "stream of PDF"}
	return yield(&d.item)
}

// yieldBody yields the decoded data of a stream as an entity.
func (d *document) yieldBody(at scan.Span, text []byte, mediaType, name string, yield func(*scan.Item) bool) bool {
	d.item = scan.Item{Op: scan.Body, Span: at, Value: text, Type: mediaType, Name: name}
	if raw := d.src[at.Start:at.End]; len(text) != len(raw) || &text[0] != &raw[0] {
		d.whole.Reset()
		d.whole.Add(len(text), at.Start, len(text), len(raw))
		d.more = scan.More{Packed: true}
		d.item.Map, d.item.More = &d.whole, &d.more
	}
	return yield(&d.item)
}

// yieldPrograms yields scripts and forms.
func (d *document) yieldPrograms(yield func(*scan.Item) bool) bool {
	for i := range d.programs {
		p := &d.programs[i]
		if !d.yieldBody(p.at, p.text, p.mediaType, fmt.Sprintf("object %d", p.object), yield) {
			return false
		}
	}
	return true
}

// mediaType returns the type of an embedded file, by its Subtype; "application/octet-stream" if it has none.
func (d *document) mediaType(s *stream) string {
	k, _ := entry(&d.account, d.src, int(s.dict), "Subtype")
	if k.kind != nameToken || k.end-k.start > 100 {
		return "application/octet-stream"
	}
	t := bytes.ToLower(unescapeName(d.src[k.start:k.end]))
	if bytes.IndexByte(t, '/') <= 0 {
		return "application/octet-stream"
	}
	return string(t)
}
