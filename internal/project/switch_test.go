package project

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSwitch ensures that a single switch separates the plain tests from the long ones, and that
// plain tests use nothing outside the repository. Package scantest is responsible for both.
func TestSwitch(t *testing.T) {
	forbidden := []struct {
		pattern *regexp.Regexp
		instead string
	}{
		{regexp.MustCompile(`testing\.Short\(`), "scantest.Long or scantest.Amount"},
		{regexp.MustCompile(`\.\./shared`), "scantest.Shared"},
		{regexp.MustCompile(`flag\.Bool\("long"|//go:build long`), "scantest.Long"},
	}
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "switch_test.go":
			return nil
		}
		files++
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, f := range forbidden {
			if m := f.pattern.Find(source); m != nil {
				t.Errorf("%s has %s: use %s", path, m, f.instead)
			}
		}
		return nil
	})
	if err != nil || files < 50 {
		t.Errorf("%d files, %v", files, err)
	}
}
