package move

import (
	"context"
	"maps"
	"strings"
	"testing"
)

// Redirects after which anything but the redirects has changed are a problem.
func TestCheckRedirects(t *testing.T) {
	files := map[string]string{
		"mkdocs.yml":    "site_name: x\n",
		"docs/index.md": "[a](a.md) [c](c.md)\n",
		"docs/a.md":     "# A\n",
		"docs/c.md":     "[i](index.md) [a](a.md)\n",
	}
	tests := []struct{ name, file, text, want string }{
		{"nothing", "docs/c.md", "[i](index.md) [a](b.md)\n", "the site would not make it from aliases"},
		{"another target", "docs/c.md", "[i](b.md) [a](b.md)\n", "references in docs/c.md would lead elsewhere"},
		{"a reference less", "docs/c.md", "[i](index.md)\n", "references in docs/c.md would lead elsewhere"},
		{"one more at the end", "docs/c.md", "[i](index.md) [a](b.md) [c](c.md)\n", "references in docs/c.md would lead elsewhere"},
		{"one more at the start", "docs/c.md", "[c](c.md) [i](index.md) [a](b.md)\n", "the site would not make it from aliases"},
		{"a new finding", "docs/c.md", "[x](none.md) [i](index.md) [a](b.md)\n", "the audit would have a new finding"},
	}
	for _, test := range tests {
		tree := inMemory(files)
		p, err := newPlanner(context.Background(), request(tree, "docs/a.md -> docs/b.md"))
		if err != nil {
			t.Fatal(err)
		}
		if plan, err := p.plan(); err != nil || len(plan.Problems) > 0 {
			t.Fatal(err, plan.Problems)
		}
		p.texts["/t/"+test.file] = []byte(test.text)
		plan := &Plan{URLs: []URL{{Path: "/t/docs/a.md", From: "/a/", To: "/b/", Redirect: "aliases"}}}
		err = p.checkRedirects(plan)
		if err != nil || len(plan.Problems) != 1 || strings.ReplaceAll(plan.Problems[0].Why, "/t/", "") != "redirects cannot be written: "+test.want+"; move without --redirects" {
			t.Errorf("%s: %v %v, want %q", test.name, plan.Problems, err, test.want)
		}
		for _, redirect := range []string{"", existing} { // nothing is to be checked
			plan := &Plan{URLs: []URL{{Path: "/t/docs/a.md", From: "/a/", To: "/b/", Redirect: redirect}}}
			if err := p.checkRedirects(plan); err != nil || len(plan.Problems) != 0 {
				t.Errorf("%s: %v %v", test.name, plan.Problems, err)
			}
		}
	}
}

// A redirect is a line of its own in the file of the host.
func TestHostFile(t *testing.T) {
	for before, want := range map[string]string{"": "/docs/a.html /docs/b.html 301\n", "#": "#\n/docs/a.html /docs/b.html 301\n", "/x /y": "/x /y\n/docs/a.html /docs/b.html 301\n", "/x /y\n": "/x /y\n/docs/a.html /docs/b.html 301\n", "\n": "\n/docs/a.html /docs/b.html 301\n"} {
		tree := inMemory(map[string]string{".vitepress/config.mts": "export default {}\n", "public/_redirects": before, "docs/a.md": "# A\n"})
		plan, err := Make(context.Background(), request(tree, "docs/a.md -> docs/b.md --redirects"))
		if err != nil || len(plan.Problems) > 0 || len(plan.Files) != 1 || string(plan.Files[0].New) != want {
			t.Errorf("%q: %+v, %v; want %q", before, plan, err, want)
		}
	}
	for u, want := range map[string]string{"https://h.example/a/b": "/a/b", "/a": "/a", "https://h.example": "/", "https://h.example/": "/"} {
		if got := pathOf(u); got != want {
			t.Errorf("%s: %q, want %q", u, got, want)
		}
	}
}

