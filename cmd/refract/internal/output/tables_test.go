package output

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
)

// A document is replaced only by -o if it looks like an output. Text files and others have no content to protect.
func TestIsWritten(t *testing.T) {
	for _, head := range []string{
		"http://h/\n", "http://h/\ttext\n", "a.md:1:2:http://h/\n", "12\th\n", "http://h/\thttp://i/\tlink\n", `{"type":"reference"`, `{"path":"a"`,
		"input,line,column\n", "count,url\n", "input\tline\t", "count\thost\n", "::error file=a", "::warning file=a", "::notice file=a", "--- a/x\n",
		"\xff\xff\xff\xff\x10", "<!DOCTYPE html>\n<html>" + generator + `v1">`, `{"$schema":"x","name":"refract"`, `{"source":{"name":"refract"`,
		`<?xml version="1.0"?><testsuites><testsuite name="refract audit"`, `<?xml version="1.0"?><checkstyle version="1">`,
		"http://h/\n  text at a.md:1:2\nhttp://i/\nhttp://", "a.md:1:2: no such file: \"b\"\nb.md:1:2: x\n",
	} {
		if !IsWritten([]byte(head)) {
			t.Errorf("%q is no output", head)
		}
	}
	for _, head := range []string{
		"", "\n", "# Title\n", "Dear Sir,\n", "see http://h/\n", "---\ntitle: x\n", "<!DOCTYPE html>\n<p>", `{"a":1}`, `<?xml version="1.0"?><feed>`, "\nhttp://h/\n", "a\tb\n", "http://h/\n[x](y.md)\n", "http://h/\n\n# Title\n",
	} {
		if IsWritten([]byte(head)) {
			t.Errorf("%q is an output", head)
		}
	}
	for name, protects := range map[string]bool{"a.md": true, "a.HTML": true, "a.txt": false, "a.TEXT": false, "a": false, "urls.csv": false} {
		if got := Replaceable(name) != nil; got != protects || protects && !doc.IsDocument(name) {
			t.Errorf("%s: protected %t", name, got)
		}
	}
	for head, kind := range map[string]string{"refract cache 1\n": "cache", "# What refract audit --baseline x": "baseline", "<!DOCTYPE html>" + generator: "page", "x": ""} {
		h := []byte(head)
		if IsCache(h) != (kind == "cache") || IsBaseline(h) != (kind == "baseline") || IsPage(h) != (kind == "page") {
			t.Errorf("%q is no %s", head, kind)
		}
	}
}

// Cells hide nothing, are no formulas, and end no line.
func TestAppendCell(t *testing.T) {
	for _, tt := range []struct{ text, csv, raw, tabs string }{
		{"", "", "", ""},
		{"a b", "a b", "a b", "a b"},
		{"=1", "'=1", "=1", "=1"}, {"+1", "'+1", "+1", "+1"}, {"-1", "'-1", "-1", "-1"}, {"@a", "'@a", "@a", "@a"},
		{"\t=", "'\t=", "\"\t=\"", `\t=`},
		{"a,\"b\"", `"a,""b"""`, `"a,""b"""`, `a,"b"`},
		{"a\nb", "\"a\nb\"", "\"a\nb\"", `a\nb`},
		{"a\\b", "a\\b", "a\\b", `a\\b`},
		{`\.`, `"\."`, `"\."`, `\\.`},
		{"é\u202eb", `é\u{202e}b`, "é\u202eb", `é\u{202e}b`},
		{"\u202e\xff\ufffd", `\u{202e}` + "\xff\ufffd", "\u202e\xff\ufffd", `\u{202e}` + "\xff\ufffd"},
		{"\u00a0a", "\"\u00a0a\"", "\"\u00a0a\"", "\u00a0a"},
	} {
		for style, want := range map[cellStyle]string{guarded: tt.csv, ExcelCSV: tt.csv, RawCSV: tt.raw, tabs: tt.tabs} {
			if got := string(appendCell([]byte("x"), tt.text, style)); got != "x"+want {
				t.Errorf("%q, style %d: %q, want %q", tt.text, style, got[1:], want)
			}
			if got := string(appendCell(nil, []byte(tt.text), style)); got != want {
				t.Errorf("bytes %q, style %d: %q, want %q", tt.text, style, got, want)
			}
		}
	}
}

// Kinds are listed by how many there are, hidden folders first, and only so many of them by name.
func TestNotRead(t *testing.T) {
	var n NotRead
	if n.String() != "" || string(n.AppendTo("not_read", []byte("{}\n"))) != "{}\n" {
		t.Errorf("nothing is %q", n)
	}
	n.Add("PDF", 3)
	n.Add("image", 1)
	n.Add(HiddenFolder, 1)
	n.Add(".a\"b", 1)
	if got, want := n.String(), `1 hidden Maildir folder, 3 PDF, 1 .a"b, 1 image`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := string(n.AppendTo("not_read", []byte(`{"inputs":1}`+"\n"))), `{"inputs":1,"not_read":{".a\"b":1,"Maildir folder":1,"PDF":3,"image":1}}`+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var many, all NotRead
	for i := range 2 * maxKinds {
		many.Add(fmt.Sprintf(".%03d", i), 2)
	}
	all.addAll(many)
	if len(many) != maxKinds+1 || many[otherKind] != 2*maxKinds || len(all) != maxKinds+1 {
		t.Errorf("%d kinds, %d of other ones; %d kinds", len(many), many[otherKind], len(all))
	}
	if got := many.String(); !strings.HasPrefix(got, "200 others, 2 .000, ") || !strings.HasSuffix(got, ", 2 .008, 182 of other types") {
		t.Error(got)
	}
}

// What is beyond the budget of an entity is counted, and the first of it remembered.
func TestBudgetMessage(t *testing.T) {
	b := NewBudget(10)
	b.Charge(minOutput + 10*outputRatio)
	if b.IsSpent() || b.Message() != "" {
		t.Errorf("spent: %t, %q", b.IsSpent(), b.Message())
	}
	b.Charge(1)
	first, second := &extract.Entity{}, &extract.Entity{}
	b.Skip(&b.References, first, extract.Position{Offset: 7})
	if want := "too much output: 1 more reference of the same document left out: its output exceeds 64 MiB and 100 times its size"; !b.IsSpent() || b.Message() != want {
		t.Errorf("%q, want %q", b.Message(), want)
	}
	b.Skip(&b.Notes, second, extract.Position{Offset: 8})
	b.Skip(&b.Notes, second, extract.Position{Offset: 9})
	if !strings.HasPrefix(b.Message(), "too much output: 1 more reference and 2 more notes of ") || b.Entity != first || b.Pos.Offset != 7 {
		t.Errorf("%q, at %d", b.Message(), b.Pos.Offset)
	}
}

// A spool gives back what was written, from memory or from a file, and leaves none.
func TestSpool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, size := range []int{0, 10, spoolSize, spoolSize + 1, 3 * spoolSize} {
		var s spool
		want := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
		for rest := want; len(rest) > 0; {
			n := min(len(rest), spoolSize/3)
			_, err := s.Write(rest[:n])
			if err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		var got bytes.Buffer
		err := s.copyTo(&got)
		if err != nil || !bytes.Equal(got.Bytes(), want) || (s.file != nil) != (size > spoolSize) {
			t.Errorf("%d bytes: %d, %v; in a file: %t", size, got.Len(), err, s.file != nil)
		}
		s.discard()
	}
	var none *spool
	none.discard()
}
