package audit

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// A treeShape is a hostile tree of about n things: its files.
type treeShape struct {
	name string
	make func(n int, add func(name, text string))
}

// times returns text n times, with its number in place of "%d".
func times(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// Sites, their configurations and their navigation; labels, includes and attributes of markup.
var treeShapes = []treeShape{
	{"a page beside a long configuration of webpack", func(n int, add func(name, text string)) {
		add("webpack.config.js", strings.Repeat("// x\n", 4*n))
		add("index.html", times(n, "<a href=x%d.html>a</a>\n"))
	}},
	{"vuepress: a file of redirects that lead to one another", func(n int, add func(name, text string)) {
		add("package.json", `{"devDependencies": {"vuepress": "^1.9.0"}}`)
		add("docs/.vuepress/config.js", "module.exports = {plugins: ['@vuepress/html-redirect']}")
		add("docs/.vuepress/redirects", times(10*n, "/r%d /next/r%d\n"))
		add("docs/README.md", "# A\n")
	}},
	{"docfx: redirects of a repository", func(n int, add func(name, text string)) {
		add(".openpublishing.publish.config.json", `{"docsets_to_publish": [{"docset_name": "x", "build_source_folder": "docs"}]}`)
		add(".openpublishing.redirection.json", `{"redirections": [`+times(n, `{"source_path": "docs/r%d.md", "redirect_url": "/x/a"},`+"\n")+`{}]}`)
		add("docs/docfx.json", `{"build": {"content": [{"files": ["**/*.md"]}]}}`)
		add("docs/a.md", "# A\n")
	}},
	{"placeholders in the redirects of a host", func(n int, add func(name, text string)) {
		add("docusaurus.config.js", "module.exports = {presets: ['classic']}")
		add("static/_redirects", times(n, "/old%d/:a/* /docs/:a/:splat\n"))
		add("docs/index.md", times(n, "[x](/old%d/y/z)\n"))
	}},
	{"sphinx: modules that import one another", func(n int, add func(name, text string)) {
		add("conf.py", "from m0 import *\n"+times(n, "from m%d import *\n"))
		add("index.rst", "A\n=\n")
		for i := range n {
			add(fmt.Sprintf("m%d.py", i), fmt.Sprintf("from m%d import *\nexclude_patterns = exclude_patterns + exclude_patterns\n", i+1))
		}
	}},
	{"rst: labels that are nearly right", func(n int, add func(name, text string)) {
		add("conf.py", "extensions = []\n")
		add("index.rst", times(n, ".. _number-%d-of-a-label:\n\nTitle %d\n--------\n\n:ref:`numbr-%d-of-a-label`\n\n"))
	}},
	{"rst: one label in n files", func(n int, add func(name, text string)) {
		add("conf.py", "")
		for i := range n {
			add(fmt.Sprintf("d%d.rst", i), ".. _same:\n\nTitle\n=====\n\n:ref:`same` :doc:`none` :ref:`other`\n")
		}
	}},
	{"rst: a chain of includes", func(n int, add func(name, text string)) {
		add("conf.py", "")
		for i := range n {
			add(fmt.Sprintf("d%d.rst", i), fmt.Sprintf("`x <gone%d>`_\n\n.. include:: d%d.rst\n", i, i+1))
		}
	}},
	{"rst: includes of itself", func(n int, add func(name, text string)) {
		add("conf.py", "")
		add("a.rst", strings.Repeat(".. include:: a.rst\n\n", n))
	}},
	{"rst: n includes of a file with n includes", func(n int, add func(name, text string)) {
		add("conf.py", "")
		add("a.rst", strings.Repeat(".. include:: b.rst\n\n", n))
		add("b.rst", strings.Repeat(".. include:: c.rst\n\n", n))
		add("c.rst", strings.Repeat(":ref:`x`\n\n", n))
	}},
	{"rst: targets that name each other", func(n int, add func(name, text string)) {
		add("a.rst", times(n, ".. _a%d: a%d0_\n")+"\n\n"+times(n, "a%d_ "))
	}},
	{"rst: a chain of targets", func(n int, add func(name, text string)) {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ".. _a%d: a%d_\n", i, i+1)
		}
		add("a.rst", b.String()+"\n"+times(n, "a%d_ "))
	}},
	{"sphinx: patterns of toctrees", func(n int, add func(name, text string)) {
		add("conf.py", "")
		for i := range n {
			add(fmt.Sprintf("d%d.rst", i), "Title\n=====\n\n.. toctree::\n   :glob:\n\n   *\n   d*\n")
		}
	}},
	{"sphinx: n patterns", func(n int, add func(name, text string)) {
		add("conf.py", "exclude_patterns = ["+times(n, "'**/x%d*/*y',")+"]\n")
		for i := range n {
			add(fmt.Sprintf("d%d/a.rst", i), "`x <y>`_ :doc:`z`\n")
		}
	}},
	{"sphinx: extlinks", func(n int, add func(name, text string)) {
		add("conf.py", "extlinks = {"+times(n, "'r%d': ('http://h/%d/%s', ''),")+"}\n")
		add("a.rst", times(n, ":r%d:`x` "))
	}},
	{"sphinx: a value of n pieces", func(n int, add func(name, text string)) {
		add("conf.py", "a = 'x'\n"+times(n, "a = a + a\nb%d = a + 'x'\n")+"exclude_patterns = [a]\n")
		add("a.rst", "`x <y>`_")
	}},
	{"sphinx: brackets", func(n int, add func(name, text string)) {
		add("conf.py", "extensions = "+strings.Repeat("[(", n)+"\n")
		add("a.rst", "`x <y>`_")
	}},
	{"sphinx: terms", func(n int, add func(name, text string)) {
		add("conf.py", "")
		add("a.rst", ".. glossary::\n\n"+times(n, "   term %d of many\n      x\n\n")+"\n"+times(n, ":term:`trm %d of many` "))
	}},
	{"myst: labels", func(n int, add func(name, text string)) {
		add("conf.py", "extensions = ['myst_parser']\n")
		add("a.md", times(n, "(label-%d)=\n# Title %d\n\n{ref}`lbel-%d` [](#labl-%d)\n\n"))
	}},
	{"jupyter book: a table of contents", func(n int, add func(name, text string)) {
		add("_config.yml", "title: x\n")
		add("_toc.yml", "format: jb-book\nroot: index\nchapters:\n"+times(n, "- file: gone%d\n"))
		add("index.md", "[x](y)")
	}},
	{"jupyter book: a deep table of contents", func(n int, add func(name, text string)) {
		var b strings.Builder
		for i := range n / 10 {
			fmt.Fprintf(&b, "%s- file: x\n%s  sections:\n", strings.Repeat(" ", i), strings.Repeat(" ", i))
		}
		add("_config.yml", "title: x\n")
		add("_toc.yml", "format: jb-book\nroot: index\nchapters:\n"+b.String())
		add("index.md", "[x](y)")
	}},
	{"asciidoc: a chain of includes", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("d%d.adoc", i), fmt.Sprintf("xref:gone%d.adoc[]\n\ninclude::d%d.adoc[]\n", i, i+1))
		}
	}},
	{"asciidoc: n includes of a file with n includes", func(n int, add func(name, text string)) {
		add("a.adoc", strings.Repeat("include::b.adoc[]\n", n))
		add("b.adoc", strings.Repeat("include::c.adoc[]\n", n))
		add("c.adoc", strings.Repeat("xref:gone.adoc[]\n", n))
	}},
	{"asciidoc: attributes of attributes", func(n int, add func(name, text string)) {
		var b strings.Builder
		b.WriteString(":a0: x\n")
		for i := range n {
			fmt.Fprintf(&b, ":a%d: {a%d}{a%d}\n", i+1, i, i)
		}
		add("a.adoc", b.String()+"\n"+times(n, "link:{a%d}[x] "))
	}},
	{"asciidoc: ids that are nearly right", func(n int, add func(name, text string)) {
		add("a.adoc", times(n, "[#number-%d-of-an-id]\n== Title\n\n<<numbr-%d-of-an-id>>\n\n"))
	}},
	{"asciidoc: texts that are nearly titles", func(n int, add func(name, text string)) {
		add("a.adoc", "include::b.adoc[]\n\n"+times(n, "== The {title} %d Is\n\n<<The Title %d was>> <<gone%d>>\n\n"))
		add("b.adoc", times(n, "<<gone%d>> <<The Title %d was>>\n\n"))
	}},
	{"asciidoc: ids of n files", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("a%d.adoc", i), "[#same]\n== Title\n\n<<same>> <<a0.adoc#sam>> xref:a1.adoc#_titl[]\n")
		}
	}},
	{"antora: resources", func(n int, add func(name, text string)) {
		add("antora.yml", "name: c\nversion: '1'\nnav:\n"+times(n, "- modules/m%d/nav.adoc\n"))
		for i := range n {
			add(fmt.Sprintf("modules/m%d/pages/a.adoc", i), fmt.Sprintf(":page-aliases: b%d.adoc, m%d:c.adoc\n\nxref:m%d:gone.adoc[] xref:m%d:b%d.adoc[]\n", i, i+1, i+1, i, i))
			add(fmt.Sprintf("modules/m%d/nav.adoc", i), "* xref:a.adoc[]\n* xref:gone.adoc[]\n")
		}
	}},
	{"antora: components", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("c%d/antora.yml", i), fmt.Sprintf("name: c\nversion: '%d'\n", i))
			add(fmt.Sprintf("c%d/modules/ROOT/pages/a.adoc", i), fmt.Sprintf("xref:%d@c::a.adoc[] xref:c::gone.adoc[]\n", i+1))
		}
	}},
	{"antora: attributes", func(n int, add func(name, text string)) {
		add("antora.yml", "name: c\nversion: '1'\nasciidoc:\n  attributes:\n"+times(n, "    a%d: '{a%d}{a%d}'\n"))
		add("modules/ROOT/pages/a.adoc", times(n, "link:{a%d}[x] "))
	}},
	{"mkdocs: navigation", func(n int, add func(name, text string)) {
		add("mkdocs.yml", "nav:\n"+times(n, "- x: gone%d.md\n"))
		add("docs/index.md", "[x](y)")
	}},
	{"mkdocs: deep navigation", func(n int, add func(name, text string)) {
		add("mkdocs.yml", "nav: "+strings.Repeat("[{a: ", n)+"x"+strings.Repeat("}]", n))
		add("docs/index.md", "[x](y)")
	}},
	{"mkdocs: navigation of directories", func(n int, add func(name, text string)) {
		add("mkdocs.yml", "plugins: [awesome-pages]\n")
		for i := range n {
			add(fmt.Sprintf("docs/d%d/.pages", i), "nav:\n- gone.md\n- ...\n- d*\n")
			add(fmt.Sprintf("docs/d%d/a.md", i), "[x](y.md)")
		}
	}},
	{"mkdocs: snippets", func(n int, add func(name, text string)) {
		add("mkdocs.yml", "markdown_extensions: [{pymdownx.snippets: {base_path: docs}}]\n")
		add("docs/a.md", strings.Repeat("--8<-- \"b.md\"\n", n))
		add("docs/b.md", strings.Repeat("--8<-- \"c.md\"\n", n))
		add("docs/c.md", strings.Repeat("[x](gone.md)\n", n))
	}},
	{"mkdocs: redirects", func(n int, add func(name, text string)) {
		add("mkdocs.yml", "plugins:\n- redirects:\n    redirect_maps:\n"+times(n, "      a%d.md: a%d0.md\n"))
		add("docs/a.md", times(n, "[x](a%d.md) "))
	}},
	{"hugo: aliases", func(n int, add func(name, text string)) {
		add("hugo.toml", "")
		for i := range n {
			add(fmt.Sprintf("content/a%d.md", i), fmt.Sprintf("---\naliases: [/b%d/, /c/, ../d]\n---\n{{< ref \"b%d\" >}} [x](/b%d/) {{< relref \"gone\" >}}\n", i, i, i))
		}
	}},
	{"hugo: menus", func(n int, add func(name, text string)) {
		add("hugo.toml", times(n, "[[menu.main]]\nurl = '/gone%d/'\n"))
		add("content/a.md", "[x](y)")
	}},
	{"hugo: templates", func(n int, add func(name, text string)) {
		add("hugo.toml", "")
		for i := range n {
			add(fmt.Sprintf("layouts/shortcodes/s%d.html", i), fmt.Sprintf("{{ partial \"p%d.html\" . }}<a id=\"{{ .Get 0 }}\">", i))
			add(fmt.Sprintf("layouts/partials/p%d.html", i), fmt.Sprintf("{{ partial \"p%d.html\" . }}", i+1))
		}
		add("content/a.md", times(n, "{{< s%d x >}} [x](#y%d)\n"))
	}},
	{"docusaurus: sidebars", func(n int, add func(name, text string)) {
		add("docusaurus.config.js", "export default {presets: [['classic', {docs: {}}]]}")
		add("sidebars.js", "export default {docs: ["+times(n, "'gone%d', {type: 'category', label: 'x', items: ['a', 'gone']}, ")+"]}")
		add("docs/a.md", "[x](y.md)")
	}},
	{"docusaurus: deep sidebars", func(n int, add func(name, text string)) {
		add("docusaurus.config.js", "export default {presets: [['classic', {docs: {}}]]}")
		add("sidebars.js", "export default {docs: "+strings.Repeat("[{type: 'category', items: ", n)+"[]"+strings.Repeat("}]", n)+"}")
		add("docs/a.md", "[x](y.md)")
	}},
	{"docusaurus: partials", func(n int, add func(name, text string)) {
		add("docusaurus.config.js", "export default {presets: [['classic', {docs: {}}]]}")
		for i := range n {
			add(fmt.Sprintf("docs/_p%d.mdx", i), fmt.Sprintf("import X from './_p%d.mdx'\n\n<X/>\n\n[x](gone%d.md)\n", i+1, i))
		}
		add("docs/a.mdx", "import X from './_p0.mdx'\n\n<X/>\n\n[x](#y)\n")
	}},
	{"vitepress: rewrites", func(n int, add func(name, text string)) {
		add(".vitepress/config.ts", "export default {rewrites: {"+times(n, "'a%d/:x*': 'b%d/:x*', ")+"}}")
		for i := range n {
			add(fmt.Sprintf("a%d/x.md", i), "[x](/b1/x) [y](/a1/x)")
		}
	}},
	{"no generator: rules of the host", func(n int, add func(name, text string)) {
		add("vercel.json", `{"redirects": [`+times(n, `{"source": "/a%d/:b*", "destination": "/"},`)+`{}]}`)
		add("public/_redirects", times(n, "/b%d/* /\n"))
		add("a.md", times(n, "[x](/a%d/x) [x](/b%d/x) [x](/c%d)\n"))
	}},
	{"no generator: missing directories", func(n int, add func(name, text string)) {
		add("a.md", times(n, "[x](x%d.html) ![x](d%d/a.png) ![x](images/%d.png)\n"))
		add("b/x.md", "")
		for i := range n {
			add(fmt.Sprintf("o%d/images/a.png", i), "")
		}
	}},
	{"no generator: aliases of Hugo", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("d%d/_index.md", i), "---\naliases: [../x, ../../y, "+strings.Repeat("../", i%50)+"z]\n---\n# a\n")
			add(fmt.Sprintf("d%d/a.md", i), "[x](../../d0/) [x](../x/) [x](../../gone/)\n")
		}
	}},
	{"vitepress: redirects", func(n int, add func(name, text string)) {
		add(".vitepress/config.ts", "")
		add("public/_redirects", times(n, "/a%d/* /b%d/:splat\n"))
		add("a.md", times(n, "[x](/a%d/y) "))
	}},
	{"vitepress: includes", func(n int, add func(name, text string)) {
		add(".vitepress/config.ts", "")
		add("a.md", strings.Repeat("<!--@include: ./b.md-->\n\n", n))
		add("b.md", strings.Repeat("<!--@include: ./c.md-->\n\n", n))
		add("c.md", strings.Repeat("[x](gone.md)\n\n", n))
	}},
	{"starlight: a sidebar", func(n int, add func(name, text string)) {
		add("astro.config.mjs", "import starlight from '@astrojs/starlight';\nexport default defineConfig({integrations: [starlight({sidebar: ["+times(n, "'gone%d', { label: 'x', items: ['a'] }, ")+"]})]})")
		add("src/content/docs/a.md", "[x](/y/)")
	}},
	{"mdbook: chapters", func(n int, add func(name, text string)) {
		add("book.toml", "")
		add("src/SUMMARY.md", times(n, "- [x](gone%d.md)\n  - [y](a.md)\n"))
		add("src/a.md", times(n, "{{#include a.md}} [x](b%d.html)\n"))
	}},
	{"jekyll: redirects", func(n int, add func(name, text string)) {
		add("_config.yml", "plugins: [jekyll-redirect-from]\n")
		for i := range n {
			add(fmt.Sprintf("a%d.md", i), fmt.Sprintf("---\nredirect_from: [/b%d/, /c]\n---\n{%% include x%d.html %%}{%% link gone%d.md %%} [x](/b%d/)\n", i, i, i, i+1))
			add(fmt.Sprintf("_includes/x%d.html", i), fmt.Sprintf("{%% include x%d.html %%}<p id=x>", i+1))
		}
	}},
	{"eleventy: data of directories", func(n int, add func(name, text string)) {
		add("eleventy.config.js", "export default c => {"+times(n, "c.ignores.add('x%d/**');")+"}")
		for i := range n {
			add(fmt.Sprintf("d%d/d%d.json", i, i), fmt.Sprintf("{\"permalink\": \"/p%d/{{ page.fileSlug }}/\"}", i))
			add(fmt.Sprintf("d%d/a.md", i), fmt.Sprintf("[x](/p%d/a/) [y](/gone%d/)", i+1, i))
		}
	}},
	{"wiki links", func(n int, add func(name, text string)) {
		add(".obsidian/app.json", "{}")
		for i := range n {
			add(fmt.Sprintf("d%d/Same.md", i), fmt.Sprintf("# T\n\n[[Same]] [[gone%d]] [[d%d/Same#T]] [[Sme]] [[Same#^x]]\n", i, i+1))
		}
	}},
	{"pages of a wiki", func(n int, add func(name, text string)) {
		add("_Sidebar.md", times(n, "[[x|gone%d]] "))
		add("Home.md", times(n, "[x](Page-%d) [y](a/b%d) [[Gone %d]]\n"))
		for i := range n {
			add(fmt.Sprintf("d%d/Page-%d.md", i, i), fmt.Sprintf("[x](Pge-%d) [y](page-%d) [[a/b/c%d]]", i, i+1, i))
		}
	}},
	{"pages of a wiki of Azure", func(n int, add func(name, text string)) {
		add(".order", "Home\n"+times(n, "gone%d\n"))
		add("Home.md", times(n, "[x](/d%d/Page) [y](/gone%d) "))
		for i := range n {
			add(fmt.Sprintf("d%d/.order", i), "Page\n")
			add(fmt.Sprintf("d%d/Page.md", i), fmt.Sprintf("[x](../d%d/Page) [y](gone)", i+1))
		}
	}},
	{"quartz: aliases", func(n int, add func(name, text string)) {
		add("quartz.config.ts", "")
		add("content/index.md", "---\naliases: ["+times(n, "a%d, ")+"]\n---\n"+times(n, "[x](a%d) [[gone%d]]\n"))
		for i := range n {
			add(fmt.Sprintf("content/d%d/Same.md", i), fmt.Sprintf("---\nalias: b%d\n---\n[x](Same) [y](b%d)", i, i+1))
		}
	}},
	{"zola: headings that are spelled out", func(n int, add func(name, text string)) {
		add("zola.toml", "base_url = \"/\"\nignored_content = ["+times(n, `"*/a%d*b/*", `)+"]\n")
		add("content/_index.md", times(n, "# 中%d 文\n[x](#gone%d) [y](@/d%d/x.md#zh-0) [z](d%d/中/)\n"))
		for i := range n {
			add(fmt.Sprintf("content/d%d/x.md", i), "+++\naliases = [\"a\", \"b\"]\n+++\n# 中\n{{ gone(x=1) }}\n[x](#gone)\n")
		}
	}},
	{"docsify: aliases and includes", func(n int, add func(name, text string)) {
		add("index.html", "<script>$docsify = {alias: {"+times(n, "'/a%d/.*': '/b', ")+"}, routes: {"+times(n, "'/r%d': '', ")+"}}</script>")
		for i := range n {
			add(fmt.Sprintf("d%d/_x.md", i), fmt.Sprintf("[x](../d%d/_x.md ':include') [y](./gone.md) [z](a/b?id=x)\n", (i+1)%n))
		}
	}},
	{"exdoc: extras and assets", func(n int, add func(name, text string)) {
		add("mix.exs", "ex_doc assets: %{"+times(n, `"a%d" => "b%d", `)+"} extras: ["+times(n, `"x#{%d}*.md", {"d%d/x.md", filename: "f%d"}, `)+"]")
		for i := range n {
			add(fmt.Sprintf("d%d/x.md", i), fmt.Sprintf("# T\n[x](x.md) [y](f%d.html) [z](b%d/gone.png) [g](`G`) [h](gone.html#x)\n", (i+1)%n, i))
		}
	}},
	{"honkit: includes and summary", func(n int, add func(name, text string)) {
		add("book.json", `{"variables": {`+times(n, `"a%d": "b", `)+`"x": "y"}}`)
		add("SUMMARY.md", times(n, "* [x](d%d/x.md)\n"))
		for i := range n {
			add(fmt.Sprintf("d%d/x.md", i), fmt.Sprintf("# T\n# T\n{%% include \"../d%d/x.md\" %%} [x]({{ book.a%d }}/gone.md) [y](#gone)\n", (i+1)%n, i))
		}
	}},
	{"gitbook: summaries of details", func(n int, add func(name, text string)) {
		add(".gitbook.yaml", "redirects:\n"+times(n, "  a%d: b.md\n"))
		add("README.md", times(n, "<details><summary>A%d</summary></details>\n\n[x](#gone%d) [y](gone%d.md)\n\n"))
	}},
	{"mintlify: numbered ids and navigation", func(n int, add func(name, text string)) {
		add("docs.json", `{"theme": "mint", "navigation": {"pages": [`+times(n, `"gone%d", {"pages": ["d%d/x"]}, `)+`"index"]}}`)
		add("index.mdx", times(n, "# A%d\n\n[x](#gone-%d) [y](/gone%d) [z](./d%d/x)\n\n"))
		for i := range n {
			add(fmt.Sprintf("d%d/x.mdx", i), fmt.Sprintf("import A from '/d%d/x.mdx'\n\n[x](../gone)", (i+1)%n))
		}
	}},
	{"vuepress: includes, permalinks and sidebars", func(n int, add func(name, text string)) {
		add("docs/.vuepress/config.js", "export default {base: '/b/', theme: defaultTheme({sidebar: {"+times(n, "'/d%d/': ['gone%d'], ")+"}})}\n")
		for i := range n {
			add(fmt.Sprintf("docs/d%d/x.md", i), fmt.Sprintf("---\npermalink: /p%d/\n---\n@[code](./gone) [x](../d%d/x.md) [y](/gone/) [z](#gone)\n\n!!!include(docs/d%d/x.md)!!!\n", i, (i+1)%n, (i+1)%n))
		}
	}},
	{"rspress: parts and versions", func(n int, add func(name, text string)) {
		add("rspress.config.ts", "export default {multiVersion: {default: 'v0', versions: ["+times(n, "'v%d', ")+"]}, locales: ["+times(n, "{lang: 'l%d'}, ")+"]}\n")
		for i := range n {
			add(fmt.Sprintf("docs/v%d/x.mdx", i), fmt.Sprintf("import P from '../v%d/x.mdx'\n\n# T \\{#t}\n\n[x](./gone) [y](/v%d/x) [z](#gone)\n", (i+1)%n, (i+1)%n))
		}
	}},
	{"nextra: parameters and redirects", func(n int, add func(name, text string)) {
		add("next.config.mjs", "import nextra from 'nextra'\nexport default nextra({})({redirects: () => ["+times(n, "{source: '/r%d/:a*', destination: '/', permanent: true}, ")+"]})\n")
		add("package.json", `{"dependencies": {"nextra": "4.0.0"}}`)
		for i := range n {
			add(fmt.Sprintf("content/[d%d]/x.mdx", i), fmt.Sprintf("# T [#t]\n\n[x](/gone%d) [y](../d%d/x) [z](#gone)\n", i, (i+1)%n))
			add(fmt.Sprintf("content/e%d.mdx", i), fmt.Sprintf("[x](/d%d/y) [y](/r%d/z)\n", i, i))
		}
	}},
	{"fumadocs: collections", func(n int, add func(name, text string)) {
		add("source.config.ts", times(n, "export const c%d = defineDocs({dir: 'content/c%d'})\n"))
		add("lib/source.ts", times(n, "export const s%d = loader({baseUrl: '/c%d', source: c%d.toFumadocsSource()})\n"))
		for i := range n {
			add(fmt.Sprintf("content/c%d/(g)/x.mdx", i), fmt.Sprintf("<include>../../c%d/(g)/x.mdx</include>\n\n[x](/c%d/x#gone) [y](/gone%d)\n", (i+1)%n, (i+1)%n, i))
		}
	}},
	{"names without a suffix, and labels without a definition", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("d%d/same.md", i), fmt.Sprintf("[x](same%d) [y](same.html) [z](gone) [label][b] [label][c%d]\n", i, i))
		}
	}},
	{"docfx: includes and a table of contents", func(n int, add func(name, text string)) {
		add("docfx.json", `{"build": {"content": [{"files": ["**/*.md", "toc.yml"]}, `+times(n, `{"files": ["d%d/*.md"], "src": "d%d"}, `)+`{"files": []}]}}`)
		add("toc.yml", times(n, "- name: x\n  href: d%d/gone.md\n"))
		for i := range n {
			add(fmt.Sprintf("d%d/x.md", i), fmt.Sprintf("# T\n\n[!INCLUDE [x](../d%d/x.md)]\n\n:::image source=\"gone.png\":::\n[x](~/d%d/gone.md) [y](#gone)\n", (i+1)%n, i))
		}
	}},
	{"quarto: includes and patterns", func(n int, add func(name, text string)) {
		add("_quarto.yml", "project:\n  type: website\n  render:\n    - \"*.qmd\"\n"+times(n, "    - d%d/\n"))
		for i := range n {
			add(fmt.Sprintf("d%d/x.qmd", i), fmt.Sprintf("# T\n\n{{< include ../d%d/x.qmd >}}\n\n[x](../d%d/x.qmd#gone) [y](/gone%d.qmd)\n", (i+1)%n, (i+1)%n, i))
		}
	}},
	{"bookdown: chapters", func(n int, add func(name, text string)) {
		add("_bookdown.yml", "rmd_files: ["+times(n, `"c%d.Rmd", `)+"]\n")
		for i := range n {
			add(fmt.Sprintf("c%d.Rmd", i), fmt.Sprintf("# Same\n\n## T%d {#t%d}\n\n[x](#gone%d) [y](same-%d.html) [z](#t%d)\n", i, i, i, i, (i+1)%n))
		}
	}},
	{"docusaurus: versions", func(n int, add func(name, text string)) {
		add("docusaurus.config.js", "module.exports = {presets: [['classic', {docs: {}}]]}")
		add("versions.json", "["+strings.TrimSuffix(times(n, `"%d.0",`), ",")+"]")
		for i := range n {
			add(fmt.Sprintf("versioned_docs/version-%d.0/x.md", i), fmt.Sprintf("[x](../version-%d.0/x.md) [y](gone.md) [z](/docs/%d.0/x)\n", (i+1)%n, i))
		}
	}},
	{"hugo: languages and mounts", func(n int, add func(name, text string)) {
		add("hugo.toml", times(n, "[languages.l%d]\ncontentDir = 'c%d'\n"))
		for i := range n {
			add(fmt.Sprintf("c%d/x.md", i), fmt.Sprintf("[x](gone.md) [y](/l%d/x/) {{< ref \"x\" >}}\n", (i+1)%n))
		}
	}},
	{"notebooks", func(n int, add func(name, text string)) {
		add("a.ipynb", `{"cells": [`+strings.TrimSuffix(times(n, `{"cell_type": "markdown", "source": ["# T%d\n", "[x](#t%d0) ![y](attachment:z%d)"]},`), ",")+`], "nbformat": 4}`)
	}},
	{"org: ids", func(n int, add func(name, text string)) {
		add("a.org", times(n, "* T%d\n:PROPERTIES:\n:CUSTOM_ID: number-%d\n:END:\n[[#numbr-%d]] [[file:gone%d.org::x]]\n"))
	}},
	{"directories that a server may list", func(n int, add func(name, text string)) {
		add(".htaccess", times(n, "<Files a%d>\nOptions +Indexes\n</Files>\n"))
		for i := range n {
			add(fmt.Sprintf("d%d/x.png", i), "")
		}
		add("a.html", times(n, "<a href=\"d%d/\">x</a>\n"))
	}},
	{"front matter", func(n int, add func(name, text string)) {
		add("mkdocs.yml", "")
		for i := range n {
			add(fmt.Sprintf("docs/a%d.md", i), "---\nx: &a [b, b]\ny: [*a, *a]\n---\n[x](y.md)\n")
		}
	}},
	{"n configurations", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("d%d/mkdocs.yml", i), "INHERIT: ../d0/mkdocs.yml\n")
			add(fmt.Sprintf("d%d/docs/a.md", i), "[x](y.md) [y](/z/)\n")
		}
	}},
	{"directories within each other", func(n int, add func(name, text string)) {
		dir := ""
		for i := range min(n, 100) {
			dir += "d/"
			add(dir+"a.md", fmt.Sprintf("[x](../b.md) [y](%sz.md)\n", strings.Repeat("../", i+2)))
			add(dir+"conf.py", "extensions = ['myst_parser']\n")
		}
	}},
}

