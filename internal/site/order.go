package site

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
)

// An order is the rules of one file in the order in which a host tries them: the first match wins. It
// contains only rules that are known to match certain paths, all of them, and for every visitor.
type order struct {
	rules   []source.HostRule
	index   ruleIndex
	ranks   []int       // of the rules in index
	byStart map[int]int // rules by where their From begins in the file
}

// ruleForms are what hosts that read the same file do not agree on.
type ruleForms struct {
	// anySlash says that a slash at the end makes no difference, and that "/a/*" also matches "/a", as for
	// Netlify. Others compare paths as they are.
	anySlash bool
	// noErrors says that the host ignores rules with a status of errors, and those that show one page for all
	// paths, as Cloudflare and GitLab do.
	noErrors bool
	// isCloudflare says that lines with more than three words are ignored as well, and those with other
	// statuses than its own.
	isCloudflare bool
}

// forLinks returns the forms by which links are checked: what is not known about a slash at the end is no finding.
func (f ruleForms) forLinks(file string) ruleForms {
	f.anySlash = f.anySlash || !f.isCloudflare && file != "firebase.json" && file != ".htaccess"
	return f
}

// ignores reports whether a host drops a rule.
func (f ruleForms) ignores(r *source.HostRule) bool {
	if f.noErrors && (r.IsError || r.IsRewrite && strings.HasSuffix(r.To, "/index.html")) {
		return true
	}
	return f.isCloudflare && (strings.Count(r.From, "*") > 1 || r.IsForSome || r.HasQuery || r.IsUnusual || !strings.HasPrefix(r.From, "/") || r.IsRewrite && strings.Contains(r.To, "://"))
}

// maxNameless is the number of patterns without a whole name, such as "/:x/:y", that a path is compared with.
const maxNameless = 100

// newOrder returns the order of the rules of a file.
func newOrder(rules []source.HostRule, forms ruleForms) *order {
	o := &order{rules: rules, byStart: map[int]int{}}
	for i := range rules {
		r := &rules[i]
		o.byStart[r.FromSpan.Start] = i
		if r.IsForSome || r.HasQuery || forms.ignores(r) {
			continue
		}
		p, ok := newRulePattern(r, forms)
		if !ok || len(p.names) == 0 && len(o.index.others) == maxNameless {
			continue
		}
		re, err := regexp.Compile(p.expr)
		if err != nil {
			continue
		}
		o.ranks = append(o.ranks, i)
		o.index.put(redirect{from: re, head: p.head}, p.names)
	}
	return o
}

// first returns the index of the first rule that is known to match a path, or -1.
func (o *order) first(u string) int {
	if k := o.index.first(u); k >= 0 {
		return o.ranks[k]
	}
	return -1
}

// cover returns the earlier rule that makes the rule i unreachable: earlier ones match each of its paths.
// It returns nil if there is none, or if that is not known.
func (o *order) cover(i int) *source.HostRule {
	r := &o.rules[i]
	probes := ruleProbes(r)
	if len(probes) == 0 {
		return nil
	}
	var by *source.HostRule
	for _, u := range probes {
		k := o.first(u)
		if k < 0 || k >= i {
			return nil
		}
		if by == nil {
			by = &o.rules[k]
		}
	}
	return by
}

// A rulePattern is which paths a rule matches, and where it leads.
type rulePattern struct {
	expr  string   // a regular expression, with groups for the parts that To may have
	head  string   // that each URL begins with
	names []string // that are in the path of each URL that it matches
	to    string   // for [regexp.Regexp.ExpandString]
}

// anyName stands for a name that no rule has.
const anyName = "\x01"

// ruleTokens matches what stands for a part of a path, by the file.
var ruleTokens = map[string]*lazy.Regexp{
	"_redirects":               lazy.New(`\*|:[A-Za-z_]\w*`),
	"netlify.toml":             lazy.New(`\*|:[A-Za-z_]\w*`),
	"vercel.json":              pathTokens,
	"staticwebapp.config.json": lazy.New(`/\*$|/index\.html$|\*\.(?:\w+|\{\w+(?:,\w+)*\})$`),
}

