package site

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

// A redirect is a redirect rule for the host in a file of the repository: vercel.json, netlify.toml
// or _redirects.
type redirect struct {
	from *regexp.Regexp
	head string // prefix of from
	to   string // with ${name} for the parameters of from; "" if the host shows an error, or one page for everything
	file string // base name of the file with the rule
	rank int    // of the rule among those of the file

	entry int // among the redirects of the site as written, or those of the host; -1 for a rule that is no redirect

	isForAll    bool   // it is for each URL
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

// HostDirs returns the directories in which the host of a site finds its files. Those that are published as
// they are come first.
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

// RedirectOf returns the base name of the file with a rule of the host for a URL path, or "". dirs are the
// directories, in a tree without a known generator, that may hold rules.
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
	if r := h.ruleFor(u); r != nil {
		return r.file
	}
	return ""
}

// hostRules are the rules of the host of a site.
type hostRules struct {
	origin  string            // of the site, which may precede paths
	written []source.HostRule // those that are redirects
	files   []*ruleFile       // in the order in which they are asked
	n       int               // rules that URLs are compared with
}

// A ruleFile is a file with rules.
type ruleFile struct {
	path  string
	rules []source.HostRule
	forms ruleForms
	order lazy.Value[*order]

	all  ruleIndex // for each visitor
	some ruleIndex // under conditions
}

// orderOf returns the order of the rules of a file, by its path; nil if there is none.
func (h *hostRules) orderOf(file string) *order {
	i := slices.IndexFunc(h.files, func(f *ruleFile) bool { return f.path == file })
	if i < 0 {
		return nil
	}
	f := h.files[i]
	return f.order.Get(func() *order { return newOrder(f.rules, f.forms) })
}

// A ruleIndex finds the first of many rules for a URL.
type ruleIndex struct {
	rules  []redirect
	byName map[string][]int32 // rules by a name that must be in the path of a URL
	others []int32            // rules that need none
}

// put adds a rule, given names that must be in the path of each URL that it matches. It is indexed by the
// name that the fewest other rules have.
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
		if name != "" && depth == 0 && !strings.ContainsAny(name, ":*()?[]{}@!") {
			names = append(names, name)
		}
		depth += strings.Count(name, "(") + strings.Count(name, "{") - strings.Count(name, ")") - strings.Count(name, "}")
	}
	return names
}

// namesOfRegexp returns names that are in the path of each URL that a regular expression matches: those
// that stand between slashes, or between a slash and an end of it, and are outside of groups.
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

// headOfRegexp returns what each URL begins with that a regular expression matches, as far as that is certain.
func headOfRegexp(re string) string {
	rest, isAtStart := strings.CutPrefix(re, "^")
	end := strings.IndexAny(rest, `.*+?()[]{}|\^$`)
	if !isAtStart || end < 1 || strings.Contains(rest, "|") {
		return ""
	}
	if strings.IndexByte("*?{", rest[end]) >= 0 {
		end--
	}
	return rest[:end]
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
		for len(rules) > 0 {
			n := 1
			for n < len(rules) && rules[n].Path == rules[0].Path {
				n++
			}
			h.addFile(rules[:n], ruleFormsOf(t, rules[0].Path))
			rules = rules[n:]
		}
	}
}

// RedirectLines reads rules of the host from a file, of the form "from to status", one per line.
func (s *Site) RedirectLines(file string, text []byte) {
	s.hosted.origin = s.Origin
	s.hosted.addFile(source.RedirectLines(file, text), ruleForms{})
}

