package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
)

// What is audited may be new since the revision, and the configuration of its site may be outside of it.
func TestChangedSincePlaces(t *testing.T) {
	write, git := inRepository(t)
	write("mkdocs.yml", "site_name: x\nnav: [index.md, gone.md]\n")
	write("docs/index.md", "[old](none.md)\n")
	git("init -q", "add -A", commitAll)
	write("new/a.md", "[new](none.md)\n")
	write("docs/b.md", "[new](none.md)\n")
	for _, test := range []struct{ path, want string }{
		{"new", "new/a.md:1:7: no such file: \"new/none.md\" [missing-file]\n"},
		{"docs", "docs/b.md:1:7: no such file: \"docs/none.md\" [missing-file]\n"},
	} {
		var out, errs bytes.Buffer
		code := run([]string{"audit", "-q", "--changed-since", "HEAD", test.path}, &out, &errs)
		if out.String() != test.want || code != 1 {
			t.Errorf("%s, with status %d:\n%s%swant\n%s", test.path, code, out.String(), errs.String(), test.want)
		}
	}
}

// A tracked file that .gitignore names is part of both trees.
func TestChangedSinceIgnored(t *testing.T) {
	write, git := inRepository(t)
	write(".gitignore", "made/\nmade.md\n")
	write("mkdocs.yml", "site_name: x\n")
	write("docs/index.md", "x\n")
	write("docs/made/a.md", "[old](none.md)\n")
	write("docs/made.md", "[old](none.md)\n")
	git("init -q", "add -A -f", commitAll)
	write("docs/made/c.md", "[not tracked](none.md)\n")
	sinceHead(t, "")
}

// Both trees are those of a repository that a host has, and have the ignore files of git.
func TestChangedSinceRepository(t *testing.T) {
	write, git := inRepository(t)
	git("init -q", "remote add origin https://github.com/o/r.git")
	write("a.md", "[x](https://github.com/o/r/blob/main/none.md)\n")
	git("symbolic-ref HEAD refs/heads/main", "add -A", commitAll)
	write(".git/info/exclude", "made.md\n")
	write("a.md", "[x](https://github.com/o/r/blob/main/none.md) [y](https://github.com/o/r/blob/main/other.md)\n")
	write("made.md", "[x](none.md)\n")
	sinceHead(t, "a.md:1:51: the branch main of this repository has no file \"other.md\" [missing-file]\n")
}

// At which path a docset of Microsoft Learn is published is known from redirects. New ones move no page.
func TestChangedSinceInferredBase(t *testing.T) {
	write, git := inRepository(t)
	write(".openpublishing.publish.config.json", `{"docsets_to_publish": [{"docset_name": "x", "build_source_folder": "docs"}]}`)
	write("docs/docfx.json", `{"build": {"content": [{"files": ["**/*.md"]}], "resource": [{"files": ["**/*.zip"]}]}}`)
	for _, name := range []string{"a", "b", "c", "d", "gone"} {
		write("docs/"+name+".md", "# "+name+"\n")
	}
	write("docs/x.zip", "")
	git("init -q", "add -A", commitAll, "rm -q docs/gone.md")
	var redirects []string
	for _, name := range []string{"1", "2", "3", "4", "5"} {
		redirects = append(redirects, `{"source_path": "docs/old`+name+`.md", "redirect_url": "/x/a"}`)
	}
	write(".openpublishing.redirection.json", `{"redirections": [`+strings.Join(redirects, ", ")+`]}`)
	sinceHead(t, "docs/gone.md:1:1: \"/x/gone\" is no longer published: \"docs/gone.md\" is gone [removed-url]\n")
}

// sinceHead compares what "audit --changed-since HEAD" finds.
func sinceHead(t *testing.T, want string) {
	t.Helper()
	var out, errs bytes.Buffer
	run([]string{"audit", "-q", "--changed-since", "HEAD", "."}, &out, &errs)
	if out.String() != want {
		t.Errorf("got\n%s%swant\n%s", out.String(), errs.String(), want)
	}
}

// Of a partial clone, which has not all objects, a picture may be missing. A document may not.
func TestChangedSincePartial(t *testing.T) {
	for name, want := range map[string]int{"p.svg": cli.ExitFindings, "b.md": cli.ExitFailed} {
		write, git := inRepository(t)
		write("a.md", "[p](p.svg#x) [b](b.md#x)\n")
		write("p.svg", "<svg id='x'/>\n")
		write("b.md", "# x\n")
		git("init -q", "add -A", commitAll)
		object, err := exec.Command("git", "rev-parse", "HEAD:"+name).Output()
		if err != nil {
			t.Fatal(err)
		}
		hash := strings.TrimSpace(string(object))
		for _, lost := range []string{name, filepath.Join(".git", "objects", hash[:2], hash[2:])} {
			if err := os.Remove(lost); err != nil {
				t.Fatal(err)
			}
		}
		var out, errs bytes.Buffer
		if code := run([]string{"audit", "--changed-since", "HEAD", "."}, &out, &errs); code != want {
			t.Errorf("without %s: status %d, want %d: %s%s", name, code, want, out.String(), errs.String())
		}
	}
}

// commitAll are arguments for git.
const commitAll = "-c user.name=a -c user.email=a@example.org commit -q -m v1"

// inRepository changes to an empty directory. write writes a file, and git runs git with each list of arguments.
func inRepository(t *testing.T) (write func(name, text string), git func(list ...string)) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	t.Chdir(t.TempDir())
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	write = func(name, text string) {
		t.Helper()
		err := os.MkdirAll(filepath.Dir(name), 0o777)
		if err == nil {
			err = os.WriteFile(name, []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	git = func(list ...string) {
		t.Helper()
		for _, args := range list {
			if out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput(); err != nil {
				t.Fatalf("git %s: %v\n%s", args, err, out)
			}
		}
	}
	return write, git
}

// A change must not turn off what it breaks: which references are forbidden, in files of hosts as well, and the levels of rules are those
// of the revision. Where "/x" leads is part of what changes.
func TestChangedSinceEntries(t *testing.T) {
	write, git := inRepository(t)
	const entries = "forbid:\n- {match: '^http:', message: use https}\n- hosts: hosts.txt\noverrides:\n- {files: docs, rules: {missing-file: off}}\n"
	write(".refract.yaml", entries+"root: {docs: docs}\n")
	write("hosts.txt", "a.example\n")
	write("docs/a.md", "[old](http://h/) [root](/b.md)\n")
	write("docs/b.md", "B\n")
	write("new/b.md", "B\n")
	git("init -q", "add -A", commitAll)
	sinceHead(t, "")
	write("docs/a.md", "[old](http://h/) [root](/b.md)\n\n[off](none.md) [new](http://i/) [host](https://a.example/)\n")
	write("c.md", "[c](none.md)\n")
	write(".refract.yaml", "forbid: [none]\noverrides: [{files: c.md, rules: {missing-file: off}}]\nroot: {docs: new}\n")
	write("hosts.txt", "b.example\n")
	sinceHead(t, `c.md:1:5: no such file: "none.md" [missing-file]
docs/a.md:3:22: use https: "http://i/" [forbidden]
docs/a.md:3:40: a host of hosts.txt: "https://a.example/" [forbidden]
`)
}
