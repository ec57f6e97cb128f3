package move

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
)

// A label is renamed where ¦ stands, with all its uses. Labels are compared as in CommonMark 6.3.
func TestLabel(t *testing.T) {
	const other = "# B\n\n[h](a.md#the-foo)\n"
	tests := []struct{ src, to, want string }{
		{"[t][fo¦o] [foo] [foo][] ![foo] ![i][FOO]\n\n[Foo]: /u\n", "bar", "[t][bar] [bar] [bar][] ![bar] ![i][bar]\n\n[bar]: /u\n"},
		{"[t][ẞ  x¦] [ss\nX]\n\n   [ẞ x]: /u \"[ẞ x]\"\n", " é  y ", "[t][é  y] [é  y]\n\n   [é  y]: /u \"[ẞ x]\"\n"},
		{"> [t][foo\n> x]\n\n[¦foo x]: /u\n", "bar", "> [t][bar]\n\n[bar]: /u\n"},
		{"[foo]: /u1\n[FOO]: /u2\n\n[¦foo] `[foo]` \\[foo] [foo](x) <i>[foo]</i>\n", "b", "[b]: /u1\n[b]: /u2\n\n[b] `[foo]` \\[foo] [foo](x) <i>[b]</i>\n"},
		{"[![foo]][fo¦o]\n\n[foo]: /u\n", "b", "[![b]][b]\n\n[b]: /u\n"},
		{"[fo¦o]\r\n\r\n[foo]: /u\r\n", "Foo", "[Foo]\r\n\r\n[Foo]: /u\r\n"},
		{"| a |\n|---|\n| [foo¦] |\n\n[foo]: /u\n", "a b", "| a |\n|---|\n| [a b] |\n\n[a b]: /u\n"},
		{"## The [foo¦]\n\n[own](#the-foo)\n\n[foo]: /u\n", "bar", "## The [bar]\n\n[own](#the-bar)\n\n[bar]: /u\n"},
		{"## The foo\n\n[t][fo¦o]\n\n[foo]: /u\n", "foo", "## The foo\n\n[t][foo]\n\n[foo]: /u\n"},

		{"[t][foo¦]\n\n[foo]: /u\n[bar]: /v\n", "BAR", `! line 4 already defines the label "BAR"`},
		{"[t][foo¦]\n\n[foo]: /u\n", " ", "! the new label must be one line of text"},
		{"[t][foo¦]\n\n[foo]: /u\n", "a\nb", "! the new label must be one line of text"},
		{"[t][foo¦]\n\n[foo]: /u\n", "a]", "! a label cannot contain brackets"},
		{"[t][foo¦]\n\n[foo]: /u\n", `a\`, `! with the label "a\\", line 1 would be read in another way`},
		{"[t][foo¦]\n\n[foo]: /u\n", "^a", `! with the label "^a", line 1 would be read in another way`},
		{"[t][foo¦]\n\n[foo]: /u\n", strings.Repeat("a", 1000), `line 1 would be read in another way`},
		{"[t][foo¦] and\n[bar] \n\n[foo]: /u\n", "bar", `! line 2 already uses the label "bar"`},
		{"[t][foo¦]\n[t][bar]\n\n[foo]: /u\n", "bar", `! line 2 already uses the label "bar"`},
		{"| a |\n|---|\n| [foo¦] |\n\n[foo]: /u\n", "a|b", `line 3 would be read in another way`},
		{"[foo¦] `\n\n[foo]: /u\n", "`", "would be read in another way"},
		{"- [foo¦] a\n\n[foo]: /u\n", "X", "! line 1: [X] could be the mark of a task or an alert"},
		{"- [t][foo¦] a\n\n[foo]: /u\n", "x", "- [t][x] a\n\n[x]: /u\n"},
		{"[t][none¦]\n", "a", "! /t/a.md has no label there"},
	}
	for _, tt := range tests {
		at := strings.Index(tt.src, "¦")
		src := strings.Replace(tt.src, "¦", "", 1)
		tree := inMemory(map[string]string{"a.md": src, "b.md": other})
		r := &Request{Options: options(tree), Label: &Label{"/t/a.md", at, tt.to}}
		got := src
		plan, err := Make(context.Background(), r)
		switch {
		case err != nil:
			got = "! " + err.Error()
		case len(plan.Problems) > 0:
			got = "! " + plan.Problems[0].String()
		}
		for i := 0; err == nil && i < len(plan.Files); i++ {
			if f := plan.Files[i]; f.Path == "/t/a.md" {
				got = string(f.New)
			} else if want := strings.ReplaceAll(other, "foo", "bar"); string(f.New) != want {
				t.Errorf("%q: %s is %q", tt.src, f.Path, f.New)
			}
		}
		if was, is := renderedLinks(t, src), renderedLinks(t, got); !strings.HasPrefix(got, "! ") && was != strings.ReplaceAll(is, "#the-bar", "#the-foo") {
			t.Errorf("%q: links to %s, before to %s", got, is, was)
		}
		if got != tt.want && (!strings.HasPrefix(got, "! ") || tt.want == "" || !strings.HasSuffix(got, tt.want)) {
			t.Errorf("%q to %q:\n%q, want\n%q", tt.src, tt.to, got, tt.want)
		}
	}
}

var renderedLink = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// renderedLinks returns the destinations in the output of cmark-gfm, or "" if that is not installed.
func renderedLinks(t *testing.T, src string) string {
	t.Helper()
	program, err := exec.LookPath("cmark-gfm")
	if err != nil {
		return ""
	}
	cmd := exec.Command(program, "--unsafe", "-e", "table", "-e", "tasklist")
	cmd.Stdin = strings.NewReader(src)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%q", renderedLink.FindAllStringSubmatch(string(out), -1))
}

// A label is not renamed if a document on the same page may use it.
func TestSharedLabel(t *testing.T) {
	for _, tt := range []struct{ use, want string }{
		{"--8<-- \"links.md\"\n\n[Foo]\n", "/t/docs/a.md is on the same page, and may use the label"},
		{"--8<-- \"links.md\"\n\n[other]\n", ""},
		{"[Foo]\n", ""},
	} {
		tree := inMemory(map[string]string{
			"mkdocs.yml":    "site_name: x\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: docs\n",
			"docs/a.md":     tt.use,
			"docs/links.md": "[t][foo]\n\n[foo]: a.md\n",
		})
		got := ""
		_, err := Make(context.Background(), &Request{Options: options(tree), Label: &Label{"/t/docs/links.md", 5, "bar"}})
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.use, got, tt.want)
		}
	}
}

// A label that a role uses has a range if it is known where it is defined.
func TestLabelRangeOfSphinx(t *testing.T) {
	const text = ":ref:`there` :ref:`none` :ref:`here` :ref:`two`\n\n.. _here:\n\nH\n=\n\n.. _two:\n\nT\n=\n\n.. toctree::\n\n   b\n"
	files := map[string]string{"conf.py": "project = 'x'\n", "index.rst": text, "b.rst": ".. _there:\n\nB\n=\n\n.. _two:\n\nC\n=\n"}
	o := options(inMemory(files))
	o.Followed = func(*audit.Followed) {}
	report, err := audit.Run(context.Background(), o, func(*audit.Finding) {})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"there": true, "none": false, "here": true, "two": true} {
		at := strings.Index(text, "`"+name) + 1
		start, end, ok := LabelRange(report, "/t/index.rst", at, []byte(text))
		if ok != want || ok && text[start:end] != name {
			t.Errorf("%s: %d %d %v, want %v", name, start, end, ok, want)
		}
	}
}

// The range of a label, at both of its ends and between them.
func TestLabelRange(t *testing.T) {
	const text = "x [foo] [bar]\n\n[foo]: /u\n"
	report, err := audit.Run(context.Background(), options(inMemory(map[string]string{"a.md": text})), func(*audit.Finding) {})
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[int]string{0: "", 2: "", 3: "foo", 5: "foo", 6: "foo", 7: "", 10: "", 16: "foo", 20: ""} {
		start, end, ok := LabelRange(report, "/t/a.md", at, []byte(text))
		if ok != (want != "") || text[start:end] != want {
			t.Errorf("%d: %q %v, want %q", at, text[start:end], ok, want)
		}
	}
}
