package audit

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/testing/scantest"
	"github.com/rogpeppe/go-internal/txtar"
)

// What the audit says about a document depends on the tree, not on how the audit goes about it. In random small trees
// of mixed formats it is the same
//
//   - for every order of Options.Paths, even if these overlap;
//   - for every number of jobs;
//   - whether or not the tree also has documents that refer to nothing and to which nothing refers.
//
// What the audit learns from a tree (the algorithm of ids, directories of "/x", suffixes that links leave out) it learns from
// references, and counts them; a document without any has no vote. A document to which nothing refers is one whose name
// is nowhere in the tree, neither alone nor without its suffix: a document called guide.rst may be what a link to
// guide.html means. It is also in a directory that has other documents, and not in the place of an index or a configuration.
// Two counts look at pages and not at references, and need more of them than these trees have: madeCount.isMade
// (pages of a directory of a site that have sources) and nestedCount.sections (files called _index.md).
//
// VERDICT_TREES sets the number of trees, and VERDICT_SEED the first of them.
func TestVerdicts(t *testing.T) {
	first, n := numberIn("VERDICT_SEED", 1), numberIn("VERDICT_TREES", scantest.Amount(30, 1000))
	failed := 0
	for seed := first; seed < first+n && failed < 5; seed++ {
		tree := randomTree(seed)
		trouble := tree.trouble(t, seed)
		if trouble == "" {
			continue
		}
		failed++
		tree.shrink(func() bool { return tree.trouble(t, seed) != "" })
		t.Errorf("VERDICT_SEED=%d: %s\npaths %q\n%s", seed, tree.trouble(t, seed), tree.paths, tree.txtar())
	}
}

// numberIn returns the number in an environment variable, or otherwise if it is unset.
func numberIn(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// A verdictTree is a tree that is audited in several ways.
type verdictTree struct {
	files map[string]string // by absolute name
	alone map[string]string // documents that refer to nothing, and to which nothing refers
	paths []string          // for Options.Paths
}

// trouble returns in which way the verdicts depend on more than the tree, or "".
func (v *verdictTree) trouble(t *testing.T, seed int) string {
	want := v.verdicts(t, v.files, v.paths, 1)
	compare := func(how string, got map[string]string) string {
		for _, name := range slices.Sorted(maps.Keys(v.files)) {
			if got[name] != want[name] {
				return fmt.Sprintf("%s, the verdicts about %s are\n%sand not\n%s", how, name, got[name], want[name])
			}
		}
		return ""
	}
	reversed := slices.Clone(v.paths)
	slices.Reverse(reversed)
	if s := compare("with the paths reversed", v.verdicts(t, v.files, reversed, 1)); s != "" {
		return s
	}
	shuffled := slices.Clone(v.paths)
	rand.New(rand.NewPCG(uint64(seed), 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if s := compare(fmt.Sprintf("with the paths %q", shuffled), v.verdicts(t, v.files, shuffled, 1)); s != "" {
		return s
	}
	counts := []int{2, 3, 4, 5, 6, 7, 8}
	if !scantest.IsLong() {
		counts = []int{3, 8}
	}
	for _, jobs := range counts {
		if s := compare(fmt.Sprintf("with %d jobs", jobs), v.verdicts(t, v.files, v.paths, jobs)); s != "" {
			return s
		}
	}
	more := maps.Clone(v.files)
	for name, text := range v.alone {
		if slices.ContainsFunc(slices.Collect(maps.Keys(v.files)), func(other string) bool { return path.Dir(other) == path.Dir(name) && path.Ext(other) == path.Ext(name) }) {
			more[name] = text
		}
	}
	return compare("with documents that nothing refers to", v.verdicts(t, more, v.paths, 1))
}

// verdicts returns what an audit says about each document: its findings and what is not checked, a line each.
func (v *verdictTree) verdicts(t *testing.T, files map[string]string, paths []string, jobs int) map[string]string {
	fsys := fstest.MapFS{}
	for name, s := range files {
		fsys[strings.TrimPrefix(name, "/")] = text(s)
	}
	got := map[string]string{}
	o := Options{Tree: tree.FS(fsys), Dir: "/r", Paths: paths, Jobs: jobs, Tests: true}
	o.Unchecked = func(u *Unchecked) {
		got[tree.Absolute("/r", u.Path)] += fmt.Sprintf("%d:%d not checked: %s\n", u.Pos.Line, u.Pos.Column, u.Why)
	}
	_, err := Run(t.Context(), o, func(f *Finding) {
		got[tree.Absolute("/r", f.Path)] += fmt.Sprintf("%d:%d %s: %s => %q (certain: %v) %s %s\n",
			f.Pos.Line, f.Pos.Column, f.Rule, f.Message, f.Suggestion, f.Certain, f.Target, f.Cause)
	})
	must(t, err)
	return got
}

// shrink leaves out files, and lines of them, as long as the tree stays in trouble.
func (v *verdictTree) shrink(isInTrouble func() bool) {
	for _, files := range []map[string]string{v.alone, v.files} {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			text, paths := files[name], slices.Clone(v.paths)
			delete(files, name)
			v.paths = slices.DeleteFunc(v.paths, func(p string) bool { return "/r/"+p == name })
			if isInTrouble() {
				continue
			}
			files[name], v.paths = text, paths
			lines := slices.Collect(strings.Lines(text))
			for i := len(lines) - 1; i >= 0; i-- {
				files[name] = strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")
				if isInTrouble() {
					lines = slices.Delete(lines, i, i+1)
				}
			}
			files[name] = strings.Join(lines, "")
		}
	}
}

func (v *verdictTree) txtar() string {
	ar := new(txtar.Archive)
	for _, name := range slices.Sorted(maps.Keys(v.files)) {
		ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(v.files[name])})
	}
	for _, name := range slices.Sorted(maps.Keys(v.alone)) {
		ar.Files = append(ar.Files, txtar.File{Name: name + " (added)", Data: []byte(v.alone[name])})
	}
	return string(txtar.Format(ar))
}

