package conf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// show writes a value as text: <> is Missing, ? Unknown, ?[…] what it may be, … Open.
func show(v Value) string {
	var list []string
	for _, item := range v.Items {
		list = append(list, show(item))
	}
	for _, e := range v.Entries {
		list = append(list, e.Key+":"+show(e.Value))
	}
	if v.Open {
		list = append(list, "…")
	}
	all := strings.Join(list, " ")
	switch v.Kind {
	case Missing:
		return "<>"
	case Nil:
		return "nil"
	case String:
		return fmt.Sprintf("%q", v.Text)
	case List:
		return "[" + all + "]"
	case Map:
		return "{" + all + "}"
	case Call:
		return v.Text + "(" + all + ")"
	case Unknown:
		if all != "" {
			all = "[" + all + "]"
		}
		return "?" + v.Text + all
	}
	return v.Text
}

func TestRead(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"mkdocs.yml", "site_name: My \"site\"\nsite_url: !ENV [URL, 'https://x.example/d/']\nuse_directory_urls: no\nstrict: true\nn: 3\nplugins:\n  - search\n  - blog: {enabled: !ENV CI}\n",
			`{site_name:"My \"site\"" site_url:?!ENV["https://x.example/d/"] use_directory_urls:"no" strict:true n:3 plugins:["search" {blog:{enabled:?!ENV}}]}`},
		{"mkdocs.yml", "m:\n  - toc:\n      slugify: !!python/object/apply:pymdownx.slugs.slugify\n        kwds: {case: lower}\n  - emoji:\n      g: !!python/name:material.extensions.emoji.to_svg\n  - snippets:\n      base_path: !relative $config_dir\n",
			`{m:[{toc:{slugify:pymdownx.slugs.slugify({kwds:{case:"lower"}})}} {emoji:{g:?material.extensions.emoji.to_svg}} {snippets:{base_path:!relative("$config_dir")}}]}`},
		{"mkdocs.yml", "INHERIT: ../base.yml\nnav:\n  - Home: index.md\n  - 'Guide':\n    - guide/a.md\n    - \"B\": guide/b.md\n  - https://x.example/\n",
			`{INHERIT:"../base.yml" nav:[{Home:"index.md"} {Guide:["guide/a.md" {B:"guide/b.md"}]} "https://x.example/"]}`},
		{"a.yml", "a: &x {k: 1, l: 2}\nb: *x\nc:\n  <<: *x\n  k: 3\nd:\n  <<: [*x, {k: 4, m: 5}]\n", `{a:{k:1 l:2} b:{k:1 l:2} c:{k:1 l:2 k:3} d:{k:4 m:5 k:1 l:2}}`},
		{"a.yml", "a: ~\nb:\nc: 2024-01-02\nd: |\n  x\n  y\ne: >-\n  x\n  y\n1: x\ntrue: y\n? [z]\n: w\n", `{a:nil b:nil c:"2024-01-02" d:"x\ny\n" e:"x y" 1:"x" true:"y" …}`},
		{"a.yml", "a: &x [*x]\n", `{a:[?]}`},
		{"a.yml", "a: b\n---\nc: d\n", `{a:"b"}`},
		{"a.yml", "a: [\n", `?`},
		{"a.yml", "\ta: 1\n  b", `?`},
		{"a.yml", "", `<>`},
		{"hugo.toml", "baseURL = 'https://x.example/'\n[markup.goldmark]\nunsafe = true # x\nn = 0x1F\n[[module.mounts]]\nsource = \"a\"\ntarget = \"content\"\n[[module.mounts]]\nsource = 'b'\n[languages]\n  [languages.en]\n  contentDir = 'content/en'\n  weight = 1\n  [languages.en.params]\n  d = 2024-01-02\n[permalinks]\nposts = \"/:year/\\u00e9/\"\n",
			`{baseURL:"https://x.example/" markup:{goldmark:{unsafe:true n:0x1F}} module:{mounts:[{source:"a" target:"content"} {source:"b"}]} languages:{en:{contentDir:"content/en" weight:1 params:{d:"2024-01-02"}}} permalinks:{posts:"/:year/é/"}}`},
		{"book.toml", "[book]\nsrc = \"text\"\n[output.html.redirect]\n\"/a.html\" = \"../b.html\"\n[x]\na.b.c = [1, [\"2\"], {d = 3, e.f = '''4'''}]\n",
			`{book:{src:"text"} output:{html:{redirect:{/a.html:"../b.html"}}} x:{a:{b:{c:[1 ["2"] {d:3 e:{f:"4"}}]}}}}`},
		{"a.toml", "a = 1\nb = \n", `{a:1 …}`},
		{"a.toml", "a = 1\n[a.b]\nc = 1\n[d]\ne = 2\n", `{a:1 d:{e:2} …}`},
		{"a.toml", "= 1", `?`},
		{"package.json", `{"name": "x", "dependencies": {"vitepress": "^1.6.4"},}`, `{name:"x" dependencies:{vitepress:"^1.6.4"}}`},
		{"docfx.json", "// c\n{\"build\": {\"content\": [{\"files\": [\"**/*.md\"], \"src\": \"..\"}]}}", `{build:{content:[{files:["**/*.md"] src:".."}]}}`},
		{"conf.py", "extensions = ['myst_parser']\nhtml_theme = 'furo'\n", `{extensions:["myst_parser"] html_theme:"furo"}`},
		{"docusaurus.config.ts", "import type {Config} from '@docusaurus/types';\nconst config: Config = {\n  baseUrl: process.env.BASE ?? '/x/',\n  presets: [['classic', {docs: {path: '../docs'}, blog: false} satisfies Preset.Options]],\n};\nexport default config;\n",
			`{baseUrl:?["/x/"] presets:[["classic" {docs:{path:"../docs"} blog:false}]]}`},
		{".vitepress/config.mts", "import { defineConfig } from 'vitepress'\nexport default defineConfig({\n  base: '/vp/',\n  themeConfig: { sidebar: side() }\n})\nfunction side(): DefaultTheme.SidebarItem[] {\n  return [{ text: 'A', items: [{ link: '/a' }] }]\n}\n",
			`{base:"/vp/" themeConfig:{sidebar:[{text:"A" items:[{link:"/a"}]}]}}`},
		{"sidebars.js", "// @ts-check\n/** @type {X} */\nconst sidebars = {\n  docs: ['intro', {type: 'category', label: 'G', items: ['a', 'b/c'], link: {type: 'doc', id: 'd'}}, ...require('./more').x],\n};\nmodule.exports = sidebars;\n",
			`{docs:["intro" {type:"category" label:"G" items:["a" "b/c"] link:{type:"doc" id:"d"}} …]}`},
	} {
		v := Read(test.name, []byte(test.src)).Value
		if got := show(v); got != test.want {
			t.Errorf("%s:\n%s\n got %s\nwant %s", test.name, test.src, got, test.want)
		}
	}
}

