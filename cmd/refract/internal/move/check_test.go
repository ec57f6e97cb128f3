package move

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/tree"
)

// The tree of a file is the repository around it, or the working directory.
func TestFind(t *testing.T) {
	tree := onDisk(t, map[string]string{"r/.git/HEAD": "", "r/d/a.md": "", "o/b.md": ""})
	t.Chdir(filepath.Join(tree.Root, "o"))
	for name, want := range map[string]diskTree{
		"../r/d/a.md":    {Root: filepath.Join(tree.Root, "r"), Git: true},
		"../r/none/x.md": {Root: filepath.Join(tree.Root, "r"), Git: true},
		"b.md":           {Root: filepath.Join(tree.Root, "o")},
		"../b.md":        {Root: filepath.Join(tree.Root, "o")},
	} {
		got, err := findTree(name)
		if err != nil || got.Root != want.Root || got.Git != want.Git {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, &want)
		}
	}
}

// What mv renames, as "from -> to", or why it does not.
func TestRenames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links and messages are those of Unix")
	}
	tree := onDisk(t, map[string]string{".git/HEAD": "", "a.md": "", "b.md": "", "d/a.md": "", "d/e/c.md": "", "sub/.git": "", "sub/x.md": ""})
	os.Symlink("a.md", filepath.Join(tree.Root, "link.md"))
	os.Symlink("d", filepath.Join(tree.Root, "way"))
	os.Link(filepath.Join(tree.Root, "a.md"), filepath.Join(tree.Root, "hard.md"))
	t.Chdir(tree.Root)
	if listener, err := net.Listen("unix", "socket.md"); err == nil {
		defer listener.Close()
	}
	tests := []struct{ olds, to, want string }{
		{"socket.md", "c.md", "ROOT/socket.md is neither a file nor a directory"},
		{"a.md", "c.md", "a.md -> c.md"},
		{"a.md", "new/c.md", "a.md -> new/c.md"},
		{"a.md", "new/", "a.md -> new/a.md"},
		{"a.md b.md", "new/", "a.md -> new/a.md b.md -> new/b.md"},
		{"b.md", "d", "b.md -> d/b.md"},
		{"b.md", "way", "b.md -> d/b.md"},
		{"way/a.md", "c.md", "d/a.md -> c.md"},
		{"a.md", "way/new/c.md", "a.md -> d/new/c.md"},
		{"a.md", "way/new/again/c.md", "a.md -> d/new/again/c.md"},
		{"d", "f", "d -> f"},
		{"d", "way", "ROOT/way exists: give another name, or remove it"},
		{"d", "d", "ROOT/d cannot be moved into itself"},
		{"d a.md", "d", "ROOT/d cannot be moved into itself"},
		{"a.md b.md", "c.md", "c.md is not a directory: several files cannot be moved to it"},
		{"a.md d/a.md", "new/", "two files would become ROOT/new/a.md"},
		{"d d/e", "new/", "ROOT/d and ROOT/d/e are one inside the other"},
		{"d/e d", "new/", "ROOT/d/e and ROOT/d are one inside the other"},
		{"a.md", "b.md", "ROOT/b.md exists: give another name, or remove it"},
		{"a.md", "d", "ROOT/d/a.md exists: give another name, or remove it"},
		{"a.md", "hard.md", "ROOT/hard.md exists: give another name, or remove it"},
		{"a.md", "a.md", "ROOT/a.md is the same file"},
		{"d", "d/e/f", "ROOT/d cannot be moved into itself"},
		{"none.md", "c.md", "no such file or directory"},
		{"a.md", "b.md/c.md", "ROOT/b.md is not a directory"},
		{"link.md", "c.md", "ROOT/link.md is a symbolic link: move the file that it points to"},
		{"sub", "c", "ROOT/sub is a repository of its own"},
		{"a.md", "../c.md", "../c.md is not in the tree ROOT"},
		{"../x.md", "c.md", "../x.md is not in the tree ROOT"},
		{".", "c", ". is not in the tree ROOT"},
		{"a.md", ".git/c.md", ".git/c.md is in .git"},
		{journalName + "/plan", "c.md", journalName + "/plan is in " + journalName},
		{"a.md", strings.Repeat("c", 300), "file name too long"},
		{"a.md", "c\x00.md", `"c\x00.md" is not the name of a file`},
	}
	for _, test := range tests {
		renames, err := tree.renames(strings.Fields(test.olds), test.to)
		var got []string
		for _, r := range renames {
			got = append(got, r.From+" -> "+r.To)
		}
		text := strings.ReplaceAll(strings.Join(got, " "), tree.Root+"/", "")
		if err != nil {
			text = strings.ReplaceAll(err.Error(), tree.Root, "ROOT")
		}
		if !strings.HasSuffix(text, test.want) || len(text) > len(test.want) && err == nil {
			t.Errorf("%s to %s: %q, want %q", test.olds, test.to, text, test.want)
		}
	}
	for name, want := range map[string]string{"a.md": "", "d": "d is not a regular file", "none.md": "no such file or directory", "../a.md": "is not in the tree"} {
		p, err := tree.document(name)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && p != tree.Root+"/"+name {
			t.Errorf("%s: %s, %v, want %q", name, p, err, want)
		}
	}
}

