package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/testing/scantest"
)

// formats are all formats for other programs, by name.
var formats = map[string]func(*Run, io.Writer) error{
	"sarif": (*Run).SARIF, "junit": (*Run).JUnit, "github": (*Run).GitHub, "checkstyle": (*Run).Checkstyle, "rdjson": (*Run).RDJSON,
	"gitlab": (*Run).GitLab, "markdown": (*Run).Markdown, "counts": (*Run).Counts,
}

// hostile holds documents whose names and text try to break out of the format that quotes them.
var hostile = map[string]string{
	"a b.md":               "[x](none.md)\n",
	"100%.md":              "[x](none.md) [y](none.md)\n",
	"new\nline.md":         "[x](none.md)\n",
	"esc\x1b[31m.md":       "[x](none.md)\n",
	"nul\x01.md":           "[x](none.md)\n",
	"bad\xff.md":           "[x](none.md)\n",
	"a:b,c=d.md":           "[x](none.md)\n",
	"::error file=x::y.md": "[x](none.md)\n",
	"\"'<>&.md":            "[x](none.md)\n",
	"]]>.md":               "[x](<a]]>b.md>)\n",
	"日本.md":                "日本語 😀 [x](日本語.md) [y](none.md)\n",
	"\u202erewsna.md":      "[x](none.md)\n",
	"C:\\x.md":             "[x](none.md)\n",
	"refs.md":              "[x](\"q\".md) [x](a&amp;b.md) [x](n\xff.md) [x](<e\x1b[31m.md>) [x](<%0Anone.md>)\n",
	"labels.md":            "[x][a\x1b[31m] [y][]]>\"<&] [z][%25::error::\u202e]\n",
	"latin.md":             "[Á\xff][b\xff]\n",
	"spelled.md":           "[x](Whole.md) [y](whole.md) [z](#none) [w]()\n",
	"whole.md":             "# Whole\n",
	"crlf.html":            "<p>\r\n<a href=\"a\r\nb.html\">x</a> <a href=\"none.html\">y</a>\r\n",
	"bom.md":               "\ufeff[x](none.md)\n",
	"latin.html":           "<p>\xe9\xe9 <a href=\"none.html\">x</a>\n<a href=\"none.html\">x</a>\n",
	"dir/up.md":            "[x](../../out.md) [x](../none.md)\n",
}

// auditTree audits the hostile documents, from the directory that they are in.
func auditTree(t *testing.T) *Run {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range hostile {
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Logf("not here: %v", err) // a system that has no such names
		}
	}
	args := []string{".", "none\x1b\xff]]>"}
	r := &Run{Version: "v1.2.3", Args: args}
	o := audit.Options{Orphans: true}
	var err error
	o.Paths = args
	if r.Report, err = audit.Run(t.Context(), o, func(f *audit.Finding) { r.Findings = append(r.Findings, f) }); err != nil {
		t.Fatal(err)
	}
	r.Notes = append(r.Notes, audit.Note{File: "a b.md", Pos: extract.Position{Line: 1, Column: 1}, Text: "odd\x1b]]>"})
	if len(r.Findings) < 30 || len(r.Errors) != 1 || len(r.Names) != r.Documents {
		t.Fatalf("%d findings, %d errors, %d of %d names", len(r.Findings), len(r.Errors), len(r.Names), r.Documents)
	}
	return r
}

func written(t *testing.T, r *Run, format string) []byte {
	t.Helper()
	var b, again bytes.Buffer
	if err := formats[format](r, &b); err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(b.Bytes()) {
		t.Errorf("%s is not UTF-8", format)
	}
	if formats[format](r, &again); !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("%s differs when it is written again", format)
	}
	return b.Bytes()
}

// text returns s as the formats contain it.
func text(s string) string { return string([]rune(s)) }

// xmlText returns s as XML 1.0 can contain it (2.2).
func xmlText(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xfffe || c == 0xffff {
			return utf8.RuneError
		}
		return c
	}, text(s))
}

