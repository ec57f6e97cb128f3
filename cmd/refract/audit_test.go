package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
)

// Unreadable files are reported, the rest is audited, and the status is 2.
func TestAuditUnreadable(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("everything can be read here")
	}
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "a.md"), []byte("[x](none.md) [y](secret.md#z) [z](closed/x.md)"), 0o666)
	os.WriteFile(filepath.Join(dir, "secret.md"), nil, 0)
	os.Mkdir(filepath.Join(dir, "closed"), 0)
	var out, errs bytes.Buffer
	code := run([]string{"audit", dir}, &out, &errs)
	if code != cli.ExitFailed || strings.Count(out.String(), "\n") != 1 || !strings.Contains(errs.String(), "secret.md") || !strings.Contains(errs.String(), "closed") {
		t.Errorf("%d %s%s", code, out.String(), errs.String())
	}
}

// A name that is not UTF-8 is found, shown as it is, and in JSON as base64.
func TestAuditNames(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "caf\xe9.md")
	if err := os.WriteFile(name, []byte("[1](caf%E9.md) [2](caf%E9.md#none) [3](CAF%E9.md)"), 0o666); err != nil {
		t.Skip(err)
	}
	t.Chdir(dir)
	var out bytes.Buffer
	run([]string{"audit", "-q"}, &out, os.Stderr)
	want := "caf\xe9.md:1:20: this document has no id \"none\" [missing-fragment]\n" +
		"caf\xe9.md:1:40: case mismatch: the file is \"caf\\xe9.md\"; did you mean \"caf%E9.md\"? [case]\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	run([]string{"audit", "-q", "--json"}, &out, os.Stderr)
	if s := out.String(); strings.Count(s, `"input_b64":"Y2Fm6S5tZA=="`) != 2 || strings.Count(s, `"target_b64":"Y2Fm6S5tZA=="`) != 2 {
		t.Error(s)
	}
}

// A finding is one line, whatever the name of its file.
func TestAuditOneLine(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a\nb\x1b[31m.md"), []byte("[1](none.md) [2](x\ny.md) [3][no\nlabel]"), 0o666); err != nil {
		t.Skip("no such names here: ", err)
	}
	t.Chdir(dir)
	var out, errs bytes.Buffer
	run([]string{"audit", "--explain", "--max-entity", "5", "."}, &out, &errs)
	if strings.Contains(errs.String(), "a\nb") {
		t.Errorf("%q", errs.String())
	}
	out.Reset()
	run([]string{"audit", "-q", "--explain", "."}, &out, &errs)
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, `a\u{a}b\u{1b}[31m.md:`) {
			t.Errorf("%q", line)
		}
	}
	if out.Len() == 0 {
		t.Error("nothing found")
	}
}

// An archive is no document.
func TestAuditArchive(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.zip")
	os.WriteFile(name, []byte("PK\x05\x06"+strings.Repeat("\x00", 18)), 0o666)
	var out, errs bytes.Buffer
	if code := run([]string{"audit", name}, &out, &errs); code != cli.ExitFailed || out.Len() > 0 || !strings.HasPrefix(errs.String(), "refract: ") {
		t.Errorf("status %d: %s%s", code, out.String(), errs.String())
	}
}