// Strings have the place where they stand. Those with escapes differ from it.
func TestSpans(t *testing.T) {
	for _, test := range []struct{ name, src string }{
		{"a.yml", "# é\n\"a\": é 'x'\nb: 'y''z'\nc: !!str w\nd: &v \"v\\n\"\né: [é, \"é\", ü, {k: l}] # m\nf: two\n  lines\n\"g\": *v\r\nh: \"i\"\u2028"},
		{"a.yml", "\uFEFFa: b\nc:\n- d\n-   e\n- ? f\n  : g\n"},
		{"a.toml", "a = 'x'\n\"b\" = \"y\\n\"\n[c.'d']\ne = [1, 'é', {f = \"\"\"g\"\"\"}]\n"},
		{"a.json", `{"a": ["b", "\u00e9"], "c": {"d": 1}}`},
	} {
		f := Read(test.name, []byte(test.src))
		if f.Value.Kind != Map {
			t.Errorf("%s: %s %v", test.name, show(f.Value), f.Notes)
		}
		f.Value.Walk(func(v Value) bool {
			at := test.src[v.Span.Start:v.Span.End]
			if v.Kind == String && at != v.Text && !strings.ContainsAny(at, "\\'\n") {
				t.Errorf("%s: %q stands at %q", test.name, v.Text, at)
			}
			for _, e := range v.Entries {
				if at := test.src[e.At.Start:e.At.End]; at != e.Key {
					t.Errorf("%s: key %q stands at %q", test.name, e.Key, at)
				}
			}
			return true
		})
	}
}

