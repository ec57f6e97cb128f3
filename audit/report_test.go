package audit_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/audit"
)

// Each constant is a rule, and each rule has a constant.
func TestRules(t *testing.T) {
	constants := []audit.Rule{
		audit.MissingFile, audit.BrokenImage, audit.MissingFragment, audit.Case, audit.Outside, audit.Symlink, audit.DuplicateID, audit.EmptyLink,
		audit.BadURL, audit.MissingScheme, audit.LocalURL, audit.Redirect, audit.Undefined, audit.Unused, audit.Orphan, audit.MissingNote,
		audit.MissingObject, audit.Undeclared, audit.NotInSpine, audit.MovingLine, audit.Forbidden, audit.VagueText, audit.SameTarget,
		audit.RedirectTarget, audit.RedirectLoop, audit.RedirectChain, audit.RedirectShadowed, audit.RedirectTwice, audit.RemovedURL, audit.RemovedID,
		audit.MissingResource, audit.MissingPage, audit.MissingOptional, audit.Damaged,
	}
	if !slices.Equal(slices.Sorted(slices.Values(constants)), slices.Sorted(slices.Values(audit.Rules()))) {
		t.Errorf("constants %q, rules %q", constants, audit.Rules())
	}
	for _, r := range audit.Rules() {
		if about := r.About(); about == "" || strings.HasSuffix(about, ".") {
			t.Errorf("%s: %q", r, about)
		}
	}
	for r, want := range map[audit.Rule]audit.Level{audit.MissingFile: audit.LevelError, audit.Orphan: audit.LevelNote, audit.Unused: audit.LevelNote} {
		if r.Level() != want {
			t.Errorf("%s: %s, want %s", r, r.Level(), want)
		}
	}
}

// A Report counts what is checked and what is not, and says why.
func TestReport(t *testing.T) {
	files := fstest.MapFS{
		"r/.git":          {},
		"r/docs/index.md": {Data: []byte("# Start\n\n[a](a.md) [t]({{x}}.md) [none][label]\n\n<!-- refract-ignore-nxt -->\n[gone](p/gone.md)\n")},
		"r/docs/a.md":     {Data: []byte("# A\n\n[index](index.md#start)\n")},
		"r/docs/old.wiki": {},
	}
	for i := range 8 {
		files[fmt.Sprintf("r/docs/p/%d.md", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "[a](../a.md) [1](/p/%d) [2](/p/%d) [3](/p/%d)\n", (i+1)%8, (i+2)%8, (i+3)%8)}
	}
	var unchecked []string
	o := audit.Options{
		Tree: audit.FS(files), Dir: "/r", Graph: true,
		Unchecked: func(u *audit.Unchecked) {
			unchecked = append(unchecked, fmt.Sprintf("%s:%d:%d %s %s", u.File, u.Pos.Line, u.Pos.Column, u.Why.Name(), u.Ref.Raw))
		},
	}
	var findings []string
	r, err := audit.Run(t.Context(), o, func(f *audit.Finding) { findings = append(findings, f.String()+" "+f.Written()) })
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"docs/index.md:3:32: undefined link label [label] [undefined-reference] ", `docs/index.md:6:8: no such file: "docs/p/gone.md" [missing-file] p/gone.md`}; !slices.Equal(findings, want) {
		t.Errorf("findings %q, want %q", findings, want)
	}
	if want := []string{"docs/index.md:3:15 template {{x}}.md"}; !slices.Equal(unchecked, want) {
		t.Errorf("not checked %q, want %q", unchecked, want)
	}
	total := 0
	for why, n := range r.Reasons {
		total += n
		if why.Name() != "template" || !strings.Contains(why.String(), "template") {
			t.Errorf("%s: %s", why.Name(), why)
		}
	}
	if total != r.Skipped || r.Skipped != 1 || r.Checked != 35 || r.Documents != 10 || r.Findings != 2 {
		t.Errorf("%d reasons; %+v", total, r)
	}
	if want := []audit.Coverage{{Dir: "docs", Checked: 3, Skipped: 1}, {Dir: "docs/p", Checked: 32}}; !slices.Equal(r.Coverage, want) {
		t.Errorf("coverage %+v", r.Coverage)
	}
	if len(r.InferredRules) != 1 || fmt.Sprint(r.InferredRules[0]) != "{ [docs] [.md] false 24 24}" {
		t.Errorf("inferred %+v", r.InferredRules)
	}
	if len(r.Notes) != 1 || r.Notes[0].File != "docs/index.md" || r.Notes[0].Pos.Line != 5 {
		t.Errorf("notes %+v", r.Notes)
	}
	if !slices.Contains(r.Links, audit.Link{From: "docs/a.md", To: "docs/index.md"}) || len(r.Links) != 34 {
		t.Errorf("links %+v", r.Links)
	}
	if r.Unread[".wiki"] != 1 {
		t.Errorf("unread %v", r.Unread)
	}
}

