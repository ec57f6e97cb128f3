package input

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// tree makes files below a new current directory. A name that ends in "/" is
// a directory, "name=text" has text, "name->to" is a link.
func tree(t *testing.T, names ...string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, ".config"))
	for _, name := range names {
		name, text, _ := strings.Cut(name, "=")
		from, to, link := strings.Cut(name, "->")
		if runtime.GOOS == "windows" && strings.Contains(from, ":") {
			t.Skip("no names with a colon")
		}
		path := filepath.Join(dir, from)
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		switch {
		case err != nil:
		case link:
			err = os.Symlink(to, path)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(path, 0o777)
		default:
			err = os.WriteFile(path, []byte(text), 0o666)
		}
		if err != nil {
			if link || runtime.GOOS != "linux" {
				t.Skip(err)
			}
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// noSuchFile returns what the system says of a file that does not exist.
func noSuchFile() string {
	_, err := os.Stat("no such file")
	return errors.Unwrap(err).Error()
}

// list gives the names that o yields, and the errors in quotes.
func list(o Options, args ...string) (names []string) {
	for f, err := range o.Files(args) {
		if err != nil {
			names = append(names, `"`+err.Error()+`"`)
		} else {
			names = append(names, f.Name)
		}
	}
	return names
}

func TestFiles(t *testing.T) {
	repo := []string{".git/HEAD", ".h", "a.md", "b.log", "d/c.log", "d/e.md"}
	for _, tt := range []struct {
		name  string
		files []string
		o     Options
		args  string
		want  string
	}{
		{"order", []string{"b", "a/z", "a-b", "a.c", "Z", "é", "a/y"}, Options{}, "b . a", "b ./Z ./a/y ./a/z ./a-b ./a.c ./b ./é a/y a/z"},
		{"bytes", []string{"\xff", "\xfe/\xc3"}, Options{}, ".", "./\xfe/\xc3 ./\xff"},
		{"slash", []string{"d/x"}, Options{}, "d/ ./d", "d/x ./d/x"},
		{"standard input", nil, Options{}, "- -", "- -"},
		{"missing", []string{"a"}, Options{}, "x a", `"input: "x": ` + noSuchFile() + `" a`},
		{"hidden", repo, Options{}, ".", "./a.md ./b.log ./d/c.log ./d/e.md"},
		{"hidden shown", []string{".git/HEAD", ".h"}, Options{Hidden: true}, ".", "./.git/HEAD ./.h"},
		{"hidden named", []string{".h/.i/j", ".h/k"}, Options{}, ".h", ".h/k"},

		{"no repository", []string{"a", "b", "c", ".gitignore=a", ".ignore=b", ".rgignore=c\n!b"}, Options{}, ".", "./a ./b"},
		{"repository", append(repo, ".gitignore=*.log\n!d/*.log"), Options{}, ".", "./a.md ./d/c.log ./d/e.md"},
		{"nested", append(repo, ".gitignore=*.md", "d/.gitignore=/*.log\n!*.md"), Options{}, ".", "./b.log ./d/e.md"},
		{"nested repository", []string{".git/", ".gitignore=a", "a", "m/.git/", "m/a"}, Options{}, ".", "./m/a"},
		{"parents", append(repo, ".gitignore=/d/*.log"), Options{}, "d", "d/e.md"},
		{"ignored, named", append(repo, ".gitignore=d\nb.log"), Options{}, "d b.log", "d/c.log d/e.md b.log"},
		{"exclude", append(repo, ".git/info/exclude=/b.log"), Options{}, ".", "./a.md ./d/c.log ./d/e.md"},
		{"global", append(repo, ".config/git/ignore=/d/c.log"), Options{}, ".", "./a.md ./b.log ./d/e.md"},
		{"excludesFile", append(repo, ".gitconfig=[core]\n\texcludesFile = ~/.x", ".x=*.log"), Options{}, ".", "./a.md ./d/e.md"},
		{"kept, hidden", append(repo, ".gitignore=!.h"), Options{}, ".", "./.h ./a.md ./b.log ./d/c.log ./d/e.md"},
		{"no ignore", append(repo, ".gitignore=*", ".ignore=*"), Options{NoIgnore: true}, "d", "d/c.log d/e.md"},
		{"large", []string{"a", ".ignore=" + strings.Repeat("a\n", maxIgnoreFile)}, Options{}, ".",
			`"input: "./.ignore": an ignore file of more than 1048576 bytes is not used" ./a`},

		{"glob", repo, Options{Globs: []string{"*.md"}}, "d . b.log", "d/e.md ./a.md ./d/e.md b.log"},
		{"glob, later wins", repo, Options{Globs: []string{"*", "!*.md", "/a.md"}}, ".", "./.git/HEAD ./.h ./a.md ./b.log ./d/c.log"},
		{"glob out", repo, Options{Globs: []string{"!*.log"}}, ".", "./a.md ./d/e.md"},
		{"glob, hidden", repo, Options{Globs: []string{".h"}}, ".", "./.h"},
		{"glob, ignored", append(repo, ".ignore=*.log\nd"), Options{Globs: []string{"*.log"}}, ".", "./b.log"},
		{"bad glob", repo, Options{Globs: []string{"a{"}}, ".", `"input: glob "a{": unclosed {"`},

		{"links", []string{"d/x", "d/up->..", "d/self->self", "d/f->x", "l->d", "gone->nowhere"}, Options{}, ". l d/f", "./d/x l/x d/f"},
		{"link named, parents", []string{".git/", ".gitignore=/d/x", "d/x", "d/y", "l->d"}, Options{}, "l", "l/y"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree(t, tt.files...)
			if got := strings.Join(list(tt.o, strings.Fields(tt.args)...), " "); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestFilesMail(t *testing.T) {
	maildir := []string{"m/cur/1:2,S", "m/cur/.nfs1", "m/cur/d/x", "m/new/2", "m/tmp/3", "m/subscriptions", "m/dovecot.index", "m/.uidvalidity",
		"m/.Sent/cur/4", "m/.Sent/new/", "m/.Sent/tmp/5", "m/.Sent/maildirfolder", "m/.Sent/.Old/cur/6", "m/.Sent/.Old/new/", "m/.Sent/.Old/tmp/",
		"m/.git/cur", "m/.git/new/", "m/.git/tmp/", "m/.index/7"}
	const all = "m/.Sent/.Old/cur/6(m) m/.Sent/cur/4(m) m/.Sent/maildirfolder m/cur/1:2,S(m) m/cur/d/x m/dovecot.index m/new/2(m) m/subscriptions"
	for _, tt := range []struct {
		name  string
		files []string
		o     Options
		args  string
		want  string
	}{
		{"Maildir", maildir, Options{}, "m", all},
		{"ignored", append(maildir, "m/.ignore=.Sent"), Options{}, "m", "m/cur/1:2,S(m) m/cur/d/x m/dovecot.index m/new/2(m) m/subscriptions"},
		{"no ignore", maildir, Options{NoIgnore: true}, "m", all},
		{"hidden", maildir, Options{Hidden: true, NoIgnore: true}, "m/.index m/cur m/.git", "m/.index/7 m/cur/.nfs1(m) m/cur/1:2,S(m) m/cur/d/x m/.git/cur"},
		{"named", maildir, Options{}, "m/cur m/new/ m/new/2 m/tmp m/tmp/3 m/cur/d m/subscriptions",
			"m/cur/1:2,S(m) m/cur/d/x m/new/2(m) m/new/2(m) m/tmp/3 m/tmp/3 m/cur/d/x m/subscriptions"},
		{"glob", maildir, Options{Globs: []string{"[0-9]*"}}, "m", "m/.Sent/.Old/cur/6(m) m/.Sent/cur/4(m) m/cur/1:2,S(m) m/new/2(m)"},
		{"folders without empty directories", []string{"m/cur/1", "m/new/", "m/tmp/", "m/.A/cur/2", "m/.B/new/3", "m/.C/tmp/4", "m/.D/x", "m/.E/cur=x", "m/.E/new/5"},
			Options{}, "m", "m/.A/cur/2(m) m/.B/new/3(m) m/cur/1(m)"},
		{"link", []string{"m/cur/1", "m/new/", "m/tmp/", "l->m"}, Options{}, "l", "l/cur/1(m)"},
		{"no Maildir", []string{"m/cur/1", "m/tmp/2", "m/new=x", "m/.Sent/cur/3", "m/.Sent/new/", "m/.Sent/tmp/"}, Options{}, "m m/cur/1", "m/cur/1 m/new m/tmp/2 m/cur/1"},

		{"MH", []string{"h/1", "h/,2", "h/,x", "h/10", "h/.mh_sequences", "h/in/3", "h/in/,4"}, Options{}, "h h/,2", "h/,x h/1 h/10 h/in/3 h/,2"},
		{"all deleted", []string{"h/,2", "h/.mh_sequences"}, Options{Hidden: true}, "h", "h/.mh_sequences"},
		{"no MH", []string{"h/,2", "h/1/x"}, Options{}, "h", "h/,2 h/1/x"},
		{"news spool", []string{"n/comp/lang/c/1", "n/comp/lang/c/2", "n/comp/lang/c/.overview"}, Options{}, "n", "n/comp/lang/c/1 n/comp/lang/c/2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree(t, tt.files...)
			var got []string
			for f, err := range tt.o.Files(strings.Fields(tt.args)) {
				if err != nil {
					t.Error(err)
				}
				got = append(got, f.Name+map[string]string{message: "(m)"}[f.Type])
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
	// From within.
	tree(t, maildir...)
	t.Chdir("m/cur")
	for f := range (&Options{}).Files([]string{".", "1:2,S"}) {
		if (f.Type == message) != (f.Name != "./d/x") {
			t.Errorf("%+v", f)
		}
	}
}

func TestFilesInbox(t *testing.T) {
	repository := func(dir string) []string { return []string{dir + "/HEAD", dir + "/objects/pack/x", dir + "/refs/x"} }
	tree(t, slices.Concat(repository("v2/git/0.git"), repository("v2/git/12.git"), repository("v2/all.git"), repository("v1"),
		repository("other/x.git"), []string{"v1/public-inbox/x", "no/git/0.git/HEAD", "no/git/0.git/refs/x"})...)
	var got []string
	o := Options{Inbox: func(name string, version int) { got = append(got, fmt.Sprintf("%s:%d", name, version)) }}
	files := list(o, ".", "v2/git/0.git")
	if want := "./v1:1 ./v2/git/0.git:2 ./v2/git/12.git:2 v2/git/0.git:2"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %s", got, want)
	}
	for _, name := range files {
		if strings.Contains(name, "v1/") || strings.Contains(name, "v2/git/") {
			t.Errorf("%s is read", name)
		}
	}
	o.Inbox = nil
	if files := list(o, "v2/git"); len(files) != 6 {
		t.Errorf("%q", files)
	}
}

func TestFilesBreak(t *testing.T) {
	tree(t, "a", "b/c", "b/d", "e")
	args := []string{"missing", ".", "-", "a"}
	var o Options
	for n := range len(list(o, args...)) {
		for range o.Files(args) {
			if n--; n < 0 {
				break
			}
		}
	}
}

func TestFilesUnreadable(t *testing.T) {
	tree(t, "a/x", "b/y", "c/.ignore=z", "c/z")
	os.Chmod("a", 0)
	os.Chmod("c/.ignore", 0)
	t.Cleanup(func() { os.Chmod("a", 0o777) })
	if _, err := os.ReadDir("a"); err == nil {
		t.Skip("everything can be read here")
	}
	var errs []error
	for _, err := range (&Options{}).Files([]string{"."}) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) != 2 || !errors.Is(errs[0], fs.ErrPermission) || !strings.Contains(errs[0].Error(), `"./a"`) {
		t.Error(errs)
	}
	if got := list(Options{NoIgnore: true}, "."); !slices.Contains(got, "./b/y") {
		t.Error(got)
	}
}

func TestFilesSpecial(t *testing.T) {
	exe, err := exec.LookPath("mkfifo")
	if err != nil {
		t.Skip(err)
	}
	tree(t, "a")
	if out, err := exec.Command(exe, "p", ".ignore").CombinedOutput(); err != nil {
		t.Skip(err, string(out))
	}
	if got := strings.Join(list(Options{Hidden: true}, ".", "p"), " "); got != "./a p" {
		t.Error(got)
	}
}

func TestFilesRipgrep(t *testing.T) {
	exe, err := exec.LookPath("rg")
	if err != nil {
		t.Skip(err)
	}
	tree(t, ".git/info/exclude=/x", ".gitignore=*.log\n!k.log\n/build\nd/**/t\n", ".ignore=*.tmp\n!.hid\n",
		"x", "k.log", "l.log", "build/a", "d/e/t/u", "d/e/v", "d/.gitignore=!l.log\nv/", "d/l.log", "d/e/.rgignore=!w.tmp",
		"d/e/w.tmp", "d/w.tmp", ".hid/a", ".hid/.b", "s/.git/", "s/l.log", "s/build/x.md", "a b/c.md", "é.md")
	for _, tt := range []struct {
		args []string
		o    Options
	}{
		{nil, Options{}},
		{[]string{"--hidden"}, Options{Hidden: true}},
		{[]string{"--no-ignore"}, Options{NoIgnore: true}},
		{[]string{"-g", "*.{md,tmp}"}, Options{Globs: []string{"*.{md,tmp}"}}},
		{[]string{"-g", "!d/", "-g", ".b"}, Options{Globs: []string{"!d/", ".b"}}},
		{[]string{"-g", "/d/*"}, Options{Globs: []string{"/d/*"}}},
	} {
		for _, dir := range []string{".", "d", "build", "s"} {
			out, _ := exec.Command(exe, append(tt.args, "--no-config", "--files", "--sort", "path", dir)...).Output()
			if got := strings.Join(list(tt.o, dir), "\n"); got != strings.TrimSpace(string(out)) {
				t.Errorf("%s %s:\n%s\nripgrep:\n%s", tt.args, dir, got, out)
			}
		}
	}
}

// What git has is read although .gitignore excludes it, and only that; an ignore file of ripgrep excludes it all the same.
func TestTracked(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD": "", ".gitignore": "packages/*\n", ".ignore": "*.txt\n", ".github/a.md": "", ".other/a.md": "",
		"packages/a.md": "", "packages/sub/b.md": "", "packages/sub/c.md": "", "packages/sub/d.txt": "", "packages/none/e.md": "",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Visible: []string{".github"}, Tracked: func(file string, isDir bool) bool {
		rel := strings.TrimPrefix(file, filepath.ToSlash(real)+"/")
		return isDir && rel == "packages/sub" || !isDir && (rel == "packages/sub/b.md" || rel == "packages/sub/d.txt")
	}}
	var got []string
	for f, err := range o.Files([]string{dir}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimPrefix(f.Name, filepath.ToSlash(dir)+"/"))
	}
	if want := []string{".github/a.md", "packages/sub/b.md"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
