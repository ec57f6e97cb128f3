package move

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

// The edits of a navigation are foreseen where an entry is the path of what moves. Where that is wrong, since front matter names the
// document, the plan is as without.
func TestForeseen(t *testing.T) {
	mkdocs := map[string]string{
		"mkdocs.yml": "site_name: x\nnav:\n- A: a.md\n- B: sub/b.md\n", "docs/a.md": "# A\n", "docs/sub/b.md": "# B\n\n[a](../a.md)\n",
	}
	docusaurus := func(front string) map[string]string {
		return map[string]string{
			"docusaurus.config.js": "module.exports = {title: 'x', url: 'https://x.example', baseUrl: '/', presets: [['classic', {docs: {sidebarPath: './sidebars.js'}}]]};\n",
			"package.json":         `{"dependencies": {"@docusaurus/core": "3.0.0"}}`,
			"sidebars.js":          "module.exports = {docs: ['guide/a', 'guide/b']};\n",
			"docs/guide/a.md":      front + "# A\n", "docs/guide/b.md": "# B\n\n[a](a.md)\n",
		}
	}
	for _, test := range []struct {
		name  string
		files map[string]string
		move  string
		edits string // that are foreseen
		want  map[string]string
	}{
		{"a path", mkdocs, "docs/a.md -> docs/sub/c.md", "[/t/mkdocs.yml: a.md -> sub/c.md]", map[string]string{
			"mkdocs.yml": "site_name: x\nnav:\n- A: sub/c.md\n- B: sub/b.md\n", "docs/sub/b.md": "# B\n\n[a](c.md)\n",
		}},
		{"a directory", mkdocs, "docs/sub -> docs/other", "[/t/mkdocs.yml: sub/b.md -> other/b.md]", map[string]string{
			"mkdocs.yml": "site_name: x\nnav:\n- A: a.md\n- B: other/b.md\n",
		}},
		{"an id", docusaurus(""), "docs/guide/a.md -> docs/guide/z.md", "[/t/sidebars.js: guide/a -> guide/z]", map[string]string{
			"sidebars.js": "module.exports = {docs: ['guide/z', 'guide/b']};\n", "docs/guide/b.md": "# B\n\n[a](z.md)\n",
		}},
		{"an id of its own", docusaurus("---\nid: a\n---\n"), "docs/guide/a.md -> docs/guide/z.md", "[/t/sidebars.js: guide/a -> guide/z]", map[string]string{
			"docs/guide/b.md": "# B\n\n[a](z.md)\n",
		}},
		{"a document alone", mkdocs, "docs/sub/b.md -> docs/sub/b.markdown", "[/t/mkdocs.yml: sub/b.md -> sub/b.markdown]", map[string]string{
			"mkdocs.yml": "site_name: x\nnav:\n- A: a.md\n- B: sub/b.markdown\n",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := request(inMemory(test.files), test.move)
			p, err := newPlanner(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			var edits []string
			for name, list := range p.foreseen() {
				for _, e := range list {
					edits = append(edits, fmt.Sprintf("%s: %s -> %s", name, e.was.Ref.Raw, e.ref))
				}
			}
			if got := fmt.Sprint(edits); got != test.edits {
				t.Errorf("foreseen: %s, want %s", got, test.edits)
			}
			plan, err := p.plan()
			if err != nil || len(plan.Problems) > 0 {
				t.Fatal(err, plan.Problems)
			}
			got := map[string]string{}
			for _, f := range plan.Files {
				got[f.Path[len("/t/"):]] = string(f.New)
			}
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("%q\nwant %q", got, test.want)
			}
		})
	}
}

// A navigation that cannot be read any more, or that has changed, is not edited by what it was.
func TestForeseenGone(t *testing.T) {
	files := map[string]string{"mkdocs.yml": "site_name: x\nnav:\n- A: a.md\n", "docs/a.md": "# A\n"}
	p, err := newPlanner(t.Context(), request(inMemory(files), "docs/a.md -> docs/b.md"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	const name = "/t/mkdocs.yml"
	edits := p.foreseen()[name]
	if len(edits) != 1 {
		t.Fatal(edits)
	}
	under := p.under
	p.under = inMemory(nil)
	if err := p.againForeseen(); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if problems := p.apply(p.before, edits); len(problems) != 1 || problems[0].Path != name {
		t.Error(problems)
	}
	p.under = under
	const changed = "site_name: x\n"
	p.texts[name] = []byte(changed)
	if err := p.againForeseen(); err != nil || string(p.texts[name]) != changed {
		t.Errorf("%v %q", err, p.texts[name])
	}
}

// After the last round, a reference that still has to be edited is a problem of its document.
func TestRounds(t *testing.T) {
	files := map[string]string{"docs/a.md": "# A\n", "docs/c.md": "[a](a.md)\n"}
	for rounds, want := range map[int]string{0: "/t/docs/c.md: no spelling of it was found that keeps its meaning", maxRounds: ""} {
		p, err := newPlanner(t.Context(), request(inMemory(files), "docs/a.md -> docs/b.md"))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.start(); err != nil {
			t.Fatal(err)
		}
		problems, err := p.settle(rounds)
		got := ""
		for _, p := range problems {
			got += p.Path + ": " + p.Why
		}
		if err != nil || got != want {
			t.Errorf("%d rounds: %q, %v, want %q", rounds, got, err, want)
		}
	}
}
