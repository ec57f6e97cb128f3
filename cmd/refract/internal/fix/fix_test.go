package fix

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// finding returns the reference of src that stands at an offset, as an audit has it, and
// what is to be in its place.
func finding(name, src string, at int, suggestion string) *audit.Finding {
	var cfg extract.Config
	cfg.Lines, cfg.MDX = true, strings.HasSuffix(name, ".mdx")
	for r, err := range cfg.Walk(name, strings.NewReader(src)) {
		if err == nil && r.Pos.Offset == int64(at) {
			r = r.Clone()
			r.Ranges = nil // the audit does not keep them
			return &audit.Finding{File: name, Path: name, Pos: r.Pos, Ref: r, Suggestion: suggestion}
		}
	}
	return nil
}

// In a document the destinations stand as they are in ⟦brackets⟧; what is in their place
// then, in those of the next column, or why they stay.
func TestApply(t *testing.T) {
	for _, c := range []struct{ name, doc, suggestion, want string }{
		// Markdown: bare, in angles, escaped, with character references.
		{"a.md", "[x](⟦A.md⟧)", "b.md", "⟦b.md⟧"},
		{"a.md", "[x](⟦A.md⟧ \"t\")", "b/c.md", "⟦b/c.md⟧"},
		{"a.md", "[x](<⟦A b.md⟧> 't')", "a%20b.md", "⟦a%20b.md⟧"},
		{"a.md", "[x](<⟦A b.md⟧>)", "a b(.md", "⟦a b(.md⟧"},
		{"a.md", "[x](<⟦A b.md⟧>)", "a>\\b.md", `⟦a\>\\b.md⟧`},
		{"a.md", "[x](⟦A.md⟧)", "a(b.md", `⟦a\(b.md⟧`},
		{"a.md", "[x](⟦A(1).md⟧)", "a(1).md", `⟦a\(1\).md⟧`},
		{"a.md", "[x](⟦A\\_b.md⟧)", "a_b.md", "⟦a_b.md⟧"},
		{"a.md", "[x](⟦A&amp;b.md⟧)", "a&b.md", "⟦a&b.md⟧"},
		{"a.md", "[x](⟦A&amp;amp;b.md⟧)", "a&amp;b.md", "⟦a&amp;amp;b.md⟧"},
		{"a.md", "[x](⟦A.md⟧)", "a b.md", "no"}, // a blank has no way to be written there
		{"a.md", "[x](⟦A.md⟧)", "", "no"},
		{"a.adoc", "[[foo]]\n== A\n\n<<⟦fooo⟧>>\n", "#foo", "⟦foo⟧"},
		{"a.rst", "===========  ===\n`x <⟦A.md⟧>`_   b\n===========  ===\n", "b.md", "⟦b.md⟧"},
		{"a.rst", "===========  ===\n`x <⟦A.md⟧>`_   b\n===========  ===\n", "bb.md", "no"}, // b would leave its column
		{"a.md", "![x](⟦A.png⟧)[y](B.md)", "a.png", "⟦a.png⟧"},
		{"a.md", "[![x](A.png)](⟦B.md⟧)", "b.md", "⟦b.md⟧"},
		{"a.md", "# [x](⟦A.md⟧)", "a.md", "⟦a.md⟧"},

		// What stays is as written.
		{"a.md", "[x](⟦A.md?a=1&amp;b\\_c#d\\_e⟧)", "a.md?a=1&b_c#d_e", `⟦a.md?a=1&amp;b\_c#d\_e⟧`},
		{"a.md", "[x](⟦a\\_b.md?c\\_d#e⟧)", "a_b.md?c_d#f", `⟦a\_b.md?c\_d#f⟧`},
		{"a.md", "[x](⟦a&#46;md#e⟧)", "a.md#f", "⟦a&#46;md#f⟧"},
		{"a.md", "[x](⟦a.md&#35;e⟧)", "a.md#f", "⟦a.md#f⟧"},
		{"a.md", "[x](⟦a.md\\#e⟧)", "a.md#f", `⟦a.md\#f⟧`},
		{"a.md", "[x](⟦A.md\\#e⟧)", "a.md#e", "⟦a.md#e⟧"},

		// Definitions, tables, raw HTML, autolinks.
		{"a.md", "[x]: ⟦A.md⟧\n\n[x] [y][x]", "a.md", "⟦a.md⟧"},
		{"a.md", "[x]: <⟦A b.md⟧> 'x'\n", "c d.md", "⟦c d.md⟧"},
		{"a.md", "|a|b|\n|-|-|\n|[x](⟦A.md⟧)|y|\n", "a|b.md", `⟦a\|b.md⟧`},
		{"a.md", "<a href=\"⟦A.md⟧\">x</a>", "a.md", "⟦a.md⟧"},
		{"a.md", "x <img src='⟦A.png⟧'> y", "it's.png", "⟦it&#39;s.png⟧"},
		{"a.md", "|a|\n|-|\n|<img src='⟦A.png⟧'>|\n", "a|b.png", "no"},
		{"a.md", "<⟦http://h/A.md⟧>", "http://h/a.md", "⟦http://h/a.md⟧"},
		{"a.md", "<⟦http://h/A.md⟧>", "http://h/a b", "no"},
		{"a.mdx", "<Card href=\"⟦A.md⟧\">\n", "a.md", "⟦a.md⟧"},
		{"a.mdx", "<Card href={'⟦A.md⟧'}>\n", "b.md", "⟦b.md⟧"},

		// Attributes: in double quotes, in single ones, in none; lists and image candidates.
		{"a.html", "<a href=\"⟦A.html⟧\">", `a"'&<>.html`, "⟦a&#34;'&amp;&#60;&#62;.html⟧"},
		{"a.html", "<a href='⟦A.html⟧'>", `a"'&lt;b`, `⟦a"&#39;&amp;lt;b⟧`},
		{"a.html", "<a href=⟦A.html⟧>", `a"'=b`, "⟦a&#34;&#39;&#61;b⟧"},
		{"a.html", "<a href=⟦A.html⟧ class=x>", "a/", "⟦a/⟧"},
		{"a.html", "<a href=\" ⟦A.html⟧ \">", "a.html", "⟦a.html⟧"},
		{"a.html", "<a href=\"⟦A.html?a&amp;b&c#d⟧\">", "a.html?a&b&c#d", "⟦a.html?a&amp;b&c#d⟧"},
		{"a.html", "<a href=\"⟦&#65;.html#d⟧\">", "b.html#d", "⟦b.html#d⟧"},
		{"a.html", "<img srcset=\"⟦A.png⟧ 1x, B.png 2x\">", "a.png", "⟦a.png⟧"},
		{"a.html", "<img srcset=\"A.png 1x, ⟦B.png⟧ 2x\">", "a,b.png", "⟦a,b.png⟧"},
		{"a.html", "<img srcset=\"A.png 1x, ⟦B.png⟧ 2x\">", "b.png,", "no"},
		{"a.html", "<img srcset=\"⟦A.png⟧ 1x\">", "a b.png", "no"},
		{"a.html", "<base href=\"b/\"><a href=\"⟦A.html⟧\">", "a.html", "⟦a.html⟧"},
		{"a.html", "<meta http-equiv=refresh content=\"0; url=⟦A.html⟧\">", "a.html", "⟦a.html⟧"},
		{"a.html", "<script type=importmap>{\"imports\":{\"x\":\"⟦./A.js⟧\"}}</script>", "./a.js", "⟦./a.js⟧"},
		{"a.xhtml", "<a href='⟦A.html⟧'/>", "a&b", "⟦a&amp;b⟧"},
		{"a.svg", "<svg><image href=\"⟦A.png⟧\"/></svg>", "a&b<.png", "⟦a&amp;b&#60;.png⟧"},

		// Style.
		{"a.css", "a{b:url(⟦A.png⟧)}", "a(b) c'.png", `⟦a\28 b\29 \20 c\27 .png⟧`},
		{"a.css", "a{b:url( ⟦A.png⟧ )}", "a.png", "⟦a.png⟧"},
		{"a.css", "a{b:url(\"⟦A.png⟧\")}", `a(b) '"\.png`, `⟦a(b) '\22 \5c .png⟧`},
		{"a.css", "@import '⟦A.css⟧';", "it's.css", `⟦it\27 s.css⟧`},
		{"a.css", "a{b:url(⟦A\\20 b.png#c\\20 d⟧)}", "a.png#c d", `⟦a.png#c\20 d⟧`},
		{"a.html", "<style>a{b:url(⟦A.png⟧)}</style>", "a&b.png", `⟦a\26 b.png⟧`},
		{"a.html", "<p style='b:url(\"⟦A.png⟧\")'>", "it's&amp.png", `⟦it\27 s\26 amp.png⟧`},
		{"a.html", "<p style=\"b:url(&quot;⟦A.png⟧&quot;)\">", "a\"b.png", `⟦a\22 b.png⟧`},

		// Running text.
		{"a.txt", "see <URL:⟦http://h/A⟧>.", "http://h/a", "⟦http://h/a⟧"},
		{"a.txt", "see <URL:⟦http://h/A⟧>.", "http://h/a>b", "no"},

		// AsciiDoc: what is no id alone is written in whole.
		{"a.adoc", "<<⟦c.adoc#A⟧,y>>\n\n[[b]]x\n", "#b", "⟦#b⟧"},

		// Bytes that have nothing to do with it stay.
		{"a.md", "\ufeff[x](⟦A.md⟧)\r\n\r\nx\x00y\r", "a.md", "⟦a.md⟧"},
		{"a.html", "<a href=\"⟦A.html⟧\">\xff\xfe\x00", "a.html", "⟦a.html⟧"},
		{"a.html", "<meta charset=iso-8859-1><a href=\"⟦A.html⟧\">\xe4", "\u00e4.html", "no"},
		{"a.html", "<meta charset=iso-8859-1><a href=\"⟦A.html⟧\">\xe4", "a.html", "⟦a.html⟧"},
		{"a.md", "[x](⟦A.md⟧)", "ä.md", "⟦ä.md⟧"},

		// What cannot be written.
		{"a.html", "<a href=\"⟦A\n.html⟧\">", "a.html", "no"},
		{"a.html", "<iframe srcdoc='<a href=\"⟦A.html⟧\">'>", "a.html", "no"},
		{"a.eml", "From: a\nContent-Type: text/html\n\n<a href=\"⟦A.html⟧\">", "a.html", "no"},
		{"a.eml", "From: a\n\n<URL:⟦http://h/A⟧>", "http://h/a", "no"},
		{"a.md", "www.⟦⟧example.org [x](⟦A.md⟧)", "a.md", "⟦a.md⟧"},
	} {
		before, rest, _ := strings.Cut(strings.Replace(c.doc, "⟦⟧", "", 1), "⟦")
		raw, after, _ := strings.Cut(rest, "⟧")
		src := before + raw + after
		f := finding(c.name, src, len(before), c.suggestion)
		if f == nil {
			t.Errorf("%q: no such reference", c.doc)
			continue
		}
		file := &File{Path: c.name, Old: []byte(src)}
		new(Options).Apply(file, []*audit.Finding{f})
		want := before + strings.Trim(c.want, "⟦⟧") + after
		switch {
		case c.want == "no" && (file.New != nil || len(file.Skipped) != 1):
			t.Errorf("%q to %q: %q, and not left as it is", c.doc, c.suggestion, file.New)
		case c.want == "no":
		case string(file.New) != want || len(file.Fixed) != 1:
			t.Errorf("%q to %q: %q, want %q; %v", c.doc, c.suggestion, file.New, want, file.Skipped)
		}
	}
}

