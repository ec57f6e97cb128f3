package literal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// show writes a value as text: <> is Missing, ? Unknown, ?[…] what it may be, … Open.
func show(v Value) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

func write(b *strings.Builder, v Value) {
	items := func(open, end string) {
		b.WriteString(open)
		for i, item := range v.Items {
			if i > 0 {
				b.WriteByte(' ')
			}
			write(b, item)
		}
		if v.Open {
			b.WriteString("…")
		}
		b.WriteString(end)
	}
	switch v.Kind {
	case Missing:
		b.WriteString("<>")
	case Unknown:
		b.WriteString("?" + v.Text)
		if len(v.Items) > 0 {
			items("[", "]")
		}
	case Nil:
		b.WriteString("nil")
	case Bool, Number:
		b.WriteString(v.Text)
	case String:
		fmt.Fprintf(b, "%q", v.Text)
	case List:
		items("[", "]")
	case Call:
		b.WriteString(v.Text)
		items("(", ")")
	case Map:
		b.WriteByte('{')
		for i, e := range v.Entries {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(e.Key + ":")
			write(b, e.Value)
		}
		if v.Open {
			b.WriteString("…")
		}
		b.WriteByte('}')
	default:
		b.WriteString("!" + v.Kind.String())
	}
}

func TestScript(t *testing.T) {
	for _, test := range []struct{ sec, src, want string }{
		// ways to export
		{"export", `export default {a: 1}`, `{a:1}`},
		{"export", `module.exports = {a: 'x', "b": true, 3: null}`, `{a:"x" b:true 3:nil}`},
		{"export", `exports.a = 1; exports.b = [2]`, `{a:1 b:[2]}`},
		{"export", `export default defineConfig({a: 1})`, `{a:1}`},
		{"export", `export default withMermaid(defineConfig({a: 1}), 3)`, `{a:1}`},
		{"export", "(module.exports = {a: 1})\nmodule.exports.b = 2", `{a:1}`},
		{"export", "const config = {\n a: 1,\n}\nmodule.exports = config\n", `{a:1}`},
		{"export", "const config: Config = {a: 1};\nexport default config satisfies Config;", `{a:1}`},
		{"export", `export default async function createConfigAsync() { const x = 'y'; return {a: x} }`, `{a:"y"}`},
		{"export", `export default () => ({a: 1})`, `{a:1}`},
		{"export", `const c = (async (x): Promise<T> => { return {a: 1, b: x} })(2); module.exports = c`, `{a:1 b:?x}`},
		{"export", `export default {a: (() => { f() })(), b: (function () { return [1] })()}`, `{a:? b:[1]}`},
		{"export", `module.exports = async () => { return {a: 1}; }`, `{a:1}`},
		{"export", `export default defineConfig(({mode}) => ({a: 1, b: mode}))`, `{a:1 b:?mode}`},
		{"export", `module.exports = function (c) { c.addPlugin(x); return {dir: {input: "text"}} }`, `{dir:{input:"text"}}`},
		{"export", `const c = {a: 1}; export { c as default }`, `{a:1}`},
		{"export", `export = {a: 1}`, `{a:1}`},
		{"export", `export default <Config>{a: 1}`, `{a:1}`},
		{"export", `export const a = 1`, `{a:1}`},
		{"export", `function f() { return {a: [1]} } module.exports = f()`, `{a:[1]}`},
		{"export", `function f() { return {a: [1]} } module.exports = f`, `{a:[1]}`},
		{"export", `if (x) { module.exports = {a: 1} } else { module.exports = {a: 2} }`, `?[{a:1} {a:2}]`},
		// literals
		{"string", `export default ['a\'b', "\u00e9\x41\u{1F600}\ud83d\ude00\n", ` + "`t`, `t${x}`, `a${`b${c}`}d`, 'e'" + `]`, `["a'b" "éA😀😀\n" "t" ? ? "e"]`},
		{"string", "export default ['a\\\r\n', 'a\\\r\nb', '\\u{41}\\u{000041}\\u{0000041}']", `["a" "ab" "AAA"]`},
		{"string", `export default {a: 'x' + 'y' + z, b: '/x' + "/y", c: n + 'a'}; const n = 'm'`, `{a:? b:"/x/y" c:"ma"}`},
		{"number", `export default [1, -2, .5, 0x1F, 1e3, 1_000]`, `[1 -2 .5 0x1F 1e3 1_000]`},
		{"regexp", `export default {a: /[/"'}]\//g, b: 4 / 2 / 1, c: 1}`, `{a:? b:? c:1}`},
		{"comment", "export default { // a: '}'\n/* { */ b: 1, /** @type {x} */ c: 2 }", `{b:1 c:2}`},
		{"list", `export default [,1,,2,]`, `[1 2]`},
		{"list", `export default [a && 'x', 'y', b ? 'c' : 'd'].filter(Boolean)`, `[?["x"] "y" ?["c" "d"]]`},
		// values that are not literal
		{"unknown", `export default {a: process.env.X ?? 'lit', b: process.env.Y, c: f(1), d: !x, e: a ? {x: 1} : 'y'}`, `{a:?["lit"] b:?process.env.Y c:f(1) d:? e:?[{x:1} "y"]}`},
		{"unknown", `export default {a: 1, ...x, b: 2}`, `{a:?[1] b:2…}`},
		{"unknown", `const x = {c: 3}; export default {a: 1, ...x, b: 2}`, `{a:1 c:3 b:2}`},
		{"unknown", `export default {a: 1, ...(y ? {a: 2} : {}), b: 2}`, `{a:1 a:?[2] b:2}`},
		{"unknown", `export default {a: 1, c: 3, ...(y && {a: 2}), ...(z ? {c: 1} : w), b: 2}`, `{a:?[1] c:?[3] a:?[2] c:?[1] b:2…}`},
		{"unknown", `export default {a: 1, ...(y && {c: 2}), ...(x ? {d: 1} : z ? undefined : {d: 2}), b: 2}`, `{a:1 c:?[2] d:?[1] d:?[2] b:2}`},
		{"unknown", `export default [1, ...x, ...[2, 3]]`, `[1 2 3…]`},
		{"unknown", `export default {[x]: 1, ['b']: 2}`, `{b:2…}`},
		{"unknown", `export default {async *a() {}, async [b]() {}, *c() {}, get [d]() {}, async e() {}, get f() {}, set() {}, get, static: 1}`, `{a:? c:? e:? f:? set:? get:?get static:1…}`},
		{"unknown", `export default {a() { return 1 }, async b() {}, get c() { return 2 }, d: function () { return {e: 1} }, f: (x) => x, get: 1, async: 2}`, `{a:? b:? c:? d:? f:? get:1 async:2}`},
		{"unknown", `export default {a: [1].map(f), b: 'x'.y, c: class { d = 1 }, e: 5}`, `{a:? b:? c:? e:5}`},
		// names
		{"name", `const a = 'x', b = {c: {d: 'y'}}; export default {a, b: b.c.d, e: b['c'].d, f: b.z}`, `{a:"x" b:"y" e:"y" f:?b.z}`},
		{"name", `let a = 'x'; a = 'y'; export default {a}`, `{a:?a}`},
		{"name", `let a; a = 'y'; export default {a}`, `{a:"y"}`},
		{"name", `const a = 'x'; function f(a) { }; export default {a}`, `{a:"x"}`},
		{"scope", `const a = 'x'; const f = (a) => { const b = a; return {a, b} }; const g = a => ({a}); export default {a, f: f(1), g: g(2), b}; const b = 'y'`, `{a:"x" f:{a:?a b:?a} g:{a:?a} b:"y"}`},
		{"scope", `const a = 'x'; export default () => { const a = 'y'; return {a, b: () => { const a = 'z' }} }`, `{a:"y" b:?}`},
		{"scope", `const a = 'x'; export default () => { const b = [a]; var a = 'y'; return {b, a} }`, `{b:[?a] a:"y"}`},
		{"export", `declare function f(); export default {a: 1}`, `{a:1}`},
		{"export", `declare function f(): string; export default {a: 1}`, `{a:1}`},
		{"export", `declare function f(a: string)`, `{f:?f}`},
		{"export", `export default {f(), b: {a: 1}}`, `{f:? b:{a:1}}`},
		{"export", `export default {f(): string, b: {a: 1}}`, `{f:? b:{a:1}}`},
		{"scope", `export default () => { return {b: f()}; function f() { return ['x'] } }`, `{b:f()}`},
		{"name", `const a = [b]; const b = [a]; export default a`, `[[?a]]`},
		{"name", "const a = 'x'\nconst b = 'y'\nexport default {a, b}", `{a:"x" b:"y"}`},
		{"name", "export default {s: side()}\nfunction side() { return [{link: '/a'}] }\n", `{s:[{link:"/a"}]}`},
		{"name", "const side = (): Item[] => [{link: '/a'}]; export default {s: side()}", `{s:[{link:"/a"}]}`},
		{"name", `const a: Record<string, { x: 1 }> = {b: 1} as const; export default a`, `{b:1}`},
		{"change", `const c = {a: 1, l: [1]}; c.a = 2; c.l.push('x'); c.n = 3; export default c`, `{a:?[1 2] l:[1 "x"] n:?[3]}`},
		{"change", `const c = {a: {b: [1], c: {d: 1}}}; c.a.b.push(2); c.a.c.d = 3; c.a.e.f = 4; export default c`, `{a:{b:[1 2] c:{d:?[1 3]} e:?[<>]}}`},
		{"change", `const c = f(g({p: [1]}, 2)); if (x) c.p.push('y'); c.q.r = 3; export default c`, `{p:[1 "y"] q:?[<>]}`},
		{"spread of a call", `export default {...x.reduce((all, y) => z, {}), ...defaults({a: 1}), b: 2}`, `{a:1 b:2…}`},
		{"element", `const f = () => { const r = {a: 1}; for (const k of y) r[k] = {b: 1}; return r }; const c = {m: {}, l: [1], n: {}, o: {}}; y.forEach(k => { c.m[k] = 1; c.l[k] = 2; c.n[k].p = 3; if (c.o[k] == 4) x() }); export default {c, ...f()}`,
			`{c:?[{m:{…} l:[1…] n:{…} o:{}}] a:1…}`},
		{"change", `const c = {l: [1], m: [], n: []}; c.l.push(...x); c.m.push(y); c.n.push([y]); export default c`, `{l:[1…] m:[?y…] n:[[?y]]}`},
		{"change", `const c = f({a: 1}); Object.assign(c, d); export default c`, `{a:1…}`},
		{"change", `const c = f({a: 1}, {b: 2}); c.a = 2; export default c`, `?[f({a:1} {b:2})]`},
		{"change", `let a; a += 'y'; export default {a}`, `{a:?a}`},
		{"change", `let a; a = 'x'; a = 'y'; export default {a}`, `{a:?a}`},
		{"change", `let a = b; a = 'y'; export default {a}`, `{a:?a}`},
		{"change", `const c = {a: 1}; Object.assign(c, d); export default c`, `{a:1…}`},
		{"import", `import s, { b as c, type T } from './m.js'; import * as all from "n"; import j from './p.json' with {type: 'json'}; const q = require('q'), { r: t } = require('r'); export default {s, c, all, j, q, t, u: require('u').v}`,
			`{s:import("./m.js" "default") c:import("./m.js" "b") all:import("n" "*") j:import("./p.json" "default") q:require("q") t:import("r" "r") u:import("u" "v")}`},
		{"call", `export default {a: [starlight({x: 1}), mdx()], b: require.resolve('m'), c: new Set(['x'])}`, `{a:[starlight({x:1}) mdx()] b:require.resolve("m") c:Set(["x"])}`},
		{"types", "export default defineConfigWithTheme<A, B['c'] | { d: string }>({a: new Map<string, X>([])})", `{a:Map([])}`},
		{"types", "import type { A } from 'a'\ntype B = { a: 'x' } | C<string>;\ninterface D { e: string }\nconst f = { a: <const>['x'], b: g! } as D\nexport default f", `{a:["x"] b:?g}`},
		{"types", "export default f<" + strings.Repeat("A,", 15) + ">({a: 1})", `{a:1}`}, // at most 32 tokens
		{"types", "export default f<" + strings.Repeat("A,", 15) + "A>({a: 1})", `?`},
		// not balanced
		{"text", `export default {a: 1, b: {c: 2`, `{a:1 b:{c:2…}…}`},
		{"text", `export default {a: 1, b: (]}`, `{a:1 b:?…}`},
		{"text", "export default {a: 'x\n, b: 2}", `{a:? b:2}`},
		{"text", ``, `<>`},
		{"text", `} export default 1`, `<>`},
	} {
		if got := show(Read([]byte(test.src), JavaScript).Value); got != test.want {
			t.Errorf("%s: %s\n got %s\nwant %s", test.sec, test.src, got, test.want)
		}
	}
}

