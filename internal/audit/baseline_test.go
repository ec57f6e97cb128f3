package audit

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
)

// Comments suppress findings. Those after "!" in a row are still reported.
func TestIgnoreComments(t *testing.T) {
	for _, tt := range []struct{ text, found string }{
		{"[a](1.md) <!-- refract-ignore -->\n[b](2.md)\n", "2.md"},
		{"<!-- refract-ignore -->\n\n[a](1.md)\n[b](2.md)\n", "2.md"},
		{"<!--refract-ignore-->\n[a](1.md)\n\n[b](2.md)\n", "2.md"},
		{"<!-- refract-ignore case -->\n<!-- refract-ignore missing-file -->\n[a](1.md)\n\n[b](2.md)\n", "2.md"},
		{"text <!-- refract-ignore-next-line -->\n[a](1.md)\n[b](2.md)\n", "2.md"},
		{"[0](0.md)\n\n<!-- refract-ignore-start -->\n\n[a](1.md)\n\n[b](2.md)\n\n<!-- refract-ignore-end -->\n\n[c](3.md)\n", "0.md 3.md"},
		{"<!-- refract-ignore-start missing-file, case -->\n\n[a](1.md)\n\n[b]()\n", " [empty-link]"},
		{"[a](1.md) <!-- refract-ignore missing-fragment -->\n", "1.md"},
		{"[a](1.md) <!-- refract-ignore missing-file empty-link -->\n", ""},
		{"```\n<!-- refract-ignore-start -->\n```\n[a](1.md)\n", "1.md"},
		{"[a](1.md) <!-- refract-ignored -->\n", "1.md"},
		{"[a](1.md) <!-- refract-ignore: a reason -->\n", "1.md"},
		{"[a](1.md) <!-- refract-ignore-all -->\n", "1.md note"},
		{"[a](1.md) <!-- refract-ignore missing -->\n", "1.md note"},
		{"<!-- refract-ignore-end -->\n\n[a](1.md)\n", "1.md note"},
		{"[a](1.md) <!-- refract-ignore", "1.md"},
		{"<!-- refract-ignore -->\r\n[a](1.md)\r\n[b](2.md)", "2.md"},
	} {
		if got := ran(t, &Options{}, "a.md", tt.text); got != tt.found {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.found)
		}
	}
	if got := ran(t, &Options{}, "a.css", "a{b:url(1.png)} /* refract-ignore */\na{b:url(2.png)}"); got != "2.png" {
		t.Errorf("CSS: %q", got)
	}
	if got := ran(t, &Options{}, "a.mdx", "{/* refract-ignore */}\n\n[a](1.md)\n\n[b](2.md)\n"); got != "2.md" {
		t.Errorf("MDX: %q", got)
	}
	if got := ran(t, &Options{}, "a.html", "<!-- refract-ignore -->\n<a href=1.html>\n<a href=2.html>\n"); got != "2.html" {
		t.Errorf("HTML: %q", got)
	}
}

// A note about a comment is where the comment is.
func TestIgnoreNotePosition(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("# A\n\n[b](c.md) <!-- refract-ignore missing -->\n"), 0o666))
	report, err := (&Options{}).audit([]string{dir}, nil)
	must(t, err)
	want := extract.Position{Offset: 15, Length: 31, Line: 3, Column: 11, Exact: true}
	if len(report.Notes) != 1 || report.Notes[0].Pos != want {
		t.Errorf("%+v, want one note at %+v", report.Notes, want)
	}
}

// ran returns the references of the findings in one document, and "note" for each note.
func ran(t *testing.T, o *Options, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	var got []string
	report, err := o.audit([]string{dir}, func(f *Finding) {
		what := f.Written()
		if what == "" {
			what = " [" + string(f.Rule) + "]"
		}
		got = append(got, what)
	})
	must(t, err)
	for range report.Notes {
		got = append(got, "note")
	}
	return strings.Join(got, " ")
}

