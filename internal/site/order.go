package site

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
)

// An order is the rules of one file in the order in which a host tries them: it takes the first one that matches. Only rules are in it
// for which it is known which paths they match, all of these, and for every visitor.
type order struct {
	rules    []source.HostRule
	literals map[string]int // the first rule for a path
	patterns ruleIndex
	ranks    []int       // of the rules in patterns
	byStart  map[int]int // rules by where their From begins in the file
	forms    ruleForms
}

// ruleForms are what hosts that read the same file do not agree on.
type ruleForms struct {
	// anySlash says that a slash at the end makes no difference, and that "/a/*" also matches "/a", as for Netlify. Others compare paths as
	// they are.
	anySlash bool
	// noErrors says that the host ignores rules with a status of errors, and those that show one page for all paths, as Cloudflare and
	// GitLab do.
	noErrors bool
}

// maxNameless is the number of patterns without a whole name, such as "/:x/:y", that a path is compared with.
const maxNameless = 100

// newOrder returns the order of the rules of a file.
func newOrder(rules []source.HostRule, forms ruleForms) *order {
	o := &order{rules: rules, literals: map[string]int{}, byStart: map[int]int{}, forms: forms}
	for i := range rules {
		r := &rules[i]
		o.byStart[r.FromSpan.Start] = i
		if r.IsForSome || r.HasQuery || forms.noErrors && (r.IsError || r.IsRewrite && strings.HasSuffix(r.To, "/index.html")) {
			continue
		}
		p, ok := newRulePattern(r, forms.anySlash)
		if !ok {
			continue
		}
		if p.expr == "" {
			key := o.key(r.From)
			if _, again := o.literals[key]; !again {
				o.literals[key] = i
			}
			continue
		}
		re, err := regexp.Compile(p.expr)
		if err != nil || len(p.names) == 0 && len(o.patterns.others) == maxNameless {
			continue
		}
		o.ranks = append(o.ranks, i)
		o.patterns.put(redirect{from: re}, p.names)
	}
	return o
}

// key returns what the host compares of a path.
func (o *order) key(u string) string {
	if o.forms.anySlash {
		return "/" + strings.Trim(u, "/")
	}
	return u
}

// first returns the index of the first rule that is known to match a path, or -1.
func (o *order) first(u string) int {
	best, ok := o.literals[o.key(u)]
	if k := o.patterns.first(u); k >= 0 && (!ok || o.ranks[k] < best) {
		return o.ranks[k]
	}
	if !ok {
		return -1
	}
	return best
}

// cover returns the rule because of which the rule i is never used: each path that it is for is matched by earlier ones. It returns nil if
// there is none, or if that is not known.
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

// A rulePattern is which paths a rule matches.
type rulePattern struct {
	expr  string   // a regular expression; "" for the path itself
	names []string // that are in the path of each URL that it matches
}

// anyName stands for a name that no rule has.
const anyName = "\x01"

// ruleTokens matches what stands for a part of a path, by the file; Azure has only an asterisk at the end.
var ruleTokens = map[string]*lazy.Regexp{
	"_redirects":               lazy.New(`\*|:[A-Za-z_]\w*`),
	"netlify.toml":             lazy.New(`\*|:[A-Za-z_]\w*`),
	"vercel.json":              lazy.New(`/:\w+[*+]|:\w+\([^()]*\)|:\w+|\([^()]*\)`),
	"firebase.json":            lazy.New(`/\*\*|\*|/:\w+\*|:\w+`),
	"staticwebapp.config.json": lazy.New(`/\*$`),
}

// A ruleToken is what a part of a rule stands for.
type ruleToken struct {
	expr   string
	values []string // that stand for all others; nil if there are none
}