func TestPython(t *testing.T) {
	for _, test := range []struct{ sec, src, want string }{
		{"assign", "a = 'x'\nb: str = \"y\"\nc = d = 1\n", `{a:"x" b:"y" c:1 d:1}`},
		{"assign", "a = 1\na = 2\n", `{a:2}`},
		{"assign", "a = 1\nif x:\n    a = 2\n", `{a:?[1 2]}`},
		{"assign", "try:\n  a = 1\nexcept E:\n  a = 2\n", `{a:?[1 2]}`},
		{"assign", "a = 1\ndef f():\n    a = 2\n    return a\nb = 3\n", `{a:1 b:3}`},
		{"assign", "a = 'x',\nb = 'x', 'y'\nc = 1\n", `{a:["x"] b:["x" "y"] c:1}`},
		{"string", `a = r'\d' + "b" 'c'` + "\n" + `b = ("x"` + "\n" + `  "y")` + "\nc = '''m\nn'''\nd = f'x{y}'\ne = f'x'\nf = b'\\x41\\d'\n", `{a:"\\dbc" b:"xy" c:"m\nn" d:? e:"x" f:"A\\d"}`},
		{"list", "a = ['x', # ]\n 'y',]\nb = ('x',)\nc = ()\nd = {'k': 1, \"l\": [2]}\ne = {'s', 't'}\nf = (1)\n", `{a:["x" "y"] b:["x"] c:[] d:{k:1 l:[2]} e:["s" "t"] f:1}`},
		{"list", "a = ['x']\na += ['y']\na.append('z')\nif q:\n    a.append('w')\n", `{a:["x" "y" "z" "w"…]}`},
		{"list", "a = [x for x in y]\nb = {k: v for k in y}\nc = f(x for x in y)\nd = [*b, 1]\ne = {**b, 'k': 1}\nh = [1] + [2]\n", `{a:? b:? c:f(?) d:[1…] e:{k:1…} h:[1 2]}`},
		{"element", "a = {'x': 1}\nfor k in y:\n    a[k] = 1\n", `{a:{x:1…}}`},
		{"dict", "a = {}\na['x'] = 1\nb = dict(c=1, d='e')\n", `{a:{x:1} b:{c:1 d:"e"}}`},
		{"unknown", "a = os.environ.get('X', '/')\nb = 'x' if c else 'y'\nd = None or 'z'\ne = not x\nf = lambda x: {1: 2}\ng = 1\n", `{a:os.environ.get("X" "/") b:?["x" "y"] d:?[nil "z"] e:? f:? g:1}`},
		{"import", "import os, sys\nfrom a.b import c, d as e\nfrom m import (\n  f,\n  g)\nh = 1\n", `{c:import("a.b" "c") e:import("a.b" "d") f:import("m" "f") g:import("m" "g") h:1}`},
		{"import", "from shared import *\na = 1\n", `{a:1…}`},
		{"import", "globals().update(conf.build('x', b=2))\na = 1\n", `{a:1…}`},
		{"name", "a = 'x'\nb = a + 'y'\nc = [a]\nd = a.z\n", `{a:"x" b:"xy" c:["x"] d:?a.z}`},
		{"text", "a = 1\nb = [2\n", `{a:1 b:[2…]}`},
		{"text", "a = 'x\nb = 1\n", `{a:? b:1}`},
	} {
		if got := show(Read([]byte(test.src), Python).Value); got != test.want {
			t.Errorf("%s: %s\n got %s\nwant %s", test.sec, test.src, got, test.want)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{`{"a": [1, -2.5e3, true, null, "é\/"], /* c */ "b": {}, // d` + "\n}", `{a:[1 -2.5e3 true nil "é/"] b:{}}`},
		{"\uFEFF[]", `[]`},
		{`"x"`, `"x"`},
		{``, `<>`},
		{`{"a": x}`, `{a:?x}`},
	} {
		if got := show(Read([]byte(test.src), JSON).Value); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.src, got, test.want)
		}
	}
}

