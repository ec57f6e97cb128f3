package move

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/testing/scantest"
)

// inMemory returns a tree with files below /t, and a directory that makes it a repository.
func inMemory(files map[string]string) tree.Tree {
	tree := tree.NewOverlay(tree.NewOverlay(tree.Disk()))
	tree.Remove("/t")
	tree.Write("/t/.git/HEAD", nil)
	for name, text := range files {
		tree.Write("/t/"+name, []byte(text))
	}
	return tree
}

func options(tree tree.Tree) audit.Options {
	return audit.Options{Tree: tree, Dir: "/t", Paths: []string{"/t"}, Jobs: 2, MaxEntity: 1 << 20}
}

// request parses "a.md -> b.md" or "a.md#id -> #Text".
func request(tree tree.Tree, line string) *Request {
	r := &Request{Options: options(tree)}
	line, r.Redirects = strings.CutSuffix(line, " --redirects")
	from, to, _ := strings.Cut(line, " -> ")
	if text, ok := strings.CutPrefix(to, "#"); ok {
		name, id, _ := strings.Cut(from, "#")
		r.Heading = &Heading{Path: "/t/" + name, ID: id, Text: text}
		return r
	}
	for old := range strings.SplitSeq(from, " & ") {
		name := to
		if strings.HasSuffix(to, "/") {
			name += path.Base(old)
		}
		r.Renames = append(r.Renames, Rename{"/t/" + old, "/t/" + name})
	}
	return r
}

// Each archive in testdata holds trees, one after another: a file "move" with what is moved and the
// problems; the files; and below "want/" those that differ afterwards, by their new names.
func TestMoves(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var line string
		files, want := map[string]string{}, map[string]string{}
		run := func() {
			if line != "" {
				t.Run(path.Base(name)+"/"+strings.SplitN(line, "\n", 2)[0], func(t *testing.T) { testMove(t, line, files, want) })
			}
			files, want = map[string]string{}, map[string]string{}
		}
		for _, f := range a.Files {
			text := string(f.Data)
			switch rest, ok := strings.CutPrefix(f.Name, "want/"); {
			case f.Name == "move":
				run()
				line = text
			case ok:
				want[rest] = text
			default:
				files[f.Name] = text
			}
		}
		run()
	}
}

