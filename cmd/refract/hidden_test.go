package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/testing/scantest"
)

// hiddenCharacters are all that may end a line, control a terminal, or reverse or hide the text beside them.
func hiddenCharacters() (all []rune) {
	for r := rune(1); r <= 0xffff; r++ {
		if ascii.IsHidden(r) {
			all = append(all, r)
		}
	}
	return all
}

// The list has every character that a terminal, an editor or a browser obeys or hides.
func TestHiddenCharacters(t *testing.T) {
	var want []rune
	add := func(from, to rune) {
		for r := from; r <= to; r++ {
			want = append(want, r)
		}
	}
	add(1, 0x1f)
	add(0x7f, 0x9f)
	add(0x61c, 0x61c)
	add(0x200b, 0x200f)
	add(0x2028, 0x202e)
	add(0x2060, 0x2069)
	add(0xfeff, 0xfeff)
	if got := hiddenCharacters(); string(got) != string(want) {
		t.Errorf("%U, want %U", got, want)
	}
}

// noHidden fails the test if out has a hidden character other than a line break, a tab and those of but.
func noHidden(t *testing.T, about string, out []byte, but string) {
	t.Helper()
	for i, r := range string(out) {
		_, n := utf8.DecodeRune(out[i:])
		if ascii.IsHidden(r) && r != '\n' && r != '\t' && !strings.ContainsRune(but, r) || r == utf8.RuneError && n == 1 {
			t.Errorf("%s: %U in %q", about, r, out[max(0, i-60):min(len(out), i+60)])
			return
		}
	}
}

// withoutWidth are the characters that lines for other programs keep: names in Persian and emoji have joiners.
const withoutWidth = "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u2065"

// No hidden character of the name of a file or of a reference is in any output as it is. The formats for programs
// have it nevertheless: they write it as an escape.
func TestHiddenCharactersInAllFormats(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names of files cannot have control characters")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	all := hiddenCharacters()
	var written []string // one name with all would be too long
	for i, r := range all {
		name := fmt.Sprintf("n%c%04x.md", r, r)
		// A control character in a destination of Markdown ends it, so that HTML has the reference, too.
		text := fmt.Sprintf("# t%cu\n\n[x](<gone%c%04x.md>) [y](<http://h/a%cb>) [z](#t%c) [d][l%c]\n\n<a href=\"gone&#%d;.md\">h</a> <a href=\"http://h/q&#%d;r\">i</a>\n\n[un%cused]: /x%cy\n",
			r, r, r, r, r, r, r, r, r, r)
		if os.WriteFile(name, []byte(text), 0o666) == nil {
			written = append(written, name)
		}
		if i%16 == 0 {
			os.WriteFile(fmt.Sprintf("k%c.csv", r), []byte(fmt.Sprintf("http://h/%c,x\n", r)), 0o666)
		}
	}
	if len(written) != len(all) {
		t.Fatalf("%d files, want %d", len(written), len(all))
	}
	commands := [][]string{
		{"."}, {"-n", "."}, {"--explain", "."}, {"--edges", "."}, {"--unique=sorted", "."}, {"--count", "url", "."}, {"--iri", "-n", "."},
		{"--unresolved", "-n", "."}, {"--json", "--details", "--explain", "."}, {"--csv", "."}, {"--strict", "--unresolved", "."},
		{"--html", "s.html", "-q", "-o", os.DevNull, "."},
		{"audit", "-v"}, {"audit", "--explain"}, {"audit", "--json", "-v"}, {"audit", "--orphans", "--strict"}, {"audit", "--routes"},
		{"audit", "--html", "a.html", "-q", "-o", os.DevNull}, {"audit", "--write-baseline", "base.txt", "-q", "-o", os.DevNull},
		{"rewrite", "--json", "--map", "http://h/=http://i/", "--dry-run", "."},
	}
	for _, f := range []string{"text", "json", "sarif", "junit", "github", "checkstyle", "rdjson", "gitlab", "markdown", "counts"} {
		commands = append(commands, []string{"audit", "--format", f})
	}
	names := []string{written[0], written[len(written)-8], written[30], written[40], written[len(written)-1]}
	for _, name := range names[:scantest.Amount(2, len(names))] {
		commands = append(commands, []string{"mv", "--dry-run", name, "moved.md"}, []string{"mv", "--dry-run", name, written[3]},
			[]string{name + "x"}, []string{"audit", name + "x"}, []string{"audit", "--config", name}, []string{"rewrite", "--map", "http://h/=http://i/", name + "x"})
	}
	for _, args := range commands {
		out, errs := outputOf(t, args...)
		about := fmt.Sprintf("%q", args)
		noHidden(t, about+" errors", errs, "")
		but := ""
		switch {
		case strings.Contains(about, "github"), args[0] != "audit" && args[0] != "mv" && args[0] != "--json" && args[0] != "--csv":
			but = withoutWidth
		case args[0] == "--csv":
			but = "\r" // in quotes
		}
		noHidden(t, about, out, but)
		if len(out)+len(errs) == 0 && !strings.Contains(about, "html") && !strings.Contains(about, "baseline") {
			t.Errorf("%s: no output", about)
		}
		if args[0] == "audit" && len(args) > 2 && args[1] == "--format" {
			checkNames(t, args[2], out, written)
		}
	}
	for _, name := range []string{"s.html", "a.html"} {
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		noHidden(t, name, page, "")
	}
}

// checkNames checks that a format for programs gives names exactly, except that XML has no place for C0.
func checkNames(t *testing.T, format string, out []byte, names []string) {
	t.Helper()
	var texts []string
	switch format {
	case "json", "rdjson", "gitlab":
		d := json.NewDecoder(bytes.NewReader(out))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			if s, ok := token.(string); ok {
				texts = append(texts, s)
			}
		}
	case "junit", "checkstyle":
		d := xml.NewDecoder(bytes.NewReader(out))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				for _, a := range e.Attr {
					texts = append(texts, a.Value)
				}
			}
		}
	default:
		return
	}
	found := map[string]bool{}
	for _, s := range texts {
		found[s] = true
	}
	for _, name := range names {
		if name[1] < ' ' && format != "json" && format != "rdjson" && format != "gitlab" {
			continue
		}
		if !found[name] {
			t.Errorf("%s does not name %q", format, name)
		}
	}
}
