package move

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/reason"
)

// The text of a heading in its line stands in ⟦brackets⟧, if it is found.
func TestTextOf(t *testing.T) {
	const generated, similar, title, section = extract.GeneratedFragments, extract.SimilarFragments, extract.TitleFragments, extract.SectionFragments
	for _, tt := range []struct {
		marked       string
		format       extract.Fragments
		source, text string
	}{
		{"## ⟦B⟧", generated, "B", ""},
		{"## ⟦B⟧", generated, "", " B "},
		{"## ⟦B⟧ {#x}", generated, "B {#x}", "other"},
		{"## ⟦B⟧ {#x} ##", similar, "B {#x} ##", ""},
		{"## ⟦B⟧ ##", generated, "B ##", ""},
		{"## ⟦B⟧ {/* x */}", generated, "B {/* x */}", ""},
		{"## ⟦B#⟧", generated, "B#", ""},
		{"⟦{#x}⟧", generated, "{#x}", ""},
		{"⟦B {#x}⟧", title, "B {#x}", ""},
		{"⟦B⟧", title, "B", ""},
		{"B", title, "C", ""},
		{"B", title, "", ""},
		{"== ⟦B c⟧", section, "", ""},
		{"== ⟦B⟧ ==", section, "", ""},
		{"# ⟦B⟧ ", section, "", ""},
		{"⟦B⟧", section, "", ""},
		{"⟦=======⟧ ", section, "", ""},
		{" ", section, "", ""},
	} {
		before, rest, isThere := strings.Cut(tt.marked, "⟦")
		text, after, _ := strings.Cut(rest, "⟧")
		line := before + text + after
		from, to, ok := textOf(line, &doc.Heading{Format: tt.format, Source: tt.source, Text: tt.text})
		if ok != isThere || line[from:to] != text {
			t.Errorf("%s: %q %v", tt.marked, line[from:to], ok)
		}
	}
}

// Which lines around a title become as long as the new one.
func TestUnderline(t *testing.T) {
	const title, section = extract.TitleFragments, extract.SectionFragments
	for _, tt := range []struct {
		format     extract.Fragments
		text       string // its line that begins with "T" is the title
		old, title string
		want       string
	}{
		{title, "T\n===\n", "abc", "long", "T\n====\n"},
		{title, "T\n===\n", "abc", "a", "T\n==\n"},
		{title, "T\n=== \t\r\n", "äöü", "ab", "T\n==\r\n"},
		{title, "T\n====\n", "ab", "abc", "T\n====\n"},
		{title, "T\n====\n", "ab", "abcd", "T\n====\n"},
		{title, "T\n====\n", "ab", "äbcde", "T\n=====\n"},
		{title, "----\nT\n----\n", "abcd", "abcde", "-----\nT\n-----\n"},
		{title, "T\n==", "ab", "abc", "T\n==="},
		{title, "T\n=\n", "a", "abc", "T\n=\n"},
		{title, "T\n\n", "", "abc", "T\n\n"},
		{title, "T\n=-=\n", "abc", "abcd", "T\n=-=\n"},
		{title, "T\nxxx\n", "abc", "abcd", "T\nxxx\n"},
		{title, "T\n:::\n", "abc", "abcd", "T\n::::\n"},
		{title, "T\n", "abc", "abcd", "T\n"},
		{title, "T", "abc", "abcd", "T"},
		{title, "---\nT", "abc", "abcd", "----\nT"},
		{section, "T\n=====\n", "abc", "abcd", "T\n====\n"},
		{extract.GeneratedFragments, "T\n===\n", "abc", "abcd", "T\n===\n"},
	} {
		lines := bytes.SplitAfter([]byte(tt.text), []byte{'\n'})
		i := 0
		for lines[i][0] != 'T' {
			i++
		}
		underline(lines, i, tt.old, tt.title, tt.format)
		if got := string(bytes.Join(lines, nil)); got != tt.want {
			t.Errorf("%q, from %q to %q: %q, want %q", tt.text, tt.old, tt.title, got, tt.want)
		}
	}
}

// A heading is found by its id or by its line, also in the last one; if the document is no longer the one that was audited,
// it is not renamed.
func TestRenamed(t *testing.T) {
	const text = "x\n\n# A"
	report, err := audit.Run(context.Background(), options(inMemory(map[string]string{"a.md": text})), func(*audit.Finding) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		h          Heading
		text, want string
	}{
		{Heading{ID: "a", Text: " B "}, text, "x\n\n# B"},
		{Heading{Line: 3, Text: "B"}, text, "x\n\n# B"},
		{Heading{Line: 2, Text: "B"}, text, `/t/a.md has no heading with the id ""`},
		{Heading{ID: "b", Line: 3, Text: "B"}, text, `/t/a.md has no heading with the id "b"`},
		{Heading{ID: "a", Text: "B"}, "x\n", "the document has changed"},
		{Heading{ID: "a", Text: "B"}, "x\n\n# C", "the text of the heading in line 3 was not found"},
	} {
		tt.h.Path = "/t/a.md"
		made, was, err := renamed(report, &tt.h, []byte(tt.text))
		got := string(made)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want || err == nil && was != "A" {
			t.Errorf("%+v: %q, was %q, want %q", tt.h, got, was, tt.want)
		}
	}
}

