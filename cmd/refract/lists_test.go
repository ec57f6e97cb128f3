package main

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"example.org/refract/internal/testing/cmdtest"
)

// asPowerShell returns a text as ">" of PowerShell writes it: UTF-16 with a byte order mark, and CRLF.
func asPowerShell(text string) string {
	b := []byte{0xff, 0xfe}
	for _, c := range utf16.Encode([]rune(strings.ReplaceAll(text, "\n", "\r\n"))) {
		b = binary.LittleEndian.AppendUint16(b, c)
	}
	return string(b)
}

// Lists and baselines that PowerShell has written are read as others are.
func TestPowerShellLists(t *testing.T) {
	const mark = "\ufeff"
	const baseline = "# refract audit baseline, version 1\ndocs/ä.md\tmissing-file\tgone.md\n"
	tests := []struct {
		name, list string
		args       []string
	}{
		{"--files-from", "docs/ä.md\n", []string{"--files-from", "list"}},
		{"--baseline", baseline, []string{"audit", "--baseline", "list", "docs"}},
		{"--must-keep", "http://h/gone/\n", []string{"audit", "--format", "json", "--must-keep", "list", "--site", "http://h/=docs", "docs"}},
		{"resolve", "ä.md\n", []string{"resolve", "--base", "http://h/"}},
		{"normalize", "HTTP://H/ä\n", []string{"normalize"}},
	}
	for _, tt := range tests {
		var plain string
		for _, text := range []string{tt.list, mark + tt.list, asPowerShell(tt.list)} {
			dir := cmdtest.Files(t, map[string]string{"docs/ä.md": "[x](gone.md) http://h/ä\n", "list": text})
			cmd := exec.Command(cmdtest.Binary(t), tt.args...)
			cmd.Dir = dir
			in, err := os.Open(filepath.Join(dir, "list"))
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdin = in
			out, _ := cmd.CombinedOutput()
			in.Close()
			got := strings.ReplaceAll(string(out), dir, "")
			if plain == "" {
				plain = got
			}
			if got != plain || got == "" || strings.Contains(got, "unexpected") {
				t.Errorf("%s, %q:\n%s, want\n%s", tt.name, text, got, plain)
			}
		}
		t.Logf("%s:\n%s", tt.name, plain)
	}
}
