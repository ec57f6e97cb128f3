package resolve

import (
	"regexp"
	"strings"
)

// A second implementation of every algorithm, step by step as its document has
// it, for clarity only. Nothing here is shared with the package but the types.

// part is a component that may be undefined.
type part struct {
	string
	defined bool
}

type reference struct {
	scheme, authority part
	path              string
	params            part
	query, fragment   part
}

// recombine is step 7.
func (r reference) recombine() string {
	s := ""
	if r.scheme.defined {
		s += r.scheme.string + ":"
	}
	if r.authority.defined {
		s += "//" + r.authority.string
	}
	s += r.path
	if r.params.defined {
		s += ";" + r.params.string
	}
	if r.query.defined {
		s += "?" + r.query.string
	}
	if r.fragment.defined {
		s += "#" + r.fragment.string
	}
	return s
}

type answer struct {
	url        string
	step       Step
	departures Departures
	inError    bool
}

// literal resolves by the document of that name; of the rules it looks only at
// AboveRoot and SameScheme.
func literal(name string, rules Rules, base, ref string) answer {
	var a answer
	switch name {
	case "rfc3986":
		a = literalRFC3986(rules, base, ref)
	case "rfc2396":
		a = literalDraft(appendixB(letterFirst), rules, base, ref)
	case "draft":
		a = literalDraft(appendixB(anyFirst), rules, base, ref)
	case "draft-02":
		a = literalDraft02(rules, base, ref)
	case "draft-01":
		a = literalDraft01(rules, base, ref)
	case "rfc1808":
		a = literalRFC1808(rules, base, ref)
	}
	if a.departures&WentAbove != 0 && rules.AboveRoot == FailAboveRoot {
		return answer{"", a.step, WentAbove, true} // nothing to repair
	}
	return a
}

// repaired is step 7 with our departures.
func (r reference) repaired(a answer, anyFirst bool) answer {
	whole := r.path
	if r.params.defined {
		whole += ";" + r.params.string
	}
	switch {
	case r.authority.defined && whole != "" && whole[0] != '/':
		r.path = "/" + r.path
		a.departures |= AddedSlash
	case !r.authority.defined && strings.HasPrefix(whole, "//"):
		r.path = "/." + r.path
		a.departures |= Guarded
	case !r.authority.defined && !r.scheme.defined:
		grammar := letterFirst
		if anyFirst {
			grammar = anyFirstGrammar
		}
		if first, _, found := strings.Cut(whole, ":"); found && grammar.MatchString(first) {
			r.path = "./" + r.path
			a.departures |= Guarded
		}
	}
	a.url = r.recombine()
	return a
}

var (
	letterFirst     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)
	anyFirstGrammar = regexp.MustCompile(`^[A-Za-z0-9+.-]+$`)
	anyFirst        = anyFirstGrammar

	// Appendix B, which RFC 3986 and RFC 2396 share with the 1997 draft.
	components = regexp.MustCompile(`(?s)^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$`)
	noScheme   = regexp.MustCompile(`(?s)^()()(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$`)
)

// appendixB returns a parser; what the grammar refuses is no scheme.
func appendixB(scheme *regexp.Regexp) func(string) reference {
	return func(s string) reference {
		m := components.FindStringSubmatch(s)
		if m[1] != "" && !scheme.MatchString(m[2]) {
			m = noScheme.FindStringSubmatch(s)
		}
		return reference{
			scheme:    part{m[2], m[1] != ""},
			authority: part{m[4], m[3] != ""},
			path:      m[5],
			query:     part{m[7], m[6] != ""},
			fragment:  part{m[9], m[8] != ""},
		}
	}
}

// parse1808 is RFC 1808 2.4, where empty and undefined are the same.
func parse1808(s string, params bool) (r reference) {
	nonEmpty := func(s string) part { return part{s, s != ""} }
	if i := strings.Index(s, "#"); i >= 0 { // 2.4.1
		r.fragment = nonEmpty(s[i+1:])
		s = s[:i]
	}
	if i := strings.Index(s, ":"); i > 0 && anyFirstGrammar.MatchString(s[:i]) { // 2.4.2
		r.scheme = nonEmpty(s[:i])
		s = s[i+1:]
	}
	if strings.HasPrefix(s, "//") { // 2.4.3
		s = s[2:]
		i := strings.Index(s, "/")
		if i < 0 {
			i = len(s)
		}
		r.authority = nonEmpty(s[:i])
		s = s[i:]
	}
	if i := strings.Index(s, "?"); i >= 0 { // 2.4.4
		r.query = nonEmpty(s[i+1:])
		s = s[:i]
	}
	if i := strings.Index(s, ";"); i >= 0 && params { // 2.4.5
		r.params = nonEmpty(s[i+1:])
		s = s[:i]
	}
	r.path = s // 2.4.6
	return r
}