// A treeMaker makes a random tree.
type treeMaker struct {
	*rand.Rand
	*verdictTree
	names []string // of documents, relative to the root
	dirs  []string // that hold documents, "" is the root
}

func (m *treeMaker) oneOf(of ...string) string { return of[m.IntN(len(of))] }

func (m *treeMaker) isOnce(in int) bool { return m.IntN(in) == 0 }

// configurations are those of generators, by name: files, each with "=" and its text.
var configurations = [][]string{
	nil, nil, nil, nil, nil,
	{"mkdocs.yml=site_name: x\n"},
	{"mkdocs.yml=site_name: x\nuse_directory_urls: false\nmarkdown_extensions: [toc]\n"},
	{"conf.py=extensions = []\n"},
	{"conf.py=extensions = ['myst_parser', 'sphinx.ext.autosectionlabel']\n"},
	{"docs/conf.py=extensions = ['myst_parser']\nhtml_static_path = ['_static']\n"},
	{"docusaurus.config.js=module.exports = {title: 'x', url: 'https://h', baseUrl: '/'}\n"},
	{"hugo.toml=baseURL = 'https://h/'\n"},
	{"_config.yml=title: x\n"},
	{"docs/_config.yml=title: x\nbaseurl: /b\n"},
	{"antora.yml=name: c\nversion: '1'\n"},
	{".vitepress/config.js=export default {}\n"},
	{"docs/.vitepress/config.js=export default {cleanUrls: true}\n"},
	{"book.toml=[book]\nsrc = \"src\"\n", "src/SUMMARY.md=# S\n\n- [Guide](guide.md)\n- [About](about.md)\n"},
	{"package.json={}\n", "vite.config.js=\n"},
	{"next.config.js=\n"},
	{"docs/package.json={}\n"},
}

var verdictFormats = []string{".md", ".md", ".md", ".rst", ".rst", ".adoc", ".html", ".html", ".css", ".ipynb", ".mdx", ".org", ".tex", ".1", ".xhtml"}

