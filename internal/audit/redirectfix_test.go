package audit

import (
	"context"
	"strings"
	"testing"

	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
)

// A page is renamed, and its URL with it: for each generator that defines redirects, --fix adds one in its form, and the audit with
// it finds nothing. The first file of a tree is the one that is renamed.
func TestAddRedirects(t *testing.T) {
	for _, tt := range []struct {
		name     string
		files    [][2]string
		to       string // the new name
		in, want string // a file, and what it has then
	}{
		{"MkDocs", [][2]string{{"docs/a.md", "# A\n"}, {"mkdocs.yml", "site_name: x\nplugins:\n  - redirects:\n      redirect_maps:\n        'old.md': 'c.md'\n"}, {"docs/c.md", "# C\n"}},
			"docs/b.md", "mkdocs.yml", "'a.md': 'b.md'"},
		{"Hugo", [][2]string{{"content/a.md", "---\ntitle: A\n---\n"}, {"hugo.toml", "baseURL = 'https://h.example/'\n"}}, "content/b.md", "content/b.md", `aliases: ["/a/"]`},
		{"Hugo, with aliases", [][2]string{{"content/a.md", "+++\naliases=[\"/old/\"]\n+++\n"}, {"hugo.toml", "baseURL = 'https://h.example/'\n"}}, "content/b.md", "content/b.md", `aliases=["/a/", "/old/"]`},
		{"Jekyll", [][2]string{{"a.md", "---\ntitle: A\n---\n"}, {"_config.yml", "title: x\nplugins: [jekyll-redirect-from]\n"}}, "b.md", "b.md", `redirect_from: ["/a.html"]`},
		{"Docusaurus", [][2]string{{"docs/a.md", "# A\n"}, {"docs/c.md", "# C\n"}, {"docusaurus.config.js",
			"module.exports = {url: 'https://h.example', baseUrl: '/', presets: [['classic', {}]], plugins: [['@docusaurus/plugin-client-redirects', {redirects: [\n  {from: '/old', to: '/docs/c'},\n]}]]};\n"}},
			"docs/b.md", "docusaurus.config.js", "from: '/docs/a', to: '/docs/b'"},
		{"Starlight", [][2]string{{"src/content/docs/a.md", "---\ntitle: A\n---\n"}, {"src/content/docs/index.md", "---\ntitle: I\n---\n"}, {"astro.config.mjs",
			"import starlight from '@astrojs/starlight';\nexport default { redirects: {\n  '/old': '/',\n}, integrations: [starlight({ title: 'X' })] };\n"}},
			"src/content/docs/b.md", "astro.config.mjs", "'/a/': '/b/'"},
		{"mdBook", [][2]string{{"src/a.md", "# A\n"}, {"src/SUMMARY.md", "- [A](a.md)\n"}, {"book.toml", "[book]\ntitle = 'x'\n"}}, "src/b.md", "book.toml", "\"/a.html\" = \"b.html\""},
		{"Quarto", [][2]string{{"a.qmd", "---\ntitle: A\n---\n"}, {"index.qmd", "---\ntitle: I\n---\n"}, {"_quarto.yml", "project:\n  type: website\n"}}, "b.qmd", "b.qmd", `aliases: ["/a.html"]`},
		{"Zola", [][2]string{{"content/a.md", "+++\ntitle = \"A\"\n+++\n"}, {"content/_index.md", "+++\n+++\n"}, {"config.toml", "base_url = \"https://h.example\"\n"}, {"templates/page.html", "{{ page.content }}"}},
			"content/b.md", "content/b.md", "aliases = [\"/a/\"]"},
		{"Antora", [][2]string{{"modules/ROOT/pages/a.adoc", "= A\n\nText.\n"}, {"modules/ROOT/pages/index.adoc", "= I\n"}, {"antora.yml", "name: x\nversion: ~\n"}},
			"modules/ROOT/pages/b.adoc", "modules/ROOT/pages/b.adoc", ":page-aliases: a.adoc"},
		{"Sphinx, rediraffe", [][2]string{{"a.rst", "A\n=\n"}, {"index.rst", "I\n=\n\n.. toctree::\n   :glob:\n\n   *\n"}, {"conf.py", "extensions = ['sphinxext.rediraffe']\nrediraffe_redirects = {\n}\n"}},
			"b.rst", "conf.py", "\"a.rst\": \"b.rst\""},
		{"Sphinx, reredirects", [][2]string{{"a.rst", "A\n=\n"}, {"index.rst", "I\n=\n\n.. toctree::\n   :glob:\n\n   *\n"}, {"conf.py", "extensions = ['sphinx_reredirects']\nredirects = {\n}\n"}},
			"b.rst", "conf.py", "\"a\": \"b.html\""},
		{"the host", [][2]string{{"a.md", "# A\n"}, {".vitepress/config.mts", "export default {}\n"}, {"public/_redirects", "/x /y\n"}}, "b.md", "public/_redirects", "/a.html /b.html 301\n"},
		{"the host, below a base", [][2]string{{"a.md", "# A\n"}, {"c.md", "# C\n"}, {".vitepress/config.mts", "export default { base: '/x/' }\n"}, {"public/_redirects", "/x/old /x/c.html\n"}},
			"b.md", "public/_redirects", "/x/a.html /x/b.html 301\n"},
		{"Mintlify", [][2]string{{"a.mdx", "# A\n"}, {"index.mdx", "# I\n"}, {"docs.json", `{"theme": "mint", "navigation": {"pages": ["index", "b"]}, "redirects": []}`}}, "b.mdx", "docs.json", `{ "source": "/a", "destination": "/b" }`},
		{"Vocs", [][2]string{{"docs/pages/a.md", "# A\n"}, {"docs/pages/index.mdx", "# I\n"}, {"vocs.config.ts", "export default defineConfig({ redirects: [] })\n"}}, "docs/pages/b.md", "vocs.config.ts", "{ source: '/a', destination: '/b' }"},
		{"Nextra", [][2]string{{"content/a.mdx", "# A\n"}, {"content/index.mdx", "# I\n"}, {"package.json", `{"dependencies": {"nextra": "4", "next": "15"}}`}, {"next.config.mjs", "import nextra from 'nextra'\nexport default nextra({})({ redirects: async () => [] })\n"}},
			"content/b.mdx", "next.config.mjs", "{ source: '/a', destination: '/b', permanent: true }"},
		{"Rspress", [][2]string{{"docs/a.md", "# A\n"}, {"docs/index.md", "# I\n"}, {"rspress.config.ts", "export default { plugins: [pluginClientRedirects({ redirects: [] })] }\n"}}, "docs/b.md", "rspress.config.ts", `{ from: '^/a\\.html$', to: '/b.html' }`},
		{"VuePress", [][2]string{{"a.md", "# A\n"}, {"README.md", "# I\n"}, {"package.json", `{"dependencies": {"vuepress": "2.0.0-rc.18"}}`}, {".vuepress/config.js", "import { redirectPlugin } from '@vuepress/plugin-redirect'\nexport default { plugins: [redirectPlugin({ config: {} })] }\n"}},
			"b.md", ".vuepress/config.js", "'/a.html': '/b.html'"},
		{"GitBook", [][2]string{{"a.md", "# A\n"}, {"README.md", "# I\n"}, {"SUMMARY.md", "* [A](a.md)\n"}, {".gitbook.yaml", "redirects:\n  old: README.md\n"}}, "b.md", ".gitbook.yaml", "  a: b.md\n"},
		{"Gatsby", [][2]string{{"src/pages/a.mdx", "# A\n"}, {"src/pages/index.mdx", "# I\n"}, {"package.json", `{"dependencies": {"gatsby": "5", "gatsby-plugin-mdx": "5"}}`}, {"gatsby-config.js", "module.exports = { plugins: ['gatsby-plugin-mdx'] }\n"},
			{"gatsby-node.js", "exports.createPages = ({ actions }) => {\n  actions.createRedirect({ fromPath: '/old/', toPath: '/' })\n}\n"}}, "src/pages/b.mdx", "gatsby-node.js", "  actions.createRedirect({ fromPath: '/a/', toPath: '/b/', isPermanent: true });\n"},
		{"Vercel", [][2]string{{"docs/a.md", "# A\n"}, {"docs/index.md", "# I\n"}, {"mkdocs.yml", "site_name: x\n"}, {"vercel.json", `{"redirects": []}`}}, "docs/b.md", "vercel.json", `{ "source": "/a/", "destination": "/b/", "permanent": true }`},
		{"Netlify", [][2]string{{"docs/a.md", "# A\n"}, {"docs/index.md", "# I\n"}, {"mkdocs.yml", "site_name: x\n"}, {"netlify.toml", "[[redirects]]\n  from = \"/x/\"\n  to = \"/\"\n"}}, "docs/b.md", "netlify.toml", "from = \"/a/\"\n  to = \"/b/\"\n"},
		// The first rule that matches counts, so that a redirect behind one for everything would be dead.
		{"Netlify, before a rule for everything", [][2]string{{"docs/a.md", "# A\n"}, {"docs/index.md", "# I\n"}, {"mkdocs.yml", "site_name: x\n"}, {"netlify.toml", "[[redirects]]\n  from = \"/x/\"\n  to = \"/\"\n\n# else\n[[redirects]]\n  from = \"/*\"\n  to = \"/404.html\"\n  status = 404\n"}},
			"docs/b.md", "netlify.toml", "\n\n[[redirects]]\n  from = \"/a/\"\n  to = \"/b/\"\n  status = 301\n\n# else\n[[redirects]]\n  from = \"/*\""},
		{"_redirects, before a rule for everything", [][2]string{{"docs/a.md", "# A\n"}, {"docs/index.md", "# I\n"}, {"mkdocs.yml", "site_name: x\n"}, {"docs/_redirects", "/x /\n/* /de/:splat 302 Language=de\n\n# what is gone\n/* /404.html 404\n"}},
			"docs/b.md", "docs/_redirects", "Language=de\n\n/a/ /b/ 301\n# what is gone\n/* /404.html 404\n"},
		{"_redirects, before a placeholder", [][2]string{{"docs/a.md", "# A\n"}, {"docs/index.md", "# I\n"}, {"mkdocs.yml", "site_name: x\n"}, {"docs/_redirects", "/x /\n/:page/ /shown/:page 200\n"}},
			"docs/b.md", "docs/_redirects", "/x /\n/a/ /b/ 301\n/:page/ /shown/:page 200\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Dir: "/t", Paths: []string{"."}}
			state := func(isAfter bool) tree.Tree {
				all := tree.NewOverlay(tree.NewOverlay(tree.Disk()))
				all.Remove("/t")
				all.Write("/t/.git/HEAD", nil)
				for i, f := range tt.files {
					name, text := f[0], f[1]
					if isAfter && i == 0 {
						name = tt.to
					} else if isAfter {
						text = strings.ReplaceAll(text, "(a.md)", "(b.md)")
					}
					all.Write("/t/"+name, []byte(text))
				}
				return all
			}
			o.Tree = state(false)
			report, err := Run(context.Background(), o, nil)
			must(t, err)
			o.Before = report.Inventory(nil, func(p string) (string, bool) { return p, true })
			from := "/t/" + tt.files[0][0]
			o.Before.Renamed, o.Before.Changed = map[string]string{from: "/t/" + tt.to}, map[string]bool{from: true}
			o.Tree = state(true)
			removed := func() (all []*Finding, r *Report) {
				r, err := Run(context.Background(), o, func(f *Finding) {
					if f.Rule == rule.RemovedURL {
						all = append(all, f)
					}
				})
				must(t, err)
				return all, r
			}
			all, report := removed()
			if len(all) != 1 {
				t.Fatalf("%d URLs are removed, want 1: %v", len(all), all)
			}
			added, err := report.AddRedirects(context.Background(), o)
			must(t, err)
			text := string(added.Texts["/t/"+tt.in])
			if added.Why != "" || len(added.Where) != 1 || !added.Messages[all[0].Message] || !strings.Contains(text, tt.want) {
				t.Fatalf("%+v\n%s\nwant %s", added, text, tt.want)
			}
			over := tree.NewOverlay(o.Tree)
			for name, text := range added.Texts {
				over.Write(name, text)
			}
			o.Tree = over
			all, _ = removed()
			if len(all) > 0 {
				t.Errorf("still removed: %v", all)
			}
		})
	}
}

