package move

import (
	"context"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
)

// With a build, ids are known that only the build shows: references to them follow a document, but its headings are not renamed.
func TestBuilt(t *testing.T) {
	files := map[string]string{
		"a.md": "# A\n\n# Other\n\n[x](#odd) [y](b.md#b-odd)\n", "b.md": "# B\n\n[a](a.md#odd) [a](a.md#a)\n",
		"site/a.html": "<h1 id=a>A</h1><h1 id=odd>Other</h1><a href='b.html#b-odd'>y</a>", "site/b.html": "<h1 id=b-odd>B</h1><a href='a.html#odd'>a</a>",
	}
	for line, want := range map[string]string{
		"a.md -> c.md":     "b.md: # B [a](c.md#odd) [a](c.md#a)",
		"a.md -> d/c.md":   "b.md: # B [a](d/c.md#odd) [a](d/c.md#a) d/c.md: # A # Other [x](#odd) [y](../b.md#b-odd)",
		"a.md#a -> #New":   "a.md: # New # Other [x](#odd) [y](b.md#b-odd) b.md: # B [a](a.md#odd) [a](a.md#new)",
		"a.md#odd -> #New": `line 3 of /t/a.md: the build gives this heading the id "odd" by a rule that is not known here, so that its next id is not known: edit it and its links by hand`,
	} {
		for _, isLive := range []bool{false, true} {
			r := request(inMemory(files), line)
			r.Options.Built, r.Options.BuiltIDs = []audit.Site{{Dir: "/t/site"}}, new(audit.BuiltIDs)
			if isLive {
				r = withReport(t, r)
			}
			var got []string
			plan, err := Make(context.Background(), r)
			if err != nil {
				got = append(got, err.Error())
			} else {
				for i := range plan.Problems {
					got = append(got, plan.Problems[i].String())
				}
				for _, f := range plan.Files {
					got = append(got, strings.TrimPrefix(f.To, "/t/")+":", string(f.New))
				}
			}
			if all := strings.Join(strings.Fields(strings.Join(got, " ")), " "); all != want {
				t.Errorf("%s: %s, want %s", line, all, want)
			}
		}
	}
}
