package source

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/conf"
	"example.org/refract/internal/literal"
)

// A HostRule is a rule of a file in the repository that the host of a site follows: a redirect, or a rewrite.
type HostRule struct {
	File string // base name of the file
	Path string // absolute path of the file
	// From and To are the URLs as written, with escapes undone; From may be a pattern.
	From, To         string
	FromSpan, ToSpan scan.Span // in the file, without quotes; zero means unknown
	IsRewrite        bool      // the host shows the page at To under the URL From
	IsError          bool      // the host shows To as a page for errors, or its own one if To is ""
	IsForSome        bool      // the rule does not apply to everyone: it has conditions
	HasQuery         bool      // the rule applies to URLs with certain queries only
	IsForHost        bool      // the rule applies to requests for certain hosts only, of which the site may be none
	IsPrefix         bool      // the rule also applies to all URLs below From, and adds the rest to To
	IsRegexp         bool      // From is a regular expression
	IgnoresCase      bool      // From matches letters in either case
	IsUnusual        bool      // the line has more words than two and a status, or a status that not all hosts have
}

// hostFiles are the files with rules, and what reads them. The order is that in which rules apply.
var hostFiles = []struct {
	name string
	read func(file string, text []byte) []HostRule
}{
	{"vercel.json", vercelRules},
	{"_redirects", redirectLines},
	{"netlify.toml", netlifyRules},
	{"firebase.json", firebaseRules},
	{"staticwebapp.config.json", azureRules},
	{".htaccess", apacheRules},
}

// HostRules returns the rules of the files in a directory, in the order in which they apply.
func (t *Tree) HostRules(dir string) (all []HostRule) {
	for _, f := range hostFiles {
		if file := path.Join(dir, f.name); t.IsFile(file) {
			all = append(all, f.read(file, t.Config(file))...)
		}
	}
	return all
}

// RulesOf returns the rules in the text of a file, in the order in which they apply.
func RulesOf(file string, text []byte) []HostRule {
	for _, f := range hostFiles {
		if f.name == path.Base(file) {
			return f.read(file, text)
		}
	}
	return nil
}

// HasBothSlashes reports whether the host whose file is in a directory shows a page at "/x" and "/x/"
// alike, or only at "/x". A host with vercel.json does so by default.
func (t *Tree) HasBothSlashes(dir string) bool {
	file := path.Join(dir, "vercel.json")
	return t.IsFile(file) && !readConf(file, t.Config(file)).Lookup("trailingSlash").IsTrue(false)
}

// readConf returns the value of a configuration of a host.
func readConf(file string, text []byte) Value {
	return Value{conf.Read(file, text).Value}
}

// A ruleList makes rules of a file.
type ruleList struct {
	file  string
	rules []HostRule
}

// add adds a rule, unless a part of it is computed.
func (l *ruleList) add(from, to Value, r HostRule) {
	if from.Kind != literal.String || to.Kind != literal.String {
		return
	}
	r.File, r.Path = path.Base(l.file), l.file
	r.From, r.To, r.FromSpan, r.ToSpan = from.Text, to.Text, from.Span, to.Span
	l.rules = append(l.rules, r)
}

func vercelRules(file string, text []byte) []HostRule {
	l := ruleList{file: file}
	config := readConf(file, text)
	for _, key := range []string{"redirects", "rewrites"} {
		for _, r := range config.Lookup(key).List() {
			conditions := slices.Concat(r.Lookup("has").List(), r.Lookup("missing").List())
			isForHost := slices.ContainsFunc(conditions, func(c Value) bool {
				return c.Lookup("type").Or("") == "host" || strings.EqualFold(c.Lookup("key").Or(""), "host")
			})
			l.add(r.Lookup("source"), r.Lookup("destination"), HostRule{IsRewrite: key == "rewrites", IsForSome: len(conditions) > 0, IsForHost: isForHost})
		}
	}
	return l.rules
}

func netlifyRules(file string, text []byte) []HostRule {
	l := ruleList{file: file}
	for _, r := range readConf(file, text).Lookup("redirects").List() {
		rule := HostRule{IsForSome: r.Lookup("conditions").IsGiven(), HasQuery: r.Lookup("query").IsGiven()}
		rule.setStatus(r.Lookup("status").Or(""))
		l.add(r.Lookup("from"), r.Lookup("to"), rule)
	}
	return l.rules
}

