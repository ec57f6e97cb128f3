package site

import (
	"bufio"
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

// A redirect is a redirect rule for the host in a file of the repository: vercel.json, netlify.toml
// or _redirects.
type redirect struct {
	from *regexp.Regexp
	head string // prefix of from
	to   string // with ${name} for the parameters of from
	file string // base name of the file with the rule
}

const (
	maxRedirects = 5000 // rules of one site
	maxHops      = 3    // redirects of one URL
)

// findRedirects reads the rules of hosts: in the directory of the site, at the top of the
// repository, and in directories that are published as they are.
func (s loader) findRedirects() {
	dirs := []string{s.Dir}
	if root := s.Tree.Root; root != s.Dir {
		dirs = append(dirs, root)
	}
	for _, m := range s.Mounts {
		if (m.Kind == Static || m.Kind == Pages) && m.URL == "/" && !slices.Contains(dirs, m.Dir) {
			dirs = append(dirs, m.Dir)
		}
	}
	s.hosted.read(s.Tree, s.Origin, dirs)
}

// RedirectOf returns the base name of the file with a rule of the host for a URL path, or "". dirs are the directories, in
// a tree without a known generator, that may hold rules.
func (f *Finder) RedirectOf(u, root string, dirs []string) string {
	key := strings.Join(dirs, "\x00")
	h := f.hosts.Get(key, func(string) *hostRules {
		f.mu.Lock()
		t := f.treeOf(strings.TrimSuffix(root, "/"))
		f.mu.Unlock()
		h := &hostRules{}
		h.read(t, "", dirs)
		return h
	})
	if k := h.ruleFor(u); k >= 0 {
		return h.rules[k].file
	}
	return ""
}

// hostRules are the rules of the host of a site.
type hostRules struct {
	tree   *source.Tree
	origin string // of the site, which may precede paths
	rules  []redirect
}

// read reads the rules in directories.
func (h *hostRules) read(t *source.Tree, origin string, dirs []string) {
	h.tree, h.origin = t, origin
	for _, dir := range dirs {
		h.vercel(dir)
		h.netlify(dir)
	}
}

// RedirectLines reads rules of the host, of the form "from to status", one per line.
func (s *Site) RedirectLines(text []byte) {
	s.hosted.origin = s.Origin
	s.hosted.lines(text)
}

// ruleFor returns the index of the first rule for a URL, or -1.
func (h *hostRules) ruleFor(u string) int {
	return slices.IndexFunc(h.rules, func(r redirect) bool { return strings.HasPrefix(u, r.head) && r.from.MatchString(u) })
}

// vercel reads the rules of vercel.json in a directory.
func (h *hostRules) vercel(dir string) {
	if !h.tree.IsFile(dir + "/vercel.json") {
		return
	}
	conf := h.tree.Read(dir + "/vercel.json")
	for _, r := range append(conf.Lookup("redirects").List(), conf.Lookup("rewrites").List()...) {
		if !r.Lookup("has").IsGiven() && !r.Lookup("missing").IsGiven() {
			h.add("vercel.json", r.Lookup("source").Or(""), r.Lookup("destination").Or(""))
		}
	}
}

// netlify reads those of netlify.toml and _redirects.
func (h *hostRules) netlify(dir string) {
	if h.tree.IsFile(dir + "/netlify.toml") {
		for _, r := range h.tree.Read(dir + "/netlify.toml").Lookup("redirects").List() {
			switch {
			case r.Lookup("status").Or("") == "404":
			case r.Lookup("conditions").IsGiven():
				h.add("netlify.toml for some visitors", r.Lookup("from").Or(""), anywhere)
			default:
				h.add("netlify.toml", r.Lookup("from").Or(""), r.Lookup("to").Or(""))
			}
		}
	}
	if h.tree.IsFile(dir + "/_redirects") {
		h.lines(h.tree.Config(dir + "/_redirects"))
	}
}

// lines reads rules of the form "from to status", one per line.
func (h *hostRules) lines(text []byte) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), " #")
		words := strings.Fields(line)
		if len(words) < 2 || strings.HasPrefix(words[0], "#") {
			continue
		}
		to := words[1]
		if strings.Contains(to, "=") && len(words) > 2 && !strings.HasPrefix(to, "/") { // from query=:x to
			to = words[2]
		}
		status := words[len(words)-1]
		switch {
		case strings.HasPrefix(status, "404"):
		case slices.ContainsFunc(words[2:], isCondition):
			h.add("_redirects for some visitors", words[0], anywhere)
		default:
			h.add("_redirects", words[0], to)
		}
	}
}