// UTF-16 cannot be written.
func TestCharset(t *testing.T) {
	src := "\xff\xfe"
	for _, c := range "<a href=\"A.html\">" {
		src += string([]byte{byte(c), 0})
	}
	f := finding("a.html", src, 2+2*9, "a.html")
	if f == nil {
		t.Fatal("no reference")
	}
	file := &File{Path: "a.html", Old: []byte(src)}
	if new(Options).Apply(file, []*audit.Finding{f}); file.New != nil || len(file.Skipped) != 1 {
		t.Errorf("%q", file.New)
	}
}

// Several findings in a document: each by itself, a bad one among good ones, those of one
// place, and those of places that overlap.
func TestSeveral(t *testing.T) {
	src := ""
	var findings []*audit.Finding
	for i := range 100 {
		src += fmt.Sprintf("[x](A%02d.md) ", i)
	}
	add := func(i int, suggestion string) {
		findings = append(findings, finding("a.md", src, i*12+4, suggestion))
	}
	for i := range 100 {
		switch i {
		case 5, 50:
			add(i, "a b.md") // cannot be written
		case 7:
			add(i, "same.md")
			add(i, "same.md")
		case 8:
			add(i, "one.md")
			add(i, "two.md")
		default:
			add(i, fmt.Sprintf("longer/a%02d.md", i))
		}
	}
	slices.Reverse(findings)
	file := &File{Path: "a.md", Old: []byte(src)}
	new(Options).Apply(file, findings)
	want := ""
	for i := range 100 {
		switch i {
		case 5, 8, 50:
			want += fmt.Sprintf("[x](A%02d.md) ", i)
		case 7:
			want += "[x](same.md) "
		default:
			want += fmt.Sprintf("[x](longer/a%02d.md) ", i)
		}
	}
	if string(file.New) != want {
		t.Errorf("got %q", file.New)
	}
	if len(file.Fixed) != 98 || len(file.Skipped) != 4 {
		t.Errorf("%d fixed, %d skipped", len(file.Fixed), len(file.Skipped))
	}
	// Where things are now.
	for _, f := range findings {
		now := file.Now(f.Pos)
		if text := want[now.Offset:][:now.Length]; now.Column != int(now.Offset)+1 ||
			text != f.Suggestion && text != string(f.Ref.Raw) {
			t.Errorf("%s is at %+v: %q", f.Ref.Raw, now, text)
		}
	}
}