// relativeScheme is the loophole of RFC 3986 5.2.2, not strict.
func relativeScheme(rules Rules, r *reference, base reference) {
	if rules.SameScheme && strings.EqualFold(r.scheme.string, base.scheme.string) {
		r.scheme = part{}
	}
}

// lastSegmentRemoved is step 6a.
func lastSegmentRemoved(path string) string {
	return path[:strings.LastIndex(path, "/")+1]
}

// patterns is steps 6c to 6f, and 6g under the rules.
func patterns(rules Rules, buffer string) (_ string, above bool) {
	complete := func(i int) bool { return i == 0 || buffer[i-1] == '/' }
	for i := 0; i < len(buffer); { // c
		if complete(i) && strings.HasPrefix(buffer[i:], "./") {
			buffer = buffer[:i] + buffer[i+2:]
		} else {
			i++
		}
	}
	if strings.HasSuffix(buffer, ".") && complete(len(buffer)-1) { // d
		buffer = buffer[:len(buffer)-1]
	}
	first := func() int { return len(buffer) - len(strings.TrimPrefix(buffer, "/")) }
	for again := true; again; { // e
		again = false
		for i := first(); i < len(buffer); i++ {
			if i > first() && !complete(i) {
				continue
			}
			segment, rest, found := strings.Cut(buffer[i:], "/")
			if found && segment != ".." && strings.HasPrefix(rest, "../") {
				buffer = buffer[:i] + rest[len("../"):]
				again = true
				break
			}
		}
	}
	if before, found := strings.CutSuffix(buffer, "/.."); found && len(before) >= first() { // f
		i := max(first(), strings.LastIndex(before, "/")+1)
		if before[i:] != ".." {
			buffer = buffer[:i]
		}
	}
	root, rest := buffer[:first()], buffer[first():]
	for rest == ".." || strings.HasPrefix(rest, "../") { // g
		above = true
		rest = strings.TrimPrefix(rest[len(".."):], "/")
	}
	if rules.AboveRoot == RemoveAboveRoot {
		buffer = root + rest
	}
	return buffer, above
}

// literalDraft is the 1997 draft, section 5.2, which RFC 2396 5.2 kept.
func literalDraft(parse func(string) reference, rules Rules, base, ref string) answer {
	b, r := parse(base), parse(ref) // 1
	relativeScheme(rules, &r, b)
	if r.path == "" && !r.scheme.defined && !r.authority.defined && !r.query.defined { // 2
		return answer{url: reference{fragment: r.fragment}.recombine(), step: CurrentDocument}
	}
	if r.scheme.defined { // 3
		return answer{url: ref, step: Absolute}
	}
	if base == "" {
		return answer{url: ref, step: NoBase}
	}
	any := parse("1:").scheme.defined
	r.scheme = b.scheme
	if r.authority.defined { // 4
		return r.repaired(answer{step: NetworkPath}, any)
	}
	r.authority = b.authority
	if strings.HasPrefix(r.path, "/") { // 5
		return r.repaired(answer{step: AbsolutePath}, any)
	}
	a := answer{step: RelativePath}
	var above bool
	r.path, above = patterns(rules, lastSegmentRemoved(b.path)+r.path) // 6
	if above {
		a.departures |= WentAbove
	}
	return r.repaired(a, any)
}

// literalDraft02 is section 5.2 of draft -02.
func literalDraft02(rules Rules, base, ref string) answer {
	parse := appendixB(anyFirst)
	b, r := parse(base), parse(ref)
	relativeScheme(rules, &r, b)
	if r.scheme.defined || r.authority.defined || strings.HasPrefix(r.path, "/") ||
		r.path == "" && !r.query.defined || base == "" {
		return literalDraft(parse, rules, base, ref) // steps 1 to 5 are the same
	}
	r.scheme, r.authority = b.scheme, b.authority
	buffer := lastSegmentRemoved(b.path) + r.path // 6a, 6b
	if r.query.defined {                          // 6c
		buffer += "?" + r.query.string
	}
	a := answer{step: RelativePath}
	buffer, above := patterns(rules, buffer) // 6d to 6g
	if above {
		a.departures |= WentAbove
	}
	r.path, r.query.string, r.query.defined = strings.Cut(buffer, "?") // 6h, 6i
	return r.repaired(a, true)
}

