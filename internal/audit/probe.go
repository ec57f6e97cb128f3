package audit

import (
	"cmp"
	"maps"
	"math/bits"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/buildmatch"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/order"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/slash"
)

// A probe is a link that works or is not checked. Its last part is changed so that nothing can have the new
// name, and the result is checked as if it stood in the document. If it would not be reported, the audit is
// blind to a broken link there. Nothing learns from probes.

// Probing says which links to probe.
type Probing uint8

const (
	NoProbes   Probing = iota
	SomeProbes         // in some documents, some of the links of a directory with the same form and target
	AllProbes
)

// A TargetKind is the kind of a link's target.
type TargetKind string

// Kinds of targets.
const (
	ToPage  TargetKind = "page" // a document, or what a generator makes of one
	ToFile  TargetKind = "file" // any other file or directory
	ToImage TargetKind = "image"
	ToID    TargetKind = "id"
	ToLabel TargetKind = "label" // a name that is defined once for a whole site
)

// TargetKinds lists all kinds, in the order of output.
func TargetKinds() []TargetKind { return []TargetKind{ToPage, ToFile, ToImage, ToID, ToLabel} }

// A Reach says which share of the broken links to a kind of target would be reported in the documents of a
// directory.
type Reach struct {
	Dir    string // as in Coverage
	Kind   TargetKind
	Links  int            // that work, or are not checked
	Skips  map[Reason]int // of Links, those that are not checked, by reason
	Probes int            // of Links, those that were changed
	Found  int            // of Probes, those that were reported
	Blind  map[Reason]int // of Links, those that would not be reported if broken, by reason; estimated from Probes
}

// A Probe is a link that was changed and checked.
type Probe struct {
	File    string // as in Finding
	Path    string
	Pos     extract.Position
	Raw     string // the link as written
	Changed string // what it was changed to
	Kind    TargetKind
	Why     Reason // why it would not be reported; zero if it would
}

// A probeGroup stands for links of a directory that are written and lead alike.
type probeGroup struct {
	dir  string
	kind TargetKind
	form uint16 // a hash of how they are written: a document may have any number of forms
}

// A probeCount counts the links of a group.
type probeCount struct {
	links    int
	skips    map[reason.Reason]int // of links, those that are not checked themselves, by the reason; nil if all are
	outcomes []probeOutcome        // of probes, in their order
	last     *doc.Document         // with a link of the group
	inLast   int                   // links of last
}

// A probeOutcome is that of a probe, which stands for some links.
type probeOutcome struct {
	why   reason.Reason // why it is not reported; zero if it is
	links int
}

// A firstProbe is that of the first link of a kind and form in a directory. For all small directories together, it is
// that of the first one in the tree, and in each of them that of the first link of any form. It counts if no document of
// the sample has a link of its group.
type firstProbe struct {
	group probeGroup
	why   reason.Reason
	ok    bool // the link can be changed
}

// fewDocuments is the number of documents below which those of a directory are sampled together with those of others.
const fewDocuments = 4

// A sample says in which documents SomeProbes probes more than first links: in each directory the first one,
// the fourth, the 16th and so on, and one of eight in small directories. The choice does not depend on
// Options.Jobs.
type sample struct {
	isIn    map[*doc.Document]bool
	isSmall map[string]bool // directories
	first   sync.Map        // groups with a firstProbe in the documents that were passed on; it counts
}

func newSample(docs []*doc.Document) *sample {
	all := map[string]int{}
	for _, d := range docs {
		all[path.Dir(d.Name)]++
	}
	s, seen := &sample{isIn: map[*doc.Document]bool{}, isSmall: map[string]bool{}}, map[string]int{}
	for _, d := range docs {
		dir := path.Dir(d.Name)
		isSmall := all[dir] < fewDocuments
		if isSmall {
			s.isSmall[dir], dir = true, anyDir
		}
		n := seen[dir]
		seen[dir]++
		s.isIn[d] = isSmall && n%8 == 0 || n&(n+1) == 0 && bits.Len(uint(n))%2 == 0 // n+1 is a power of four
	}
	return s
}

// weight returns for how many links of a group the nth one in a document of the sample stands, or 0 if it is not
// probed. The first stands for itself, and one each of the next 8, 64, 512 and so on for these. Which one
// differs between documents: the first links of all pages of a directory may be those of the same navigation.
func weight(d *doc.Document, form uint16, n int) int {
	if n == 1 {
		return 1
	}
	size := 8
	n -= 2
	for ; n >= size; size *= 8 {
		n -= size
	}
	if n != int(hash(form, path.Base(d.Path)))%size {
		return 0
	}
	return size
}

// probeMark is added to a name. No file, id or label of a tree ends in it.
const probeMark = "qzx"

// accepted is the reason of a probe that points to something.
var accepted = reason.New(reason.Templated, "any-name", "any name would do here")