// Positions in a line follow from the edits in that line before them.
func TestNow(t *testing.T) {
	src := "[x](A.md)\n[y](A.md) [z](B.md)\n"
	file := &File{Path: "a.md", Old: []byte(src)}
	new(Options).Apply(file, []*audit.Finding{finding("a.md", src, 4, "long.md"), finding("a.md", src, 14, "longer.md")})
	for at, want := range map[int][2]int{4: {4, 5}, 10: {13, 1}, 14: {17, 5}, 24: {32, 20}} {
		now := file.Now(extract.Position{Offset: int64(at), Line: 1, Column: at - max(0, strings.LastIndex(src[:at], "\n")+1) + 1, Length: 4})
		if now.Offset != int64(want[0]) || now.Column != want[1] {
			t.Errorf("%d: now %d, column %d; want %v", at, now.Offset, now.Column, want)
		}
	}
}

// When nothing comes out as it is meant to, that is found out in a time that is linear.
func TestMostlyBad(t *testing.T) {
	src := strings.Repeat("[x](A.md) ", 3000)
	var findings []*audit.Finding
	cfg := extract.Config{Lines: true}
	for r := range cfg.Walk("a.md", strings.NewReader(src)) {
		findings = append(findings, &audit.Finding{Pos: r.Pos, Ref: r.Clone(), Suggestion: "a b.md"})
	}
	file := &File{Path: "a.md", Old: []byte(src)}
	if new(Options).Apply(file, findings); file.New != nil || len(file.Skipped) != 3000 {
		t.Errorf("%d skipped", len(file.Skipped))
	}
}

