package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/refract/internal/audit/forbid"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/testing/scantest"
	"github.com/rogpeppe/go-internal/txtar"
)

const forbiddenTree = `
-- a.md --
[1](http://h/1) [gone](gone.md) [2](HTTP://h/2 "t") {{ x }} ![3](http://h/3.png)
[t](http://{{ host }}/) [l][l] [b]: <http://h/4> [mail](mailto:x@h)

` + "`http://code/` <!-- http://comment/ -->" + `

[l]: http://h/5 "title"
[unused]: http://h/6
-- b.html --
<base href=http://h/b/><a href=x>x</a><link rel=canonical href=http://h/c><form action=http://h/f></form>
<svg xmlns="http://www.w3.org/2000/svg"></svg><script>x = "http://h/script"</script>
-- c.rst --
` + "`x <http://h/1>`_ and http://h/2 and `gone <gone.rst>`__" + `
-- d.txt --
Text with http://h/1 in it.
-- e.ipynb --
{"cells":[{"cell_type":"markdown","metadata":{},"source":["[x](http://h/1)"]},{"cell_type":"code","metadata":{},"source":[],"outputs":[{"output_type":"stream","text":["http://h/output"]}]}],"metadata":{},"nbformat":4,"nbformat_minor":5}
-- site/mkdocs.yml --
site_name: x
-- site/docs/index.md --
[x](http://h/1) [y](other.md)
-- testdata/t.md --
[x](http://h/1)
`

// What is forbidden is reported in the order of the text, once, with any number of jobs and any cache, and changes nothing else.
func TestForbidden(t *testing.T) {
	o, args, _ := unpack(t, txtar.Parse([]byte(forbiddenTree)))
	plain := findings(t, o, args)
	before, err := o.audit(args, nil)
	must(t, err)
	o.Forbid = []forbid.Entry{{Match: "^http:", Message: "no http"}}
	got := findings(t, o, args)
	if !strings.HasPrefix(got, `a.md:1:5+10 forbidden: no http: "http://h/1"`+"\n") || strings.Contains(got, "w3.org") || strings.Contains(got, "code") || strings.Contains(got, "comment") || strings.Contains(got, "testdata") {
		t.Errorf("got\n%s", got)
	}
	var rest []string
	for line := range strings.Lines(got) {
		if !strings.Contains(line, " forbidden: ") {
			rest = append(rest, line)
		}
	}
	if left := strings.Join(rest, ""); left != plain {
		t.Errorf("without it\n%s\nwith it also\n%s", plain, left)
	}
	for _, file := range []string{`no http: "http://h/2"`, "a.md:2:", "b.html:1:", "c.rst:1:", "d.txt:1:", "e.ipynb:", "site/docs/index.md:1:"} {
		if !strings.Contains(got, file) {
			t.Errorf("none in %s", file)
		}
	}
	after, err := o.audit(args, nil)
	must(t, err)
	if after.Skipped != before.Skipped || after.Checked != before.Checked || after.References != before.References {
		t.Errorf("%+v, was %+v", after, before)
	}
	o.Jobs = 4
	if findings(t, o, args) != got {
		t.Error("differs with four jobs")
	}
	cached(t, o, args, got)
	listed(t, o, args)
	var again []string
	report, err := o.audit(args, nil)
	must(t, err)
	for _, name := range []string{"a.md", "b.html"} {
		text := []byte("x")
		for _, f := range txtar.Parse([]byte(forbiddenTree)).Files {
			if f.Name == name {
				text = f.Data
			}
		}
		all, known, _ := report.Recheck(tree.Absolute(report.auditor.Reader.Names.Dir, name), text, text, nil)
		if !known {
			t.Errorf("%s is not known", name)
		}
		for _, f := range all {
			again = append(again, fmt.Sprintf("%s:%d:%d+%d %s: %s\n", f.File, f.Pos.Line, f.Pos.Column, f.Pos.Length, f.Rule, f.Message))
		}
	}
	if n := strings.Count(got, "a.md:") + strings.Count(got, "b.html:"); len(again) != n {
		t.Errorf("%d findings of an editor, want %d: %q", len(again), n, again)
	}
}

// The time is linear in the references that are forbidden, and in the entries.
func TestHostileForbidden(t *testing.T) {
	run := func(n int) func() {
		text := strings.Repeat("[x](http://h/ "+strings.Repeat("y", 20)+") <http://h/z>\n", n)
		fsys := fstest.MapFS{"a.md": {Data: []byte(text)}}
		o := Options{Tree: tree.FS(fsys), Forbid: []forbid.Entry{{Match: "https"}, {Match: "(x+x+)+y"}, {Match: "^http:"}}}
		return func() {
			r, err := Run(context.Background(), o, nil)
			if err != nil || r.Findings < n {
				t.Errorf("%d findings, %v", r.Findings, err)
			}
		}
	}
	scantest.Linear(t, "references", 200*time.Millisecond, run(5_000), run(20_000))
	data := "data:text/plain," + strings.Repeat("x", 3<<20)
	fsys := fstest.MapFS{"a.md": {Data: []byte("![x](" + data + ") ![y](data:,\xff\x00) [](<>)\n")}, "b.md": {Data: []byte("\xff\xfe[x](http://\xff/)")}, "c.md": {}}
	var got []string
	_, err := Run(context.Background(), Options{Tree: tree.FS(fsys), Forbid: []forbid.Entry{{Match: "^data:"}, {Match: "^$"}}}, func(f *Finding) {
		if f.Rule == rule.Forbidden {
			got = append(got, f.Message)
		}
	})
	must(t, err)
	if len(got) != 3 || len(got[0]) > 500 {
		t.Errorf("%d: %.300q", len(got), got)
	}
}

