package built

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/reason"
	"example.org/refract/resolve"
)

// What says what became of a link.
type What uint8

const (
	Unknown   What = iota // Why says why
	Elsewhere             // points to another host, or to something other than a file
	Alive                 // its target exists
	NoPage                // no file is served at its URL
	NoID                  // the page has no such id
)

// An Outcome is the target of a link.
type Outcome struct {
	What     What
	Why      reason.Reason // of Unknown
	URL      string        // the path, decoded, or the absolute URL of another host
	Page     *Page         // nil if the target is no page
	File     string        // path of the file below the directory; "" if there is none
	Other    string        // of NoPage: the file that was probably meant
	Fragment string
}

// invalid is the origin of a site whose own is not known, or was only learnt: absolute links to it may mean
// another site there.
const invalid = "http://built.invalid"

func (s *Site) base() string {
	if s.URL != "" {
		return s.Origin
	}
	return invalid
}

// url returns the URL of a page.
func (p *Page) url() string {
	u := []byte(p.Site.base())
	for _, c := range []byte(p.Site.Prefix + p.Name) {
		if c <= ' ' || c == '%' || c == '?' || c == '#' || c == '\\' {
			u = ascii.AppendEscape(u, c)
		} else {
			u = append(u, c)
		}
	}
	return string(u)
}

// urlWithoutSlash returns the URL of an index page without the slash at its end, or "" if p is no index
// page of a directory.
func (p *Page) urlWithoutSlash() string {
	u := p.url()
	for _, index := range indexNames {
		if stem, ok := strings.CutSuffix(u, "/"+index); ok && strings.Contains(p.Name, "/") {
			return stem
		}
	}
	return ""
}

// A resolver says where the references of one page lead.
type resolver struct {
	page     *Page
	base     *resolve.Resolver
	other    *resolve.Resolver // by the URL without a slash, if links have that; nil if not
	url      []byte
	outcomes map[string]Outcome // by reference
	// rooted holds the outcomes of references that begin with "/", which are the same on each page of the site;
	// nil if a base element may change that.
	rooted map[string]Outcome
}

const (
	maxRooted   = 1 << 12 // outcomes that are kept for the next pages
	maxOutcomes = 1 << 12 // with more, a map is not used for the next page: to clear it takes time
)

// next makes r one for another page.
func (r *resolver) next(p *Page) *resolver {
	if r == nil {
		return newResolver(p)
	}
	now := newResolver(p)
	now.url = r.url
	if len(r.outcomes) <= maxOutcomes {
		clear(r.outcomes)
		now.outcomes = r.outcomes
	}
	if r.page.Site == p.Site && r.rooted != nil {
		now.rooted = r.rooted
	}
	return now
}

func newResolver(p *Page) *resolver {
	r := &resolver{page: p, base: resolve.Rules{Browser: true}.Resolver(p.url()), outcomes: map[string]Outcome{}, rooted: map[string]Outcome{}}
	if u := p.urlWithoutSlash(); p.Site.lacksSlash && u != "" {
		r.other = resolve.Rules{Browser: true}.Resolver(u)
	}
	return r
}

// setBase puts a base element in force.
func (r *resolver) setBase(ref []byte) {
	u, res := r.base.Append(nil, ref)
	if !res.InError {
		r.base, r.other = resolve.Rules{Browser: true}.Resolver(string(u)), nil
		clear(r.outcomes)
		r.rooted = nil
	}
}

// lead returns where a reference leads.
func (r *resolver) lead(ref []byte) Outcome {
	known, isFull := r.outcomes, false
	if r.rooted != nil && len(ref) > 0 && ref[0] == '/' {
		known, isFull = r.rooted, len(r.rooted) >= maxRooted
	}
	if o, ok := known[string(ref)]; ok {
		return o
	}
	if isFull {
		known = r.outcomes
		if o, ok := known[string(ref)]; ok {
			return o
		}
	}
	u, res := r.base.Append(r.url[:0], ref)
	r.url = u
	o := Outcome{What: Unknown, Why: badURL}
	if !res.InError && bytes.HasPrefix(u, []byte("data:")) {
		o = Outcome{What: Alive} // the build has put it into the page
	} else if !res.InError {
		o = r.page.Site.build.leadURL(r.page.Site, string(u))
	}
	if r.other != nil && (o.What == NoPage || o.What == NoID) && !bytes.HasPrefix(ref, []byte("/")) && !bytes.HasPrefix(ref, []byte("#")) {
		u, res = r.other.Append(r.url[:0], ref)
		r.url = u
		if !res.InError && r.page.Site.build.leadURL(r.page.Site, string(u)).What == Alive {
			o = o.unknown(slashInURL)
		}
	}
	known[string(ref)] = o
	return o
}