func TestCheckstyle(t *testing.T) {
	r := auditTree(t)
	var got checkstyle
	if err := xml.Unmarshal(written(t, r, "checkstyle"), &got); err != nil {
		t.Fatal(err)
	}
	type row struct{ file, rule, level, message string }
	var rows, want []row
	files := map[string]bool{}
	for _, f := range got.Files {
		if files[f.Name] {
			t.Errorf("%q is there twice", f.Name)
		}
		files[f.Name] = true
		for _, e := range f.Errors {
			rows = append(rows, row{f.Name, strings.TrimPrefix(e.Source, "refract."), e.Severity, e.Message})
		}
	}
	for _, f := range r.Findings {
		want = append(want, row{xmlText(f.File), string(f.Rule), levelIn(f, "info"), xmlText(f.Text())})
	}
	for _, e := range r.Errors {
		want = append(want, row{xmlText(e.File), "unreadable", "error", xmlText(e.Err.Error())})
	}
	for _, n := range r.Notes {
		want = append(want, row{xmlText(n.File), "note", "info", xmlText(n.Text)})
	}
	sortRows := func(rows []row) { // by file, which is not the order of orphans, errors and notes
		slices.SortStableFunc(rows, func(x, y row) int { return strings.Compare(x.file, y.file) })
	}
	sortRows(rows)
	sortRows(want)
	if !slices.Equal(rows, want) {
		t.Errorf("got\n%q\nwant\n%q", rows, want)
	}
}

func TestRDJSON(t *testing.T) {
	r := auditTree(t)
	var got rdResult
	d := json.NewDecoder(bytes.NewReader(written(t, r, "rdjson")))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if n := len(r.Findings) + len(r.Errors) + len(r.Notes); len(got.Diagnostics) != n {
		t.Fatalf("%d diagnostics, not %d", len(got.Diagnostics), n)
	}
	known := 0
	for i, f := range r.Findings {
		d := got.Diagnostics[i]
		if d.Message != text(f.Text()) || d.Location.Path != text(f.File) || d.Code.Value != string(f.Rule) ||
			(d.Severity == "ERROR") != (f.Rule.Level() == rule.LevelError) {
			t.Errorf("%+v of %s: %s", d, f.File, f.Text())
		}
		at := d.Location.Range
		if at.Start.Line != f.Pos.Line {
			t.Errorf("%s: line %d, not %d", f.File, at.Start.Line, f.Pos.Line)
		}
		if at.End == nil {
			continue
		}
		known++
		if at.Start.Column != f.Pos.Column {
			t.Errorf("%s: column %d, not %d", f.File, at.Start.Column, f.Pos.Column)
		}
		src, _ := os.ReadFile(f.Path)
		from, to := offset(src, at.Start), offset(src, *at.End)
		if from != int(f.Pos.Offset) || to != from+f.Pos.Length {
			t.Errorf("%s: %v to %v is %d to %d, not %d and %d", f.File, at.Start, *at.End, from, to, f.Pos.Offset, f.Pos.Length)
		}
		for _, s := range d.Suggestions {
			if s.Text != f.Suggestion {
				t.Errorf("suggestion %q, not %q", s.Text, f.Suggestion)
			}
		}
	}
	if known < 20 {
		t.Errorf("only %d with an end", known)
	}
}

// offset returns the offset in a file of a position of RDJSON.
func offset(src []byte, p rdPosition) int {
	at := 0
	for range p.Line - 1 {
		at += bytes.IndexByte(src[at:], '\n') + 1
	}
	return at + p.Column - 1
}

// Commands are parsed as GitHub's runner parses them.
func TestGitHub(t *testing.T) {
	r := auditTree(t)
	lines := strings.Split(strings.TrimSuffix(string(written(t, r, "github")), "\n"), "\n")
	if n := len(r.Findings) + len(r.Errors) + len(r.Notes); len(lines) != n {
		t.Fatalf("%d lines, not %d", len(lines), n)
	}
	for i, line := range lines {
		rest, ok := strings.CutPrefix(line, "::")
		info, data, ok2 := strings.Cut(rest, "::")
		level, list, ok3 := strings.Cut(info, " ")
		if !ok || !ok2 || !ok3 || strings.ContainsFunc(data, func(c rune) bool { return c < ' ' || unicode.Is(unicode.Bidi_Control, c) }) {
			t.Fatalf("%q", line)
		}
		properties := map[string]string{}
		for p := range strings.SplitSeq(list, ",") {
			name, value, _ := strings.Cut(p, "=")
			properties[name] = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(value)
		}
		if i >= len(r.Findings) {
			continue
		}
		f := r.Findings[i]
		message := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(data)
		if level != levelIn(f, "notice") || properties["title"] != string(f.Rule) || properties["file"] != fileProperty.Replace(text(f.File)) ||
			message != printable(f.Text()) || properties["line"] != fmt.Sprint(f.Pos.Line) {
			t.Errorf("%q of %s: %s", line, f.File, f.Text())
		}
	}
}

