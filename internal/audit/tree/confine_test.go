package tree

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

// link is a symbolic link of a tree in memory.
func link(to string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink | 0o777}
}

// linked is a repository with links that point out of it, and what is beside it.
var linked = fstest.MapFS{
	"w/repo/.git/HEAD":    {},
	"w/repo/a.md":         {Data: []byte("a")},
	"w/repo/docs/b.md":    {Data: []byte("b")},
	"w/repo/in":           link("docs"),
	"w/repo/dots":         link("./docs/../docs//b.md"),
	"w/repo/back":         link("../repo/docs"),
	"w/repo/absolute":     link("/w/repo/docs/b.md"),
	"w/repo/twice":        link("in/b.md"),
	"w/repo/gone":         link("docs/none.md"),
	"w/repo/loop":         link("loop2"),
	"w/repo/loop2":        link("loop"),
	"w/repo/out":          link("../home"),
	"w/repo/out.md":       link("/w/home/secret.md"),
	"w/repo/out-none.md":  link("/w/home/none.md"),
	"w/repo/through":      link("out/secret.md"),
	"w/repo/through-back": link("out/../repo/a.md"),
	"w/repo/up":           link("../.."),
	"w/home/secret.md":    {Data: []byte("secret")},
	"data/d.md":           {Data: []byte("d")},
}

// outcome describes in a word what a method says.
func outcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, ErrOutside):
		return "outside"
	case errors.Is(err, syscall.ELOOP):
		return "loop"
	case errors.Is(err, fs.ErrNotExist):
		return "missing"
	}
	return err.Error()
}

// asked has what each method of a Tree says about a name.
func asked(t Tree, name string) string {
	_, lstat := t.Lstat(name)
	_, stat := t.Stat(name)
	f, open := t.Open(name)
	if open == nil {
		f.Close()
	}
	real, err := t.Real(name)
	if err != nil {
		real = outcome(err)
	}
	list, err := t.ReadDir(name)
	names := outcome(err)
	if err == nil && len(list) > 0 {
		names = list[0].Name()
	} else if names != "outside" && names != "loop" {
		names = "-" // file systems differ in the error
	}
	return strings.Join([]string{outcome(lstat), outcome(stat), outcome(open), real, names}, " ")
}