// A prober probes the links of documents.
type prober struct{ a *auditor }

// reference probes ref, on which the verdict is v.
func (a prober) reference(d *doc.Document, ref *doc.Reference, l *lead.Landing, t *buildmatch.Testimony, v *judge.Verdict) {
	isOther := l.Hosted != nil && l.Hosted.Branch == "" // of another revision
	if a.a.Probes == NoProbes || v.Problem != nil || v.Skip.IsZero() && l.State != site.Found || isOther {
		return
	}
	kind, text := a.changed(d, ref, l)
	if text == "" {
		return
	}
	p := Probe{Pos: ref.Pos, Raw: ref.Raw, Changed: text, Kind: kind}
	a.count(d, &p, v.Skip, a.form(d, ref), func() (why reason.Reason, ok bool) {
		other := a.a.Respelt(ref, text, d.IsResourceID(ref) || ref.IsWiki())
		if other == nil {
			return why, false
		}
		if t != nil {
			if _, isBuilt := t.Link(ref.Pos.Offset); isBuilt { // which would also show the broken one
				return why, true
			}
		}
		a.a.LeadTo(d, other, &a.a.probed)
		return a.outcome(d, other, a.a.JudgeReference(d, other, &a.a.probed))
	})
}

// entry probes an entry of a navigation.
func (a prober) entry(d *doc.Document, e *doc.NavEntry, l *lead.Landing, v *judge.Verdict) {
	if a.a.Probes == NoProbes || v.Problem != nil || v.Skip.IsZero() && l.State != site.Found {
		return
	}
	kind, ref := a.changed(d, &e.Reference, l)
	if ref == "" {
		return
	}
	p := Probe{Pos: e.Pos, Raw: e.Raw, Changed: ref, Kind: kind}
	a.count(d, &p, v.Skip, hash(0, "navigation"), func() (why reason.Reason, ok bool) {
		other := *e
		other.Ref, other.Raw, other.Result = ref, ref, e.Resolve(ref)
		a.a.probed = a.a.LeadEntry(&other)
		return a.outcome(d, &other.Reference, a.a.JudgeEntry(d, &other, &a.a.probed))
	})
}

// name probes the use of a label.
func (a prober) name(d *doc.Document, n *doc.Note, v *judge.Verdict) {
	if a.a.Probes == NoProbes || v.Problem != nil || n.Text == "" || v.Files != nil {
		return
	}
	p := Probe{Pos: n.Pos, Raw: n.Text, Kind: ToLabel}
	a.count(d, &p, v.Skip, hash(0, n.Space), func() (why reason.Reason, ok bool) {
		other := *n
		other.Text = judge.Extended(n, probeMark)
		p.Changed = other.Text
		return a.outcome(d, nil, a.a.JudgeName(d, &other))
	})
}

// count counts a link, and probes it unless enough like it were probed. skip is why the link itself is not
// checked. ok of probe is false if the link cannot be changed.
func (a prober) count(d *doc.Document, p *Probe, skip reason.Reason, form uint16, probe func() (why reason.Reason, ok bool)) {
	r := a.a.results
	if r.probes == nil {
		r.probes, r.first = map[probeGroup]*probeCount{}, map[probeGroup]firstProbe{}
	}
	group := probeGroup{path.Dir(d.Name), p.Kind, hash(form, skip.Name())}
	c := r.probes[group]
	if c == nil {
		c = new(probeCount)
		r.probes[group] = c
	}
	c.links++
	if !skip.IsZero() {
		if c.skips == nil {
			c.skips = map[reason.Reason]int{}
		}
		c.skips[skip]++
	}
	if c.last != d {
		c.last, c.inLast = d, 0
	}
	c.inLast++
	var firsts []probeGroup
	standsFor := 1
	if s := a.a.sample; s != nil {
		firsts, standsFor = s.firsts(r, group), 0
		if s.isIn[d] {
			standsFor = weight(d, group.form, c.inLast)
		}
	}
	if standsFor == 0 && firsts == nil {
		return
	}
	a.a.IsProbing = true
	why, ok := probe()
	a.a.IsProbing = false
	why = why.Without(probeMark)
	for _, wide := range firsts {
		r.first[wide] = firstProbe{group, why, ok}
	}
	switch {
	case standsFor == 0:
		return
	case ok:
		c.outcomes = append(c.outcomes, probeOutcome{why, standsFor})
	default:
		c.links--
		if !skip.IsZero() {
			c.skips[skip]--
		}
		return
	}
	if a.a.Probed != nil {
		p.File, p.Path, p.Why = d.Name, d.File.Path, why
		a.a.Probed(p)
	}
}

