package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

// A Redirect is an entry of a configuration, of front matter or of a file for the host that lets one URL lead to another. The
// site keeps it also if it leads nowhere.
type Redirect struct {
	File             string // absolute path of the file that has it
	In               string // where: "redirect_maps", "vercel.json", "aliases"
	From, To         string // as written, with escapes undone; To is "" for an alias, which leads to its page
	FromSpan, ToSpan scan.Span

	URL   string // path at which it applies, with the base of the site; "" for a pattern, or if it is unknown
	Goal  string // path that it leads to, with the base and the fragment; "" if Why is set
	Alias *Page  // the page that has it in its front matter; nil for others

	// Why says why it is not judged where it leads.
	Why reason.Reason
	// IsByHost says that a host follows it, which never sees fragments.
	IsByHost bool
	// IsForSome says that it does not apply to each request for URL.
	IsForSome bool
	// IsPrefix says that it also applies to all URLs below URL.
	IsPrefix bool

	target func(s *Site) Result // where To leads if it names a source; nil for a URL
}

// Redirects returns the redirects of the site as they are written: those of its configuration, of the front matter of its
// pages, and of the files of its host.
func (s *Site) Redirects() []Redirect {
	s.Load()
	all := slices.Clone(s.redirects)
	for _, r := range s.hosted.written {
		all = append(all, s.hostRedirect(&r))
	}
	return all
}

// AddRedirect adds a redirect from one URL below the base to another, as Move does, and keeps where it is written: a key and
// its value, or two values, in a file. Where to leads is decided by target, if it is not nil.
func (s *Site) AddRedirect(r Redirect, from, to string, target func(s *Site) Result) {
	s.Move(from, to)
	if len(s.redirects) == maxMoves {
		return
	}
	base := strings.TrimSuffix(s.Base, "/")
	r.URL, r.target = base+from, target
	r.Goal, r.Why = s.goalOf(to, r.URL)
	if _, has := s.CutBase(r.Goal); r.Why.IsZero() && strings.HasPrefix(to, "/") && (target != nil || !has) {
		r.Goal = base + r.Goal
	}
	if !isAt(s.Tree, &r) {
		r.Goal, r.Why = "", computedRedirect
	}
	s.redirects = append(s.redirects, r)
}

// Entry returns the redirect that a value of a configuration has.
func Entry(file, in string, from, to literal.Value) Redirect {
	return Redirect{File: file, In: in, From: from.Text, FromSpan: from.Span, To: to.Text, ToSpan: to.Span}
}

// Key returns the key of an entry as a value.
func Key(e literal.Entry) literal.Value {
	return literal.Value{Kind: literal.String, Text: e.Key, Span: e.At}
}

// isAt reports whether a redirect is written where it says. Values may come from other files, or be computed.
func isAt(t *source.Tree, r *Redirect) bool {
	text := t.Config(r.File)
	return r.ToSpan != (scan.Span{}) && r.ToSpan.End <= len(text) && r.ToSpan.Start < r.ToSpan.End &&
		(string(text[r.ToSpan.Start:r.ToSpan.End]) == r.To || strings.IndexByte(string(text[r.ToSpan.Start:r.ToSpan.End]), '\\') >= 0)
}

// addAliases adds the URLs below the base that lead to a page by its front matter.
func (s loader) addAliases(p *Page) {
	base := strings.TrimSuffix(s.Base, "/")
	if !p.Why.IsZero() || p.IsPart {
		return
	}
	if len(p.Moved) == 0 {
		return
	}
	written := map[string]literal.Value{}
	p.Front.Walk(func(v literal.Value) bool {
		if v.Kind == literal.String {
			written[redirectKey(v.Text)] = v
		}
		return true
	})
	for _, u := range p.Moved {
		if len(s.redirects) < maxMoves {
			r := Redirect{File: p.File, In: "front matter", From: u, URL: base + u, Alias: p}
			if v, ok := written[redirectKey(u)]; ok {
				r.From, r.FromSpan = v.Text, v.Span
			}
			s.redirects = append(s.redirects, r)
		}
	}
}