// The last override with a rule decides, for findings of any kind.
func TestOverrides(t *testing.T) {
	fsys := fstest.MapFS{
		"r/.git/HEAD": {}, "r/a.md": {Data: []byte("[x](none.md)\n")}, "r/d/a.md": {Data: []byte("[x](none.md) [y](#y)\n\n[u]: a.md\n")}, "r/d/e/a.md": {Data: []byte("[x](none.md)\n")},
	}
	off := map[rule.Rule]rule.Level{rule.MissingFile: rule.LevelOff}
	for _, tt := range []struct {
		all  []Override
		want string
	}{
		{nil, "a.md error missing-file, d/a.md error missing-file, d/a.md error missing-fragment, d/a.md note unused-definition, d/e/a.md error missing-file"},
		{[]Override{{Files: []string{"d"}, Rules: off}}, "a.md error missing-file, d/a.md error missing-fragment, d/a.md note unused-definition"},
		{[]Override{{Files: []string{"d"}, Rules: off}, {Files: []string{"e/**"}, Dir: "d", Rules: map[rule.Rule]rule.Level{rule.MissingFile: rule.LevelNote}}},
			"a.md error missing-file, d/a.md error missing-fragment, d/a.md note unused-definition, d/e/a.md note missing-file"},
		{[]Override{{Files: []string{"**"}, Rules: map[rule.Rule]rule.Level{rule.Unused: rule.LevelError, rule.MissingFragment: rule.LevelOff}}, {Files: []string{"/a.md", "d/a.md"}, Rules: off}},
			"d/a.md error unused-definition, d/e/a.md error missing-file"},
		{[]Override{{Files: []string{"none"}, Dir: "..", Rules: off}, {Files: []string{"r/d/*"}, Dir: "/", Rules: off}}, "a.md error missing-file, d/a.md error missing-fragment, d/a.md note unused-definition, d/e/a.md error missing-file"},
	} {
		for _, jobs := range []int{1, 4} {
			var got []string
			o := Options{Tree: tree.FS(fsys), Dir: "/r", Overrides: tt.all, Jobs: jobs}
			r, err := Run(context.Background(), o, func(f *Finding) { got = append(got, fmt.Sprintf("%s %s %s", f.File, f.Level(), f.Rule)) })
			must(t, err)
			slices.Sort(got)
			if s := strings.Join(got, ", "); s != tt.want || r.Findings != len(got) || r.NoteFindings != strings.Count(s, " note ") {
				t.Errorf("%+v: got %s, %+v", tt.all, s, r)
			}
		}
	}
}

// Each directory has its own root, and what "/x" means elsewhere is still found out.
func TestRoots(t *testing.T) {
	fsys := fstest.MapFS{"r/.git/HEAD": {}}
	add := func(name, text string) { fsys["r/"+name] = &fstest.MapFile{Data: []byte(text)} }
	for i := range 30 {
		add(fmt.Sprintf("web/pages/%d.md", i), fmt.Sprintf("[x](/%d) [y](/%d)\n", (i+1)%30, (i+2)%30))
	}
	add("en/index.md", "[x](/img/a.png) [y](/zh/index.md) [z](/5)\n")
	add("en/img/a.png", "")
	add("zh/index.md", "[x](/img/a.png) [y](/index.md)\n")
	add("zh/old/x.md", "[x](/img/a.png)\n")
	o := Options{Tree: tree.FS(fsys), Dir: "/r", Roots: []Root{{"en", "en"}, {"/r/zh", "zh"}, {"zh/old", "en"}}}
	for _, jobs := range []int{1, 4} {
		o.Jobs = jobs
		var got []string
		r, err := Run(context.Background(), o, func(f *Finding) { got = append(got, fmt.Sprintf("%s:%d %s", f.File, f.Pos.Column, f.Rule)) })
		must(t, err)
		if want := "en/index.md:21 missing-file, en/index.md:39 missing-file, zh/index.md:5 missing-file"; strings.Join(got, ", ") != want || len(r.Learnt) != 1 {
			t.Errorf("got %s, %+v\nwant %s", strings.Join(got, ", "), r.Learnt, want)
		}
	}
	for _, roots := range [][]Root{{{"none", "en"}}, {{"en", "none"}}, {{"en", "en"}, {"./en", "zh"}}, {{"", ""}, {".", "en"}}} {
		o.Roots = roots
		if _, err := Run(context.Background(), o, nil); err == nil || !strings.HasPrefix(err.Error(), "Roots") {
			t.Errorf("%v: %v", roots, err)
		}
	}
}
