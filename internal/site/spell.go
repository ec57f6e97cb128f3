package site

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Spell returns a reference that resolves to a file in all of the given uses, of which there is at least
// one, by the generator's own rules. Where possible, it is in the style of another reference, without its
// query and fragment. Spell resolves each spelling again before it returns it. ok is false if none resolves
// to the file.
func (s *Site) Spell(uses []Use, form Form, in, file, style string) (ref string, ok bool) {
	s.Load()
	u := uses[0]
	if i := strings.IndexAny(style, "?#"); i >= 0 {
		style = style[:i]
	}
	var ways []string
	if s.speller != nil {
		ways = s.speller.Spellings(s, uses, form, in, file, style)
	}
	if ways == nil {
		ways = s.Spellings(u, form, file, style)
	}
	for _, ref := range ways {
		if ref == "" || ref == style {
			continue
		}
		if !slices.ContainsFunc(uses, func(u Use) bool { res := s.Resolve(u, form, in, ref); return !res.IsAt(file) }) {
			return ref, true
		}
	}
	return "", false
}

// IsAt reports whether a reference resolves to a file by the generator's own rules.
func (r *Result) IsAt(file string) bool {
	return r.State == Found && r.File == file && (len(r.Tried) == 0 || !r.Tried[len(r.Tried)-1].Lenient)
}

// Spellings returns ways to write a reference, the one most like style first.
func (s *Site) Spellings(u Use, form Form, file, style string) []string {
	dotted := func(p string) string {
		first, _, _ := strings.Cut(p, "/")
		if strings.HasPrefix(style, "./") && !strings.HasPrefix(p, "../") || strings.IndexByte(first, ':') >= 0 {
			return "./" + p
		}
		return p
	}
	source := []string{dotted(EscapePath(Relative(path.Dir(u.File), file)))}
	if dir := path.Dir(u.Page.File); dir != path.Dir(u.File) {
		source = append(source, dotted(EscapePath(Relative(dir, file))))
	}
	if m := s.MountOf(file); m != nil && u.Page.Mount != nil && m != u.Page.Mount { // as if the mounts were directories
		from, to := path.Join(u.Page.Mount.URL, path.Dir(u.Page.Rel)), m.URL+strings.TrimPrefix(file, m.Dir+"/")
		source = append(source, dotted(EscapePath(Relative(strings.TrimSuffix(from, "/"), to))))
	}
	if first := source[0]; s.IsPicky && !strings.HasPrefix(first, ".") { // a plain name may lead elsewhere
		source = append(source, "./"+first)
	}
	var rooted, inContent, bySite []string
	for _, m := range s.Mounts {
		if rest, ok := strings.CutPrefix(file, m.Dir+"/"); ok && m.Kind == Pages {
			rooted = append(rooted, "/"+EscapePath(rest))
			inContent = append(inContent, "@/"+EscapePath(rest))
		}
	}
	if rest, ok := strings.CutPrefix(file, s.Dir+"/"); ok {
		bySite = append(bySite, "@site/"+EscapePath(rest))
	}
	var absolute, near []string
	if to := s.urlOf(file); to != "" {
		base := strings.TrimSuffix(s.Base, "/")
		if !strings.HasPrefix(style, "/") || strings.HasPrefix(style, s.Base) {
			absolute = append(absolute, base+EscapePath(to), EscapePath(to))
		} else {
			absolute = append(absolute, EscapePath(to), base+EscapePath(to))
		}
		if len(u.Page.Routes) > 0 {
			near = append(near, dotted(EscapePath(relativeURL(u.Page.Routes[0], to))))
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
	isSource := s.IsDocument(style) || (form == Markdown || form == Image) && path.Ext(style) != "" && path.Ext(style) != ".html"
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
	if p := s.ByFile[file]; p != nil {
		if !p.Why.IsZero() || p.IsPart || len(p.Routes) == 0 {
			return ""
		}
		return p.Routes[0]
	}
	if m := s.MountOf(file); m != nil && s.IsPublished(file) {
		return m.URL + strings.TrimPrefix(file, m.Dir+"/")
	}
	return ""
}

// Relative returns the path from a directory to a file.
func Relative(dir, file string) string {
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

// EscapePath escapes the bytes that a path of a reference cannot hold. It leaves non-ASCII letters.
func EscapePath(p string) string {
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
