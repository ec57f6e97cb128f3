package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/config"
	"example.org/refract/internal/testing/cmdtest"
)

type jsonSchema struct {
	Description          string
	Type                 any
	Enum                 []any
	Ref                  string `json:"$ref"`
	AnyOf                []jsonSchema
	Items                *jsonSchema
	Properties           map[string]jsonSchema
	AdditionalProperties any
	Definitions          map[string]jsonSchema
}

// readSchema returns the schema that the help prints.
func readSchema(t *testing.T) (s jsonSchema) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run([]string{"help", "config", "--schema"}, &out, &errs); code != cli.ExitOK || errs.Len() > 0 {
		t.Fatal(code, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// configured returns what an audit says about a configuration.
func configured(t *testing.T, text string) (code int, errs string) {
	t.Helper()
	if err := os.WriteFile(config.Name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, messages bytes.Buffer
	code = run([]string{"audit", "-q", "a.md"}, &out, &messages)
	return code, messages.String()
}

// The schema has the keys that a configuration may have, and no others. It takes lists where the program does, and only values
// that the program accepts.
func TestConfigSchema(t *testing.T) {
	t.Chdir(cmdtest.Files(t, map[string]string{"a.md": "# A\n"}))
	s := readSchema(t)
	if s.AdditionalProperties != false {
		t.Error("other keys are allowed")
	}
	root := newCommand(&bytes.Buffer{}, &bytes.Buffer{})
	names := map[string]bool{"nothing": true}
	for name := range s.Properties {
		names[name] = true
	}
	for _, c := range append(root.Subs, root) {
		for _, f := range c.List {
			names[f.Name] = true
		}
	}
	for name := range names {
		_, errs := configured(t, name+": ~\n")
		mayBeSet := !strings.Contains(errs, "is not a flag of") && !strings.Contains(errs, "is only for a configuration that you name")
		p, isProperty := s.Properties[name]
		switch {
		case mayBeSet != isProperty:
			t.Errorf("%s: in the schema: %v; accepted: %v: %s", name, isProperty, mayBeSet, errs)
		case isProperty && p.Description == "":
			t.Errorf("%s has no description", name)
		}
	}
	for name, p := range s.Properties {
		checkValues(t, name, p, s.Definitions)
	}
	for _, r := range rule.Rules() {
		if text := fmt.Sprint(s.Definitions["rule"].Enum); !strings.Contains(text, string(r)) {
			t.Errorf("%s: no rule in the schema", r)
		}
	}
}

// What the schema says of values with parts is what the program accepts.
func TestConfigSchemaParts(t *testing.T) {
	t.Chdir(cmdtest.Files(t, map[string]string{"a.md": "# A\n", "hosts": "a.example\n"}))
	s := readSchema(t)
	forbidden := s.Properties["forbid"].AnyOf[0].AnyOf[1].Properties
	for key := range forbidden {
		text := map[string]string{"match": "match: x", "hosts": "hosts: hosts", "message": "match: x, message: y"}[key]
		if code, errs := configured(t, "forbid: [{"+text+"}]\n"); code == cli.ExitFailed || text == "" {
			t.Errorf("forbid: %s: %s", key, errs)
		}
	}
	override := s.Properties["overrides"].AnyOf[0].Properties
	for name, levels := range override["rules"].Properties {
		for _, level := range levels.Enum {
			if code, errs := configured(t, fmt.Sprintf("overrides: [{files: x, rules: {%s: %v}}]\n", name, level)); code == cli.ExitFailed {
				t.Errorf("overrides: %s: %s", name, errs)
			}
		}
	}
	if len(override["rules"].Properties) != len(rule.Rules()) {
		t.Errorf("overrides: %d rules", len(override["rules"].Properties))
	}
	for _, text := range []string{"forbid: [{pattern: x}]", "overrides: [{files: x}]", "overrides: [{files: x, rules: {case: warn}}]", "root: {a: [b]}"} {
		if code, _ := configured(t, text+"\n"); code != cli.ExitFailed {
			t.Errorf("%s is accepted", text)
		}
	}
}

// checkValues checks the schema of a key against what the program accepts.
func checkValues(t *testing.T, name string, p jsonSchema, definitions map[string]jsonSchema) {
	t.Helper()
	item, isList := p, false
	for i, either := range p.AnyOf {
		if i == 0 {
			item = either
		}
		isList = isList || either.Items != nil
	}
	if item.Type == "object" || item.AnyOf != nil {
		return // its own test
	}
	if item.Ref != "" {
		item = definitions[strings.TrimPrefix(item.Ref, "#/definitions/")]
	}
	example := any("none") // no file
	if text := fmt.Sprint(item.Type); strings.Contains(text, "boolean") {
		example = true
	} else if strings.Contains(text, "integer") {
		example = 1
	}
	for _, value := range item.Enum {
		if value == nil {
			continue
		}
		example = value
		if code, errs := configured(t, fmt.Sprintf("%s: %v\n", name, value)); code == cli.ExitFailed {
			t.Errorf("%s: %v: %s", name, value, errs)
		}
	}
	_, errs := configured(t, fmt.Sprintf("%s: [%v, %v]\n", name, example, example))
	if takesList := !strings.Contains(errs, "give one value"); takesList != isList {
		t.Errorf("%s: a list in the schema: %v; accepted: %v: %s", name, isList, takesList, errs)
	}
	if code, errs := configured(t, name+": nothing\n"); item.Enum != nil && code != cli.ExitFailed {
		t.Errorf("%s: any value is accepted: %s", name, errs)
	}
}

// The topic names each key that the help of audit shows, and --schema is only for it.
func TestConfigTopic(t *testing.T) {
	var out, errs bytes.Buffer
	run([]string{"help", "config"}, &out, &errs)
	root := newCommand(&bytes.Buffer{}, &bytes.Buffer{})
	for name := range readSchema(t).Properties {
		f := root.Sub("audit").Flag(name)
		if !strings.Contains(out.String(), "\n  "+name+" ") && (f == nil || !f.Hidden) {
			t.Errorf("no %s in the topic", name)
		}
	}
	for _, args := range [][]string{{"help", "--schema"}, {"help", "audit", "--schema"}, {"help", "json", "--schema"}} {
		if code := run(args, &bytes.Buffer{}, &errs); code != cli.ExitFailed || !strings.Contains(errs.String(), "refract help config --schema") {
			t.Errorf("%v: status %d, %s", args, code, errs.String())
		}
		errs.Reset()
	}
}

// proposed returns the files that init shows in a directory, by their names.
func proposed(t *testing.T, args ...string) map[string]string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(append([]string{"init"}, args...), &out, &errs); code != cli.ExitOK {
		t.Fatal(code, errs.String())
	}
	files := map[string]string{}
	for _, part := range strings.Split("\n"+out.String(), "\n==> ")[1:] {
		name, text, _ := strings.Cut(part, " <==\n")
		files[name] = text
	}
	return files
}

// All keys that init proposes as comments may be set.
func TestInitConfiguration(t *testing.T) {
	t.Chdir(cmdtest.Files(t, map[string]string{"README.md": "# A\n", "a.md": "[a](README.md)\n", "docs/a.md": "[a](../README.md)\n", "site/index.html": ""}))
	if code := run([]string{"audit", "-q", "--write-baseline", "known.txt"}, &bytes.Buffer{}, &bytes.Buffer{}); code != cli.ExitOK {
		t.Fatal(code)
	}
	var set strings.Builder
	keys := 0
	for line := range strings.Lines(proposed(t)[config.Name]) {
		text, _ := strings.CutPrefix(line, "# ")
		if key, _, isKey := strings.Cut(text, ": "); isKey && !strings.Contains(key, " ") {
			keys++
			set.WriteString(text)
			if _, ok := readSchema(t).Properties[key]; !ok {
				t.Errorf("%s is no key", key)
			}
		}
	}
	if code, errs := configured(t, set.String()); code == cli.ExitFailed || keys < 8 {
		t.Errorf("%d keys: %s\n%s", keys, errs, set.String())
	}
}

// The guide has the files for CI that init proposes.
func TestInitGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guides/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	files := proposed(t, "--ci", "github,gitlab,pre-commit")
	delete(files, config.Name)
	for name, text := range files {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(string(guide), "```yaml\n"+strings.TrimRight(text, "\n")+"\n```") {
			t.Errorf("%s is not in the guide:\n%s", name, text)
		}
	}
	if len(files) != 4 {
		t.Errorf("%d files", len(files))
	}
}
