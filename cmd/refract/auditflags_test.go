package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/testing/cmdtest"
)

// refract runs "refract audit" with arguments, and returns its outputs and exit status.
func refract(args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	status = run(append([]string{"audit", "--no-config"}, args...), &out, &errs)
	return out.String(), errs.String(), status
}

// A value that means nothing, or flags that exclude each other, are errors before anything is read.
func TestMisuse(t *testing.T) {
	t.Chdir(cmdtest.Files(t, map[string]string{"a.md": "[x](none.md)\n", "b/index.html": "<p>\n"}))
	for _, tt := range []struct{ args, want string }{
		{"--format nothing a.md", "--format"},
		{"--report sarif a.md", "FORMAT=FILE"},
		{"--report sarif= a.md", "FORMAT=FILE"},
		{"--report nothing=x a.md", `"nothing"`},
		{"--report text=x a.md", `"text"`},
		{"--report sarif=x --report junit=x a.md", "--report and --report name the same file"},
		{"--report sarif=a.md a.md", "a.md"},
		{"--source-url ftp://h/x a.md", "--source-url"},
		{"--source-url https:/x a.md", "--source-url"},
		{"--source-url https://h/{name} a.md", "--source-url"},
		{"--min-coverage 101 a.md", "--min-coverage 101"},
		{"--min-coverage -1 a.md", "--min-coverage -1"},
		{"--explain --format sarif a.md", "--explain"},
		{"--build-differences a.md", "--build-differences requires --built"},
		{"--build-differences --json --built b a.md", "--build-differences"},
		{"--changed-since HEAD --built b a.md", "--changed-since"},
		{"--anchors a.md", "--anchors requires --routes"},
		{"--routes --format sarif a.md", "--routes"},
		{"-v --format junit a.md", "--verbose"},
		{"--dry-run --json a.md", "--dry-run"},
		{"--dry-run --html x a.md", "--dry-run"},
	} {
		out, errs, status := refract(strings.Fields(tt.args)...)
		if status != cli.ExitFailed || !strings.Contains(errs, tt.want) || out != "" {
			t.Errorf("audit %s: status %d, %q, %q", tt.args, status, out, errs)
		}
	}
	if names := cmdtest.Entries(t, "."); len(names) != 2 {
		t.Errorf("written: %q", names)
	}
}

// Each --report is a report of the same findings. They get their names together, and none if a report cannot be made.
func TestAlso(t *testing.T) {
	dir := cmdtest.Files(t, map[string]string{"a.md": "[x](none.md)\n", "links.sarif": "old"})
	t.Chdir(dir)
	out, errs, status := refract("-q", "--report", "sarif=links.sarif", "--report", "junit=links.xml", "--source-url", "https://h.example/{path}#L{line}", "a.md")
	if status != cli.ExitFindings || errs != "" || strings.Count(out, "none.md") != 1 {
		t.Fatalf("status %d, %q, %q", status, out, errs)
	}
	for name, want := range map[string]string{"links.sarif": `"ruleId": "missing-file"`, "links.xml": "<testsuite "} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(strings.ReplaceAll(string(text), `":"`, `": "`), want) || !strings.Contains(string(text), "none.md") {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
	_, errs, status = refract("-q", "--report", "sarif=new.sarif", "--report", "junit="+filepath.Join("none", "links.xml"), "a.md")
	if status != cli.ExitFailed || !strings.Contains(errs, "none") {
		t.Errorf("a directory that does not exist: status %d, %q", status, errs)
	}
	if names := cmdtest.Entries(t, "."); strings.Join(names, " ") != "a.md links.sarif links.xml" {
		t.Errorf("left: %q", names)
	}
}

// URLs that are gone are findings of --must-keep. --fix adds redirects where the target is certain and the generator's
// configuration can be written, and the rest stays a finding.
func TestRemoved(t *testing.T) {
	files := map[string]string{
		"mkdocs.yml": "site_name: x\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: a.md\n",
		"docs/a.md":  "# A\n", "docs/index.md": "# I\n\n[a](a.md)\n",
		"kept": "/\n/a/\n/old/\n/never/\n",
	}
	dir := cmdtest.Files(t, files)
	t.Chdir(dir)
	out, errs, status := refract("--must-keep", "kept", ".")
	if status != cli.ExitFindings || strings.Count(out, "removed-url") != 1 || !strings.Contains(out, "/never/") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	for _, flags := range []string{"--fix", "--fix --json", "--fix --dry-run"} {
		out, errs, status = refract(append(strings.Fields(flags), "--must-keep", "kept", ".")...)
		if status != cli.ExitFindings || !strings.Contains(out+errs, "/never/") && flags != "--fix --dry-run" || strings.Contains(out, `"fixed":true`) {
			t.Errorf("%s: status %d\n%s%s", flags, status, out, errs)
		}
		if text, err := os.ReadFile("mkdocs.yml"); err != nil || string(text) != files["mkdocs.yml"] {
			t.Errorf("%s: %v\n%s", flags, err, text)
		}
	}
}

// Of what a build decides, the summary says how much, and -v and --build-differences where expected something else.
func TestBuild(t *testing.T) {
	t.Chdir(cmdtest.Files(t, map[string]string{
		"docs/a.md": "# A\n\n[b](../b/) [c](c.md) {{ x }}\n", "docs/b.md": "# B\n\n[a](../a/#a) [n](../a/#none)\n",
		"public/a/index.html": "<h1 id=a>A</h1><p><a href='../b/'>b</a> <a href='../gone/'>c</a></p>",
		"public/b/index.html": "<h1 id=b>B</h1><p><a href='../a/#a'>a</a> <a href='../a/#none'>n</a></p>",
		"public/c/index.html": "<p><a href='../gone/'>c</a> <a href='../gone2/'>d</a></p>",
	}))
	out, errs, status := refract("-v", "--built", "public", "--generator", "none", "docs")
	if status != cli.ExitFindings || !strings.Contains(errs, "3 pages, 2 documents with a page, 1 page without a source") {
		t.Errorf("status %d, %s", status, errs)
	}
	for _, want := range []string{
		"docs/a.md:3:5: differs: ../b/: expected outside, the build has it",
		"docs/b.md:3:5: differs: ../a/#a: expected outside, the build has it",
		"gone2/",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	out, errs, status = refract("--build-differences", "--built", "public", "--generator", "none", "docs")
	if status != cli.ExitOK || !strings.Contains(out, "no generator: expected outside, the build has it") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}
