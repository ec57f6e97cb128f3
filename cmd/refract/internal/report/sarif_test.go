package report

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// The origin and licence of the schemas are in testdata/README.md.
const (
	sarifFile = "testdata/sarif-schema-2.1.0.json"
	junitFile = "testdata/junit-4.xsd"
)

// sarifValidator is the schema that OASIS published with errata 01.
func sarifValidator(t *testing.T) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open(sarifFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	schema, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	if id := schema.(map[string]any)["id"]; id != sarifSchema {
		t.Fatalf("schema %v, not %s", id, sarifSchema)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(sarifSchema, schema); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile(sarifSchema)
}

func TestSARIF(t *testing.T) {
	schema := sarifValidator(t)
	for _, bad := range []string{`{}`, `{"version":"2.1.0","runs":[{}]}`, `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{"text":"x"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a b%"}}}]}]}]}`} {
		v, _ := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if schema.Validate(v) == nil {
			t.Errorf("the schema takes %s", bad)
		}
	}
	r := auditTree(t)
	for _, run := range []*Run{r, {Report: &audit.Report{}}} {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(written(t, run, "sarif")))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Error(err)
		}
	}

	run := sarifOf(t, r)
	if len(run.Results) != len(r.Findings) {
		t.Fatalf("%d results, not %d", len(run.Results), len(r.Findings))
	}
	if v := run.Invocations[0]; v.Successful || len(v.Notifications) != 2 || v.Notifications[0].Message.Text != text(r.Errors[0].Err.Error()) {
		t.Errorf("%+v", v)
	}
	seen := map[string]bool{}
	fixed := 0
	for i, f := range r.Findings {
		k := run.Results[i]
		sarif := run.Tool.Driver.Rules[k.RuleIndex]
		if k.RuleID != string(f.Rule) || sarif.ID != k.RuleID || k.Level != f.Rule.Level() || k.Message.Text != text(f.Text()) {
			t.Errorf("%+v of %s: %s", k, f.File, f.Text())
		}
		if print := k.Fingerprints["reference/v1"]; print == "" || seen[print] {
			t.Errorf("%s: fingerprint %q is not its own", f.File, print)
		} else {
			seen[print] = true
		}
		where := k.Locations[0].Physical
		// A URI leads back to the file, byte by byte.
		u, err := url.Parse(where.Artifact.URI)
		if err != nil || filepath.Clean(u.Path) != filepath.Clean(f.File) || where.Artifact.BaseID != root || u.Scheme != "" {
			t.Errorf("%q is %+v", f.File, where.Artifact)
		}
		at := where.Region
		if at.StartLine < 1 || (f.Rule == rule.Orphan) != (at.ByteOffset == nil) || f.Rule == rule.Orphan && *at != (sarifRegion{StartLine: 1}) {
			t.Errorf("%s: %+v", f.File, at)
		}
		for _, x := range k.Fixes {
			fixed++
			src, _ := os.ReadFile(f.Path)
			p := x.Changes[0].Replacements[0]
			from := *p.Deleted.ByteOffset
			if got := string(src[from : from+int64(*p.Deleted.ByteLength)]); got != string(f.Ref.Ref) || p.Inserted.Text != f.Suggestion {
				t.Errorf("%s: fix of %q by %q", f.File, got, p.Inserted.Text)
			}
		}
	}
	if fixed == 0 {
		t.Error("no fix")
	}
	for _, rule := range run.Tool.Driver.Rules {
		if rule.Short.Text == "." || rule.Full.Text == "" || rule.Help.Text == "" || rule.Default.Level == "" || len(rule.Full.Text) > 1024 {
			t.Errorf("%+v", rule)
		}
	}
}

func sarifOf(t *testing.T, r *Run) sarifRun {
	t.Helper()
	var log sarifLog
	d := json.NewDecoder(bytes.NewReader(written(t, r, "sarif")))
	d.DisallowUnknownFields()
	if err := d.Decode(&log); err != nil {
		t.Fatal(err)
	}
	return log.Runs[0]
}

// Fingerprints do not change when text before a reference moves it.
func TestFingerprints(t *testing.T) {
	of := func(text string) (prints []string) {
		dir := t.TempDir()
		t.Chdir(dir)
		os.WriteFile("a.md", []byte(text), 0o666)
		r := new(Run)
		r.Report, _ = audit.Run(t.Context(), audit.Options{Paths: []string{"a.md"}}, func(f *audit.Finding) { r.Findings = append(r.Findings, f) })
		for _, k := range sarifOf(t, r).Results {
			prints = append(prints, k.Fingerprints["reference/v1"])
		}
		return prints
	}
	one := of("[x](b.md) [x](b.md) [y][z] [y][w]\n")
	if two := of("# New\n\n[x](b.md)\n\n> [x](b.md)\n\n[y][z] [y][w]\n"); len(one) != 4 || !slices.Equal(one, two) {
		t.Errorf("%q, then %q", one, two)
	}
}

func TestArtifact(t *testing.T) {
	for _, tt := range []struct {
		name string
		want sarifArtifact
	}{
		{"docs/a.md", sarifArtifact{"docs/a.md", root}},
		{"a b%\n\xff.md", sarifArtifact{"a%20b%25%0A%FF.md", root}},
		{"a?b#c.md", sarifArtifact{"a%3Fb%23c.md", root}},
		{"a:b.md", sarifArtifact{"./a:b.md", root}},
		{"../x.md", sarifArtifact{"../x.md", root}},
		{"/a b/c.md", sarifArtifact{"file:///a%20b/c.md", ""}},
		{"//h/c.md", sarifArtifact{"file:////h/c.md", ""}},
	} {
		if got := artifact(tt.name); got != tt.want {
			t.Errorf("%q: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
