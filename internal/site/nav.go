package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

// A NavLink is an entry of the navigation, or a key of front matter, that points to a page.
type NavLink struct {
	File   string    // absolute path of the file that holds it
	Span   scan.Span // range in File, without quotes
	Ref    string    // with escapes undone
	In     string    // "nav", "sidebar", "front matter"
	Result Result    // where it leads
	Dir    string    // absolute path of the directory that file names are relative to; "" for URLs
	// Resolve returns the target of another value in the same place.
	Resolve func(ref string) Result
}

// Navigation returns the navigation entries of s that are literals, grouped by file and in the order
// of each file. It leaves out those with a scheme or a host. To find positions, use
// [Site.NavigationText].
func (s *Site) Navigation() []NavLink {
	s.Load()
	n := &Navigation{Site: s, seen: map[place]bool{}}
	if s.navigated != nil {
		s.navigated.Navigate(s, n)
	}
	n.errorDocuments()
	slices.SortStableFunc(n.links, func(a, b NavLink) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Span.Start - b.Span.Start
	})
	return n.links
}

// NavigationText returns the text of a file that holds navigation entries.
func (s *Site) NavigationText(file string) []byte { return s.Tree.Text(file, source.MaxPage) }

// A Navigation collects the navigation entries of a site.
type Navigation struct {
	Site  *Site
	links []NavLink
	seen  map[place]bool
}

type place struct {
	file string
	at   int
}

// Add adds v as an entry if it is a literal that may point to a page of the site.
func (n *Navigation) Add(file, in string, v literal.Value, resolve func(ref string) Result) {
	n.AddIn("", file, in, v, resolve)
}

// AddIn is like add, for file names below a directory.
func (n *Navigation) AddIn(dir, file, in string, v literal.Value, resolve func(ref string) Result) {
	ref := v.Text
	if v.Kind != literal.String || ref == "" || v.Span == (scan.Span{}) || isElsewhere(ref) || n.seen[place{file, v.Span.Start}] {
		return
	}
	n.seen[place{file, v.Span.Start}] = true
	n.links = append(n.links, NavLink{File: file, Span: v.Span, Ref: ref, In: in, Result: resolve(ref), Dir: dir, Resolve: resolve})
}

// isElsewhere reports whether a reference has a scheme or a host.
func isElsewhere(ref string) bool {
	if strings.HasPrefix(ref, "//") {
		return true
	}
	i := strings.IndexAny(ref, ":/?#")
	return i >= 0 && ref[i] == ':' && !strings.Contains(ref[:i], " ")
}

// errorDocuments adds the pages that the .htaccess files of the site show for errors.
func (n *Navigation) errorDocuments() {
	for _, dir := range publicDirs(n.Site) {
		file := path.Join(dir, ".htaccess")
		for page := range source.ErrorDocuments(n.Site.Tree.Config(file)) {
			n.Add(file, "ErrorDocument", page.Value, func(ref string) Result { return n.ByForm(HTML, ref) })
		}
	}
}

// Read returns the value of a file that may hold navigation.
func (n *Navigation) Read(file string) literal.Value { return n.Site.Tree.ReadFile(file).Value }

// ByURL resolves a reference that is relative to the root of the site, like those of components. A
// reference relative to the page that shows it is not checked.
func (n *Navigation) ByURL(ref string) Result { return n.ByForm(Component, ref) }

// ByForm is like ByURL, for a reference of another form.
func (n *Navigation) ByForm(form Form, ref string) Result {
	if !strings.HasPrefix(ref, "/") {
		return Result{State: Unknown, Why: reason.RelativeToEachPage}
	}
	m := n.Pages()
	if m == nil {
		return Result{State: Unknown, Why: reason.NoPages}
	}
	p := &Page{File: n.Site.Config, Mount: m, Routes: []string{"/"}}
	return n.Site.Resolve(Use{Page: p, File: n.Site.Config}, form, "nav/link", ref)
}

// Pages returns the first mount with pages.
func (n *Navigation) Pages() *Mount {
	i := slices.IndexFunc(n.Site.Mounts, func(m *Mount) bool { return m.Kind == Pages })
	if i < 0 {
		return nil
	}
	return n.Site.Mounts[i]
}

// Front calls add with each page that has front matter. The site must read it.
func (n *Navigation) Front(add func(p *Page, front literal.Value)) {
	for _, file := range source.SortedKeys(n.Site.ByFile) {
		if p := n.Site.ByFile[file]; p.Why.IsZero() && !p.IsPart && p.Front.IsGiven() {
			add(p, p.Front.Value)
		}
	}
}

// InPage resolves a reference in the front matter of a page.
func (n *Navigation) InPage(p *Page, form Form) func(ref string) Result {
	return func(ref string) Result {
		if strings.HasPrefix(ref, "#") {
			return Result{State: Unknown, Why: fragmentOfPage}
		}
		return n.Site.Resolve(Use{Page: p, File: p.File}, form, "front/link", ref)
	}
}

// MissingFile returns the result for a file that does not exist.
func (n *Navigation) MissingFile(file string) Result {
	res := Result{State: Missing, Tried: []Candidate{{File: file}}}
	if other, ok := n.Site.Tree.OtherCase(file); ok && n.Site.Tree.IsFile(other) {
		res.Other, res.Case = other, true
	}
	return res
}

// Reasons.
var (
	AbsolutePathInNav = reason.New(reason.Base, "absolute-path-in-nav", "an absolute path in nav")
	fragmentOfPage    = reason.New(reason.OtherPage, "fragment-of-page", "a fragment of the page")
)
