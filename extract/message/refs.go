package message

import (
	"bytes"
	"strings"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// bases yields the base that the heading of e gives: Content-Base if that is absolute, then Base (RFC
// 1808 3.1; RFC 2068 14.11 treats them as the same), then Content-Location if that is absolute and
// hierarchical (RFC 2557 5b), and, at the top level, the field that browsers write for a page that
// they save. Of several fields with one name the first counts.
func (s *Scanner) bases(e *entity) bool {
	if e.field == e.fields {
		return true
	}
	for _, n := range [...]name{fieldContentBase, fieldBase, fieldContentLocation, fieldSnapshot} {
		f := s.find(e, n)
		if f == nil || n == fieldSnapshot && e.parent >= 0 {
			continue
		}
		t := s.url(f)
		scheme := schemeOf(s.value)
		switch {
		case s.long: // headers notes it
			continue
		case scheme == "" && (n == fieldContentBase || n == fieldBase):
			if s.Outline {
				continue
			}
			s.setItem(&t, "")
			s.item = scan.Item{Op: scan.Note, Span: s.item.Span, Code: scan.CodeInvalidBase, Text: f.output + " is not absolute: it gives no base"}
			if !s.yield(&s.item) {
				return false
			}
			continue
		case scheme == "", n == fieldContentLocation && isLabel(scheme):
			continue
		}
		s.setItem(&t, f.output)
		s.item.Op = scan.Base
		return s.yield(&s.item)
	}
	return true
}

// schemeOf returns the scheme of a reference in lower case, "" if it has none.
func schemeOf(ref []byte) string {
	return string(bytes.ToLower(ref[:ascii.SchemeEnd(ref)]))
}

// isLabel reports whether a Content-Location of this scheme only gives a part a name.
func isLabel(scheme string) bool { return scheme == "cid" || scheme == "mid" || scheme == "data" }

// headers yields the references in the heading of e. Fields without a syntax of their own are read as
// running text.
func (s *Scanner) headers(e *entity) bool {
	at := e.head
	for i := e.field; i < e.fields; i++ {
		f := &s.fields[i]
		if s.Outline && f.name != fieldContentLocation {
			continue
		}
		switch f.name {
		case fieldBase, fieldContentBase, fieldContentLocation, fieldSnapshot, fieldURL, fieldList:
		case fieldContentType:
			if e.kind != external || e.url == (scan.Span{}) || f != s.find(e, fieldContentType) { // the first Content-Type counts
				continue
			}
		default:
			if !f.words {
				continue
			}
		}
		if !s.prose(at, f.start) || !s.special(e, f) {
			return false
		}
		at = f.end
	}
	return s.prose(at, e.body)
}

// prose yields the references of the fields in s.src[at:end], read as running text. A reference that
// begins in one field does not continue in the next.
func (s *Scanner) prose(at, end int) bool {
	if s.Outline {
		return true
	}
	limit, stop := end, at // the end of the range to search; the end of the field of the last reference
	in := ""
	for at < end {
		crosses := false
		next := s.finder.Window(s.src[:limit], at, limit, true, func(it *scan.Item) bool {
			if it.Op == scan.Ref {
				if it.Span.Start >= stop {
					start := fieldStart(s.src[:it.Span.Start], stop)
					in, stop = s.nameAt(start), fieldEnd(s.src[:end], it.Span.Start)
				}
				if crosses = stop < it.Span.End; crosses {
					return false
				}
				it.In = in
			}
			at = it.Span.End
			it.Kind, it.How = scan.Header, scan.Field
			return s.yield(it)
		})
		switch {
		case crosses:
			limit = stop
		case next < 0:
			return false
		default:
			at, limit = limit, end
		}
	}
	return true
}

// nameAt returns the name of the field that begins at start, as written, but at most maxName bytes of
// it, because every reference in the field is output with it.
func (s *Scanner) nameAt(start int) string {
	n, _ := fieldName(s.src[start:min(len(s.src), start+maxName)])
	return string(s.src[start : start+n])
}

// A text is the value of a field: b with the map back to the message.
type text struct {
	b  []byte
	m  *scan.Map // nil: b begins at at
	at int
}

func (t *text) back(span scan.Span) (scan.Span, bool) {
	if t.m == nil {
		return scan.Span{Start: t.at + span.Start, End: t.at + span.End}, true
	}
	return t.m.Back(span)
}

// decoded returns the value of f with its encoded words decoded (RFC 2047) and without line breaks.
func (s *Scanner) decoded(f *field) text { return s.decodedText(f, f.value(s.src)) }

// decodedText is decoded for a field with the given value.
func (s *Scanner) decodedText(f *field, value []byte) text {
	t := text{b: value, at: f.colon + 1}
	if !f.words {
		return t
	}
	s.words.CharsetReader = wordReader
	s.m.Reset()
	s.text = s.text[:0]
	literal := func(from, to int) {
		for from < to {
			n := bytes.IndexAny(t.b[from:to], "\r\n")
			if n < 0 {
				n = to - from
			}
			s.m.Add(n, t.at+from, 1, 1)
			s.text = append(s.text, t.b[from:from+n]...)
			from += n + 1
		}
	}
	done := 0
	for at := 0; ; {
		i := bytes.Index(t.b[at:], []byte("=?"))
		if i < 0 {
			break
		}
		start := at + i
		end := encodedWord(t.b[start:])
		at = start + 2
		if end < 0 {
			continue
		}
		word, err := s.words.Decode(decodable(t.b[start : start+end]))
		if err != nil {
			continue
		}
		if done == 0 || len(bytes.TrimLeft(t.b[done:start], blanks)) > 0 { // the space between two encoded words is not text
			literal(done, start)
		}
		s.m.Add(len(word), t.at+start, len(word), end)
		s.text = append(s.text, word...)
		at = start + end
		done = at
	}
	literal(done, len(t.b))
	t.b, t.m = s.text, &s.m
	return t
}

// decodable returns an encoded word in the form that the decoder takes: with the question marks in its text
// encoded, its base64 padded, which not every mailer does (RFC 2047 4.2), and without the name of a
// language (RFC 2231 5).
func decodable(word []byte) string {
	parts := bytes.SplitN(word[2:len(word)-2], []byte{'?'}, 3)
	if len(parts) < 3 {
		return string(word)
	}
	if i := bytes.IndexByte(parts[0], '*'); i > 0 {
		parts[0] = parts[0][:i]
	}
	if len(parts[1]) == 1 && parts[1][0]|0x20 == 'b' {
		text := bytes.TrimRight(parts[2], "= ")
		parts[2] = append(bytes.Clone(text), "==="[:(4-len(text)%4)%4]...)
	} else {
		parts[2] = bytes.ReplaceAll(parts[2], []byte{'?'}, []byte("=3F"))
	}
	return "=?" + string(bytes.Join(parts, []byte{'?'})) + "?="
}

// encodedWord returns the length of the encoded word at the beginning of b, or -1. Spaces and tabs in its
// text are tolerated, line breaks are not.
func encodedWord(b []byte) int {
	const longest = 1024 // 75 by RFC 2047 2, which mailers exceed
	b = b[:min(len(b), longest)]
	marks := 0
	for i := 2; i < len(b); i++ {
		switch {
		case b[i] == '\r' || b[i] == '\n':
			return -1
		case b[i] != '?':
		case marks < 2:
			marks++
		case i+1 < len(b) && b[i+1] == '=':
			return i + 2
		case b[i-1] == '=':
			return -1 // another encoded word begins
		}
	}
	return -1
}

// take collects the reference t.b[from:to] without its white space. With folds it removes only white space
// around a line break. It omits a value that is too long for a reference put together from pieces: the
// pieces would take more memory than the field.
func (s *Scanner) take(t *text, from, to int, folds bool) {
	s.value, s.parts, s.long = s.value[:0], s.parts[:0], false
	if ascii.IndexSpace(t.b[from:to]) < 0 {
		if from < to {
			s.parts = append(s.parts, scan.Span{Start: from, End: to})
			s.value = append(s.value, t.b[from:to]...)
		}
		return
	}
	if s.long = to-from > delimit.MaxReference; s.long {
		return
	}
	for from < to {
		n := ascii.IndexSpace(t.b[from:to])
		if n < 0 {
			n = to - from
		}
		gap := to - from - n - len(bytes.TrimLeft(t.b[from+n:to], blanks))
		if folds && gap > 0 && bytes.IndexByte(t.b[from+n:from+n+gap], '\n') < 0 {
			n, gap = n+gap, 0
		}
		if n > 0 {
			if k := len(s.parts) - 1; k >= 0 && s.parts[k].End == from {
				s.parts[k].End += n
			} else {
				s.parts = append(s.parts, scan.Span{Start: from, End: from + n})
			}
			s.value = append(s.value, t.b[from:from+n]...)
		}
		from += n + gap
	}
}

// noteLong notes that the value of f is too long for a reference.
func (s *Scanner) noteLong(f *field) bool {
	s.item = scan.Item{Op: scan.Note, Span: scan.Span{Start: f.start, End: f.end}, Code: scan.CodeTooLong, Text: "more than 65536 bytes over several lines: not a reference"}
	return s.Outline || s.yield(&s.item)
}

// setItem makes an Item of the reference that take collected.
func (s *Scanner) setItem(t *text, in string) {
	s.item = scan.Item{Kind: scan.Header, How: scan.Field, In: in, Value: s.value}
	if len(s.parts) == 0 {
		s.item.Span, _ = t.back(scan.Span{})
		return
	}
	exact := false
	s.item.Span, exact = t.back(scan.Span{Start: s.parts[0].Start, End: s.parts[len(s.parts)-1].End})
	s.item.Loose = !exact
	if t.m == nil && len(s.parts) > 1 {
		for i, p := range s.parts {
			s.parts[i], _ = t.back(p)
		}
		s.more = scan.More{Parts: s.parts}
		s.item.More = &s.more
	}
}

// url takes the single URL in the value of f, without comments, brackets, quotation marks, "URL:" and
// the white space of folding (RFC 1808 3.1, RFC 2557 4.4.1). Mailers quote it, and put comments after
// it, although no RFC allows that.
func (s *Scanner) url(f *field) text {
	t := s.decoded(f)
	p := params{rest: t.b}
	p.blank(spaceByte)
	from, to := p.pos, len(t.b)
	bracket := byte(0)
	if from < to {
		switch t.b[from] {
		case '<':
			bracket = '>'
		case '"':
			bracket = '"'
		}
	}
	if bracket != 0 {
		from++
		if i := bytes.IndexByte(t.b[from:], bracket); i >= 0 {
			to = from + i
		}
	}
	from = withoutPrefix(t.b, from, to)
	if bracket == 0 && t.m == nil {
		to = from + bareEnd(t.b[from:])
	}
	for to > from && strings.IndexByte(blanks, t.b[to-1]) >= 0 {
		to--
	}
	s.take(&t, from, to, t.m != nil || bracket == '"')
	return t
}

// withoutPrefix returns where the reference t[from:to] begins after "URL:".
func withoutPrefix(t []byte, from, to int) int {
	if to-from >= 4 && bytes.EqualFold(t[from:from+4], []byte("URL:")) {
		from += 4
	}
	for from < to && strings.IndexByte(blanks, t[from]) >= 0 {
		from++
	}
	return from
}

// bareEnd returns the end of the reference at the beginning of b: white space that does not fold the line.
func bareEnd(b []byte) int {
	for end := 0; ; {
		n := bytes.IndexAny(b[end:], blanks)
		if n < 0 {
			return len(b)
		}
		end += n
		gap := len(b) - end - len(bytes.TrimLeft(b[end:], blanks))
		if bytes.IndexByte(b[end:end+gap], '\n') < 0 {
			return end
		}
		end += gap
	}
}

// mayRefer reports whether the value of f, which holds encoded words, may hold a reference as running text:
// it has a colon, or the beginning of "www.". Nearly all such values are names. Searching them is ten times
// as fast as decoding their charsets.
func (s *Scanner) mayRefer(f *field) bool {
	v := f.value(s.src)
	for {
		i := bytes.Index(v, []byte("=?"))
		if i < 0 {
			return colonOrWWW(v)
		}
		if colonOrWWW(v[:i]) {
			return true
		}
		v = v[i:]
		end := encodedWord(v)
		if end < 0 {
			v = v[2:]
			continue
		}
		parts := bytes.SplitN(v[2:end-2], []byte{'?'}, 3)
		v = v[end:]
		if len(parts) < 3 || len(parts[0]) > 4 && bytes.EqualFold(parts[0][:4], []byte("utf-")) && !bytes.EqualFold(parts[0], []byte("utf-8")) {
			return true
		}
		switch text := parts[2]; {
		case len(parts[1]) != 1:
			return true
		case parts[1][0]|0x20 == 'q':
			if colonOrWWW(text) || bytes.Contains(text, []byte("=3A")) || bytes.Contains(text, []byte("=3a")) || bytes.Contains(text, []byte("=77")) || bytes.Contains(text, []byte("=57")) {
				return true
			}
		default:
			s.m.Reset()
			if s.text = appendBase64(s.text[:0], &s.m, text, 0); colonOrWWW(s.text) {
				return true
			}
		}
	}
}

func colonOrWWW(b []byte) bool {
	return bytes.IndexByte(b, ':') >= 0 || bytes.Contains(b, []byte("ww")) || bytes.Contains(b, []byte("WW"))
}

// special yields the references in a field that has a syntax of its own, or holds encoded words.
func (s *Scanner) special(e *entity, f *field) bool {
	switch f.name {
	case fieldList:
		return s.list(f)
	case fieldContentType:
		if e.kind == external && e.url != (scan.Span{}) {
			t := text{b: f.value(s.src), at: f.colon + 1}
			s.take(&t, e.url.Start, e.url.End, false) // RFC 2017 3.1: spaces are not part of the URL
			if s.long {
				return s.noteLong(f)
			}
			s.setItem(&t, "Content-Type/url")
			return s.yield(&s.item)
		}
	case fieldBase, fieldContentBase, fieldSnapshot, fieldContentLocation, fieldURL:
		t := s.url(f)
		scheme := schemeOf(s.value)
		switch {
		case s.long:
			return s.noteLong(f)
		case f.name == fieldContentLocation && (isLabel(scheme) || scheme == "thismessage"): // RFC 2557 sections 8.3 and 5
			if !s.Outline || scheme != "cid" {
				return true
			}
			s.setItem(&t, f.output) // Chrome names style sheets and frames this way
			return s.yield(&s.item)
		case len(s.value) == 0 || scheme == "" && f.name != fieldContentLocation && f.name != fieldURL:
			return true
		case f.name == fieldURL && t.m == nil && len(bytes.TrimSpace(t.b)) > len(s.value)+len(`<URL:>`)+2 && len(s.parts) == 1:
			return s.running(f, t, 0, 0) // the value holds more than a URL
		}
		s.setItem(&t, f.output)
		return s.yield(&s.item)
	}
	if !s.mayRefer(f) {
		return true
	}
	return s.running(f, s.decoded(f), 0, 0)
}

// running yields the references in t, the value of f, from at on, read as running text.
func (s *Scanner) running(f *field, t text, at int, labels scan.Labels) bool {
	return s.finder.Window(t.b, at, len(t.b), true, func(it *scan.Item) bool {
		var exact bool
		it.Span, exact = t.back(it.Span)
		it.Loose = !exact
		switch {
		case it.More == nil:
		case t.m != nil:
			it.More.Parts = nil
		default:
			for i, p := range it.More.Parts {
				it.More.Parts[i], _ = t.back(p)
			}
		}
		it.Kind, it.How, it.Labels, it.In = scan.Header, scan.Field, labels, f.output
		return s.yield(it)
	}) >= 0
}

// list yields the references of a list of URLs in angle brackets, with commas between them and
// comments anywhere. If anything but a comma follows a bracket, the list ends there (RFC 2369 2).
// Strictly, a value that does not begin with a bracket should be ignored; but many mailers write a
// bare URL, which gets a label.
func (s *Scanner) list(f *field) bool {
	t := s.decoded(f)
	p := params{rest: t.b}
	for first := true; ; first = false {
		p.blank(spaceByte)
		if len(p.rest) == 0 || p.rest[0] != '<' {
			return !first || s.running(f, t, p.pos, scan.Speculative)
		}
		end := bytes.IndexByte(p.rest, '>')
		if end < 0 {
			return s.running(f, t, p.pos, scan.Speculative)
		}
		s.take(&t, withoutPrefix(t.b, p.pos+1, p.pos+end), p.pos+end, false)
		s.setItem(&t, f.output)
		if len(s.value) > 0 && !s.yield(&s.item) || s.long && !s.noteLong(f) {
			return false
		}
		p.skip(end + 1)
		p.blank(spaceByte)
		if len(p.rest) == 0 || p.rest[0] != ',' {
			return true
		}
		p.skip(1)
	}
}
