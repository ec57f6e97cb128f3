package move

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
)

// onDisk writes files below a new directory, and returns the tree.
func onDisk(t *testing.T, files map[string]string) *diskTree {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(full), 0o777)
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &diskTree{Root: root, Git: true}
}

// plan plans a move in the tree.
func (t *diskTree) planned(tb testing.TB, from, to string) *Plan {
	tb.Helper()
	renames, err := t.renames([]string{filepath.Join(t.Root, from)}, filepath.Join(t.Root, to))
	if err != nil {
		tb.Fatal(err)
	}
	r := &Request{Options: audit.Options{Dir: filepath.ToSlash(t.Root), Paths: []string{t.Root}, MaxEntity: 1 << 20}, Renames: renames, Memory: t.memories()}
	if err := t.Begin(r); err != nil {
		tb.Fatal(err)
	}
	plan, err := Make(context.Background(), r)
	if err != nil || len(plan.Problems) > 0 {
		tb.Fatal(err, plan.Problems)
	}
	return plan
}

func (t *diskTree) names() (names []string) {
	filepath.WalkDir(t.Root, func(name string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.Contains(name, ".git") {
			rel, _ := filepath.Rel(t.Root, name)
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	return names
}

var smallTree = map[string]string{".git/HEAD": "", "a.md": "# A\n\n[b](b.md)\n", "b.md": "# B\n\n[a](./a.md#a)\n"}

// What changes between the plan and its execution keeps all of it from being carried out.
func TestApplyRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(root string)
		want   string
	}{
		{"text of a document", func(root string) { os.WriteFile(filepath.Join(root, "b.md"), []byte("# C\n"), 0o644) }, "b.md has changed since it was read"},
		{"file that moves", func(root string) { os.WriteFile(filepath.Join(root, "a.md"), []byte("# A\n\n[b](b.md) \n"), 0o644) }, "a.md has changed since it was read"},
		{"file that is gone", func(root string) { os.Remove(filepath.Join(root, "a.md")) }, "a.md has changed since it was read"},
		{"autosave of Emacs", func(root string) { os.WriteFile(filepath.Join(root, "#b.md#"), nil, 0o644) }, "b.md is open in an editor"},
		{"lock of Emacs", func(root string) { os.Symlink("user@host.1:2", filepath.Join(root, ".#a.md")) }, "a.md is open in an editor"},
		{"read-only document", func(root string) { os.Chmod(filepath.Join(root, "b.md"), 0o444) }, "permission denied"},
		{"hard link", func(root string) { os.Link(filepath.Join(root, "b.md"), filepath.Join(root, "other")) }, "several hard links"},
		{"another run", func(root string) { openJournal(root) }, "in use by another run"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" || test.name == "read-only document" && os.Getuid() == 0 {
				t.Skip("it can be changed here")
			}
			tree := onDisk(t, smallTree)
			plan := tree.planned(t, "a.md", "sub/a.md")
			test.change(tree.Root)
			before := tree.names()
			err := tree.apply(plan, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
			after := slices.DeleteFunc(tree.names(), func(name string) bool { return strings.HasPrefix(name, journalName) })
			before = slices.DeleteFunc(before, func(name string) bool { return strings.HasPrefix(name, journalName) })
			if !slices.Equal(before, after) {
				t.Errorf("%q, before %q", after, before)
			}
		})
	}
}

// A plan with a file or a rename that is not below the root, or on another file system, is not carried out.
func TestApplyElsewhere(t *testing.T) {
	tree := onDisk(t, smallTree)
	outside := filepath.ToSlash(t.TempDir())
	os.WriteFile(outside+"/o.md", []byte("old"), 0o666)
	root := filepath.ToSlash(tree.Root)
	plans := map[string]*Plan{
		"is outside":   {Files: []File{{Path: outside + "/o.md", To: outside + "/o.md", Old: []byte("old"), New: []byte("new")}}},
		"are not both": {Renames: []Rename{{root + "/a.md", outside + "/a.md"}}},
		"no such file": {Files: []File{{Path: root + "/none.md", To: root + "/none.md", New: []byte("new")}}},
	}
	if !sameDevice(tree.Root, "/dev/shm") {
		plans["on another file system"] = &Plan{Renames: []Rename{{root + "/a.md", "/dev/shm/refract-none/a.md"}}}
	}
	if runtime.GOOS == "windows" {
		delete(plans, "no such file") // another message
	}
	for want, plan := range plans {
		err := tree.apply(plan, nil)
		text, _ := os.ReadFile(outside + "/o.md")
		if err == nil || !strings.Contains(err.Error(), want) || string(text) != "old" || tree.state() != "between" || len(tree.names()) != 2 {
			t.Errorf("%v, want %q; %q, %q", err, want, text, tree.names())
		}
	}
}

