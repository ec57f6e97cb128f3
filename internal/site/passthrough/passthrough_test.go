package passthrough

import (
	"path"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/testing/sitetest"
)

func TestRead(t *testing.T) {
	tests := []struct{ name, file, text, want string }{
		{"destructured", "A.tsx", `export default function A({ page, picture: image = '/x.png', title, ...rest }: Props) {
	return <a href={page} {...rest}><img src={image} alt={title} /></a>
}`, "page:link picture:embed"},
		{"props", "A.jsx", `export default (props) => <Link to={props.target}><img src={props.icon}/></Link>`, "icon:embed target:link"},
		{"another name", "A.jsx", `export default function A(p) { return <a href={p.target}>x</a> }`, "target:link"},
		{"memo", "A.tsx", "const A = memo(({ target }: { target: string }) => (\n<a href={target}/>))\nexport default A", "target:link"},
		{"forwardRef", "A.tsx", "export default forwardRef<HTMLElement, P>(function A({ target }, ref) { return <a ref={ref} href={target}/> })", "target:link"},
		{"class", "A.jsx", `export default class A extends React.Component { render() { const { target } = this.props; return <a href={target}><img src={this.props.icon}/></a> } }`, "icon:embed target:link"},
		{"default value", "A.jsx", `export default ({ target, other }) => <a href={target ?? '#'}><a href={other || "/"}/></a>`, "other:link target:link"},
		{"part", "A.jsx", "export default ({ slug, base, cond }) => <a href={`/docs/${slug}`}><a href={withBase(base)}/></a>", "base:part slug:part"},
		{"variable", "A.jsx", "export default ({ slug, base }) => {\n  const url = useBaseUrl(slug);\n  const same = base;\n return <a href={url}><a href={same}/></a> }", "base:link slug:part"},
		{"in text only", "A.jsx", `export default ({ target }) => <a href="/x">{target}</a>`, ""},
		{"another element", "A.jsx", `export default ({ target }) => <p title={target}/>`, ""},
		{"several components", "A.jsx", `
export function B({ target }) { return <a href={target}/> }
export default function A({ page }) { return <a href={page}/> }`, "page:link"},
		{"an element in an attribute", "A.jsx", `export default ({ icon, target }) => <Foo icon={<img src={icon}/>}><a className="x" href={target}>y</a></Foo>`, "icon:embed target:link"},
		{"Astro", "A.astro", "---\nconst { page, icon: name = 'x' } = Astro.props as Props;\n---\n<a href={page}><Image src={Astro.props.cover} /><img src={name}></a>", "cover:embed icon:embed page:link"},
		{"Astro", "A.astro", "---\nconst { page, icon: name = 'x' }: Props = Astro.props;\n---\n<a href={page}><Image src={Astro.props.cover} /><img src={name}></a>", "cover:embed icon:embed page:link"},
		{"Svelte 4", "A.svelte", `<script>export let page; export let icon = "";</script><a href={page}><img src="{icon}"></a>`, "icon:embed page:link"},
		{"Svelte 5", "A.svelte", `<script lang="ts">let { page, icon }: Props = $props();</script><a href="/docs/{page}"><img src={icon}></a>`, "icon:embed page:part"},
		{"Vue, types", "A.vue", `<script setup lang="ts">
defineProps<{ page: string; icon?: string }>()
const other = computed(() => 1)
</script>
<template><a :href="page"><img v-bind:src="icon"><a :href="other"/></a></template>`, "icon:embed page:link"},
		{"Vue, a list", "A.vue", `<script>export default { props: ['page', 'icon'] }</script><template><router-link :to="page"><img :src="$props.icon"></router-link></template>`, "icon:embed page:link"},
		{"Vue, an object", "A.vue", `<script setup>const props = defineProps({ page: String, icon: { type: String } })</script><template><a :href="props.page"><img :src="withBase(icon)"></a></template>`, "icon:part page:link"},
		{"Vue, an interface", "A.vue", "<script setup lang=\"ts\">\ninterface Props {\n  page: string\n}\nwithDefaults(defineProps<Props>(), {})</script><template><a :href=\"page\">x</a></template>", "page:link"},
	}
	r := reader{&site.Site{Tree: source.NewTree(sitetest.Tree(nil), sitetest.Root, 1)}}
	for _, test := range tests {
		part := test.text
		if strings.HasSuffix(test.file, "sx") {
			var ok bool
			part, ok = partOf(test.text, "default")
			if !ok {
				t.Errorf("%s: no part", test.name)
			}
		}
		var got []string
		for _, p := range r.read(test.file, []byte(test.text), declared{part, true, parametersOf(part, path.Ext(test.file))}, maxDepth) {
			got = append(got, p.name+":"+p.use)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: %s\n%q, want %q", test.name, test.text, s, test.want)
		}
	}
}

// A name stands for an import, for an export of a module that is imported whole, or for what all pages have.
func TestComponent(t *testing.T) {
	files := txtar.Parse([]byte("-- a.jsx --\n-- b.jsx --\n-- components/Base.vue --\n"))
	dir := strings.TrimSuffix(sitetest.Root, "/")
	r := reader{&site.Site{Tree: source.NewTree(sitetest.Tree(files.Files), dir, 1), Dir: dir}}
	page, local := sitetest.Root+"page.mdx", map[string]imported{"A": {"./a", "default"}, "B": {"./b", "*"}, "C": {"./gone", "default"}}
	for name, want := range map[string]component{
		"A": {"a.jsx", "default"}, "B.Card": {"b.jsx", "Card"}, "B": {"b.jsx", "*"}, "Base": {"components/Base.vue", "default"},
		"A.Card": {}, "C": {}, "D": {}, "D.Card": {}, "Base.Card": {},
	} {
		got, ok := r.component(page, local, name)
		got.file = strings.TrimPrefix(got.file, sitetest.Root)
		if ok != (want.file != "") || ok && got != want {
			t.Errorf("%s: %v, %v, want %v", name, got, ok, want)
		}
	}
}

// An attribute ends where its value does; one without an end is none.
func TestAttribute(t *testing.T) {
	for text, want := range map[string]int{"a": 0, "a b": 1, "a=": 1, "a=b c": 3, "a=bc>": 4, "a= b": 0, "a={b} c": 5, "a={b": 0, `a="b"c`: 5, `a="b`: 0, "a=b": 0, "=a ": 0} {
		if got := new(elements).attribute(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestImports(t *testing.T) {
	text := "import A from './a'\nimport { B, C as D } from \"./b\"\nimport E, {\n\tF,\n} from 'e'\nimport * as G from './g'\nimport './style.css'\nimport('./h')\nimport type { I } from './i'\nreimport J from 'j'"
	got := importsOf([]byte(text))
	want := map[string]imported{"A": {"./a", "default"}, "B": {"./b", "B"}, "D": {"./b", "C"}, "E": {"e", "default"}, "F": {"e", "F"}, "G": {"./g", "*"}, "I": {"./i", "I"}}
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s: %v, want %v", name, got[name], w)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %v, not wanted", name, got[name])
		}
	}
}