// fileProperty returns a name of auditTree as the runner would decode it.
var fileProperty = strings.NewReplacer("\x1b", "%1B", "\x01", "%01", "\u202e", "%E2%80%AE")

// A run without findings is valid, too.
func TestNothing(t *testing.T) {
	for _, format := range slices.Sorted(maps.Keys(formats)) {
		out := written(t, &Run{Report: &audit.Report{}}, format)
		if (len(out) == 0) != (format == "github") {
			t.Errorf("%s: %q", format, out)
		}
	}
}

// Writing that fails is an error.
func TestFailure(t *testing.T) {
	r := &Run{Report: &audit.Report{Errors: []audit.Failure{{File: "x", Err: errors.New("y")}}}}
	for _, format := range slices.Sorted(maps.Keys(formats)) {
		if err := formats[format](r, broken{}); err == nil {
			t.Errorf("%s: no error", format)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }

// findingAt returns a finding about the marked part of a document, which it writes to a file.
func findingAt(t *testing.T, marked string) *audit.Finding {
	t.Helper()
	before, rest, _ := strings.Cut(marked, "⟦")
	raw, after, ok := strings.Cut(rest, "⟧")
	if !ok {
		t.Fatalf("%q", marked)
	}
	name := filepath.Join(t.TempDir(), "x.md")
	if err := os.WriteFile(name, []byte(before+raw+after), 0o666); err != nil {
		t.Fatal(err)
	}
	f := &audit.Finding{File: "x.md", Path: name, Rule: rule.MissingFile, Ref: &extract.Reference{
		Entity: new(extract.Entity), Raw: []byte(raw), Ref: []byte(raw),
		Pos: extract.Position{
			Offset: int64(len(before)), Length: len(raw), Line: 1 + strings.Count(before, "\n"),
			Column: len(before) - strings.LastIndexByte(before, '\n'), Exact: true,
		},
	}}
	f.Pos = f.Ref.Pos
	return f
}

func TestRegion(t *testing.T) {
	for _, tt := range []struct{ marked, want string }{
		{"[x](⟦a.md⟧)", "1:5-1:9"},
		{"\n\n⟦a.md⟧", "3:1-3:5"},
		{"é [x](⟦é.md⟧)", "1:7-1:11"},
		{"日本語 😀 [x](⟦😀.md⟧)", "1:12-1:17"}, // 😀 is two units
		{"\ufeff[x](⟦a.md⟧)", "1:5-1:9"},
		{"\n\ufeff[x](⟦a.md⟧)", "2:6-2:10"},
		{"é\r\n\té [x](⟦a\r\né.md⟧)", "2:8-3:5"},
		{"[x](⟦a\n⟧)", "1:5-2:1"},
		{"[x](⟦⟧)", "1:5-1:5"},
		{"\xe9 [x](⟦a.md⟧)", "1:0-0:0"}, // ISO 8859-1, or anything
		{"\xe9\n[x](⟦a.md⟧)", "2:5-2:9"},
		{"[x](⟦\xe9.md⟧)", "1:0-0:0"},
		{"x\x00 [x](⟦a.md⟧)", "1:0-0:0"},
	} {
		var s source
		f := findingAt(t, tt.marked)
		r := s.region(f)
		if got := fmt.Sprintf("%d:%d-%d:%d", r.line, r.column, r.endLine, r.endColumn); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.marked, got, tt.want)
		}
	}
}