// A document that has become reachable through a symbolic link only is not written.
func TestApplyLink(t *testing.T) {
	tree := onDisk(t, map[string]string{"a.md": "# A\n", "d/b.md": "[a](../a.md)\n"})
	plan := tree.planned(t, "a.md", "c.md")
	if err := os.Rename(filepath.Join(tree.Root, "d"), filepath.Join(tree.Root, "e")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("e", filepath.Join(tree.Root, "d")); err != nil {
		t.Skip(err)
	}
	if err := tree.apply(plan, nil); err == nil || !strings.Contains(err.Error(), "is reached through a symbolic link") {
		t.Error(err)
	}
}

// A file that is not there is not moved.
func TestBegin(t *testing.T) {
	tree := onDisk(t, smallTree)
	if err := tree.Begin(&Request{Renames: []Rename{{tree.Root + "/none.md", tree.Root + "/a.md"}}}); err == nil {
		t.Error("no error")
	}
}

// A plan with a problem is not carried out.
func TestApplyProblem(t *testing.T) {
	tree := onDisk(t, smallTree)
	plan := tree.planned(t, "a.md", "c.md")
	plan.Problems = []Problem{{Why: "x"}}
	if err := tree.apply(plan, nil); err == nil || len(tree.names()) != 2 || !slices.Contains(tree.names(), "a.md") {
		t.Errorf("%v, %q", err, tree.names())
	}
}

// Hostile names on the disk: there, and back by what is remembered.
func TestApplyHostile(t *testing.T) {
	for _, name := range []string{"a b.md", "100%.md", "x#y.md", "x?.md", "x).md", "x\ny.md", "עברית.md", "cafe\u0301.md", "A.md", "-x.md"} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.ContainsAny(name, "?\n") {
				t.Skip("no file has this name here")
			}
			tree := onDisk(t, smallTree)
			there := tree.planned(t, "a.md", name)
			if err := tree.apply(there, nil); err != nil {
				t.Fatal(err)
			}
			tree.remember(there)
			if names := tree.names(); len(names) != 2 || !slices.Contains(names, name) || slices.Contains(names, "a.md") {
				t.Errorf("%q", names)
			}
			if err := tree.apply(tree.planned(t, name, "a.md"), nil); err != nil {
				t.Fatal(err)
			}
			for file, want := range smallTree {
				if got, err := os.ReadFile(filepath.Join(tree.Root, file)); err != nil || string(got) != want {
					t.Errorf("%s: %q, %v", file, got, err)
				}
			}
		})
	}
}

// Files that git tracks are renamed in its index, in a directory too; others are not added.
func TestFollowInGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	tree := onDisk(t, map[string]string{"d/a.md": "# A\n", "d/new.md": "# N\n", "d.md": "# D\n", "b.md": "[a](d/a.md)\n"})
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", tree.Root, "-c", "user.name=x", "-c", "user.email=x@x.example"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("init", "-q")
	run("add", "d/a.md", "d.md", "b.md")
	run("commit", "-qm", "x")
	if err := tree.apply(tree.planned(t, "d", "e"), nil); err != nil {
		t.Fatal(err)
	}
	if got, want := run("ls-files"), "b.md\nd.md\ne/a.md\n"; got != want {
		t.Errorf("index: %q, want %q", got, want)
	}
	if got, want := run("status", "--short"), " M b.md\nR  d/a.md -> e/a.md\n?? e/new.md\n"; got != want {
		t.Errorf("status: %q, want %q", got, want)
	}
	if err := tree.apply(tree.planned(t, "e/new.md", "new.md"), nil); err != nil {
		t.Fatal(err)
	}
	if got, want := run("ls-files"), "b.md\nd.md\ne/a.md\n"; got != want {
		t.Errorf("index: %q, want %q", got, want)
	}
	if err := tree.apply(tree.planned(t, "d.md", "f.md"), nil); err != nil {
		t.Fatal(err)
	}
	if got, want := run("ls-files"), "b.md\ne/a.md\nf.md\n"; got != want {
		t.Errorf("index: %q, want %q", got, want)
	}
}