func TestFrontMatter(t *testing.T) {
	for _, test := range []struct{ src, want, body string }{
		{"---\nslug: /a\nid: 3\n---\n# T\n", `{slug:"/a" id:3}`, "# T\n"},
		{"\uFEFF---  \r\nslug: a\r\n---\r\nx", `{slug:"a"}`, "x"},
		{"---\na: 1\n...\nx", `{a:1}`, "x"},
		{"---\n---\nx", `{}`, "x"},
		{"+++\nurl = '/x/'\naliases = ['a']\n+++\nx", `{url:"/x/" aliases:["a"]}`, "x"},
		{"{\n\"url\": \"/x/\"\n}\nx", `{url:"/x/"}`, "x"},
		{"{{< x >}}\n", `<>`, "{{< x >}}\n"},
		{"{ a }\n", `<>`, "{ a }\n"},
		{"---\na: [\n---\nx", `?`, "x"},
		{"---\na: {{ b }}\n---\nx", `{a:{…}}`, "x"},
		{"---\nno end\n", `<>`, "---\nno end\n"},
		{"--- x\n---\n", `<>`, "--- x\n---\n"},
		{"\uFEFFx", `<>`, "x"},
		{"", `<>`, ""},
	} {
		v, body := FrontMatter([]byte(test.src))
		if got := show(v); got != test.want || test.src[body:] != test.body {
			t.Errorf("%q:\n got %s, then %q\nwant %s, then %q", test.src, got, test.src[body:], test.want, test.body)
		}
		v.Walk(func(v Value) bool {
			if at := test.src[v.Span.Start:v.Span.End]; v.Kind == String && at != v.Text {
				t.Errorf("%q: %q stands at %q", test.src, v.Text, at)
			}
			return true
		})
	}
}

func TestInherit(t *testing.T) {
	read := func(s string) Value { return Read("a.yml", []byte(s)).Value }
	got := Inherit(read("a: 1\nb: {c: 2}\nl: [1]\n"), read("b: {c: 3, d: 4}\nl: [2]\ne: 5\n"))
	if want := `{a:1 b:{c:2 d:4} l:[1] e:5}`; show(got) != want {
		t.Errorf("got %s, want %s", show(got), want)
	}
	if got := Inherit(read("a: 1"), Value{Kind: Unknown}); got.Get("z").Kind != Unknown {
		t.Error("what an unknown parent has is not unknown")
	}
}

