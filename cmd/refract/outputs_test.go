package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/testing/cmdtest"
)

// What a run reads, and what is not refract's own, is not written over.
func TestNothingIsWrittenOver(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	files := map[string]string{
		"x.txt": "see http://h/1\n", "d/a.txt": "see http://h/2\n", "d/notes.txt": "my notes: http://h/3\n",
		"docs/index.md": "# Index\n\n[a](b.md) [c](none.md)\n", "docs/b.md": "# B\n", "list.txt": "x.txt\n", "empty": "", "style.css": "",
	}
	begin := func() {
		t.Helper()
		for _, e := range cmdtest.Entries(t, ".") {
			os.RemoveAll(e)
		}
		for name, text := range files {
			os.MkdirAll(filepath.Dir(name), 0o777)
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		os.Link("x.txt", "hard.txt")
		os.Symlink("x.txt", "soft.txt")
		os.Symlink("docs/index.md", "cache")
	}
	for _, c := range []struct {
		want string // part of the message
		args string
	}{
		{"name the same file: give two", "-o x.txt x.txt"},
		{"name the same file: give two", "-o hard.txt x.txt"},
		{"name the same file: give two", "-o soft.txt x.txt"},
		{"name the same file: give two", "-o x.txt soft.txt"},
		{"name the same file: give two", "-o ./d/../x.txt x.txt"},
		{"also the output", "-o x.txt --files-from list.txt"},
		{"name the same file: give two", "-o list.txt --files-from list.txt"},
		{"is also an input", "-o d/notes.txt d"},
		{"not written by refract", "-o docs/b.md x.txt"},
		{"not written by refract", "-o docs/index.md docs"},
		{"not written by refract", "--split 100 -o docs/index.md x.txt"},
		{"not written by refract", "audit -o docs/index.md docs"},
		{"not written by refract", "audit --html docs/index.md docs"},
		{"not written by refract", "--html docs/index.md docs"},
		{"not written by refract", "--html d/notes.txt d"},
		{"name the same file: give two", "--html hard.txt x.txt"},
		{"name the same file: give two", "-o out --html out docs"},
		{"not written by refract", "audit --html x.txt docs"},
		{"not written by refract", "audit --report markdown=docs/index.md docs"},
		{"name the same file: give two", "audit -o out --report markdown=out docs"},
		{"not written by refract", "audit --cache docs/index.md docs"},
		{"not written by refract", "audit --cache cache docs"},
		{"not written by refract", "audit --cache x.txt docs"},
		{"not written by refract", "audit --write-baseline docs/index.md docs"},
		{"not written by refract", "audit --write-baseline x.txt docs"},
		{"name the same file: give two", "audit -o out --html out docs"},
		{"name the same file: give two", "audit -o x.txt --cache x.txt docs"},
		{"name the same file: give two", "audit -o hard.txt x.txt"},
		{"name the same file: give two", "audit -o base --baseline base docs"},
	} {
		begin()
		var errs bytes.Buffer
		if code := run(strings.Fields(c.args), &bytes.Buffer{}, &errs); code != cli.ExitFailed || !strings.Contains(errs.String(), c.want) {
			// The baseline that is not there is an error of its own.
			if !strings.Contains(c.args, "--baseline base") || code != cli.ExitFailed {
				t.Errorf("%s: %d %s", c.args, code, errs.String())
			}
		}
		for name, text := range files {
			if got, err := os.ReadFile(name); err != nil || string(got) != text {
				t.Errorf("%s: %s is %q", c.args, name, got)
			}
		}
		for _, place := range []string{".", "d", "docs"} {
			for _, e := range cmdtest.Entries(t, place) {
				if strings.HasPrefix(e, ".") {
					t.Errorf("%s: %s is left", c.args, e)
				}
			}
		}
	}
}

// An output of the run before is replaced, and is not read.
func TestOutputAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	os.Mkdir("d", 0o777)
	os.WriteFile("d/a.md", []byte("# A\n\nhttp://h/1 http://h/2 [x](none.md)\n"), 0o666)
	for _, args := range []string{
		"-o d/urls.txt d", "-n -o d/urls.txt d", "--json -o d/urls.txt d", "--csv -o d/urls.txt d", "--edges -o d/urls.txt d",
		"--count host -o d/urls.txt d", "--count host --csv -o d/urls.txt d", "--explain -o d/urls.txt d", "-0 -o d/urls.txt d",
		"-o d/urls.md d", "--json -o d/urls.html d", "-n -o d/urls.txt --checkpoint d/state d", "-o d/urls.txt --hidden d",
		"--split 1 -o d/urls.txt d", "audit -o d/report.md d", "audit --json -o d/report.md d", "audit --html d/report.html d",
		"audit --format sarif -o d/r.html d", "audit --format junit -o d/r.html d", "audit --format github -o d/r.html d",
		"audit --format checkstyle -o d/r.html d", "audit --format rdjson -o d/r.html d", "audit --format gitlab -o d/r.html d", "audit --format markdown -o d/r.md d",
		"audit --report counts=d/r.md --report sarif=d/s.md d", "audit --dry-run -o d/r.md d",
		"audit --cache d/cache.md d", "audit --write-baseline d/base.md d",
	} {
		before := ""
		for i := range 3 {
			var out, errs bytes.Buffer
			if code := run(strings.Fields(args), &out, &errs); code == cli.ExitFailed {
				t.Errorf("%s, run %d: %d %s", args, i, code, errs.String())
			}
			text := ""
			for _, e := range cmdtest.Entries(t, "d") {
				if e != "a.md" {
					got, _ := os.ReadFile(filepath.Join("d", e))
					text += e + "\n" + string(got)
				}
			}
			if text == "" || i > 0 && text != before {
				t.Errorf("%s, run %d:\n%q\nbefore:\n%q", args, i, text, before)
			}
			before = text
		}
		for _, e := range cmdtest.Entries(t, "d") {
			if e != "a.md" {
				os.Remove(filepath.Join("d", e))
			}
		}
	}
}