// files fixes what is wrong in a tree, as the command does.
func files(t *testing.T, o audit.Options, args ...string) (changed []*File) {
	t.Helper()
	var found []*audit.Finding
	o.Paths = args
	_, err := audit.Run(t.Context(), o, func(f *audit.Finding) {
		if f.Certain {
			found = append(found, f)
		}
	})
	must(t, err)
	for f := range new(Options).Files(found) {
		changed = append(changed, f)
	}
	return changed
}

func write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o777))
	must(t, os.WriteFile(name, []byte(text), 0o666))
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "g.md", "")
	write(t, "a.md", "[x](G.md)")
	must(t, os.Chmod("a.md", 0o640))
	write(t, "elsewhere/b.md", "[x](G.md)")
	write(t, "elsewhere/g.md", "")
	if err := os.Symlink("elsewhere", "link"); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	for _, f := range files(t, audit.Options{}, "a.md", "link/b.md") {
		must(t, f.Err)
		must(t, f.Write())
	}
	for _, name := range []string{"a.md", "elsewhere/b.md"} {
		if text, _ := os.ReadFile(name); string(text) != "[x](g.md)" {
			t.Errorf("%s: %q", name, text)
		}
	}
	if info, _ := os.Stat("a.md"); info.Mode().Perm() != 0o640 && runtime.GOOS != "windows" { // which has only a bit for reading alone
		t.Errorf("%v", info.Mode())
	}
	if info, _ := os.Lstat("link"); info.Mode().Type() != fs.ModeSymlink {
		t.Error("the link is none now")
	}
	names, _ := filepath.Glob(".*.refract-part")
	if more, _ := filepath.Glob("*/.*.refract-part"); len(names)+len(more) > 0 {
		t.Error(names, more)
	}
}