// TestAddIDRedirects tests redirects from headings that another page has now.
func TestAddIDRedirects(t *testing.T) {
	for _, tt := range []struct {
		name                string
		page, split         string // of the new state
		wantRedirect, wants string
	}{
		{"all have moved", "# A\n", "# B\n\n## Two\n\n## Three\n", "\"/a.html#two\" = \"sub/b.html#two\"\n", ""},
		{"one is gone", "# A\n", "# B\n\n## Two\n", "", "links from elsewhere to \"#two\", now in \"src/sub/b.md\", \"#three\" no longer find their heading"},
		{"none has moved", "# A\n", "# B\n", "", "links from elsewhere to \"#two\", \"#three\" no longer find their heading"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Dir: "/t", Paths: []string{"."}}
			state := func(files map[string]string) tree.Tree {
				all := tree.NewOverlay(tree.NewOverlay(tree.Disk()))
				all.Write("/t/.git/HEAD", nil)
				all.Write("/t/book.toml", []byte("[book]\ntitle = 'x'\n"))
				for name, text := range files {
					all.Write("/t/src/"+name, []byte(text))
				}
				return all
			}
			o.Tree = state(map[string]string{"SUMMARY.md": "- [A](a.md)\n- [C](c.md)\n", "a.md": "# A\n\n## Two\n\n## Three\n", "c.md": "# C\n\n## Three\n"})
			report, err := Run(context.Background(), o, nil)
			must(t, err)
			o.Before = report.Inventory(nil, func(p string) (string, bool) { return p, true })
			o.Before.Changed = map[string]bool{"/t/src/a.md": true, "/t/src/SUMMARY.md": true}
			o.Tree = state(map[string]string{"SUMMARY.md": "- [A](a.md)\n- [B](sub/b.md)\n- [C](c.md)\n", "a.md": tt.page, "sub/b.md": tt.split, "c.md": "# C\n\n## Three\n"})
			removed := func() (all []*Finding, r *Report) {
				r, err := Run(context.Background(), o, func(f *Finding) {
					if f.Rule == rule.RemovedID || f.Rule == rule.RemovedURL {
						all = append(all, f)
					}
				})
				must(t, err)
				return all, r
			}
			all, report := removed()
			if len(all) != 1 || tt.wants != "" && all[0].Message != tt.wants {
				t.Fatalf("got %v, want %s", all, tt.wants)
			}
			added, err := report.AddRedirects(context.Background(), o)
			must(t, err)
			text := string(added.Texts["/t/book.toml"])
			if added.Why != "" || added.Messages[all[0].Message] != (tt.wantRedirect != "") || !strings.Contains(text, tt.wantRedirect) {
				t.Fatalf("%+v\n%s", added, text)
			}
			over := tree.NewOverlay(o.Tree)
			for name, text := range added.Texts {
				over.Write(name, text)
			}
			o.Tree = over
			left, _ := removed()
			if len(left) != 0 && tt.wantRedirect != "" {
				t.Errorf("still removed: %v", left)
			}
		})
	}
}