// literalDraft01 is section 5.2 of draft -01.
func literalDraft01(rules Rules, base, ref string) answer {
	b, r := parse1808(base, false), parse1808(ref, false)
	relativeScheme(rules, &r, b)
	if r == (reference{fragment: r.fragment}) { // 2a
		return answer{url: r.recombine(), step: CurrentDocument}
	}
	return literalRFC1808Steps(rules, base, ref, b, r)
}

// literalRFC1808 is RFC 1808 4.
func literalRFC1808(rules Rules, base, ref string) answer {
	b, r := parse1808(base, true), parse1808(ref, true)
	relativeScheme(rules, &r, b)
	if ref == "" && base != "" { // 2a
		return answer{url: base, step: SameURI}
	}
	return literalRFC1808Steps(rules, base, ref, b, r)
}

func literalRFC1808Steps(rules Rules, base, ref string, b, r reference) answer {
	if r.scheme.defined { // 2b
		return answer{url: ref, step: Absolute}
	}
	if base == "" { // 1
		return answer{url: ref, step: NoBase}
	}
	r.scheme = b.scheme      // 2c
	if r.authority.defined { // 3
		return r.repaired(answer{step: NetworkPath}, true)
	}
	r.authority = b.authority
	if strings.HasPrefix(r.path, "/") { // 4
		return r.repaired(answer{step: AbsolutePath}, true)
	}
	if r.path == "" { // 5
		r.path = b.path
		if r.params.defined {
			return r.repaired(answer{step: SamePath}, true)
		}
		r.params = b.params
		if r.query.defined {
			return r.repaired(answer{step: SamePath}, true)
		}
		r.query = b.query
		return r.repaired(answer{step: SameURI}, true)
	}
	a := answer{step: RelativePath}
	var above bool
	r.path, above = patterns(rules, lastSegmentRemoved(b.path)+r.path) // 6
	if above {
		a.departures |= WentAbove
	}
	return r.repaired(a, true)
}

// literalRFC3986 is the pseudocode of RFC 3986 5.2.2.
func literalRFC3986(rules Rules, base, ref string) answer {
	parse := appendixB(letterFirst)
	b, r := parse(base), parse(ref)
	relativeScheme(rules, &r, b)
	var a answer
	dots := func(path string) string {
		path, above := removeDotSegments(rules, path)
		if above {
			a.departures |= WentAbove
		}
		return path
	}
	if r.scheme.defined {
		a.step = Absolute
		if r.path == "" || r.path[0] == '/' {
			r.path = dots(r.path)
		} else if path, _ := removeDotSegments(rules, r.path); path != r.path {
			a.departures |= LeftRootless
		}
		return r.repaired(a, false)
	}
	if base == "" {
		return answer{url: ref, step: NoBase}
	}
	switch {
	case r.authority.defined:
		a.step = NetworkPath
		r.path = dots(r.path)
	case r.path == "":
		a.step = SamePath
		r.path = b.path
		if !r.query.defined {
			a.step = SameURI
			r.query = b.query
		}
		r.authority = b.authority
	case strings.HasPrefix(r.path, "/"):
		a.step = AbsolutePath
		r.path = dots(r.path)
		r.authority = b.authority
	default:
		a.step = RelativePath
		if b.authority.defined && b.path == "" { // 5.2.3
			r.path = dots("/" + r.path)
		} else {
			r.path = dots(lastSegmentRemoved(b.path) + r.path)
		}
		r.authority = b.authority
	}
	r.scheme = b.scheme
	return r.repaired(a, false)
}

// removeDotSegments is RFC 3986 5.2.4 with two buffers.
func removeDotSegments(rules Rules, in string) (out string, above bool) {
	// The segments that are retained above the root stay in front of out.
	retained := ""
	up := func() {
		if out == "" {
			above = true
			if rules.AboveRoot == RetainAboveRoot {
				retained += "/.."
			}
		}
		out = out[:max(0, strings.LastIndex(out, "/"))]
	}
	for in != "" {
		switch {
		case strings.HasPrefix(in, "./"): // A
			in = in[len("./"):]
		case strings.HasPrefix(in, "../"), in == "..": // A, D
			above = true
			in = in[len(".."):]
			if rules.AboveRoot == RetainAboveRoot {
				retained = ".."
			} else {
				in = strings.TrimPrefix(in, "/")
			}
		case strings.HasPrefix(in, "/./"): // B
			in = in[len("/."):]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"): // C
			in = in[len("/.."):]
			up()
		case in == "/..":
			before := retained
			up()
			in = "/"
			if retained != before {
				in = ""
			}
		case in == ".": // D
			in = ""
		default: // E
			i := 1 + strings.Index(in[1:], "/")
			if i == 0 {
				i = len(in)
			}
			out += in[:i]
			in = in[i:]
		}
	}
	return retained + out, above
}
