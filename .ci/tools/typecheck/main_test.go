package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is wrong in a file of one system, or in a test, is found for that system alone, and once.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example.org/m\n\ngo 1.26\n",
		"m.go":             "package m\n\nfunc M() int { return n() }\n",
		"n_windows.go":     "package m\n\nfunc n() int { return 1 << 40 }\n",
		"n_unix.go":        "//go:build unix\n\npackage m\n\nfunc n() int { return 0 }\n",
		"m_darwin_test.go": "package m\n\nvar _ string = M()\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for system, want := range map[string]string{
		"linux/amd64":   "",
		"windows/amd64": "",
		"windows/386":   "n_windows.go:3:23: cannot use 1 << 40",
		"darwin/arm64":  "m_darwin_test.go:3:16: cannot use M()",
		"js/wasm":       "m.go:3:23: undefined: n",
	} {
		errs, err := check(dir, system)
		if err != nil {
			t.Errorf("%s: %v", system, err)
		} else if want == "" && len(errs) > 0 || want != "" && (len(errs) != 1 || !strings.Contains(errs[0], want)) {
			t.Errorf("%s: %q, not %q", system, errs, want)
		}
	}
	if _, err := check(dir, "linux"); err == nil {
		t.Error("a system without an architecture")
	}
	if errs, err := check(t.TempDir(), "linux/amd64"); err == nil && len(errs) == 0 {
		t.Error("no module")
	}
}
