package project

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// The first programs of an importer are short, and work in a separate module. Only lines of code
// count, without the package clause, imports, comments and blank lines.
var importers = []struct {
	name  string
	lines int // at most
	args  []string
	input string
	want  string
}{
	{"page", 15, nil, `<base href="/b/"><a href="x">x</a>`, "http://h/b/x\n"},
	{"offsets", 8, nil, "see http://h/a, www.h.org", "4 14 http://h/a\n16 25 http://www.h.org\n"},
	{
		"mbox", 15, nil,
		"From a@h Tue Apr  1 09:28:56 1997\nMessage-ID: <1@h>\n\nhttp://h/x\n\nFrom a@h Tue Apr  1 09:28:57 1997\nMessage-ID: <2@h>\n\nhttp://h/y\n",
		"1@h\thttp://h/x\n2@h\thttp://h/y\n",
	},
	{"reason", 10, nil, "", "http://h/x?y: base http://h/a/b by retrieval (--url), section relative path (5.2 step 6), <nil>\n"},
	{"audit", 15, []string{"tree"}, "", "b.md:2:5: missing-file: no such file: \"gone.md\"\nc.md:1:5: undefined-reference: undefined link label [nolabel]\n3 2 2\n"},
	{
		"options", 15, nil, "",
		"audit: Dir \"none\": no such file or directory: name the directory of th\n" +
			"audit: Dir \"tree/a.md\": not a directory: to audit one file, name it in\n" +
			"audit: Only \"mising-file\": did you mean \"missing-file\"?\n" +
			"audit: Globs \"[a\": [ is not closed: write \\[ for the character\n" +
			"audit: Paths []: nothing to audit: name files or directories, or leave\n",
	},
	{
		"types", 15, []string{"html", "hmtl", "nonsense/type", "text/x-other"}, "",
		"html a/href http://h/y\n" +
			"extract: Type \"hmtl\": did you mean \"html\"?\n" +
			"extract: Type \"nonsense/type\": nothing reads this media type: give one\n" +
			"text/x-other  http://h/x\ntext/x-other  http://h/y\n",
	},
	{
		"values", 20, nil, "",
		"6 <nil>\nhttp://h/x true\n# What refract audit --baseline does not report: document, rule, reference.\nKind(99) no base\n",
	},
	{"cancel", 25, nil, "", "context canceled true\n"},
	{
		"source", 20, nil, "",
		strings.Repeat("in/a.txt.gz  http://h/gz\n<nil>\nin/b.zip in.html http://h/zip\n<nil>\nin/c.warc.gz  http://h/warc\n<nil>\n"+
			"in/mail/cur/1  http://h/mail\n<nil>\nin/mail/new/2  http://h/new\n<nil>\ninput: \"none\": \n", 2),
	},
	{"scanner", 60, nil, "# x\n=> a.gmi A\n=>  /b\n", "2:4 a.gmi gemini://h/d/a.gmi\n3:5 /b gemini://h/b\n"},
}

func TestImporters(t *testing.T) {
	scantest.Long(t, "builds modules")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	ours := read(t, filepath.Join(root, "go.mod"))
	_, requirements, _ := strings.Cut(ours, "require")
	dir := t.TempDir()
	write(t, dir, "go.sum", read(t, filepath.Join(root, "go.sum")))
	write(t, dir, "go.mod", "module importer\n\ngo 1.26.0\n\nrequire "+module+" v0.0.0\n\nreplace "+module+" => "+root+"\n\nrequire"+requirements)
	for _, im := range importers {
		source := read(t, filepath.Join(root, "testdata/importers", im.name, "main.go"))
		if n := linesOfCode(source); n > im.lines {
			t.Errorf("%s: %d lines of code, at most %d are promised", im.name, n, im.lines)
		}
		write(t, dir, im.name+"/main.go", source)
		write(t, dir, im.name+"/tree/a.md", "[b](b.md)\n")
		write(t, dir, im.name+"/tree/b.md", "# b\n[g](gone.md)\n")
		write(t, dir, im.name+"/tree/c.md", "[x][nolabel]\n")
		writeInputs(t, filepath.Join(dir, im.name, "in"))
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-mod=mod", "-o", bin, "./...") // one run, which reads the module once
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, im := range importers {
		t.Run(im.name, func(t *testing.T) {
			run := exec.Command(filepath.Join(bin, im.name), im.args...)
			run.Dir, run.Stdin = filepath.Join(dir, im.name), strings.NewReader(im.input)
			var stderr bytes.Buffer
			run.Stderr = &stderr
			out, err := run.Output()
			if err != nil || stderr.Len() > 0 {
				t.Fatalf("%v\n%s", err, &stderr)
			}
			if string(out) != im.want {
				t.Errorf("got\n%swant\n%s", out, im.want)
			}
		})
	}
}

// TestImportLines runs the lines that README and the guide give for another module, beside a clone. They need no network for
// modules that are in the cache. The test of the guide about refracttest then finds a broken link there.
func TestImportLines(t *testing.T) {
	scantest.Long(t, "builds a module")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	// block returns the first block of code of a page that begins so.
	block := func(page, beginning string) string {
		_, text, ok := strings.Cut(read(t, filepath.Join(root, page)), "```"+beginning)
		if !ok {
			t.Fatalf("%s has no block %q", page, beginning)
		}
		text, _, _ = strings.Cut(text, "```")
		return text
	}
	lines := block("README.md", "sh\ngo mod edit ")
	if in := block("docs/guides/library.md", "sh\ngo mod edit "); in != lines {
		t.Errorf("README.md and the guide differ:\n%s%s", lines, in)
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "mine")
	err = os.Symlink(root, filepath.Join(parent, "refract"))
	if err != nil {
		t.Skip(err)
	}
	write(t, dir, "go.mod", "module mine\n\ngo 1.26.0\n")
	write(t, dir, "main.go", read(t, filepath.Join(root, "testdata/importers/source/main.go")))
	writeInputs(t, filepath.Join(dir, "in"))
	write(t, dir, "docs/docs_test.go", block("docs/guides/go-tests.md", "go\n"))
	write(t, dir, "docs/a.md", "[a](a.md)\n[b](b.md)\n")
	offline := func(line string) (string, error) {
		args := strings.Fields(line)
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOSUMDB=off")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for line := range strings.Lines("go mod edit " + lines + "go build .\n") {
		out, err := offline(line)
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	if out, err := offline("go test ./docs"); err == nil || !strings.Contains(out, `a.md:2:5: no such file: "b.md"`) {
		t.Errorf("%v\n%s", err, out)
	}
}

// writeInputs writes files that package source opens: compressed, archived, and a Maildir.
func writeInputs(t *testing.T, dir string) {
	t.Helper()
	packed := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		fmt.Fprint(z, text)
		z.Close()
		return b.String()
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create("in.html")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(w, "<a href=http://h/zip>")
	z.Close()
	write(t, dir, "a.txt.gz", packed("http://h/gz\n"))
	write(t, dir, "b.zip", archive.String())
	write(t, dir, "c.warc.gz", packed("WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nhttp://h/warc\r\n\r\n"))
	write(t, dir, "mail/cur/1", "Subject: x\n\nhttp://h/mail\n")
	write(t, dir, "mail/new/2", "Subject: y\n\nhttp://h/new\n")
	write(t, dir, "mail/tmp/3", "http://h/unfinished")
}

// linesOfCode counts the lines of code after the imports.
func linesOfCode(source string) (n int) {
	_, code, ok := strings.Cut(source, "\n)\n")
	if !ok {
		code = source
	}
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
