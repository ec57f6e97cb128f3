package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/testing/scantest"
)

// unpackTrees puts the trees of package audit into directories of dir, or one of every few, and one of broken links, to fill
// several groups of documents.
func unpackTrees(t *testing.T, dir string, every int) {
	t.Helper()
	files, err := filepath.Glob("../../internal/audit/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no trees: ", err)
	}
	write := func(name string, data []byte) {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, `?*<>|":`) {
			return // no name there
		}
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range files {
		if i%every != 0 {
			continue
		}
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if f.Name != "want" {
				write(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+f.Name, f.Data)
			}
		}
	}
	for i := range 200 {
		name := "many/" + strings.Repeat("x", i%7) + "/p" + strings.Repeat("y", i/7)
		write(name+".md", []byte("# A\n\n[a](../p.md#b) [b](#a) ![c](gone.png) [d][e] <!-- refract-ignore-x -->\n\n[a](../p.md#c)\n"))
	}
}

// The output is the same for any number of jobs, in each format and order: findings, what is not checked, notes, counts. The long
// tests try all trees, in which there is a finding of each rule, and others a twelfth of them.
func TestAuditJobs(t *testing.T) {
	dir := t.TempDir()
	unpackTrees(t, dir, scantest.Amount(30, 1))
	t.Chdir(dir)
	var rules bytes.Buffer
	for _, flags := range []string{
		"--json -v --orphans --tests", "-v --explain --slugs github", "--format sarif --html page.html", "--fix --dry-run", "--write-baseline base.txt",
		"--baseline base.txt --strict --ignore *.png",
	} {
		outputs := func(jobs string) (all []string) {
			var stdout, stderr bytes.Buffer
			args := append([]string{"audit", "-j", jobs}, strings.Fields(flags)...)
			run(append(args, "."), &stdout, &stderr)
			all = append(all, stdout.String(), stderr.String())
			for _, name := range []string{"page.html", "base.txt"} {
				text, _ := os.ReadFile(name)
				all = append(all, string(text))
			}
			rules.Write(stdout.Bytes())
			return all
		}
		want := outputs("1")
		for i, got := range outputs("8") {
			if got != want[i] {
				t.Errorf("%s: -j 8 differs in output %d: %s", flags, i, firstDifference(got, want[i]))
			}
		}
	}
	if !scantest.IsLong() {
		return
	}
	for _, rule := range rule.Rules() {
		// A symbolic link that points nowhere is not in a tree of files, and findings of the others need a package.
		if isRare := regexp.MustCompile(`symlink|spine|undeclared`).MatchString(string(rule)); !isRare && !bytes.Contains(rules.Bytes(), []byte(rule)) {
			t.Errorf("no finding of %s", rule)
		}
	}
}

// firstDifference shows where two texts begin to differ.
func firstDifference(got, want string) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	show := func(s string) string { return s[max(0, min(i-40, len(s))):min(i+80, len(s))] }
	return "\n" + show(got) + "\nwant\n" + show(want)
}
