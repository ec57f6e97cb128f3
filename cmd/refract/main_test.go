package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

func TestMain(m *testing.M) {
	flag.Set("test.parallel", "8") // tests of the language server mostly wait until nothing changes
	cmdtest.Main(m, main)
}

// TestScripts runs the scripts in testdata/script, which has a directory for each subject.
func TestScripts(t *testing.T) {
	subjects, err := filepath.Glob("testdata/script/*")
	if err != nil || len(subjects) == 0 {
		t.Fatal("no scripts: ", err)
	}
	for _, dir := range subjects {
		subject := filepath.Base(dir)
		t.Run(subject, func(t *testing.T) {
			if slices.Contains([]string{"cli", "filter", "output", "search"}, subject) {
				cmdtest.Scripts(t, dir, run, "../../testdata/letter.txt")
				return
			}
			cmdtest.Scripts(t, dir, run)
		})
	}
}

// The examples of --help print something.
func TestHelpExamples(t *testing.T) {
	dir := t.TempDir()
	letter, _ := os.ReadFile("../../testdata/letter.txt")
	letter = append(letter, "https://example.org/\n"...)
	os.Mkdir(filepath.Join(dir, "docs"), 0o777)
	for _, name := range []string{"letter.txt", "mail.txt", "a.txt", "docs/a.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), letter, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	os.WriteFile(filepath.Join(dir, "docs", "a.md"), append(letter, "\n[1](none.md#x) [2](#none) [3](A.md)\n"...), 0o644)
	for name, text := range map[string]string{ // for "refract rewrite"
		"docs/b.md": "<http://example.org/> <https://old.example/x> <https://example.org/?b&a#c>\n", "README.md": "![i](i.png) [a](docs/a.md)\n",
		"saved/a.html": "<a href=https://example.org/saved/b.html>b</a>\n", "notes/a.md": "<https://example.org/?utm_source=x>\n",
		"a.cdxj": "org,example)/ 20200101000000 {\"url\": \"https://example.org/\", \"status\": \"200\"}\n", "dead.txt": "https://example.org/\n",
	} {
		os.Mkdir(filepath.Join(dir, filepath.Dir(name)), 0o777)
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
	}
	page, _ := os.ReadFile("../../testdata/page.html")
	os.WriteFile(filepath.Join(dir, "page.html"), page, 0o644)
	list, _ := os.ReadFile("../../testdata/list.mbox")
	os.WriteFile(filepath.Join(dir, "list.mbox"), list, 0o644)
	var log bytes.Buffer
	z := gzip.NewWriter(&log)
	z.Write(letter)
	z.Close()
	os.WriteFile(filepath.Join(dir, "log.gz"), log.Bytes(), 0o644)
	crawl, _ := os.ReadFile("../../testdata/crawl.warc")
	os.WriteFile(filepath.Join(dir, "crawl.warc"), crawl, 0o644)
	root := newCommand(&bytes.Buffer{}, &bytes.Buffer{})
	for _, c := range append(root.Commands(), root.Command) {
		for line := range strings.Lines(c.Example) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "   ")
			if strings.HasPrefix(line, "refract audit") {
				line += " || test $? = 1" // it has findings
			}
			at := dir
			if strings.HasPrefix(line, "refract mv") { // each changes the tree
				at = t.TempDir()
				for name, text := range map[string]string{
					"docs/setup.md": "# A\n\n## Old heading\n", "docs/images/a.png": "", "a.md": "[b](b.md)\n", "b.md": "", "content/a.md": "# A\n", "docs/guide/a.md": "",
				} {
					os.MkdirAll(filepath.Join(at, filepath.Dir(name)), 0o777)
					os.WriteFile(filepath.Join(at, name), []byte(text), 0o644)
				}
				line += " 2>&1"
			}
			if out, _ := cmdtest.Shell(t, at, strings.ReplaceAll(line, "d;p?q", "'d;p?q'")); out == "" {
				t.Errorf("%s: no output", line)
			}
		}
	}
}

// A reader that stops reading causes no failure and no message.
func TestClosedPipe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "big"), bytes.Repeat([]byte("http://example.org/ \n"), 1<<18), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, jobs := range []string{"1", "4"} {
		out, errs := cmdtest.Shell(t, dir, "(refract -j "+jobs+" big; echo status $? >&2) | head -n 1")
		if out != "http://example.org/\n" || errs != "status 0\n" {
			t.Errorf("-j %s: %q, %q", jobs, out, errs)
		}
	}
}

