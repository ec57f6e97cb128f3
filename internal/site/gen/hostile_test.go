package gen_test

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/refract/internal/site"
	"example.org/refract/internal/site/gen"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/testing/scantest"
)

// memory is a Tree of files in memory.
type memory struct{ fstest.MapFS }

func inner(name string) string {
	if name = strings.Trim(path.Clean(name), "/"); name == "" {
		return "."
	}
	return name
}

func (m memory) Open(name string) (fs.File, error) { return m.MapFS.Open(inner(name)) }

func (m memory) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(m.MapFS, inner(name)) }

func (m memory) Stat(name string) (fs.FileInfo, error) { return fs.Stat(m.MapFS, inner(name)) }

func (m memory) Real(name string) (string, error) { return path.Clean(name), nil }

func treeOf(files ...string) memory {
	m := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return memory{m}
}

// many returns n copies of a format with a number in each.
func many(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// components returns a repository with n components of Antora, whose pages have aliases in each other.
func components(n int) memory {
	files := []string{"r/antora-playbook.yml", "content:\n  sources:\n  - url: .\n    start_paths: " + many("x%d*, ", 50000) + "c*\n"}
	for i := range n {
		dir := fmt.Sprintf("r/c%d/", i)
		files = append(files, dir+"antora.yml", fmt.Sprintf("name: c%d\nversion: '%d'\n", i%10, i),
			dir+"modules/ROOT/pages/a.adoc", "= A\n:page-aliases: "+many("c%d::b.adoc, ", 300)+"\n\n"+many("xref:c%d::a.adoc[]\n", 300))
	}
	return treeOf(files...)
}

func TestHostile(t *testing.T) {
	large := "docs_dir: docs\n" + strings.Repeat("# x\n", 1<<19)
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := byte('b'); c <= 'z'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9), ", "))
	}
	loop := "--8<-- \"b.md\"\n"
	bombs := "a0: &a0 [x]\n"
	for i := range 40 {
		bombs += strings.NewReplacer("B", strconv.Itoa(i+1), "A", strconv.Itoa(i)).Replace("aB: &aB [*aA, *aA, *aA, *aA]\n")
	}
	calls := `{{ partial "a.html" . }}`
	// Text in comments, strings and expressions is not configuration.
	confusing := "// presets: [['classic', {docs: {path: '../etc'}}]]\n/* module.exports = {presets: [['classic', {docs: {path: '../../etc'}}]]} */\n" +
		"const re = /\\/* presets: {/g, s = '\\'}, presets: [', t = `${`}`} presets: [`, x = 1 / 2 / 3;\n" +
		"module.exports = {title: \"]}, docs: {path: '../etc'}\", presets: [['classic', {docs: {path: 'docs' /* , path: '../etc' */}}]]}\n"
	const gatsby = `{"dependencies": {"gatsby": "5"}}`
	tests := []struct {
		name  string
		files memory
		file  string
		found bool
	}{
		{"a directory outside the repository", treeOf("r/mkdocs.yml", "docs_dir: ../../etc", "etc/x.md", ""), "/r/docs/x.md", false},
		{"an absolute directory", treeOf("r/mkdocs.yml", "docs_dir: /etc", "etc/x.md", ""), "/etc/x.md", false},
		{"inheritance in a circle", treeOf("r/mkdocs.yml", "INHERIT: mkdocs.yml", "r/docs/x.md", ""), "/r/docs/x.md", true},
		{"inheritance of two", treeOf("r/mkdocs.yml", "INHERIT: b.yml", "r/b.yml", "INHERIT: mkdocs.yml", "r/docs/x.md", ""), "/r/docs/x.md", true},
		{"inheritance from outside", treeOf("r/mkdocs.yml", "INHERIT: ../b.yml", "b.yml", "docs_dir: other", "r/docs/x.md", ""), "/r/docs/x.md", true},
		{"aliases of aliases", treeOf("r/mkdocs.yml", bomb+"exclude_docs: *z\nmarkdown_extensions: *z\nplugins: *z\n", "r/docs/x.md", ""), "/r/docs/x.md", true},
		{"aliases of aliases in a book", treeOf("r/_config.yml", bomb+"sphinx: {config: *z}\n", "r/_toc.yml", bomb, "r/x.md", ""), "/r/x.md", true},
		{"nested brackets", treeOf("r/conf.py", "extensions = "+strings.Repeat("[", 1<<17), "r/x.md", ""), "/r/x.md", true},
		{"snippets from outside", treeOf("r/mkdocs.yml", "markdown_extensions: [{pymdownx.snippets: {base_path: ../etc, auto_append: [../etc/x.md]}}]", "etc/x.md", "", "r/docs/x.md", "--8<-- \"x.md\"\n--8<-- \"../etc/x.md\"\n"), "/r/docs/x.md", true},
		{"many rules", treeOf("r/mkdocs.yml", "exclude_docs: |\n"+strings.Repeat("  **/a/**/b*\n", 1<<15), "r/docs/x.md", ""), "/r/docs/x.md", true},
		{"a configuration that is too large", treeOf("r/mkdocs.yml", large, "r/docs/x.md", ""), "/r/docs/x.md", true},
		{"includes in a circle", treeOf("r/mkdocs.yml", "markdown_extensions: [{pymdownx.snippets: {base_path: docs}}]", "r/docs/a.md", loop, "r/docs/b.md", strings.ReplaceAll(loop, "b", "a")), "/r/docs/a.md", true},
		{"documents of Gatsby outside", treeOf("r/package.json", gatsby, "r/gatsby-config.js", "module.exports = {plugins: [{resolve: 'gatsby-source-filesystem', options: {path: '../x'}}]}", "r/gatsby-node.js", "createPage({path: node.frontmatter.path})", "x/a.md", "---\npath: a\n---\n"), "/x/a.md", false},
		{"many calls", treeOf("r/package.json", gatsby, "r/gatsby-config.js", "module.exports = {plugins: ["+strings.Repeat("{resolve: 'gatsby-source-filesystem', ", 1<<14), "r/gatsby-node.js", strings.Repeat("createPage({ path: `/${", 1<<14)+strings.Repeat("createNodeField({", 1<<14), "r/src/pages/a.mdx", ""), "/r/src/pages/a.mdx", false},
		{"versions outside", treeOf("r/docusaurus.config.js", "export default {presets: [['classic', {docs: {path: '../../x'}}]]}", "x/a.md", ""), "/x/a.md", false},
		{"translations outside", treeOf("r/docusaurus.config.js", "export default {i18n: {path: '../../x'}, presets: ['classic'], plugins: [['content-docs', {id: '../../../x', path: 'd'}]]}", "r/versions.json", `["/../../../x", "1"]`, "r/docs/a.md", "", "r/d/a.md", "", "x/fr/docusaurus-plugin-content-docs/current/a.md", "", "x/a.md", ""), "/r/docs/a.md", true},
		{"many languages and versions", treeOf("r/docusaurus.config.js", "export default {i18n: {locales: ["+strings.Repeat("'fr', ", 1000)+many("'l%d', ", 10000)+"]}, presets: ['classic']}", "r/versions.json", "["+many(`"v%d", `, 10000)+`"x"]`, "r/docs/a.md", ""), "/r/docs/a.md", true},
		{"many components", components(100), "/r/c1/modules/ROOT/pages/a.adoc", true},
		{"a source directory outside", treeOf("r/.vitepress/config.ts", "export default {srcDir: '../..'}", "r/a.md", ""), "/r/a.md", false},
		{"a script that is not balanced", treeOf("r/docusaurus.config.js", strings.Repeat("({[", 5000), "r/docs/a.md", ""), "/r/docs/a.md", true},
		{"templates outside", treeOf("r/hugo.toml", "layoutDir = '../x'\ntheme = '../../x'\nthemesDir = '..'\nstaticDir = '../x'\ncontentDir = '../x'", "x/a.md", ""), "/x/a.md", false},
		{"templates that run each other", treeOf("r/hugo.toml", "", "r/layouts/shortcodes/x.html", calls, "r/layouts/partials/a.html", calls, "r/content/a.md", "{{< x >}}"), "/r/content/a.md", true},
		{"shortcodes that are not closed", treeOf("r/hugo.toml", "", "r/content/a.md", strings.Repeat("{{< include \"", 50000)), "/r/content/a.md", true},
		{"pages that show each other", treeOf("r/hugo.toml", "", "r/content/a.md", "{{< include \"b.md\" >}}", "r/content/b.md", "{{< include \"a.md\" >}} {{< include \"../../../etc/x\" >}}"), "/r/content/a.md", true},
		{"mounts outside", treeOf("r/hugo.toml", "theme = '../../x'\n[module]\nreplacements = 'a -> ../../x'\n[[module.imports]]\npath = 'a'\n[[module.mounts]]\nsource = '../x'\ntarget = 'content'\n", "x/content/a.md", "", "x/a.md", ""), "/x/a.md", false},
		{"modules of Hugo in a circle", treeOf("r/hugo.toml", "theme = 'a'", "r/themes/a/hugo.toml", "[[module.imports]]\npath = 'b'", "r/themes/b/hugo.toml", "[[module.imports]]\npath = 'a'", "r/themes/b/content/a.md", ""), "/r/themes/b/content/a.md", true},
		{"many mounts", treeOf("r/hugo.toml", strings.Repeat("[[module.mounts]]\nsource = 'content'\ntarget = 'content/x'\nfiles = ['! **/a*/**/b*', '**']\n", 10000), "r/content/a.md", ""), "/r/content/a.md", true},
		{"many languages", treeOf("r/hugo.toml", manyLanguages(), "r/content/a.md", ""), "/r/content/a.md", true},
		{"sites that include each other", treeOf("r/mkdocs.yml", "plugins: [monorepo]\nnav: [{a: '!include ./a/mkdocs.yml'}, {x: '!include ../x/mkdocs.yml'}, {a: '*include ../*/mkdocs.yml'}]", "r/a/mkdocs.yml", "site_name: a\nplugins: [monorepo]\nnav: [{a: '!include ../mkdocs.yml'}]", "r/a/docs/x.md", "", "x/mkdocs.yml", ""), "/r/a/docs/x.md", true},
		{"documents of an included site outside", treeOf("r/mkdocs.yml", "plugins: [monorepo]\nnav: [{a: '!include ./a/mkdocs.yml'}]", "r/a/mkdocs.yml", "site_name: ../../..\ndocs_dir: ../../x", "x/a.md", "", "r/docs/x.md", ""), "/r/docs/x.md", true},
		{"many inclusions", treeOf("r/mkdocs.yml", "plugins: [monorepo]\nnav:\n"+strings.Repeat("- {a: '!include ./a/mkdocs.yml'}\n- {b: '*include ./*/*/*/*.yml'}\n", 14000), "r/a/mkdocs.yml", "site_name: a\n", "r/a/docs/x.md", ""), "/r/a/docs/x.md", true},
		{"a configuration of Hugo that is too large", treeOf("r/hugo.yaml", large, "r/content/x.md", ""), "/r/content/x.md", true},
		{"aliases of aliases", treeOf("r/hugo.yaml", bombs, "r/content/x.md", ""), "/r/content/x.md", true},
		{"aliases of aliases in Jekyll", treeOf("r/_config.yml", bomb, "r/x.md", "---\n---\n"), "/r/x.md", true},
		{"a source outside", treeOf("r/_config.yml", "source: ../x", "x/a.md", ""), "/x/a.md", false},
		{"a book outside", treeOf("r/book.toml", "[book]\nsrc = '../../x'", "x/a.md", ""), "/x/a.md", false},
		{"chapters in a circle", treeOf("r/book.toml", "", "r/src/SUMMARY.md", "[a](a.md)\n[x](../../../x/a.md)", "r/src/a.md", "{{#include a.md}} {{#include ../../../x/a.md}}"), "/r/src/a.md", true},
		{"rewrites that are no patterns", treeOf("r/.vitepress/config.ts", "export default {rewrites: {':a(((': ':b)))'}}", "r/a.md", ""), "/r/a.md", true},
		{"modules in a circle", treeOf("r/astro.config.mjs", "import starlight from '@astrojs/starlight'\nimport a from './a.mjs'\nexport default {redirects: {...a}, base: a}", "r/a.mjs", "import b from './b.mjs'\nexport default b", "r/b.mjs", "import a from './a.mjs'\nexport default a", "r/src/content/docs/a.md", ""), "/r/src/content/docs/a.md", true},
		{"modules outside", treeOf("r/.vitepress/config.ts", "import s from '../../../s'\nexport default {...s, srcDir: s.x}", "s.ts", "export default {srcDir: '/etc'}", "r/a.md", ""), "/r/a.md", true},
		{"a configuration of 5 MB", treeOf("r/eleventy.config.js", strings.Repeat("c.addPassthroughCopy({'x': '../../y'});\n", 5<<20/40), "r/a.md", ""), "/r/a.md", true},
		{"many calls", treeOf("r/eleventy.config.js", "export default c => {"+strings.Repeat("c.ignores.add('x/**/{a,b}/*.md');", 20000)+"}", "r/a.md", ""), "/r/a.md", true},
		{"braces before a call", treeOf("r/eleventy.config.js", "export default c => {"+strings.Repeat("}", 400000)+"c.ignores.add('y')}", "r/a.md", ""), "/r/a.md", true},
		{"copies from outside", treeOf("r/eleventy.config.js", "export default c => { c.addPassthroughCopy('../../etc'); return {dir: {input: '.', includes: '../../etc', data: '/etc'}} }", "etc/x.md", "", "r/a.md", "{% include \"../../etc/x.md\" %}"), "/r/a.md", true},
		{"redirects in a circle", treeOf("r/.vitepress/config.ts", "", "r/public/_redirects", strings.Repeat("/a/* /a/:splat/x\n/b/:x(((( /y\n", 10000), "r/a.md", ""), "/r/a.md", true},
		{"data in a circle", treeOf("r/eleventy.config.js", "", "r/_includes/a.njk", "---\nlayout: a.njk\n---\n<p id=\"{{ x }}\">", "r/a.md", "---\nlayout: a.njk\n---\n"), "/r/a.md", true},
		{"a configuration of MkDocs of 5 MB", treeOf("r/mkdocs.yml", "docs_dir: ../x\n"+strings.Repeat("# x\n", 5<<20/4), "x/a.md", "", "r/docs/x.md", ""), "/r/docs/x.md", true},
		{"files of DocFX outside", treeOf("r/docfx.json", `{"build": {"content": [{"src": "../x", "files": "**"}, "*.md"]}, "metadata": [{"dest": "../../x"}]}`, "x/a.md", "", "r/a.md", "[!INCLUDE [x](../x/a.md)] [!INCLUDE [x](a.md)]"), "/x/a.md", false},
		{"a project of Quarto outside", treeOf("r/_quarto.yml", "website: {}\nproject: {output-dir: ../../x, render: [../x/*.md, '**/{a', '!**/[b*']}", "x/a.md", "", "r/a.qmd", ""), "/x/a.md", false},
		{"includes of Quarto in a circle", treeOf("r/_quarto.yml", "website: {}", "r/a.qmd", "{{< include a.qmd >}}\n{{< include _b.qmd >}}\n{{< include ../../../etc/x >}}\n", "r/_b.qmd", "{{< include _b.qmd >}}\n{{< include a.qmd >}}\n"), "/r/a.qmd", true},
		{"chapters of bookdown outside", treeOf("r/_bookdown.yml", "rmd_files: [../x/a.Rmd, a.Rmd, a.Rmd]", "x/a.Rmd", "", "r/a.Rmd", "# A\n\x60\x60\x60{r, child='../x/a.Rmd'}\n"), "/r/a.Rmd", true},
		{"many patterns of DocFX", treeOf("r/docfx.json", `{"build": {"content": ["*.md"`+strings.Repeat(`, "**/a*/**/b*.md"`, 50000)+"]}}", "r/a.md", ""), "/r/a.md", false},
		{"a script that looks like another", treeOf("r/docusaurus.config.js", confusing, "r/docs/a.md", "", "etc/a.md", ""), "/r/docs/a.md", true},
		{"a script of template literals in each other", treeOf("r/docusaurus.config.js", "export default {presets: ['classic'], url: "+strings.Repeat("`${", 5000)+"1"+strings.Repeat("}`", 5000)+"}", "r/docs/a.md", ""), "/r/docs/a.md", true},
		{"regular expressions that do not end", treeOf("r/astro.config.mjs", "import starlight from '@astrojs/starlight'\nexport default {base: '/b'}\n"+strings.Repeat("a = b / c; d = /[/\n", 20000), "r/src/content/docs/a.md", ""), "/r/src/content/docs/a.md", true},
		{"many redirects of Next.js", treeOf("r/package.json", `{"dependencies": {"next": "1"}}`, "r/next.config.js", "module.exports = {redirects() { return ["+many("{source: '/a%d/:x(.*)((', destination: '/'}, {source: '/b/:x*', destination: '/'},", 50000)+"]}}", "r/app/page.mdx", ""), "/r/app/page.mdx", false},
		{"parameters of Next.js in each other", treeOf("r/package.json", `{"dependencies": {"next": "1"}}`, "r/next.config.js", "module.exports = {pageExtensions: ['mdx']}", "r/app/"+strings.Repeat("[[...a]]/", 2000)+"page.mdx", "", "r/app/page.mdx", ""), "/r/app/page.mdx", true},
		{"directories of Vocs outside", treeOf("r/vocs.config.ts", "export default {rootDir: '../x', srcDir: '/etc', redirects: ["+many("{source: '/:a%d(*(', destination: '/x'},", 20000)+"]}", "x/pages/a.md", ""), "/x/pages/a.md", false},
		{"routes of SvelteKit outside", treeOf("r/svelte.config.js", "export default {kit: {files: {routes: '../x', assets: '/etc'}}}", "x/+page.md", "", "r/src/routes/+page.md", ""), "/r/src/routes/+page.md", false},
		{"sources of Nuxt Content outside", treeOf("r/nuxt.config.ts", "export default {srcDir: '../x', extends: ['../x']}", "r/content.config.ts", "import '@nuxt/content'\nexport default {collections: {a: {source: {cwd: '../x', include: '**'}}, b: {source: '../../x/**'}}}", "x/a.md", "", "r/content/a.md", ""), "/x/a.md", false},
		{"many redirects and sources of Nuxt Content", treeOf("r/nuxt.config.ts", "export default {routeRules: {"+many("'/a%d/**': {redirect: '/x'},", 20000)+"}}", "r/content.config.ts", "import '@nuxt/content'\nexport default {collections: {"+many("a%d: {source: '**/a*/**/b*'},", 20000)+"x: {source: '**'}}}", "r/content/a.md", strings.Repeat(":a::b <a> ", 20000)), "/r/content/a.md", true},
		{"components that import themselves", treeOf("r/.vitepress/config.ts", "", "r/a.md", strings.Repeat("import X from './a.md'\n<X/>\n", 10000)), "/r/a.md", true},
	}
	for _, test := range tests {
		start := scantest.Clock()
		s := gen.Find(test.files, "").Of(test.file, "/r")
		if got := s != nil && s.Page(test.file) != nil; got != test.found {
			t.Errorf("%s: found is %t", test.name, got)
		}
		if s != nil {
			uses, _ := s.Uses(test.file)
			for _, u := range uses {
				s.Resolve(u, site.Markdown, "", "/a/x/gone#y")
			}
			s.ID(test.file, "x")
			for _, m := range s.Mounts {
				if !source.Below(m.Dir, "/r") {
					t.Errorf("%s: a mount of %s", test.name, m.Dir)
				}
			}
		}
		if took := scantest.Clock() - start; scantest.IsLong() && took > 5*time.Second {
			t.Errorf("%s: took %v", test.name, took)
		}
	}
}