// The configuration with which a document was read is that of its generator.
func TestConfig(t *testing.T) {
	o := audit.Options{
		MaxEntity: 1 << 20, Dir: "/r",
		Tree: audit.FS(fstest.MapFS{"r/docs/a.md": {Data: []byte("\\([a](b.md)\\)\n")}, "r/mkdocs.yml": {Data: []byte("site_name: x\n")}}),
	}
	r, err := audit.Run(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, config := range map[string]int64{"Options": o.Config("docs/a.md").MaxEntity, "Report": r.Config("docs/a.md").MaxEntity} {
		if config != o.MaxEntity {
			t.Errorf("%s: MaxEntity %d", name, config)
		}
	}
	if c := new(audit.Report).Config("docs/a.md"); c.MaxEntity != 0 {
		t.Errorf("the zero Report: MaxEntity %d", c.MaxEntity)
	}
	if fmt.Sprint(r.Config("docs/a.md").Markdown) == fmt.Sprint(o.Config("docs/a.md").Markdown) {
		t.Error("the dialect is not that of MkDocs")
	}
}

// What a baseline holds is not reported again, also after it was written and read.
func TestBaselineIsWritten(t *testing.T) {
	o := audit.Options{Tree: audit.FS(fstest.MapFS{"r/a.md": {Data: []byte("[x](x.md) [y](y.md)\n")}}), Dir: "/r"}
	var each [2]audit.Baseline
	n := 0
	_, err := audit.Run(t.Context(), o, func(f *audit.Finding) {
		each[n].Add(f.Path, f)
		n++
	})
	if err != nil {
		t.Fatal(err)
	}
	known := new(audit.Baseline)
	known.Join(&each[0])
	known.Join(&each[1])
	known.Join(&each[1])
	known.Join(nil)
	var b bytes.Buffer
	err = known.Write(&b, "/r")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"a.md\tmissing-file\tx.md\n", "a.md\tmissing-file\ty.md\n"} {
		if strings.Count(b.String(), line) != 1 {
			t.Errorf("%q is not once in %q", line, &b)
		}
	}
	o.Baseline, err = audit.ReadBaseline(&b, "/r")
	if err != nil {
		t.Fatal(err)
	}
	r, err := audit.Run(t.Context(), o, nil)
	if err != nil || r.Known != 2 || r.Findings != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	_, err = audit.ReadBaseline(strings.NewReader("secret\n"), "/r")
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	b.Reset()
	err = (*audit.Baseline)(nil).Write(&b, "/r")
	if err != nil {
		t.Fatal(err)
	}
	_, err = audit.ReadBaseline(&b, "/r")
	if err != nil {
		t.Errorf("an empty baseline: %v", err)
	}
}

// With a Cache, an audit finds what it finds without, and the Cache says when it must be written.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.md")
	write := func(text string) {
		t.Helper()
		err := os.WriteFile(name, []byte(text), 0o666)
		if err != nil {
			t.Fatal(err)
		}
	}
	cache := new(audit.Cache)
	run := func(want string) {
		t.Helper()
		var got []string
		_, err := audit.Run(t.Context(), audit.Options{Tree: audit.Disk(), Dir: filepath.ToSlash(dir), Cache: cache}, func(f *audit.Finding) { got = append(got, f.Written()) })
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("found %q, %v, want %s", got, err, want)
		}
	}
	again := func() {
		t.Helper()
		var b bytes.Buffer
		err := errors.Join(cache.Write(&b, "1"), new(audit.Cache).Read(bytes.NewReader(b.Bytes()), "1"), cache.Read(&b, "1"))
		if err != nil {
			t.Fatal(err)
		}
	}
	write("[x](x.md)\n")
	run("x.md")
	if !cache.Changed() {
		t.Error("a document was added")
	}
	write("[y](y.md)\n")
	again()
	run("y.md")
	if err := cache.Read(strings.NewReader("no cache"), "1"); err == nil {
		t.Error("it is a cache")
	}
	run("y.md")
}

// An Overlay is a Tree with changes in memory.
func TestOverlay(t *testing.T) {
	o := audit.NewOverlay(audit.FS(fstest.MapFS{
		"d/a.md": {Data: []byte("a")}, "d/b.md": {}, "l": {Data: []byte("d/a.md"), Mode: fs.ModeSymlink | 0o777},
	}))
	o.Remove("/d/b.md")
	o.Write("/d/c.md", []byte("c"))
	list, err := o.ReadDir("/d")
	if err != nil || len(list) != 2 || list[0].Name() != "a.md" || list[1].Name() != "c.md" {
		t.Error(list, err)
	}
	_, err = o.Stat("/d/b.md")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	info, err := o.Lstat("/l")
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error(info, err)
	}
	to, err := o.ReadLink("/l")
	if err != nil || to != "d/a.md" {
		t.Error(to, err)
	}
	real, err := o.Real("/l")
	if err != nil || real != "/d/a.md" {
		t.Error(real, err)
	}
	f, err := o.Open("/d/c.md")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	var none *audit.Overlay
	r, err := audit.Run(t.Context(), audit.Options{Tree: none, Dir: filepath.ToSlash(t.TempDir())}, nil)
	if err != nil || r.Documents != 0 { // the disk
		t.Error(r, err)
	}
}
