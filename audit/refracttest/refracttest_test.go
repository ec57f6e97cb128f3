package refracttest_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/refract/audit/refracttest"
	"example.org/refract/internal/testing/scantest"
)

// A recorder is a TB that keeps what it is told.
type recorder struct{ errors, logs []string }

func (r *recorder) Helper()                  {}
func (r *recorder) Context() context.Context { return context.Background() }
func (r *recorder) Errorf(format string, a ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, a...))
}
func (r *recorder) Logf(format string, a ...any) { r.logs = append(r.logs, fmt.Sprintf(format, a...)) }

var _ refracttest.TB = testing.TB(nil)

// A placer is a TB that keeps from which file each message comes, as testing.T says it: that of the innermost function that is no helper.
type placer struct {
	helpers map[string]bool
	places  []string
}

func (p *placer) Helper() {
	pc := make([]uintptr, 1)
	runtime.Callers(2, pc)
	frame, _ := runtime.CallersFrames(pc).Next()
	p.helpers[frame.Function] = true
}

func (p *placer) place() {
	pc := make([]uintptr, 50)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
	for {
		frame, more := frames.Next()
		if !p.helpers[frame.Function] || !more {
			p.places = append(p.places, fmt.Sprintf("%s:%d", path.Base(frame.File), frame.Line))
			return
		}
	}
}

func (p *placer) Context() context.Context { return context.Background() }
func (p *placer) Errorf(string, ...any)    { p.place() }
func (p *placer) Logf(string, ...any)      { p.place() }

// All messages have the line of the test.
func TestPlaces(t *testing.T) {
	for _, fsys := range []fs.FS{
		tree("a.md", "[x](none.md) [y]()\n"), tree("a.md", "x", ".refract.yaml", "rule: none\nother: 1\nslugs: x\n"), tree(), nil,
		tree("a.md", "x", ".refract.yaml", "\t"), tree("a.md", "x", ".refract.yaml", "root: none\n"),
	} {
		p := &placer{helpers: map[string]bool{}}
		_, _, line, _ := runtime.Caller(0)
		refracttest.Audit(p, fsys)
		want := fmt.Sprintf("refracttest_test.go:%d", line+1)
		if len(p.places) == 0 || slices.ContainsFunc(p.places, func(place string) bool { return place != want }) {
			t.Errorf("%v: messages at %q, want %s", fsys, p.places, want)
		}
	}
}

// tree is a file system with a text for each name.
func tree(files ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return fsys
}

