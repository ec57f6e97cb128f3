package buildmatch

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/order"
)

// A Source is a document that may be shown on a page.
type Source struct {
	Doc  *doc.Document
	URLs []string  // below the prefix of the build, by the rules of its generator
	Time time.Time // of its last change; zero if it is not known
}

// New finds the document of each page of a build.
func New(ctx context.Context, jobs int, b *built.Build, reader *doc.Reader, uses *Uses, sources []Source) *Matcher {
	w := &Matcher{Build: b, reader: reader, uses: uses, byDoc: map[*doc.Document]*Match{}, byPage: map[*built.Page]*Match{}, times: map[*doc.Document]time.Time{}}
	for i := range sources {
		w.times[sources[i].Doc] = sources[i].Time
		w.docs = append(w.docs, sources[i].Doc)
	}
	m := &matcher{Matcher: w, sources: sources, byEnd: [maxEnd + 1]map[uint64][]int32{}, byPath: map[uint64]int32{}, votes: map[rule]int{}}
	m.index()
	m.byRoutes()
	for _, s := range b.Sites {
		for _, p := range s.Pages {
			if w.byPage[p] == nil {
				m.byTrace(p, p.Traces)
			}
		}
	}
	for _, s := range b.Sites {
		for _, p := range s.Pages {
			if w.byPage[p] == nil {
				m.byNames(p)
			}
		}
	}
	m.byRules()
	m.byPayloads()
	m.byHeadings()
	m.byLinks(ctx, jobs)
	m.choose()
	w.findLost()
	if len(w.lost) > 0 { // what is needed to tell which links point there
		m.headings, m.votes, m.byEnd = nil, nil, [maxEnd + 1]map[uint64][]int32{}
		w.matcher = m
	}
	return w
}

// A matcher finds documents of pages.
type matcher struct {
	*Matcher
	sources  []Source
	segments [][]uint64                     // of each source, from the root of the tree
	headings [][]uint64                     // of each source
	byEnd    [maxEnd + 1]map[uint64][]int32 // sources by the last names in their paths, of which there are 1 to maxEnd
	byPath   map[uint64]int32               // by all names
	votes    map[rule]int                   // of matches that are certain
	rules    []rule                         // the best first
}

const (
	maxEnd        = 3  // names in a path that an index has
	maxCandidates = 64 // documents that one page is compared with
	maxRules      = 32
	maxCommon     = 8 // documents with a heading, beyond which it tells nothing
)

// A rule says that the sources below a directory are published below a path: that of the first names of both.
type rule struct {
	dir       uint64 // of the names of the directory
	dirLen    int
	prefix    uint64
	prefixLen int
	root      string // absolute path of the directory
}

// segmentsOf returns the names in the path of a source or page, without the parts that generators change:
// case, punctuation, suffixes, the numbers that sort them, and the name of an index page.
func segmentsOf(p string) (names []uint64) {
	dir, last := path.Split(strings.Trim(p, "/"))
	for name := range strings.SplitSeq(strings.Trim(dir, "/"), "/") {
		if name != "" {
			names = append(names, built.Key(built.BareName(name+".x")))
		}
	}
	if stem := built.BareName(last); !built.IsIndexName(stem) {
		names = append(names, built.Key(stem))
	}
	return names
}

// mix returns a number for a list of names.
func mix(names []uint64) uint64 {
	h := uint64(14695981039346656037)
	for _, n := range names {
		h = (h ^ n) * 1099511628211
		h ^= h >> 29
	}
	return h
}

func (m *matcher) index() {
	for n := range m.byEnd {
		m.byEnd[n] = map[uint64][]int32{}
	}
	for i := range m.sources {
		s := &m.sources[i]
		names := segmentsOf(s.Doc.Path)
		m.segments = append(m.segments, names)
		m.headings = append(m.headings, headingsOf(s.Doc))
		for n := 1; n <= min(maxEnd, len(names)); n++ {
			key := mix(names[len(names)-n:])
			m.byEnd[n][key] = append(m.byEnd[n][key], int32(i))
		}
		if _, ok := m.byPath[mix(names)]; !ok {
			m.byPath[mix(names)] = int32(i)
		}
	}
}

// maxHeadings is the number of headings of a document that are compared.
const maxHeadings = 64

