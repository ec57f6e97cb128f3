package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/refract/internal/testing/scantest"
)

func TestParse(t *testing.T) {
	var s Settings
	err := s.Parse([]byte("root: docs\nrule: [a, b]\nstrict: true\nprefix: ~\nsite: {a: b}\nindex: [[a]]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]Value{
		"root": {Line: 1, List: []string{"docs"}}, "rule": {Line: 2, List: []string{"a", "b"}}, "strict": {Line: 3, List: []string{"true"}},
	} {
		if got := s.Values[key]; got.Line != want.Line || !slices.Equal(got.List, want.List) || got.IsNull || got.Err != nil {
			t.Errorf("%s: %+v, want %+v", key, got, want)
		}
	}
	if !s.Values["prefix"].IsNull || s.Values["site"].Err == nil || s.Values["index"].Err == nil {
		t.Errorf("%+v", s.Values)
	}
	for text, want := range map[string]string{"docs": "give flags and their values", "a: [": "not valid YAML"} {
		if err := new(Settings).Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A configuration is found upwards, to the top of the repository.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"repo/.git", "repo/a/b"} {
		os.MkdirAll(filepath.Join(dir, d), 0o777)
	}
	below := filepath.Join(dir, "repo", "a", "b")
	os.WriteFile(filepath.Join(dir, Name), nil, 0o666)
	if got := Find(below); got != "" {
		t.Errorf("%q is outside of the repository", got)
	}
	os.WriteFile(filepath.Join(dir, "repo", Name), nil, 0o666)
	if got, want := Find(below), filepath.Join("..", "..", Name); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A file that is found may not be a link out of the repository, and its values may not point out. One that
// a person names may.
func TestBoundary(t *testing.T) {
	dir := t.TempDir()
	repo := filepath.Join(dir, "repo")
	os.MkdirAll(filepath.Join(repo, ".git"), 0o777)
	os.MkdirAll(filepath.Join(repo, "docs"), 0o777)
	os.WriteFile(filepath.Join(dir, "secret"), []byte("root: ..\n"), 0o666)
	if err := os.Symlink("../secret", filepath.Join(repo, Name)); err != nil {
		t.Skip(err)
	}
	if _, text, err := Read(filepath.Join(repo, Name), false); !errors.Is(err, errLeadsOut) || text != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, text, err := Read(filepath.Join(repo, Name), true); err != nil || string(text) != "root: ..\n" {
		t.Errorf("%q, %v", text, err)
	}
	s, err := Locate(filepath.Join(repo, Name))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		kind  Names
		value string
		ok    bool
	}{
		{Directory, "docs", true}, {Directory, "new", true}, {Directory, "..", false}, {Directory, ".git", false}, {Directory, dir, false},
		{File, "docs", false}, {SiteDir, "https://h/=docs", true}, {SiteDir, "https://h/=../x", false}, {BuildDir, "docs", true}, {BuildDir, "../x", false}, {BuildDir, "https://h/=docs", true}, {BuildDir, "https://h/=../x", false}, {Elements, "../x", false}, {NoNames, "../x", true},
	} {
		if err := s.Inside.Check(tt.kind, tt.value, s.Dir); (err == nil) != tt.ok {
			t.Errorf("%d %q: %v", tt.kind, tt.value, err)
		}
	}
}

func TestSpellings(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"# x\n", ""},
		{"~\n", ""},
		{"a: b\nc: [d, 1]\n", `a 1 ["b"], c 2 ["d" "1"]`},
		{"a: &x [b]\nc: *x\n1: ~\n", `1 3 ["~"] null, a 1 ["b"], c 2 ["b"]`},
		{"a: b\n'a': c\n", `line 2: "a" is set in line 1, too`},
		{"a:\n  b: c\n", `a 2 [] give a string, or a list of strings`},
		{"a: [[b]]\n", `a 1 [] give a list of strings`},
		{"[a]: b\n", "give flags and their values, such as root: docs"},
		{"- a\n", "give flags and their values, such as root: docs"},
		{"a", "give flags and their values, such as root: docs"},
		{"a: [", "not valid YAML: line 1: did not find expected node content"},
	} {
		var s Settings
		err := s.Parse([]byte(tt.text))
		var list []string
		for _, key := range slices.Sorted(maps.Keys(s.Values)) {
			v := s.Values[key]
			text := fmt.Sprintf("%s %d %q", key, v.Line, v.List)
			if v.IsNull {
				text += " null"
			}
			if v.Err != nil {
				text += " " + v.Err.Error()
			}
			list = append(list, text)
		}
		got := strings.Join(list, ", ")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

// Time is linear for any configuration, and memory is bounded.
func TestHostileParse(t *testing.T) {
	for name, shape := range map[string]struct{ head, each string }{
		"keys":           {"", "x: y\n"},
		"different keys": {"", "x%d: y\n"},
		"aliases":        {"a: &a [" + strings.Repeat("b,", 8<<10) + "b]\n", "x%d: *a\n"},
		"alias of alias": {"a: &a [b]\n", "x%d: [*a, *a]\n"},
		"nesting":        {"a: ", "["},
	} {
		run := func(size int) func() {
			var b strings.Builder
			b.WriteString(shape.head)
			for i := 0; b.Len() < size; i++ {
				b.WriteString(strings.ReplaceAll(shape.each, "%d", fmt.Sprint(i)))
			}
			text := []byte(b.String())
			return func() { new(Settings).Parse(text) }
		}
		scantest.Linear(t, name, 30*time.Millisecond, run(32<<10), run(128<<10))
	}
}

// Symbolic links of the repository point out of it, or nowhere, in any way.
func TestBoundaryLinks(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo := filepath.Join(dir, "repo")
	err = errors.Join(os.MkdirAll(filepath.Join(repo, ".git"), 0o777), os.MkdirAll(filepath.Join(repo, "docs"), 0o777),
		os.WriteFile(filepath.Join(repo, "file"), nil, 0o666), os.WriteFile(filepath.Join(dir, "outside"), nil, 0o666))
	if err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"in": "docs", "new": "docs/new", "out": "../outside", "out-new": "../new", "out-absolute": filepath.Join(dir, "new"), "back": "../repo/docs/new",
		"loop": "loop2", "loop2": "loop", "git": ".git/config",
	} {
		err := os.Symlink(to, filepath.Join(repo, name))
		if err != nil {
			t.Skip(err)
		}
	}
	s, err := Locate(filepath.Join(repo, Name))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repo)
	for _, tt := range []struct {
		kind  Names
		value string
		want  string // in the error
	}{
		{Directory, "in", ""},
		{Directory, "in/x/y", ""},
		{File, "new", ""},
		{File, "new/x", ""},
		{File, "back", ""},
		{AnyFile, "docs", ""},
		{AnyFile, "file", ""},
		{SiteDir, "no directory", ""},
		{Elements, "a/..b", ""},
		{File, "out", "leads out of the repository"},
		{File, "out-new", "leads out of the repository"},
		{File, "out-absolute/x", "leads out of the repository"},
		{File, "loop", "leads out of the repository"},
		{File, "loop/x", "leads out of the repository"},
		{File, "git", "leads out of the repository"},
		{File, ".GIT/config", "leads out of the repository"},
		{File, "in", "not a regular file"},
		{Directory, "file", "is not a directory"},
		{SiteDir, "https://h/=file", "is not a directory"},
		{Elements, `a\..\b`, "leads out of its directory"},
		{File, "/etc/passwd", "is absolute"},
	} {
		err := s.Inside.Check(tt.kind, tt.value, s.Dir)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%d %q: %v, want %q", tt.kind, tt.value, err, tt.want)
		}
		isOut := strings.HasPrefix(tt.value, "out") || strings.HasPrefix(tt.value, "loop") || tt.value == "git"
		if err := CheckInside(tt.value); isOut != errors.Is(err, errLeadsOut) {
			t.Errorf("CheckInside(%q): %v", tt.value, err)
		}
	}
	_, text, err := Read(filepath.Join(repo, "out"), true)
	if !errors.Is(err, errLeadsOut) || text != nil {
		t.Errorf("%q, %v", text, err)
	}
	_, _, err = Read(filepath.Join(dir, "none", Name), false)
	if !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	// Without a repository, there is nothing that a name could leave.
	t.Chdir(dir)
	err = CheckInside("repo/out")
	if err != nil {
		t.Error(err)
	}
	s, err = Locate(filepath.Join(dir, Name))
	if err != nil {
		t.Fatal(err)
	}
	err = s.Inside.Check(File, "../x", s.Dir)
	if err == nil || !strings.Contains(err.Error(), "leads out of the directory of the configuration") {
		t.Error(err)
	}
}

