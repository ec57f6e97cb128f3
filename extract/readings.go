package extract

import "example.org/refract/resolve"

// A browserReading resolves references as browsers do. It keeps the last base, and memory for a URL.
type browserReading struct {
	base     string
	readings *resolve.Readings
	url      []byte
}

// setBrowserURL sets r.BrowserURL. r has just been resolved, so w.whole is the reference if it
// is abbreviated.
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