// Every string has a place, and where it has no escapes its bytes stand there.
func TestSpans(t *testing.T) {
	src := `const a = {'k': 'v1'}; export default {nav: [{link: "/x", "to": '/y'}, a.k], s: 'p' + 'q'}`
	Read([]byte(src), JavaScript).Value.Walk(func(v Value) bool {
		if got := src[v.Span.Start:v.Span.End]; v.Kind == String && got != v.Text && got != "p' + 'q" {
			t.Errorf("%q stands at %q", v.Text, got)
		}
		for _, e := range v.Entries {
			if got := src[e.At.Start:e.At.End]; got != e.Key {
				t.Errorf("key %q stands at %q", e.Key, got)
			}
		}
		return true
	})
}

func TestCalls(t *testing.T) {
	f := Read([]byte(`import { P } from "@x/p";
		export default function (c) {
			c.addPlugin(P, {a: 1}).addPlugin("q");
			if (x) { c.addPassthroughCopy({ "public": "/" }) }
			["a"].forEach(f);
			c.ignores.add("text/**")
		}`), JavaScript)
	var got []string
	for _, call := range f.Calls {
		got = append(got, show(call))
	}
	want := `c.addPlugin(import("@x/p" "P") {a:1}) c.addPlugin().addPlugin("q") c.addPassthroughCopy({public:"/"}) c.ignores.add("text/**")`
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s\nwant %s", s, want)
	}
}

