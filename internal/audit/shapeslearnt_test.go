package audit

import (
	"fmt"
	"strings"
)

// Sites that are programs, and what their trees teach.
var learntShapes = []treeShape{
	{"nuxt: collections, numbers and properties", func(n int, add func(name, text string)) {
		add("package.json", `{"dependencies": {"@nuxt/content": "3", "nuxt": "4"}}`)
		add("nuxt.config.ts", "export default {modules: ['@nuxt/content'], routeRules: {"+times(n, "'/r%d/**': {redirect: '/x%d'},")+"}}")
		add("content.config.ts", "import '@nuxt/content'\nexport default {collections: {"+times(n, "a%d: {type: 'page', source: 'd%d/**/*.md'},")+"}}")
		for i := range n {
			add(fmt.Sprintf("content/d%d/%d.same.md", i, i), fmt.Sprintf(":::card{to=/gone%d}\n[x](/d%d/same#gone) [y](/d%d/sam)\n:::\n:icon{to=/r%d/x}\n", i, (i+1)%n, i, i))
		}
	}},
	{"nuxt: blocks that are not closed", func(n int, add func(name, text string)) {
		add("nuxt.config.ts", "export default {modules: ['@nuxt/content']}")
		add("content/a.md", strings.Repeat(":::a{", n)+strings.Repeat("\n::a\n---\n", n)+strings.Repeat(":a[", n))
	}},
	{"next: groups, parameters and redirects", func(n int, add func(name, text string)) {
		add("package.json", `{"dependencies": {"next": "15", "@next/mdx": "15"}}`)
		add("next.config.mjs", "export default {pageExtensions: ['mdx', 'tsx'], redirects() { return ["+times(n, "{source: '/o%d/:x*', destination: '/p%d/:x*', permanent: true},")+"]}}")
		for i := range n {
			add(fmt.Sprintf("app/(g%d)/p%d/[[...s]]/page.mdx", i, i), fmt.Sprintf("[x](/p%d/y) [y](/o%d/z) [z](/gone%d)\n", (i+1)%n, i, i))
			add(fmt.Sprintf("app/(g%d)/q%d/page.tsx", i, i), "import X from './page'\nexport default () => <X href='/q'/>\n")
		}
	}},
	{"vocs: sidebar and redirects", func(n int, add func(name, text string)) {
		add("vocs.config.ts", "export default {sidebar: ["+times(n, "{text: 'x', link: '/p%d', items: [{text: 'y', link: '/gone%d'}]},")+"], redirects: ["+times(n, "{source: '/o%d/:x*', destination: '/p%d'},")+"]}")
		for i := range n {
			add(fmt.Sprintf("docs/pages/p%d.mdx", i), fmt.Sprintf("import X from '../x%d'\n\n<X to=\"/gone%d\"/> [x](/p%d#gone) [y](/o%d/z)\n", i, i, (i+1)%n, i))
		}
	}},
	{"sveltekit: groups and parameters", func(n int, add func(name, text string)) {
		add("svelte.config.js", "import { mdsvex } from 'mdsvex'\nexport default {extensions: ['.svelte', '.md'], preprocess: [mdsvex()]}")
		for i := range n {
			add(fmt.Sprintf("src/routes/(g%d)/p%d/+page.md", i, i), fmt.Sprintf("[x](/p%d#gone) [y](/gone%d) [z](p%d)\n", (i+1)%n, i, i))
			add(fmt.Sprintf("src/routes/q%d/[a]/[...b]/+page.svelte", i), fmt.Sprintf("<a href=\"/q%d/x/y\">x</a> <a href=\"/gone\">y</a>\n", (i+1)%n))
		}
	}},
	{"astro: collections that code publishes", func(n int, add func(name, text string)) {
		add("astro.config.mjs", "export default {output: 'server'}")
		add("src/pages/docs/[...x].astro", "")
		for i := range n {
			add(fmt.Sprintf("src/content/docs/p%d.md", i), fmt.Sprintf("[x](/docs/p%d) [y](/docs/gone%d) [z](p%d)\n", (i+1)%n, i, (i+1)%n))
		}
	}},
	{"learnt: numbers, groups and prefixes of one name", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("app/content/%d-group/%d-same/index.md", i, i), fmt.Sprintf("[x](/docs/kit/same) [y](/a/b/c/same) [z](/docs/p%d) [w](same)\n", i))
			add(fmt.Sprintf("app/content/%d-group/%d-p%d.md", i, i, i), fmt.Sprintf("[x](/docs/kit/p%d) [y](/docs/kit/gone%d)\n", (i+1)%n, i))
		}
	}},
	{"learnt: ids within ids", func(n int, add func(name, text string)) {
		add("a.md", times(n, "## A\n\n### b%d\n\n[x](#A-b%d) [y](#AAAAAAAAAAAAAAAAAAAAAAAAAAA-b) [z](/gone/a) [z](/a)\n\n"))
	}},
	{"learnt: documents on one page, of one name", func(n int, add func(name, text string)) {
		add("d/a.md", times(n, "[x](#same) [y](#p%d) [z](p%d#gone)\n\n"))
		for i := range n {
			add(fmt.Sprintf("d/d%d/same.md", i), "## A\n")
			add(fmt.Sprintf("d/p%d.md", i), fmt.Sprintf("[x](#same) [y](same.md) [z](gone%d.md)\n", i))
		}
	}},
	{"learnt: tabs and variants", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("d/p%d-v%d.md", i, i%(n/5+1)), fmt.Sprintf("<a href=\"#tab\">x</a> <a href=\"#tab%d\">x</a> [x](p%d.md) [y](gone%d.md)\n", i, i, i))
			add(fmt.Sprintf("d/p%d-w.md", i), "")
		}
		add("d/all.md", times(n, "<a href=\"#tab%d\">x</a> [x](gone%d.md)\n\n"))
	}},
	{"learnt: ids that a plugin makes", func(n int, add func(name, text string)) {
		add("docusaurus.config.js", "module.exports = {url: 'https://e.org', baseUrl: '/', presets: [['classic', {docs: {}}]]}")
		add("src/theme/MDXComponents.js", times(n, "import A%d from '@site/docs/parts/_a%d.mdx'\n"))
		add("docs/a.mdx", times(n, "## Heading %d\n\n[x](#Heading-%d) [y](#Gone-%d) <A%d/>\n\n"))
		for i := range n {
			add(fmt.Sprintf("docs/parts/_a%d.mdx", i), fmt.Sprintf("<A%d/> [x](#Part-%d)\n", (i+1)%n, i))
		}
	}},
	{"hugo: a page without headings that names a layout", func(n int, add func(name, text string)) {
		add("hugo.toml", "baseURL = 'https://h.example/'")
		add("content/a.md", "---\nlayout: x\n---\n"+times(n, "text %d\n\n[x](#gone%d)\n\n"))
		add("content/b.md", "---\nlayout: x\n---\n# B\n"+times(n, "text %d\n\n[x](#gone%d)\n\n"))
		add("content/c.md", times(n, "[x](../a/#gone%d)\n"))
	}},
	{"maven: pages, languages and fragments", func(n int, add func(name, text string)) {
		add("src/site/site.xml", "<site/>")
		add("src/site/markdown/a.md", times(n, "## \"Heading 'x' %d\n\n[x](#gone%d) [y](b%d.md) [z](m%d/) [w](gone%d.html)\n\n"))
		add("src/site/resources/.htaccess", times(n, "Redirect /r%d /gone%d.html\n"))
		for i := range n {
			add(fmt.Sprintf("src/site/markdown/b%d.md.vm", i), "")
			add(fmt.Sprintf("src/site/site_l%d.xml", i), "<site/>")
			add(fmt.Sprintf("src/site/l%d/markdown/a.md", i), "[x](../a.html) [y](gone.html)\n")
		}
	}},
	{"what builds make: scripts, drawings and missing directories", func(n int, add func(name, text string)) {
		add("build.sh", times(n, "cp -R src content/made%d\n"))
		add("drawings/a.puml", "")
		deep := strings.Repeat("x/", 30)
		add("content/a.md", times(n, "[x](made%d/a.md) [y](gone%d/"+deep+"a.md) ![z](a%d.svg) ![w](a.svg)\n"))
		for i := range n {
			add(fmt.Sprintf("s%d.sh", i), "")
		}
	}},
	{"learnt: components that show documents", func(n int, add func(name, text string)) {
		add("all.mdx", times(n, "<Show src=\"parts/same\" /> <Show src=\"p%d/same\" /> <S src=<S src=\"\n\n[x](#gone%d)\n\n"))
		for i := range n {
			add(fmt.Sprintf("p%d/parts/same.mdx", i), fmt.Sprintf("<Show src=\"parts/same\" />\n\n[x](#gone%d)\n", i))
			add(fmt.Sprintf("p%d/same.mdx", i), "# Same\n\n<Show src=\"same\" />\n")
		}
	}},
	{"learnt: sections, files and suffixes", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("s%d/p%d.md", i, i), fmt.Sprintf("[x](/s%d/p%d) [y](/s%d/gone) [z](p%d.html) [w](/t%d/x)\n", (i+1)%n, (i+1)%n, i, i, i))
		}
	}},
	{"coverage: directories and reasons", func(n int, add func(name, text string)) {
		for i := range n {
			dir := strings.Repeat(fmt.Sprintf("d%d/", i), 20)
			add(dir+"a.md", fmt.Sprintf("[x](/api%d/x) [y]({{ x }}) [z](http://localhost/) [w](y%d) <X a={`${b}`} href={c}/>\n", i, i))
		}
	}},
	{"include: pieces of one file", func(n int, add func(name, text string)) {
		add("docs/conf.py", "extensions = ['myst_parser']\n")
		add("README.md", times(n, "<!-- a%d -->\n\n![x](gone%d.png)\n\n"))
		add("docs/index.md", times(n, "```{include} ../README.md\n:start-after: 'a%d '\n:end-before: 'none'\n```\n\n"))
		for i := range n {
			add(fmt.Sprintf("docs/p%d.md", i), fmt.Sprintf("```{include} ../README.md\n:start-line: %d\n:start-after: 'a%d '\n```\n", i, i))
		}
	}},
	{"redirects to where templates say", func(n int, add func(name, text string)) {
		add("hugo.toml", "")
		add("layouts/index.redirects", times(n, "/a%d/* /{{ $x }}/:splat\n")+strings.Repeat("{{ ", n))
		add("content/a.md", times(n, "[x](/a%d/y) [y](/b%d)\n"))
	}},
}
