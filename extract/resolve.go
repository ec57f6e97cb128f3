package extract

import (
	"example.org/refract/base"
	"example.org/refract/extract/internal/escape"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// maxAlternatives limits the alternatives of a reference, each a URL of about the same length: a reference
// of n bytes may have n/2 of them.
const maxAlternatives = 16

// maxURL limits a URL, in bytes. Browsers follow no longer ones: the limit is 2 MiB in Chromium and 1 MiB
// in Firefox, as of November 2026. URLs of the scheme data, which are not addresses, may be longer, unless
// they have to be escaped. Without the limit, a document that consists of one URL could take thirty times
// its size, because that URL is decoded, resolved, escaped and written.
const maxURL = 2 << 20

// noMore stands for the More of Items without one. It is read-only.
var noMore scan.More

// reference makes a Reference of it, and yields it.
func (w *walker) reference(it *scan.Item) bool {
	// Entity and Base stay the same for most references; assigning the whole struct took a tenth of the
	// time of a walk.
	r := &w.ref
	w.setPosition(&r.Pos, it.Span)
	r.Pos.Exact = r.Pos.Exact && !it.Loose
	r.Kind, r.How, r.In, r.Meant, r.Labels, r.Depth = it.Kind, it.How, it.In, it.Meant, it.Labels|w.labels, int(it.Depth)
	if w.quotes != nil {
		r.Depth = max(r.Depth, w.quotes.Depth(it.Span.Start))
	}
	r.PartLine, r.PartColumn = w.partPosition(it.Span)
	r.Raw, r.Ref = w.raw(it.Span), it.Value
	r.JoinedBy, r.Proof = w.joinedBy, w.proof
	r.Ranges, r.Alternatives = r.Ranges[:0], nil
	if w.CountOnly {
		return w.passUnresolved(r)
	}
	more := it.More
	if more == nil {
		more = &noMore
	}
	r.Page, r.Boxes = more.Page, more.Boxes
	if it.Kind == scan.Text && len(r.Boxes) > 1 {
		r.JoinedBy, r.Proof = JoinedByLayout, -1
	}
	for _, p := range more.Parts {
		r.Ranges = append(r.Ranges, w.position(p))
	}
	if w.cfg.Details {
		r.Text, r.Rel, r.Hreflang, r.Type = it.Text, more.Rel, more.Hreflang, it.Type
	}
	if w.cfg.Choices {
		r.Choice, r.Rel, r.Type = more.Choice, more.Rel, it.Type
	}
	if it.Space != "" {
		r.URL, r.BrowserURL, r.Inside, r.Fragment, r.TargetPart, r.InvalidAuthority = nil, nil, nil, nil, "", false
		r.Result, r.Err = resolve.Result{}, ErrName
		return w.pass(r)
	}
	value := it.Value
	if it.IgnoresBase {
		defer func(b base.Base) { r.Base = b }(r.Base)
		value = w.useOwnBase(value)
	}
	r.TargetPart = ""
	if it.Kind != scan.Header {
		r.TargetPart = w.partNamed(value)
	}
	if more.Fragment != "" {
		w.joined = append(append(append(w.joined[:0], value...), '#'), more.Fragment...)
		value = w.joined
	}
	if isThisMessage(r.Base.URI) {
		defer func(b base.Base) { r.Base = b }(r.Base)
		r.Base = w.cfg.noBase()
	}
	w.resolve(r, value)
	if w.ref.Entity.isInPackage {
		r.setInside()
		if w.Batch.own != nil && (r.Meant == "#" || len(value) > 0 && value[0] == '#') {
			// It points to a place in the document, which may be in another member.
			w.target = append(append(w.target[:0], r.Meant...), value...)
			r.URL, r.Inside, r.Err, r.Result, r.Fragment = nil, nil, nil, resolve.Result{Step: resolve.CurrentDocument}, w.target
		}
	}
	if it.IgnoresBase && len(value) > 0 && value[0] == '#' && r.Err == base.ErrNoBase {
		// A fragment of the document stays one if the document's URL is not known.
		r.Err, r.Result, r.Fragment = nil, resolve.Result{Step: resolve.CurrentDocument}, value
	}
	if w.cfg.ParserDifferences && r.Inside == nil && len(value) <= maxURL && r.Err != ErrTooLong { // all readings of a long data URL are alike
		w.setBrowserURL(r)
	}
	if len(more.Drop) > 0 || more.Longer != nil {
		r.URL = clone(r.URL)
	}
	if more.Longer != nil {
		w.addAlternative(r, more.Longer)
	}
	for _, i := range more.Drop[:min(len(more.Drop), maxAlternatives)] {
		w.addAlternative(r, append(append([]byte{}, it.Value[:i]...), it.Value[i+1:]...))
	}
	return w.pass(r)
}

// addAlternative adds the URL of another reading of r.
func (w *walker) addAlternative(r *Reference, value []byte) {
	other := *r
	w.resolve(&other, value)
	if other.URL != nil {
		r.Alternatives = append(r.Alternatives, clone(other.URL))
	}
}

// pass yields r.
func (w *walker) pass(r *Reference) bool {
	w.calling = true
	more := w.yield(r)
	w.calling = false
	return more
}

// passUnresolved yields r without resolving it: only the fields about its written form are set.
func (w *walker) passUnresolved(r *Reference) bool {
	r.URL, r.BrowserURL, r.Inside, r.Fragment, r.Err, r.Result = nil, nil, nil, nil, nil, resolve.Result{}
	r.Text, r.Rel, r.Hreflang, r.Type, r.TargetPart, r.InvalidAuthority, r.Page, r.Boxes, r.Choice = "", "", "", "", "", false, 0, nil, nil
	return w.pass(r)
}

// useOwnBase sets the URL of the entity as the base of a reference that ignores the base of the
// document. It returns the reference.
func (w *walker) useOwnBase(value []byte) []byte {
	switch {
	case len(value) > 0, w.cfg.Rules.Empty == resolve.EmptyIsBase:
		w.ref.Base = w.own
	case w.cfg.Rules.Empty == resolve.EmptyIsCurrent:
		// An empty action is the base itself (the 1997 draft, section 3, last sentence).
		return []byte(w.ref.Base.URI)
	}
	return value
}

// resolve resolves ref and sets the fields of r that describe its target. Its URL is in the memory of w, or
// is ref.
func (w *walker) resolve(r *Reference, ref []byte) {
	if r.Meant != "" {
		w.whole = append(append(w.whole[:0], r.Meant...), ref...)
		ref = w.whole
	}
	r.URL, r.Inside, r.Fragment, r.InvalidAuthority = nil, nil, nil, false
	if isTooLong(ref) {
		r.Result, r.Err = resolve.Result{}, ErrTooLong
		return
	}
	target := w.targetOf(r, ref)
	if w.query != nil && r.Err == nil && r.How != scan.CSS { // the charset of a style sheet does not apply to its URLs
		if at, end := w.query.Find(ref, target); at >= 0 {
			if len(ref) > escape.Long {
				w.target, target = nil, nil // free it while something longer is made
			}
			w.queried = w.query.EncodeRange(w.queried, ref, at, end)
			target = w.targetOf(r, w.queried)
			if len(ref) > escape.Long {
				w.queried = nil
			}
		}
	}
	switch {
	case r.Err != nil:
	case r.Result.SameDocument():
		r.Fragment = target
	case len(target) > maxURL && !isData(target): // its base is long
		r.Err = ErrTooLong
	case w.cfg.Rules.Browser:
		r.URL = target // escaped as browsers do
	default:
		var valid bool
		r.URL, valid = escape.URL(w.escaped, target, w.cfg.IRI)
		r.InvalidAuthority = !valid
		if len(r.URL) > 0 && &r.URL[0] != &target[0] {
			w.escaped = r.URL
			if len(target) > escape.Long {
				w.target = nil
			}
		}
	}
}

// targetOf returns what ref resolves to, and sets the result of r.
func (w *walker) targetOf(r *Reference, ref []byte) []byte {
	if r.Base.Keeps(ref) {
		r.Result, r.Err = resolve.Result{Step: resolve.Absolute}, nil
		return ref
	}
	w.target, r.Result, r.Err = r.Base.Append(w.target[:0], ref)
	return w.target
}

// isTooLong reports whether ref has more than maxURL bytes when it is escaped, and is not a URL of the
// scheme data that needs no escaping.
func isTooLong(ref []byte) bool {
	if len(ref) <= maxURL/len("%00") {
		return false
	}
	n := escape.Size(ref)
	return n > maxURL && (n > len(ref) || !isData(ref))
}

// isData reports whether the scheme of url is data.
func isData(url []byte) bool {
	const scheme = "data:"
	return len(url) > len(scheme) && ascii.EqualFold(url[:len(scheme)], scheme)
}

// AppendEscaped appends url to dst with the escapes that the URL of a Reference has. It escapes bytes
// that RFC 3986 excludes, a "%" that begins no escape, and, without iri, all non-ASCII characters.
// Existing escapes stay. A host that is not ASCII becomes its A-labels; an invalid authority stays as
// it is, except that control characters are escaped.
func AppendEscaped(dst, url []byte, iri bool) []byte {
	if escaped, _ := escape.URL(nil, url, iri); len(escaped) > 0 {
		return append(dst, escaped...)
	}
	return dst
}

// ValidAuthority reports whether the authority of url is valid, or becomes valid by AppendEscaped.
// Reference.InvalidAuthority is its opposite for the URL of a Reference.
func ValidAuthority(url []byte) bool {
	_, valid := escape.URL(nil, url, false)
	return valid
}

// setBrowserURL sets r.BrowserURL. r has just been resolved, so w.whole is the reference if it is
// abbreviated.
func (w *walker) setBrowserURL(r *Reference) {
	r.BrowserURL = nil
	b := &w.browser
	if b.readings == nil || b.base != r.Base.URI {
		b.base, b.readings = r.Base.URI, resolve.NewReadings(r.Base.URI)
	}
	ref := r.Ref
	if r.Meant != "" {
		ref = w.whole
	}
	var differs bool
	b.url, differs = b.readings.AppendBrowser(b.url[:0], ref)
	if differs {
		r.BrowserURL = b.url
	}
}
