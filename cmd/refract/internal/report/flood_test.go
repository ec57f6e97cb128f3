package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// of returns n findings of a rule with a cause, about the references fmt.Sprintf(format, i).
func of(n int, rule rule.Rule, cause, format string, facts ...string) (all []*audit.Finding) {
	for i := range n {
		ref := &extract.Reference{Raw: fmt.Appendf(nil, format, i)}
		all = append(all, &audit.Finding{File: "x.md", Rule: rule, Ref: ref, Message: "no such thing", Cause: cause, Facts: facts})
	}
	return all
}

func TestFloods(t *testing.T) {
	type flood struct {
		n    int
		text string
	}
	tests := []struct {
		name     string
		findings []*audit.Finding
		want     []flood
	}{
		{"few", of(2, rule.MissingFile, "a.md", "a.md?%d"), []flood{{1, ""}, {1, ""}}},
		{"one file", of(12, rule.MissingFile, "a.md", "a.md?%d"), []flood{{12, "no such thing (and 11 more like it)"}}},
		{"one directory", of(12, rule.BrokenImage, "img/", "img/%d.png"), []flood{{12, `12 images lead into "img/", which is missing`}}},
		{"rooted", slices.Concat(of(12, rule.MissingFile, "a/", "/a/%d"), of(1200, rule.MissingFile, "b/", "/b/%d"), of(900, rule.MissingFile, "c/", "/c/%d")),
			[]flood{{2112, `2,112 links that begin with "/" lead nowhere: is --root missing?`}}},
		{"mostly one", slices.Concat(of(12, rule.MissingFile, "a/", "/a/%d"), of(1, rule.MissingFile, "b/", "/b/%d")),
			[]flood{{12, `12 links lead into "a/", which is missing`}, {1, ""}}},
		{"of a site", slices.Concat(of(9, rule.MissingFile, "a/", "/a/%d", "site: x"), of(9, rule.MissingFile, "b/", "/b/%d", "site: x"))[8:10],
			[]flood{{1, ""}, {1, ""}}},
		{"remarks", of(12, rule.Unused, "", "a%d"), []flood{{12, "12 link definitions that are not used"}}},
		{"rules", slices.Concat(of(9, rule.MissingFile, "a", "a%d"), of(9, rule.MissingFragment, "a", "a%d")), slices.Repeat([]flood{{1, ""}}, 18)},
	}
	for _, test := range tests {
		var got []flood
		n := 0
		for f := range Floods(slices.Values(test.findings)) {
			got = append(got, flood{f.N, f.Text})
			n += f.N
		}
		if n != len(test.findings) || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, not %v", test.name, got, test.want)
		}
	}
}

func TestFloodsInHTML(t *testing.T) {
	findings := of(12, rule.MissingFile, "<a>/", "gone/%d")
	for _, f := range findings {
		f.Ref.Entity = new(extract.Entity)
	}
	page := string(render(t, &Run{Findings: append(findings, of(1, rule.Unused, "", "%d")...), Report: &audit.Report{NoteFindings: 1}}))
	for _, want := range []string{
		"<summary>Findings with a common cause: 1</summary>",
		`<li>12 links lead into &#34;&lt;a&gt;/&#34;, which is missing; the first at x.md:0</li>`,
		"<dt>of these, notes</dt><dd>1</dd>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestEqualFloods has two causes with the same text.
func TestEqualFloods(t *testing.T) {
	findings := append(of(12, rule.MissingFile, "a", "a.md?%d"), of(12, rule.MissingFile, "b", "b.md?%d")...)
	for i, f := range findings {
		f.Ref.Entity, f.Pos.Line = new(extract.Entity), i+1
	}
	page := string(render(t, &Run{Findings: findings, Report: &audit.Report{}}))
	for _, want := range []string{
		"<li>no such thing (and 11 more like it); the first at x.md:1</li>",
		"<li>no such thing (and 11 more like it); the first at x.md:13</li>",
	} {
		if strings.Count(page, want) != 1 {
			t.Errorf("not once: %s", want)
		}
	}
}