func TestGet(t *testing.T) {
	v := Read([]byte(`export default {a: {b: 'x', n: null}, c: {...d, e: 1}, f: g({h: 2}), i: j, l: ['x', 1], m: ['x', y]}`), JavaScript).Value
	for _, test := range []struct{ path, want string }{
		{"a b", `"x"`}, {"a z", `<>`}, {"z z", `<>`}, {"a n z", `<>`}, {"c e", "1"}, {"c z", "?"}, {"f h", "2"}, {"f z", "<>"}, {"i z", "?"}, {"a b z", "<>"},
	} {
		if got := show(v.Get(strings.Fields(test.path)...)); got != test.want {
			t.Errorf("%s: %s, want %s", test.path, got, test.want)
		}
	}
	if s, known := v.Get("z").StringOr("d"); s != "d" || !known {
		t.Error("missing:", s, known)
	}
	if s, known := v.Get("i").StringOr("d"); s != "d" || known {
		t.Error("unknown:", s, known)
	}
	if list, known := v.Get("l").Strings(); len(list) != 2 || !known {
		t.Error("list:", list, known)
	}
	if list, known := v.Get("m").Strings(); len(list) != 1 || known {
		t.Error("list:", list, known)
	}
}

// Texts that are made to be slow or large take time in proportion to their length.
func TestHostile(t *testing.T) {
	bomb := func(n int) string {
		var b strings.Builder
		b.WriteString("const a0 = ['x'];")
		for i := range n / 30 {
			fmt.Fprintf(&b, "const a%d = [a%d, a%d, a%[2]d];", i+1, i, i)
		}
		return b.String() + "export default a20"
	}
	texts := func(n int) string {
		var b strings.Builder
		b.WriteString("const a0 = 'xxxxxxxxxxxxxx';")
		for i := range n / 30 {
			fmt.Fprintf(&b, "const a%d = a%d + a%d + a%[2]d;", i+1, i, i)
		}
		return b.String() + "export default a9"
	}
	repeat := func(s string) func(int) string {
		return func(n int) string { return "export default " + strings.Repeat(s, n/len(s)) }
	}
	for name, text := range map[string]func(int) string{
		"brackets": repeat("["), "braces": repeat("{a:"), "round": repeat("("), "closed": func(n int) string { return strings.Repeat("[", n/2) + strings.Repeat("]", n/2) },
		"templates": repeat("`${"), "slashes": repeat("/"), "quotes": repeat("'"), "escapes": repeat(`"\`), "new": repeat("new "), "types": repeat("<a>"),
		"conditionals": repeat("a?"), "colons": repeat("a?b:"), "plus": repeat("a+"), "spread": repeat("...x,"), "spreads": func(n int) string { return "export default {" + strings.Repeat("a:1,...x,", n/9) + "}" },
		"arrows": repeat("(a)=>"), "bodies": repeat("()=>{return "), "params": repeat("(a,(b)=>"), "path": repeat("a."), "calls": repeat("a("), "chain": repeat("a().b"), "curried": repeat("f(x)"),
		"comments": repeat("/*"), "lines": repeat("\n"), "const": repeat("const a=1;"), "changes": repeat("a.b=1;"), "push": repeat(";a.b.push(a)"), "bomb": bomb, "texts": texts,
		"functions": repeat(";function f(){return [f(),f()]}"), "triple": repeat("'''"), "lambda": repeat("lambda x:"), "else": repeat("a if b else "), "for": repeat("[x for x in "),
		"assign": repeat("a="), "index": repeat("a['b']"), "tuple": repeat("a,"), "dict": repeat("{1:"), "annotation": repeat("a:"), "if": repeat("if(a){"), "margin": repeat("\n "),
	} {
		for _, lang := range []Language{JavaScript, Python, JSON} {
			measure := func(n, times int) (time.Duration, int) {
				src := []byte(text(n))
				best := time.Hour
				size := 0
				for range times {
					start := scantest.Clock()
					f := Read(src, lang)
					best = min(best, scantest.Clock()-start)
					size = 0
					f.Value.Walk(func(v Value) bool { size++; return true })
				}
				return best, size
			}
			const floor = 250 * time.Millisecond
			large, size := measure(scantest.Amount(1<<13, 1<<16), 1)
			if scantest.IsLong() && large > floor {
				small, _ := measure(1<<12, 3)
				large, _ = measure(1<<16, 3)
				if large > 64*small+floor { // 256 times would be quadratic
					t.Errorf("%s, language %d: %v for n, %v for 16n", name, lang, small, large)
				}
			}
			if size > 4*maxCopies {
				t.Errorf("%s, language %d: %d values", name, lang, size)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"export default {a: [1, 'x'], ...b}", "a = {'x': (1, 2)}\n", `{"a": [true]}`, "const a = `x${y}`; module.exports = () => ({a})", "x = [y for y in z]", "A=A+"} {
		for lang := range JSON + 1 {
			f.Add([]byte(s), uint8(lang))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, lang uint8) {
		if lang > uint8(JSON) {
			return
		}
		file := Read(src, Language(lang))
		for _, root := range append(file.Calls, file.Value, file.Names) {
			root.Walk(func(v Value) bool {
				if v.Kind > Call {
					t.Fatalf("a value of kind %v", v.Kind)
				}
				if v.Span.Start < 0 || v.Span.End < v.Span.Start || v.Span.End > len(src) {
					t.Fatalf("span %v of %d bytes", v.Span, len(src))
				}
				return true
			})
		}
	})
}

func TestCodePoint(t *testing.T) {
	for text, want := range map[string]struct {
		r rune
		n int
	}{
		"x41": {'A', 3}, "u0041": {'A', 5}, "U00000041": {'A', 9}, "u{41}": {'A', 5}, "u{9}": {'\t', 4}, "u{0000041}": {'A', 10}, "u{00000041}": {}, "u{}": {}, "u{41": {}, "x4": {}, "x4g": {}, "U0000004": {}, "": {}, "y41": {},
	} {
		if r, n := codePoint([]byte(text)); r != want.r || n != want.n {
			t.Errorf("%s: %q, %d bytes", text, r, n)
		}
	}
}
