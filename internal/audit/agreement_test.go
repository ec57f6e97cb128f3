package audit

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// The warnings of sphinx-build -n about references, on three trees, and on two of them again with up to 40 names of
// each kind changed to ones that do not exist. Each row has a kind of warning, and for how many the audit has a finding
// at the same reference, for how many it counts the reference as not checked, and how many are in no text that could be
// read: generated, or types in signatures.
func TestAgreementWithSphinx(t *testing.T) {
	data, err := os.ReadFile("testdata/sphinx-agreement.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	own := sphinxSamples(t)
	same, other := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(data)) {
		var row struct {
			Tree, Warning, Why                   string
			Found, Generated, Signature, Neither int
			NotJudged                            int `json:"not_judged"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if own[row.Warning] == "" {
			t.Errorf("no line of our own for the warning %s", row.Warning)
		}
		same[row.Tree] += row.Found + row.NotJudged
		other[row.Tree] += row.Neither
		if row.NotJudged+row.Generated+row.Signature+row.Neither > 0 && row.Why == "" {
			t.Errorf("%s, %s: no reason", row.Tree, row.Warning)
		}
	}
	for tree, n := range same {
		if share := float64(n) / float64(n+other[tree]); share < 0.98 {
			t.Errorf("%s: the audit agrees with %.1f %% of the warnings, want 98 %%", tree, 100*share)
		}
	}
	if len(same) != 5 {
		t.Errorf("%d trees, want 5", len(same))
	}
}

// sphinxSamples audits a small tree with a line for each kind of warning, and returns the verdicts: "found" or "not
// checked".
func sphinxSamples(t *testing.T) map[string]string {
	t.Helper()
	lines := map[string]string{
		"document": ":doc:`gone`", "download": ":download:`gone.zip`", "image": ".. image:: gone.png", "include": ".. include:: gone.txt", "substitution": "|gone|",
		"target": "gone_", "toctree": ".. toctree::\n\n   gone", "orphan": ":orphaned: yes", "role": ":gone:`x`", "term": ":term:`gone`", "token": ":token:`gone`",
		"ref": ":ref:`gone`",
	}
	for _, role := range []string{"c:data", "c:func", "c:macro", "c:member", "c:struct", "c:type", "confval", "djadmin", "envvar", "event", "keyword", "lookup", "opcode", "option",
		"py:attr", "py:class", "py:const", "py:data", "py:exc", "py:func", "py:meth", "py:mod", "py:obj", "rst:dir", "rst:role", "setting", "tfilter", "ttag"} {
		lines[role] = ":" + role + ":`gone`"
	}
	lines["c:identifier"] = ".. c:function:: gone_t f(gone_t x)\n\n:c:type:`gone_t`"
	t.Chdir(t.TempDir())
	write := func(name, text string) { must(t, os.WriteFile(name, []byte(text), 0o666)) }
	conf, toc, wanted := "extensions = []\n", "Start\n=====\n\n.. toctree::\n\n", map[string]string{}
	for _, kind := range []string{"confval", "djadmin", "event", "lookup", "opcode", "setting", "tfilter", "ttag"} {
		conf += "def setup(app): app.add_crossref_type('" + kind + "', '" + kind + "')\n"
	}
	for _, kind := range slices.Sorted(maps.Keys(lines)) {
		name := strings.ReplaceAll(kind, ":", "-")
		write(name+".rst", kind+"\n"+strings.Repeat("=", len(kind))+"\n\n"+lines[kind]+"\n")
		wanted[name+".rst"] = kind
		if kind != "orphan" {
			toc += "   " + name + "\n"
		}
	}
	write("conf.py", conf)
	write("index.rst", toc)
	verdicts := map[string]string{}
	o := Options{Paths: []string{"."}, Orphans: true, Unchecked: func(u *Unchecked) { verdicts[wanted[u.File]] = "not checked" }}
	_, err := Run(t.Context(), o, func(f *Finding) {
		verdicts[wanted[f.File]] = "found"
	})
	must(t, err)
	// Objects whose names have no dot may be declared by a program, and types of objects that conf.py adds may be of an
	// extension.
	found := []string{"document", "download", "image", "include", "keyword", "option", "orphan", "ref", "role", "substitution", "target", "term", "toctree"}
	for kind := range lines {
		want := "not checked"
		if slices.Contains(found, kind) {
			want = "found"
		}
		if verdicts[kind] != want {
			t.Errorf("a line with the warning %s: %q, want %q", kind, verdicts[kind], want)
		}
	}
	return verdicts
}