// What has changed is not written, and nothing is left behind.
func TestChanged(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "g.md", "")
	write(t, "a.md", "[x](G.md)")
	write(t, "b.md", "[x](G.md)")
	write(t, "c.md", "[x](G.md)")
	var found []*audit.Finding
	_, err := audit.Run(t.Context(), audit.Options{Paths: []string{"."}}, func(f *audit.Finding) { found = append(found, f) })
	must(t, err)
	if len(found) != 3 {
		t.Fatal(found)
	}
	write(t, "a.md", "more [x](G.md)") // since the audit
	must(t, os.Remove("c.md"))
	for f := range new(Options).Files(found) {
		switch filepath.Base(f.Path) {
		case "a.md":
			if f.New != nil || len(f.Skipped) != 1 || f.Skipped[0].Why != changed {
				t.Errorf("%+v", f)
			}
		case "b.md":
			write(t, "b.md", "more [x](G.md)") // since it was read to be fixed
			if err := f.Write(); err == nil || !strings.HasSuffix(err.Error(), "b.md\": "+changed) {
				t.Error(err)
			}
		case "c.md":
			if f.Err == nil {
				t.Error("c.md is not there")
			}
		}
	}
	if text, _ := os.ReadFile("b.md"); string(text) != "more [x](G.md)" {
		t.Errorf("%q", text)
	}
	if names, _ := filepath.Glob(".*.refract-part"); len(names) > 0 {
		t.Error(names)
	}
}

