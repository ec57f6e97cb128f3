package resolve

import (
	"bytes"
	"fmt"
	"strings"

	"example.org/refract/internal/ascii"
)

// Explain describes how ref is resolved against b, as a list of facts of the form "label: text". The first
// fact is the step that decided, with its section. The others, where they apply, are the components
// inherited from the base, the path before and after the removal of dot segments, and each departure with
// its reason. If a changed option has no section in the document of b's rules, Explain cites a document
// that has one.
//
// References and paths are quoted as Go quotes strings: nothing in them can break a line or move a cursor.
// Explain allocates; it takes time linear in base and ref.
func (b *Resolver) Explain(ref []byte) []string {
	r := &b.rules
	out, res := b.Append(nil, ref)
	if r.Browser {
		facts := []string{"rules: those of browsers, whose parser goes by states and not by steps (URL 4.4)"}
		if err := res.Err(); err != nil {
			facts = append(facts, "error: "+err.Error())
		}
		return facts
	}
	p := r.split(ref)
	d := b.decision(p, ref, res.Step)
	facts := []string{fmt.Sprintf("step: %s (%s)", decisionWords[d], r.cite(d))}
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }

	if r.SameScheme && ascii.EqualFold(p.scheme, b.scheme) {
		add("scheme: %q is the base's, and ignored (%s)", p.scheme, r.cite(schemeIgnored))
		p.scheme = nil
	}
	if inherited := b.inherited(d); len(inherited) > 0 {
		add("inherited: %s", strings.Join(inherited, ", "))
	}
	before, after, rest := b.paths(p, res, out)
	if !bytes.Equal(before, after) && !res.InError {
		with := ""
		if r.QueryDots && res.Step == RelativePath && len(p.params)+len(p.query) > 0 {
			with = fmt.Sprintf(", the query taking part (%s)", r.cite(queryMerged))
		}
		dots := dotsRemoved
		if r.LeaveDots {
			dots = dotsMerged
		}
		add("dot segments: %q becomes %q (%s)%s", before, after, r.cite(dots), with)
	}

	if res.Departures&LeftRootless != 0 {
		add(`rootless: the path does not begin with "/", so its dots are data and stay (unlike RFC 3986 5.2.2)`)
	}
	switch {
	case res.Departures&Guarded != 0 && bytes.HasPrefix(rest, twoSlashes):
		add(`guard: "/." is put in front of %q, or it would begin with an authority (RFC 3986 3.3)`, rest)
	case res.Departures&Guarded != 0:
		add(`guard: "./" is put in front of %q, or it would begin with a scheme (RFC 3986 4.2)`, rest)
	case res.Departures&AddedSlash != 0:
		add(`slash: "/" is put in front of %q, or it would be part of the host (RFC 3986 5.2.3)`, rest)
	}
	if res.Departures&WentAbove != 0 {
		add("above-root: %s (%s)", aboveWords[r.AboveRoot], r.cite(aboveRemove+decision(r.AboveRoot)))
	}
	return facts
}

var twoSlashes = []byte("//")

// inherited lists the components that d takes from the base.
func (b *Resolver) inherited(d decision) (list []string) {
	p := b.rules.split([]byte(b.uri))
	add := func(name string, piece []byte, separator int) {
		if len(piece) > 0 {
			list = append(list, fmt.Sprintf("%s %q", name, piece[separator:]))
		}
	}
	switch d {
	case currentEmpty, currentFragment, absolute, noBase:
		return nil
	}
	if len(p.scheme) > 0 {
		add("scheme", p.scheme[:len(p.scheme)-1], 0)
	}
	if d == networkPath {
		return list
	}
	add("authority", p.authority, len(twoSlashes))
	switch d {
	case absolutePath:
	case relativePath, relativeQuery:
		add("directory", p.path[:bytes.LastIndexByte(p.path, '/')+1], 0)
	default:
		add("path", p.path, 0)
		if d == otherParams {
			break
		}
		add("params", p.params, 1)
		if d == otherQuery {
			break
		}
		add("query", p.query, 1)
		if d == wholeBase {
			add("fragment", p.fragment, 1)
		}
	}
	return list
}

