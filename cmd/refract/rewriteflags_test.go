package main

import (
	"bytes"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
)

// Keys that are no URLs, and those of other programs, are no values of "rewrite --canonical".
func TestRewritable(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, want := range map[string]bool{"surt": false, "cdx": false, "surt-full": false, "w3lib": false, "normal": true} {
		var out, errs bytes.Buffer
		code := run([]string{"rewrite", "--canonical", name, "--dry-run", "."}, &out, &errs)
		if isBad := strings.Contains(errs.String(), "--canonical"); isBad == want || (code == cli.ExitFailed) != isBad {
			t.Errorf("--canonical %s: status %d, %s", name, code, errs.String())
		}
	}
}
