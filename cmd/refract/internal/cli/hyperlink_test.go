package cli

import (
	"path/filepath"
	"regexp"
	"testing"
)

func TestHyperlinked(t *testing.T) {
	for _, test := range []struct {
		when, term string
		toTerminal bool
		want       bool
	}{
		{"auto", "xterm-256color", true, true},
		{"auto", "xterm-256color", false, false},
		{"auto", "dumb", true, false},
		{"auto", "", true, true},
		{"always", "dumb", false, true},
		{"never", "xterm", true, false},
	} {
		t.Setenv("TERM", test.term)
		if got := Hyperlinked(test.when, test.toTerminal); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// A URL in an escape sequence has printable ASCII only, whatever the name of the file.
func TestFileLink(t *testing.T) {
	form := regexp.MustCompile(`^file://[A-Za-z0-9._-]*/[!-~]+$`)
	for _, name := range []string{"a.md", "a b.md", "\x1b]8;;x\x1b\\", "\a\n\xff", "é#?%", "日本.md"} {
		if got := FileLink(filepath.Join(t.TempDir(), name)); !form.MatchString(got) {
			t.Errorf("%q: %q", name, got)
		}
	}
	if got := string(AppendLink([]byte("> "), "file://h/a", []byte("a"))); got != "> \x1b]8;;file://h/a\x1b\\a\x1b]8;;\x1b\\" {
		t.Errorf("%q", got)
	}
	if got := string(AppendLink(nil, "", []byte("a"))); got != "a" {
		t.Errorf("%q", got)
	}
}
