package input

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ignoreTests are ignore files, with the paths that they ignore and keep,
// separated by "|".
var ignoreTests = []struct{ patterns, ignored, kept string }{
	{"*.txt\n!keep/\n", "keep/a.txt", "keep/b"},
	{"*\n!/d/\n", "d/x|e/x", ""},
	{"*.log\n!important.log\n", "a.log", "important.log|d/important.log"},
	{"/foo\n", "foo|foo/x", "a/foo"},
	{"foo/\n", "foo/x|a/foo/x", "b/foo"},
	{"foo/bar\n", "foo/bar", "a/foo/bar"},
	{"**/foo\n**/d/\n", "foo|a/b/foo|x/d/y", "a/b/d"},
	{"**/foo/bar\n", "foo/bar|a/foo/bar", "a/foo/x/bar"},
	{"abc/**\n", "abc/x/y", "abc|z/abc/x"},
	{"abc/**/\n", "abc/y/z", "abc/x"},
	{"a/**/b\n", "a/b|a/x/y/b", "a/xb"},
	{"foo**bar\n", "foobar|fooxbar", "foo/bar"},
	{"**\n!*/\n!*.md\n", "x/c", "a.md|x/b.md"},
	{"/*\n!/foo\n/foo/*\n!/foo/bar\n", "x|foo/y", "foo/bar/z"},
	{"dir/\n!dir/keep\n", "dir/keep", ""},
	{"\\#a\n\\!b\n#c\n", "#a|!b", "#c"},
	{"a \nb\\ \nc\\ \\ \n d\ne\\\\ \n", "a|b |c  | d|e\\", "a |b|d"},
	{"x\r\ny\t\n", "x|y\t", "y"},
	{"\ufeffbom\n", "bom", ""},
	{"[!x]y\n[^z]w\n[]a]x\n[]-]v\n", "ay|]x|ax|-v|]v", "xy|zw"},
	{"[[:digit:]]q\n[[:alpha:]-]r\n", "5q|-r|er", "dq"},
	{"a[[:bogus:]]b\nok\n", "ok", "a:b"},
	{"q[\\]]\np[a\\-c]\n", "q]|pa|p-", "q\\|pb"},
	{"\\*star\ntrail\\\n\\a\\b\n", "*star|ab", "xstar|trail\\|trail"},
	{"{a,b}.c\na@(b)\n", "{a,b}.c|a@(b)", "a.c|ab"},
	{"*/x\n", "a/x", "a/b/x|x"},
	{"/\n!\n//a\nb//c\n!!x\nok\n", "ok", "a|b/c|x"},
	{"*.a\n!x.a\n*.a\n", "x.a", ""},
	{"*a*a*a*b\n", "aaaaaaaaaaaab", "aaaaaaaaaaac"},
	{"\xff*\n?z\n", "\xffx|\xffz", "y"},
	{"a\\/b\nx[/]b\n", "a/b", "x/b"},
	{".*\n!.keep\n", ".x|d/.y", ".keep"},
	{"./a\na/../b\n", "", "a|b"},
	{"a?b\n*.sw[op]\n*.tar.*\n", "axb|.x.swp|q.tar.gz", "a/b|x.swx|tar.x"},
}

// gitDiffers are our answers where git's are accidents of its matcher, or of
// matching bytes instead of characters.
var gitDiffers = []struct{ patterns, ignored, kept string }{
	{"foo**/bar\n", "foox/bar", "foobar|foo/x/bar"},
	{"a/***/c\n", "a/b/c", "a/c|a/b/d/c"},
	{"[z-a]k\n", "", "zk"},
	{"[abc\n", "[abc", ""},
	{"[a-\n", "[a-", ""},
	{"[a/]b\n", "", "ab"},
	{"?é\n", "éé", ""},
}

func TestIgnore(t *testing.T) {
	git := gitIgnore(t)
	for _, tt := range append(ignoreTests, gitDiffers...) {
		rs := parseRules(tt.patterns)
		check := func(paths string, want bool) {
			for p := range strings.SplitSeq(paths, "|") {
				if p == "" {
					continue
				}
				got := false
				for i := range p {
					got = got || p[i] == '/' && rs.match(p[:i], true) == ignore
				}
				if got = got || rs.match(p, false) == ignore; got != want {
					t.Errorf("%q ignores %q: %v, want %v", tt.patterns, p, got, want)
				}
			}
		}
		check(tt.ignored, true)
		check(tt.kept, false)
	}
	if git == nil {
		t.Skip("git is not here to be asked")
	}
	for _, tt := range ignoreTests {
		for p := range strings.SplitSeq(tt.ignored, "|") {
			if p != "" && !git(tt.patterns, p) {
				t.Errorf("%q: git does not ignore %q", tt.patterns, p)
			}
		}
		for p := range strings.SplitSeq(tt.kept, "|") {
			if p != "" && git(tt.patterns, p) {
				t.Errorf("%q: git ignores %q", tt.patterns, p)
			}
		}
	}
}