// What may not be written is not, nor is what is no file of its own.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "g.md", "")
	write(t, "sub/g.md", "")
	write(t, "sub/a.md", "[x](G.md)")
	write(t, "b.md", "[x](G.md)")
	must(t, os.Chmod("b.md", 0o444))
	must(t, os.Chmod("sub", 0o555))
	defer os.Chmod("sub", 0o777)
	if os.Geteuid() != 0 { // who may write anything
		for _, f := range files(t, audit.Options{}, ".") {
			if runtime.GOOS == "windows" && f.Path != "b.md" {
				continue // directories have no such mode there
			}
			if err := f.Write(); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s: %v", f.Path, err)
			}
		}
	}
	// A directory that is no more is one that nothing can be written to.
	f := &File{Path: "none/a.md", New: []byte("x")}
	if err := f.Write(); err == nil || strings.Count(err.Error(), "none/a.md") != 1 {
		t.Error(err)
	}
	for f := range new(Options).Files([]*audit.Finding{{Path: "-", Ref: new(extract.Reference), Suggestion: "x"}}) {
		if len(f.Skipped) != 1 || f.Err != nil {
			t.Errorf("%+v", f)
		}
	}
	for f := range new(Options).Files([]*audit.Finding{{Path: "b.md", Ref: new(extract.Reference)}}) {
		t.Errorf("without a suggestion: %+v", f)
	}
	write(t, "long.md", "[x](G.md)")
	found := finding("long.md", "[x](G.md)", 4, "g.md")
	for limit, isRead := range map[int64]bool{8: false, 9: true} {
		o := Options{Config: (&audit.Options{MaxEntity: limit}).Config}
		for f := range o.Files([]*audit.Finding{found}) {
			if len(f.Fixed) > 0 != isRead {
				t.Errorf("at most %d bytes: %+v", limit, f)
			}
		}
	}
	o := Options{Config: (&audit.Options{MaxEntity: 5}).Config}
	for f := range o.Files([]*audit.Finding{{Path: "b.md", Ref: new(extract.Reference), Suggestion: "x"}}) {
		if len(f.Skipped) != 1 || f.Err != nil {
			t.Errorf("%+v", f)
		}
	}
}

// A diff is one that others apply, and what they make is what would be written.
func TestDiff(t *testing.T) {
	names := []string{"a.md", "with blank.md", "sub/tab\t\"quote\"\\.md", "sub/ü\xff.md", "sub/line\nbreak.md"}
	texts := []string{
		"[x](G.md)",
		"[x](G.md)\n",
		"1\r\n2\r\n[x](G.md)\r\n4\r\n5\r\n6\r\n7\r\n[x](G.md)\r\n9",
		"[x](G.md)\n[x](G.md)\n3\n4\n5\n6\n7\n8\n9\n10\n[x](G.md)\n12\n13\n14\n15\n16\n17\n18\n[x](G.md)",
		"1\n\n2 [x](G.md) [x](G.md)\n\n\n\n\n\n3 [x](G.md)\n\n\n",
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for i, name := range names {
		err := os.MkdirAll(filepath.Dir(name), 0o777)
		if err == nil {
			err = os.WriteFile(name, []byte(texts[i]), 0o666)
		}
		if err != nil {
			t.Skip("no such names here: ", err)
		}
	}
	write(t, "g.md", "")
	write(t, "sub/g.md", "")
	var diff []byte
	changed := files(t, audit.Options{}, ".")
	for _, f := range changed {
		diff = f.AppendDiff(diff, false)
	}
	if len(changed) != len(names) {
		t.Fatalf("%d files", len(changed))
	}
	if n := bytes.Count(diff, []byte("\n@@ ")); n != 7 {
		t.Errorf("%d hunks:\n%s", n, diff)
	}
	for _, tool := range [][]string{{"patch", "-p1", "--binary"}, {"git", "apply"}} {
		if _, err := exec.LookPath(tool[0]); err != nil {
			t.Log(err)
			continue
		}
		for i, name := range names {
			must(t, os.WriteFile(name, []byte(texts[i]), 0o666))
		}
		cmd := exec.Command(tool[0], tool[1:]...)
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		cmd.Stdin = bytes.NewReader(diff)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s\n%s", tool, err, out, diff)
			continue
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			must(t, err)
			real, _ := filepath.EvalSymlinks(filepath.Join(dir, name))
			i := slices.IndexFunc(changed, func(f *File) bool {
				full, _ := filepath.Abs(f.Path)
				full, _ = filepath.EvalSymlinks(full)
				return full == real
			})
			if i < 0 || !bytes.Equal(text, changed[i].New) {
				t.Errorf("%s makes %q: %q", tool, name, text)
			}
		}
	}
	if (&File{Path: "x"}).AppendDiff(nil, false) != nil {
		t.Error("a diff of nothing")
	}
}