// The range in which two lines differ, and where it ends in the second, splits no character.
func TestDifference(t *testing.T) {
	for _, tt := range []struct {
		old, made      string
		start, end, to int
	}{
		{"", "", 0, 0, 0},
		{"a", "", 0, 1, 0},
		{"", "a", 0, 0, 1},
		{"abc", "abc", 3, 3, 3},
		{"aab", "ab", 1, 2, 1},
		{"ab", "aab", 1, 1, 2},
		{"ä", "ö", 0, 2, 2},         // the same first byte
		{"xä", "xä\u0301", 3, 3, 5}, // the end of one
		{"xäy", "xy", 1, 3, 1},
		{"é", "ĩ", 0, 2, 2}, // the same last byte
		{"é", "x\u0129", 0, 2, 3},
		{"aé", "aĩ", 1, 3, 3},
		{"日", "旤", 0, 3, 3},
		{"\x80a", "\x81a", 0, 1, 1}, // no characters
		{"xä", "x\xc3", 1, 3, 2},    // a half
		{"x\xc3", "xä", 1, 2, 3},
	} {
		start, end, to := difference([]byte(tt.old), []byte(tt.made))
		if start != tt.start || end != tt.end || to != tt.to {
			t.Errorf("%q and %q: %d-%d, %d, want %d-%d, %d", tt.old, tt.made, start, end, to, tt.start, tt.end, tt.to)
		}
	}
	for c, want := range map[byte]bool{0: false, 'a': false, 0x7f: false, 0x80: true, 0xbf: true, 0xc0: false, 0xff: false} {
		if isContinuation(c) != want {
			t.Errorf("%x: %v", c, !want)
		}
	}
	for text, want := range map[string]string{"": "", "a": "a", "a\nb": "a", "\na": ""} {
		if got := firstLine([]byte(text)); string(got) != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A value of a configuration is replaced where exactly it is written, and by what needs no quotes.
func TestApplyNavigation(t *testing.T) {
	const text = "a.md b.md"
	at := func(offset, length int, raw, ref string) edit {
		f := &audit.Followed{Pos: extract.Position{Offset: int64(offset), Length: length, Exact: true}, Ref: &extract.Reference{Raw: []byte(raw)}}
		return edit{f, f, ref}
	}
	inexact := at(0, 4, "a.md", "c.md")
	inexact.is.Pos.Exact = false
	for _, tt := range []struct {
		edits []edit
		want  string
	}{
		{[]edit{at(0, 4, "a.md", "c.md"), at(5, 4, "b.md", "d.md")}, "c.md d.md"},
		{[]edit{at(5, 4, "b.md", "d.md"), at(0, 4, "a.md", "c.md")}, "c.md d.md"},
		{[]edit{at(0, 5, "a.md ", "c.md"), at(5, 4, "b.md", "d.md")}, "c.mdd.md"},
		{[]edit{at(0, 4, "a.md", "c.md"), at(2, 2, "md", "rst")}, "c.md b.md, not 2"},
		{[]edit{at(5, 5, "b.md", "d.md")}, text + ", not 5"},
		{[]edit{at(5, 4, "c.md", "d.md")}, text + ", not 5"},
		{[]edit{inexact}, text + ", not 0"},
		{[]edit{at(0, 4, "a.md", "c: d.md")}, text + ", not 0"},
	} {
		made, problems := new(planner).applyNavigation([]byte(text), tt.edits)
		got := string(made)
		for _, p := range problems {
			got += fmt.Sprintf(", not %d", p.Pos.Offset)
		}
		if got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

// A path is a directory, or in it.
func TestBelow(t *testing.T) {
	for _, tt := range []struct {
		p, dir string
		want   bool
	}{{"/a", "/a", true}, {"/a/b", "/a", true}, {"/ab", "/a", false}, {"/a", "/a/b", false}, {"/b/c", "/a", false}, {"/a/", "/a", true}, {"/b", "/a", false}, {"/", "/", true}} {
		if got := below(tt.p, tt.dir); got != tt.want {
			t.Errorf("%s in %s: %v", tt.p, tt.dir, got)
		}
	}
}

// Findings are new by their files, lines and rules. If there are none, reasons for which more is skipped are problems, but
// not of a move that is undone.
func TestNewFindings(t *testing.T) {
	x, y := reason.New(reason.Build, "x", "because x"), reason.New(reason.Build, "y", "because y")
	skipped := func(reasons map[audit.Reason]int) *graph {
		g := &graph{report: &audit.Report{Reasons: reasons}}
		for _, n := range reasons {
			g.report.Skipped += n
		}
		return g
	}
	found := func(g *graph, lines ...int) *graph {
		for _, line := range lines {
			g.findings = append(g.findings, &audit.Finding{Path: "a.md", Pos: extract.Position{Line: line}, Rule: rule.MissingFile, Message: "gone"})
		}
		return g
	}
	type reasons = map[audit.Reason]int
	for _, tt := range []struct {
		before, after *graph
		isRecalled    bool
		want          string
	}{
		{skipped(reasons{x: 1}), skipped(reasons{x: 3}), false, "2 more references or labels could not be checked: because x"},
		{skipped(reasons{x: 1}), skipped(reasons{x: 3}), true, ""},
		{skipped(reasons{x: 1}), skipped(reasons{y: 1}), false, ""},
		{skipped(reasons{x: 1, y: 1}), skipped(reasons{x: 1, y: 2}), false, "1 more references or labels could not be checked: because y"},
		{skipped(reasons{x: 3}), skipped(reasons{y: 1}), false, ""},
		{found(skipped(nil), 1, 2), found(skipped(nil), 2, 1), false, ""},
		{found(skipped(nil), 1), found(skipped(nil), 1, 1), false, "would have a new finding: gone [missing-file]"},
		{found(skipped(nil), 1), found(skipped(nil), 2), true, "would have a new finding: gone [missing-file]"},
		{found(skipped(nil), 1), found(skipped(reasons{x: 3}), 2), false, "would have a new finding: gone [missing-file]"},
	} {
		p := &planner{request: &Request{Options: audit.Options{Dir: "/t"}}, isRecalled: tt.isRecalled}
		var got []string
		for _, problem := range p.newFindings(tt.before, tt.after) {
			got = append(got, problem.Why)
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// Moves are remembered in the directory of a repository, and not in a file that points to one.
func TestMemoryName(t *testing.T) {
	for text, want := range map[string]string{"directory": ".git/refract-moves.json", "file": "", "nothing": ""} {
		root := t.TempDir()
		switch text {
		case "directory":
			os.Mkdir(filepath.Join(root, ".git"), 0o777)
		case "file":
			os.WriteFile(filepath.Join(root, ".git"), []byte("gitdir: x\n"), 0o666)
		}
		if want != "" {
			want = filepath.Join(root, want)
		}
		if got, ok := (&diskTree{Root: root, Git: true}).memoryName(); got != want || ok != (want != "") {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if got, ok := (&diskTree{Root: root}).memoryName(); got != "" || ok {
			t.Errorf("%s, without a repository: %s", text, got)
		}
	}
}

// The working directory has the name that symbolic links point to.
func TestFindByLink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	os.Mkdir(filepath.Join(dir, "d"), 0o777)
	if err := os.Symlink("d", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	t.Chdir(filepath.Join(dir, "link"))
	tree, err := findTree("a.md")
	if err != nil || tree.Root != filepath.Join(dir, "d") {
		t.Errorf("%+v, %v", tree, err)
	}
}

// Where a reference has to lead after a move: the place counts only if something has moved that it depends on.
func TestGoal(t *testing.T) {
	p := &planner{request: &Request{Renames: []Rename{{"/t/a.md", "/t/b.md"}}}}
	for _, tt := range []struct {
		path, target, wantTarget, wantPlace string
	}{
		{"/t/c.md", "", "", ""},
		{"/t/c.md", "/t/a.md", "/t/b.md", "place"},
		{"/t/c.md", "/t/d.md", "/t/d.md", "place"},
		{"/t/a.md", "", "", "place"},
	} {
		g := p.goal(&audit.Followed{Path: tt.path, Target: tt.target, Place: "place", Uses: map[string]string{"/t/a.md": "/t/d.md"}}, p.target(tt.path))
		if g.Target != tt.wantTarget || g.Place != tt.wantPlace || len(g.Uses) != 1 || g.Uses["/t/b.md"] != "/t/d.md" {
			t.Errorf("%+v: %+v", tt, g)
		}
	}
}

// The documents that change are those whose text differs, by their old names.
func TestFiles(t *testing.T) {
	p := &planner{request: &Request{Renames: []Rename{{"/t/a.md", "/t/b.md"}}}, under: inMemory(map[string]string{"a.md": "a", "c.md": "c"})}
	p.texts = map[string][]byte{"/t/b.md": []byte("new"), "/t/c.md": []byte("c"), "/t/d.md": {}}
	var got []string
	files, err := p.files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		got = append(got, fmt.Sprintf("%s %s %s %s", f.Path, f.To, f.Old, f.New))
	}
	if want := []string{"/t/a.md /t/b.md a new", "/t/d.md /t/d.md  "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