// unreadable is a file system whose files cannot be read.
type unreadable struct{ fs.FS }

func (u unreadable) Open(name string) (fs.File, error) {
	f, err := u.FS.Open(name)
	return unreadableFile{f}, err
}

type unreadableFile struct{ fs.File }

func (unreadableFile) Read([]byte) (int, error) { return 0, fs.ErrPermission }

func TestReadFS(t *testing.T) {
	at := func(f fstest.MapFile) fs.FS { return fstest.MapFS{Name: &f} }
	for _, tt := range []struct {
		fsys fs.FS
		want string // the keys, or the error
	}{
		{fstest.MapFS{}, "[]"},
		{at(fstest.MapFile{Data: []byte("root: docs\nrule: [a]\n")}), "[root rule]"},
		{at(fstest.MapFile{Data: []byte("a: [")}), "not valid YAML: line 1: did not find expected node content"},
		{at(fstest.MapFile{Mode: fs.ModeDir}), "not a regular file"},
		{at(fstest.MapFile{Data: make([]byte, maxSize+1)}), fmt.Sprintf("larger than %d KiB", maxSize>>10)},
		{unreadable{at(fstest.MapFile{})}, "permission denied"},
	} {
		values, err := ReadFS(tt.fsys)
		got := fmt.Sprint(slices.Sorted(maps.Keys(values)))
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
