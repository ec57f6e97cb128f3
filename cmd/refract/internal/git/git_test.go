package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The settings of the user in the environment stay, and filters of any name are turned off.
func TestNoFilters(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "user.name")
	t.Setenv("GIT_CONFIG_VALUE_0", "me")
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	const name = "a=b\".c d"
	for _, of := range []string{"clean", "smudge", "process", "required"} {
		if out, err := exec.Command("git", "-C", dir, "config", "filter."+name+"."+of, "true").CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	env := NoFilters(dir, nil)
	for key, want := range map[string]string{"clean": "", "smudge": "", "process": "", "required": "false"} {
		out, err := Output(dir, env, "config", "filter."+name+"."+key)
		if err != nil || strings.TrimSuffix(out, "\n") != want {
			t.Errorf("%s: %q %v", key, out, err)
		}
	}
	if out, err := Output(dir, env, "config", "user.name"); err != nil || out != "me\n" {
		t.Errorf("%q %v", out, err)
	}
	if _, err := Output(filepath.Join(dir, ".git"), nil, "no-such-command"); err == nil || !strings.HasPrefix(err.Error(), "git: ") {
		t.Errorf("%v", err)
	}
}

// Without filters, or without a repository, nothing is turned off.
func TestNoFiltersNone(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	if env := NoFilters(t.TempDir(), nil); env != nil {
		t.Errorf("%q", env)
	}
}

// Hooks, monitors and pagers of a repository do not run, and replacements do not count.
func TestHostileRepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	dir := t.TempDir()
	mark := filepath.Join(dir, "mark")
	run := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q")
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run("add", "a", "b")
	run("commit", "-q", "-m", "1")
	run("replace", run("rev-parse", "HEAD:a"), run("rev-parse", "HEAD:b"))
	for _, name := range []string{"core.fsmonitor", "core.pager", "diff.external", "core.sshCommand"} {
		run("config", name, "touch '"+filepath.ToSlash(mark)+"'; false")
	}
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("changed\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"status", "--porcelain"}, {"diff", "--no-ext-diff"}, {"log", "-p", "--no-ext-diff"}} {
		if _, err := Output(dir, nil, args...); err != nil {
			t.Errorf("git %v: %v", args, err)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Fatalf("git %v has run a program", args)
		}
	}
	if out, err := newObjects(dir, nil).output("cat-file", "blob", "HEAD:a"); err != nil || out != "a\n" {
		t.Errorf("%q %v", out, err)
	}
	if _, err := Output(dir, nil, "fetch", filepath.ToSlash(dir)); err == nil {
		t.Error("git has fetched")
	}
	if run("status"); runtime.GOOS != "windows" {
		if _, err := os.Stat(mark); err != nil {
			t.Error("git itself does not run these programs: this test cannot fail")
		}
	}
}
