package warc

import (
	"bytes"
	"iter"
	"strconv"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/jsonstring"
)

// HTTP is the information about a body in an HTTP heading. Its byte slices alias the bytes from which
// it was parsed. It may be reused.
type HTTP struct {
	Details bool // References have Rel, Hreflang, Type and Text

	Body        int      // where the body begins
	ContentType []byte   // as written; nil if there is none
	Transfer    [][]byte // the transfer codings, in the order in which they were applied
	Content     [][]byte // likewise the content codings

	src    []byte
	status []byte // what follows the version of HTTP
	refers bool   // some fields hold references
	item   scan.Item
	more   scan.More
}

// Parse reads the heading at the beginning of src, and reports whether there is one (RFC 9112 section 2): a
// line "HTTP/…", fields, and an empty line. It skips interim responses (1xx) before it. The first
// Content-Type counts. If the empty line is missing, a line that begins with "<" ends the heading.
func (r *HTTP) Parse(src []byte) bool {
	*r = HTTP{Details: r.Details, src: src, Transfer: r.Transfer[:0], Content: r.Content[:0]}
	if !isHTTP(src) {
		return false
	}
	f := fields{src: src}
	for {
		start, end := f.line()
		_, status, _ := bytes.Cut(src[start:end], []byte{' '})
		r.status, r.ContentType, r.Transfer, r.Content = status, nil, r.Transfer[:0], r.Content[:0]
		for f.at < len(src) && src[f.at] != '<' && f.next() {
			r.field(&f)
		}
		r.Body = f.at
		if !f.ended || len(status) == 0 || status[0] != '1' || !isHTTP(src[f.at:]) {
			return true
		}
		f.ended = false
	}
}

// Status returns the status code, from 100 to 999; 0 if the heading has none.
func (r *HTTP) Status() int {
	code, _, _ := bytes.Cut(bytes.TrimLeft(r.status, " "), []byte{' '})
	n, err := strconv.Atoi(string(code))
	if err != nil || n < 100 || n > 999 {
		return 0
	}
	return n
}

func isHTTP(src []byte) bool { return len(src) >= 5 && ascii.EqualFold(src[:5], "http/") }

func (r *HTTP) field(f *fields) {
	switch len(f.name) {
	case len("Content-Type"):
		if ascii.EqualFold(f.name, "content-type") && r.ContentType == nil {
			r.ContentType = f.value
		}
	case len("Content-Encoding"):
		if ascii.EqualFold(f.name, "content-encoding") {
			r.Content = codings(r.Content, f.value)
		}
	case len("Transfer-Encoding"):
		if ascii.EqualFold(f.name, "transfer-encoding") {
			r.Transfer = codings(r.Transfer, f.value)
		}
	}
	r.refers = r.refers || f.refers() != ""
}

// refers returns the name of the current field if it may hold references, "" otherwise.
func (f *fields) refers() string {
	if len(f.value) == 0 {
		return ""
	}
	for _, known := range referring {
		if len(f.name) == len(known.lower) && ascii.EqualFold(f.name, known.lower) {
			return known.name
		}
	}
	return ""
}

// referring are the names of the fields that hold references.
var referring = [...]struct{ lower, name string }{
	{"link", "Link"}, {"refresh", "Refresh"}, {"location", "Location"}, {"content-location", "Content-Location"},
	{"sourcemap", "SourceMap"}, {"x-sourcemap", "SourceMap"}, {"report-to", "Report-To"}, {"reporting-endpoints", "Reporting-Endpoints"},
}

// maxCodings limits how many codings of a body are reported.
const maxCodings = 16

// codings appends the names in a list of codings, except identity.
func codings(list [][]byte, value []byte) [][]byte {
	for name := range bytes.SplitSeq(value, []byte{','}) {
		name, _, _ = bytes.Cut(name, []byte{';'})
		name = bytes.TrimSpace(name)
		if len(name) > 0 && !ascii.EqualFold(name, "identity") && len(list) < maxCodings {
			list = append(list, name)
		}
	}
	return list
}

// Refers reports whether some fields hold references.
func (r *HTTP) Refers() bool { return r.refers }

