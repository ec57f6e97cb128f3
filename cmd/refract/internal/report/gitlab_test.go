package report

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"example.org/refract/internal/audit/rule"
)

// gitlabRules are the rules that GitLab's documentation states in words ("Code Quality", section "Code Quality report
// format"; GitLab publishes no schema): an array of objects with these attributes, all required.
const gitlabRules = `{
	"type": "array",
	"items": {
		"type": "object",
		"required": ["description", "check_name", "fingerprint", "severity", "location"],
		"properties": {
			"description": {"type": "string", "minLength": 1},
			"check_name": {"type": "string", "minLength": 1},
			"fingerprint": {"type": "string", "minLength": 1},
			"severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
			"location": {
				"type": "object",
				"required": ["path", "lines"],
				"properties": {
					"path": {"type": "string", "not": {"pattern": "^\\./"}},
					"lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}}
				}
			}
		}
	}
}`

func TestGitLab(t *testing.T) {
	rules, err := jsonschema.UnmarshalJSON(strings.NewReader(gitlabRules))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("gitlab.json", rules); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("gitlab.json")
	r := auditTree(t)
	out := written(t, r, "gitlab")
	// The report must not begin with a byte order mark.
	if !bytes.HasPrefix(out, []byte("[")) {
		t.Errorf("%q", out[:10])
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Error(err)
	}
	var got []gitlabIssue
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if n := len(r.Findings) + len(r.Errors) + len(r.Notes); len(got) != n {
		t.Fatalf("%d issues, not %d", len(got), n)
	}
	seen := map[string]bool{}
	for i, k := range got {
		if seen[k.Fingerprint] {
			t.Errorf("%+v: its fingerprint occurs twice", k)
		}
		seen[k.Fingerprint] = true
		if i >= len(r.Findings) {
			continue
		}
		f := r.Findings[i]
		if k.Check != "refract/"+string(f.Rule) || k.Description != text(f.Text()) || k.Location.Path != text(path.Clean(f.File)) ||
			k.Location.Lines.Begin != max(1, f.Pos.Line) || (k.Severity == "info") != (f.Rule.Level() == rule.LevelNote) {
			t.Errorf("%+v of %s: %s", k, f.File, f.Text())
		}
	}
}
