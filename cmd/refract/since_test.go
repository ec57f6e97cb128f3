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

// A history of commits, and what --changed-since says after each.
func TestChangedSince(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	for _, name := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+name+"_NAME", "a")
		t.Setenv("GIT_"+name+"_EMAIL", "a@example.org")
	}
	do := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(tag string) {
		t.Helper()
		do("add", "-A")
		do("commit", "-q", "-m", tag)
		do("tag", tag)
	}
	check := func(rev, want string, more ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		code := run(append([]string{"audit", "--changed-since", rev}, more...), &out, &errs)
		if out.String() != want || code != min(1, len(want)) {
			t.Errorf("since %s, with status %d:\n%s%swant\n%s", rev, code, out.String(), errs.String(), want)
		}
	}

	do("init", "-q", "-b", "main")
	write("a.md", "# A\n\n[old](none.md)\n[b](docs/b.md#one)\n")
	write("docs/b.md", "# One\n\n[a](../a.md#a) [old](gone.md)\n")
	write(".gitattributes", "docs export-ignore\n")
	commit("v1")
	check("v1", "")
	check("HEAD", "", ".")

	// A heading that is gone breaks a document that has not changed.
	write("docs/b.md", "# Two\n\n\n[a](../a.md#a) [old](gone.md)\n")
	lost := "a.md:4:5: \"docs/b.md\" has no id \"one\" [missing-fragment]\n"
	check("v1", lost)
	commit("v2")
	check("v1", lost)
	check("v2", "")
	check("v1", "", "docs")
	check("v1", "", "--slugs", "gitlab", "docs/b.md")
	check("v1", lost, "a.md")

	// A document keeps what was wrong with it when it is renamed.
	do("mv", "docs/b.md", "docs/c.md")
	check("v2", "a.md:4:5: no such file: \"docs/b.md\" [missing-file]\n")
	commit("v3")

	// What another branch has mended since is not a fault of this one.
	do("checkout", "-q", "-b", "side", "v2")
	write("docs/new.md", "[x](y.md)\n")
	commit("side1")
	do("checkout", "-q", "main")
	write("a.md", "# A\n\n[b](docs/c.md#two)\n")
	commit("v4")
	check("v1", "")
	do("checkout", "-q", "side")
	check("main", "docs/new.md:1:5: no such file: \"docs/y.md\" [missing-file]\n")

	// One more of what was there is new; documents that are not committed count.
	write("a.md", "# A\n\n[old](none.md)\n[b](docs/b.md#two)\n[old](none.md)\n")
	write("docs/new2.md", "[x](y2.md)\n")
	check("side1", "a.md:5:7: no such file: \"none.md\" [missing-file]\ndocs/new2.md:1:5: no such file: \"docs/y2.md\" [missing-file]\n")

	// In a directory below, by a link, and with a baseline besides.
	t.Chdir("docs")
	check("side1", "new2.md:1:5: no such file: \"y2.md\" [missing-file]\n")
	t.Chdir("..")
	write("known", "docs/new2.md\tmissing-file\ty2.md\n")
	check("side1", "a.md:5:7: no such file: \"none.md\" [missing-file]\n", "--baseline", "known")
	if os.Symlink("docs", "link") == nil {
		check("side1", "link/new2.md:1:5: no such file: \"link/y2.md\" [missing-file]\n", "link")
	}
	// The root of then was another.
	os.Mkdir("root", 0o777)
	check("side1", "a.md:5:7: no such file: \"none.md\" [missing-file]\ndocs/new2.md:1:5: no such file: \"docs/y2.md\" [missing-file]\n", "--root", "root", "--site", "https://example.org/=root", "a.md", "docs")

	// A submodule has a history of its own.
	do("init", "-q", "sub")
	write("sub/s.md", "[old](sub.md)\n")
	do("-C", "sub", "add", "-A")
	do("-C", "sub", "commit", "-q", "-m", "sub")
	write(".gitmodules", "")
	commit("v5")
	write("sub/s.md", "[old](sub.md) [new](sub2.md)\n")
	check("v5", "sub/s.md:1:21: no such file: \"sub/sub2.md\" [missing-file]\n", "sub")
	check("v5", "", "docs")

	// A directory was renamed: there, in what is audited, from where it was not there, and
	// by another name of the repository.
	do("mv", "docs", "pages")
	check("v5", "", "pages/new.md")
	check("v5", "", "pages")
	check("v5", "", "pages", ".", "--ignore", "docs/b.md*", "--ignore", "sub2.md")
	t.Chdir("pages")
	check("v5", "", "..", "--ignore", "docs/b.md*", "--ignore", "sub2.md")
	t.Chdir("..")
	other := filepath.Join(t.TempDir(), "other")
	if os.Symlink(dir, other) == nil {
		t.Chdir(other)
		check("v5", "", "pages")
		t.Chdir(dir)
	}
	commit("v6")

	for _, args := range [][]string{{"--changed-since", "nowhere"}, {"--changed-since", "--all"}, {"--changed-since", "v1", t.TempDir()}} {
		var out, errs bytes.Buffer
		if code := run(append([]string{"audit"}, args...), &out, &errs); code != cli.ExitFailed || !strings.Contains(errs.String(), "--changed-since") {
			t.Errorf("%v: %d %s%s", args, code, out.String(), errs.String())
		}
	}
	// The repository is as it was.
	if out, err := exec.Command("git", "stash", "list").Output(); err != nil || len(out) > 0 {
		t.Errorf("%s%v", out, err)
	}
	if out, err := exec.Command("git", "diff", "--cached", "--name-only").Output(); err != nil || len(out) > 0 {
		t.Errorf("%s%v", out, err)
	}
}

