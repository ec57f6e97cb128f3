// Package cmdtest has what the tests of the packages of the command share.
package cmdtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Check fails the test if a page in dir differs from want. UPDATE=1 writes it.
func Check(t *testing.T, dir, name, want string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s differs from the tables of the program: run UPDATE=1 go test ./cmd/refract/... -run TestReference (%v)", file, err)
	}
}

// Table returns a table. A cell is text: what Markdown would read is escaped.
func Table(heading []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(heading)
	b.WriteString(strings.Repeat("|---", len(heading)) + "|\n")
	for _, r := range rows {
		line(r)
	}
	return b.String()
}

// Code returns text as code, "" if there is none.
func Code(text string) string {
	if text == "" {
		return ""
	}
	quote := "`"
	if strings.Contains(text, "`") {
		quote = "``"
	}
	return quote + strings.ReplaceAll(text, "|", `\|`) + quote
}

// Text returns text on one line in which Markdown reads nothing.
func Text(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer("|", `\|`, "<", `\<`, "[", `\[`, "*", `\*`, "_", `\_`, "`", "\\`", "://", "&#58;//", "www.", "www&#46;", "mailto:", "mailto&#58;").Replace(text)
}