// setStatus sets what a status says, such as "301" or "200!".
func (r *HostRule) setStatus(status string) {
	if len(strings.TrimSuffix(status, "!")) != len("404") {
		return
	}
	r.IsRewrite, r.IsError = status[0] == '2', status[0] == '4'
}

// RedirectLines reads rules of the form "from to status", one per line, as in _redirects.
func RedirectLines(file string, text []byte) []HostRule {
	rules := redirectLines(file, text)
	for i := range rules {
		rules[i].File = "_redirects"
	}
	return rules
}

func redirectLines(file string, text []byte) []HostRule {
	l := ruleList{file: file}
	at := 0
	for line := range bytes.Lines(text) {
		start := at
		at += len(line)
		before, _, _ := bytes.Cut(line, []byte(" #"))
		words := wordsOf(string(before), start)
		if len(words) < 2 || strings.HasPrefix(words[0].Text, "#") {
			continue
		}
		r, to := HostRule{}, words[1]
		if strings.Contains(to.Text, "=") && len(words) > 2 && !strings.HasPrefix(to.Text, "/") { // from query=:x to
			to, r.HasQuery = words[2], true
		}
		r.IsUnusual = len(bytes.Fields(line)) > 3 || len(words) == 3 && !slices.Contains(commonStatuses, words[2].Text)
		for _, w := range words[2:] {
			r.IsForSome = r.IsForSome || isCondition(w.Text)
			if w.Text[0] >= '2' && w.Text[0] <= '4' {
				r.setStatus(w.Text)
			}
		}
		l.add(words[0], to, r)
	}
	return l.rules
}

// commonStatuses are those that each host has which reads _redirects.
var commonStatuses = []string{"200", "301", "302", "303", "307", "308"}

// wordsOf returns the words of a line that begins at an offset.
func wordsOf(line string, offset int) (words []Value) {
	for at := 0; at < len(line); {
		start := at
		for at < len(line) && strings.IndexByte(" \t\r\n", line[at]) < 0 {
			at += max(1, templateLength(line[at:]))
		}
		if at > start {
			words = append(words, Value{literal.Value{Kind: literal.String, Text: line[start:at], Span: scan.Span{Start: offset + start, End: offset + at}}})
		}
		at++
	}
	return words
}

// templateLength returns the length of the template {{ … }} that a text begins with, or 0.
func templateLength(text string) int {
	const longest = 200
	end := -1
	if strings.HasPrefix(text, "{{") {
		end = strings.Index(text[:min(len(text), longest)], "}}")
	}
	if end < 0 {
		return 0
	}
	return end + len("}}")
}

// isCondition reports whether a word restricts a rule to some visitors: Country=de.
func isCondition(word string) bool {
	key, _, ok := strings.Cut(word, "=")
	return ok && slices.Contains([]string{"country", "language", "role", "cookie"}, strings.ToLower(key))
}

func firebaseRules(file string, text []byte) []HostRule {
	l := ruleList{file: file}
	hostings := readConf(file, text).Lookup("hosting").List()
	for _, h := range hostings {
		for _, key := range []string{"redirects", "rewrites"} {
			for _, r := range h.Lookup(key).List() {
				from, isRegexp := r.Lookup("source"), false
				if !from.IsGiven() {
					from, isRegexp = r.Lookup("regex"), true
				}
				if r.Lookup("function").IsGiven() || r.Lookup("run").IsGiven() {
					l.add(from, noTarget, HostRule{IsRewrite: true, IsForSome: true, IsRegexp: isRegexp})
				}
				l.add(from, r.Lookup("destination"), HostRule{IsRewrite: key == "rewrites", IsForSome: len(hostings) > 1, IsRegexp: isRegexp})
			}
		}
	}
	return l.rules
}

