package site

import (
	"regexp"
	"slices"
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
		h.apache(dir)
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

// apache reads the directives of the .htaccess of a directory that redirect: Redirect and RedirectMatch of mod_alias. What
// RewriteRule of mod_rewrite does depends on much else: a URL that matches its pattern leads anywhere.
func (h *hostRules) apache(dir string) {
	const file = ".htaccess"
	for line := range strings.Lines(string(h.tree.Config(dir + "/" + file))) {
		words := strings.Fields(line)
		if len(words) < 2 || len(h.rules) >= maxRedirects {
			continue
		}
		switch directive := strings.ToLower(words[0]); directive {
		case "redirect", "redirectpermanent", "redirecttemp", "redirectmatch":
			h.alias(file, strings.HasSuffix(directive, "match"), words[1:])
		case "rewriterule":
			pattern := strings.Trim(words[1], "\"")
			rest, isAtStart := strings.CutPrefix(pattern, "^")
			if isAtStart && rest != "" && rest != "$" && rest[0] != '(' && rest[0] != '.' {
				h.match(file, "^/?"+rest, anywhere)
			}
		}
	}
}

// alias reads the arguments of a directive of mod_alias.
func (h *hostRules) alias(file string, isPattern bool, args []string) {
	status := args[0]
	if !strings.HasPrefix(status, "/") && !strings.HasPrefix(status, "^") && !strings.HasPrefix(status, "(") {
		args = args[1:]
	}
	if len(args) < 2 || slices.Contains([]string{"gone", "404", "410"}, status) {
		return
	}
	from, to := strings.Trim(args[0], "\""), strings.Trim(args[1], "\"")
	if isPattern {
		h.match(file, from, to)
		return
	}
	from = strings.TrimSuffix(from, "/")
	if from != "" { // also for what is below it, whose rest is added to the target
		h.match(file, "^"+regexp.QuoteMeta(from)+"(/.*)?$", strings.TrimSuffix(to, "/")+"$1")
	}
}

// match adds a rule for the URLs that match a regular expression.
func (h *hostRules) match(file, from, to string) {
	re, err := regexp.Compile(from)
	if err == nil {
		h.rules = append(h.rules, redirect{re, "", targetParam.ReplaceAllString(to, "$${$1$2}"), file})
	}
}
