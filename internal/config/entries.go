package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"example.org/refract/internal/option"
)

// An item is an element of a list: a text, or a mapping.
type item struct {
	line   int
	text   string
	fields map[string]*yaml.Node // nil for a text
}

// A Forbid is an element of the value of "forbid": a pattern, or hosts, with a message.
type Forbid struct {
	Line           int
	Match, Message string
	File           string   // with a list of hosts
	Hosts          []string // instead of File
}

// ForbidOf returns the elements of a value. On error, it also returns the line.
func ForbidOf(v Value) (list []Forbid, line int, err error) {
	items, line, err := itemsOf(v)
	if err != nil {
		return nil, line, err
	}
	for _, it := range items {
		f := Forbid{Line: it.line, Match: it.text}
		if it.fields != nil {
			err = it.read(map[string]func(*yaml.Node) error{
				"match":   func(n *yaml.Node) error { return textOf(n, &f.Match) },
				"message": func(n *yaml.Node) error { return textOf(n, &f.Message) },
				"hosts": func(n *yaml.Node) (err error) {
					if n.Kind == yaml.ScalarNode {
						return textOf(n, &f.File)
					}
					f.Hosts, err = textsOf(n)
					return err
				},
			})
		}
		if err == nil && (f.Match != "") == (f.File != "" || len(f.Hosts) > 0) {
			err = errors.New("give match, a pattern, or hosts, a list or the name of a file with one on each line")
		}
		if err != nil {
			return nil, it.line, err
		}
		list = append(list, f)
	}
	return list, 0, nil
}

// MaxHosts limits the size of a list of hosts in bytes.
const MaxHosts = 16 << 20

// HostsIn returns the hosts in the text of a file: one on each line, without comments after "#". The error
// does not quote the text: that may be any file, and an attacker who chooses its name must not learn its
// contents.
func HostsIn(name, text string) (list []string, err error) {
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if strings.ContainsAny(line, " \t/*?") || strings.Trim(line, ".") == "" && line != "" {
			return nil, fmt.Errorf("%q: line %d: give the name of a host, such as example.org, or .example.org for all below it", name, n)
		}
		if line != "" {
			list = append(list, line)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%q has no hosts: write one on each line", name)
	}
	return list, nil
}

// An Override is an element of the value of "overrides": the levels of rules in some files.
type Override struct {
	Line  int
	Files []string
	Rules map[string]string
}

// OverridesOf returns the elements of a value. On error, it also returns the line.
func OverridesOf(v Value) (list []Override, line int, err error) {
	items, line, err := itemsOf(v)
	if err != nil {
		return nil, line, err
	}
	for _, it := range items {
		o := Override{Line: it.line}
		if it.fields == nil {
			return nil, it.line, errors.New("give files and rules, such as {files: 'drafts/**', rules: {missing-file: off}}")
		}
		err = it.read(map[string]func(*yaml.Node) error{
			"files": func(n *yaml.Node) (err error) {
				o.Files, err = textsOf(n)
				return err
			},
			"rules": func(n *yaml.Node) (err error) {
				o.Rules, err = pairsOf(n)
				return err
			},
		})
		if err != nil {
			return nil, it.line, err
		}
		list = append(list, o)
	}
	return list, 0, nil
}

// Pairs returns "KEY=TEXT" for each key of a mapping of texts, sorted; ok is false if v is no mapping.
func (v *Value) Pairs() (list []string, ok bool, err error) {
	if v.node == nil || v.node.Kind != yaml.MappingNode {
		return nil, false, nil
	}
	pairs, err := pairsOf(v.node)
	for key, text := range pairs {
		list = append(list, key+"="+text)
	}
	slices.Sort(list)
	return list, true, err
}

// itemsOf returns the elements of a list, or v as the only one. Items must not be aliases: these could make
// a short text a long list.
func itemsOf(v Value) (items []item, line int, err error) {
	if v.node == nil {
		return nil, v.Line, v.Err
	}
	nodes := []*yaml.Node{v.node}
	if v.node.Kind == yaml.SequenceNode {
		nodes = v.node.Content
	}
	for _, n := range nodes {
		it := item{line: n.Line, text: n.Value}
		switch n.Kind {
		case yaml.ScalarNode:
		case yaml.MappingNode:
			it.fields, err = fieldsOf(n)
		default:
			err = errors.New("give a list of strings, or of mappings such as {match: '^http:', message: use https}")
		}
		if err != nil {
			return nil, n.Line, err
		}
		items = append(items, it)
	}
	return items, 0, nil
}

// fieldsOf returns the fields of a mapping.
func fieldsOf(n *yaml.Node) (map[string]*yaml.Node, error) {
	fields := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		_, isSet := fields[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			return nil, errors.New("a key is no string")
		case isSet:
			return nil, fmt.Errorf("%.80q is set twice", key.Value)
		}
		fields[key.Value] = n.Content[i+1]
	}
	return fields, nil
}

// read calls the function of each field.
func (it *item) read(by map[string]func(*yaml.Node) error) error {
	var failure error
	for _, key := range slices.Sorted(maps.Keys(it.fields)) {
		if by[key] == nil {
			return option.NotOneOf("key", key, slices.Sorted(maps.Keys(by)))
		}
		if err := by[key](it.fields[key]); err != nil && failure == nil {
			failure = fmt.Errorf("%s: %w", key, err)
		}
	}
	return failure
}

// pairsOf returns a mapping of texts.
func pairsOf(n *yaml.Node) (map[string]string, error) {
	if n.Kind != yaml.MappingNode {
		return nil, errors.New("give a mapping")
	}
	fields, err := fieldsOf(n)
	if err != nil {
		return nil, err
	}
	pairs := map[string]string{}
	for key, value := range fields {
		var text string
		if err := textOf(value, &text); err != nil {
			return nil, fmt.Errorf("%.80q: %w", key, err)
		}
		pairs[key] = text
	}
	return pairs, nil
}

// textOf sets text to the value of a scalar.
func textOf(n *yaml.Node, text *string) error {
	if n.Kind != yaml.ScalarNode || isNull(n) {
		return errors.New("give a string")
	}
	*text = n.Value
	return nil
}
