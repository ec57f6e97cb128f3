package audit

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/internal/audit/rule"
)

// The files of testdata/builds compare the audit of real trees with the sites that their generators
// built, as of November 2026. Comments give the tree, its commit, the generator, and how
// many references into the site the built pages have, of which how many point nowhere. A line each:
//
//	what is missing, source, reference, build, audit, reason
//
// for each reference that points nowhere in the build (dead), and for each finding besides (what
// has no page in the build, or is not shown in it). build is what a visitor meets, audit the
// verdict. Unless what is dead is found, there is a reason.
type buildRow struct{ what, source, ref, build, verdict, reason string }

var (
	builtVerdicts = []string{"found", "note", "not checked", "missed"}
	builtStates   = []string{"dead", "no page", "not shown", "not built"}
)

// readBuild reads a file of testdata/builds.
func readBuild(t *testing.T, name string) (about map[string]string, rows []buildRow) {
	t.Helper()
	text, err := os.ReadFile(name)
	must(t, err)
	about = map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if comment, ok := strings.CutPrefix(line, "# "); ok {
			key, value, _ := strings.Cut(comment, "\t")
			about[key] = value
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 6 {
			t.Fatalf("%s: %d fields in %q", name, len(f), line)
		}
		rows = append(rows, buildRow{f[0], f[1], f[2], f[3], f[4], f[5]})
	}
	return about, rows
}

// buildSamples are references of our own, by what the tables say is missing, in a tree with the files a.md, which has the
// heading "There", and sub/.
var buildSamples = map[string]struct {
	text string
	rule rule.Rule
}{
	"file": {"[x](gone.md)", rule.MissingFile}, "missing-file": {"[x](gone.txt)", rule.MissingFile}, "outside": {"[x](../../gone.md)", rule.Outside},
	"fragment": {"[x](a.md#gone)", rule.MissingFragment}, "missing-fragment": {"[x](#gone)", rule.MissingFragment}, "broken-image": {"![x](gone.png)", rule.BrokenImage},
	"undefined-reference": {"[x][gone]", rule.Undefined}, "unused-definition": {"[gone]: a.md", rule.Unused}, "empty-link": {"[x]()", rule.EmptyLink}, "bad-url": {"[x](http://[/)", rule.BadURL},
}

// findingsIn audits a document with a text, and returns the rules of the findings in it.
func findingsIn(t *testing.T, text string) (found []rule.Rule) {
	t.Helper()
	t.Chdir(t.TempDir())
	must(t, os.WriteFile("a.md", []byte("# There\n"), 0o666))
	must(t, os.WriteFile("b.md", []byte("# B\n\n"+text+"\n"), 0o666))
	_, err := Run(t.Context(), Options{Paths: []string{"."}}, func(f *Finding) { found = append(found, f.Rule) })
	must(t, err)
	return found
}

// Each table names its subject, and each difference has a reason. Of each kind of difference, a reference of our own is
// found.
func TestBuilds(t *testing.T) {
	files, err := filepath.Glob("testdata/builds/*.tsv")
	must(t, err)
	for i := range files {
		files[i], err = filepath.Abs(files[i])
		must(t, err)
	}
	for what, s := range buildSamples {
		if got := findingsIn(t, s.text); !slices.Equal(got, []rule.Rule{s.rule}) {
			t.Errorf("%s: %q: %v, want %v", what, s.text, got, s.rule)
		}
	}
	if got := findingsIn(t, "[x](a.md#there) [y](sub/../a.md) ![z](a.md)"); slices.Contains(got, rule.MissingFragment) || slices.Contains(got, rule.MissingFile) {
		t.Errorf("references that are right: %v", got)
	}
	dead, found := 0, 0
	for _, name := range files {
		about, rows := readBuild(t, name)
		for _, key := range []string{"tree", "generator", "built"} {
			if about[key] == "" {
				t.Errorf("%s: no %s", name, key)
			}
		}
		for _, r := range rows {
			isDead := r.build == "dead"
			switch {
			case buildSamples[r.what].text == "":
				t.Errorf("%s: no reference of our own for %q", name, r.what)
			case !slices.Contains(builtVerdicts, r.verdict), !slices.Contains(builtStates, r.build):
				t.Errorf("%s: %+v: unknown verdict", name, r)
			case r.reason == "" && !(isDead && r.verdict == "found"):
				t.Errorf("%s: %+v: no reason", name, r)
			}
			if isDead {
				dead++
			}
			if isDead && r.verdict == "found" {
				found++
			}
		}
	}
	const minTrees, minDead = 22, 100
	if len(files) < minTrees || dead < minDead || 10*found < 7*dead {
		t.Errorf("%d trees, %d dead references, %d of them found", len(files), dead, found)
	}
}