// gitIgnore gives git's own answer, or is nil where there is no git.
func gitIgnore(t *testing.T) func(patterns, path string) bool {
	exe, err := exec.LookPath("git")
	if err != nil {
		return nil
	}
	dir := t.TempDir()
	run := func(in string, args ...string) string {
		cmd := exec.Command(exe, args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "XDG_CONFIG_HOME="+dir)
		out, err := cmd.Output()
		if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1: nothing is ignored
			t.Fatal(err)
		}
		return string(out)
	}
	run("", "init", "-q")
	return func(patterns, path string) bool {
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(patterns), 0o666); err != nil {
			t.Fatal(err)
		}
		return run(path+"\x00", "check-ignore", "-z", "--stdin", "--no-index") != ""
	}
}

func TestGlob(t *testing.T) {
	for _, tt := range []struct{ glob, match, not string }{
		{"*.{md,html}", "a.md|d/a.html", "a.txt"},
		{"{a,b/*}.c", "a.c|b/x.c", "x/a.c"},
		{"{a,{b,c}}d", "ad|bd|cd", "a,bd"},
		{"[{,]x", "{x|,x", "ax"},
		{"[]{]x", "{x|]x", "ax"},
		{"\\{a,b\\}", "{a,b}", "a"},
		{"a(b)|+(c)", "a(b)|+(c)", ""},
		{"a,b}", "a,b}", "a"},
		{"/x/*", "x/a", "y/x/a"},
		{"", "", "a"},
	} {
		rs, err := parseGlob(tt.glob)
		if err != nil {
			t.Errorf("%q: %v", tt.glob, err)
		}
		for _, c := range []struct {
			paths string
			want  verdict
		}{{tt.match, ignore}, {tt.not, none}} {
			paths := strings.Split(c.paths, "|")
			if strings.Contains(tt.glob, "|") {
				paths = []string{c.paths}
			}
			for _, p := range paths {
				if got := rs.match(p, false); p != "" && got != c.want {
					t.Errorf("%q on %q: %v, want %v", tt.glob, p, got, c.want)
				}
			}
		}
	}
	for _, glob := range []string{"a{b", "[z-a]", "a\\"} {
		if _, err := parseGlob(glob); err == nil {
			t.Errorf("%q: no error", glob)
		}
	}
}

func TestIgnored(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".git/info/exclude": "e\n", ".gitignore": "/made/\n*.png\n!keep.png\n", "d/.ignore": "x/y\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	none := &Options{NoIgnore: true}
	ignored, never := new(Options).Ignored(), none.Ignored()
	for name, want := range map[string]bool{
		"made/a.md": true, "made/b/keep.png": true, "d/made/a.md": false, "d/a.png": true, "keep.png": false,
		"d/x/y": true, "d/x/y/z": true, "x/y": false, "e": true, "f": false,
	} {
		if name = filepath.ToSlash(dir) + "/" + name; ignored(name) != want || never(name) {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

// Braces become alternatives of a pattern; what stands in brackets or behind a backslash stays.
func TestBraces(t *testing.T) {
	for glob, want := range map[string]string{
		"a": "a", "a,b": "a,b", "{a,b}c": "@(a|b)c", "{a,{b,c}}": "@(a|@(b|c))", "[{,}]": "[{,}]", "{[,],a}": "@([,]|a)",
		"[]{]x": "[]{]x", "[!]{]x": "[!]{]x", "[^]{]x": "[^]{]x", "[{a,b}": "[@(a|b)", "x]{a,b}": "x]@(a|b)",
		`\{a,b}`: `\{a,b}`, `{\,,a}`: `@(\,|a)`, "a}": "a}", "(a)+@|": `\(a\)\+\@\|`, `a\`: `a\`, "[]": "[]",
	} {
		got, err := braces(glob)
		if got != want || err != nil {
			t.Errorf("%s: %s %v, want %s", glob, got, err, want)
		}
	}
	for _, glob := range []string{"{", "{a", "{a,{b}"} {
		if _, err := braces(glob); err == nil {
			t.Errorf("%s is valid", glob)
		}
	}
}