func azureRules(file string, text []byte) []HostRule {
	l := ruleList{file: file}
	for _, r := range readConf(file, text).Lookup("routes").List() {
		if methods := r.Lookup("methods"); methods.IsGiven() && !has(methods, "GET") {
			continue
		}
		roles, to, shown := r.Lookup("allowedRoles"), r.Lookup("redirect"), r.Lookup("rewrite")
		rule := HostRule{IsForSome: roles.IsGiven() && !has(roles, "anonymous")}
		switch {
		case strings.HasPrefix(r.Lookup("statusCode").Or(""), "4"), !to.IsGiven() && !shown.IsGiven(): // no later rule counts
			rule.IsError = true
			l.add(r.Lookup("route"), noTarget, rule)
		case to.IsGiven():
			l.add(r.Lookup("route"), to, rule)
		default:
			rule.IsRewrite = true
			l.add(r.Lookup("route"), shown, rule)
		}
	}
	return l.rules
}

// has reports whether a list has a text.
func has(list Value, text string) bool {
	return slices.ContainsFunc(list.List(), func(v Value) bool { return strings.EqualFold(v.Or(""), text) })
}

// noTarget is the target of a rule without one.
var noTarget = Value{literal.Value{Kind: literal.String}}

// apacheRules reads the directives of mod_alias, and RewriteRule, of a .htaccess file. RewriteRule is for
// some visitors: it depends on conditions and on other rules.
func apacheRules(file string, text []byte) []HostRule {
	l := ruleList{file: file}
	at := 0
	var sections []string
	for line := range bytes.Lines(text) {
		start := at
		at += len(line)
		words := joined(string(line), start, wordsOf(string(line), start))
		if len(words) == 0 {
			continue
		}
		switch first := strings.ToLower(words[0].Text); {
		case strings.HasPrefix(first, "</"):
			sections = sections[:max(0, len(sections)-1)]
		case strings.HasPrefix(first, "<"):
			sections = append(sections, first)
		case isAlias(first) && len(words) > 2:
			r := HostRule{IsForSome: !isUnconditional(sections), IsPrefix: first != "redirectmatch", IsRegexp: first == "redirectmatch"}
			args := words[1:]
			if strings.Trim(args[0].Text, "0123456789") == "" || isStatusName(args[0].Text) {
				args = args[1:]
			}
			if len(args) == 1 { // what is gone
				r.IsError = true
				args = append(args, noTarget)
			}
			if len(args) > 1 {
				l.add(unquoted(args[0]), unquoted(args[1]), r)
			}
		case first == "rewriterule" && len(words) > 2:
			flags := ""
			if len(words) > 3 {
				flags = words[3].Text
			}
			r := HostRule{IsRegexp: true, IsForSome: true, IsRewrite: !hasFlag(flags, "r", "redirect"), IgnoresCase: hasFlag(flags, "nc", "nocase")}
			l.add(unquoted(words[1]), unquoted(words[2]), r)
		}
	}
	return l.rules
}

// joined returns the words of a line that begins at an offset, with one for those that double quotes are around.
func joined(line string, offset int, words []Value) []Value {
	all := words[:0]
	isOpen := false // a quote has no end
	for i := 0; i < len(words); i++ {
		v := words[i]
		if v.Text[0] == '"' && !isOpen {
			end := slices.IndexFunc(words[i:], func(w Value) bool { return strings.HasSuffix(w.Text, `"`) && (w.Span != v.Span || len(w.Text) > 1) })
			isOpen = end < 0
			i += max(0, end)
			v.Span.End = words[i].Span.End
			v.Text = line[v.Span.Start-offset : v.Span.End-offset]
		}
		all = append(all, v)
	}
	return all
}

func isAlias(directive string) bool {
	return slices.Contains([]string{"redirect", "redirectmatch", "redirectpermanent", "redirecttemp"}, directive)
}

func isStatusName(word string) bool {
	return slices.Contains([]string{"permanent", "temp", "seeother", "gone"}, strings.ToLower(word))
}

// hasFlag reports whether flags of a RewriteRule, such as [R=301,L], have one, by its short or its long name.
func hasFlag(flags, short, long string) bool {
	for f := range strings.SplitSeq(strings.Trim(flags, "[]"), ",") {
		if name, _, _ := strings.Cut(strings.ToLower(f), "="); name == short || name == long {
			return true
		}
	}
	return false
}

// unquoted returns a word without double quotes around it.
func unquoted(v Value) Value {
	if n := len(v.Text); n >= 2 && v.Text[0] == '"' && v.Text[n-1] == '"' {
		v.Text, v.Span.Start, v.Span.End = v.Text[1:n-1], v.Span.Start+1, v.Span.End-1
	}
	return v
}
