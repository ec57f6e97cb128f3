package judge

import (
	"testing"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// A verdict depends on the document, the reference and the landing alone: no tree is there.
func TestVerdicts(t *testing.T) {
	missing := func(kind tree.Place) lead.Landing {
		return lead.Landing{How: lead.ByPath, State: site.Missing, Place: kind}
	}
	for _, tt := range []struct {
		name, ref string
		labels    scan.Labels
		landing   lead.Landing
		rule      rule.Rule
		remark    rule.Rule
		skip      reason.Reason
	}{
		{name: "right", ref: "b.md", landing: lead.Landing{}},
		{name: "empty", ref: "", landing: lead.Landing{State: site.Found, File: "/t/a.md"}, rule: rule.EmptyLink},
		{name: "too long", ref: "b.md", landing: lead.Landing{Why: reason.PathTooLong}, skip: reason.PathTooLong},
		{name: "wiki", ref: "b.md", landing: lead.Landing{Why: reason.Template}, skip: reason.Template},
		{name: "broken link", ref: "b.md", landing: missing(tree.Place{Kind: tree.IsDangling, Path: "/t/b.md"}), rule: rule.Symlink},
		{name: "circle", ref: "b.md", landing: missing(tree.Place{Kind: tree.IsLoop, Path: "/t/b.md"}), rule: rule.Symlink},
		{name: "out of the repository", ref: "b.md", landing: missing(tree.Place{Kind: tree.IsOutside, Path: "/t/b.md"}), skip: tree.LeadsOutside},
		{name: "home", ref: "/home/x/b.md", landing: lead.Landing{How: lead.ByPath, State: site.Missing, Place: tree.Place{Kind: tree.IsMissing, Path: "/home/x/b.md"},
			Target: lead.Target{Components: []string{"home", "x", "b.md"}, Rooted: true, Inside: true}}, rule: rule.LocalURL},
		{name: "from an including document", ref: "b.md", landing: lead.Landing{How: lead.ByInclusion, State: site.Found, File: "/b.md"}},
		{name: "unused", ref: "b.md", labels: scan.Unused, landing: lead.Landing{}, remark: rule.Unused},
		{name: "unused and not checked", ref: "b.md", labels: scan.Unused, landing: lead.Landing{Why: reason.Template}, skip: reason.Template, remark: rule.Unused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &doc.Document{Path: "/t/a.md", Layout: &doc.Layout{Slug: slug.GitHub}}
			ref := &doc.Reference{Ref: tt.ref, Raw: tt.ref, Base: &base.Base{}, Labels: tt.labels, How: scan.Inline}
			v := new(Judge).JudgeReference(d, ref, &tt.landing)
			if ruleOf(v.Problem) != tt.rule || ruleOf(v.Remark) != tt.remark || v.Skip != tt.skip {
				t.Errorf("rule %q, remark %q, skip %q; want %q, %q, %q", ruleOf(v.Problem), ruleOf(v.Remark), v.Skip, tt.rule, tt.remark, tt.skip)
			}
		})
	}
}

func ruleOf(p *Problem) rule.Rule {
	if p == nil {
		return ""
	}
	return p.Rule
}
