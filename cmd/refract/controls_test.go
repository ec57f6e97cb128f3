package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"example.org/refract/internal/testing/scantest"
)

// cleanLines fails the test at the first line of out that contains a control character, except for
// tabs between columns.
func cleanLines(t *testing.T, about string, out []byte, columns int) (lines int) {
	t.Helper()
	for line := range bytes.Lines(out) {
		lines++
		line = bytes.TrimSuffix(line, []byte("\n"))
		if n := bytes.Count(line, []byte("\t")) + 1; n > columns {
			t.Errorf("%s: %q has %d columns, want at most %d", about, line, n, columns)
		}
		for _, r := range string(bytes.ReplaceAll(line, []byte("\t"), nil)) {
			if unicode.IsControl(r) || r == 0x2028 || r == 0x2029 {
				t.Errorf("%s: %q holds %U", about, line, r)
				break
			}
		}
	}
	return lines
}

// outputOf runs the command and returns what it writes.
func outputOf(t *testing.T, args ...string) (stdout, stderr []byte) {
	t.Helper()
	var out, errs bytes.Buffer
	run(args, &out, &errs)
	return out.Bytes(), errs.Bytes()
}

// A character in the authority that ends a line must not end a line of output.
func TestInjectedLines(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	os.WriteFile("a.md", []byte("[a](<http://h&#10;http://injected.example/>) [b](<//h&#27;[2J/x>)\n"), 0o666)
	os.WriteFile("a.atom", []byte(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://h&#10;http://x.example/">`+
		`<link href="http://h&#10;http://injected.example/"/><link href="y"/></feed>`), 0o666)
	for _, file := range []string{"a.md", "a.atom"} {
		for _, args := range [][]string{
			{}, {"-n"}, {"--explain"}, {"--unique=sorted"}, {"--count", "host"}, {"--count", "url"}, {"--edges"}, {"--iri"},
			{"--unresolved"}, {"--canonical=normal"}, {"--parser-differences", "--unresolved"}, {"--json"}, {"--base", "http://z/"},
		} {
			out, errs := outputOf(t, append(args, file)...)
			cleanLines(t, fmt.Sprint(file, args), out, 4)
			cleanLines(t, fmt.Sprint(file, args), errs, 1)
			if bytes.Contains(out, []byte("\nhttp://injected")) {
				t.Errorf("%s %v: %q", file, args, out)
			}
		}
	}
	if out, _ := outputOf(t, "a.md"); string(out) != "http://h%0Ahttp://injected.example/\n" {
		t.Errorf("%q", out)
	}
	bad := "http://h\nhttp://injected.example/\x1b[2J\u0085\u2028x"
	want := "http://h%0Ahttp://injected.example/%1B[2J%C2%85%E2%80%A8x\n"
	if out, _ := outputOf(t, "resolve", "--base", "http://z/", bad); string(out) != want {
		t.Errorf("%q", out)
	}
	if out, _ := outputOf(t, "normalize", "--form", "percent", bad); string(out) != want {
		t.Errorf("%q", out)
	}
	for _, args := range [][]string{
		{"resolve", "--parts", bad}, {"resolve", "--check", bad}, {"resolve", "--explain", "--base", bad, "x\ny"},
		{"resolve", "--compare", "--base", "http://z/", "x\ny"}, {"resolve", "--relative-to", bad, bad + "\nb"},
		{"resolve", "--parser-differences", "--base", "http://z/", "http://h\\\x1b/x\ty"},
		{"resolve", "--parts", "gopher://h/0a%0Ab%09c%1Bd"}, {"normalize", "--no-fragment", bad},
		{"normalize", "--surt", bad},
	} {
		out, _ := outputOf(t, args...)
		cleanLines(t, fmt.Sprint(args), out, 2)
		if len(out) == 0 || bytes.Contains(out, []byte("\nhttp://injected")) {
			t.Errorf("%q: %q", args, out)
		}
	}
}

