package site

import (
	"strings"

	"example.org/refract/internal/site/source"
)

// HostRules are the rules of the host of a site that has been built: those of vercel.json, netlify.toml, _redirects and
// .htaccess.
type HostRules struct{ dirs []*hostRules }

// NewHostRules reads the rules in directories, each of which is read by itself. origin is that of the site, which may
// precede paths in rules.
func NewHostRules(files source.FS, origin string, dirs []string) *HostRules {
	all := &HostRules{}
	for _, dir := range dirs {
		h := &hostRules{}
		h.read(source.NewTree(files, dir, 1), origin, []string{dir})
		if len(h.rules) > 0 {
			all.dirs = append(all.dirs, h)
		}
	}
	return all
}

// Redirect returns where the first rule for a URL path leads. to is a path, or "" if the rule leads to another site, or
// applies to some visitors only; file is the base name of the file with the rule. ok is false if there is none.
func (h *HostRules) Redirect(u string) (to, file string, ok bool) {
	for _, d := range h.dirs {
		k := d.ruleFor(u)
		if k < 0 {
			continue
		}
		r := &d.rules[k]
		to = r.target(u)
		if !strings.HasPrefix(to, "/") || r.to == anywhere {
			to = ""
		}
		return to, r.file, true
	}
	return "", "", false
}