// site returns the options of an audit of a shape of n things, in memory, and its size in bytes.
func (s *treeShape) site(n int) (o Options, size int) {
	memory := inMemory()
	memory.Write("/t/.git/HEAD", nil)
	s.make(n, func(name, text string) {
		memory.Write("/t/"+name, []byte(text))
		size += len(text)
	})
	return Options{Tree: memory, Dir: "/t"}, size
}

// Whatever is in a tree, time and memory are linear: a thing takes at most 300 µs, or four times as many take no
// more than eight times as long, and 400 KB are made for it, most of them for up to 500 files that includes
// connect with one.
func TestHostileTrees(t *testing.T) {
	n := scantest.Amount(4, 250)
	shapes := slices.Concat(treeShapes, learntShapes)
	for i := range shapes {
		s := &shapes[i]
		large, size := s.site(4 * n)
		audited := func(o Options) {
			_, err := o.audit([]string{"."}, func(*Finding) {})
			must(t, err)
		}
		if scantest.IsLong() {
			small, _ := s.site(n)
			scantest.Linear(t, s.name, time.Duration(4*n)*300*time.Microsecond, func() { audited(small) }, func() { audited(large) })
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		audited(large)
		runtime.ReadMemStats(&after)
		if made := after.TotalAlloc - before.TotalAlloc; made > uint64(64<<20+200*size+4*n*400_000) {
			t.Errorf("%s: %d MiB of memory for %d bytes", s.name, made>>20, size)
		}
	}
}
