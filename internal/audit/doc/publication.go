package doc

import (
	"bytes"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/forge"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/option"
	"example.org/refract/internal/order"
	"example.org/refract/internal/site"
	"example.org/refract/internal/slash"
	"example.org/refract/resolve"
	"example.org/refract/resolve/risk"
)

// A publication says which URLs are those of files.
type publication struct {
	sites []publishedDir    // the deepest directory first
	Root  string            // absolute, that "/x" is relative to; "" means unknown
	roots map[string]string // the same for documents below a directory

	// Checkouts are the repositories of the audited files, whose hosts show the files of the tree.
	Checkouts []Checkout
}

// A Checkout is a repository with the directory that it is in.
type Checkout struct {
	Top string // absolute
	forge.Repository
}

// A HostedFile is a file of a Checkout, as a URL of its host names it.
type HostedFile struct {
	Top string // of the Checkout
	forge.File
}

// Hosted returns the file of a checkout that a URL names, or nil.
func (p *publication) Hosted(c *resolve.Components) *HostedFile {
	for i := range p.Checkouts {
		if f, ok := p.Checkouts[i].Find(c); ok {
			return &HostedFile{p.Checkouts[i].Top, f}
		}
	}
	return nil
}

// NewPublication returns the publication that the URLs of some directories, and the directory that "/x" is
// relative to, describe. directory checks a directory, and makes it absolute.
func NewPublication(urls, dirs []string, root string, directory func(string) (string, error)) (p publication, err error) {
	for i := range urls {
		made, err := newSite(urls[i], dirs[i], directory)
		if err != nil {
			return p, err
		}
		p.sites = append(p.sites, made)
	}
	byDepth(p.sites)
	if root != "" {
		p.Root, err = directory(root)
		if err != nil {
			return p, &option.Error{Name: "Root", Cause: err}
		}
	}
	return p, nil
}

// AddRoot sets the directory that "/x" is relative to in documents below a directory.
func (p *publication) AddRoot(below, root string, directory func(string) (string, error)) error {
	var full [2]string
	for i, name := range []string{below, root} {
		var err error
		full[i], err = directory(name)
		if err != nil {
			return &option.Error{Name: "Roots", Cause: err}
		}
	}
	if p.roots == nil {
		p.roots = map[string]string{}
	}
	if before, is := p.roots[full[0]]; is && before != full[1] {
		return option.Bad("Roots", below, "has two roots: give one")
	}
	p.roots[full[0]] = full[1]
	return nil
}

// RootOf returns the directory, an absolute path, that "/x" is relative to in the document at an absolute
// path; "" if it is not set.
func (p *publication) RootOf(name string) string {
	for dir := name; len(p.roots) > 0; dir = dir[:strings.LastIndexByte(dir, '/')] {
		if root, is := p.roots[dir]; is {
			return root
		}
		if strings.IndexByte(dir, '/') < 0 {
			break
		}
	}
	return p.Root
}

// byDepth sorts directories, the deepest first.
func byDepth(sites []publishedDir) {
	order.Sort(sites, func(x, y publishedDir) int { return len(y.Dir) - len(x.Dir) })
}

// A publishedDir is a directory with the URL where it is published.
type publishedDir struct {
	authority string // in lower case
	path      string // as in the URL, to its last slash
	url       string // to the last slash of its path
	Dir       string // absolute
}

func newSite(url, of string, directory func(string) (string, error)) (publishedDir, error) {
	c := resolve.Parse([]byte(url))
	scheme := strings.ToLower(string(c.Scheme))
	if scheme != "http" && scheme != "https" || len(c.Authority) == 0 {
		return publishedDir{}, option.Bad("Sites", url, "give an http or https URL")
	}
	dir, err := directory(of)
	if err != nil {
		return publishedDir{}, option.Bad("Sites", url, "%w", err)
	}
	p := string(c.Path)
	p = p[:strings.LastIndexByte(p, '/')+1]
	if p == "" {
		p = "/"
	}
	return publishedDir{strings.ToLower(string(c.Authority)), p, string(c.Scheme) + "://" + string(c.Authority) + p, dir}, nil
}

