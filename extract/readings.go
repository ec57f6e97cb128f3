package extract

import "example.org/refract/resolve"

// readings are the two readings of references against the last base, and memory
// for the URL of one of them.
type readings struct {
	base string
	of   *resolve.Readings
	url  []byte
}

// readBoth sets r.BrowserURL. The reference has just been resolved: if it is
// abbreviated, w.whole is what it is short for.
func (w *walker) readBoth(r *Reference) {
	r.BrowserURL = nil
	both := &w.both
	if both.of == nil || both.base != r.Base.URI {
		both.base, both.of = r.Base.URI, resolve.NewReadings(r.Base.URI)
	}
	ref := r.Ref
	if r.Meant != "" {
		ref = w.whole
	}
	var differ bool
	if both.url, differ = both.of.AppendBrowser(both.url[:0], ref); differ {
		r.BrowserURL = both.url
	}
}