// hostRedirect returns a redirect of a file for the host.
func (s *Site) hostRedirect(h *source.HostRule) Redirect {
	r := Redirect{
		File: h.Path, In: h.File, From: h.From, To: h.To, FromSpan: h.FromSpan, ToSpan: h.ToSpan,
		IsByHost: true, IsForSome: h.IsForSome || h.HasQuery, IsPrefix: h.IsPrefix,
	}
	from := h.From
	if s.Origin != "" {
		from = strings.TrimPrefix(from, s.Origin)
	}
	if !h.IsRegexp && !isURLPattern(from) && strings.HasPrefix(from, "/") {
		r.URL = CleanURL(from)
		if strings.Contains(from, "#") {
			r.URL = from
		}
	}
	switch r.Goal, r.Why = s.goalOf(h.To, r.URL); {
	case h.IsForSome:
		r.Why = conditionalRedirect
	case !r.Why.IsZero():
	case !strings.HasPrefix(h.To, "/") && !strings.Contains(h.To, "://"):
		r.Why = relativeRedirect
	}
	return r
}

// isURLPattern reports whether a path has placeholders.
func isURLPattern(p string) bool { return strings.ContainsAny(p, ":*(){}[]^$|\\") }

// goalOf returns the path that the target of a redirect leads to from a URL.
func (s *Site) goalOf(to, from string) (goal string, why reason.Reason) {
	if s.Origin != "" && strings.HasPrefix(to+"/", s.Origin+"/") {
		to = "/" + strings.TrimPrefix(strings.TrimPrefix(to, s.Origin), "/")
	}
	p, rest := to, ""
	if i := strings.IndexAny(to, "?#"); i >= 0 {
		p, rest = to[:i], to[i:]
	}
	if _, fragment, ok := strings.Cut(rest, "#"); ok {
		rest = "#" + fragment
	} else {
		rest = ""
	}
	switch {
	case to == "":
		return "", computedRedirect
	case isElsewhere(to):
		return "", redirectElsewhere
	case isURLPattern(p):
		return "", redirectPattern
	case p == "" && from != "":
		p = from
	case !strings.HasPrefix(p, "/") && from == "":
		return "", relativeRedirect
	case !strings.HasPrefix(p, "/"):
		p = from[:strings.LastIndexByte(from, '/')+1] + p
	}
	return CleanURL(p) + rest, reason.Reason{}
}

// A Trail is where a redirect leads, through others.
type Trail struct {
	Hops  []*Redirect // the others that follow, in this order
	Goal  string      // where the last one leads, as it says
	Loops bool        // it comes back to a URL where it was before
	Result
}

// A Redirector follows the redirects of a site.
type Redirector struct {
	*Site
	all   []Redirect
	first map[string]int   // by redirectKey, those that apply to each request
	pages map[string]*Page // by their URLs below the base; an alias of another page may have taken the URL in ByURL
}

// NewRedirector returns what follows the redirects of a site.
func (s *Site) NewRedirector() *Redirector {
	f := &Redirector{Site: s, all: s.Redirects(), first: map[string]int{}, pages: map[string]*Page{}}
	if len(f.all) > 0 {
		f.addPages()
	}
	for i := range f.all {
		r := &f.all[i]
		if r.URL == "" || r.IsForSome {
			continue
		}
		key := redirectKey(r.URL)
		if _, again := f.first[key]; !again {
			f.first[key] = i
		}
	}
	return f
}

// addPages fills in f.pages.
func (f *Redirector) addPages() {
	for _, p := range f.ByFile {
		if !p.Why.IsZero() || p.IsPart {
			continue
		}
		for _, u := range p.Routes {
			if old := f.pages[u]; old == nil || p.File < old.File {
				f.pages[u] = p
			}
		}
	}
}

// All returns the redirects.
func (f *Redirector) All() []Redirect { return f.all }

// redirectKey returns what URLs have in common that differ in a slash at the end.
func redirectKey(u string) string { return "/" + strings.Trim(u, "/") }

// maxTrail is the number of redirects that are followed.
const maxTrail = 32

// Follow returns where a redirect leads, through others. It must have a Goal.
func (f *Redirector) Follow(r *Redirect) (t Trail) {
	seen := map[string]bool{}
	if r.URL != "" {
		seen[redirectKey(r.URL)] = true
	}
	for at := r; ; {
		t.Goal = at.Goal
		goal, _, _ := strings.Cut(at.Goal, "#")
		key := redirectKey(goal)
		if seen[key] && at != r || goal == r.URL {
			t.Loops = true
			return t
		}
		seen[key] = true
		t.Result = f.arrive(at, goal)
		if t.State == Found && !f.isRedirect(&t.Result, goal) {
			return t
		}
		i, ok := f.first[key]
		if !ok || &f.all[i] == at || len(t.Hops) == maxTrail {
			return t
		}
		at = &f.all[i]
		t.Hops = append(t.Hops, at)
		if !at.Why.IsZero() || at.Alias != nil {
			t.Goal = at.To
			t.Result = Result{State: Unknown, Why: at.Why}
			if at.Alias != nil {
				t.Goal = f.Site.Route(at.Alias)
				t.Result = Result{State: Found, File: at.Alias.File, Page: at.Alias}
			}
			return t
		}
	}
}