func TestIgnorePatterns(t *testing.T) {
	text := "[a](gen/1.md) [b](gen/x/2.md) [c](3.md) [d](4.md?x) [e](x[1].md)"
	for _, tt := range []struct{ globs, found string }{
		{"gen/*", "3.md 4.md?x x[1].md"},
		{"*.md", "4.md?x"},
		{"[34].md*", "gen/1.md gen/x/2.md x[1].md"},
		{`x\[1\].md`, "gen/1.md gen/x/2.md 3.md 4.md?x"},
		{"gen/* 3.md", "4.md?x x[1].md"},
	} {
		if got := ran(t, &Options{Ignore: strings.Fields(tt.globs)}, "a.md", text); got != tt.found {
			t.Errorf("%s: %q, want %q", tt.globs, got, tt.found)
		}
	}
	if _, err := (&Options{Ignore: []string{"[[:x:]]"}}).audit(nil, nil); err == nil {
		t.Error("[[:x:]] is a pattern")
	}
}

// A known finding is not reported again in any number of runs, but one more like it is.
func TestBaseline(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(text string) { must(t, os.WriteFile("a.md", []byte(text), 0o666)) }
	var known Baseline
	run := func() string {
		var got []string
		o := Options{Baseline: &known, Orphans: true}
		report, err := o.audit([]string{"."}, func(f *Finding) {
			got = append(got, string(f.Rule)+" "+f.Written())
			if o.Baseline == nil {
				known.Add(fullPath(f.Path), f)
			}
		})
		must(t, err)
		return fmt.Sprintf("%q known %d gone %d", got, report.Known, report.Gone)
	}
	write("[a](1.md) [b](<2 \\t.md>) [x][y]\n[c](1.md)\n")
	before := Options{Orphans: true}
	_, err := before.audit([]string{"."}, func(f *Finding) { known.Add(fullPath(f.Path), f) })
	must(t, err)
	var b bytes.Buffer
	must(t, known.Write(&b, fullPath(".")))
	if want := baselineHead + "a.md\tmissing-file\t1.md\na.md\tmissing-file\t1.md\na.md\tmissing-file\t2 \\\\t.md\n" +
		"a.md\torphan\tno document links to this one\na.md\tundefined-reference\tundefined link label [y]\n"; b.String() != want {
		t.Errorf("%s", b.String())
	}
	read, err := ReadBaseline(bytes.NewReader(b.Bytes()), fullPath("."))
	must(t, err)
	known = *read
	for range 2 {
		if got := run(); got != "[] known 5 gone 0" {
			t.Error(got)
		}
	}
	known.Join(read.copy())
	if got := run(); got != "[] known 5 gone 0" {
		t.Error("joined with itself: ", got)
	}
	write("\n\n[a](1.md) [b](<2 \\t.md>) [x][y]\n[c](1.md) [d](1.md) [e](3.md)\n")
	if got := run(); got != `["missing-file 1.md" "missing-file 3.md"] known 5 gone 0` {
		t.Error(got)
	}
	write("[a](1.md)")
	if got := run(); got != `[] known 2 gone 3` {
		t.Error(got)
	}
	for _, bad := range []string{"a.md\tmissing-file\n", "a.md\tmissing\tx\n", "x", "# A page\n", "\n"} {
		if _, err := ReadBaseline(strings.NewReader(bad), "/"); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// A baseline can hold documents of any name.
func TestBaselineNames(t *testing.T) {
	f := &Finding{Rule: rule.MissingFile, Ref: &extract.Reference{Raw: []byte("x"), Entity: doc.Whole}}
	for _, name := range []string{"#a.md", " b.md ", "c\\td.md", "e\n\tf.md", "../g.md", "-", "\xff"} {
		var known Baseline
		var b bytes.Buffer
		known.Add(path.Join("/d", name), f)
		must(t, known.Write(&b, "/d"))
		read, err := ReadBaseline(&b, "/d")
		if must(t, err); !read.take(path.Join("/d", name), f) {
			t.Errorf("%q is not known", name)
		}
	}
}

// The error of a baseline names its first malformed line.
func TestMalformedBaseline(t *testing.T) {
	for n, text := range []string{"", "x\n", "# comment\nx\ty\n", "a.md\tmissing-file\tb.md\r\n\nx"} {
		_, err := ReadBaseline(strings.NewReader(text), "/")
		if want := fmt.Sprintf("line %d: want ", n); n > 0 && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