// rest returns the part of a URL's path after the site's path. http and https are one site: which of them
// is linked to says nothing about files.
func (s *publishedDir) rest(c *resolve.Components) (string, bool) {
	if !strings.EqualFold(string(c.Scheme), "http") && !strings.EqualFold(string(c.Scheme), "https") ||
		!strings.EqualFold(string(c.Authority), s.authority) {
		return "", false
	}
	p := string(c.Path)
	if p+"/" == s.path {
		return "", true
	}
	return strings.CutPrefix(p, s.path)
}

// Find returns the site that a URL is in, and the rest of its path.
func (p *publication) Find(c *resolve.Components) (s *publishedDir, rest string, ok bool) {
	for i := range p.sites {
		if rest, ok := p.sites[i].rest(c); ok {
			return &p.sites[i], rest, true
		}
	}
	return nil, "", false
}

// judges reports whether to check an absolute reference: it points into a site, to a file of the
// repository, or to a place that others cannot reach.
func (p *publication) judges(r *extract.Reference) bool {
	c := resolve.Parse(r.URL)
	if _, _, ok := p.Find(&c); ok || p.Hosted(&c) != nil {
		return true
	}
	return IsLocal(r.URL, &c) || IsHostless(&c) || HasBadPort(&c)
}

// Retrieved returns the URL of a file: that of its site, otherwise a file: URL
// (RFC 8089).
func (p *publication) Retrieved(name string) base.Source {
	for i := range p.sites {
		if rest, ok := strings.CutPrefix(name, p.sites[i].Dir+"/"); ok {
			return base.Source{URI: p.sites[i].url + slash.Escaped(rest), From: "--site"}
		}
	}
	return base.Source{URI: slash.URL(name), From: "file"}
}

// IsLocal reports whether a URL means something on one computer only: a loopback host,
// a file, a drive of Windows.
func IsLocal(u []byte, c *resolve.Components) bool {
	switch scheme := strings.ToLower(string(c.Scheme)); {
	case len(scheme) == 1, scheme == "file":
		return true
	case scheme == "http", scheme == "https", scheme == "ws", scheme == "wss", scheme == "ftp":
		return risk.Of(u)&risk.Loopback != 0
	}
	return false
}

// IsHostless reports whether a URL lacks the host that its scheme asks for (RFC 9110
// 4.2.1).
func IsHostless(c *resolve.Components) bool {
	scheme := strings.ToLower(string(c.Scheme))
	return (scheme == "http" || scheme == "https") && len(c.Authority) == 0
}

// HasBadPort reports whether the port of a web page is not a number (RFC 3986 3.2.3).
func HasBadPort(c *resolve.Components) bool {
	_, port, _ := ascii.CutPort(c.Authority[ascii.HostStart(c.Authority):])
	scheme := strings.ToLower(string(c.Scheme))
	return (scheme == "http" || scheme == "https") && len(bytes.Trim(port, "0123456789")) > 0
}

// A Layout describes how a generator makes a site from documents.
type Layout struct {
	Slug slug.Algorithm
	Name string // what determines it: "mkdocs.yml", "--slugs"; "" means the vote

	Loose bool // ids follow the rules of no algorithm: compare letters and digits only

	Headings  lazy.Value[map[string]bool] // ids of all documents
	Generated *site.Site                  // the site that a generator makes of the documents; nil if none
}

// isSite reports whether a site serves the pages. Otherwise they are shown as files, with directory
// listings, as on code hosts.
func (l *Layout) isSite() bool { return l.Generated != nil }

// IsHost reports whether a code host shows the pages.
func (l *Layout) IsHost() bool {
	return l.Slug == slug.GitHub && !l.isSite() || l.Slug == slug.GitLab || l.Slug == slug.GitLab16
}

// IsVoted reports whether the ids of headings are known only from the references of the tree, so that the
// program that makes the pages is unknown.
func (l *Layout) IsVoted() bool { return l.Name == "" && !l.isSite() }

// IsMDBook reports whether mdBook makes the pages.
func (l *Layout) IsMDBook() bool { return strings.TrimSuffix(l.Name, ".in") == mdBook }

const mdBook = "book.toml"