// isRedirect reports whether what was found at a URL is another redirect.
func (f *Redirector) isRedirect(res *Result, goal string) bool {
	u, isIn := f.CutBase(goal)
	if !isIn || res.Page == nil {
		return false
	}
	_, isMoved := f.first[redirectKey(goal)]
	if !isMoved {
		return false
	}
	return res.Page.File == "" || res.Page.IsMoved(u)
}

// arrive returns what is at the goal of a redirect.
func (f *Redirector) arrive(r *Redirect, goal string) Result {
	if r.target != nil {
		return r.target(f.Site)
	}
	m := slices.IndexFunc(f.Mounts, func(m *Mount) bool { return m.Kind == Pages })
	if m < 0 {
		return Result{State: Unknown, Why: reason.NoPages}
	}
	p := &Page{File: f.Config, Mount: f.Mounts[m], Routes: []string{"/"}}
	k := &Reference{Raw: goal, Path: ascii.UnescapeAll(goal), Form: HTML, In: "redirect", Use: Use{Page: p, File: f.Config}}
	if !r.IsByHost {
		k.Form = Component
	}
	c := URLCandidate(k.Path)
	res := f.Try(c, k)
	res.Tried = []Candidate{c}
	if res.State == Missing {
		res = f.asLink(k, res)
	}
	if res.State == Missing && f.Base != "/" && !r.IsByHost && res.Other != "" {
		res = Result{State: Unknown, Why: redirectBase, Tried: res.Tried}
	}
	if res.State == Missing && r.IsPrefix && f.Below(strings.TrimSuffix(goal, "/")+"/") > 0 {
		res = Result{State: Unknown, Why: redirectPrefix, Tried: res.Tried}
	}
	if res.State == Missing && strings.HasPrefix(path.Base(goal), ".") {
		res = Result{State: Unknown, Why: reason.MadeByHost, Tried: res.Tried}
	}
	return res
}

// asLink returns what is at a URL for a link of the site, if that is more than nothing: the generator may have further rules.
func (f *Redirector) asLink(k *Reference, missing Result) Result {
	below, isIn := f.CutBase(k.Raw)
	for i, u := range []string{k.Raw, below} {
		if i == 1 && (!isIn || below == k.Raw) {
			continue
		}
		if res := f.Resolve(k.Use, k.Form, k.In, u); res.State != Missing {
			return res
		}
	}
	return missing
}

// IsDirectory reports whether there are pages below the URL of a redirect.
func (f *Redirector) IsDirectory(r *Redirect) bool {
	return f.Below(strings.TrimSuffix(r.URL, "/")+"/") > 0
}

// Shadow returns the page or file that is published at the URL of a redirect, and is not what the redirect leads to.
func (f *Redirector) Shadow(r *Redirect) (file string) {
	u, isIn := f.CutBase(r.URL)
	if r.URL == "" || !isIn || r.IsForSome || strings.Contains(r.URL, "#") {
		return ""
	}
	for _, at := range []string{u, strings.TrimSuffix(u, "/") + "/", strings.TrimSuffix(u, "/")} {
		p := f.pages[at]
		if p == nil || p == r.Alias {
			continue
		}
		if at != u && (r.Alias != nil || f.Slash == SlashNever) {
			continue
		}
		return p.File
	}
	return ""
}

// Earlier returns the redirect of the same file, or kind, that has the URL of a redirect before it, or nil.
func (f *Redirector) Earlier(r *Redirect) *Redirect {
	if r.URL == "" || r.IsForSome {
		return nil
	}
	i, ok := f.first[redirectKey(r.URL)]
	if !ok {
		return nil
	}
	first := &f.all[i]
	isSame := first.File == r.File && first.FromSpan == r.FromSpan && first.From == r.From
	isKind := first.File == r.File && r.Alias == nil || first.Alias != nil && r.Alias != nil && first.Alias != r.Alias
	if isSame || !isKind || first.URL != r.URL {
		return nil
	}
	return first
}