// For a document that has changed since, only lines are reported.
func TestChanged(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(f *audit.Finding)
	}{
		{"gone", func(f *audit.Finding) { os.Remove(f.Path) }},
		{"cut", func(f *audit.Finding) { os.Truncate(f.Path, 8) }},
		{"other text", func(f *audit.Finding) { os.WriteFile(f.Path, []byte("\n\n[x](b.md)\n"), 0o666) }},
		{"other lines", func(f *audit.Finding) { os.WriteFile(f.Path, []byte("..[x](a.md)\n"), 0o666) }},
		{"standard input", func(f *audit.Finding) { f.Path = "-" }},
		{"a directory", func(f *audit.Finding) { f.Path = filepath.Dir(f.Path) }},
		{"column unknown", func(f *audit.Finding) { f.Pos.Column = 0 }},
	} {
		f := findingAt(t, "\n\n[x](⟦a.md⟧)\n")
		f.Suggestion = "b.md"
		tt.do(f)
		var s source
		if r := s.region(f); r != (region{line: 3}) {
			t.Errorf("%s: %+v", tt.name, r)
		} else if _, ok := fix(f, &r); ok {
			t.Errorf("%s: a fix", tt.name)
		}
		b := s.region(f)
		if p := b.sarif(f); p.StartLine != 3 || *p.ByteOffset != 6 || *p.ByteLength != 4 {
			t.Errorf("%s: %+v", tt.name, p)
		}
	}
}

func TestFix(t *testing.T) {
	for _, tt := range []struct {
		suggestion string
		do         func(*audit.Finding)
		want       bool
	}{
		{"b.md", nil, true},
		{"../a-b_c/~d.md?x#y%20z", nil, true},
		{"https://example.org:80/a@b+c", nil, true},
		{"", nil, false},
		{"a b.md", nil, false},
		{"a\nb.md", nil, false},
		{"a\"b.md", nil, false},
		{"a'b.md", nil, false},
		{"a<b.md", nil, false},
		{"a>b.md", nil, false},
		{"a&b.md", nil, false},
		{"a(b.md", nil, false},
		{"a)b.md", nil, false},
		{`a\b.md`, nil, false},
		{"a=b.md", nil, false}, // of quoted-printable
		{"a,b.md", nil, false}, // of srcset
		{"a;b.md", nil, false}, // of meta refresh
		{"a*b.md", nil, false},
		{"a[b].md", nil, false},
		{"a[b.md", nil, false},
		{"a]b.md", nil, false},
		{"a{b.md", nil, false},
		{"a@b.md", nil, true},
		{"AZaz09.md", nil, true},
		{"a|b.md", nil, false},
		{"a`b.md", nil, false},
		{"a$b.md", nil, false},
		{"a\xff.md", nil, false},
		{"é.md", nil, false},
		{"b.md", func(f *audit.Finding) { f.Ref.Ref = []byte("other.md") }, false},
		{"b.md", func(f *audit.Finding) { f.Pos.Exact = false }, false},
	} {
		f := findingAt(t, "[x](⟦a.md⟧)")
		f.Suggestion = tt.suggestion
		if tt.do != nil {
			tt.do(f)
		}
		var s source
		r := s.region(f)
		if text, ok := fix(f, &r); ok != tt.want || ok && text != tt.suggestion {
			t.Errorf("%q: %v", tt.suggestion, ok)
		}
	}
}

// A line is counted once, however many findings are in it and in which order.
func TestOneLine(t *testing.T) {
	regions := func(n int) func() {
		f := findingAt(t, strings.Repeat("é x ", n)+"⟦x⟧")
		var all []*audit.Finding
		for i := range n {
			k := *f
			k.Pos.Offset = int64(5*(i^1) + 3) // pairs of them the wrong way round
			k.Pos.Column = int(k.Pos.Offset) + 1
			all = append(all, &k)
		}
		return func() {
			var s source
			for i, f := range all {
				if r := s.region(f); r.column != 4*(i^1)+3 {
					t.Fatalf("%+v", r)
				}
			}
		}
	}
	scantest.Linear(t, "a line", 5*time.Millisecond, regions(1<<14), regions(1<<16))
}

// levelIn returns the level of a finding in a format that has a name for remarks.
func levelIn(f *audit.Finding, remark string) string {
	if f.Rule.Level() == rule.LevelNote {
		return remark
	}
	return "error"
}