// paths returns the path of a result before and after the removal of dot segments,
// and the rest of the result from the path on; out is the result. With QueryDots the
// path of a merged result includes the query.
func (b *Resolver) paths(p pieces, res Result, out []byte) (before, after, rest []byte) {
	root := len(b.authority)
	tail := len(p.params) + len(p.query) + len(p.fragment)
	before = p.path
	switch res.Step {
	case Absolute:
		root = len(p.scheme) + len(p.authority)
	case NetworkPath:
		root = len(b.scheme) + len(p.authority)
	case RelativePath:
		dir := b.path[root : root+1+strings.LastIndexByte(b.path[root:], '/')]
		if len(dir) == 0 && b.hasAuthority() && !b.rules.LeaveDots {
			dir = "/" // RFC 3986 5.2.3
		}
		before = append([]byte(dir), before...)
		if b.rules.QueryDots {
			before = append(append(before, p.params...), p.query...)
			tail = len(p.fragment)
		}
	case CurrentDocument, NoBase:
		return nil, nil, nil
	}
	if res.InError || res.Step == Absolute && b.rules.LeaveDots {
		return nil, nil, nil
	}
	switch {
	case res.Departures&Guarded != 0:
		root += len("/.")
	case res.Departures&AddedSlash != 0:
		root += len("/")
	}
	if res.Step == SamePath || res.Step == SameURI { // the base's path is unchanged
		return nil, nil, out[root:]
	}
	return before, out[root : len(out)-tail], out[root:]
}

// decision returns the decision of step in more detail; p holds the pieces of ref.
func (b *Resolver) decision(p pieces, ref []byte, step Step) decision {
	switch step {
	case CurrentDocument:
		if len(p.fragment) > 0 {
			return currentFragment
		}
		return currentEmpty
	case Absolute:
		return absolute
	case NetworkPath:
		return networkPath
	case AbsolutePath:
		return absolutePath
	case RelativePath:
		if len(p.path) == 0 {
			return relativeQuery
		}
		return relativePath
	case SameURI:
		switch {
		case len(ref) == 0 && b.rules.Empty == EmptyIsWholeBase:
			return wholeBase
		case len(p.fragment) > 0:
			return otherFragment
		}
		return baseOnly
	case SamePath:
		if len(p.params) > 0 {
			return otherParams
		}
		return otherQuery
	}
	return noBase
}

// A decision is what a section of a document decides: a step, a case of a step if the
// documents treat its cases separately, or a part of a step.
type decision uint8

const (
	currentEmpty decision = iota
	currentFragment
	absolute
	networkPath
	absolutePath
	relativePath
	relativeQuery
	baseOnly
	wholeBase
	otherFragment
	otherQuery
	otherParams
	noBase
	schemeIgnored
	dotsRemoved
	dotsMerged
	queryMerged
	aboveRemove // these three in the order of AboveRoot
	aboveRetain
	aboveError
)

var decisionWords = [...]string{
	currentEmpty:    "the current document, since no component of a URL is given",
	currentFragment: "the current document, since only a fragment is given",
	absolute:        "absolute, since it has a scheme",
	networkPath:     `network path, since it begins with "//"`,
	absolutePath:    `absolute path, since it begins with "/"`,
	relativePath:    "relative path, which replaces the last segment of the base's",
	relativeQuery:   "relative path, an empty one, which replaces the last segment of the base's",
	baseOnly:        "the base without its fragment, since no component is given",
	wholeBase:       "the base with its fragment, since the reference is empty",
	otherFragment:   "the base with this fragment, since nothing else is given",
	otherQuery:      "the base's path with this query, since no path is given",
	otherParams:     "the base's path with these params, since no path is given",
	noBase:          "no base, so that the reference stays as it is",
}

var aboveWords = [...]string{
	RemoveAboveRoot: `".." goes above the root, and is removed`,
	RetainAboveRoot: `".." goes above the root, and is kept`,
	FailAboveRoot:   `".." goes above the root, and there is no URL`,
}

// cite returns the section that decides d, in the document that r comes nearest to. If that document has no
// such section, cite returns that of the first document that has one.
func (r Rules) cite(d decision) string {
	nearest := r.nearest().name
	for _, doc := range documents {
		if doc.name == nearest && doc.sections[d] != "" {
			return doc.title + " " + doc.sections[d]
		}
	}
	for _, doc := range documents {
		if doc.sections[d] != "" {
			return doc.title + " " + doc.sections[d]
		}
	}
	panic(fmt.Sprintf("resolve: no document has decision %d", d))
}

