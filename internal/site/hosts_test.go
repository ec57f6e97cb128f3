package site

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"example.org/refract/internal/site/source"
)

// ruleAmongAll is what ruleFor finds, among all rules.
func (h *hostRules) ruleAmongAll(u string) *redirect {
	for _, f := range h.files {
		if i := slices.IndexFunc(f.all.rules, func(r redirect) bool { return r.from.MatchString(u) }); i >= 0 && f.all.rules[i].to != "" {
			return &f.all.rules[i]
		}
		if i := slices.IndexFunc(f.some.rules, func(r redirect) bool { return r.from.MatchString(u) }); i >= 0 {
			return &f.some.rules[i]
		}
	}
	return nil
}

// Rules are looked up by a name in the path. What is found is the first that matches.
func TestRuleFor(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	piece := func(all ...string) string { return all[random.Intn(len(all))] }
	found := 0
	for range 300 {
		h := &hostRules{}
		for range 1 + random.Intn(12) {
			from, expr := "", piece("^", "^", "", "^/?")
			for i := range 1 + random.Intn(4) {
				from += "/" + piece("a", "b", "c.html", ":x", ":y*", "*", "a-:z", "(.*)", ":v(a|b)", "b*", ":w(a/b)")
				if i > 0 || expr != "^/?" {
					expr += piece("/", "/", "/?", "")
				}
				expr += piece("a", "b", `c\.html`, "(.*)", "[ab]", "(?:a/b)?", "(a|b)", "a?", "(?i)A", "x|a", `\(`)
			}
			expr += piece("$", "$", "/?$", "", "/")
			if random.Intn(2) == 0 {
				h.addFile([]source.HostRule{{File: "_redirects", From: from, To: "/to"}}, ruleForms{})
			} else {
				h.addFile([]source.HostRule{{File: ".htaccess", From: expr, To: "/to", IsRegexp: true}}, ruleForms{})
			}
		}
		for range 60 {
			u := ""
			for range 1 + random.Intn(4) {
				u += "/" + piece("a", "b", "c.html", "a-b", "ab", "A", "x", "(")
			}
			u += piece("", "/")
			got, want := h.ruleFor(u), h.ruleAmongAll(u)
			if got != want {
				t.Fatalf("%s: rule %v, want %v", u, got, want)
			}
			if got != nil {
				found++
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d found", found)
	}
}

// Of many rules, a URL is compared with a few.
func TestRuleForWork(t *testing.T) {
	const n = 2000
	for _, form := range []struct {
		file, from string
		isRegexp   bool
	}{
		{"_redirects", "/old%d", false}, {"_redirects", "/old%d/*", false}, {"_redirects", "/docs/*/old%d", false}, {"vercel.json", "/:lang/old%d/:rest*", false},
		{".htaccess", "^/(.*)/old%d$", true}, {".htaccess", `^/docs/old%d\.html$`, true}, {".htaccess", "^/?old%d/(.*)", true},
	} {
		h := &hostRules{}
		var rules []source.HostRule
		for i := range n {
			rules = append(rules, source.HostRule{File: form.file, From: fmt.Sprintf(form.from, i), To: "/to", IsRegexp: form.isRegexp})
		}
		h.addFile(rules, ruleForms{})
		index := &h.files[0].all
		most := len(index.others)
		for _, list := range index.byName {
			most = max(most, len(list))
		}
		if len(index.rules) != n || most > 2 {
			t.Errorf("%s in %s: %d rules, of which a URL is compared with up to %d", form.from, form.file, len(index.rules), most)
		}
	}
}