// leadURL returns where an absolute URL leads from a page of a site.
func (b *Build) leadURL(from *Site, u string) Outcome {
	rest, fragment, _ := strings.Cut(u, "#")
	rest, _, _ = strings.Cut(rest, "?")
	to, p := from, ""
	isIn, most := false, -1
	for _, s := range b.Sites {
		at, ok := strings.CutPrefix(rest, s.base())
		if s != from && s.URL == "" || !ok || !strings.HasPrefix(at, "/") {
			continue
		}
		n := 0
		if strings.HasPrefix(at+"/", s.Prefix) {
			n = len(s.Prefix)
		}
		if n > most {
			to, p, isIn, most = s, at, true, n
		}
	}
	if !isIn {
		return Outcome{What: Elsewhere, URL: u, Fragment: fragment}
	}
	return to.lead(p, fragment)
}

// maxHops limits the redirects of one URL.
const maxHops = 5

// lead returns where a path leads on a site.
func (s *Site) lead(p, fragment string) Outcome {
	decoded := ascii.UnescapeAll(p)
	o := Outcome{What: Alive, URL: decoded, Fragment: fragment}
	at := decoded
	for range maxHops {
		rest, isIn := strings.CutPrefix(at, s.Prefix)
		if !isIn && at+"/" == s.Prefix {
			rest, isIn = "", true
		}
		switch {
		case !isIn && s.Prefix == unknownPrefix:
			return o.unknown(prefixUnknown)
		case !isIn && s.besideBase(at) != "":
			o.What, o.Other = NoPage, s.besideBase(at)
			return o
		case !isIn:
			return o.unknown(reason.OutsideSiteSameHost)
		}
		if s.Prefix == unknownPrefix {
			o.URL = "/" + rest
		}
		o.File = s.fileAt(rest)
		if o.File != "" {
			return s.leadID(o)
		}
		to, file, ok := s.hosts.Redirect("/" + rest)
		if !ok {
			to, file, ok = s.hosts.Redirect(at)
		}
		switch {
		case !ok:
			return s.missing(o, rest)
		case to == "":
			return o.unknown(redirectedAway.With(file))
		}
		at = to
		if !strings.HasPrefix(at, s.Prefix) { // rules may be written for the directory, or for the host
			at = s.Prefix + strings.TrimPrefix(at, "/")
		}
	}
	return o.unknown(redirectedAway.With("rules of the host"))
}

// besideBase returns the file that a path would point to if it were not outside the prefix, or ""; also if
// it is that of a source.
func (s *Site) besideBase(at string) string {
	rest := strings.TrimPrefix(at, "/")
	if file := s.fileAt(rest); file != "" || rest == "" {
		return file
	}
	switch ext := path.Ext(rest); ext {
	case ".md", ".mdx", ".markdown", ".rst", ".adoc", ".html":
		return s.fileAt(strings.TrimSuffix(rest, ext))
	}
	return ""
}

func (o Outcome) unknown(why reason.Reason) Outcome {
	o.What, o.Why = Unknown, why
	return o
}

// missing completes the outcome for a path at which there is nothing.
func (s *Site) missing(o Outcome, rest string) Outcome {
	name := strings.Trim(rest, "/")
	switch {
	case s.IsPartial:
		return o.unknown(partlyRead)
	case strings.HasSuffix(rest, "/") && s.has(name+".html"):
		o.Other = name + ".html"
		return o.unknown(slashByHost)
	case strings.HasSuffix(rest, "/") && s.has(name):
		o.Other = name
	default:
		for _, try := range []string{name, name + ".html", name + "/index.html"} {
			if other := s.lower[strings.ToLower(try)]; other != "" {
				o.Other = other
				break
			}
		}
	}
	o.What = NoPage
	return o
}

