package passthrough

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/testing/scantest"
	"example.org/refract/internal/testing/sitetest"
)

var hostile = []scantest.Shape{
	{"", "<a ", ""}, {"", "<a href={", ""}, {"", "<a {", ""}, {"", "<A b={<A ", ""}, {"", "<a href='", ""}, {"", "<a href={x} ", ""}, {"", "<a\n", ""}, {"", "<a :href=\"x\">", ""}, {"", "<", ""},
	{"", "const {", ""}, {"", "const { a } = props\n", ""}, {"", "const {([", ""}, {"", "const x = props\n", ""}, {"const { ", "a, ", " } = props"}, {"const { ", "((", " } = props"},
	{"export default ({ a }) => ", "<a href={a}/>", ""}, {"export default ({ a }) => ", "<a href={b}/>", ""}, {"export default ({ a }) => ", "<a href={`${a}`}/>", ""},
	{"export default ({ a }) => <a href={", "a.", "}/>"}, {"export default ({ a }) => <a href={", "'", "}/>"},
	{"", "export default (", ""}, {"", "export default A\n", ""}, {"", "export { a }\n", ""}, {"", "export { default as A } from './a'\n", ""}, {"", "export * from './a'\n", ""}, {"", "function A\n", ""},
	{"", "import ", ""}, {"", "import A from './a'\n", ""}, {"", "import {", ""}, {"", "import { A, ", ""}, {"", "import '", ""}, {"", "{a: b, ", ""}, {"", "component('a', ", ""}, {"", "component('a', b", ""},
	{"", "defineProps<", ""}, {"", "defineProps({ a: ", ""}, {"", "export let a ", ""}, {"", "::a\n", ""}, {"", "<A.b", ""}, {"", "<a-", ""},
}

// The sources of components, and the modules that register them, are read in linear time, whatever they are.
func TestHostile(t *testing.T) {
	for _, suffix := range []string{".tsx", ".vue"} {
		scantest.Shapes(t, hostile, 8<<10, func(src []byte) {
			r := reader{&site.Site{Tree: source.NewTree(sitetest.Tree([]txtar.File{{Name: "a" + suffix, Data: src}}), sitetest.Root[:len(sitetest.Root)-1], 1)}}
			r.allProperties(component{sitetest.Root + "a" + suffix, "default"}, 0)
			all := map[string]component{}
			r.addModule(all, sitetest.Root+"a"+suffix)
			componentsIn(src)
		})
	}
}

// Components that use each other in a circle, and modules that export what others export, end.
func TestCircle(t *testing.T) {
	files := []txtar.File{
		{Name: "A.jsx", Data: []byte("import B from './B'\nexport default ({ a }) => <><B b={a}/><a href={a}/></>")},
		{Name: "B.jsx", Data: []byte("import A from './A'\nexport default ({ b }) => <A a={b}/>")},
		{Name: "C.js", Data: []byte("export * from './D'\nexport { X } from './D'")},
		{Name: "D.js", Data: []byte("export * from './C'\nexport { X } from './C'")},
	}
	r := reader{&site.Site{Tree: source.NewTree(sitetest.Tree(files), sitetest.Root[:len(sitetest.Root)-1], 1)}}
	if got := r.allProperties(component{sitetest.Root + "B.jsx", "default"}, 0); len(got) != 1 || got[0] != (property{"b", "link"}) {
		t.Errorf("B: %v", got)
	}
	if got := r.allProperties(component{sitetest.Root + "C.js", "X"}, 0); len(got) != 0 {
		t.Errorf("X: %v", got)
	}
}
