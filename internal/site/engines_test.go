package site

import (
	"os"
	"strings"
	"testing"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/site/source"
)

// What the engines of hosts answer is what the interpreters of their files answer. For a redirect, that is its path; a rule for some visitors
// leads anywhere.
func TestEngines(t *testing.T) {
	text, err := os.ReadFile("testdata/engines.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, all, _ := strings.Cut(string(text), "\n== ")
	for part := range strings.SplitSeq(all, "\n== ") {
		head, rest, _ := strings.Cut(part, "\n")
		host, file, _ := strings.Cut(head, " ")
		rules, rows, _ := strings.Cut(rest, "\n--\n")
		h := hostRules{origin: "https://x.example"}
		forms := ruleForms{anySlash: host == "netlify", noErrors: host == "cloudflare", isCloudflare: host == "cloudflare"}
		h.addFile(source.RulesOf("/"+file, []byte(rules)), forms)
		for row := range strings.Lines(rows) {
			row, ours, differs := strings.Cut(strings.TrimSuffix(row, "\n"), "; ")
			u, want, _ := strings.Cut(row, " => ")
			u, _, _ = strings.Cut(u, "?")
			u = ascii.UnescapeAll(u)
			if status, to, ok := strings.Cut(want, " "); ok && status != "404" {
				want = to
				if i := strings.IndexAny(to, "?#"); i >= 0 {
					want = to[:i]
				}
			} else {
				want = "-"
			}
			want = ascii.UnescapeAll(want)
			if differs {
				want, _, _ = strings.Cut(ours, ":")
			}
			got := "-"
			if r := h.ruleFor(u); r != nil {
				got = r.target(u)
			}
			if got == anywhere {
				got = "some"
			}
			if got != want {
				t.Errorf("%s: %s: %q, want %q", head, row, got, want)
			}
		}
	}
}