// A diff of a file that grows or shrinks has all lines.
func TestDiffOfOtherLength(t *testing.T) {
	for _, tt := range []struct{ before, after, want string }{
		{"a\nx\n", "a\nb\nx\n", "@@ -1,2 +1,3 @@\n a\n+b\n x\n"},
		{"a\n", "a\nb\n", "@@ -1,1 +1,2 @@\n a\n+b\n"},
		{"a\n", "a\na\n", "@@ -1,1 +1,2 @@\n a\n+a\n"},
		{"a\na\n", "a\n", "@@ -1,2 +1,1 @@\n a\n-a\n"},
		{"a\nb\n", "a\n", "@@ -1,2 +1,1 @@\n a\n-b\n"},
		{"a", "a\nb", "@@ -1,1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n"},
	} {
		f := &File{Path: "f", Old: []byte(tt.before), New: []byte(tt.after)}
		_, hunk, _ := strings.Cut(string(f.AppendDiff(nil, false)), "+++ b/f\n")
		if hunk != tt.want {
			t.Errorf("%q to %q:\n%s, want\n%s", tt.before, tt.after, hunk, tt.want)
		}
	}
}

// A diff in colour shows control characters by their codes. Without the colours, it has the lines of the other.
func TestDiffInColour(t *testing.T) {
	f := &File{Path: "f", Old: []byte("-- a\n\tb\x1b[2J\xff\r\n"), New: []byte("-- c\n\tb\x1b[2J\xff\r\n")}
	const want = "\x1b[1m--- a/f\x1b[0m\n\x1b[1m+++ b/f\x1b[0m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n" +
		"\x1b[31m--- a\x1b[0m\n\x1b[32m+-- c\x1b[0m\n \tb\\u{1b}[2J\\xff\n"
	if got := string(f.AppendDiff(nil, true)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := string(AppendRename(nil, "a", "b", true)); !strings.HasPrefix(got, "\x1b[1mdiff --git a/a b/b\x1b[0m\n\x1b[1mrename from a\x1b[0m\n") {
		t.Errorf("%q", got)
	}
}

// A reference as written is cut where its parts begin, unless these are written in another way.
func TestWrittenParts(t *testing.T) {
	for _, test := range []struct {
		raw  string
		was  [3]string
		want [3]string
		ok   bool
	}{
		{"a", [3]string{"a"}, [3]string{"a"}, true},
		{"a?b#c", [3]string{"a", "?b", "#c"}, [3]string{"a", "?b", "#c"}, true},
		{"#c", [3]string{"", "", "#c"}, [3]string{"", "", "#c"}, true},
		{"&#65;", [3]string{"A"}, [3]string{"&#65;"}, true},
		{"&#65;#c", [3]string{"A", "", "#c"}, [3]string{"&#65;", "", "#c"}, true},
		{"&#65;&#66;#c", [3]string{"AB", "", "#c"}, [3]string{"&#65;&#66;", "", "#c"}, true},
		{"a#b?c", [3]string{"a", "", "#b?c"}, [3]string{"a", "", "#b?c"}, true},
		{"?b#c", [3]string{"", "?b", "#c"}, [3]string{"", "?b", "#c"}, true},
		{"&##c", [3]string{"&#", "", "#c"}, [3]string{"&#", "", "#c"}, true},
		{"a&#63;b", [3]string{"a", "?b"}, [3]string{"a&#63;b"}, false},
		{"a&#35;b", [3]string{"a", "", "#b"}, [3]string{"a&#35;b"}, false},
	} {
		if got := parts(strings.Join(test.was[:], "")); got != test.was && test.was[0] != "&#" {
			t.Errorf("%q, want %q", got, test.was)
		}
		p, ok := writtenParts(test.raw, test.was)
		if p != test.want || ok != test.ok {
			t.Errorf("%q: %q %v, want %q %v", test.raw, p, ok, test.want, test.ok)
		}
	}
}

// Two suggestions for one reference are none, and the reference stays; the same one twice is one.
func TestDisagree(t *testing.T) {
	for second, want := range map[string]string{"b.md": "[x](b.md)", "c.md": ""} {
		cfg := extract.Config{Type: "markdown", Lines: true}
		var findings []*audit.Finding
		for _, suggestion := range []string{"b.md", second} {
			refs, err := extract.All(cfg.Walk("a.md", strings.NewReader("[x](a.md)")))
			must(t, err)
			findings = append(findings, &audit.Finding{Path: "a.md", Pos: refs[0].Pos, Ref: refs[0], Suggestion: suggestion})
		}
		f := &File{Path: "a.md", Old: []byte("[x](a.md)")}
		new(Options).Apply(f, findings)
		switch {
		case string(f.New) != want:
			t.Errorf("%s: %q, want %q", second, f.New, want)
		case want == "" && (len(f.Skipped) != 2 || f.Skipped[0].Why != disagree || f.Skipped[1].Why != disagree):
			t.Errorf("%s: %v", second, f.Skipped)
		case want != "" && len(f.Fixed) != 2:
			t.Errorf("%s: fixed %v", second, f.Fixed)
		}
	}
}

// The names of a diff are relative to the working directory, also if that was entered through a symbolic link.
func TestDiffBelowLink(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "real"), 0o777))
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	t.Chdir(filepath.Join(dir, "link"))
	write(t, "a.md", "")
	if got := diffName(Real("a.md")); got != "a.md" {
		t.Errorf("relative: %s", got)
	}
	if got := diffName(Real(filepath.Join(dir, "link", "a.md"))); got != "a.md" {
		t.Errorf("absolute: %s", got)
	}
}