// outcome returns why a probe with the verdict v is not reported; the zero Reason if it is. ok is false if
// only the options suppress it.
func (a prober) outcome(d *doc.Document, ref *doc.Reference, v judge.Verdict) (why reason.Reason, ok bool) {
	if v.Problem != nil && ref != nil {
		v.Excuse(&a.a.World, d, ref)
	}
	switch {
	case !v.Skip.IsZero():
		return v.Skip, true
	case v.Problem == nil:
		return accepted, true
	case !a.a.wantsIn(d.Path, v.Problem.Rule):
		return why, false
	case v.Problem.Rule.Level() == rule.LevelError:
		return a.a.NotReported(d), true
	}
	return why, true
}

// changed returns the text of ref with another last part, "" if it has none that can be changed, and what ref points to.
func (a prober) changed(d *doc.Document, ref *doc.Reference, l *lead.Landing) (kind TargetKind, text string) {
	if doc.IsTemplate([]byte(ref.Ref)) || ref.Labels&scan.Unused != 0 {
		return "", ""
	}
	rest, fragment, _ := strings.Cut(ref.Ref, "#")
	if l.Fragment != "" && (fragment != "" || l.IsQuery) {
		if strings.HasPrefix(fragment, ":~:") || ref.How == scan.CSS || isDrawing(d) {
			return "", ""
		}
		return ToID, ref.Ref + probeMark
	}
	kind = ToFile
	switch {
	case ref.Kind == scan.Embed:
		kind = ToImage
	case l.File == "" || a.a.ByPath[l.File] != nil:
		kind = ToPage
	}
	before, after := rest, ref.Ref[len(rest):]
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		before, after = rest[:i], ref.Ref[i:]
	}
	name := strings.TrimRight(before, "/")
	after = before[len(name):] + after
	at := strings.LastIndexAny(name, "/:") + 1
	stem := slash.Stem(name[at:])
	if strings.Trim(stem, ".") == "" {
		return "", ""
	}
	return kind, name[:at+len(stem)] + probeMark + name[at+len(stem):] + after
}

// isDrawing reports whether the ids in d are those of shapes, colours and clips.
func isDrawing(d *doc.Document) bool { return strings.HasSuffix(d.Path, ".svg") }

// form returns a hash of how ref is written, as far as what is known of its target may depend on it, and of why findings in
// its document are not reported: directories that share a sample may differ in that.
func (a prober) form(d *doc.Document, ref *doc.Reference) uint16 {
	w, why := lead.WrittenOf(d, ref), a.a.NotReported(d)
	return hash(uint16(w.Form), ref.In, w.From, w.Suffix, path.Ext(d.Path), why.Name())
}

// hash returns a number below anyForm: FNV-1a.
func hash(from uint16, texts ...string) uint16 {
	h := 2166136261 ^ uint32(from)
	for _, text := range texts {
		for i := range len(text) {
			h = (h ^ uint32(text[i])) * 16777619
		}
		h = (h ^ 0xff) * 16777619 // between two texts
	}
	return uint16(h % anyForm)
}

// firsts returns the groups of which a link of a group is the first one to be probed. Of several workers, each may probe
// one; that of the first document counts.
func (s *sample) firsts(r *results, group probeGroup) (unseen []probeGroup) {
	wider := []probeGroup{group}
	if s.isSmall[group.dir] {
		wider = []probeGroup{{anyDir, group.kind, group.form}, {dir: group.dir, form: anyForm}}
	}
	for _, wide := range wider {
		_, isHere := r.first[wide]
		_, isBefore := s.first.Load(wide)
		if !isHere && !isBefore {
			unseen = append(unseen, wide)
		}
	}
	return unseen
}

// addProbes adds what has been counted for some of the documents, which follow those of r.
func (r *results) addProbes(part *results, s *sample) {
	if r.probes == nil {
		r.probes, r.first = map[probeGroup]*probeCount{}, map[probeGroup]firstProbe{}
	}
	for group, c := range part.probes {
		all := r.probes[group]
		if all == nil {
			r.probes[group] = c
			continue
		}
		all.links += c.links
		addReasons(&all.skips, c.skips)
		all.outcomes = append(all.outcomes, c.outcomes...)
	}
	for wide, p := range part.first {
		if _, isSeen := r.first[wide]; !isSeen {
			r.first[wide] = p
			if s != nil {
				s.first.Store(wide, true)
			}
		}
	}
}

// InternalLinks returns the number of possible internal links, without those to another revision.
func (r *Report) InternalLinks() int { return r.Checked + r.SkippedReferences() }

// Blind returns how many of InternalLinks would not be reported if they were broken: those that are not
// checked, and, by the probes, some of those that are.
func (r *Report) Blind() int {
	n := 0
	for _, c := range r.Coverage {
		n += c.Blind
	}
	return n
}

