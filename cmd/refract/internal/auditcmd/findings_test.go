package auditcmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

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
	a := auditRun{renderer: output.Renderer{Terminal: true}}
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

// Hyperlinks point to the file and to the page of the rule, if that is known; standard input is no file.
func TestHyperlinks(t *testing.T) {
	f := &audit.Finding{File: "a\x1bb.md", Path: "/d/a\x1bb.md", Rule: rule.MissingFile, Message: "x", Pos: extract.Position{Line: 1, Column: 2}}
	for _, test := range []struct{ home, path, want string }{
		{"https://github.com/o/n", "/d/a\x1bb.md", "\x1b]8;;" + cli.FileLink("/d/a\x1bb.md") + "\x1b\\a\\u{1b}b.md:1:2\x1b]8;;\x1b\\: x " +
			"[\x1b]8;;https://github.com/o/n/blob/main/docs/reference/rules.md#missing-file\x1b\\missing-file\x1b]8;;\x1b\\]\n"},
		{"", "-", "a\\u{1b}b.md:1:2: x [missing-file]\n"},
	} {
		a := auditRun{links: &hyperlinks{home: test.home}}
		f.Path = test.path
		if got := string(a.appendText(nil, f, f.Text())); got != test.want {
			t.Errorf("%s: %q, want %q", test.path, got, test.want)
		}
	}
}

// A reference with a position that is not known, or cannot be, has no mark.
func TestAuditNoColumn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.md")
	os.WriteFile(name, []byte("[1](none.md)"), 0o666)
	var s sourceFile
	for _, pos := range []extract.Position{{Line: 1}, {Line: 1, Offset: 2, Column: 4}, {Line: 1, Offset: 13, Column: 14}} {
		if line, ok := s.line(name, pos); ok {
			t.Errorf("%+v: %q", pos, line)
		}
	}
}