// ruleFor returns the first rule for a URL, or nil. A rule for every visitor precedes those with
// conditions, unless it is for everything. A rule is ignored if an earlier one in its file makes the host
// show a page for errors, or one for everything.
func (h *hostRules) ruleFor(u string) *redirect {
	for _, f := range h.files {
		var r *redirect
		if k := f.all.first(u); k >= 0 {
			r = &f.all.rules[k]
		}
		if r == nil || r.isForAll {
			if k := f.some.first(u); k >= 0 && (r == nil || f.some.rules[k].rank < r.rank) {
				return &f.some.rules[k]
			}
		}
		if r != nil && r.to != "" {
			return r
		}
	}
	return nil
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

// addFile adds the rules of a file. It keeps redirects as they are written, too.
func (h *hostRules) addFile(rules []source.HostRule, forms ruleForms) {
	if len(rules) == 0 {
		return
	}
	f := &ruleFile{path: rules[0].Path, rules: rules, forms: forms}
	h.files = append(h.files, f)
	patterns := 0
	for _, r := range rules {
		entry := -1
		if !r.IsRewrite && !r.IsError && len(h.written) < maxMoves {
			entry = len(h.written)
			h.written = append(h.written, r)
		}
		if forms.isCloudflare && strings.ContainsAny(r.From, "*:") {
			patterns++
		}
		if patterns <= maxOfCloudflare && h.n < maxRedirects && !forms.ignores(&r) {
			h.addRule(f, r, entry)
		}
	}
}

// maxOfCloudflare is the number of rules with placeholders that Cloudflare reads: it drops those that follow.
const maxOfCloudflare = 100

// addRule adds a rule to those that URLs are compared with. What is not known is one for some visitors. entry is
// the place of the rule in h.written.
func (h *hostRules) addRule(f *ruleFile, r source.HostRule, entry int) {
	if h.origin != "" {
		r.From = strings.TrimPrefix(r.From, h.origin)
		if to, isOwn := strings.CutPrefix(r.To, h.origin+"/"); isOwn {
			r.To = "/" + to
		}
	}
	if i := strings.IndexAny(r.From, "?#"); i >= 0 && f.forms.isCloudflare {
		r.From = r.From[:i]
	}
	isForSome := r.IsForSome || r.HasQuery
	if strings.Contains(r.From, "{{") || r.IsForHost || isForSome && r.IsError {
		return
	}
	if isForSome && r.IsRegexp { // its pattern sees a path without the first slash; one that begins with a group says too little
		rest, isAtStart := strings.CutPrefix(r.From, "^")
		if rest == "" || strings.IndexByte("$(.!", rest[0]) >= 0 {
			return
		}
		if isAtStart {
			r.From = "^/?" + rest
		}
	}
	if r.IgnoresCase {
		r.From = "(?i)" + r.From
	}
	p, ok := newRulePattern(&r, f.forms.forLinks(r.File))
	re, err := regexp.Compile(p.expr)
	if !ok || err != nil { // an expression that Go does not have: all that begins as it does
		if f.forms.isCloudflare || strings.Count(p.head, "/") == 0 || p.head == "/" {
			return
		}
		re, isForSome, p.names = regexp.MustCompile("^"+lazy.Quote(p.head)), true, nil
	}
	made := redirect{from: re, head: p.head, to: p.to, file: r.File, rank: h.n, entry: entry}
	made.isForAll = re.MatchString("/" + anyName) // that says nothing about a page, unless it points to one for each
	switch {
	case isForSome && made.isForAll:
		return
	case isForSome:
		made.to = anywhere
		f.some.put(made, p.names)
	case r.IsError || made.isForAll && (!made.isPath() || !strings.Contains(made.to, "${")):
		made.to = ""
		f.all.put(made, p.names)
	default:
		if strings.Contains(r.To, "{{") {
			made.to = templated
		}
		f.all.put(made, p.names)
	}
	h.n++
}

// anywhere stands for the target of a redirect that does not apply to everyone.
const anywhere = "//"

// templated stands for the target of a redirect that a template computes.
const templated = "//{{"

// targetParam matches a parameter in a target: ":name", ":name*", "$1".
var targetParam = lazy.New(`:([a-zA-Z_]\w*)[*+]?|\$(\d+)`)

// groupParam matches a group of an expression of Firebase in a target.
var groupParam = lazy.New(`:(\d+)`)

// target returns where r redirects a URL that it is for, without query, fragment and escapes.
func (r *redirect) target(u string) string {
	to := r.to
	if r.isInBrowser && r.isPath() {
		m := r.from.FindStringSubmatchIndex(u)
		to = u[:m[0]] + string(r.from.ExpandString(nil, to, u, m)) + u[m[1]:]
	} else {
		to = string(r.from.ExpandString(nil, to, u, r.from.FindStringSubmatchIndex(u)))
	}
	if i := strings.IndexAny(to, "?#"); i >= 0 {
		to = to[:i]
	}
	return ascii.UnescapeAll(to)
}

// isPath reports whether a rule points to a path of the same host.
func (r *redirect) isPath() bool {
	if r.to == anywhere || r.to == templated {
		return false
	}
	return strings.HasPrefix(r.to, "/") || r.isInBrowser && !isElsewhere(r.to)
}

// AddReplacement adds the rule of the redirect that was added last, which a script of the site follows in the browser: what an expression
// matches first in a URL below the base is replaced, and the rest is kept. Where that leads has the base. to may have "${name}"; "" means
// that it is not known.
func AddReplacement(s *Site, from *regexp.Regexp, to string) {
	if len(s.replacements.rules) == maxRedirects {
		return
	}
	r := redirect{from: from, to: to, file: path.Base(s.Config), isInBrowser: true, entry: len(s.redirects) - 1}
	r.literal, _ = from.LiteralPrefix()
	if to == "" {
		r.to = templated
	}
	s.replacements.put(r, namesOfRegexp(from.String()))
}

// ruleAt returns the first rule for a URL with the base, and the path that it is compared with; nil if there is none. Rules of the host
// are for paths with the base. If none is for that, those count that are written for the site alone, as for a host that adds the base.
func ruleAt(s *Site, u string) (r *redirect, at string) {
	r = s.hosted.ruleFor(u)
	below, isIn := s.CutBase(u)
	if r != nil || !isIn {
		return r, u
	}
	if s.Base != "/" {
		r = s.hosted.ruleFor(below)
	}
	if k := s.replacements.first(below); r == nil && k >= 0 {
		r = &s.replacements.rules[k]
	}
	return r, below
}

// step returns the first rule for a URL with the base, and where it leads: also a URL with the base, or "" for one of another site, and
// if that is not known.
func step(s *Site, u string) (r *redirect, to string) {
	r, at := ruleAt(s, u)
	if r == nil || !r.isPath() {
		return r, ""
	}
	to = CleanURL(r.target(at))
	if _, isIn := s.CutBase(to); !isIn && at != u && !r.isInBrowser {
		to = strings.TrimSuffix(s.Base, "/") + to
	}
	return r, to
}

// Redirected returns where the rules of the host redirect a URL below the base.
func (s *Site) Redirected(u string) (res Result, ok bool) {
	res, last := followRules(s, u)
	return res, last == ""
}

// followRules follows the rules of the host from a URL below the base. If they end at an unknown target, it
// returns that in place of a result, also below the base: u itself, if no rule matches.
func followRules(s *Site, u string) (res Result, last string) {
	base := strings.TrimSuffix(s.Base, "/")
	for range maxHops {
		r, to := step(s, base+u)
		if r == nil {
			return Result{}, u
		}
		below, isIn := s.CutBase(to)
		switch {
		case r.to == templated:
			return Result{State: Unknown, Why: redirectedByTemplate.With(r.file)}, ""
		case r.to == anywhere:
			return Result{State: Unknown, Why: conditionalRedirect.With(r.file)}, ""
		case to == "" || !isIn:
			return Result{State: Unknown, Why: redirectedAway.With(r.file)}, ""
		}
		if res, ok := s.Lookup(below, false); ok {
			return res, ""
		}
		if r.isForAll || path.Clean(below) == path.Clean(u) { // one for everything says something only about a page
			return Result{}, u
		}
		if (resolver{s}).isIgnored(below) {
			return Result{State: Unknown, Why: reason.GitIgnoredPage}, ""
		}
		u = below
	}
	return Result{}, u
}

// Reasons.
var (
	redirectedByTemplate = reason.New(reason.Templated, "redirected-by-template", "is redirected by %s, to where a template says")
	redirectedAway       = reason.New(reason.OtherSite, "redirected-away", "is redirected to another site by %s")
)

// HostRules are the rules of the host of a built site: those of vercel.json, netlify.toml, _redirects and
// .htaccess.
type HostRules struct{ dirs []*hostRules }

// NewHostRules reads the rules in directories, each of which is read by itself. origin is that of the site, which may
// precede paths in rules.
func NewHostRules(files input.Tree, origin string, dirs []string) *HostRules {
	all := &HostRules{}
	for _, dir := range dirs {
		h := &hostRules{}
		h.read(source.NewTree(files, dir, 1), origin, []string{dir})
		if h.n > 0 {
			all.dirs = append(all.dirs, h)
		}
	}
	return all
}

// Redirect returns the target of the first rule for a URL path. to is a path, or "" if the target is
// another site, or the rule applies to some visitors only. file is the base name of the file with the rule.
// ok is false if there is none.
func (h *HostRules) Redirect(u string) (to, file string, ok bool) {
	for _, d := range h.dirs {
		r := d.ruleFor(u)
		if r == nil {
			continue
		}
		to = r.target(u)
		if !r.isPath() {
			to = ""
		}
		return to, r.file, true
	}
	return "", "", false
}