// BlindNames returns how many uses of names and labels may be broken, and how many of these would not be
// reported.
func (r *Report) BlindNames() (blind, all int) {
	blind, all = r.SkippedNames, r.SkippedNames
	for i := range r.Reach {
		if s := &r.Reach[i]; s.Kind == ToLabel {
			skipped := sum(s.Skips)
			blind, all = blind-skipped+sum(s.Blind), all-skipped+s.Links
		}
	}
	return blind, all
}

// BlindReasons returns the reasons why links and names would not be reported, with their numbers.
func (r *Report) BlindReasons() map[Reason]int {
	all := maps.Clone(r.Reasons)
	if all == nil {
		all = map[Reason]int{}
	}
	for i := range r.Reach {
		for why, n := range r.Reach[i].Skips {
			all[why] -= n
		}
		for why, n := range r.Reach[i].Blind {
			all[why] += n
		}
	}
	maps.DeleteFunc(all, func(_ Reason, n int) bool { return n == 0 })
	return all
}

// takeReach reports what the probes say.
func (r *results) takeReach() {
	r.Reach = r.reach()
	for dir, c := range r.coverage {
		c.Blind = c.Skipped
		r.coverage[dir] = c
	}
	for i := range r.Reach {
		if s := &r.Reach[i]; s.Kind != ToLabel {
			c := r.coverage[s.Dir]
			c.Dir = s.Dir
			c.Probes, c.Found, c.Blind = c.Probes+s.Probes, c.Found+s.Found, c.Blind-sum(s.Skips)+sum(s.Blind)
			r.coverage[s.Dir] = c
		}
	}
}

// addReasons adds counts to *to, which may be nil.
func addReasons(to *map[Reason]int, counts map[Reason]int) {
	if *to == nil && len(counts) > 0 {
		*to = map[Reason]int{}
	}
	for why, n := range counts {
		(*to)[why] += n
	}
}

func sum(counts map[Reason]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// reach sums the groups of each directory and kind. A group without probes is like those of its form in the
// tree or, if these have none either, of its kind: in the directory, or in the tree.
func (r *results) reach() (list []Reach) {
	for _, p := range r.first {
		c := r.probes[p.group]
		if len(c.outcomes) == 0 && p.ok {
			c.outcomes = append(c.outcomes, probeOutcome{p.why, 1})
		}
	}
	groups := r.probeGroups()
	like := map[probeGroup][]probeOutcome{}
	for _, group := range groups {
		for _, wide := range group.wider() {
			more := r.probes[group].outcomes
			like[wide] = append(like[wide], more[:min(len(more), maxLike-len(like[wide]))]...)
		}
	}
	for _, group := range groups {
		c := r.probes[group]
		outcomes := c.outcomes
		for _, wide := range group.wider() {
			if len(outcomes) == 0 {
				outcomes = like[wide]
			}
		}
		if len(outcomes) == 0 {
			continue
		}
		if n := len(list); n == 0 || list[n-1].Dir != group.dir || list[n-1].Kind != group.kind {
			list = append(list, Reach{Dir: group.dir, Kind: group.kind})
		}
		list[len(list)-1].add(c, outcomes)
	}
	return list
}

// maxLike limits the probes of similar groups by which one without probes is estimated: a tree may have any
// number of either.
const maxLike = 256

// wider returns the groups that g is part of, the most similar first.
func (g probeGroup) wider() [3]probeGroup {
	return [3]probeGroup{{anyDir, g.kind, g.form}, {g.dir, g.kind, anyForm}, {anyDir, g.kind, anyForm}}
}

// anyForm stands for all forms.
const anyForm = 1 << 12

// anyDir stands for all directories.
const anyDir = "\x00"

// probeGroups returns the groups in the order of output.
func (r *results) probeGroups() []probeGroup {
	kinds := TargetKinds()
	return order.Sorted(maps.Keys(r.probes), func(x, y probeGroup) int {
		return cmp.Or(strings.Compare(x.dir, y.dir), slices.Index(kinds, x.kind)-slices.Index(kinds, y.kind), int(x.form)-int(y.form))
	})
}

// add adds a group of links that are like outcomes. They are shared among these so that the sum is exact.
func (s *Reach) add(c *probeCount, outcomes []probeOutcome) {
	s.Links += c.links
	addReasons(&s.Skips, c.skips)
	s.Probes += len(c.outcomes)
	for _, o := range c.outcomes {
		if o.why.IsZero() {
			s.Found++
		}
	}
	var all, before int64
	for _, o := range outcomes {
		all += int64(o.links)
	}
	for _, o := range outcomes {
		after := before + int64(o.links)
		n := int(int64(c.links)*after/all - int64(c.links)*before/all)
		before = after
		if o.why.IsZero() || n == 0 {
			continue
		}
		if s.Blind == nil {
			s.Blind = map[Reason]int{}
		}
		s.Blind[o.why] += n
	}
}