// manyLanguages returns a configuration of Hugo with 20,000 languages.
func manyLanguages() string {
	var b strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&b, "[languages.x%d]\nweight = 1\n", i)
	}
	return b.String()
}

// Every spelling leads back to its file.
func TestSpell(t *testing.T) {
	files := treeOf("r/mkdocs.yml", "site_url: https://h.example/m/", "r/docs/index.md", "", "r/docs/a b.md", "", "r/docs/sub/x.md", "", "r/docs/img.png", "")
	s := gen.Find(files, "").Of("/r/docs/sub/x.md", "/r")
	uses, _ := s.Uses("/r/docs/sub/x.md")
	tests := []struct {
		form       site.Form
		style, ref string
		file       string
	}{
		{site.Markdown, "gone.md", "../a%20b.md", "/r/docs/a b.md"},
		{site.Markdown, "./gone.md", "../index.md", "/r/docs/index.md"},
		{site.HTML, "gone/", "../../a%20b/", "/r/docs/a b.md"},
		{site.HTML, "/m/gone/", "/m/a%20b/", "/r/docs/a b.md"},
		{site.HTMLSource, "img.png", "../../img.png", "/r/docs/img.png"},
		{site.Image, "img.png", "../img.png", "/r/docs/img.png"},
	}
	for _, test := range tests {
		if ref, _ := s.Spell(uses[:1], test.form, "", test.file, test.style); ref != test.ref {
			t.Errorf("%v like %q: got %q, want %q", test.form, test.style, ref, test.ref)
		}
	}
}