var (
	// pathTokens matches those of path-to-regexp.
	pathTokens = lazy.New(`/:\w+[*+?]|:\w+\((?:[^()]|\([^()]*\))*\)|:\w+|\((?:[^()]|\([^()]*\))*\)`)
	// globTokens matches those of minimatch.
	globTokens = lazy.New(`/\*\*|\*+|\?|\[[\w-]+\]|@\([^()]*\)|\{[^{},]*(?:,[^{},]*)+\}`)
	// withPart matches a target of Firebase with a placeholder: only then the source may have some, and it is a
	// glob otherwise.
	withPart = lazy.New(`(?:^|/):`)
)

// tokensOf matches what stands for a part of the path of a rule; nil if nothing does.
func tokensOf(r *source.HostRule) *lazy.Regexp {
	switch {
	case r.File != "firebase.json":
		return ruleTokens[r.File]
	case withPart.MatchString(r.To):
		return pathTokens
	}
	return globTokens
}

// A ruleToken is what a part of a rule stands for.
type ruleToken struct {
	expr   string
	values []string // that stand for all others; nil if there are none
}

// below are paths that stand for all below a directory.
var below = []string{"/" + anyName, "/" + anyName + "/" + anyName}

// globToken returns what a token of minimatch stands for; before and after are the path around it.
func globToken(token, before, after string) ruleToken {
	switch token[0] {
	case '/':
		if after == "" {
			return ruleToken{"/.*", append(below, "/")}
		}
		if after[0] == '/' {
			return ruleToken{"(?:/.*)?", append(below, "")}
		}
		return ruleToken{"/[^/]*", []string{"/" + anyName}}
	case '*':
		if strings.HasSuffix(before, "/") && (after == "" || after[0] == '/') {
			return ruleToken{"[^/]+", []string{anyName}}
		}
		return ruleToken{"[^/]*", []string{anyName, ""}}
	case '?':
		return ruleToken{"[^/]", nil}
	case '[':
		return ruleToken{token, nil}
	}
	list, separator := token[1:len(token)-1], ","
	if token[0] == '@' {
		list, separator = token[2:len(token)-1], "|"
	}
	var quoted []string
	values := strings.Split(list, separator)
	for _, v := range values {
		if strings.ContainsAny(v, "*?[]{}()") {
			return ruleToken{"(", nil} // no expression: not known
		}
		quoted = append(quoted, regexp.QuoteMeta(v))
	}
	return ruleToken{"(?:" + strings.Join(quoted, "|") + ")", values}
}

// pathToken returns what a token of a path with placeholders stands for.
func pathToken(r *source.HostRule, token string) ruleToken {
	if token == "*" {
		return anyRest
	}
	if r.File == "staticwebapp.config.json" {
		return azureToken(token)
	}
	if i := strings.IndexByte(token, '('); i >= 0 {
		expr := token[i:]
		if i > 0 {
			expr = "(?P<" + token[1:i] + ">" + token[i+1:]
		}
		if token[i:] == "(.*)" {
			return ruleToken{expr, anyRest.values}
		}
		return ruleToken{expr, nil}
	}
	if token[0] != '/' {
		return ruleToken{"(?P<" + token[1:] + ">[^/]+)", []string{anyName}}
	}
	name := token[2 : len(token)-1]
	last := token[len(token)-1]
	if r.File == "firebase.json" && last != '+' && !strings.Contains(r.To, token) { // nothing points there without the part, or with several
		return ruleToken{"/(?P<" + name + ">[^/]+)", []string{"/" + anyName}}
	}
	switch last {
	case '*':
		return ruleToken{"(?:/(?P<" + name + ">.+?))?", append(below, "")}
	case '+':
		return ruleToken{"/(?P<" + name + ">.+?)", below}
	}
	return ruleToken{"(?:/(?P<" + name + ">[^/]+))?", []string{"/" + anyName, ""}}
}

