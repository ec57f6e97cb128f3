package site

import (
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
	path string // of that file
	rank int    // of the rule among those of the file

	isInBrowser bool   // a script of the site follows it: see AddReplacement
	literal     string // that each URL has; for those that are followed in the browser
}

const (
	maxRedirects = 5000 // rules of one site
	maxHops      = 3    // redirects of one URL
)

// findRedirects reads the rules of hosts: in the directory of the site, at the top of the
// repository, and in directories that are published as they are.
func (s loader) findRedirects() {
	dirs := publicDirs(s.Site)
	s.hosted.read(s.Tree, s.Origin, dirs)
	s.HasBothSlashes = s.HasBothSlashes || slices.ContainsFunc(dirs, s.Tree.HasBothSlashes)
}

// publicDirs returns the directories in which the host of a site finds its rules.
func publicDirs(s *Site) []string {
	dirs := []string{s.Dir}
	if root := s.Tree.Root; root != s.Dir {
		dirs = append(dirs, root)
	}
	for _, m := range s.Mounts {
		if (m.Kind == Static || m.Kind == Pages) && m.URL == "/" && !slices.Contains(dirs, m.Dir) {
			dirs = append(dirs, m.Dir)
		}
	}
	return dirs
}

// HostDirs returns the directories in which the host of a site finds its files: first those that are published as they are.
func HostDirs(s *Site) (dirs []string) {
	for _, m := range s.Mounts {
		if m.Kind == Static && m.URL == "/" {
			dirs = append(dirs, m.Dir)
		}
	}
	for _, dir := range publicDirs(s) {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
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
	ruleIndex
	origin  string            // of the site, which may precede paths
	written []source.HostRule // those that are redirects
	files   map[string]*ruleFile
	orders  lazy.Map[string, *order] // by the paths of files
}

// A ruleFile is a file with rules.
type ruleFile struct {
	rules     []source.HostRule
	forms     ruleForms
	hasErrors bool // a rule has a status of errors
}

// orderOf returns the order of the rules of a file, by its path; nil if there is none.
func (h *hostRules) orderOf(file string) *order {
	f := h.files[file]
	if f == nil {
		return nil
	}
	return h.orders.Get(file, func(string) *order { return newOrder(f.rules, f.forms) })
}

// A ruleIndex finds the first of many rules for a URL.
type ruleIndex struct {
	rules  []redirect
	byName map[string][]int32 // rules by a name that must be in the path of a URL
	others []int32            // rules that need none
}

// put adds a rule, given names that must be in the path of each URL that it is for. It is looked up by that which the fewest others
// have.
func (h *ruleIndex) put(r redirect, names []string) {
	i, best := int32(len(h.rules)), ""
	h.rules = append(h.rules, r)
	for _, name := range names {
		if best == "" || len(h.byName[name]) < len(h.byName[best]) {
			best = name
		}
	}
	if best == "" {
		h.others = append(h.others, i)
		return
	}
	if h.byName == nil {
		h.byName = map[string][]int32{}
	}
	h.byName[best] = append(h.byName[best], i)
}

// namesIn returns the names in the path of a rule that are whole, without a placeholder or a pattern.
func namesIn(from string) (names []string) {
	depth := 0
	for name := range strings.SplitSeq(from, "/") {
		if name != "" && depth == 0 && !strings.ContainsAny(name, ":*()") {
			names = append(names, name)
		}
		depth += strings.Count(name, "(") - strings.Count(name, ")")
	}
	return names
}

// namesOfRegexp returns names that are in the path of each URL that a regular expression matches: those that stand between
// slashes, or between a slash and an end of it, and are outside of groups.
func namesOfRegexp(re string) (names []string) {
	if strings.ContainsAny(re, "[]") || strings.Contains(re, `\(`) || strings.Contains(re, `\)`) || flags.MatchString(re) {
		return nil
	}
	re, isRooted := strings.CutPrefix(re, "^/?")
	parts := strings.Split(re, "/")
	depth := 0
	for i, part := range parts {
		name, isEnd := strings.CutSuffix(part, "$")
		isBounded := isEnd
		if i < len(parts)-1 { // the slash behind it may be optional, but then nothing else must follow
			next := parts[i+1]
			isBounded = next == "" || next == "?$" || strings.IndexByte("?*{", next[0]) < 0
		}
		if depth == 0 && (i > 0 || isRooted) && isBounded && plainName.MatchString(name) {
			names = append(names, strings.ReplaceAll(name, `\.`, "."))
		}
		if strings.Contains(part, "|") && depth == 0 {
			return nil // either of two expressions
		}
		depth += strings.Count(part, "(") - strings.Count(part, ")")
	}
	return names
}

// flags matches flags of a regular expression, which may let it ignore case.
var flags = lazy.New(`\(\?[a-zA-OQ-Z]`)

// plainName matches a piece of a regular expression that stands for itself.
var plainName = lazy.New(`^(?:[\w-]|\\\.)+$`)

// read reads the rules in directories.
func (h *hostRules) read(t *source.Tree, origin string, dirs []string) {
	h.origin = origin
	for _, dir := range dirs {
		rules := t.HostRules(dir)
		h.addFiles(t, rules)
		h.addAll(rules)
	}
}

// addFiles adds the files of rules.
func (h *hostRules) addFiles(t *source.Tree, rules []source.HostRule) {
	for i := 0; i < len(rules); {
		n := i
		f := &ruleFile{forms: ruleFormsOf(t, rules[i].Path)}
		for ; n < len(rules) && rules[n].Path == rules[i].Path; n++ {
			f.hasErrors = f.hasErrors || rules[n].IsError
		}
		f.rules = rules[i:n]
		if h.files == nil {
			h.files = map[string]*ruleFile{}
		}
		h.files[rules[i].Path] = f
		i = n
	}
}

// RedirectLines reads rules of the host from a file, of the form "from to status", one per line.
func (s *Site) RedirectLines(file string, text []byte) {
	s.hosted.origin = s.Origin
	s.hosted.addAll(source.RedirectLines(file, text))
}

// ruleFor returns the index of the first rule for a URL, or -1. A rule counts for nothing if the host shows a page for errors because of an
// earlier one in its file.
func (h *hostRules) ruleFor(u string) int {
	k := h.first(u)
	if k < 0 {
		return -1
	}
	r := &h.rules[k]
	if f := h.files[r.path]; f != nil && f.hasErrors {
		o := h.orderOf(r.path)
		if i := o.first(u); i >= 0 && i < r.rank && o.rules[i].IsError {
			return -1
		}
	}
	return k
}

// first returns the index of the first rule for a URL, or -1.
func (h *ruleIndex) first(u string) int {
	best := -1
	try := func(list []int32) {
		for _, i := range list {
			if best >= 0 && int(i) > best {
				return
			}
			if r := &h.rules[i]; strings.HasPrefix(u, r.head) && strings.Contains(u, r.literal) && r.from.MatchString(u) {
				best = int(i)
				return
			}
		}
	}
	try(h.others)
	if len(h.byName) > 0 {
		for name := range strings.SplitSeq(u, "/") {
			try(h.byName[name])
		}
	}
	return best
}

// addAll adds rules. It keeps redirects as they are written, too.
func (h *hostRules) addAll(rules []source.HostRule) {
	rank := 0
	for i := range rules {
		r := &rules[i]
		if i > 0 && rules[i-1].Path == r.Path {
			rank++
		} else {
			rank = 0
		}
		if !r.IsRewrite && !r.IsError && len(h.written) < maxMoves {
			h.written = append(h.written, *r)
		}
		n := len(h.rules)
		h.addRule(r)
		for k := n; k < len(h.rules); k++ {
			h.rules[k].path, h.rules[k].rank = r.Path, rank
		}
	}
}

func (h *hostRules) addRule(r *source.HostRule) {
	isVercel := r.File == "vercel.json"
	switch {
	case r.IsRegexp && r.File == ".htaccess":
		h.addRegexp(r)
	case r.IsError, r.IsRegexp, r.IsForSome && isVercel, r.IsRewrite && r.File == "firebase.json":
	case strings.Contains(r.From, "{{"):
	case strings.Contains(r.To, "{{"):
		h.add(r.File, r.From, templated)
	case r.IsForSome:
		h.add(r.File+" for some visitors", r.From, anywhere)
	default:
		h.add(r.File, r.From, r.To)
	}
	if r.IsPrefix && !r.IsForSome && !r.IsError {
		h.add(r.File, strings.TrimSuffix(r.From, "/")+"/:rest*", strings.TrimSuffix(r.To, "/")+"/:rest")
	}
}

// addRegexp adds a rule of Apache whose From is a regular expression. Where one of mod_rewrite leads depends on conditions and
// other rules. Its pattern sees a path without the first slash; one that begins with a group says too little.
func (h *hostRules) addRegexp(r *source.HostRule) {
	from, to := r.From, targetParam.ReplaceAllString(r.To, "$${$1$2}")
	if r.IsError {
		return
	}
	if r.IsForSome {
		rest, isAtStart := strings.CutPrefix(from, "^")
		if !isAtStart || rest == "" || strings.IndexByte("$(.", rest[0]) >= 0 {
			return
		}
		from, to = "^/?"+rest, anywhere
	}
	re, err := regexp.Compile(from)
	if err == nil && !re.MatchString("/") && len(h.rules) < maxRedirects { // a rule for everything says nothing about a page
		h.put(redirect{from: re, to: to, file: r.File}, namesOfRegexp(from))
	}
}

// anywhere stands for the target of a redirect that does not apply to everyone.
const anywhere = "//"

// templated stands for the target of a redirect that a template computes.
const templated = "//{{"

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
			if m[6] < m[7] {
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
	h.put(redirect{from: re, head: head, to: to, file: file}, namesIn(from))
}

// targetParam matches a parameter in a target: ":name", ":name*", "$1".
var targetParam = lazy.New(`:([a-zA-Z_]\w*)\*?|\$(\d+)`)

// target returns where r redirects a URL that it is for, without query and fragment.
func (r *redirect) target(u string) string {
	to := r.to
	if r.isInBrowser && r.isPath() {
		m := r.from.FindStringSubmatchIndex(u)
		to = u[:m[0]] + string(r.from.ExpandString(nil, to, u, m)) + u[m[1]:]
	} else if strings.HasPrefix(to, "/") {
		to = string(r.from.ExpandString(nil, to, u, r.from.FindStringSubmatchIndex(u)))
	}
	if i := strings.IndexAny(to, "?#"); i >= 0 {
		to = to[:i]
	}
	return to
}

// isPath reports whether a rule leads to a path of the same host.
func (r *redirect) isPath() bool {
	if r.to == anywhere || r.to == templated {
		return false
	}
	return strings.HasPrefix(r.to, "/") || r.isInBrowser && !isElsewhere(r.to)
}

// AddReplacement adds a rule that a script of the site follows in the browser: what an expression matches first in a URL below the base is
// replaced, and the rest is kept. Where that leads has the base. to may have "${name}"; "" means that it is not known.
func AddReplacement(s *Site, from *regexp.Regexp, to string) {
	if len(s.replacements.rules) == maxRedirects {
		return
	}
	r := redirect{from: from, to: to, file: path.Base(s.Config), isInBrowser: true}
	r.literal, _ = from.LiteralPrefix()
	if to == "" {
		r.to = templated
	}
	s.replacements.put(r, namesOfRegexp(from.String()))
}

// ruleAt returns the first rule for a URL below the base, and the path that it is for; nil if there is none.
func ruleAt(s *Site, u string) (r *redirect, at string) {
	at = strings.TrimSuffix(s.Base, "/") + u
	k := s.hosted.ruleFor(at)
	if k < 0 && s.Base != "/" {
		at = u
		k = s.hosted.ruleFor(at)
	}
	if k >= 0 {
		return &s.hosted.rules[k], at
	}
	k = s.replacements.first(u)
	if k >= 0 {
		return &s.replacements.rules[k], u
	}
	return nil, u
}

// Redirected returns where the rules of the host redirect a URL below the base. They are for paths of the host, with the base. If none
// is for that, those count that are written for the site alone, as for a host that adds the base.
func (s *Site) Redirected(u string) (res Result, ok bool) {
	res, last := followRules(s, u)
	return res, last == ""
}

// followRules follows the rules of the host from a URL below the base. If they lead to nothing that is known, it returns where they end
// in place of a result, also below the base: u itself, if no rule is for it.
func followRules(s *Site, u string) (res Result, last string) {
	for range maxHops {
		r, at := ruleAt(s, u)
		if r == nil {
			return Result{}, u
		}
		if r.to == templated {
			return Result{State: Unknown, Why: redirectedByTemplate.With(r.file)}, ""
		}
		to, isIn := s.CutBase(r.target(at))
		if !isIn && at == u && !r.isInBrowser {
			to, isIn = r.target(at), true
		}
		if !r.isPath() || !isIn {
			return Result{State: Unknown, Why: redirectedAway.With(r.file)}, ""
		}
		to = CleanURL(to)
		if res, ok := s.Lookup(to, false); ok {
			return res, ""
		}
		if path.Clean(to) == path.Clean(u) {
			return Result{}, u
		}
		if (resolver{s}).isIgnored(to) {
			return Result{State: Unknown, Why: reason.GitIgnoredPage}, ""
		}
		u = to
	}
	return Result{}, u
}

// Reasons.
var (
	redirectedByTemplate = reason.New("redirected-by-template", "is redirected by %s, to where a template says")
	redirectedAway       = reason.New("redirected-away", "is redirected to another site by %s")
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
		if !r.isPath() {
			to = ""
		}
		return to, r.file, true
	}
	return "", "", false
}