// A heading is renamed, or the reason why not.
func TestRenameHeading(t *testing.T) {
	tests := []struct {
		name, text, move, want string
	}{
		{"a.md", "# A\n\n## B {#x}\n\n[b](#x)\n", "a.md#x -> #C", "# A\n\n## C {#x}\n\n[b](#x)\n"},
		{"a.md", "# A #\n\n[a](#a)\n", "a.md#a -> #B c", "# B c #\n\n[a](#b-c)\n"},
		{"a.md", "A\n===\n\n[a](#a)\n", "a.md#a -> #Longer", "Longer\n===\n\n[a](#longer)\n"},
		{"a.md", "# A\n", "a.md#none -> #B", `error: /t/a.md has no heading with the id "none"`},
		{"a.md", "# A\n", "a.md#a -> # ", "error: the new heading must be one line of text"},
		{"a.md", "# A\n", "a.md#a -> #b\rc", "error: the new heading must be one line of text"},
		{"a.rst", "A\n=\n\nBcd\n---\n\n`Bcd`_\n", "a.rst#bcd -> #Bcdef", `/t/a.rst:7: would have a new finding: unknown target "bcd" [undefined-reference]`},
		{"a.rst", "===\nBcd\n===\n\nx\n\nE\n-\n", "a.rst#bcd -> #Fg", "==\nFg\n==\n\nx\n\nE\n-\n"},
		{"a.rst", "Bcd\n=======\n\nx\n\nE\n-\n", "a.rst#bcd -> #Fg", "Fg\n=======\n\nx\n\nE\n-\n"},
		{"a.adoc", "= T\n:idprefix:\n\n== Bcd\n\n<<bcd>> <<bcd,text>>\n", "a.adoc#bcd -> #Ef", "= T\n:idprefix:\n\n== Ef\n\n<<ef>> <<ef,text>>\n"},
		{"a.adoc", "= T\n\n== Bcd\n\n<<_bcd>>\n", "a.adoc#_bcd -> #Ef", "= T\n\n== Ef\n\n<<_ef>>\n"},
	}
	for _, test := range tests {
		tree := inMemory(map[string]string{test.name: test.text})
		plan, err := Make(context.Background(), request(tree, test.move))
		got := test.text
		switch {
		case err != nil:
			got = "error: " + err.Error()
		case len(plan.Problems) > 0:
			got = plan.Problems[0].String()
		case len(plan.Files) > 0:
			got = string(plan.Files[0].New)
		}
		if got != test.want {
			t.Errorf("%s, %q: %q, want %q", test.move, test.text, got, test.want)
		}
	}
}

