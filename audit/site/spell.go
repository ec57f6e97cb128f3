package site

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Spell returns a reference to a file for the given use and form. Where possible, it is in the style
// of another reference, whose query and fragment it does not take over. Spell resolves each spelling
// again before it returns it. ok is false if none leads to the file.
func (s *Site) Spell(u Use, form Form, in, file, style string) (ref string, ok bool) {
	s.load()
	if i := strings.IndexAny(style, "?#"); i >= 0 {
		style = style[:i]
	}
	ways := s.spellings(u, form, file, style)
	if form == Macro && (in == "doc" || in == "toctree") && u.Page.Mount != nil {
		ways = docnames(u, file, style)
	}
	if s.antora != nil && form == Macro {
		ways = s.antora.spellings(s, u, file)
	}
	for _, ref := range ways {
		if ref == "" || ref == style {
			continue
		}
		if res := s.Resolve(u, form, in, ref); res.State == Found && res.File == file {
			return ref, true
		}
	}
	return "", false
}

// spellings returns ways to write a reference, the one most like style first.
func (s *Site) spellings(u Use, form Form, file, style string) []string {
	dotted := func(p string) string {
		first, _, _ := strings.Cut(p, "/")
		if strings.HasPrefix(style, "./") && !strings.HasPrefix(p, "../") || strings.IndexByte(first, ':') >= 0 {
			return "./" + p
		}
		return p
	}
	source := []string{dotted(escapePath(relative(path.Dir(u.File), file)))}
	if dir := path.Dir(u.Page.File); dir != path.Dir(u.File) {
		source = append(source, dotted(escapePath(relative(dir, file))))
	}
	if m := s.mountOf(file); m != nil && u.Page.Mount != nil && m != u.Page.Mount { // as if the mounts were directories
		from, to := path.Join(u.Page.Mount.URL, path.Dir(u.Page.Rel)), m.URL+strings.TrimPrefix(file, m.Dir+"/")
		source = append(source, dotted(escapePath(relative(strings.TrimSuffix(from, "/"), to))))
	}
	if first := source[0]; s.Generator == "Docusaurus" && !strings.HasPrefix(first, ".") { // a plain name may lead elsewhere
		source = append(source, "./"+first)
	}
	var rooted, inContent, bySite []string
	for _, m := range s.Mounts {
		if rest, ok := strings.CutPrefix(file, m.Dir+"/"); ok && m.Kind == Pages {
			rooted = append(rooted, "/"+escapePath(rest))
			inContent = append(inContent, "@/"+escapePath(rest))
		}
	}
	if rest, ok := strings.CutPrefix(file, s.Dir+"/"); ok {
		bySite = append(bySite, "@site/"+escapePath(rest))
	}
	var absolute, near []string
	if to := s.urlOf(file); to != "" {
		base := strings.TrimSuffix(s.Base, "/")
		if !strings.HasPrefix(style, "/") || strings.HasPrefix(style, s.Base) {
			absolute = append(absolute, base+escapePath(to), escapePath(to))
		} else {
			absolute = append(absolute, escapePath(to), base+escapePath(to))
		}
		if len(u.Page.Routes) > 0 {
			near = append(near, dotted(escapePath(relativeURL(u.Page.Routes[0], to))))
		}
	}
	if path.Ext(style) == "" && !strings.HasSuffix(style, "/") { // omit a slash that the host adds if style omits it
		for _, list := range []*[]string{&absolute, &near} {
			for _, ref := range slices.Clone(*list) {
				if short := strings.TrimSuffix(ref, "/"); short != "" && short != ref && !strings.HasSuffix(short, ".") {
					*list = slices.Insert(*list, 0, short)
				}
			}
		}
	}
	isSource := s.isDocument(style) || (form == Markdown || form == Image) && path.Ext(style) != "" && path.Ext(style) != ".html"
	switch {
	case strings.HasPrefix(style, "@site/"):
		return bySite
	case strings.HasPrefix(style, "@/"):
		return inContent
	case strings.HasPrefix(style, "/") && isSource:
		return slices.Concat(rooted, absolute)
	case strings.HasPrefix(style, "/"):
		return slices.Concat(absolute, rooted)
	case isSource:
		return slices.Concat(source, near, absolute)
	}
	return slices.Concat(near, source, absolute)
}

// urlOf returns the URL below the base at which a file is published, or "".
func (s *Site) urlOf(file string) string {
	if p := s.pages[file]; p != nil {
		if p.Why != "" || p.isPart || len(p.Routes) == 0 {
			return ""
		}
		return p.Routes[0]
	}
	if m := s.mountOf(file); m != nil && s.isPublished(file) {
		return m.URL + strings.TrimPrefix(file, m.Dir+"/")
	}
	return ""
}

// relative returns the path that leads from a directory to a file.
func relative(dir, file string) string {
	up := 0
	for !strings.HasPrefix(file, dir+"/") {
		i := strings.LastIndexByte(dir, '/')
		if i < 0 {
			return file
		}
		dir = dir[:i]
		up++
	}
	return strings.Repeat("../", up) + file[len(dir)+1:]
}

// relativeURL returns the reference that leads from the page at one URL to another.
func relativeURL(from, to string) string {
	dir := from[:strings.LastIndexByte(from, '/')+1]
	up := 0
	for !strings.HasPrefix(to, dir) {
		dir = dir[:strings.LastIndexByte(dir[:len(dir)-1], '/')+1]
		up++
	}
	if ref := strings.Repeat("../", up) + to[len(dir):]; ref != "" {
		return ref
	}
	return "./"
}

// escapePath escapes the bytes that a path of a reference cannot hold. It leaves non-ASCII letters.
func escapePath(p string) string {
	var b strings.Builder
	for i := range len(p) {
		if c := p[i]; c <= ' ' || c == 0x7f || strings.IndexByte("%?#<>\"\\[]^`{|}()", c) >= 0 {
			b.WriteString(url.PathEscape(string(rune(c))))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
