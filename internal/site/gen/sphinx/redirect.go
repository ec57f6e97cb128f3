package sphinx

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// redirects adds the redirects of the extensions rediraffe and sphinx-reredirects, of conf.py and the
// modules beside it.
func (g *model) redirects(d *source.Dir, s *site.Site, files []confFile) {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return slices.Contains(g.extensions, name) || len(files) > 1 && slices.ContainsFunc(files, func(f confFile) bool {
				return strings.Contains(f.text, `"`+name+`"`) || strings.Contains(f.text, "'"+name+"'") // it may be in a list of any name
			})
		})
	}
	hasRediraffe, hasReredirects := has("sphinxext.rediraffe", "rediraffe"), has("sphinx_reredirects")
	for i := range files {
		g.redirectsIn(d, s, &files[i], hasRediraffe, hasReredirects)
	}
}

// redirectsIn adds the redirects in a file.
func (g *model) redirectsIn(d *source.Dir, s *site.Site, f *confFile, hasRediraffe, hasReredirects bool) {
	if hasRediraffe {
		value := f.conf.Lookup("rediraffe_redirects")
		for _, e := range value.Entries {
			rediraffe(g, s, site.Entry(f.file, "rediraffe_redirects", site.Key(e), e.Value))
		}
		if file, ok := d.Inside(value.Or("")); ok && d.Tree.IsFile(file) {
			for _, r := range pairsIn(file, string(d.Tree.Config(file))) {
				rediraffe(g, s, r)
			}
		}
	}
	if hasReredirects {
		for _, e := range f.conf.Lookup("redirects").Entries {
			if strings.ContainsAny(e.Key, "*?[") || strings.Contains(e.Value.Text, "$") || g.isFlat {
				continue // a pattern
			}
			from := "/" + e.Key + ".html"
			if g.isDir {
				from = "/" + strings.TrimSuffix(strings.TrimSuffix("/"+e.Key, "/index"), "/")[1:] + "/"
			}
			s.AddRedirect(site.Entry(f.file, "redirects", site.Key(e), e.Value), site.CleanURL(from), e.Value.Text, nil)
		}
	}
}

// redirectPair matches a line of a file of rediraffe: two names of documents, possibly in quotes.
var redirectPair = lazy.New(`(?m)^[ \t]*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s#"']\S*))[ \t]+(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"']\S*))[ \t]*\r?$`)

// maxPairs is the number of redirects that are read of a file of rediraffe.
const maxPairs = 10_000

// pairsIn returns the redirects in a file of rediraffe.
func pairsIn(file, text string) (all []site.Redirect) {
	group := func(m []int, first int) literal.Value {
		for i := first; i < first+3; i++ {
			if m[2*i] >= 0 {
				return literal.Value{Kind: literal.String, Text: text[m[2*i]:m[2*i+1]], Span: scan.Span{Start: m[2*i], End: m[2*i+1]}}
			}
		}
		return literal.Value{}
	}
	for _, m := range redirectPair.FindAllStringSubmatchIndex(text, maxPairs) {
		all = append(all, site.Entry(file, "rediraffe_redirects", group(m, 1), group(m, 4)))
	}
	return all
}

// rediraffe adds a redirect between two documents, by their paths below the sources.
func rediraffe(g *model, s *site.Site, r site.Redirect) {
	url := func(name string) string {
		stem := slash.Stem(name)
		if !g.isDir {
			return site.CleanURL("/" + stem + ".html")
		}
		return site.CleanURL("/" + strings.TrimSuffix("/"+stem, "/index") + "/")
	}
	file := path.Join(s.SourceDir(), r.To)
	s.AddRedirect(r, url(r.From), url(r.To), func(s *site.Site) site.Result {
		for _, suffix := range append([]string{""}, s.Suffixes...) {
			if res := s.TryFile(site.FileCandidate(file + suffix)); res.State == site.Found {
				return res
			}
		}
		if res, ok := s.Lookup(url(r.To), true); ok && res.Page != nil && res.Page.File != "" && !res.Page.IsMoved(url(r.To)) {
			return res // the extension only looks whether the build made the file
		}
		res := s.TryFile(site.FileCandidate(file))
		res.Tried = []site.Candidate{{File: file}}
		switch {
		case g.generates:
			return site.Result{State: site.Unknown, Why: extensionDocument}
		case slices.ContainsFunc(s.Suffixes, func(suffix string) bool { return s.Tree.IsIgnored(file + suffix) }):
			return site.Result{State: site.Unknown, Why: reason.GitIgnoredPage}
		}
		return res
	})
}

var (
	rediraffeMap   = lazy.New(`(?m)^rediraffe_redirects[ \t]*=[ \t]*\{`)
	reredirectsMap = lazy.New(`(?m)^redirects[ \t]*=[ \t]*\{`)
)

// Redirect adds an entry for the extensions rediraffe or sphinx-reredirects to a map in conf.py.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	dir := path.Dir(e.Config) + "/"
	from, isIn := strings.CutPrefix(was.File, dir)
	to, isIn2 := strings.CutPrefix(is.File, dir)
	if !isIn || !isIn2 {
		return ""
	}
	if e.AddEntry(rediraffeMap, fmt.Sprintf("\n    %q: %q,", from, to), from, to) {
		return "rediraffe_redirects in " + e.Config
	}
	from = slash.Stem(from)
	to = strings.Repeat("../", strings.Count(was.Route, "/")-1) + strings.TrimPrefix(is.Route, "/")
	if !bytes.Contains(e.ConfigText(), []byte("sphinx_reredirects")) || !e.AddEntry(reredirectsMap, fmt.Sprintf("\n    %q: %q,", from, to), from, to) {
		return ""
	}
	return "redirects in " + e.Config
}