// testdata/built.tsv says how audits with a build agree with an independent reading of it. Its lines have the fields that its
// comments name, and the figures that were promised.
func TestBuiltSites(t *testing.T) {
	text, err := os.ReadFile("testdata/built.tsv")
	must(t, err)
	fields, sums, lines := map[string][]string{}, map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if comment, ok := strings.CutPrefix(line, "# "); ok {
			if kind, _, isHead := strings.Cut(comment, "\t"); isHead {
				fields[kind] = strings.Split(comment, "\t")
			}
			continue
		}
		if line == "#" {
			continue
		}
		values := strings.Split(line, "\t")
		names := fields[values[0]]
		if len(values) != len(names) {
			t.Fatalf("%q has %d fields, not those of %q", line, len(values), names)
		}
		lines[values[0]]++
		for i, name := range names {
			if n, err := strconv.Atoi(values[i]); err == nil {
				sums[values[0]+" "+name] += n
			}
		}
	}
	const minSites, minProbes, minShown, minOverwritten, minVersions = 10, 11, 1000, 500, 10
	switch {
	case lines["site"] < minSites, lines["probe"] < minProbes, sums["site shown"] < minShown, sums["site overwritten"] < minOverwritten:
		t.Errorf("too little: %v %v", lines, sums)
	case lines["version"] < minVersions, sums["version last"] > 0:
		t.Errorf("builds of other versions: %v", sums)
	case 80*sums["site found"] < 79*sums["site shown"], sums["site false"] > 0, sums["site wrong"] > 0,
		lines["again"] < lines["site"], sums["again found"] < sums["again shown"], sums["again false"] > 0, sums["again wrong"] > 0,
		lines["final"] < minSites, sums["final found"] < sums["final shown"], sums["final false"] > 0, sums["final wrong"] > 0:
		t.Errorf("not what was promised: %v", sums)
	}
}

// TestBuiltTrees audits the trees again: those that are in the directory REFRACT_TREES, by names
// such as "gohugoio+hugoDocs", as of the commits that the tables name.
func TestBuiltTrees(t *testing.T) {
	trees := os.Getenv("REFRACT_TREES")
	if trees == "" {
		t.Skip("REFRACT_TREES is not set")
	}
	files, err := filepath.Glob("testdata/builds/*.tsv")
	must(t, err)
	missing := 0
	defer func() { t.Logf("%d trees audited, %d skipped", len(files)-missing, missing) }()
	for _, name := range files {
		dir := filepath.Join(trees, strings.TrimSuffix(filepath.Base(name), ".tsv"))
		if _, err := os.Stat(dir); err != nil {
			missing++
			continue
		}
		_, rows := readBuild(t, name)
		type key struct{ source, ref string }
		got := map[key]bool{}
		_, err := Run(t.Context(), Options{Dir: dir}, func(f *Finding) {
			ref := strings.NewReplacer("\t", " ", "\n", " ").Replace(f.Written())
			got[key{f.File, ref}] = got[key{f.File, ref}] || f.Rule.Level() == rule.LevelError
		})
		must(t, err)
		for _, r := range rows {
			isError, isFound := got[key{r.source, r.ref}]
			if r.what == string(rule.Undefined) {
				continue // has no reference
			}
			if is := r.verdict == "found"; is != isError || r.verdict == "note" && !isFound {
				t.Errorf("%s: %+v: an error: %v, a note: %v", name, r, isError, isFound && !isError)
			}
			delete(got, key{r.source, r.ref})
		}
	}
}
