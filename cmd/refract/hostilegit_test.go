package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
)

// gitIn prepares the environment for git, and returns a function that runs it in the working directory.
func gitIn(t *testing.T) func(args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	for _, name := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+name+"_NAME", "a")
		t.Setenv("GIT_"+name+"_EMAIL", "a@example.org")
	}
	return func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
}

// hostileConfig is the configuration of a repository in which each setting that names a program names
// PROGRAM, which leaves a file behind.
const hostileConfig = `[core]
	repositoryformatversion = 0
	fsmonitor = PROGRAM
	hooksPath = HOOKS
	pager = PROGRAM
	editor = PROGRAM
	askPass = PROGRAM
	sshCommand = PROGRAM
	gitProxy = PROGRAM
	alternateRefsCommand = PROGRAM
	attributesFile = ATTRIBUTES
[pager]
	diff = PROGRAM
[credential]
	helper = PROGRAM
[filter "evil"]
	clean = PROGRAM
	smudge = PROGRAM
	required = true
[filter "worse"]
	process = PROGRAM
	required = true
[diff "evil"]
	textconv = PROGRAM
	command = PROGRAM
[diff]
	external = PROGRAM
	orderFile = /dev/zero
[alias]
	diff = !PROGRAM
	ls-files = !PROGRAM
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[remote "origin"]
	url = ext::PROGRAM
	promisor = true
	partialclonefilter = blob:none
	uploadpack = PROGRAM
[submodule]
	recurse = true
`

// Git runs no program that the configuration of the repository, or of a submodule, names.
func TestHostileGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	git := gitIn(t)
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	executable, hooks, attributes := filepath.Join(dir, "program"), filepath.Join(dir, "hooks"), filepath.Join(dir, "attributes")
	write := func(name, text string) {
		t.Helper()
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	script := "#!/bin/sh\necho \"$0 $*\" >>" + ran + "\ncat\n"
	write(executable, script)
	for _, hook := range []string{"post-index-change", "post-checkout", "pre-commit", "reference-transaction", "fsmonitor-watchman"} {
		write(filepath.Join(hooks, hook), script)
	}
	write(attributes, "* filter=evil diff=evil\n*.rst filter=worse\n")

	repo := filepath.Join(dir, "repo")
	write(filepath.Join(repo, "docs", "a.md"), "# A\n\n[b](b.md)\n")
	write(filepath.Join(repo, "docs", "b.md"), "# B\n")
	write(filepath.Join(repo, "docs", "c.rst"), "C\n=\n")
	write(filepath.Join(repo, ".gitattributes"), "* filter=evil diff=evil\n*.rst filter=worse\n")
	t.Chdir(repo)
	git("init", "-q", "-b", "main")
	git("init", "-q", "sub")
	write("sub/s.md", "[old](sub.md)\n")
	git("-C", "sub", "add", "-A")
	git("-C", "sub", "commit", "-q", "-m", "1")
	write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n")
	git("add", "-A")
	git("commit", "-q", "-m", "1")
	git("mv", "docs/b.md", "docs/new.md")
	git("commit", "-q", "-m", "2")
	write("docs/a.md", "# A\n\n[b](b.md) [c](c2.md)\n") // so that git reads it to compare
	write("docs/c.rst", "C\n=\n\n`x <none.md>`_\n")
	write("sub/s.md", "[old](sub.md) [new](new.md)\n")
	config := strings.NewReplacer("PROGRAM", executable, "HOOKS", hooks, "ATTRIBUTES", attributes).Replace(hostileConfig)
	for _, gitDir := range []string{".git", "sub/.git"} {
		write(filepath.Join(gitDir, "config"), config)
		write(filepath.Join(gitDir, "info", "attributes"), "* filter=evil diff=evil\n*.rst filter=worse\n")
		for _, hook := range []string{"post-index-change", "post-checkout"} {
			write(filepath.Join(gitDir, "hooks", hook), script)
		}
	}

	// The program would run: this is what the test is worth.
	exec.Command("git", "-c", "diff.orderFile=/dev/null", "status").Run() // which would read the device
	if _, err := os.Stat(ran); err != nil {
		t.Fatal("git itself does not run the program")
	}
	os.Remove(ran)
	check := func(want int, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		code := run(args, &out, &errs)
		if text, err := os.ReadFile(ran); err == nil {
			t.Errorf("%v ran\n%s", args, text)
			os.Remove(ran)
		}
		if code != want {
			t.Errorf("%v: status %d: %s%s", args, code, out.String(), errs.String())
		}
	}
	check(cli.ExitFindings, "audit", "--changed-since", "HEAD~1")
	check(cli.ExitFindings, "audit", "--changed-since", "HEAD~1", "docs", "sub")
	check(cli.ExitFindings, "audit")
	check(0, "audit", "--changed-since", "HEAD~1", "docs/new.md")
	check(0, "mv", "docs/new.md", "docs/newer.md")
	check(0, "-q", "docs")

	// A directory of the tree that looks like a repository is none.
	t.Chdir(repo)
	for _, d := range []string{"objects", "refs"} {
		os.MkdirAll(filepath.Join("docs", "bare", d), 0o777)
	}
	write("docs/bare/HEAD", "ref: refs/heads/main\n")
	write("docs/bare/config", config+"[core]\n\tbare = false\n\tworktree = "+dir+"\n")
	t.Chdir("docs/bare")
	var out, errs bytes.Buffer
	run([]string{"audit", "--changed-since", "HEAD", "."}, &out, &errs)
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("in a bare repository: ran\n%s", text)
	}

	// A missing object is not fetched.
	t.Chdir(repo)
	object := strings.TrimSpace(git("rev-parse", "HEAD:docs/c.rst"))
	os.Remove(ran)
	os.Remove(filepath.Join(".git", "objects", object[:2], object[2:]))
	check(cli.ExitFailed, "audit", "--changed-since", "HEAD")
}