// Document returns the title of the document whose rules r has, or comes nearest to: "RFC 3986",
// "draft-01".
func (r Rules) Document() string {
	nearest := r.nearest().name
	for _, doc := range documents {
		if doc.name == nearest {
			return doc.title
		}
	}
	return nearest
}

// String returns the text for ParseRules: a name, and the options that differ from
// those rules: "rfc3986", "draft,above-root=remove".
func (r Rules) String() string {
	n := r.nearest()
	words := []string{n.name}
	for _, k := range r.differing(n.rules) {
		words = append(words, k.Name+"="+k.Values[r.get(k)])
	}
	return strings.Join(words, ",")
}

// nearest returns the named rules from which r differs in the fewest options.
func (r Rules) nearest() namedRules {
	best := named[0]
	for _, n := range named {
		if n.rules == r {
			return n
		}
		if n.rules.Browser {
			continue
		}
		if len(r.differing(n.rules)) < len(r.differing(best.rules)) {
			best = n
		}
	}
	return best
}

// documents says where each decision is made. If a document has no section for a decision,
// cite tries the others in this order.
var documents = []struct {
	name, title string
	sections    map[decision]string
}{
	{"rfc3986", "RFC 3986", map[decision]string{
		absolute: "5.2.2", networkPath: "5.2.2", absolutePath: "5.2.2", relativePath: "5.2.3",
		baseOnly: "5.2.2", otherFragment: "5.2.2", otherQuery: "5.2.2",
		schemeIgnored: "5.2.2, not strict", dotsRemoved: "5.2.4", aboveRemove: "5.2.4"}},
	{"draft", "draft", map[decision]string{
		currentEmpty: "5.2 step 2", currentFragment: "5.2 step 2", absolute: "5.2 step 3",
		networkPath: "5.2 step 4", absolutePath: "5.2 step 5", relativePath: "5.2 step 6", relativeQuery: "5.2 step 6",
		dotsMerged: "5.2 step 6", aboveRemove: "5.2 step 6g", aboveRetain: "5.2 step 6g", aboveError: "5.2 step 6g"}},
	{"rfc2396", "RFC 2396", map[decision]string{
		currentEmpty: "5.2 step 2", currentFragment: "5.2 step 2", absolute: "5.2 step 3",
		networkPath: "5.2 step 4", absolutePath: "5.2 step 5", relativePath: "5.2 step 6", relativeQuery: "5.2 step 6",
		schemeIgnored: "5.2 step 3", dotsMerged: "5.2 step 6",
		aboveRemove: "5.2 step 6g", aboveRetain: "5.2 step 6g", aboveError: "5.2 step 6g"}},
	{"rfc1808", "RFC 1808", map[decision]string{
		noBase: "4 step 1", wholeBase: "4 step 2a", absolute: "4 step 2b", networkPath: "4 step 3", absolutePath: "4 step 4",
		otherParams: "4 step 5a", otherQuery: "4 step 5b", otherFragment: "4 step 5b", baseOnly: "4 step 5b",
		relativePath: "4 step 6", dotsMerged: "4 step 6", aboveRetain: "5.2"}},
	{"draft-01", "draft-01", map[decision]string{
		noBase: "5.2 step 1", currentEmpty: "5.2 step 2a", currentFragment: "5.2 step 2a", absolute: "5.2 step 2b",
		networkPath: "5.2 step 3", absolutePath: "5.2 step 4", otherQuery: "5.2 step 5",
		relativePath: "5.2 step 6", dotsMerged: "5.2 step 6", aboveRetain: "appendix C"}},
	{"draft-02", "draft-02", map[decision]string{
		currentEmpty: "5.2 step 2", currentFragment: "5.2 step 2", absolute: "5.2 step 3",
		networkPath: "5.2 step 4", absolutePath: "5.2 step 5", relativePath: "5.2 step 6", relativeQuery: "5.2 step 6",
		queryMerged: "5.2 step 6c", dotsMerged: "5.2 step 6", aboveRetain: "appendix C"}},
}