func testMove(t *testing.T, line string, files, want map[string]string) {
	first, rest, _ := strings.Cut(line, "\n")
	tree := inMemory(files)
	p, err := newPlanner(context.Background(), request(tree, first))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := p.plan()
	if err != nil {
		if got := "error: " + err.Error() + "\n"; got != rest {
			t.Errorf("got %swant %s", got, rest)
		}
		return
	}
	known, err := Make(context.Background(), withReport(t, request(tree, first)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shown(known), shown(plan); got != want {
		t.Errorf("with the report of an audit: got\n%s\nwant\n%s", got, want)
	}
	got := ""
	for i := range plan.Problems {
		got += strings.ReplaceAll(plan.Problems[i].String(), "/t/", "") + "\n"
	}
	for _, u := range plan.URLs {
		got += strings.ReplaceAll(fmt.Sprintf("%s -> %s%s%s%s", u.From, u.To, tagged("redirect", u.Redirect), tagged("can", u.Can), tagged("no redirect", u.Why)), "/t/", "") + "\n"
	}
	if got != rest {
		t.Errorf("got\n%swant\n%s", got, rest)
	}
	if len(plan.Problems) > 0 {
		return
	}
	made := map[string]string{}
	for _, f := range plan.Files {
		made[strings.TrimPrefix(f.To, "/t/")] = string(f.New)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if made[name] != want[name] {
			t.Errorf("%s: got\n%s\nwant\n%s", name, made[name], want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s has changed:\n%s", name, made[name])
		}
	}
}

// withReport adds to a request what an editor knows: the report of an audit, and which documents point to others.
func withReport(t *testing.T, r *Request) *Request {
	r.Cache = new(doc.Cache)
	var refs []*audit.Followed
	o := r.Options
	o.Cache, o.Followed = r.Cache, func(f *audit.Followed) { refs = append(refs, f) }
	report, err := audit.Run(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Report = report
	r.Leading = func(isTarget func(string) bool) (names []string) {
		for _, f := range refs {
			if slices.ContainsFunc(f.Ends(), isTarget) {
				names = append(names, f.Path)
			}
		}
		return names
	}
	return r
}

// shown returns everything in a plan that users see.
func shown(p *Plan) string {
	var b strings.Builder
	for i := range p.Problems {
		fmt.Fprintln(&b, &p.Problems[i])
	}
	fmt.Fprintln(&b, p.References, p.URLs)
	for _, f := range p.Files {
		fmt.Fprintf(&b, "%s %s\n%s", f.Path, f.To, f.New)
	}
	return b.String()
}

func tagged(name, text string) string {
	if text == "" {
		return ""
	}
	return " [" + name + ": " + text + "]"
}

// Names that need quoting somewhere, or that differ only in case or composition.
var hostile = []string{
	"a b", "100%", "a#b", "a?b", "a)b", "(a", "[a]", "a\\b", "a|b", "<a>", "a&amp;b", "a&b", "\"a\"", "'a'", "`a`", "a\nb", "a\tb", "*a*", "_a_", "a__b", "~a~",
	"עברית", "\u202eabc", "caf\u00e9", "cafe\u0301", "A B", "Abc", "ABC", "%41bc", "%2e%2e", "a:b", "-a", "@a", "{{a}}", "{a}", "$a", "a;b", "a,b", "a=b", "+a", "a  b", " a", "a ", "日本", "\xff\xfe", "^a", "!a",
}

// Each of these names can be given to a document and to its directory, and taken away again; or the
// move is refused, and changes nothing. A name that only needs percent-encoding is not refused.
func TestHostileNames(t *testing.T) {
	files := map[string]string{
		"index.md":  "# I\n\n[x](d/x.md#h) <a href='d/x.md'>y</a> <a href=d/x.md>z</a> [q][r] ![p](d/p.png \"t\") [e](<d/x.md>)\n\n[r]: d/x.md 'T'\n[s]: <d/x.md#h>\n[s]\n",
		"d/x.md":    "# X\n\n## H\n\n[i](../index.md#i) [own](#h) ![](./p.png)\n",
		"d/p.png":   "png",
		"page.html": "<a href=\"d/x.md#h\"><img src='d/p.png'><a href=d/p.png>\n",
		"y.rst":     "Y\n=\n\n`x <d/p.png>`_\n\n.. image:: d/p.png\n",
		"z.adoc":    "= Z\n\nlink:d/p.png[p] image:d/p.png[]\n",
	}
	tree := inMemory(files)
	base, err := newPlanner(context.Background(), &Request{Options: options(tree)})
	if err != nil {
		t.Fatal(err)
	}
	if len(base.before.findings) > 0 {
		t.Fatal(base.before.findings[0])
	}
	x := &trial{t: t, dir: "/t", base: base, refused: map[string]int{}, options: options}
	refused := map[string]bool{}
	for _, name := range hostile {
		for _, move := range []Rename{{"/t/d/x.md", "/t/d/" + name + ".md"}, {"/t/d", "/t/" + name}, {"/t/d/p.png", "/t/" + name + "/" + name + ".png"}} {
			before := x.refusals
			x.run(&Request{Renames: []Rename{move}}, &Request{Renames: []Rename{{move.To, move.From}}})
			if x.refusals > before {
				refused[name] = true
			}
		}
	}
	if x.different > 0 || x.restored < 2*len(hostile) {
		t.Errorf("%d restored, %d not", x.restored, x.different)
	}
	t.Logf("%d made, %d refused: %q", x.made, x.refusals, slices.Sorted(maps.Keys(refused)))
	for _, name := range []string{"a b", "100%", "a#b", "a?b", "a)b", "(a", "<a>", "a&b", "'a'", "עברית", "caf\u00e9", "cafe\u0301", "Abc", "日本"} {
		if refused[name] {
			t.Errorf("%q is refused", name)
		}
	}
}

// Random moves and renames of headings in generated trees.
func TestRandom(t *testing.T) {
	scantest.Long(t, "hundreds of moves")
	for _, conf := range []string{"", "mkdocs.yml", "docusaurus.config.js", "hugo.toml", "conf.py", "book.toml"} {
		t.Run(conf, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 7))
			tree := inMemory(generated(r, conf))
			base, err := newPlanner(context.Background(), &Request{Options: options(tree)})
			if err != nil {
				t.Fatal(err)
			}
			x := &trial{t: t, dir: "/t", random: r, base: base, refused: map[string]int{}, options: options}
			x.list(tree)
			x.names = []string{"new", "other-folder", "été"}
			for range 60 {
				x.move()
				x.heading()
			}
			t.Logf("%d findings; %d made with %d references edited, %d refused, %d restored, %d not", len(base.before.findings), x.made, x.references, x.refusals, x.restored, x.different)
			for why, n := range x.refused {
				t.Logf("%5d refused: %s", n, why)
			}
			if x.made < 40 || x.restored < x.made-x.made/20 {
				t.Errorf("too few")
			}
		})
	}
}

// generated returns a tree in which documents refer to each other in many spellings.
func generated(r *rand.Rand, conf string) map[string]string {
	files := map[string]string{}
	dir, ext := "docs/", ".md"
	switch conf {
	case "mkdocs.yml":
		files[conf] = "site_name: x\n"
	case "docusaurus.config.js":
		files[conf] = "module.exports = {url: 'https://x.example', baseUrl: '/', presets: [['classic', {docs: {routeBasePath: '/'}}]]}\n"
		files["package.json"] = `{"dependencies": {"@docusaurus/core": "3.8.1"}}` // which says where a plain name leads
	case "hugo.toml":
		files[conf], dir = "baseURL = 'https://x.example/'\n", "content/"
	case "conf.py":
		files[conf], dir, ext = "extensions = []\n", "", ".rst"
	case "book.toml":
		files[conf], dir = "[book]\ntitle = 'x'\n", "src/"
	}
	var names []string
	for _, d := range []string{"", "one/", "two/", "two/three/"} {
		for i := range 5 {
			names = append(names, fmt.Sprintf("%s%sp%d%s", dir, d, i, ext))
		}
	}
	summary := "# Summary\n\n"
	for _, name := range names {
		var b strings.Builder
		if ext == ".rst" {
			fmt.Fprintf(&b, "%s\n%s\n\n", path.Base(name), strings.Repeat("=", len(path.Base(name))))
		} else {
			fmt.Fprintf(&b, "# %s\n\n## Same\n\n## Other one\n\n## Same\n\n", path.Base(name))
		}
		for range 6 {
			to := names[r.IntN(len(names))]
			rel := relativeTo(path.Dir(name), to)
			hash := []string{"", "#same", "#same-1", "#other-one"}[r.IntN(4)]
			switch n := r.IntN(5); {
			case ext == ".rst":
				fmt.Fprintf(&b, ":doc:`%s` and :doc:`x </%s>`\n\n", strings.TrimSuffix(rel, ext), strings.TrimSuffix(to, ext))
			case conf == "hugo.toml":
				fmt.Fprintf(&b, "[x](/%s/%s) {{< ref \"/%s\" >}}\n", strings.TrimSuffix(strings.TrimPrefix(to, dir), ext), hash, strings.TrimPrefix(to, dir))
			case n == 0:
				fmt.Fprintf(&b, "[x](%s%s 'title')\n", rel, hash)
			case n == 1:
				fmt.Fprintf(&b, "[x](<%s%s>)\n", rel, hash)
			case n == 2:
				fmt.Fprintf(&b, "[x][r%d]\n\n[r%d]: %s%s\n\n", b.Len(), b.Len(), rel, hash)
			case n == 3 && conf == "":
				fmt.Fprintf(&b, "<a href=\"%s%s\">x</a>\n", rel, hash)
			case n == 4 && !strings.HasPrefix(rel, "../"):
				fmt.Fprintf(&b, "[x](./%s%s) [own](#other-one)\n", rel, hash)
			default:
				fmt.Fprintf(&b, "[x](%s%s)\n", rel, hash)
			}
		}
		if conf == "hugo.toml" {
			b.WriteString("\n")
			files[name] = "---\ntitle: x\n---\n" + b.String()
		} else {
			files[name] = b.String()
		}
		summary += fmt.Sprintf("- [x](%s)\n", strings.TrimPrefix(name, dir))
	}
	switch conf {
	case "book.toml":
		files["src/SUMMARY.md"] = summary
	case "conf.py":
		index := "Index\n=====\n\n.. toctree::\n\n"
		for _, name := range names {
			index += "   " + strings.TrimSuffix(name, ext) + "\n"
		}
		files["index.rst"] = index
	}
	return files
}

func relativeTo(dir, file string) string {
	up := ""
	for dir != "." && !strings.HasPrefix(file, dir+"/") {
		dir, up = path.Dir(dir), up+"../"
	}
	return up + strings.TrimPrefix(strings.TrimPrefix(file, dir), "/")
}