// randomTree returns the tree of a seed.
func randomTree(seed int) *verdictTree {
	m := &treeMaker{Rand: rand.New(rand.NewPCG(uint64(seed), 0)), verdictTree: &verdictTree{files: map[string]string{}, alone: map[string]string{}}}
	if !m.isOnce(4) {
		m.files["/r/.git/HEAD"] = ""
	}
	for _, c := range configurations[m.IntN(len(configurations))] {
		name, text, _ := strings.Cut(c, "=")
		m.files["/r/"+name] = text
	}
	m.dirs = [][]string{{""}, {""}, {"", "docs/"}, {"docs/", "docs/guide/"}, {"", "src/"}, {"", "content/", "content/sub/"}, {"docs/", "examples/"},
		{"modules/ROOT/pages/", ""}, {"", "a/", "a/b/"}}[m.IntN(9)]
	seen := map[string]bool{}
	for range 3 + m.IntN(7) {
		name := m.oneOf(m.dirs...) + m.oneOf("guide", "guide", "install", "install", "about", "zintro", "README", "index", "_index") + m.oneOf(verdictFormats...)
		if _, ok := m.files["/r/"+name]; !seen[name] && !ok {
			seen[name] = true
			m.names = append(m.names, name)
		}
	}
	for _, name := range []string{"img.png", "docs/img.png", "static/img.png"} {
		if m.isOnce(3) {
			m.files["/r/"+name] = ""
		}
	}
	for _, name := range m.names {
		links := 1 + m.IntN(5)
		if m.isOnce(4) {
			links += 12 + m.IntN(20) // enough to teach the audit something
		}
		m.files["/r/"+name] = m.document(name, links)
	}
	for i := range 1 + m.IntN(4) {
		beside := m.oneOf(m.names...)
		ext := path.Ext(beside)
		m.alone["/r/"+path.Dir(beside)+"/"+fmt.Sprintf("zzlonely%d", i)+ext] = m.text(ext, nil)
	}
	m.alone = cleaned(m.alone)
	m.setPaths()
	return m.verdictTree
}

func cleaned(files map[string]string) map[string]string {
	clean := map[string]string{}
	for name, text := range files {
		clean[path.Clean(name)] = text
	}
	return clean
}

// setPaths chooses what is audited: the root, its directories, some documents, or all of this.
func (m *treeMaker) setPaths() {
	switch m.IntN(4) {
	case 0:
		m.paths = []string{"."}
	case 1:
		m.paths = slices.Clone(m.names)
	case 2:
		m.paths = append([]string{"."}, m.names[:m.IntN(len(m.names))]...)
		fallthrough
	default:
		for _, dir := range m.dirs {
			if _, err := tree.FS(m.fs()).Stat("/r/" + dir); err == nil && !slices.Contains(m.paths, path.Clean(dir)) {
				m.paths = append(m.paths, path.Clean(dir))
			}
		}
	}
}

func (m *treeMaker) fs() fstest.MapFS {
	tree := fstest.MapFS{}
	for name := range m.files {
		tree[strings.TrimPrefix(name, "/")] = text("")
	}
	return tree
}

// document returns the text of a document with some links to others.
func (m *treeMaker) document(name string, links int) string {
	var refs []string
	// A document is written in one manner or two: that is what can be learnt.
	manners := []int{m.IntN(9), m.IntN(9)}
	for range links {
		to := m.oneOf(m.names...)
		if m.isOnce(5) {
			to = m.oneOf(m.dirs...) + m.oneOf("gone", "guide", "install", "README", "img") + m.oneOf(".md", ".rst", ".html", ".adoc", ".png", "")
		}
		refs = append(refs, m.reference(name, to, manners[m.IntN(2)]))
	}
	return m.text(path.Ext(name), refs)
}

// reference returns a reference from a document to another, in one of nine manners.
func (m *treeMaker) reference(from, to string, manner int) string {
	stem := strings.TrimSuffix(to, path.Ext(to))
	ref := relativeTo(path.Dir(from), to)
	switch manner {
	case 0:
		ref = strings.TrimSuffix(ref, path.Ext(ref))
	case 1, 2:
		ref = strings.TrimSuffix(ref, path.Ext(ref)) + ".html"
	case 3:
		ref = "/" + to
	case 4:
		ref = "/" + stem
	case 5:
		ref = "../" + strings.TrimSuffix(ref, path.Ext(ref)) + "/" // of a page with its own directory
	case 6:
		ref = "../" + ref
	}
	if m.isOnce(12) {
		ref = "./" + ref
	}
	if m.isOnce(5) {
		ref += "#" + m.oneOf("title", "the-title", "_the_title", "gone", "zzalone", "Title")
	}
	return ref
}