// tokenOf returns what a token of a file stands for.
func tokenOf(file, token string) ruleToken {
	below := []string{"/" + anyName, "/" + anyName + "/" + anyName}
	if i := strings.IndexByte(token, '('); i >= 0 {
		if inner := token[i+1 : len(token)-1]; inner != ".*" {
			return ruleToken{"(?:" + inner + ")", nil}
		}
		return anyRest
	}
	switch last := token[len(token)-1]; {
	case token == "*" && file != "firebase.json":
		return anyRest
	case token[0] != '/':
		return ruleToken{"[^/]+", []string{anyName}}
	case token[1] == ':' && last == '*':
		return ruleToken{"(?:/.*)?", append(below, "")}
	case last == '+':
		return ruleToken{"/.+", below}
	}
	return ruleToken{"/.*", append(below, "/")}
}

// anyRest is a token for anything, also nothing.
var anyRest = ruleToken{".*", []string{anyName, anyName + "/" + anyName, ""}}

// notPlain are the characters that mean something in a path outside of tokens, by the file.
var notPlain = map[string]string{
	"vercel.json":              `(){}?*+\`,
	"firebase.json":            `(){}[]?*+!@\`,
	"staticwebapp.config.json": `{}*`,
}

// newRulePattern returns which paths a rule matches. ok is false if that is not known.
func newRulePattern(r *source.HostRule, anySlash bool) (p rulePattern, ok bool) {
	switch {
	case strings.Contains(r.From, "{{"):
		return p, false
	case r.File == ".htaccess" && r.IsRegexp:
		return rulePattern{r.From, namesOfRegexp(r.From)}, true
	case r.IsRegexp || !strings.HasPrefix(r.From, "/"):
		return p, false
	case r.IsPrefix:
		tail := "(?:/.*)?$"
		if strings.HasSuffix(r.From, "/") {
			tail = ".*$"
		}
		return rulePattern{"^" + regexp.QuoteMeta(r.From) + tail, namesIn(r.From)}, true
	}
	parts, ok := partsOfRule(r)
	if !ok || len(parts) == 1 && parts[0].values != nil && parts[0].expr == "" {
		return p, ok
	}
	var b strings.Builder
	b.WriteString("^")
	for i, t := range parts {
		if t.expr != "" {
			b.WriteString(t.expr)
			continue
		}
		text, last := t.values[0], i == len(parts)-1
		if dir, isDir := strings.CutSuffix(text, "/"); anySlash && isDir && (last || i == len(parts)-2 && parts[i+1].expr == anyRest.expr) {
			b.WriteString(regexp.QuoteMeta(dir))
			if !last {
				b.WriteString("(?:/.*)?")
			}
			break
		}
		b.WriteString(regexp.QuoteMeta(text))
	}
	if anySlash {
		b.WriteString("/?")
	}
	return rulePattern{b.String() + "$", namesIn(r.From)}, true
}

// partsOfRule returns what the path of a rule consists of. The expression of a text is "", and the text its value.
func partsOfRule(r *source.HostRule) (parts []ruleToken, ok bool) {
	from, last := r.From, 0
	add := func(text string) bool {
		if text != "" {
			parts = append(parts, ruleToken{"", []string{text}})
		}
		return !strings.ContainsAny(text, notPlain[r.File])
	}
	if tokens := ruleTokens[r.File]; tokens != nil {
		for _, m := range tokens.FindAllStringIndex(from, -1) {
			if !add(from[last:m[0]]) {
				return nil, false
			}
			parts, last = append(parts, tokenOf(r.File, from[m[0]:m[1]])), m[1]
		}
	}
	return parts, add(from[last:])
}

// ruleProbes returns paths that a rule matches, such that a rule with placeholders that matches all of them matches all paths of the rule.
// It returns nil if there are none.
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
	case !strings.HasPrefix(r.From, "/") || strings.Contains(r.From, "{{"):
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

// ruleFormsOf returns the forms of the rules of a file: for those that several hosts read, the files of a host beside it, or at the top of the
// repository, show which one does.
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
	return ruleForms{noErrors: has("wrangler.toml", "wrangler.json", "wrangler.jsonc", ".gitlab-ci.yml")}
}

// ruleStart returns where in the text of a file a rule for a path must be inserted so that it is used: before the first rule that may match
// the path, with the comment above that. It returns -1 if the end will do, and if that rule is for just this path: what somebody has
// decided about it stays.
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