// leadID completes the outcome for a file, which may have the id of the fragment.
func (s *Site) leadID(o Outcome) Outcome {
	if i := s.files[o.File]; i >= 0 {
		o.Page = s.Pages[i]
	}
	fragment, _, _ := strings.Cut(o.Fragment, ":~:")
	p := o.Page
	switch plain := ascii.UnescapeAll(fragment); {
	case p == nil, fragment == "", strings.EqualFold(fragment, "top"), p.hasID(fragment), p.hasID(plain):
	case strings.HasPrefix(fragment, "/"), strings.HasPrefix(fragment, "!"), strings.ContainsAny(fragment, "=&"):
		return o.unknown(forScript)
	case !p.knowsIDs():
		return o.unknown(reason.IDsOfFileUnknown)
	default:
		o.What = NoID
	}
	return o
}

// has reports whether there is a file.
func (s *Site) has(name string) bool {
	_, ok := s.files[name]
	return ok
}

// indexNames are the names of files that stand for their directory, by any common server.
var indexNames = []string{"index.html", "index.htm", "index.xhtml", "index.php"}

// fileAt returns the file that is served at a path below the directory, decoded and without a leading
// slash, or "". Hosts of static sites add ".html" to a path, and look for an index in a directory.
func (s *Site) fileAt(rest string) string {
	name := path.Clean("/" + rest)[1:]
	if rest != "" && !strings.HasSuffix(rest, "/") {
		if s.has(name) {
			return name
		}
		if s.has(name + ".html") {
			return name + ".html"
		}
	}
	if name != "" && !s.dirs[name] {
		return ""
	}
	for _, index := range indexNames {
		if at := path.Join(name, index); s.has(at) {
			return at
		}
	}
	return ""
}

// Serves returns what the build has at a URL: an absolute URL with the scheme and host origin, or, if
// origin is empty, a path. A path may be one of each of its sites, including the base path of the site or,
// if isBelow, without it.
func (b *Build) Serves(origin, p string, isBelow bool) Outcome {
	o := Outcome{What: Unknown, Why: otherHost, URL: p}
	for _, s := range b.Sites {
		if origin != "" && s.Origin != "" && !IsSameHost(origin, s.Origin) {
			continue
		}
		at := p
		if isBelow || s.Prefix == unknownPrefix {
			at = s.Prefix + strings.TrimPrefix(p, "/")
		}
		one := s.lead(at, "")
		if one.What == Alive {
			return one
		}
		if o.Why == otherHost || one.What == Unknown {
			o = one
		}
	}
	return o
}

// IsSameHost compares origins without their schemes and "www.".
func IsSameHost(a, b string) bool {
	host := func(o string) string {
		_, h, _ := strings.Cut(strings.ToLower(o), "://")
		return strings.TrimPrefix(h, "www.")
	}
	return host(a) == host(b)
}

// At returns the page that is served at a path below the directory, or nil.
func (s *Site) At(rest string) *Page {
	file := s.fileAt(strings.TrimPrefix(rest, "/"))
	if i, ok := s.files[file]; ok && i >= 0 {
		return s.Pages[i]
	}
	return nil
}

// Reasons.
var (
	badURL         = reason.New(reason.Build, "bad-built-url", "the build made no valid URL of it")
	forScript      = reason.New(reason.Code, "read-by-script", "a script of the page reads the fragment")
	partlyRead     = reason.New(reason.Build, "build-partly-read", "the directory of the build could not be read completely")
	otherHost      = reason.New(reason.OtherSite, "built-elsewhere-published", "a URL of a host at which no build is published")
	prefixUnknown  = reason.New(reason.Base, "build-prefix-unknown", "the base path of the build is unknown")
	redirectedAway = reason.New(reason.OtherSite, "build-redirects", "%s redirects it")
	slashInURL     = reason.New(reason.Base, "slash-in-url", "it is right only if the URL of the page has no slash at its end")
	slashByHost    = reason.New(reason.Build, "slash-by-host", "some hosts serve x.html at x/")
)