// relativeTo returns a path relative to a directory, both relative to the root.
func relativeTo(dir, to string) string {
	if dir == "." {
		return to
	}
	if rest, ok := strings.CutPrefix(to, dir+"/"); ok {
		return rest
	}
	return strings.Repeat("../", strings.Count(dir, "/")+1) + to
}

// spellings are how each format writes references: links first, then others.
var spellings = map[string][]string{
	".md":    {"[x](%s)", "[x](%s)", "[y]: %[1]s\n\n[y]", "![x](%s)", "<a href=\"%s\">x</a>", "[[%s]]", "[x][gone]"},
	".mdx":   {"[x](%s)", "[x](%s)", "![x](%s)", "<a href=\"%s\">x</a>", "<Card href=\"%s\" />"},
	".rst":   {"`x <%s>`__", "`x <%s>`__", ".. image:: %s", ":doc:`%s`", ".. include:: %s", ":ref:`gone`"},
	".adoc":  {"link:%s[x]", "link:%s[x]", "xref:%s[x]", "image::%s[]", "include::%s[]"},
	".html":  {"<a href=\"%s\">x</a>", "<a href=\"%s\">x</a>", "<img src=\"%s\">", "<link rel=next href=\"%s\">"},
	".xhtml": {"<p><a href=\"%s\">x</a></p>", "<p><img src=\"%s\"/></p>"},
	".css":   {"a { background: url(%s) }", "@import \"%s\";"},
	".org":   {"[[file:%s][x]]", "[[%s]]"},
	".tex":   {"\\href{%s}{x}", "\\includegraphics{%s}"},
	".1":     {".UR %s\nx\n.UE"},
}

// text returns a document of a format with references and a title.
func (m *treeMaker) text(ext string, refs []string) string {
	title := m.oneOf("Title", "The Title", "Título y más", "Title (2)")
	if refs == nil {
		title = "Zzalone"
	}
	if ext == ".ipynb" {
		cells := []string{fmt.Sprintf(`{"cell_type": "markdown", "source": [%q]}`, "# "+title)}
		for _, ref := range refs {
			cells = append(cells, fmt.Sprintf(`{"cell_type": "markdown", "source": [%q]}`, "[x]("+ref+")"))
		}
		return "{\"nbformat\": 4, \"cells\": [\n" + strings.Join(cells, ",\n") + "\n]}\n"
	}
	var b strings.Builder
	head := map[string]string{
		".md": "# %s\n\n", ".mdx": "# %s\n\n", ".rst": "%s\n==============\n\n", ".adoc": "= T\n\n== %s\n\n", ".html": "<h1 id=title>%s</h1>\n",
		".org": "* %s\n", ".tex": "\\section{%s}\n", ".1": ".TH X 1\n.SH %s\n", ".css": "/* %s */\n",
		".xhtml": "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><h1 id=\"title\">%s</h1>\n",
	}[ext]
	fmt.Fprintf(&b, head, title)
	for _, ref := range refs {
		s := m.oneOf(spellings[ext]...)
		if !strings.Contains(s, "%") {
			b.WriteString(s + "\n\n")
			continue
		}
		fmt.Fprintf(&b, s+"\n\n", ref)
	}
	if ext == ".xhtml" {
		b.WriteString("</body></html>\n")
	}
	return b.String()
}

// A Cache keeps what is derived from a document for each algorithm of ids, even those of headings in HTML.
func TestVerdictOfAlgorithms(t *testing.T) {
	fsys := fstest.MapFS{"r/a.md": text("<h2>A & B</h2>\n\n[x](#a--b) [y](#a-b)\n")}
	cache := new(doc.Cache)
	for _, tt := range []struct{ slugs, want string }{
		{"github", `a.md:3:16: this document has no id "a-b"`}, {"gitlab-16", `a.md:3:5: this document has no id "a--b"`}, {"github", `a.md:3:16: this document has no id "a-b"`},
	} {
		got := lines(t, Options{Tree: tree.FS(fsys), Dir: "/r", Slugs: tt.slugs, Cache: cache})
		if len(got) != 1 || !strings.HasPrefix(got[0], tt.want) {
			t.Errorf("%s: got %q, want %q", tt.slugs, got, tt.want)
		}
	}
}