// bigTree writes inputs of all sizes, large ones without line breaks among them.
func bigTree(t testing.TB) string {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	text := func(size int, sep string) []byte {
		var b bytes.Buffer
		for b.Len() < size {
			switch r.IntN(6) {
			case 0:
				fmt.Fprintf(&b, "see <http://h/%d%s/x> and%s", r.IntN(1000), sep, sep)
			case 1:
				fmt.Fprintf(&b, "\"http://h/%d,%swww.example.org/%d%s", r.IntN(1000), sep, r.IntN(100), sep)
			case 2:
				fmt.Fprintf(&b, "<URL:../%d> http://ü/%d'http://h/%s", r.IntN(100), r.IntN(100), sep)
			default:
				fmt.Fprintf(&b, "It was the best of times: it was%sthe worst of times,%s", sep, sep)
			}
		}
		return b.Bytes()
	}
	for i, size := range []int{10, 3000, 200 << 10, 300 << 10, scantest.Amount(300, 2500) << 10} {
		for j, sep := range []string{"\n", " ", "\r\n"} {
			name := filepath.Join(dir, fmt.Sprintf("%d-%d", i, j))
			if err := os.WriteFile(name, text(size, sep), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	long := append(bytes.Repeat([]byte("x"), 1<<20-20), []byte("http://h/"+strings.Repeat("y", 3<<20)+" http://h/z")...)
	os.WriteFile(filepath.Join(dir, "long"), long, 0o644)
	return dir
}

// Output is the same for any number of jobs.
func TestJobs(t *testing.T) {
	dir := bigTree(t)
	all := []string{"--json --unique --base http://h/a/b", "-n", "--json", "--csv", "--unique", "-0 --strict --unresolved"}
	all = all[:scantest.Amount(1, len(all))]
	for _, flags := range all {
		var want, wantErr string
		for _, jobs := range []string{"1", "2", "8"} {
			var out, errs bytes.Buffer
			run(append(strings.Fields(flags), "-j", jobs, dir, filepath.Join(dir, "none"), filepath.Join(dir, "4-1")), &out, &errs)
			if want == "" {
				want, wantErr = out.String(), errs.String()
				if len(want) < 1000 {
					t.Fatalf("%s: %d bytes", flags, len(want))
				}
			}
			if out.String() != want || errs.String() != wantErr {
				t.Errorf("%s: -j %s differs from -j 1: %d bytes, not %d; messages %q, not %q", flags, jobs, out.Len(), len(want), errs.String(), wantErr)
			}
		}
	}
}

// --output leaves no incomplete file, neither if writing fails nor if the run is interrupted.
func TestOutputIsWhole(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	if code := run([]string{"-q", "-o", name, "../../testdata/letter.txt"}, os.Stdout, os.Stderr); code != 0 {
		t.Fatal(code)
	}
	whole, _ := os.ReadFile(name)
	if !strings.HasPrefix(string(whole), "http://www.w3.org/") {
		t.Errorf("%q", whole)
	}
	var errs bytes.Buffer
	if code := run([]string{"-o", filepath.Join(dir, "none", "out"), "../../testdata/letter.txt"}, os.Stdout, &errs); code != cli.ExitFailed || !strings.Contains(errs.String(), "output") {
		t.Errorf("%d %q", code, errs.String())
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("everything can be read here")
	}
	name := filepath.Join(t.TempDir(), "secret")
	os.WriteFile(name, []byte("http://h/"), 0)
	var out, errs bytes.Buffer
	if code := run([]string{name, "../../testdata/letter.txt"}, &out, &errs); code != cli.ExitFailed || out.Len() == 0 || !strings.Contains(errs.String(), "secret") {
		t.Errorf("%d %q", code, errs.String())
	}
}

func BenchmarkRun(b *testing.B) {
	dir := bigTree(b)
	size := int64(0)
	filepath.Walk(dir, func(_ string, info os.FileInfo, _ error) error {
		size += info.Size()
		return nil
	})
	for _, flags := range []string{"-j1", "-j2", "-j1 -n", "-j1 --json", "-j1 --unique"} {
		b.Run(flags, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				var out bytes.Buffer
				run(append(strings.Fields(flags), "-q", dir), &out, &out)
			}
		})
	}
}

// Time is linear for every input.
func TestHostile(t *testing.T) {
	dir := t.TempDir()
	for _, shape := range []string{"<http://a ", "http://a\n", "<URL:x>", "x", "\n", "http://", "<http://a-\nb>", "http://ü/ "} {
		command := func(n int) func() {
			name := filepath.Join(dir, fmt.Sprint("f", n))
			if err := os.WriteFile(name, bytes.Repeat([]byte(shape), n/len(shape)), 0o644); err != nil {
				t.Fatal(err)
			}
			return func() { run([]string{"-n", "-q", "-j1", "-o", name + ".out", name}, os.Stdout, os.Stderr) }
		}
		// Shorter times are start-up and noise.
		n := scantest.Amount(1<<17, 1<<20)
		scantest.Linear(t, shape, 20*time.Millisecond, command(n), command(4*n))
	}
}

// Names that are not UTF-8 are kept as bytes, except for control characters, and are in input_b64.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a\xff\nb")
	if err := os.WriteFile(name, []byte("http://h/"), 0o644); err != nil {
		t.Skip(err)
	}
	var out bytes.Buffer
	run([]string{"-n", name}, &out, os.Stderr)
	if got := out.String(); got != filepath.Join(dir, "a\xff%0Ab")+":1:1:http://h/\n" {
		t.Errorf("%q", got)
	}
	out.Reset()
	run([]string{"--json", name}, &out, os.Stderr)
	if !strings.Contains(out.String(), `"input_b64":"`) {
		t.Error(out.String())
	}
}

func TestNormalizeClosedPipe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "big"), bytes.Repeat([]byte("http://EXAMPLE.org\n"), 1<<18), 0o644); err != nil {
		t.Fatal(err)
	}
	out, errs := cmdtest.Shell(t, dir, "(refract normalize < big; echo status $? >&2) | head -n 1")
	if out != "http://example.org/\n" || errs != "status 0\n" {
		t.Errorf("%q, %q", out, errs)
	}
}