func TestAudit(t *testing.T) {
	const (
		broken = "# A\n\n[b](b.md#c), [d](d.md)\n"
		remark = "[x][y] [e]()\n\n[y]: b.md\n[unused]: b.md\n"
	)
	for _, tt := range []struct {
		name  string
		files []string
		want  []string // errors
		logs  []string // parts of them
	}{
		{"sound", []string{"a.md", "[b](b.md)\n", "b.md", "# B\n"}, nil, []string{"2 documents, 1 references"}},
		{"findings", []string{"docs/a.md", broken, "docs/b.md", "# B\n"}, []string{
			`docs/a.md:3:5: "docs/b.md" has no id "c" [missing-fragment]`,
			`docs/a.md:3:18: no such file: "docs/d.md" [missing-file]`,
		}, nil},
		{"remarks", []string{"a.md", remark, "b.md", "# B\n"}, nil, []string{"a.md:4:11: ", "[unused-definition]"}},
		{"remarks, strict", []string{"a.md", remark, "b.md", "# B\n", ".refract.yaml", "strict: true\n"}, []string{"[empty-link]", "[unused-definition]"}, nil},
		{"a remark that is named", []string{"a.md", remark, "b.md", "# B\n", ".refract.yaml", "rule: unused-definition\n"}, []string{"[unused-definition]"}, nil},
		{"no-rule", []string{"a.md", broken, "b.md", "# B\n", ".refract.yaml", "no-rule: [missing-file]\nignore: ['*#c']\n"}, nil, []string{"ignored: 1"}},
		{"paths and site", []string{"x/a.md", "[b](https://example.org/b.md)", "y/a.md", broken, ".refract.yaml", "paths: x\nsite: https://example.org/=x\n"},
			[]string{`no such file: "x/b.md"`}, []string{"1 documents"}},
		{"not checked", []string{"a.md", "[x](https://example.org/) [y]({{z}}/a)\n"}, nil, []string{"not checked: 1", "  1: "}},
		{"rules", []string{"a.md", "[x](b.md)\n", "b.md", "", ".refract.yaml", "resolution: rfc1808,above-root=error\nslugs: auto\ngenerator: none\nprefix: /d/\nroot: .\nsuffixes: .md\nindex: a.md\nhidden: false\nno-ignore: true\ntests: false\norphans: true\nglob: '*.md'\n"}, nil, nil},
		{"control characters", []string{"\x1b[2J.md", "[x](y\x07.md)\n"}, []string{`no such file`}, nil},
		{"no document", []string{"a.go", "package a\n"}, []string{"no document"}, nil},
		{"nothing", nil, []string{"no document"}, nil},
		{"not YAML", []string{"a.md", "", ".refract.yaml", "a: [\n"}, []string{".refract.yaml: not valid YAML"}, nil},
		{"a large configuration", []string{"a.md", "", ".refract.yaml", strings.Repeat("#", 65<<10)}, []string{".refract.yaml: larger than 64 KiB"}, nil},
		{"a directory", []string{"a.md", "", ".refract.yaml/x", ""}, []string{".refract.yaml: not a regular file"}, nil},
		{"settings", []string{"a.md", "", ".refract.yaml", "root: ../x\nroot2: 1\njobs: 4\noutput: x\nbaseline: none.txt\nrule: mising-file\nslugs: x\ngenerator: x\nresolution: x\nrules: x\nhidden: yes please\npaths: [/etc]\nprefix: [a, b]\nsite: x\nindex: ../x\nunknown:\n  a: b\n"}, []string{
			`.refract.yaml:5: baseline: no file "none.txt"`, `.refract.yaml:8: generator: "x" is none of `, `.refract.yaml:11: hidden: "yes please" is none of true, false`,
			`.refract.yaml:15: index: "../x" leads out of its directory`, `.refract.yaml:3: jobs: sets nothing in a test`, `.refract.yaml:4: output: sets nothing in a test`, `.refract.yaml:12: paths: "/etc" leads out of the file system`,
			`.refract.yaml:13: prefix: give one value`, `.refract.yaml:9: resolution: "x": not one of rfc3986, `, `.refract.yaml:1: root: "../x" leads out of the file system`, `.refract.yaml:2: root2: sets nothing in a test`,
			`.refract.yaml:6: rule: "mising-file" is none of `, `.refract.yaml:10: rules: sets nothing in a test`, `.refract.yaml:14: site: "x": give URL=DIR`, `.refract.yaml:7: slugs: "x" is none of `,
			`.refract.yaml:17: unknown: give a string, or a list of strings`,
		}, nil},
		{"forbid, overrides, roots", []string{"en/a.md", "[b](/b.md) [h](http://h/) [s](https://a.s/)\n", "en/b.md", "", "drafts/a.md", "[x](none.md) [y](none.png)\n![z](none.png)", "old/a.md", "[x](none.md)", ".refract.yaml",
			"forbid: [{match: '^http:', message: use https}, {hosts: hosts}]\nroot: {en: en}\noverrides:\n- {files: 'drafts/**', rules: {missing-file: note}}\n- files: old\n  rules: {missing-file: off}\n", "hosts", ".s\n"}, []string{
			`drafts/a.md:2:6: no such image`, `en/a.md:1:16: use https: "http://h/" [forbidden]`, `en/a.md:1:31: a host of hosts: "https://a.s/" [forbidden]`,
		}, []string{"drafts/a.md:1:5: "}},
		{"wrong entries", []string{"a.md", "", ".refract.yaml", "forbid:\n- x\n- {hosts: none}\nroot: {a: ../x}\noverrides: [{files: x, rules: {cas: off}}]\nsite: {x: [y]}\n"}, []string{
			`.refract.yaml:3: forbid: no file "none"`, `.refract.yaml:5: overrides: "cas" is none of `, `.refract.yaml:4: root: "../x" leads out`, `.refract.yaml:6: site: "x": give a string`,
		}, nil},
		{"a pattern that is none", []string{"a.md", "", ".refract.yaml", "forbid: ['(']\n"}, []string{`audit: Forbid "("`}, nil},
		{"rules of browsers", []string{"a.md", "", ".refract.yaml", "resolution: whatwg,above-root=error\n"}, []string{`.refract.yaml:1: resolution: above-root="error": the rules of browsers have no options`}, nil},
		{"not a baseline", []string{"a.md", "text\n", ".refract.yaml", "baseline: a.md\n"}, []string{".refract.yaml:1: baseline: "}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := new(recorder)
			refracttest.Audit(r, tree(tt.files...))
			if len(r.errors) != len(tt.want) {
				t.Errorf("%d errors, want %d: %q", len(r.errors), len(tt.want), r.errors)
			}
			for i, want := range tt.want {
				if i < len(r.errors) && !strings.Contains(r.errors[i], want) {
					t.Errorf("error %q, want %q", r.errors[i], want)
				}
			}
			all := strings.Join(r.logs, "\n")
			for _, want := range tt.logs {
				if !strings.Contains(all, want) {
					t.Errorf("logs %q lack %q", all, want)
				}
			}
			if text := strings.Join(append(r.errors, all), ""); strings.ContainsAny(text, "\x1b\x07") {
				t.Errorf("%q has control characters", text)
			}
		})
	}
}

