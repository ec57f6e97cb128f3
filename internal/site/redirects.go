package site

import (
	"path"
	"slices"
	"sort"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

// A Redirect is an entry of a configuration, of front matter or of a file for the host that redirects one
// URL to another. The site keeps it even if its target is missing.
type Redirect struct {
	File             string // absolute path of the file that has it
	In               string // where: "redirect_maps", "vercel.json", "aliases"
	From, To         string // as written, with escapes undone; To is "" for an alias, which redirects to its page
	FromSpan, ToSpan scan.Span

	URL   string // path at which it applies, with the base of the site; "" for a pattern, or if it is unknown
	Goal  string // path of the target, with the base and the fragment; "" if Why is set
	Alias *Page  // the page that has it in its front matter; nil for others
	At    *Page  // the page at URL whose front matter redirects to To; nil for others
	Below string // prefix of all paths of the target, up to a slash, if To has placeholders; "" for others

	// Why says why the target is not checked.
	Why reason.Reason
	// HasBase says that the path of the target has the base of the site; that of others may lack it.
	HasBase bool
	// IsByHost says that a host follows it, which never sees fragments.
	IsByHost bool
	// IsForSome says that it does not apply to each request for URL.
	IsForSome bool
	// IsPrefix says that it also applies to all URLs below URL.
	IsPrefix bool
	// IsPattern says that From is a pattern, and that it is not known for which URLs.
	IsPattern bool

	target func(s *Site) Result // where To leads if it names a source; nil for a URL
}

// Redirects returns the redirects of the site as they are written: those of its configuration, of the front
// matter of its pages, and of the files of its host.
func (s *Site) Redirects() []Redirect {
	s.Load()
	all := slices.Clone(s.redirects)
	for _, r := range s.hosted.written {
		all = append(all, s.hostRedirect(&r))
	}
	return all
}

// AddRedirect adds a redirect from one URL below the base to another, as Move does, and keeps where it is
// written: a key and its value, or two values, in a file. If target is not nil, it resolves to. from does
// not count if From is a pattern, or if the configuration computes it. If r says why its target is not
// checked, that stays.
func (s *Site) AddRedirect(r Redirect, from, to string, target func(s *Site) Result) {
	base := strings.TrimSuffix(s.Base, "/")
	if _, isIn := s.CutBase(to); r.HasBase && strings.HasPrefix(to, "/") && !isIn {
		r.Why, to = outsideBase, ""
	}
	if r.From != "" && !r.IsPattern {
		s.Move(from, to)
		r.URL = base + from
	}
	if len(s.redirects) == maxMoves {
		return
	}
	r.target = target
	switch {
	case !s.place(&r):
		r.Why = computedRedirect
	case r.Why.IsZero():
		r.Goal, r.Why = s.goalOf(to, r.URL)
		r.Below = s.goalsBelow(to, r.Why)
	}
	isBelow := func(p string) bool {
		_, has := s.CutBase(p)
		return strings.HasPrefix(to, "/") && p != "" && (target != nil || !has)
	}
	if isBelow(r.Goal) {
		r.Goal = base + r.Goal
	}
	if isBelow(r.Below) {
		r.Below = base + r.Below
	}
	s.redirects = append(s.redirects, r)
}

// AddSender adds a redirect of the page p, which stays where it is. v, a value of its front matter,
// redirects its visitors to to. That is a path with the base, a path relative to the URL of the page, or an
// absolute URL. why says why the target is not checked.
func AddSender(s *Site, p *Page, v literal.Value, to string, why reason.Reason, target func(s *Site) Result) {
	if !p.Why.IsZero() || p.IsPart || len(p.Routes) == 0 || len(s.redirects) == maxMoves {
		return
	}
	r := Redirect{File: p.File, In: "front matter", From: p.Routes[0], To: v.Text, ToSpan: v.Span, URL: s.Route(p), At: p, Why: why, target: target}
	if why.IsZero() {
		r.Goal, r.Why = s.goalOf(to, r.URL)
	}
	s.redirects = append(s.redirects, r)
}

// Entry returns the redirect that a value of a configuration has. From is "" if the configuration computes it.
func Entry(file, in string, from, to literal.Value) Redirect {
	if !from.IsKnown() {
		from = literal.Value{}
	}
	return Redirect{File: file, In: in, From: from.Text, FromSpan: from.Span, To: to.Text, ToSpan: to.Span}
}

// Key returns the key of an entry as a value.
func Key(e literal.Entry) literal.Value {
	return literal.Value{Kind: literal.String, Text: e.Key, Span: e.At}
}

// place sets the file of a redirect: the one that it names, or one that this imports. ok is false if it is computed.
func (s *Site) place(r *Redirect) (ok bool) {
	if isAt(s.Tree, r) {
		return true
	}
	named := r.File
	for _, file := range s.modules.Get(named, s.Tree.Modules)[1:] {
		r.File = file
		if isAt(s.Tree, r) {
			return true
		}
	}
	r.File = named
	return false
}

// isAt reports whether a redirect is written where it says.
func isAt(t *source.Tree, r *Redirect) bool {
	text := t.Config(r.File)
	return r.ToSpan != (scan.Span{}) && r.ToSpan.End <= len(text) && r.ToSpan.Start < r.ToSpan.End &&
		(string(text[r.ToSpan.Start:r.ToSpan.End]) == r.To || strings.IndexByte(string(text[r.ToSpan.Start:r.ToSpan.End]), '\\') >= 0)
}

// addAliases adds the URLs below the base that point to a page because it says so.
func (s loader) addAliases(p *Page) {
	base := strings.TrimSuffix(s.Base, "/")
	if !p.Why.IsZero() || p.IsPart {
		return
	}
	for _, u := range p.Moved {
		if len(s.redirects) < maxMoves {
			v := p.aliases[u]
			s.redirects = append(s.redirects, Redirect{File: p.File, In: "aliases", From: v.Text, FromSpan: v.Span, URL: base + u, Alias: p})
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
		r.Why = conditionalRedirect.With(h.File)
	case r.Why.Is(redirectPattern):
		r.Below = s.goalsBelow(h.To, r.Why)
	case !r.Why.IsZero():
	case r.URL == "" && targetParam.MatchString(r.Goal): // in the fragment
		r.Goal, _, _ = strings.Cut(r.Goal, "#")
	case !strings.HasPrefix(h.To, "/") && !strings.Contains(h.To, "://"):
		r.Why = relativeRedirect
	}
	return r
}

// isURLPattern reports whether a path has placeholders.
func isURLPattern(p string) bool { return strings.ContainsAny(p, patternLetters) }

// goalOf returns the path that the target of a redirect points to from a URL.
func (a *Address) goalOf(to, from string) (goal string, why reason.Reason) {
	if a.Origin != "" && strings.HasPrefix(to+"/", a.Origin+"/") {
		to = "/" + strings.TrimPrefix(strings.TrimPrefix(to, a.Origin), "/")
	}
	from, _, _ = strings.Cut(from, "#") // a script of the page may send its readers on
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

// A Trail is the target of a redirect, through others.
type Trail struct {
	Hops  []*Redirect // the others that follow, in this order
	Goal  string      // target of the last one, as written
	Loops bool        // it comes back to a URL where it was before
	Result
}

// A Redirector follows the redirects of a site.
type Redirector struct {
	*Site
	all   []Redirect
	first map[string]int   // by redirectKey, those that apply to each request
	pages map[string]*Page // by their URLs below the base; an alias of another page may have taken the URL in ByURL

	sources []string // the keys of first, in order; nil until needed
}

// NewRedirector returns a Redirector for the redirects of a site.
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

// LeadsTo reports whether a redirect reaches a path with the base if its target is written as to.
func (f *Redirector) LeadsTo(r *Redirect, to, goal string) bool {
	if r.target != nil {
		return true // a source, which is written in the same way everywhere
	}
	p, why := f.goalOf(to, r.URL)
	if _, has := f.CutBase(p); !r.IsByHost && !r.HasBase && r.At == nil && strings.HasPrefix(to, "/") && !has {
		p = strings.TrimSuffix(f.Base, "/") + p
	}
	before, _, _ := strings.Cut(p, "#")
	after, _, _ := strings.Cut(goal, "#")
	return why.IsZero() && redirectKey(before) == redirectKey(after)
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

// Follow returns the target of a redirect, through others. It must have a Goal.
func (f *Redirector) Follow(r *Redirect) (t Trail) {
	seen := map[string]bool{}
	if r.URL != "" {
		seen[redirectKey(r.URL)] = true
	}
	t.Goal = r.Goal
	for at := r; ; {
		goal, _, _ := strings.Cut(t.Goal, "#")
		key := redirectKey(goal)
		if seen[key] && at != r || goal == r.URL {
			t.Loops = true
			return t
		}
		seen[key] = true
		next, to := f.next(goal)
		if next == nil || next == at || len(t.Hops) == maxTrail {
			t.Result = f.arrive(at, goal)
			return t
		}
		at = next
		t.Hops = append(t.Hops, at)
		t.Goal = to
		switch {
		case at.Alias != nil:
			t.Goal = f.Site.Route(at.Alias)
			t.Result = Result{State: Found, File: at.Alias.File, Page: at.Alias}
			return t
		case to == "":
			t.Goal = at.To
			t.Result = Result{State: Unknown, Why: at.Why}
			return t
		}
	}
}

// next returns the redirect that is followed at a URL with the base, and where it leads from there, or "" if that is not known. It is nil
// if a page is shown, or if there is none that each visitor follows.
func (f *Redirector) next(u string) (r *Redirect, to string) {
	var own *Redirect // of the generator
	if i, ok := f.first[redirectKey(u)]; ok && !f.all[i].IsByHost {
		own = &f.all[i]
	}
	if p, isThere := f.shown(u); isThere {
		below, _ := f.CutBase(u)
		isSender := p != nil && own != nil && (p.File == "" || p == own.At || p.IsMoved(below) && !slices.Contains(p.Routes, below))
		if !isSender {
			return nil, ""
		}
	}
	rule, to := step(f.Site, u)
	if own != nil && (rule == nil || !rule.isInBrowser) {
		return own, own.Goal
	}
	if rule == nil || rule.entry < 0 || rule.to == anywhere || rule.to == templated || to != u && path.Clean(to) == path.Clean(u) {
		return nil, ""
	}
	if _, isThere := f.shown(to); rule.isForAll && !isThere {
		return nil, "" // it says nothing about a page that is not there
	}
	r = &f.all[rule.entry]
	if !rule.isInBrowser {
		r = &f.all[len(f.redirects)+rule.entry]
	}
	if r.Goal != "" {
		to = r.Goal
	}
	return r, to
}

// shown returns the page at a URL with the base, nil for another file. ok is false if there is neither.
func (f *Redirector) shown(u string) (p *Page, ok bool) {
	below, isIn := f.CutBase(u)
	if !isIn {
		return nil, false
	}
	res, ok := f.Lookup(below, false)
	return res.Page, ok
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
		res = f.asLink(r, k, res)
	}
	if res.State == Missing && f.Base != "/" && !r.IsByHost && !r.HasBase && res.Other != "" {
		res = Result{State: Unknown, Why: redirectBase, Tried: res.Tried}
	}
	if res.State == Missing && !f.IsBaseKnown && f.Below(strings.TrimSuffix(goal, "/")+"/") > 0 {
		res = Result{State: Unknown, Why: redirectBase, Tried: res.Tried} // that may be the base itself
	}
	if res.State == Missing && r.IsPrefix && f.Below(strings.TrimSuffix(goal, "/")+"/") > 0 {
		res = Result{State: Unknown, Why: redirectPrefix, Tried: res.Tried}
	}
	if res.State == Missing && strings.HasPrefix(path.Base(goal), ".") {
		res = Result{State: Unknown, Why: reason.MadeByHost, Tried: res.Tried}
	}
	return res
}

// asLink returns what is at a URL for a link of the site, if that is more than nothing: the generator may
// have further rules.
func (f *Redirector) asLink(r *Redirect, k *Reference, missing Result) Result {
	below, isIn := f.CutBase(k.Raw)
	for i, u := range []string{k.Raw, below} {
		if i == 1 && (!isIn || below == k.Raw || r.HasBase) {
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

// Shadow returns the page or file that is published at the URL of a redirect, if it is not the target of
// the redirect.
func (f *Redirector) Shadow(r *Redirect) (file string) {
	u, isIn := f.CutBase(r.URL)
	if r.URL == "" || !isIn || r.IsForSome || strings.Contains(r.URL, "#") {
		return ""
	}
	goal, _, _ := strings.Cut(r.Goal, "#")
	addsSlash := goal != r.URL && redirectKey(goal) == redirectKey(r.URL)
	for _, at := range []string{u, strings.TrimSuffix(u, "/") + "/", strings.TrimSuffix(u, "/")} {
		p := f.pages[at]
		if addsSlash && at != u {
			continue // there it leads
		}
		if p == nil || p == r.Alias || p == r.At {
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

// Cover returns the path of the earlier rule that makes a redirect unreachable. The host takes the first
// matching rule of a file, and an earlier one matches all paths of the redirect. ok is false if there is
// none.
func (f *Redirector) Cover(r *Redirect) (from string, ok bool) {
	if !r.IsByHost {
		return "", false
	}
	o := f.hosted.orderOf(r.File)
	if o == nil {
		return "", false
	}
	i, isThere := o.byStart[r.FromSpan.Start]
	if !isThere {
		return "", false
	}
	by := o.cover(i)
	if by == nil || by.From == r.From && !by.IsRewrite && !by.IsError {
		return "", false // that one is redirected twice
	}
	return by.From, true
}

// OnlyNamed returns the only URL of a page whose last name is name, "" if there is none or several. It
// takes no URL for which there is a redirect.
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

// goalsBelow returns the common prefix, up to a slash, of all paths that a target with placeholders stands
// for. why says why the target is no single path.
func (a *Address) goalsBelow(to string, why reason.Reason) string {
	if !why.Is(redirectPattern) {
		return ""
	}
	if a.Origin != "" {
		to = strings.TrimPrefix(to, a.Origin)
	}
	end := strings.IndexAny(to, patternLetters)
	if end < 0 || !strings.HasPrefix(to, "/") {
		return ""
	}
	return CleanURL(to[:strings.LastIndexByte(to[:end], '/')+1])
}

// maxGoals is the number of URLs that are compared with a target that has placeholders.
const maxGoals = 1000

// Reach looks up the targets of a redirect that has placeholders, for all paths that they may stand for. It
// returns Found if one of these exists, and Missing if none does. It takes logarithmic time, and time for
// maxGoals URLs.
func (f *Redirector) Reach(r *Redirect) Result {
	unknown := Result{State: Unknown, Why: redirectPattern}
	tail := r.To[strings.LastIndexAny(r.To, patternLetters)+1:]
	if i := strings.IndexAny(tail, "?#"); i >= 0 {
		tail = tail[:i]
	}
	tail = strings.TrimLeft(tail, placeholderLetters)
	n := f.Site.Below(r.Below)
	switch {
	case r.target != nil || r.Below == "":
		return unknown
	case n > 0 && strings.Trim(tail, "/") == "":
		return Result{State: Found}
	case n > 0:
		if f.isBelowWith(r.Below, n, tail) {
			return Result{State: Found}
		}
		return unknown
	case f.isServedDir(r.Below):
		return Result{State: Found}
	case f.isRedirectedBelow(r.Below):
		return unknown
	}
	res := f.arrive(r, r.Below)
	if res.State == Found {
		return unknown // of the directory itself, if it stands for nothing
	}
	return res
}

// patternLetters are those that make a path a pattern.
const patternLetters = ":*(){}[]^$|\\"

// placeholderLetters are those of the names of placeholders.
const placeholderLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// isBelowWith reports whether one of the n URLs of pages below a directory ends in tail, or may be meant by it.
func (f *Redirector) isBelowWith(dir string, n int, tail string) bool {
	if n > maxGoals {
		return true
	}
	tail = strings.TrimSuffix(strings.Trim(tail, "/"), ".html")
	urls := sortedURLs(f.Site)
	first, _ := slices.BinarySearch(urls, dir)
	return slices.ContainsFunc(urls[first:first+n], func(u string) bool {
		return strings.HasSuffix(strings.TrimSuffix(strings.Trim(u, "/"), ".html"), tail)
	})
}

// isServedDir reports whether the files of a directory are published below a URL, as they are.
func (f *Redirector) isServedDir(dir string) bool {
	u, isIn := f.CutBase(dir)
	return isIn && slices.ContainsFunc(f.Mounts, func(m *Mount) bool {
		rest, ok := strings.CutPrefix(u, m.URL)
		return ok && rest != "" && (m.Kind == Static || m.Kind == Pages) && f.Tree.IsDir(path.Join(m.Dir, rest))
	})
}

// isRedirectedBelow reports whether there are redirects of URLs below a directory.
func (f *Redirector) isRedirectedBelow(dir string) bool {
	if f.sources == nil {
		f.sources = make([]string, 0, len(f.first))
		for key := range f.first {
			f.sources = append(f.sources, key)
		}
		slices.Sort(f.sources)
	}
	i := sort.SearchStrings(f.sources, dir)
	if i < len(f.sources) && strings.HasPrefix(f.sources[i], dir) {
		return true
	}
	rule, _ := ruleAt(f.Site, dir+"x")
	return rule != nil
}

// Reasons.
var (
	computedRedirect    = reason.New(reason.Code, "computed-redirect", "the configuration computes where the redirect leads")
	redirectElsewhere   = reason.New(reason.OtherSite, "redirect-elsewhere", "a redirect to another host")
	redirectPattern     = reason.New(reason.Unpublished, "redirect-pattern", "a redirect to a pattern")
	relativeRedirect    = reason.New(reason.Unpublished, "relative-redirect", "a redirect that is relative to each URL that it applies to")
	conditionalRedirect = reason.New(reason.Unpublished, "conditional-redirect", "a rule of %s that depends on the request")
	computedRule        = reason.New(reason.Code, "computed-rule", "a template computes the redirects of the host")
	outsideBase         = reason.New(reason.OtherSite, "redirect-outside", "a redirect to a URL outside of the base of the site")
	redirectBase        = reason.New(reason.OtherSite, "redirect-base", "a redirect to a URL that may be meant below the base of the site")
	redirectPrefix      = reason.New(reason.Unpublished, "redirect-prefix", "a redirect of all that is below a URL, to a directory of pages")
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
			p = &Page{Routes: []string{from}}
		} else {
			moved.of(p)[from] = true
			p.Moved, p.Also = append(p.Moved, from), append(p.Also, from)
		}
		s.ByURL[from] = p
		if !s.Generates { // a redirect from a URL of pages that a plugin makes does not say that the others are not there
			s.AddSegment(from)
		}
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