// headingsOf returns the keys of the headings of d.
func headingsOf(d *doc.Document) (keys []uint64) {
	defer func() {
		if title := built.Key(titleOf(d, len(keys) == 0)); title != 0 && !slices.Contains(keys, title) {
			keys = append([]uint64{title}, keys...)
		}
	}()
	for _, a := range d.AnchorList() {
		text := a.Name
		switch {
		case a.Heading != nil:
			text = a.Heading.Text
		case d.IsMarkdown(), d.IsHTML():
			continue
		}
		if key := built.Key(text); key != 0 && len(keys) < maxHeadings {
			keys = append(keys, key)
		}
	}
	return keys
}

// titleOf returns the title of d if it is not among its anchors: the title of AsciiDoc, or the one in the
// front matter of Markdown without headings.
func titleOf(d *doc.Document, isBare bool) string {
	if !d.IsAsciiDoc() && !(isBare && d.IsMarkdown()) {
		return ""
	}
	defer d.Finish()
	n := 0
	isFront := false
	for line := range bytes.Lines(d.Head()) {
		n++
		line = bytes.TrimSpace(line)
		switch title, isTitle := bytes.CutPrefix(line, []byte("= ")); {
		case d.IsAsciiDoc() && isTitle:
			return string(title)
		case n > maxTitleLines, !d.IsAsciiDoc() && n == 1 && string(line) != "---", n > 1 && isFront && string(line) == "---":
			return ""
		}
		isFront = isFront || n == 1 && string(line) == "---"
		if title, isTitle := bytes.CutPrefix(line, []byte("title:")); isFront && isTitle {
			return string(title)
		}
	}
	return ""
}

const maxTitleLines = 100

// unknown is the agreement with a document without headings.
const unknown = -1

// agreement returns which part of the headings of a source a page has, or unknown.
func (m *matcher) agreement(i int32, p *built.Page) float64 {
	own := m.headings[i]
	if len(own) == 0 || p.IsUnread {
		return unknown
	}
	n := 0
	for _, key := range own {
		if slices.Contains(p.Headings, key) {
			n++
		}
	}
	return float64(n) / float64(len(own))
}

const (
	enough = 0.5 // agreement that confirms a match by paths
	alone  = 0.7 // agreement that is a match by itself
)

func (m *matcher) add(i int32, p *built.Page, how How, agree float64, votes int) {
	match := &Match{Doc: m.sources[i].Doc, Page: p, How: how, agree: agree, votes: votes}
	m.compareTimes(match, m.sources[i].Time)
	m.byPage[p] = match
}

// compareTimes sets IsNewer and IsStale of a match, by the time of its source, by its copy in the build, if
// any, and by the contents of the page. A checkout sets the times of all files.
func (m *matcher) compareTimes(match *Match, changed time.Time) {
	if changed.IsZero() || !changed.After(match.Page.Time) {
		return
	}
	copied := match.Page.CopyOf(match.Doc.Path, func() []byte {
		defer match.Doc.Finish()
		return match.Doc.Source()
	})
	match.IsNewer = copied != built.Same
	match.IsStale = copied == built.Differs || match.IsNewer && match.agree >= 0 && match.agree < 1
}

// byRoutes finds the pages of documents whose URLs the generator's rules determine. The page must have one
// of the headings, if there are any: the build may be of another site.
func (m *matcher) byRoutes() {
	for i := range m.sources {
		for _, u := range m.sources[i].URLs {
			for _, s := range m.Build.Sites {
				p := s.At(u)
				if p == nil || m.byPage[p] != nil {
					continue
				}
				if agree := m.agreement(int32(i), p); agree != 0 {
					m.add(int32(i), p, byRoute, agree, 0)
				}
			}
		}
	}
}

// byPayloads finds the documents that scripts and data beside the other pages name.
func (m *matcher) byPayloads() {
	for _, s := range m.Build.Sites {
		isOpen := func(p *built.Page) bool { return m.byPage[p] == nil }
		if !slices.ContainsFunc(s.Pages, isOpen) {
			continue
		}
		named := s.Payloads(isOpen)
		for _, p := range s.Pages {
			if m.byPage[p] == nil && len(named[p]) > 0 {
				m.byTrace(p, named[p])
			}
		}
	}
}