// References yields the references of the heading, of the kind Header, in source order: Location,
// Content-Location, Link (RFC 8288), Refresh (as HTML 4.2.5.3 reads it) and SourceMap (ECMA-426 section
// 11.1.2.1); and, of the kind Metadata, those to which browsers send reports: Reporting-Endpoints (W3C
// Reporting API section 3.2) and Report-To (its predecessor). It reads the heading again, because there may
// be too many fields to hold.
func (r *HTTP) References() iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		if !r.refers {
			return
		}
		for f := (fields{src: r.src}); f.at < r.Body; f.ended = false {
			f.line()
			for f.at < len(r.src) && r.src[f.at] != '<' && f.next() {
				if !r.reference(&f, yield) {
					return
				}
			}
		}
	}
}

// Fields yields the values of the fields with a name, as written. It reads the heading again.
func (r *HTTP) Fields(name string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for f := (fields{src: r.src}); f.at < r.Body; f.ended = false {
			f.line()
			for f.at < len(r.src) && r.src[f.at] != '<' && f.next() {
				if ascii.EqualFold(f.name, name) && !yield(f.value) {
					return
				}
			}
		}
	}
}

// reference yields the references of one field.
func (r *HTTP) reference(f *fields, yield func(*scan.Item) bool) bool {
	value := scan.Span{Start: f.start, End: f.start + len(f.value)}
	switch in := f.refers(); in {
	case "":
		return true
	case "Link":
		return r.links(value, yield)
	case "Report-To":
		return r.reportTo(value, yield)
	case "Reporting-Endpoints":
		return r.endpoints(value, yield)
	case "Refresh":
		from, to := refresh(f.value)
		return from >= to || r.yield(in, value.Start+from, value.Start+to, yield)
	default:
		return r.yield(in, value.Start, value.End, yield)
	}
}

// reportTo yields the endpoints of Report-To, which holds objects of JSON.
func (r *HTTP) reportTo(span scan.Span, yield func(*scan.Item) bool) bool {
	src, goOn := r.src[:span.End], true
	jsonstring.Walk(src[span.Start:], func(in []jsonstring.Level, at scan.Span) bool {
		if n := len(in); n == 3 && in[2].Named(src[span.Start:]) == "url" && in[0].Named(src[span.Start:]) == "endpoints" && at.End > at.Start {
			goOn = r.report("Report-To", span.Start+at.Start, span.Start+at.End, yield)
		}
		return goOn
	}, nil)
	return goOn
}

// endpoints yields the endpoints of Reporting-Endpoints: name="reference", name="reference" (RFC 9651 section 3.2).
func (r *HTTP) endpoints(span scan.Span, yield func(*scan.Item) bool) bool {
	src := r.src[:span.End]
	for at := span.Start; at < len(src); {
		open := bytes.IndexByte(src[at:], '"')
		if open < 0 {
			return true
		}
		from := at + open + 1
		size := bytes.IndexByte(src[from:], '"')
		if size < 0 {
			return true
		}
		before := src[at : from-1]                                                                                               // behind the last string
		isMember := bytes.HasSuffix(before, []byte("=")) && bytes.LastIndexByte(before, ';') <= bytes.LastIndexByte(before, ',') // no parameter
		if size > 0 && isMember && !r.report("Reporting-Endpoints", from, from+size, yield) {
			return false
		}
		at = from + size + 1
	}
	return true
}

func (r *HTTP) report(in string, from, to int, yield func(*scan.Item) bool) bool {
	r.item.Op, r.item.Kind, r.item.How, r.item.In = scan.Ref, scan.Metadata, scan.Field, in
	r.item.Span, r.item.Value = scan.Span{Start: from, End: to}, jsonstring.Value(r.src, scan.Span{Start: from, End: to})
	ok := yield(&r.item)
	r.item = scan.Item{}
	return ok
}

func (r *HTTP) yield(in string, from, to int, yield func(*scan.Item) bool) bool {
	r.item.Op, r.item.Kind, r.item.How, r.item.In = scan.Ref, scan.Header, scan.Field, in
	r.item.Span, r.item.Value = scan.Span{Start: from, End: to}, unfold(r.src[from:to])
	ok := yield(&r.item)
	r.item, r.more = scan.Item{}, scan.More{}
	return ok
}

