package mkdocs

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

var (
	// redirectMaps matches the key of the redirects, and the indentation of the first of them.
	redirectMaps = lazy.New(`^redirect_maps:[ \t]*\r?\n([ \t]+)`)
	docsDir      = lazy.New(`^docs_dir:[ \t]*["']?([^"'\s#]+)`)
)

// docsOf returns the directory of the sources of a site.
func docsOf(e *site.Edits) string {
	for m := range source.MatchesIn(e.ConfigText(), docsDir, "docs_dir:") {
		return path.Join(path.Dir(e.Config), string(m[1]))
	}
	return path.Dir(e.Config) + "/docs"
}

// addRedirects adds the redirects of the plugin redirects, whose keys and values are names of sources.
func (m *model) addRedirects(s *site.Site, maps source.Value) {
	for _, e := range maps.Entries {
		name, fragment, hash := strings.Cut(source.Value{Value: e.Value}.Or(""), "#")
		r := site.Entry(s.Config, "redirect_maps", site.Key(e), e.Value)
		from := s.FileURL(mkdocsName(e.Key))
		if strings.Contains(name, "://") || name == "" {
			s.AddRedirect(r, from, r.To, nil)
			continue
		}
		to := s.FileURL(mkdocsName(name))
		if hash {
			to += "#" + fragment
		}
		s.AddRedirect(r, from, to, func(s *site.Site) site.Result { return m.redirected(s, name, to) })
	}
}

// redirected returns where a redirect to a source leads.
func (m *model) redirected(s *site.Site, name, to string) site.Result {
	for _, mount := range s.Mounts {
		if mount.Kind != site.Pages {
			continue
		}
		file := path.Join(mount.Dir, name)
		res := s.TryFile(site.FileCandidate(file))
		res.Tried = []site.Candidate{{File: file}}
		if res.State == site.Missing && (s.Generates || m.hasHooks || len(m.langs) > 0 || len(m.included) > 0) {
			return site.Result{State: site.Unknown, Why: reason.PluginPage}
		}
		if res.State == site.Missing && s.Tree.IsIgnored(file) {
			return site.Result{State: site.Unknown, Why: reason.GitIgnoredPage}
		}
		if why := s.IsMade(to, &site.Reference{Raw: to, Path: to}); res.State == site.Missing && why.Is(reason.MadeByBuild) {
			return site.Result{State: site.Unknown, Why: why}
		}
		return res
	}
	return site.Result{State: site.Unknown, Why: reason.NoPages}
}

// Redirect adds a redirect for the plugin redirects.
func (m *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	conf := e.ConfigText()
	at := firstRedirect(conf)
	if m.isZensical || at < 0 || !bytes.Contains(conf, []byte("redirects:")) {
		return ""
	}
	dir := docsOf(e)
	from, isIn := strings.CutPrefix(was.File, dir+"/")
	to, isIn2 := strings.CutPrefix(is.File, dir+"/")
	if !isIn || !isIn2 || strings.ContainsAny(from+to, "'\n\\") {
		return ""
	}
	indent := conf[at : at+len(conf[at:])-len(bytes.TrimLeft(conf[at:], " \t"))]
	e.Set(e.Config, slices.Concat(conf[:at], indent, fmt.Appendf(nil, "'%s': '%s'\n", from, to), conf[at:]))
	return "redirect_maps in " + e.Config
}

// firstRedirect returns where the line of the first redirect of a configuration begins, or -1. A move may
// ask for each of thousands of documents, so it tries the expression only where it can match.
func firstRedirect(conf []byte) int {
	const mark = "redirect_maps:"
	for at := 0; ; at += len(mark) {
		i := bytes.Index(conf[at:], []byte(mark))
		if i < 0 {
			return -1
		}
		at += i
		line := conf[bytes.LastIndexByte(conf[:at], '\n')+1 : at]
		if m := redirectMaps.Compiled().FindSubmatchIndex(conf[at:]); m != nil && len(line) > 0 && len(bytes.Trim(line, " \t")) == 0 {
			return at + m[2]
		}
	}
}

// Retarget changes the targets of the plugin redirects.
func (m *model) Retarget(e *site.Edits, was, is site.Target) {
	if m.isZensical {
		return
	}
	dir := docsOf(e)
	e.Replace(`(?m)(:[ \t]+['"]?)%s(['"]?[ \t]*\r?)$`, strings.TrimPrefix(was.File, dir+"/"), strings.TrimPrefix(is.File, dir+"/"))
}