// byTrace finds the document that a page names.
func (m *matcher) byTrace(p *built.Page, traces []string) {
	found := int32(-1)
	for _, trace := range traces {
		trace, _, _ = strings.Cut(trace, "#")
		trace, _, _ = strings.Cut(trace, "?")
		trace = strings.TrimSuffix(ascii.UnescapeAll(trace), ".txt")
		i := m.named(trace)
		if i < 0 || found >= 0 && i != found {
			continue
		}
		found = i
	}
	if found < 0 {
		return
	}
	if agree := m.agreement(found, p); agree != 0 {
		m.add(found, p, byTrace, agree, 0)
		m.vote(found, p)
	}
}

// named returns the only source whose path a URL ends in, by most names, or -1.
func (m *matcher) named(u string) int32 {
	if built.BareName(path.Base(u)) == path.Base(u) {
		return -1 // no suffix: a page, not a file
	}
	names := segmentsOf(u)
	best, most, isOnly := int32(-1), 0, false
	for _, i := range m.candidates(names) {
		if path.Ext(u) != path.Ext(m.sources[i].Doc.Path) {
			continue
		}
		n := common(names, m.segments[i])
		switch {
		case n > most:
			best, most, isOnly = i, n, true
		case n == most:
			isOnly = false
		}
	}
	if !isOnly {
		return -1
	}
	return best
}

// candidates returns the sources whose paths end like names, by as many names as any does.
func (m *matcher) candidates(names []uint64) []int32 {
	for n := min(maxEnd, len(names)); n > 0; n-- {
		if list := m.byEnd[n][mix(names[len(names)-n:])]; len(list) > 0 {
			return list[:min(len(list), maxCandidates)]
		}
	}
	return nil
}