func TestBaseline(t *testing.T) {
	fsys := tree("docs/a.md", "[d](d.md) [e](e.md)\n", ".refract.yaml", "baseline: known/base.txt\n",
		"known/base.txt", "# refract baseline\n../docs/a.md\tmissing-file\td.md\n../docs/a.md\tmissing-file\tgone.md\n")
	r := new(recorder)
	refracttest.Audit(r, fsys)
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "e.md") {
		t.Errorf("errors %q", r.errors)
	}
	for _, want := range []string{"in the baseline: 1 findings", "no longer found: 1 entries of the baseline"} {
		if !slices.Contains(r.logs, want) {
			t.Errorf("logs %q lack %q", r.logs, want)
		}
	}
}

// A build in the file system decides.
func TestBuilt(t *testing.T) {
	fsys := tree("docs/a.md", "# The first page\n\n[b](../b/) [gone](../gone/)\n", "docs/b.md", "# The second page\n", ".refract.yaml", "built: https://h.example/=out\ngenerator: none\npaths: docs\n",
		"out/a/index.html", "<main><h1>The first page</h1><a href='../b/'>b</a> <a href='../gone/'>gone</a></main>", "out/b/index.html", "<main><h1>The second page</h1></main>")
	r := new(recorder)
	refracttest.Audit(r, fsys)
	if len(r.errors) != 1 || !strings.HasPrefix(r.errors[0], "docs/a.md:3:19: ") {
		t.Errorf("errors %q", r.errors)
	}
	r = new(recorder)
	refracttest.Audit(r, tree("a.md", "", ".refract.yaml", "built: out\n"))
	if len(r.errors) != 1 || r.errors[0] != `.refract.yaml:1: built: no file "out"` {
		t.Errorf("no build: %q", r.errors)
	}
}

// A directory of the disk, with a file that cannot be read, and no file system at all.
func TestFileSystems(t *testing.T) {
	r := new(recorder)
	refracttest.Audit(r, nil)
	if len(r.errors) != 1 {
		t.Errorf("nil: %q", r.errors)
	}
	dir := t.TempDir()
	os.WriteFile(dir+"/a.md", []byte("[b](b.md)\n"), 0o666)
	r = new(recorder)
	refracttest.Audit(r, os.DirFS(dir))
	if len(r.errors) != 1 || !strings.HasPrefix(r.errors[0], "a.md:1:5: no such file") {
		t.Errorf("a directory: %q", r.errors)
	}
	r = new(recorder)
	refracttest.Audit(r, failing{tree("a.md", "[b](b.md)\n", "c.md", "")})
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "cause") {
		t.Errorf("a file that cannot be read: %q", r.errors)
	}
	r = new(recorder)
	refracttest.Audit(r, os.DirFS(dir+"/none"))
	if len(r.errors) == 0 {
		t.Error("a directory that does not exist: no error")
	}
}

// failing is a file system in which a.md cannot be read.
type failing struct{ fs.FS }

func (f failing) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if name == "a.md" {
		return failingFile{file}, err
	}
	return file, err
}

type failingFile struct{ fs.File }

func (failingFile) Read([]byte) (int, error) { return 0, errors.New("cause") }

// A configuration of megabytes is refused, and one of the largest size is read in linear time.
func TestHugeConfiguration(t *testing.T) {
	for _, size := range []int{1 << 20, 4 << 20} {
		for name, text := range map[string]string{
			"comments": "# x\n", "globs": "glob: ['*.md']\n", "brackets": "[", "one line": "x", "aliases": "a: &a [*a, *a]\n",
		} {
			r := new(recorder)
			refracttest.Audit(r, tree("a.md", "# A\n", ".refract.yaml", strings.Repeat(text, size/len(text))))
			if len(r.errors) != 1 || r.errors[0] != ".refract.yaml: larger than 64 KiB" {
				t.Errorf("%s: %.200q", name, r.errors)
			}
		}
	}
	const size = 16 << 10
	for name, shape := range map[string]struct{ head, each, end string }{
		"globs":    {"glob: [", "'*.md', ", "'x']\n"},
		"ignore":   {"ignore: [", "'*x{a}', ", "'x']\n"},
		"paths":    {"paths: [", "a.md, ", "a.md]\n"},
		"rules":    {"no-rule: [", "orphan, ", "case]\n"},
		"sites":    {"site: [", "'http://h/=.', ", "'http://i/=.']\n"},
		"brackets": {"glob: ", "[", ""},
		"keys":     {"", "x: y\n", ""},
		"anchors":  {"glob: &a [", "*a, ", "x]\n"},
		"comments": {"", "# x\n", ""},
	} {
		run := func(size int) func() {
			text := shape.head + strings.Repeat(shape.each, (size-len(shape.head+shape.end))/len(shape.each)) + shape.end
			fsys := tree("a.md", "[b](b.md)\n", ".refract.yaml", text)
			return func() {
				r := new(recorder)
				refracttest.Audit(r, fsys)
				if len(r.errors) != 1 || len(r.errors[0]) > 1000 {
					t.Errorf("%s: %d errors: %.200q", name, len(r.errors), r.errors)
				}
			}
		}
		scantest.Linear(t, name, 50*time.Millisecond, run(size), run(4*size-1))
	}
}
