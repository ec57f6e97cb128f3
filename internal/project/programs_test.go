package project

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Only package git runs a program (and package browser, which only tests use).
func TestPrograms(t *testing.T) {
	var found []string
	err := filepath.WalkDir("../..", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && e.Name() != ".."):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if regexp.MustCompile(`"os/exec"|\bos\.StartProcess\(|\bsyscall\.(Exec|ForkExec|StartProcess)\(`).Match(text) {
			found = append(found, filepath.Base(filepath.Dir(name)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	if want := []string{"browser", "cmdtest", "git", "scantest"}; !slices.Equal(slices.Compact(found), want) {
		t.Errorf("these packages run programs: %q, want %q", found, want)
	}
}

// Each item of the lists in docs/security.md names the tests that check it.
func TestSecurityPage(t *testing.T) {
	tests := map[string]bool{}
	err := filepath.WalkDir("../..", func(name string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, "_test.go") {
			text, readErr := os.ReadFile(name)
			err = readErr
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
				tests[string(m[1])] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(page), "## What to do in CI")
	items := strings.Split(text, "\n- ")[1:]
	if len(items) < 15 {
		t.Errorf("only %d items", len(items))
	}
	for _, item := range items {
		item, _, _ = strings.Cut(item, "\n\n")
		m := regexp.MustCompile(`<!-- (.*) -->$`).FindStringSubmatch(strings.TrimSpace(item))
		if m == nil {
			t.Errorf("no test is named: %s", item)
			continue
		}
		for name := range strings.FieldsSeq(m[1]) {
			_, err := os.Stat(filepath.Join("../..", name))
			if !tests[name] && (err != nil || !strings.HasPrefix(name, ".ci/")) {
				t.Errorf("there is no %s: %s", name, item)
			}
		}
	}
}