// common returns the number of names at the ends of two paths that are the same.
func common(x, y []uint64) (n int) {
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// byNames finds the document whose path is most like that of a page, if their headings agree.
func (m *matcher) byNames(p *built.Page) {
	names := segmentsOf(p.Name)
	best, most, agreed, isOnly := int32(-1), 0, 0.0, false
	for _, i := range m.candidates(names) {
		agree := m.agreement(i, p)
		if agree >= 0 && agree < enough {
			continue
		}
		n := common(names, m.segments[i])
		switch {
		case n > most || n == most && agree > agreed:
			best, most, agreed, isOnly = i, n, agree, true
		case n == most && agree == agreed:
			isOnly = false
		}
	}
	if best < 0 || !isOnly {
		return
	}
	if agreed == unknown && most < min(2, len(names)) {
		return
	}
	m.add(best, p, byPath, agreed, 0)
	if agreed != unknown {
		m.vote(best, p)
	}
}

// ruleOf returns the rule by which a source is published as a page.
func (m *matcher) ruleOf(i int32, p *built.Page) (r rule, ok bool) {
	page, own := segmentsOf(p.Name), m.segments[i]
	n := common(page, own)
	r.dirLen, r.prefixLen = len(own)-n, len(page)-n
	r.dir, r.prefix = mix(own[:r.dirLen]), mix(page[:r.prefixLen])
	at := m.sources[i].Doc.Path
	if built.IsIndexName(built.BareName(path.Base(at))) {
		at = path.Dir(at)
	}
	for range n {
		at = path.Dir(at)
	}
	r.root = at
	return r, n > 0
}

func (m *matcher) vote(i int32, p *built.Page) {
	if r, ok := m.ruleOf(i, p); ok {
		m.votes[r]++
	}
}

// byRules finds the documents of the other pages by the rules that those found so far follow.
func (m *matcher) byRules() {
	for r := range m.votes {
		m.rules = append(m.rules, r)
	}
	order.Sort(m.rules, func(x, y rule) int {
		return cmp.Or(cmp.Compare(m.votes[y], m.votes[x]), strings.Compare(x.root, y.root), cmp.Compare(x.prefixLen, y.prefixLen), cmp.Compare(x.prefix, y.prefix))
	})
	m.rules = m.rules[:min(len(m.rules), maxRules)]
	for _, s := range m.Build.Sites {
		for _, p := range s.Pages {
			if m.byPage[p] == nil {
				m.byRule(p)
			}
		}
	}
	for _, match := range m.byPage { // so that the page by the commonest rule shows a document
		i := m.byPath[mix(segmentsOf(match.Doc.Path))]
		if m.sources[i].Doc == match.Doc {
			if r, ok := m.ruleOf(i, match.Page); ok {
				match.votes = m.votes[r]
			}
		}
	}
}

// byRule finds the document of one page by a rule.
func (m *matcher) byRule(p *built.Page) {
	names := segmentsOf(p.Name)
	for _, r := range m.rules {
		if r.prefixLen > len(names) || mix(names[:r.prefixLen]) != r.prefix {
			continue
		}
		i, ok := m.below(r, names[r.prefixLen:])
		if !ok {
			continue
		}
		if agree := m.agreement(i, p); agree != 0 && (agree != unknown || m.votes[r] > 1) {
			m.add(i, p, byPath, agree, m.votes[r])
			return
		}
	}
}

// below returns the source at some names below the directory of a rule.
func (m *matcher) below(r rule, rest []uint64) (int32, bool) {
	h := r.dir
	for _, n := range rest {
		h = (h ^ n) * 1099511628211
		h ^= h >> 29
	}
	i, ok := m.byPath[h]
	return i, ok && len(m.segments[i]) == r.dirLen+len(rest)
}

// byHeadings finds documents that have no page yet by their headings.
func (m *matcher) byHeadings() {
	hasPage := map[*doc.Document]bool{}
	for _, match := range m.byPage {
		hasPage[match.Doc] = true
	}
	having := map[uint64][]int32{}
	for i, keys := range m.headings {
		if hasPage[m.sources[i].Doc] {
			continue
		}
		for _, key := range keys {
			if list := having[key]; len(list) <= maxCommon {
				having[key] = append(list, int32(i))
			}
		}
	}
	for _, s := range m.Build.Sites {
		for _, p := range s.Pages {
			if m.byPage[p] == nil {
				m.byHeadingsOf(p, having)
			}
		}
	}
}

// minHeadings is the least number of headings that are a match by themselves.
const minHeadings = 2

func (m *matcher) byHeadingsOf(p *built.Page, having map[uint64][]int32) {
	counts := map[int32]int{}
	for _, key := range p.Headings {
		if list := having[key]; len(list) <= maxCommon {
			for _, i := range list {
				counts[i]++
			}
		}
	}
	best, most, isOnly := int32(-1), 0, false
	for i, n := range counts {
		switch {
		case n > most:
			best, most, isOnly = i, n, true
		case n == most:
			isOnly = false
		}
	}
	if best < 0 || !isOnly {
		return
	}
	agree := m.agreement(best, p)
	if most >= minHeadings && agree >= alone || agree == 1 && m.isNamedLike(best, p) {
		m.add(best, p, byContent, agree, 0)
	}
}

// isNamedLike reports whether a source and a page have the same name, or are both index pages.
func (m *matcher) isNamedLike(i int32, p *built.Page) bool {
	own, page := built.BareName(path.Base(m.sources[i].Doc.Path)), built.BareName(path.Base(p.Name))
	return built.IsIndexName(own) && built.IsIndexName(page) || built.Key(own) == built.Key(page)
}

// choose chooses the page that shows each document best.
func (m *matcher) choose() {
	for _, s := range m.Build.Sites {
		for _, p := range s.Pages {
			match := m.byPage[p]
			if match == nil {
				continue
			}
			if now := m.byDoc[match.Doc]; now == nil || match.isBetter(now) {
				m.byDoc[match.Doc] = match
			}
		}
	}
	isFirst := true
	for d := range m.byDoc {
		if isFirst {
			m.Root, isFirst = d.Dir(), false
		}
		for m.Root != "" && !strings.HasPrefix(d.Path, m.Root+"/") {
			m.Root = m.Root[:max(0, strings.LastIndexByte(m.Root, '/'))]
		}
	}
}

// isBetter reports whether x shows the same document better than y does.
func (x *Match) isBetter(y *Match) bool {
	return cmp.Or(
		cmp.Compare(x.How, y.How), cmp.Compare(y.votes, x.votes), cmp.Compare(y.agree, x.agree),
		cmp.Compare(strings.Count(x.Page.Name, "/"), strings.Count(y.Page.Name, "/")), strings.Compare(x.Page.Name, y.Page.Name),
	) < 0
}