// azureToken returns what a token of Azure stands for: it also compares a path that has no suffix with "index.html" added.
func azureToken(token string) ruleToken {
	switch token {
	case "/*":
		return ruleToken{"(?:/.*)?", append(below, "/", "")}
	case "/index.html":
		return ruleToken{`(?:/(?:index\.html)?)?`, []string{token, "/", ""}}
	}
	suffixes := strings.ReplaceAll(strings.Trim(token, "*.{}"), ",", "|")
	return ruleToken{`.*\.(?:` + suffixes + ")", nil}
}

// anyRest is a token for anything, also nothing.
var anyRest = ruleToken{"(?P<splat>.*)", []string{anyName, anyName + "/" + anyName, ""}}

// notPlain are the characters that mean something in a path outside of tokens, by the file.
var notPlain = map[string]string{
	"vercel.json":              `(){}?*+\`,
	"firebase.json":            `(){}[]?*+!@\`,
	"staticwebapp.config.json": `{}*`,
}

// newRulePattern returns which paths a rule matches. ok is false if that is not known.
func newRulePattern(r *source.HostRule, forms ruleForms) (p rulePattern, ok bool) {
	p.to = targetParam.ReplaceAllString(r.To, "$${$1$2}")
	switch {
	case r.IsRegexp && r.File == "firebase.json":
		p.to = groupParam.ReplaceAllString(p.to, "$${$1}")
	case r.File == "staticwebapp.config.json":
		p.to = strings.ReplaceAll(r.To, "$", "$$")
	}
	from := pathOfRule(r)
	switch {
	case strings.Contains(r.From, "{{"):
		return p, false
	case r.IsRegexp:
		p.expr, p.head, p.names = r.From, headOfRegexp(r.From), namesOfRegexp(r.From)
		return p, r.File == ".htaccess" || r.File == "firebase.json"
	case !strings.HasPrefix(from, "/"):
		return p, false
	}
	p.names = namesIn(from)
	if r.IsPrefix {
		p.head, p.expr, p.to = from, "^"+regexp.QuoteMeta(from)+"(?P<rest>/.*)?$", p.to+"${rest}"
		if strings.HasSuffix(from, "/") {
			p.expr = "^" + regexp.QuoteMeta(from) + "(?P<rest>.*)$"
		}
		return p, true
	}
	parts, ok := partsOfRule(r)
	if len(parts) > 0 && parts[0].expr == "" {
		p.head = strings.TrimSuffix(parts[0].values[0], "/")
	}
	if i := strings.IndexAny(p.head, notPlain[r.File]); i >= 0 {
		p.head = p.head[:i]
	}
	p.expr = exprOf(parts, forms.anySlash) + "$"
	if forms.anySlash || r.File == "firebase.json" {
		p.expr = strings.TrimSuffix(p.expr, "$") + "/?$"
	}
	return p, ok
}

// exprOf returns a regular expression for the parts of a path.
func exprOf(parts []ruleToken, anySlash bool) string {
	var b strings.Builder
	b.WriteString("^")
	for i, t := range parts {
		isBeforeRest := i == len(parts)-2 && parts[i+1].expr == anyRest.expr
		if t.expr != "" {
			b.WriteString(t.expr)
			continue
		}
		dir, isDir := strings.CutSuffix(t.values[0], "/")
		switch {
		case !anySlash || !isBeforeRest && (!isDir || i < len(parts)-1):
			b.WriteString(regexp.QuoteMeta(t.values[0]))
		case isBeforeRest && isDir:
			return b.String() + regexp.QuoteMeta(dir) + "(?:/" + anyRest.expr + ")?"
		case isBeforeRest:
			b.WriteString(regexp.QuoteMeta(dir) + "/?")
		default:
			b.WriteString(regexp.QuoteMeta(dir))
		}
	}
	return b.String()
}

// pathOfRule returns the path of a rule as hosts compare it with one without escapes: without them, except for Apache.
func pathOfRule(r *source.HostRule) string {
	from := r.From
	if r.File == ".htaccess" {
		return from
	}
	if r.File == "firebase.json" && !strings.HasPrefix(from, "/") {
		from = "/" + from
	}
	return ascii.UnescapeAll(from)
}

// partsOfRule returns what the path of a rule consists of. The expression of a text is "", and the text its value.
func partsOfRule(r *source.HostRule) (parts []ruleToken, ok bool) {
	from, last := pathOfRule(r), 0
	ok = true
	add := func(text string) {
		if text != "" {
			parts = append(parts, ruleToken{"", []string{text}})
		}
		ok = ok && !strings.ContainsAny(text, notPlain[r.File])
	}
	if tokens := tokensOf(r); tokens != nil {
		for _, m := range tokens.FindAllStringIndex(from, -1) {
			add(from[last:m[0]])
			token := from[m[0]:m[1]]
			if tokens == globTokens {
				parts = append(parts, globToken(token, from[:m[0]], from[m[1]:]))
			} else {
				parts = append(parts, pathToken(r, token))
			}
			last = m[1]
		}
	}
	add(from[last:])
	return parts, ok
}

// ruleProbes returns paths that a rule matches, such that a rule with placeholders that matches all of them
// matches all paths of the rule. It returns nil if there are none.
func ruleProbes(r *source.HostRule) (all []string) {
	switch {
	case r.IsRegexp:
		m := plainRegexp.FindStringSubmatch(r.From)
		if m == nil || r.File != ".htaccess" {
			return nil
		}
		u := strings.ReplaceAll(m[1], `\.`, ".")
		if m[2] == "" {
			return []string{u}
		}
		return []string{u, u + "/"}
	case !strings.HasPrefix(pathOfRule(r), "/") || strings.Contains(r.From, "{{"):
		return nil
	case r.IsPrefix:
		return []string{r.From, strings.TrimSuffix(r.From, "/") + "/" + anyName}
	}
	parts, ok := partsOfRule(r)
	if !ok {
		return nil
	}
	all = []string{""}
	for _, t := range parts {
		if len(t.values) == 0 || len(t.values) > 1 && len(all) > 1 {
			return nil // an expression, or two that may stand for several names
		}
		next := make([]string, 0, len(t.values)*len(all))
		for _, before := range all {
			for _, v := range t.values {
				next = append(next, before+v)
			}
		}
		all = next
	}
	return all
}

// plainRegexp matches a regular expression for one path.
var plainRegexp = lazy.New(`^\^(/(?:[\w/-]|\\\.)*?)(/\?)?\$$`)

// ruleFormsOf returns the forms of the rules of a file. If several hosts read such a file, the other files
// of a host beside it, or at the top of the repository, show which one does.
func ruleFormsOf(t *source.Tree, file string) ruleForms {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return t.IsFile(path.Dir(file)+"/"+name) || t.IsFile(t.Root+"/"+name)
		})
	}
	switch {
	case path.Base(file) == "netlify.toml":
		return ruleForms{anySlash: true}
	case path.Base(file) != "_redirects":
		return ruleForms{}
	case has("netlify.toml"):
		return ruleForms{anySlash: true}
	}
	isCloudflare := has("wrangler.toml", "wrangler.json", "wrangler.jsonc")
	return ruleForms{noErrors: isCloudflare || has(".gitlab-ci.yml"), isCloudflare: isCloudflare}
}

// ruleStart returns where in the text of a file a rule for a path must be inserted to take effect: before
// the first rule that may match the path, with the comment above that. It returns -1 if the end will do,
// and if that rule is for just this path: an existing decision about it stays.
func ruleStart(file string, text []byte, from string) int {
	rules := source.RulesOf(file, text)
	k := newOrder(rules, ruleForms{anySlash: path.Base(file) != ".htaccess"}).first(from)
	if k < 0 || rules[k].From == from {
		return -1
	}
	at := lineStart(text, rules[k].FromSpan.Start)
	if strings.HasSuffix(file, ".toml") {
		heads := tomlRedirects.Compiled().FindAllIndex(text[:at], -1)
		if len(heads) == 0 {
			return -1
		}
		at = lineStart(text, heads[len(heads)-1][1])
	}
	for at > 0 {
		above := lineStart(text, at-1)
		if !bytes.HasPrefix(bytes.TrimLeft(text[above:at], " \t"), []byte("#")) {
			break
		}
		at = above
	}
	return at
}

// lineStart returns where the line begins in which the offset at is.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }
