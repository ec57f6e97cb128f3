package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/testing/scantest"
)

// fuzzForms are command lines that read a directory.
var fuzzForms = [][]string{
	{"--json", "--details", "--explain", "--unresolved"}, {"--json", "--also", "json-ld", "--also", "conditional", "--also", "wiki-links", "--also", "mdx", "--canonical=normal", "--strict"},
	{"--csv"}, {"-n", "--strict"}, {"--edges"}, {"--unique=sorted"}, {"--count", "domain"}, {"--parser-differences", "--unresolved"}, {"--explain", "--resolution", "whatwg"},
	{"--undo", "json", "--iri"}, {"--split", "1000"}, {"audit", "--json", "--orphans"}, {"audit", "--format", "sarif"}, {"audit", "--dry-run"}, {"audit", "--explain"}, {"audit", "--format", "rdjson"}, {"audit", "--format", "gitlab"}, {"audit", "--format", "markdown"},
	{"audit", "--routes", "--anchors", "--json"}, {"audit", "--format", "junit"}, {"--json", "--undo", "entities"}, {"audit", "--slugs", "mkdocs", "--json", "-v"},
}

// fuzzNames are names of the types that are read.
var fuzzNames = []string{"a.txt", "a.html", "a.md", "a.mdx", "a.xml", "a.css", "a.eml", "a.mbox", "a.mhtml", "a.warc", "a.news", "a.atom", "a.svg", "a.json", "a.xhtml", "a.wat", "a.gz", "a",
	"a.rst", "a.adoc", "a.ipynb", "a.py", "a.1", "a.tex", "a.texi", "a.org", "a.csv", "a.zip", "a.tar", "a.json.zst"}

// mutate damages src as disks and programs do, and in ways that scanners may not expect: flipped bits,
// parts of another input, a missing end. Some seeds repeat it until it
// is longer than a window.
func mutate(src []byte, seed uint64, pool [][]byte) []byte {
	if seed == 0 || len(src) == 0 {
		return src
	}
	const special = "<>&\"'()[]{}:/?#=%\\\n\r\x00\x80\xff -`"
	r := rand.New(rand.NewPCG(seed, 1))
	src = slices.Clone(src)
	for range 1 + r.IntN(8) {
		if len(src) == 0 {
			break
		}
		switch at := r.IntN(len(src)); r.IntN(6) {
		case 0:
			src[at] ^= 1 << r.IntN(8)
		case 1:
			src[at] = special[r.IntN(len(special))]
		case 2:
			src = src[:at]
		case 3:
			src = slices.Delete(src, at, at+r.IntN(len(src)-at))
		case 4:
			other := pool[r.IntN(len(pool))]
			from := r.IntN(len(other) + 1)
			src = slices.Insert(src, at, other[from:from+r.IntN(len(other)-from+1)]...)
		case 5:
			end := at + r.IntN(min(len(src)-at, 64))
			src = slices.Insert(src, at, bytes.Repeat(src[at:end], r.IntN(20))...)
		}
	}
	if seed%64 == 1 && len(src) > 0 {
		src = bytes.Repeat(src, 1+(3<<19)/len(src))
	}
	return src[:min(len(src), 2<<20)]
}

// FuzzCommand checks that the command survives damaged input, and that its output does not
// depend on the number of jobs.
func FuzzCommand(f *testing.F) {
	var pool [][]byte
	add := func(src []byte, kind uint8) {
		pool = append(pool, src)
		f.Add(src, kind, uint8(len(pool)), uint64(0))
		f.Add(src, kind, uint8(len(pool)*7), uint64(len(pool)))
	}
	for _, name := range []string{"page.html", "letter.txt", "list.mbox", "notes.md", "crawl.warc"} {
		src, err := os.ReadFile("../../testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		add(src, uint8(slices.Index(fuzzNames, "a"+filepath.Ext(name))))
	}
	if scantest.IsLong() {
		for _, name := range []string{"docs.tar.xz", "html.tar.xz", "mail.tar.xz", "warc.tar.xz"} {
			n := 0
			for file, src := range scantest.Files(f, name) {
				if n++; n%23 == 0 && len(src) < 1<<15 {
					add(src, uint8(max(slices.Index(fuzzNames, "a"+filepath.Ext(file)), 0)))
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, kind, form uint8, seed uint64) {
		dir := t.TempDir()
		t.Chdir(dir)
		size := 0
		for i, name := range []string{fuzzNames[int(kind)%len(fuzzNames)], "b/index.md", "b/c.html"} {
			text := mutate(src, seed*uint64(i+1), pool)
			size += len(text)
			os.MkdirAll(filepath.Dir(name), 0o777)
			if err := os.WriteFile(name, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		args := fuzzForms[int(form)%len(fuzzForms)]
		start := time.Now()
		one, status := fuzzRun(t, args, "1")
		four, again := fuzzRun(t, args, "4")
		if scantest.IsLong() && time.Since(start) > 30*time.Second+time.Duration(size)*10*time.Microsecond {
			t.Errorf("%v for %d bytes", time.Since(start), size)
		}
		if one != four || status != again {
			t.Errorf("%v: -j 1 and -j 4 differ (status %d and %d):\n%.2000s\n\n%.2000s", args, status, again, one, four)
		}
	})
}

// fuzzRun runs the command and checks what it writes.
func fuzzRun(t *testing.T, args []string, jobs string) (text string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(append(slices.Clone(args), "-j", jobs, "."), &out, &errs)
	if status < cli.ExitOK || status > cli.ExitFailed || strings.Contains(errs.String(), output.InternalError) || strings.Contains(out.String(), output.InternalError) {
		t.Fatalf("%v: status %d\n%s", args, status, errs.String())
	}
	if strings.Contains(errs.String(), "unknown flag") {
		t.Fatal(errs.String())
	}
	isJSON := slices.Contains(args, "--json")
	switch {
	case slices.Contains(args, "sarif") || slices.Contains(args, "rdjson") || slices.Contains(args, "gitlab"):
		if !json.Valid(out.Bytes()) {
			t.Errorf("%v: no JSON: %.500s", args, out.String())
		}
	case slices.Contains(args, "--csv"):
		if _, err := csv.NewReader(bytes.NewReader(out.Bytes())).ReadAll(); err != nil {
			t.Error(err)
		}
	default:
		for line := range bytes.Lines(out.Bytes()) {
			if isJSON && (!json.Valid(line) || !utf8.Valid(line)) {
				t.Errorf("%v: no JSON: %q", args, line)
			}
		}
	}
	return fmt.Sprintf("%s\n--\n%s", out.String(), errs.String()), status
}
