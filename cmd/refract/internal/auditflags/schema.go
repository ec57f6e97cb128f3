package auditflags

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/config"
)

// A schema is a JSON schema (draft 7, which editors know) of a value in a configuration.
type schema struct {
	Draft       string            `json:"$schema,omitempty"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Type        any               `json:"type,omitempty"` // a string or several
	Enum        []any             `json:"enum,omitempty"`
	Ref         string            `json:"$ref,omitempty"`
	AnyOf       []schema          `json:"anyOf,omitempty"`
	Items       *schema           `json:"items,omitempty"`
	Properties  map[string]schema `json:"properties,omitempty"`
	Additional  any               `json:"additionalProperties,omitempty"` // false: Properties has all keys; or a schema of the others
	Required    []string          `json:"required,omitempty"`
	Definitions map[string]schema `json:"definitions,omitempty"`
}

// keys are the keys of a configuration that are not flags, or that take more than their flags. A value may
// refer to that of a flag which takes a list: "#/definitions/rule" is the name of a rule.
var keys = map[string]schema{
	"paths":     listOf(text, "the files and directories to audit, if the command line names none"),
	"forbid":    listOf(schema{AnyOf: []schema{text, forbidden}}, "references that are findings: patterns (RE2), or patterns and hosts with a message"),
	"overrides": listOf(override, "other levels of rules in the files that match; the last one counts"),
	"root":      {Description: "the directory in which links that begin with \"/\" are looked up; or such directories, by the directories of documents", AnyOf: append(listOf(text, "").AnyOf, texts)},
	"site":      {Description: "check links to a URL, at which a directory is published: URL=DIR, or a mapping", AnyOf: append(listOf(text, "").AnyOf, texts)},
	"built":     {Description: "the output of a build: DIR, URL=DIR, or a mapping from URLs to directories", AnyOf: append(listOf(text, "").AnyOf, texts)},
}

// The schemas of values that flags do not have.
var (
	text      = schema{Type: "string"}
	none      = schema{Type: "null"}
	texts     = schema{Type: "object", Additional: text}
	forbidden = schema{Type: "object", Additional: false, Properties: map[string]schema{
		"match":   {Type: "string", Description: "a pattern (RE2)"},
		"hosts":   {AnyOf: []schema{text, {Type: "array", Items: &text}}, Description: "a list of hosts, or a file with one on each line; .example.org includes all below"},
		"message": {Type: "string", Description: "what the finding says"},
	}}
	override = schema{Type: "object", Additional: false, Required: []string{"files", "rules"}, Properties: map[string]schema{
		"files": {AnyOf: []schema{text, {Type: "array", Items: &text}}, Description: "globs, such as drafts/**"},
		"rules": {Type: "object", Additional: false, Properties: levels(), Description: "levels by rule: off, note or error"},
	}}
)

// levels returns the schemas of the levels of each rule.
func levels() map[string]schema {
	all := map[string]schema{}
	for _, r := range rule.Rules() {
		all[string(r)] = schema{Enum: []any{string(rule.LevelOff), string(rule.LevelNote), string(rule.LevelError)}}
	}
	return all
}

// listOf returns the schema of a list of items, of one of them, or of nothing.
func listOf(item schema, about string) schema {
	return schema{Description: about, AnyOf: []schema{item, {Type: "array", Items: &item}, none}}
}

// schemaOf returns the schema of the configurations that refract finds. audit is the command whose flags they set.
func schemaOf(audit *cli.Command, flags []cli.Flag) schema {
	all := schema{
		Draft: "http://json-schema.org/draft-07/schema#", Title: config.Name, Description: "Flags of \"refract audit\" for this repository",
		Type: []string{"object", "null"}, Additional: false, Properties: map[string]schema{}, Definitions: map[string]schema{},
	}
	for _, f := range flags {
		about, value := audit.About(f.Name), valueOf(&f)
		if value.Enum != nil {
			about = audit.Brief(f.Name) // without the list of values
		}
		switch _, isList := f.Var.(*[]string); {
		case isList && value.Enum != nil:
			all.Definitions[f.Name] = value
			all.Properties[f.Name] = listOf(schema{Ref: "#/definitions/" + f.Name}, about)
		case isList:
			all.Properties[f.Name] = listOf(value, about)
		case value.Enum != nil:
			all.Properties[f.Name] = schema{Description: about, Enum: append(value.Enum, nil)}
		default:
			all.Properties[f.Name] = schema{Description: about, Type: []any{value.Type, "null"}}
		}
	}
	maps.Copy(all.Properties, keys)
	return all
}

// valueOf returns the schema of one value of a flag.
func valueOf(f *cli.Flag) schema {
	switch f.Var.(type) {
	case *bool:
		return schema{Type: "boolean"}
	case *int:
		return schema{Type: "integer"}
	}
	values := f.Values
	if f.NextWord != nil {
		values = f.NextWord
	}
	if values == nil {
		return schema{Type: "string"}
	}
	s := schema{}
	add := func(value any) {
		if !slices.Contains(s.Enum, value) {
			s.Enum = append(s.Enum, value)
		}
	}
	for _, value := range values() {
		value, _, _ = strings.Cut(value, "\t")
		if value == "true" || value == "false" {
			add(value == "true")
			continue
		}
		add(value)
		add(strings.ToLower(value)) // names of generators have any case
	}
	return s
}

// found returns the flags that a configuration which refract finds may set.
func found(root *cli.Command) (flags []cli.Flag) {
	v := Repeat{Env: &cli.Env{Root: root}, List: root.Sub("audit").List}
	for _, f := range slices.Concat(v.List, root.List) {
		if f := v.answer(f.Name); f.Config == cli.Found && !slices.ContainsFunc(flags, func(o cli.Flag) bool { return o.Name == f.Name }) {
			flags = append(flags, f)
		}
	}
	return flags
}

// Topic returns the topic about configurations.
func Topic(env *cli.Env) *cli.Command {
	topic := cli.NewTopic(&cobra.Command{Use: "config", Short: "The keys of .refract.yaml"})
	topic.Late = func() string { return configText(env.Root) }
	topic.Schema = func() []byte {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(schemaOf(env.Root.Sub("audit"), found(env.Root))); err != nil {
			panic(err)
		}
		return b.Bytes()
	}
	return topic
}

const configHead = `A file .refract.yaml sets flags of "refract audit", by their names. audit, mv and lsp read
the one in the nearest directory upwards, within the repository. Names in it are relative
to it and stay within the repository; --config FILE reads a file that may set all flags.

  paths: [docs, README.md]
  no-rule: [unused-definition]

"refract init" writes a .refract.yaml with comments. "refract help config --schema" prints
a JSON schema, by which editors complete and check the keys. Keep it in a file:

  refract help config --schema >refract.schema.json

and name that file in .refract.yaml:

  # yaml-language-server: $schema=refract.schema.json

The keys:

`

func configText(root *cli.Command) string {
	const indent = 16
	var b strings.Builder
	b.WriteString(configHead)
	row := func(name, about string) {
		for _, line := range cli.Wrap(about, cli.HelpWidth-indent) {
			fmt.Fprintf(&b, "  %-*s%s\n", indent-2, name, line)
			name = ""
		}
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		row(name, keys[name].Description)
	}
	for _, f := range found(root) {
		if f.Group != "" {
			row(f.Name, root.Sub("audit").Brief(f.Name))
		}
	}
	return b.String()
}