// links yields the links of a field: <reference>; name=value; name="value", <reference> and so on.
// Only references in brackets count.
func (r *HTTP) links(span scan.Span, yield func(*scan.Item) bool) bool {
	src, at := r.src[:span.End], span.Start
	skip := func() {
		for at < len(src) && ascii.IsSpace(src[at]) {
			at++
		}
	}
	for {
		for skip(); at < len(src) && src[at] == ','; skip() {
			at++
		}
		if at == len(src) {
			return true
		}
		from, to := at, at
		if src[at] == '<' {
			i := bytes.IndexByte(src[at:], '>')
			if i < 0 {
				return true
			}
			from, to = at+1, at+i
			at = to + 1
			for from < to && src[from] <= ' ' {
				from++
			}
			for from < to && src[to-1] <= ' ' {
				to--
			}
		} else {
			at += indexAny(src[at:], ",")
		}
		for skip(); at < len(src) && src[at] == ';'; skip() {
			at++
			skip()
			name := src[at:]
			name = name[:indexAny(name, "=;, \t")]
			at += len(name)
			skip()
			if at == len(src) || src[at] != '=' {
				continue
			}
			at++
			skip()
			r.parameter(name, value(src, &at))
		}
		// The bytes between here and the comma are not a parameter.
		at += indexAny(src[at:], ",")
		if from < to {
			if !r.yield("Link", from, to, yield) {
				return false
			}
		}
		r.item, r.more = scan.Item{}, scan.More{}
	}
}

// indexAny is bytes.IndexAny, except that it returns len(s) if s contains none of chars.
func indexAny(s []byte, chars string) int {
	if i := bytes.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}

// value reads the value of a parameter, quoted or unquoted.
func value(src []byte, at *int) []byte {
	s := src[*at:]
	if len(s) == 0 || s[0] != '"' {
		n := indexAny(s, ";, \t\r\n")
		*at += n
		return s[:n]
	}
	escaped := false
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			*at += i + 1
			if !escaped {
				return s[1:i]
			}
			var out []byte
			for k := 1; k < i; k++ {
				if s[k] == '\\' && k+1 < i {
					k++
				}
				out = append(out, s[k])
			}
			return out
		}
	}
	*at = len(src)
	return s[1:]
}

// parameter keeps the first parameter of each name.
func (r *HTTP) parameter(name, value []byte) {
	if !r.Details {
		return
	}
	r.item.More = &r.more
	to := (*string)(nil)
	switch {
	case ascii.EqualFold(name, "rel"):
		to = &r.more.Rel
	case ascii.EqualFold(name, "hreflang"):
		to = &r.more.Hreflang
	case ascii.EqualFold(name, "type"):
		to = &r.item.Type
	case ascii.EqualFold(name, "title"):
		to = &r.item.Text
	default:
		return
	}
	if *to == "" {
		*to = string(value)
	}
}

// refresh returns the range of the reference in the value of Refresh: it follows a number, a
// semicolon or comma, and usually "url=", and may be quoted.
func refresh(s []byte) (from, to int) {
	at := 0
	blanks := func() {
		for at < len(s) && s[at] <= ' ' {
			at++
		}
	}
	for blanks(); at < len(s) && (ascii.IsDigit(s[at]) || s[at] == '.'); {
		at++
	}
	digits := at
	blanks()
	if at < len(s) && (s[at] == ';' || s[at] == ',') {
		at++
	} else if at == digits {
		return 0, 0
	}
	blanks()
	begin := at
	if len(s)-at >= 3 && ascii.EqualFold(s[at:at+3], "url") {
		at += 3
		blanks()
		if at < len(s) && s[at] == '=' {
			at++
			blanks()
			begin = at
		}
	}
	end := len(s)
	if begin < len(s) && (s[begin] == '"' || s[begin] == '\'') {
		if i := bytes.IndexByte(s[begin+1:], s[begin]); i >= 0 {
			end = begin + 1 + i
		}
		begin++
	}
	return begin, end
}