// The hunks of a diff have three lines around what differs, and share those between.
func TestHunks(t *testing.T) {
	lines := func(n int, changed ...int) (text []byte) {
		for i := range n {
			mark := ""
			if slices.Contains(changed, i) {
				mark = "x"
			}
			text = fmt.Appendf(text, "%d%s\n", i, mark)
		}
		return text
	}
	for _, test := range []struct {
		changed []int
		want    string
	}{
		{[]int{5}, "@@ -3,7 +3,7 @@"},
		{[]int{5, 6}, "@@ -3,8 +3,8 @@"},
		{[]int{5, 12}, "@@ -3,14 +3,14 @@"}, // six lines between
		{[]int{5, 13}, "@@ -3,7 +3,7 @@ @@ -11,7 +11,7 @@"},
		{[]int{0, 19}, "@@ -1,4 +1,4 @@ @@ -17,4 +17,4 @@"},
	} {
		f := &File{Path: "f", Old: lines(20), New: lines(20, test.changed...)}
		var heads []string
		for line := range strings.Lines(string(f.AppendDiff(nil, false))) {
			if strings.HasPrefix(line, "@@") {
				heads = append(heads, strings.TrimSpace(line))
			}
		}
		if got := strings.Join(heads, " "); got != test.want {
			t.Errorf("%v: %s, want %s", test.changed, got, test.want)
		}
	}
	for name, want := range map[string]string{"a\ab": `"a\ab"`, "a\tb": `"a\tb"`, "a b": "a b\t", "ab": "ab", "a\"": `"a\""`} {
		if got := quoted(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
