package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/audit"
	"example.org/refract/internal/testing/cmdtest"
)

// saidOf runs refract in a directory.
func saidOf(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(cmdtest.Binary(t), args...)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// Names of Windows in all their forms: relative links are found, and file: URLs are those of RFC 8089.
func TestNamesOfWindows(t *testing.T) {
	dir := cmdtest.Files(t, map[string]string{"docs/a.md": "[b](sub/b.md) [c](sub/none.md)\n", "docs/sub/b.md": "[a](../a.md)\n"})
	drive, rest := dir[:1], dir[2:]
	share := `\\localhost\` + strings.ToLower(drive) + `$` + rest // the administrator's share of the drive
	names := map[string]string{dir: "file:///" + drive + ":/", `\\?\` + dir: "file:///" + drive + ":/"}
	if _, err := os.Stat(share); err == nil {
		names[share] = "file://localhost/" + strings.ToLower(drive) + "$/"
		names[`\\?\UNC`+share[1:]] = "file://localhost/" + strings.ToLower(drive) + "$/"
	} else {
		t.Log("no share: ", err)
	}
	for name, url := range names {
		docs := name + `\docs`
		if got := saidOf(t, dir, "audit", docs); !strings.Contains(got, "2 documents, 3 internal links, 1 finding") {
			t.Errorf("%s: %s", docs, got)
		}
		if got := saidOf(t, dir, "--file-base", docs+`\sub\b.md`); !strings.HasPrefix(got, url) {
			t.Errorf("%s: %s, want %s", docs, got, url)
		}
		r, err := audit.Run(t.Context(), audit.Options{Dir: name, Paths: []string{"docs"}}, nil)
		if err != nil || r.Findings != 1 {
			t.Errorf("package audit, %s: %+v, %v", name, r, err)
		}
	}
}

// A reader that stops early is no error.
func TestPipeOfWindows(t *testing.T) {
	dir := cmdtest.Files(t, map[string]string{"a.md": strings.Repeat("http://example.org/page\n", 100_000)})
	cmd := exec.Command(cmdtest.Binary(t), filepath.Join(dir, "a.md"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 100))
	out.Close()
	if err := cmd.Wait(); err != nil || errs.Len() > 0 {
		t.Errorf("%v: %s", err, errs.String())
	}
}
