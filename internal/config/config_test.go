package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/scantest"
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

// A file that is found may not be a link out of the repository, and its values may not lead out. One that
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
		{File, "docs", false}, {SiteDir, "https://h/=docs", true}, {SiteDir, "https://h/=../x", false}, {Elements, "../x", false}, {NoNames, "../x", true},
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