// OnlyNamed returns the only URL of a page whose last name is name, "" if there is none or several. It takes no URL for which
// there is a redirect.
func (f *Redirector) OnlyNamed(name string) string {
	found := ""
	for _, u := range f.byEnd.Get(f.urlsByEnd)[name] {
		p := f.ByURL[u]
		if p == nil || p.File == "" || len(p.Routes) == 0 || p.Routes[0] != u {
			continue
		}
		if found != "" {
			return ""
		}
		found = u
	}
	if _, isMoved := f.first[redirectKey(found)]; isMoved {
		return ""
	}
	return found
}

// Reasons.
var (
	computedRedirect    = reason.New("computed-redirect", "the configuration computes where the redirect leads")
	redirectElsewhere   = reason.New("redirect-elsewhere", "a redirect to another host")
	redirectPattern     = reason.New("redirect-pattern", "a redirect to a pattern")
	relativeRedirect    = reason.New("relative-redirect", "a redirect that is relative to each URL that it applies to")
	conditionalRedirect = reason.New("conditional-redirect", "a redirect for some visitors")
	redirectBase        = reason.New("redirect-base", "a redirect to a URL that may be meant below the base of the site")
	redirectPrefix      = reason.New("redirect-prefix", "a redirect of all that is below a URL, to a directory of pages")
)

// A move is a redirect in a configuration, for which the generator makes a page.
type move struct {
	from string // URL below the base
	to   string // URL below the base, possibly relative to from; or an absolute URL
}

// maxMoves is the number of redirects of one site.
const maxMoves = 100_000

// Move adds a redirect. If from has a fragment, the generated page has that id.
func (s *Site) Move(from, to string) {
	if len(s.moves) < maxMoves && from != "" {
		s.moves = append(s.moves, move{from, to})
	}
}

// addMoves adds the redirects to the index: those to pages of the site as earlier URLs of these
// pages, others as routes.
func (s loader) addMoves() {
	byFrom := make(map[string]string, len(s.moves))
	for _, m := range s.moves {
		if _, again := byFrom[m.from]; !again {
			byFrom[m.from] = m.to
		}
	}
	moved := movedURLs{}
	for _, m := range s.moves {
		from, fragment, hash := strings.Cut(m.from, "#")
		if p := s.ByURL[from]; hash {
			if p != nil {
				p.IDs = append(p.IDs, fragment)
			}
			continue
		}
		if s.ByURL[from] != nil {
			continue // a page or an earlier redirect has this URL
		}
		p := s.movedTo(from, byFrom, moved)
		if p == nil || p.File == "" || len(p.Routes) == 0 {
			s.AddRoute(from)
			continue
		}
		moved.of(p)[from] = true
		p.Moved, p.Also = append(p.Moved, from), append(p.Also, from)
		s.ByURL[from] = p
		s.AddSegment(from)
	}
}

// movedURLs are the earlier URLs of pages while there are still more.
type movedURLs map[*Page]map[string]bool

// of returns those of a page.
func (m movedURLs) of(p *Page) map[string]bool {
	if m[p] == nil {
		m[p] = map[string]bool{}
		for _, u := range p.Moved {
			m[p][u] = true
		}
	}
	return m[p]
}

// movedTo returns the page that a URL redirects to, directly or through others. It returns nil if the
// target is not a page of the site.
func (s loader) movedTo(from string, byFrom map[string]string, moved movedURLs) *Page {
	for range maxHops {
		to, ok := byFrom[from]
		if !ok {
			return nil
		}
		if i := strings.IndexAny(to, "?#"); i >= 0 {
			to = to[:i]
		}
		if s.Origin != "" {
			to = strings.TrimPrefix(to, s.Origin)
		}
		switch {
		case to == "" || strings.Contains(to, "://"):
			return nil
		case !strings.HasPrefix(to, "/"):
			to = CleanURL(path.Dir(from) + "/" + to)
		}
		places := []string{CleanURL(to)}
		if below, isIn := s.CutBase(to); isIn && s.Base != "/" {
			places = append(places, below)
		}
		for _, u := range places {
			if res, ok := s.Lookup(u, false); ok && res.Page != nil && !moved.of(res.Page)[u] {
				return res.Page
			}
		}
		from = places[len(places)-1]
	}
	return nil
}