// anywhere stands for the target of a redirect that does not apply to everyone.
const anywhere = "//"

// isCondition reports whether a word restricts a rule to some visitors: Country=de.
func isCondition(word string) bool {
	key, _, ok := strings.Cut(word, "=")
	return ok && slices.Contains([]string{"country", "language", "role", "cookie"}, strings.ToLower(key))
}

// hostParam matches a placeholder for a part of the path: ":name", ":name*", ":name(pattern)",
// "(.*)", "*".
var hostParam = lazy.New(`/:(\w+)\*|:(\w+)(?:\(([^()]*)\))?|\(\.[*+]\)|\*`)

// add adds a rule if it applies to a part of the site.
func (h *hostRules) add(file, from, to string) {
	if h.origin != "" {
		from = strings.TrimPrefix(from, h.origin)
	}
	from = strings.TrimSuffix(from, "/")
	if len(h.rules) >= maxRedirects || !strings.HasPrefix(from, "/") || hostParam.FindString(from) == strings.TrimPrefix(from, "/") || to == "" {
		return // a rule for everything says nothing about a page
	}
	var b strings.Builder
	last, unnamed := 0, 0
	params := hostParam.FindAllStringSubmatchIndex(from, -1)
	head := from
	if len(params) > 0 {
		head = from[:params[0][0]]
	}
	for _, m := range params {
		b.WriteString(regexp.QuoteMeta(from[last:m[0]]))
		last = m[1]
		switch {
		case m[2] >= 0:
			b.WriteString("(?:/(?P<" + from[m[2]:m[3]] + ">.*))?")
		case m[4] >= 0:
			inner := "[^/]+"
			if m[6] >= 0 {
				inner = from[m[6]:m[7]]
			}
			b.WriteString("(?P<" + from[m[4]:m[5]] + ">" + inner + ")")
		case from[m[0]] == '*' && unnamed == 0:
			b.WriteString("(?P<splat>.*)")
			unnamed++
		default:
			b.WriteString("(.*)")
			unnamed++
		}
	}
	b.WriteString(regexp.QuoteMeta(from[last:]))
	re, err := regexp.Compile("^" + b.String() + "/?$")
	if err != nil {
		return
	}
	to = targetParam.ReplaceAllString(to, "$${$1$2}")
	h.rules = append(h.rules, redirect{re, head, to, file})
}

// targetParam matches a parameter in a target: ":name", ":name*", "$1".
var targetParam = lazy.New(`:([a-zA-Z_]\w*)\*?|\$(\d+)`)

// target returns where r redirects a URL that it is for, without query and fragment.
func (r *redirect) target(u string) string {
	to := r.to
	if strings.HasPrefix(to, "/") {
		to = string(r.from.ExpandString(nil, to, u, r.from.FindStringSubmatchIndex(u)))
	}
	if i := strings.IndexAny(to, "?#"); i >= 0 {
		to = to[:i]
	}
	return to
}

// Redirected returns where the rules of the host redirect a URL below the base.
func (s *Site) Redirected(u string) (res Result, ok bool) {
	for range maxHops {
		k := s.hosted.ruleFor(u)
		if k < 0 {
			return Result{}, false
		}
		r := s.hosted.rules[k]
		to, isIn := s.CutBase(r.target(u))
		if !strings.HasPrefix(r.to, "/") || r.to == anywhere || !isIn {
			return Result{State: Unknown, Why: redirectedAway.With(r.file)}, true
		}
		to = CleanURL(to)
		if res, ok := s.Lookup(to, false); ok {
			return res, true
		}
		if path.Clean(to) == path.Clean(u) {
			return Result{}, false
		}
		if (resolver{s}).isIgnored(to) {
			return Result{State: Unknown, Why: reason.GitIgnoredPage}, true
		}
		u = to
	}
	return Result{}, false
}

// Reasons.
var (
	redirectedAway = reason.New("redirected-away", "is redirected to another site by %s")
)