func TestConfined(t *testing.T) {
	tests := []struct{ name, want string }{ // Lstat, Stat, Open, Real, first name of ReadDir
		{"a.md", "ok ok ok /w/repo/a.md -"},
		{"/w/repo/a.md", "ok ok ok /w/repo/a.md -"},
		{"./docs/../a.md", "ok ok ok /w/repo/a.md -"},
		{".", "ok ok ok /w/repo .git"},
		{"docs/", "ok ok ok /w/repo/docs b.md"},
		{"none.md", "missing missing missing missing -"},
		{"in", "ok ok ok /w/repo/docs b.md"},
		{"in/b.md", "ok ok ok /w/repo/docs/b.md -"},
		{"dots", "ok ok ok /w/repo/docs/b.md -"},
		{"back/b.md", "ok ok ok /w/repo/docs/b.md -"},
		{"absolute", "ok ok ok /w/repo/docs/b.md -"},
		{"twice", "ok ok ok /w/repo/docs/b.md -"},
		{"gone", "ok missing missing missing -"},
		{"loop", "ok loop loop loop loop"},
		{"loop/x", "loop loop loop loop loop"},
		// It is the same whether something is there or not.
		{"out", "ok outside outside outside outside"},
		{"out/secret.md", "outside outside outside outside outside"},
		{"out/none.md", "outside outside outside outside outside"},
		{"out.md", "ok outside outside outside outside"},
		{"out-none.md", "ok outside outside outside outside"},
		{"through", "ok outside outside outside outside"},
		{"through-back", "ok outside outside outside outside"},
		{"up", "ok outside outside outside outside"},
		{"up/w/repo/a.md", "outside outside outside outside outside"},
		{"../home/secret.md", "outside outside outside outside outside"},
		{"../home/none.md", "outside outside outside outside outside"},
		{"/data/d.md", "outside outside outside outside outside"},
	}
	for _, isListed := range []bool{false, true} {
		c := NewConfined(FS(linked), "/w/repo", nil, nil)
		if isListed { // then it knows without asking what is a link
			_, err := c.ReadDir("/w/repo")
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, test := range tests {
			full := test.name
			if !path.IsAbs(full) {
				full = "/w/repo/" + full
			}
			got := asked(c, full)
			if got != test.want {
				t.Errorf("%s, listed %v: got  %s\nwant %s", test.name, isListed, got, test.want)
			}
			isOut := strings.Contains(test.want, "outside") && Below(path.Clean(full), "/w/repo")
			if c.LeadsOut(full) != isOut {
				t.Errorf("%s: LeadsOut is %v", test.name, !isOut)
			}
		}
	}
}

// What is named is read, and the directory around it, but no link points into the latter.
func TestConfinedNamed(t *testing.T) {
	files := fstest.MapFS{
		"p/site/a.md":       {},
		"p/site/conf":       link("../conf.py"),
		"p/site/other":      link("/q/sub/x.md"),
		"p/conf.py":         {},
		"q/.git/HEAD":       {},
		"q/sub/x.md":        {},
		"q/y.md":            {},
		"r/z.md":            {},
		"w":                 link("r"),
		"s/t/one/f.md":      {},
		"s/t/one/beside.md": {},
		"two/.git":          {},
		"two/README.md":     {},
		"two/sub/link.md":   link("../README.md"),
	}
	tests := []struct {
		dir          string
		args, others []string
		name, want   string // of Open
	}{
		{"/p", []string{"site"}, nil, "/p/site/a.md", "ok"},
		{"/p", []string{"site"}, nil, "/p/conf.py", "ok"},
		{"/p", []string{"site"}, nil, "/p/site/conf", "outside"},
		{"/p", []string{"site"}, nil, "/p/site/other", "outside"},
		{"/p", []string{"site"}, []string{"/q/sub"}, "/p/site/other", "ok"},
		{"/p", []string{"site"}, []string{"/q/sub"}, "/q/y.md", "ok"},
		{"/p", []string{"site", "."}, nil, "/p/site/conf", "ok"},
		{"/p", []string{"site"}, []string{"/r"}, "/r/z.md", "ok"},
		{"/", []string{"w"}, nil, "/w/z.md", "ok"},
		{"/", []string{"w"}, nil, "/r/z.md", "ok"},
		{"/", []string{"w/"}, nil, "/w/../w/z.md", "ok"},
		// A file is read with what is beside it.
		{"/s/t/one", []string{"f.md"}, nil, "/s/t/one/f.md", "ok"},
		{"/s/t/one", []string{"f.md"}, nil, "/s/t/one/beside.md", "ok"},
		{"/s/t/one", []string{"-"}, nil, "/s/t/one/beside.md", "ok"},
		{"/s/t/one", []string{"-"}, nil, "/p/conf.py", "outside"},
		{"/s/t/one", []string{"none.md"}, nil, "/s/t/one/beside.md", "ok"},
		// A repository is read as a whole.
		{"/two/sub", []string{"."}, nil, "/two/sub/link.md", "ok"},
		{"/two/sub", []string{"link.md"}, nil, "/two/README.md", "ok"},
	}
	for _, test := range tests {
		c := NewConfined(FS(files), test.dir, test.args, test.others)
		f, err := c.Open(test.name)
		if err == nil {
			f.Close()
		}
		if outcome(err) != test.want {
			t.Errorf("in %s, %q and %q: Open(%q): %v, want %s", test.dir, test.args, test.others, test.name, err, test.want)
		}
	}
}

// On the disk, a name with ".." behind a link leads elsewhere than its letters say.
func TestConfinedRaw(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.ToSlash(dir)
	for _, name := range []string{"/real/docs/c.md", "/real/d.md", "/h/e.md"} {
		err := errors.Join(os.MkdirAll(path.Dir(dir+name), 0o777), os.WriteFile(dir+name, nil, 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
	err = errors.Join(os.Symlink("../real/docs", dir+"/h/there"), os.Symlink("d.md", dir+"/real/link"), os.Symlink("../h/e.md", dir+"/real/out"), os.Symlink("../h", dir+"/real/h"))
	if err != nil {
		t.Skip(err)
	}
	c := NewConfined(Disk(), dir+"/h", []string{"there/.."}, nil)
	for name, want := range map[string]string{"d.md": "ok", "docs/c.md": "ok", "none.md": "missing", "link": "ok", "e.md": "missing", "out": "outside", "h": "outside"} {
		_, err := c.Stat(dir + "/h/there/../" + name)
		if outcome(err) != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if real, err := c.Real(dir + "/h/there/../link"); real != dir+"/real/d.md" || err != nil {
		t.Error(real, err)
	}
}

// What is outside by its name is the user's, what a link points to is not.
func TestWalked(t *testing.T) {
	c := NewConfined(FS(linked), "/w/repo", nil, nil)
	w := Walked{Tree: c, Confined: c}
	for name, want := range map[string]string{
		"/w/home/secret.md":      "ok ok ok /w/home/secret.md -",
		"/w/home":                "ok ok ok /w/home secret.md",
		"/w/repo/out/secret.md":  "outside outside outside outside outside",
		"/w/repo/docs/b.md":      "ok ok ok /w/repo/docs/b.md -",
		"/w/home/.gitignore":     "missing missing missing missing -",
		"/w/repo/docs/../out.md": "ok outside outside outside outside",
	} {
		if got := asked(w, name); got != want {
			t.Errorf("%s: got  %s\nwant %s", name, got, want)
		}
	}
}

// withoutReadLink is a Tree that cannot tell where a link leads, but where it is in the end.
type withoutReadLink struct{ Tree }

func TestConfinedWithoutReadLink(t *testing.T) {
	c := NewConfined(withoutReadLink{FS(linked)}, "/w/repo", nil, nil)
	for name, want := range map[string]string{"/w/repo/in/b.md": "ok", "/w/repo/twice": "ok", "/w/repo/out.md": "outside", "/w/repo/gone": "missing"} {
		_, err := c.Stat(name)
		if outcome(err) != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// The tree in which an audit asks for names is found below what records, lists once and confines.
func TestBeneath(t *testing.T) {
	for _, test := range []struct {
		tree     Tree
		isOnDisk bool
		dir      string
	}{
		{Disk(), true, ""},
		{NewTrace(Disk()), true, ""},
		{&ListOnce{Tree: NewConfined(NewTrace(Disk()), t.TempDir(), nil, nil)}, true, ""},
		{NewOverlay(nil), false, ""},
		{FS(linked), false, "/"},
		{NewOverlay(FS(linked)), false, "/"},
		{&ListOnce{Tree: NewConfined(FS(linked), "/w", nil, nil)}, false, "/"},
	} {
		if IsOnDisk(test.tree) != test.isOnDisk {
			t.Errorf("%T: IsOnDisk is %v", test.tree, !test.isOnDisk)
		}
		t.Chdir(t.TempDir())
		want := test.dir
		if want == "" {
			want = WorkingDir(Disk())
		}
		if got := WorkingDir(test.tree); got != want {
			t.Errorf("%T: working directory %q, want %q", test.tree, got, want)
		}
	}
	list, err := (&ListOnce{Tree: FS(linked), Dir: "/w"}).ReadDir("/w/home")
	if err != nil || !slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == "secret.md" }) {
		t.Error(list, err)
	}
}