// A heading has uses in the document that includes its own.
func TestRenameIncludedHeading(t *testing.T) {
	tree := inMemory(map[string]string{"m.adoc": "= M\n\n<<_bcd>> <<_bcd,text>>\n\ninclude::b.adoc[]\n", "b.adoc": "== Bcd\n"})
	plan, err := Make(context.Background(), request(tree, "b.adoc#_bcd -> #Ef"))
	if err != nil || len(plan.Problems) > 0 {
		t.Fatal(err, plan.Problems)
	}
	got := map[string]string{}
	for _, f := range plan.Files {
		got[f.Path] = string(f.New)
	}
	want := map[string]string{"/t/m.adoc": "= M\n\n<<_ef>> <<_ef,text>>\n\ninclude::b.adoc[]\n", "/t/b.adoc": "== Ef\n"}
	if !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A document that had no page leaves no URL behind, and one that has none any more has no place that a redirect could point to.
func TestNoPage(t *testing.T) {
	files := map[string]string{
		"a/mkdocs.yml": "site_name: a\nexclude_docs: drafts/\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: y.md\n", "a/docs/index.md": "# A\n", "a/docs/x.md": "# X\n", "a/docs/y.md": "# Y\n",
		"notes/n.md": "# N\n",
	}
	for move, want := range map[string]string{"notes/n.md -> a/docs/n.md": "", "a/docs/x.md -> a/docs/drafts/x.md": "/x/  "} {
		r := request(inMemory(files), move)
		r.Redirects = true
		plan, err := Make(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, u := range plan.URLs {
			got += u.From + " " + u.To + u.Redirect + " " + u.Why
		}
		if got != want {
			t.Errorf("%s: %q, want %q", move, got, want)
		}
	}
}

// A page that leaves its site for another one, or for no site, has no redirect: neither site could make it.
func TestOtherSite(t *testing.T) {
	files := map[string]string{
		"a/mkdocs.yml": "site_name: a\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: y.md\n", "a/docs/index.md": "# A\n", "a/docs/x.md": "# X\n", "a/docs/y.md": "# Y\n",
		"b/mkdocs.yml": "site_name: b\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: y.md\n", "b/docs/index.md": "# B\n", "notes/n.md": "# N\n",
	}
	for to, want := range map[string]string{"a/docs/z.md": "/z/", "b/docs/x.md": "/x/", "b/docs/z.md": "/z/", "notes/x.md": ""} {
		r := request(inMemory(files), "a/docs/x.md -> "+to)
		r.Redirects = true
		p, err := newPlanner(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := p.plan()
		if err != nil {
			t.Fatal(err)
		}
		stays := strings.HasPrefix(to, "a/")
		has := len(plan.URLs) == 1 && plan.URLs[0].Redirect != ""
		if has != stays || len(plan.URLs) > 0 && (plan.URLs[0].From != "/x/" || plan.URLs[0].To != want) {
			t.Errorf("%s: %+v", to, plan.URLs)
		}
		if !stays && len(plan.URLs) == 1 && plan.URLs[0].Why != "" {
			t.Errorf("%s: no redirect is wanted, and the reason is %q", to, plan.URLs[0].Why)
		}
		for _, f := range plan.Files {
			if strings.HasSuffix(f.Path, ".yml") && !stays {
				t.Errorf("%s: %s is edited: %s", to, f.Path, f.New)
			}
		}
	}
}

// A redirect to an id is one from the id of the same page, to an id that the page has.
func TestIsRedirected(t *testing.T) {
	for _, url := range []string{"", "site-url = \"/docs/\"\n"} {
		files := map[string]string{
			"book.toml":      "[book]\ntitle = \"T\"\n\n[output.html]\n" + url + "\n[output.html.redirect]\n\"/a.html#old\" = \"a.html#new\"\n\"/a.html#gone\" = \"a.html#none\"\n\"/d/b.html#q\" = \"../a.html#new\"\n\"/x.html\" = \"a.html\"\n",
			"src/SUMMARY.md": "- [A](a.md)\n- [B](d/b.md)\n", "src/a.md": "# A\n\n## New\n", "src/d/b.md": "# B\n",
		}
		p, err := newPlanner(t.Context(), request(inMemory(files), "src/d/b.md -> src/d/c.md"))
		if err != nil {
			t.Fatal(err)
		}
		page := strings.TrimSuffix(p.before.report.Page("/t/src/a.md").URL, "a.html")
		for from, want := range map[string]string{"a.html#old": "new", "d/b.html#q": "new", "x.html": "", "a.html#q": "!new", "b.html#q": "!new", "a.html#gone": "!none", "a.html#new": "!new", "y.html": "!", "a.html#ol": "!new"} {
			id, no := strings.CutPrefix(want, "!")
			u := &URL{From: page + from, To: page + "a.html#" + id}
			if isRedirected(p.before.report, u, "/t/src/a.md") == no {
				t.Errorf("%+v: %v", u, !no)
			}
		}
	}
}

// Ids are redirected only between two states of one page, which has as many headings as before.
func TestRedirectIDs(t *testing.T) {
	state := func(conf, text string) *planner {
		files := map[string]string{"book.toml": "[book]\ntitle = \"T\"\n" + conf, "src/SUMMARY.md": "- [A](a.md)\n", "src/a.md": text}
		p, err := newPlanner(t.Context(), request(inMemory(files), "src/a.md#old -> #New --redirects"))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const moved = "[output.html]\nsite-url = \"/docs/\"\n"
	for _, c := range []struct{ conf, text, want string }{
		{"", "# A\n\n## New\n", "/a.html#old -> /a.html#new"},
		{"", "# A\n\n## Old\n", ""},
		{"", "# A\n", ""},
		{"", "# A\n\n## New\n\n## Newer\n", ""},
		{moved, "# A\n\n## New\n", ""},
	} {
		p, plan, got := state("", "# A\n\n## Old\n"), &Plan{}, ""
		p.after = state(c.conf, c.text).before
		p.redirectIDs(plan)
		for _, u := range plan.URLs {
			got += u.From + " -> " + u.To
		}
		if got != c.want {
			t.Errorf("%q %q: %q, want %q", c.conf, c.text, got, c.want)
		}
	}
}
