package site

import (
	"bufio"
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
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
func (s *Site) findRedirects() {
	dirs := []string{s.Dir}
	if root := s.tree.root; root != s.Dir {
		dirs = append(dirs, root)
	}
	for _, m := range s.Mounts {
		if (m.Kind == Static || m.Kind == Pages) && m.URL == "/" && !slices.Contains(dirs, m.Dir) {
			dirs = append(dirs, m.Dir)
		}
	}
	for _, dir := range dirs {
		s.redirectsOfVercel(dir)
		s.redirectsOfNetlify(dir)
	}
}

// RedirectOf returns the base name of the file with a rule of the host for a URL path, or "". dirs are the directories, in
// a tree without a known generator, that may hold rules.
func (f *Finder) RedirectOf(u, root string, dirs []string) string {
	key := strings.Join(dirs, "\x00")
	s := f.hosts.Get(key, func(string) *Site {
		f.mu.Lock()
		s := &Site{Base: "/", tree: f.treeOf(strings.TrimSuffix(root, "/"))}
		f.mu.Unlock()
		for _, dir := range dirs {
			s.redirectsOfVercel(dir)
			s.redirectsOfNetlify(dir)
		}
		return s
	})
	if k := s.redirectFor(u); k >= 0 {
		return s.hosted[k].file
	}
	return ""
}

// redirectFor returns the index of the first rule for a URL, or -1.
func (s *Site) redirectFor(u string) int {
	return slices.IndexFunc(s.hosted, func(r redirect) bool { return strings.HasPrefix(u, r.head) && r.from.MatchString(u) })
}

func (s *Site) redirectsOfVercel(dir string) {
	if !s.tree.isFile(dir + "/vercel.json") {
		return
	}
	conf := s.tree.read(dir + "/vercel.json")
	for _, r := range append(conf.get("redirects").list(), conf.get("rewrites").list()...) {
		if !r.get("has").isGiven() && !r.get("missing").isGiven() {
			s.addRedirect("vercel.json", r.get("source").text(""), r.get("destination").text(""))
		}
	}
}

func (s *Site) redirectsOfNetlify(dir string) {
	if s.tree.isFile(dir + "/netlify.toml") {
		for _, r := range s.tree.read(dir + "/netlify.toml").get("redirects").list() {
			switch {
			case r.get("status").text("") == "404":
			case r.get("conditions").isGiven():
				s.addRedirect("netlify.toml for some visitors", r.get("from").text(""), anywhere)
			default:
				s.addRedirect("netlify.toml", r.get("from").text(""), r.get("to").text(""))
			}
		}
	}
	if s.tree.isFile(dir + "/_redirects") {
		s.redirectLines(s.tree.config(dir + "/_redirects"))
	}
}

// redirectLines reads rules of the form "from to status", one per line.
func (s *Site) redirectLines(text []byte) {
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
			s.addRedirect("_redirects for some visitors", words[0], anywhere)
		default:
			s.addRedirect("_redirects", words[0], to)
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

// addRedirect adds a rule if it applies to a part of the site.
func (s *Site) addRedirect(file, from, to string) {
	if s.Origin != "" {
		from = strings.TrimPrefix(from, s.Origin)
	}
	from = strings.TrimSuffix(from, "/")
	if len(s.hosted) >= maxRedirects || !strings.HasPrefix(from, "/") || hostParam.FindString(from) == strings.TrimPrefix(from, "/") || to == "" {
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
	s.hosted = append(s.hosted, redirect{re, head, to, file})
}

// targetParam matches a parameter in a target: ":name", ":name*", "$1".
var targetParam = lazy.New(`:([a-zA-Z_]\w*)\*?|\$(\d+)`)

// redirected returns where the rules of the host redirect a URL below the base.
func (s *Site) redirected(u string) (res Result, ok bool) {
	for range maxHops {
		k := s.redirectFor(u)
		if k < 0 {
			return Result{}, false
		}
		r := s.hosted[k]
		to := r.to
		if strings.HasPrefix(to, "/") {
			to = string(r.from.ExpandString(nil, to, u, r.from.FindStringSubmatchIndex(u)))
		}
		if i := strings.IndexAny(to, "?#"); i >= 0 {
			to = to[:i]
		}
		to, isIn := s.cutBase(to)
		if !strings.HasPrefix(r.to, "/") || r.to == anywhere || !isIn {
			return Result{State: Unknown, Why: "is redirected to another site by " + r.file}, true
		}
		to = cleanURL(to)
		if res, ok := s.lookup(to, false); ok {
			return res, true
		}
		if path.Clean(to) == path.Clean(u) {
			return Result{}, false
		}
		if s.isIgnored(to) {
			return Result{State: Unknown, Why: madeByBuild}, true
		}
		u = to
	}
	return Result{}, false
}