// The probe sites' configurations are read whole.
func TestProbes(t *testing.T) {
	root := os.Getenv("REFRACT_SITES")
	if root == "" {
		t.Skip("REFRACT_SITES names no directory of sites")
	}
	names := map[string]bool{"mkdocs.yml": true, "hugo.toml": true, "hugo.yaml": true, "book.toml": true, "conf.py": true, "_config.yml": true, "package.json": true, "sidebars.js": true, "sidebars.ts": true, "antora-playbook.yml": true}
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		base := filepath.Base(p)
		if err != nil || d.IsDir() || !names[base] && !strings.Contains(base, ".config.") && !strings.HasPrefix(base, "config.") {
			return err
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		f := Read(p, src)
		t.Logf("%s: %s %v calls %d", p, show(f.Value), f.Notes, len(f.Calls))
		if f.Value.Kind != Map || len(f.Notes) > 0 {
			t.Errorf("%s: %v %v", p, f.Value.Kind, f.Notes)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Files that are made to be slow or large take time in proportion to their length, and give
// a bounded number of values.
func TestHostile(t *testing.T) {
	repeat := func(s string) func(int) string {
		return func(n int) string { return strings.Repeat(s, n/len(s)) }
	}
	bomb := func(n int) string {
		var b strings.Builder
		b.WriteString("a0: &a0 [x, x, x]\n")
		for i := range n / 40 {
			fmt.Fprintf(&b, "a%d: &a%[1]d [*a%d, *a%[2]d, *a%[2]d, *a%[2]d]\n", i+1, i)
		}
		return b.String()
	}
	aliases := func(n int) string {
		return "a: &a [" + strings.Repeat("x,", n/4) + "]\nb: [" + strings.Repeat("*a,", n/6) + "]\n"
	}
	lines := func(s string) func(int) string {
		return func(n int) string {
			var b strings.Builder
			for i := 0; b.Len() < n; i++ {
				fmt.Fprintf(&b, s+"\n", i)
			}
			return b.String()
		}
	}
	indents := func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}
	for name, text := range map[string]func(int) string{
		"bomb": bomb, "aliases": aliases, "flow": repeat("["), "maps": repeat("{a: "), "dashes": repeat("- "), "keys": repeat("? "), "line": func(n int) string { return "[" + strings.Repeat("é, ", n/4) + "]" },
		"merge": lines("a%d: &x {b: 1, <<: {c: 2}}"), "indents": indents, "quotes": repeat("'"), "tags": repeat("!a "), "anchors": lines("- &a%d x"), "colons": repeat("a: b: "), "front": repeat("---\n"),
		"tables": lines("[a.b.c%d]\nd = 1"), "arrays": lines("[[a.b]]\nd%d = 1"), "dotted": func(n int) string { return strings.Repeat("a.", n/2) + "a = 1" }, "inline": func(n int) string { return "a = " + strings.Repeat("{a = ", n/5) }, "nest": func(n int) string { return "a = " + strings.Repeat("[", n) },
		"meta": lines("a%d: b\n    c"), "object": func(n int) string { return strings.Repeat(`{"a":`, n/5) },
	} {
		for _, file := range []string{"a.yml", "a.toml", "a.json", "front"} {
			measure := func(n, times int) (time.Duration, int) {
				src := []byte(text(n))
				best, size := time.Hour, 0
				for range times {
					start := scantest.Clock()
					var v Value
					if file == "front" {
						v, _ = FrontMatter([]byte("---\n" + string(src) + "\n---\n"))
					} else {
						v = Read(file, src).Value
					}
					best = min(best, scantest.Clock()-start)
					size = 0
					v.Walk(func(Value) bool { size++; return true })
				}
				return best, size
			}
			const floor = 250 * time.Millisecond
			large, size := measure(scantest.Amount(1<<13, 1<<16), 1)
			if scantest.IsLong() && large > floor {
				small, _ := measure(1<<12, 3)
				large, _ = measure(1<<16, 3)
				if large > 64*small+floor { // 256 times would be quadratic
					t.Errorf("%s as %s: %v for n, %v for 16n", name, file, small, large)
				}
			}
			if size > maxCopies+1<<17 {
				t.Errorf("%s as %s: %d values", name, file, size)
			}
		}
	}
}

// A file that is too large is not read.
func TestTooLarge(t *testing.T) {
	src := []byte(strings.Repeat("a: b\n", 10<<20))
	start := scantest.Clock()
	f := Read("mkdocs.yml", src)
	if took := scantest.Clock() - start; f.Value.Kind != Unknown || len(f.Notes) != 1 || scantest.IsLong() && took > time.Second {
		t.Errorf("%v %v after %v", f.Value.Kind, f.Notes, took)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a.yml", []byte("a: &x [!ENV [b, 'c'], *x]\n<<: *x\n"))
	f.Add("a.toml", []byte("[a.b]\nc = [1, {d = 'e'}]\n[[f]]\n"))
	f.Add("a.md", []byte("---\na: é\n---\nx"))
	f.Add("a.md", []byte("{\"a\": 1}\nx"))
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		var v Value
		body := 0
		if strings.HasSuffix(name, ".md") {
			v, body = FrontMatter(src)
		} else {
			v = Read(name, src).Value
		}
		if body < 0 || body > len(src) {
			t.Fatalf("body at %d of %d", body, len(src))
		}
		v.Walk(func(v Value) bool {
			if v.Kind > Call {
				t.Fatalf("a value of kind %v", v.Kind)
			}
			if v.Span.Start < 0 || v.Span.End < v.Span.Start || v.Span.End > len(src) {
				t.Fatalf("span %v of %d bytes", v.Span, len(src))
			}
			return true
		})
	})
}
