package git

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/slash"
)

func isSpare(name string) bool { return strings.HasSuffix(name, ".svg") }

// A CommitTree has the files of a commit, whatever the work tree has now, and everything else of the disk: also .git.
func TestCommitTree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(err)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	git := func(args ...string) {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		must(os.MkdirAll(filepath.Dir(name), 0o777))
		must(os.WriteFile(name, []byte(text), 0o666))
	}
	git("init", "-q", "-b", "main")
	large := strings.Repeat("large ", maxHeld/6+1)
	write("docs/a.md", "a\n")
	write("docs/b.md", "b\n")
	write("docs/large.md", large)
	write("kept.md", "kept\n")
	write("absent.md", "absent\n")
	hasLinks := os.Symlink("docs/a.md", filepath.Join(dir, "link")) == nil && os.Symlink("docs", filepath.Join(dir, "in")) == nil &&
		os.Symlink("loop", filepath.Join(dir, "loop")) == nil
	git("add", "-A")
	git("commit", "-q", "-m", "1")
	write("docs/a.md", "changed\n")
	write("docs/new.md", "new\n")
	must(os.Remove(filepath.Join(dir, "docs", "b.md")))
	must(os.Remove(filepath.Join(dir, "docs", "large.md")))
	git("update-index", "--skip-worktree", "absent.md") // as in a sparse checkout
	must(os.Remove(filepath.Join(dir, "absent.md")))

	t.Chdir(dir)
	c, err := CommitOf("HEAD")
	must(err)
	defer c.Close()
	temp := t.TempDir()
	at := slash.Path(dir)
	all, err := c.Tree(temp, isSpare)
	must(err)
	defer all.Close()
	want := map[string]string{"docs/a.md": "a\n", "docs/b.md": "b\n", "docs/large.md": large, "kept.md": "kept\n", "absent.md": "absent\n"}
	if hasLinks {
		want["link"], want["in/b.md"] = "a\n", "b\n"
	}
	for name, text := range want {
		f, err := all.Open(at + "/" + name)
		must(err)
		got, err := io.ReadAll(f)
		must(err)
		info, err := f.Stat()
		must(err)
		must(f.Close())
		if string(got) != text || info.Size() != int64(len(text)) || !info.Mode().IsRegular() {
			t.Errorf("%s: %d bytes, %d, %v", name, len(got), info.Size(), info.Mode())
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	isSame := map[string]bool{"kept.md": true}
	for name, e := range all.files.entries {
		if f := e.openSame(); (f != nil) != isSame[name] {
			t.Errorf("%s: read from the work tree: %v", name, f != nil)
		} else if f != nil {
			f.Close()
		}
	}
	names := func(dir string) (names []string) {
		list, err := all.ReadDir(dir)
		must(err)
		for _, e := range list {
			names = append(names, e.Name())
		}
		return names
	}
	all.AddDir("docs/Made/deep")
	if got := names(at + "/docs"); !slices.Equal(got, []string{"Made", "a.md", "b.md", "large.md"}) {
		t.Errorf("%v", got)
	}
	must(os.WriteFile(filepath.Join(temp, "x"), nil, 0o666))
	if got := names(slash.Path(temp)); !slices.Equal(got, []string{"x"}) {
		t.Errorf("of the disk: %v", got)
	}
	if info, err := all.Stat(at + "/.git/config"); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v %v", info, err)
	}
	for _, name := range []string{"docs/new.md", "docs/a.md/x", "..x"} {
		if _, err := all.Stat(at + "/" + name); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	if info, err := all.Stat(at); err != nil || !info.IsDir() {
		t.Errorf("%v %v", info, err)
	}
	if !hasLinks {
		return
	}
	real, err := all.Real(at + "/in/b.md")
	if to, _ := tree.ReadLink(all, at+"/link"); err != nil || real != at+"/docs/b.md" || to != "docs/a.md" {
		t.Errorf("%s %v, %s", real, err, to)
	}
	info, err := all.Lstat(at + "/link")
	if err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("%v %v", info, err)
	}
	if _, err := all.Open(at + "/loop"); err == nil {
		t.Error("a loop was opened")
	}
}

// What is spare may be missing in a partial clone, but a document is an error.
func TestCommitTreePartial(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	git("init", "-q", "-b", "main")
	for _, name := range []string{"p.svg", "p.md"} {
		os.WriteFile(name, []byte("<svg>"+name), 0o666)
	}
	git("add", "-A")
	git("commit", "-q", "-m", "1")
	for _, name := range []string{"p.svg", "p.md"} {
		os.Remove(name)
		object := strings.TrimSpace(git("rev-parse", "HEAD:"+name))
		os.Remove(filepath.Join(".git", "objects", object[:2], object[2:]))
	}
	c, err := CommitOf("HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, name := range []string{"p.svg", "p.md"} {
		all, err := c.Tree(t.TempDir(), isSpare)
		if err != nil {
			t.Fatal(err)
		}
		_, err = all.Open(slash.Path(dir) + "/" + name)
		if failed := all.Close(); err == nil || (failed != nil) != (name == "p.md") {
			t.Errorf("%s: %v, %v", name, err, failed)
		}
	}
}
