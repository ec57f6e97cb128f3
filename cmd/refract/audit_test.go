package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/audit"
	"example.org/refract/extract"
)

// The excerpt of a line on a terminal, and the columns of its marks.
func TestExcerpt(t *testing.T) {
	long := strings.Repeat("ü", 200)
	for _, c := range []struct {
		line, part string
		shown      string // "|" in front of and behind what is marked
	}{
		{"see [b](b.md) there", "b.md", "see [b](|b.md|) there"},
		{"\t- [b](b.md)", "b.md", "        - [b](|b.md|)"},
		{"ab\t[b](b\t.md)", "b\t.md", "ab      [b](|b   .md|)"},
		{"日本[b](é.md)", "é.md", "日本[b](|é.md|)"},
		{"x\x1b[31m[b](\u202eb)", "\u202eb", `x\u{1b}[31m[b](|\u{202e}b|)`},
		{"\xff[b](\xfe)", "\xfe", `\xff[b](|\xfe|)`},
		{long + "[b](c)" + long, "c", "…" + strings.Repeat("ü", 34) + "[b](|c|)" + strings.Repeat("ü", 38) + "…"},
		{"[b](" + long + ")", long, "[b](|" + strings.Repeat("ü", 73) + "…|)"},
		{strings.Repeat("x", 100) + "[b](d.md)", "d.md", "…" + strings.Repeat("x", 70) + "[b](|d.md|)"},
		{"שלום [b](d.md)", "d.md", leftToRight + "שלום [b](|d.md|)"},
	} {
		at := strings.Index(c.line, c.part)
		if c.part == "c" {
			at = strings.Index(c.line, "(c)") + 1
		}
		shown, before, width := excerpt([]byte(c.line), at, len(c.part), 80)
		want := strings.ReplaceAll(c.shown, "|", "")
		front, rest, _ := strings.Cut(c.shown, "|")
		marked, _, _ := strings.Cut(rest, "|")
		wide := func(s string) int {
			return len([]rune(s)) - strings.Count(s, leftToRight) + strings.Count(s, "日") + strings.Count(s, "本")
		}
		if string(shown) != want || before != wide(front) || width != wide(marked) {
			t.Errorf("%q: %q with marks at %d, %d wide; want %q, %d, %d", c.line, shown, before, width, want, wide(front), wide(marked))
		}
	}
}

// On a terminal the line follows each finding.
func TestAuditTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	name := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(name, []byte("# x\n\n\t- not code: [b](b.md)\n\nsee [b](b.md)"), 0o666); err != nil {
		t.Fatal(err)
	}
	var o audit.Options
	var found []*audit.Finding
	o.Paths = []string{name}
	if _, err := audit.Run(t.Context(), o, func(f *audit.Finding) { found = append(found, f) }); err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	a := auditRun{renderer: renderer{terminal: true}}
	got := string(a.appendText(nil, found[0], found[0].Text()))
	if _, rest, _ := strings.Cut(got, "\n"); rest != "    5 | see [b](b.md)\n      |         ^^^^\n" {
		t.Errorf("%s", got)
	}
	// The file has changed since, so there is no excerpt.
	os.Truncate(name, 3)
	a.source = sourceFile{}
	got = string(a.appendText(nil, found[0], found[0].Text()))
	if strings.Count(got, "\n") != 1 {
		t.Errorf("%s", got)
	}
	a.source.line(name, extract.Position{})
}

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
	if code != exitFailed || strings.Count(out.String(), "\n") != 1 || !strings.Contains(errs.String(), "secret.md") || !strings.Contains(errs.String(), "closed") {
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
		"caf\xe9.md:1:40: the name on disk is \"caf\\xe9.md\", which differs in case; did you mean \"caf%E9.md\"? [case]\n"
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

// A reference with an unknown position has no mark.
func TestAuditNoColumn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.md")
	os.WriteFile(name, []byte("[1](none.md)"), 0o666)
	var s sourceFile
	if line, ok := s.line(name, extract.Position{Line: 1}); ok {
		t.Errorf("%q", line)
	}
}
