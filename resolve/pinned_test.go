package resolve

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// References resolve as they did, under all rules that have names, and with each option of its own.
func TestPinned(t *testing.T) {
	bases := []string{"http://a/b/c/d;p?q#f", "http://user@h.example:8080/x/../y?", "file:///C:/dir/file", "mailto:a@b", "urn:x:y", "http://h", "ftp://h/%2E/a", "", "foo:a/b", "ws://h//x/"}
	tokens := scantest.Grammar{Tokens: `http: HTTPS: // / ./ ../ .. . ; ? # % %2e %2F @ : :80 \\ \s [::1] [v1.x] 127.1 0x7f é a Z - + & = ' " < > { } | ^ file: mailto: urn: javascript: data: C:/ é.example \t`}
	var all []Rules
	for _, name := range RulesNames() {
		rules, _ := RulesNamed(name)
		all = append(all, rules)
	}
	for _, option := range Options() {
		for _, value := range option.Values {
			var rules Rules
			if err := rules.Set(option.Name, value); err != nil {
				t.Fatal(err)
			}
			all = append(all, rules)
		}
	}
	mixture := func(string) scantest.Mixture { return scantest.Mixture{Grammar: tokens, Count: 3000, Pieces: 4} }
	scantest.Pinned(t, mixture, func(_ string, i int, doc []byte) string {
		var b strings.Builder
		rules, uri := all[i%len(all)], bases[i/len(all)%len(bases)]
		base := rules.Resolver(uri)
		url, res := base.Append(nil, doc)
		fmt.Fprintf(&b, "%s %s: %s %+v %v %v\n", rules, uri, url, res, res.Err(), base.Keeps(doc))
		fmt.Fprintf(&b, "%q\n%+v\n", base.Explain(doc), rules.Parts(nil, url))
		relative, ok := base.AppendRelative(nil, url)
		browser, two := NewReadings(uri).AppendBrowser(nil, doc)
		fmt.Fprintf(&b, "%s %v %s %v\n", relative, ok, browser, two)
		for _, name := range GrammarNames() {
			g, _ := GrammarNamed(name)
			offence, valid := g.Check(doc)
			fmt.Fprintf(&b, "%s %+v %v\n", name, offence, valid)
		}
		return b.String()
	})
}