// --changed-since takes rules, ignored patterns and the baseline from the revision, and how the tree is
// published from each tree; the summary says what the change does to the former.
func TestChangedSinceConfiguration(t *testing.T) {
	git := gitIn(t)
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(tag string) {
		t.Helper()
		git("add", "-A")
		git("commit", "-q", "-m", tag)
		git("tag", tag)
	}
	check := func(rev, want, said string, more ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		code := run(append([]string{"audit", "--changed-since", rev}, more...), &out, &errs)
		if out.String() != want || code != min(1, len(want)) {
			t.Errorf("since %s, with status %d:\n%s%swant\n%s", rev, code, out.String(), errs.String(), want)
		}
		for line := range strings.Lines(said) {
			if !strings.Contains(errs.String(), line) {
				t.Errorf("since %s: %swant %s", rev, errs.String(), line)
			}
		}
		if said == "" && strings.Contains(errs.String(), "this change") {
			t.Errorf("since %s: %s", rev, errs.String())
		}
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	defer func() {
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	}()
	git("init", "-q", "-b", "main")
	write("docs/a.md", "# A\n\n[old](none.md)\n")
	write("old/b.md", "# B\n")
	commit("v1")
	check("v1", "", "")

	// A change that breaks a link and turns off what would say so.
	broken := "docs/a.md:4:7: no such file: \"docs/none2.md\" [missing-file]\n"
	write("docs/a.md", "# A\n\n[old](none.md)\n[new](none2.md)\n")
	const rules = "no-rule: [missing-file, case]\nignore: ['none2.*']\nglob: ['!docs/**', '!x']\nbaseline: known\npaths: [old]\n"
	write(".refract.yaml", rules)
	write("known", "docs/a.md\tmissing-file\tnone2.md\nold/b.md\tmissing-file\tx.md\n")
	write(".ignore", "# docs\nunrelated\n")
	const said = "refract: this change adds 3 ignored patterns; the audit uses those of v1\n" +
		"refract: this change turns off 2 rules; the audit uses those of v1\n" +
		"refract: this change adds 1 pattern to ignore files\n" +
		"refract: this change adds 2 findings to the baseline; the audit uses those of v1\n"
	git("add", "-A") // git tracks it
	check("v1", broken, said)
	check("v1", broken, said, "docs")
	check("v1", broken, said, "--baseline", "known")
	check("v1", broken, said, "--config", ".refract.yaml", "docs")
	// What the command line says is no part of the change.
	check("v1", "", "", "--no-config", "--no-rule", "missing-file", "docs", "-q")
	commit("v2")
	check("v1", broken, said)
	check("v2", "", "", "docs")

	// A configuration that is gone, or in the way, still counts.
	os.Remove(".refract.yaml")
	write("docs/a.md", "# A\n\n[old](none.md)\n[new](none2.md)\n[x](none3.md)\n")
	check("v2", "", "refract: this change removes 3 ignored patterns; the audit uses those of v2\nrefract: this change turns on 2 rules", "docs")
	check("v2", "docs/a.md:5:5: no such file: \"docs/none3.md\" [missing-file]\n", "", "--no-config", "docs")
	write(".refract.yaml", "paths: [docs]\n")
	commit("v3")

	// How the tree is published belongs to the tree: "public" was the root, and "site" is now.
	write(".refract.yaml", "paths: [docs]\nroot: public\n")
	write("public/x.md", "# X\n")
	write("docs/a.md", "# A\n\n[x](/x.md)\n[y](/y.md)\n")
	commit("v4")
	git("mv", "public", "site")
	write(".refract.yaml", "paths: [docs]\nroot: site\n")
	check("v4", "", "")
	write("docs/a.md", "# A\n\n[x](/x.md)\n[y](/y.md)\n[z](/z.md)\n")
	check("v4", "docs/a.md:5:5: no such file: \"site/z.md\" [missing-file]\n", "")

	// A configuration that was invalid then does not keep anybody from repairing it.
	write(".refract.yaml", "paths: [\n")
	commit("v5")
	write(".refract.yaml", "paths: [docs]\nroot: site\n")
	check("v5", "", "refract: the configuration of v5 cannot be used, and its rules are the defaults: ")
	write(".refract.yaml", "output: x\nslugs: github\n")
	commit("v6")
	write(".refract.yaml", "slugs: github\n")
	check("v6", "", "")
}