// Symbolic links that would break are problems; those that lead where they led are not.
func TestLinks(t *testing.T) {
	tree := onDisk(t, map[string]string{".git/HEAD": "", "a.md": "", "b.md": "", "d/c.md": "", "node_modules/x": ""})
	link := func(name, to string) {
		if err := os.Symlink(to, filepath.Join(tree.Root, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	link("to-a", "a.md")
	link("to-b", "b.md")
	link("absolute-a", filepath.Join(tree.Root, "a.md"))
	link("d/up", "../b.md")
	link("d/beside", "c.md")
	link("by-link", "to-a")
	link("broken", "none")
	link("node_modules/a", "../a.md")
	link(".git/a", "../a.md")
	for move, want := range map[string][]string{
		"a.md x.md": {"absolute-a", "by-link", "to-a"},
		"b.md x.md": {"d/up", "to-b"},
		"d e/f":     {"d/up"},
		"d e":       nil,
	} {
		from, to, _ := strings.Cut(move, " ")
		root := filepath.ToSlash(tree.Root) + "/"
		problems, err := linksOf(root, []Rename{{root + from, root + to}})
		var got []string
		for _, p := range problems {
			got = append(got, strings.TrimPrefix(p.Path, root))
			if !strings.HasPrefix(p.Why, "the symbolic link points to ") {
				t.Error(p.Why)
			}
		}
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q; %v", move, got, want, err)
		}
	}
	for i := range 30 {
		link("d/many"+strings.Repeat("x", i), "../a.md")
	}
	root := filepath.ToSlash(tree.Root)
	problems, err := linksOf(root, []Rename{{root + "/a.md", root + "/x.md"}})
	if err != nil || len(problems) != 20 {
		t.Errorf("%d problems, %v", len(problems), err)
	}
	if problems, err := linksOf(root+"/none", []Rename{{root + "/a.md", root + "/x.md"}}); err == nil {
		t.Errorf("a tree that is not there: %v", problems)
	}
}

// linksOf returns the symbolic links below a directory that renames would break.
func linksOf(root string, renames []Rename) ([]Problem, error) {
	r := &Request{Renames: renames, Links: root}
	p := &planner{request: r, under: tree.Hold(tree.Disk())}
	return p.links()
}

// Changes are the smallest ranges of lines, and split no character.
func TestChanges(t *testing.T) {
	tests := []struct {
		before, after string
		want          []Change
	}{
		{"a\nb\nc\n", "a\nb\nc\n", nil},
		{"a\n[b](b.md)\nc\n", "a\n[b](c.md)\nc\n", []Change{{6, 7, []byte("c")}}},
		{"a\nb\nc", "x\nb\ncy", []Change{{0, 1, []byte("x")}, {5, 5, []byte("y")}}},
		{"aa\n", "a\n", []Change{{1, 2, nil}}},
		{"ä\n", "ö\n", []Change{{0, 2, []byte("ö")}}},
		{"ā\n", "ȁ\n", []Change{{0, 2, []byte("ȁ")}}},            // they differ in the first byte
		{"xä", "xäö", []Change{{3, 3, []byte("ö")}}},             // the end
		{"xäöz", "xöz", []Change{{1, 3, nil}}},                   // not the second byte of one and the first of the other
		{"a\nb\n", "a\nx\nb\n", []Change{{2, 2, []byte("x\n")}}}, // another number of lines
	}
	for _, test := range tests {
		f := &File{Old: []byte(test.before), New: []byte(test.after)}
		got := f.Changes()
		if !slices.EqualFunc(got, test.want, func(a, b Change) bool {
			return a.Start == b.Start && a.End == b.End && string(a.Text) == string(b.Text)
		}) {
			t.Errorf("%q to %q: %+v, want %+v", test.before, test.after, got, test.want)
		}
		made, at := "", 0
		for _, c := range got {
			made += test.before[at:c.Start] + string(c.Text)
			at = c.End
		}
		if made+test.before[at:] != test.after {
			t.Errorf("%q to %q: %q", test.before, test.after, made)
		}
	}
}

// The text of a heading, without its marks.
func TestHeadingRange(t *testing.T) {
	const text = "# A *b* #\n\n> ## Quoted\n\nUnder\n=====\n\ntext\n"
	tree := inMemory(map[string]string{"a.md": text})
	report, err := audit.Run(context.Background(), options(tree), func(*audit.Finding) {})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]string{1: "A *b*", 3: "Quoted", 5: "Under", 8: ""} {
		start, end, ok := HeadingRange(report, "/t/a.md", line, []byte(text))
		if ok != (want != "") || text[start:end] != want {
			t.Errorf("line %d: %q %v, want %q", line, text[start:end], ok, want)
		}
	}
	if _, _, ok := HeadingRange(report, "/t/a.md", 5, []byte("# A\n")); ok {
		t.Error("a heading beyond the end")
	}
	if _, _, ok := HeadingRange(report, "/t/b.md", 1, nil); ok {
		t.Error("a heading of no document")
	}
}

// What is remembered in a repository, how much of it, and what else points to nothing.
func TestMemories(t *testing.T) {
	tree := onDisk(t, map[string]string{".git/HEAD": "", "a.md": ""})
	name := filepath.Join(tree.Root, ".git", "refract-moves.json")
	remember := func(i int, text []byte) {
		tree.remember(&Plan{Renames: []Rename{{"a", strings.Repeat("b", i+1)}}, Files: []File{{To: "a.md", Old: append(text, 'x'), New: []byte("y")}}})
	}
	for i := range maxMemories + 5 {
		remember(i, nil)
	}
	all := tree.memories()
	if len(all) != maxMemories || all[0].Renames[0].To != strings.Repeat("b", maxMemories+5) || string(all[0].Files[0].Old) != "x" {
		t.Errorf("%d memories, %+v", len(all), all[0])
	}
	const about = 200
	remember(about, make([]byte, maxMemoryBytes*3/4-3*about))
	all = tree.memories()
	if len(all) == 0 {
		t.Fatal("nothing is remembered")
	}
	one, err := json.Marshal(memories{[]byte(tree.Root), all[:1]})
	if err != nil {
		t.Fatal(err)
	}
	for more, want := range map[int]int{0: 1, 1: 0} { // a byte for each byte of a name
		os.Remove(name)
		remember(about+maxMemoryBytes-len(one)+more, make([]byte, maxMemoryBytes*3/4-3*about))
		if all := tree.memories(); len(all) != want {
			t.Errorf("%d more than 1 MiB: %d memories", more, len(all))
		}
	}
	for range 3 {
		remember(0, make([]byte, maxMemoryBytes*5/16)) // three times as many, with four thirds of the bytes
	}
	if all := tree.memories(); len(all) != 2 {
		t.Errorf("%d memories", len(all))
	}
	remember(0, make([]byte, maxMemoryBytes))
	if all := tree.memories(); len(all) != 0 {
		t.Errorf("%d memories", len(all))
	}
	remember(0, nil)
	other := *tree
	other.Root = t.TempDir()
	os.Mkdir(filepath.Join(other.Root, ".git"), 0o777)
	text, _ := os.ReadFile(name)
	os.WriteFile(filepath.Join(other.Root, ".git", "refract-moves.json"), text, 0o666)
	if len(tree.memories()) != 1 || len(other.memories()) != 0 {
		t.Errorf("%d here, %d in another place", len(tree.memories()), len(other.memories()))
	}
	os.WriteFile(name, []byte("{"), 0o666)
	none := diskTree{Root: tree.Root}
	none.remember(&Plan{})
	if len(tree.memories()) != 0 || len(none.memories()) != 0 {
		t.Error("memories of nothing")
	}
}

// A Memory is undone by its inverse only.
func TestIsUndoneBy(t *testing.T) {
	m := &Memory{Renames: []Rename{{"a", "b"}, {"c", "d"}}}
	h := &Memory{Heading: &heading{Path: "a.md", Was: "Old", Is: "New"}}
	for _, test := range []struct {
		m    *Memory
		r    Request
		was  string
		want bool
	}{
		{m, Request{Renames: []Rename{{"b", "a"}, {"d", "c"}}}, "", true},
		{m, Request{Renames: []Rename{{"d", "c"}, {"b", "a"}}}, "", true},
		{m, Request{Renames: []Rename{{"b", "a"}}}, "", false},
		{m, Request{Renames: []Rename{{"a", "b"}, {"c", "d"}}}, "", false},
		{m, Request{Renames: []Rename{{"b", "a"}, {"d", "c"}}, Heading: &Heading{}}, "", false},
		{h, Request{Heading: &Heading{Path: "a.md", Text: "Old"}}, "New", true},
		{h, Request{Heading: &Heading{Path: "b.md", Text: "Old"}}, "New", false},
		{h, Request{Heading: &Heading{Path: "a.md", Text: "Other"}}, "New", false},
		{h, Request{Heading: &Heading{Path: "a.md", Text: "Old"}}, "Newer", false},
		{h, Request{}, "New", false},
	} {
		if got := test.m.isUndoneBy(&test.r, test.was); got != test.want {
			t.Errorf("%+v %q: %v", test.r, test.was, got)
		}
	}
}

// A move back begins with what is remembered, if that fits what the documents have now, and if all references keep their meaning.
func TestRecall(t *testing.T) {
	const now, plain = "[x](b.md) [y](b.md)\n", "[x](a.md) [y](a.md)\n"
	for _, tt := range []struct {
		name, was  string // what the document was when it was remembered
		start, end int
		old, want  string
	}{
		{"a part", now, 4, 8, "./a.md", "[x](./a.md) [y](a.md)\n"},
		{"an insertion at the start", now, 0, 0, "z ", "z " + plain},
		{"the end", now, len(now) - 1, len(now), "z\n", "[x](a.md) [y](a.md)z\n"},
		{"nothing at the end", now, len(now), len(now), "z\n", plain + "z\n"},
		{"another text", "other", 4, 8, "./a.md", plain},
		{"a range that ends before it starts", now, 5, 4, "", plain},
		{"a range that ends behind the text", now, 4, len(now) + 1, "", plain},
		{"a range before the text", now, -1, 4, "", plain},
		{"a reference less", now, 9, len(now), "\n", plain},
	} {
		r := request(inMemory(map[string]string{"b.md": "# B\n", "c.md": now}), "b.md -> a.md")
		r.Memory = []Memory{{Renames: []Rename{{"/t/a.md", "/t/b.md"}}, Files: []memoryFile{{"/t/c.md", sumOf([]byte(tt.was)), tt.start, tt.end, []byte(tt.old)}}}}
		plan, err := Make(context.Background(), r)
		if err != nil || len(plan.Problems) > 0 || len(plan.Files) != 1 || string(plan.Files[0].New) != tt.want {
			t.Errorf("%s: %+v, %v; want %q", tt.name, plan, err, tt.want)
		}
	}
}

// What was not followed at a place is not edited when it comes back there.
func TestRecallNotFollowed(t *testing.T) {
	files := map[string]string{"docs/conf.py": "project = 'x'\n", "docs/index.rst": ".. toctree::\n   :glob:\n\n   *\n", "docs/x.rst": "X\n=\n", "a.rst": ":doc:`x`\n", "c.md": "[a](a.rst)\n"}
	there, err := Make(context.Background(), request(inMemory(files), "a.rst -> docs/a.rst"))
	if err != nil || len(there.Problems) > 0 || len(there.Files) != 1 {
		t.Fatalf("%+v, %v", there, err)
	}
	want := files["c.md"]
	files["docs/a.rst"], files["c.md"] = files["a.rst"], string(there.Files[0].New)
	delete(files, "a.rst")
	r := request(inMemory(files), "docs/a.rst -> a.rst")
	r.Memory = []Memory{there.Memory()}
	back, err := Make(context.Background(), r)
	if err != nil || len(back.Problems) > 0 || len(back.Files) != 1 || string(back.Files[0].New) != want {
		t.Errorf("%q: %+v, %v", files["c.md"], back, err)
	}
}

// Files are searched for a label up to the bounds that the documentation names.
func TestUnread(t *testing.T) {
	p := &planner{under: inMemory(map[string]string{"a.py": "x"})}
	for _, tt := range []struct {
		files, bytes int
		want         error
	}{{50_000 - 1, 0, nil}, {50_000, 0, errUnread}, {0, 256<<20 - 1, nil}, {0, 256 << 20, errUnread}} {
		w := unread{p: p, suffixes: []string{".py"}, files: tt.files, bytes: tt.bytes}
		if err := w.visit("/t", 0); err != tt.want {
			t.Errorf("%d files, %d bytes: %v", tt.files, tt.bytes, err)
		}
	}
}

// The nearest directory that exists.
func TestExistingDir(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "a/b", "a/b/c"} {
		if got := existingDir(filepath.Join(dir, name)); got != dir {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := existingDir("/none-of-this/a/b"); got != "/" {
		t.Error(got)
	}
}

// Values that need no quotes in a configuration.
func TestIsPlain(t *testing.T) {
	for value, want := range map[string]bool{
		"": false, "a": true, "a b": true, "a ": false, " a": false, "-a": false, "?a": false, "@a": false, "@site/a": true, "a-b?c@d": true,
		"a%20b": true, "a#b": true, "a #b": false, "a:b": false, "a,b": false, "a$b": false, "a\"b": false, "a'b": false, "a`b": false, "a\\b": false,
		"a{b": false, "a}b": false, "a[b": false, "a]b": false, "a<b": false, "a>b": false, "a&b": false, "a*b": false, "a!b": false, "a|b": false,
		"a\x1fb": false, "a\x7fb": false, "a\u0080b": true, "ä": true,
	} {
		if isPlain(value) != want {
			t.Errorf("%q: %v", value, !want)
		}
	}
}

// Directories are on one device as far as known.
func TestSameDevice(t *testing.T) {
	dir := t.TempDir()
	for other, want := range map[string]bool{dir: true, filepath.Join(dir, "none"): true, "/proc": false} {
		if _, err := os.Stat("/proc/self"); other == "/proc" && err != nil {
			continue
		}
		if sameDevice(dir, other) != want || sameDevice(other, dir) != want {
			t.Errorf("%s: %v", other, !want)
		}
	}
}

// A plan is for files below the root only.
func TestRecordOutside(t *testing.T) {
	tree := &diskTree{Root: "/t"}
	for _, r := range []Rename{{"/t/a", "/u/a"}, {"/u/a", "/t/a"}, {"/u/a", "/u/b"}} {
		if _, err := tree.record(&Plan{Renames: []Rename{r}}, nil); err == nil {
			t.Errorf("%v is carried out", r)
		}
	}
	if r, err := tree.record(&Plan{Renames: []Rename{{"/t/a", "/t/b"}}}, nil); err != nil || string(r.Renames[0].From) != "a" || string(r.Renames[0].To) != "b" {
		t.Error(r, err)
	}
}