// No byte of a reference, a file name or a header ends a line, adds a column or reaches a terminal,
// in any form of the output.
func TestAllBytes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	isSpecial := func(c int) bool { return strings.ContainsRune("\x00\t\n\r\x1b\x7f\u0085\u009b=%[", rune(c)) }
	forms := [][]string{
		{}, {"-n"}, {"--explain"}, {"--edges"}, {"--unique=sorted"}, {"--count", "host"}, {"--count", "url"},
		{"--json", "--details", "--explain"}, {"--iri"}, {"--iri", "-n"}, {"--canonical=normal,unicode"}, {"--strict"}, {"--resolution", "whatwg"},
		{"--resolution", "rfc1808", "--base", "http://z/a/b"}, {"--unresolved"}, {"--csv"}, {"--csv=raw"}, {"--parser-differences", "--unresolved"}, {"--undo", "json"},
	}
	place := []string{"http://%s/p", "http://u%s@h/p", "http://h:8%s/p", "http://[::1%s]/p", "http://h/p%sq", "http://h/?q%sr", "http://h/#f%sg", "htt%sp://h/", "mailto:a%sb", "//h%s/x", "p%sq/r", "%s"}
	for c := range 256 {
		if !isSpecial(c) && !scantest.IsLong() {
			continue
		}
		char := string([]byte{byte(c)})
		reference := fmt.Sprintf("&#%d;", c)
		for _, files := range []map[string]string{pageOf(place, char), pageOf(place, reference), messageOf(char)} {
			for name, text := range files {
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				for i, form := range forms {
					if scantest.IsLong() && isSpecial(c) || (i+c)%len(forms) == 0 { // each byte in each place, in one of the forms
						checkForm(t, form, name)
					}
				}
			}
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	for c := 1; c < 256; c++ {
		name := filepath.Join("d", "-"+string([]byte{byte(c)})+"x.md")
		os.RemoveAll("d")
		os.Mkdir("d", 0o777)
		if c == '/' || !(isSpecial(c) || scantest.IsLong()) || os.WriteFile(name, []byte("[a](none.md) http://h/\n[b]: \\\n<a href=\"&#27;\">"), 0o666) != nil {
			continue
		}
		for i, form := range forms {
			if scantest.IsLong() && isSpecial(c) || (i+c)%len(forms) == 0 {
				checkForm(t, form, name)
				checkForm(t, form, "d")
			}
		}
		for i, form := range []string{"text", "json", "sarif", "junit", "github", "checkstyle", "rdjson", "gitlab", "markdown", "counts"} {
			if !isSpecial(c) && (i+c)%3 != 0 {
				continue
			}
			out, errs := outputOf(t, "audit", "--explain="+fmt.Sprint(form == "text"), "--format", form, "d")
			about := fmt.Sprintf("audit %s with %q", form, name)
			cleanLines(t, about, errs, 1)
			if form == "text" || form == "github" || form == "markdown" || form == "counts" {
				cleanLines(t, about, out, 1)
			}
			if len(out) == 0 {
				t.Errorf("%s: nothing found", about)
			}
		}
		out, _ := outputOf(t, "audit", "--dry-run", "d")
		cleanLines(t, "diff", out, 2)
	}
}

// pageOf returns documents with what inserted in each place.
func pageOf(place []string, what string) map[string]string {
	var html, md, text strings.Builder
	for _, p := range place {
		ref := fmt.Sprintf(p, what)
		fmt.Fprintf(&html, "<a href=\"%s\">x</a>\n", ref)
		fmt.Fprintf(&md, "[x](<%s>) [x](%s)\n\n<%s>\n\n", ref, ref, ref)
		fmt.Fprintf(&text, "see <URL:%s> or %s or \"%s\"\n", ref, ref, ref)
	}
	return map[string]string{"a.html": html.String(), "a.md": md.String(), "a.txt": text.String(),
		"a.atom": "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://h" + what + "/'>" + strings.ReplaceAll(html.String(), "<a href", "<link href") + "</feed>"}
}

// messageOf returns a message with what inserted in its headers.
func messageOf(what string) map[string]string {
	var b strings.Builder
	for _, h := range []string{"From: a" + what + "@b", "Subject: s" + what + "t", "Message-ID: <i" + what + "d@h>", "Date: d" + what, "Content-Base: http://h" + what + "/",
		"Content-Location: l" + what + "m", "List-Archive: <http://h" + what + "/x>", "Content-Type: text/plain; charset=utf-8"} {
		b.WriteString(h + "\n")
	}
	return map[string]string{"a.eml": b.String() + "\nsee http://h/ and <URL:../x>\n", "a.warc": "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h" + what +
		"/\r\nContent-Type: text/html\r\nContent-Length: 12\r\n\r\n<a href='x'>\r\n\r\n"}
}

// checkForm runs the command with the flags of a form, and checks its output.
func checkForm(t *testing.T, form []string, name string) {
	t.Helper()
	out, errs := outputOf(t, append(append([]string{}, form...), "--", name)...)
	about := fmt.Sprintf("%v %q", form, name)
	cleanLines(t, about, errs, 1)
	switch {
	case len(form) > 0 && form[0] == "--json":
		for line := range bytes.Lines(out) {
			if !json.Valid(line) || !utf8.Valid(line) {
				t.Errorf("%s: %q is no JSON", about, line)
			}
		}
	case len(form) > 0 && strings.HasPrefix(form[0], "--csv"):
		rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
		if err != nil || len(rows) == 0 {
			t.Errorf("%s: %v", about, err)
		}
		for _, row := range rows {
			for i, cell := range row {
				if form[0] == "--csv" && cell != "" && strings.Contains("=+-@\t", cell[:1]) {
					t.Errorf("%s: a spreadsheet computes %q", about, cell)
				}
				if rows[0][i] == "url" && cleanLines(t, about, []byte(cell), 1) > 1 {
					t.Errorf("%s: %q", about, cell)
				}
			}
		}
	default:
		cleanLines(t, about, out, 3)
	}
}
