package site

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

func readYAML(text string) value {
	var n yaml.Node
	if yaml.Unmarshal([]byte(text), &n) != nil {
		return value{unknownValue{}}
	}
	left := 100000
	return value{fromYAML(&n, &left)}
}

func fromYAML(n *yaml.Node, left *int) any {
	if *left--; *left < 0 {
		return unknownValue{}
	}
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) > 0 {
			return fromYAML(n.Content[0], left)
		}
		return nil
	case yaml.AliasNode:
		return fromYAML(n.Alias, left)
	case yaml.SequenceNode:
		all := []any{}
		for _, c := range n.Content {
			all = append(all, fromYAML(c, left))
		}
		return all
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = fromYAML(n.Content[i+1], left)
		}
		return m
	}
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		return unknownValue{}
	}
	if n.Tag == "!!bool" {
		return n.Value == "true"
	}
	if n.Tag == "!!null" {
		return nil
	}
	return n.Value
}

func readJSON(text string) value { return readYAML(text) }

func readTOML(text string) value {
	root := map[string]any{}
	at := root
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			at = root
			for key := range strings.SplitSeq(strings.Trim(name, "[]"), ".") {
				inner, ok := at[strings.Trim(key, `" `)].(map[string]any)
				if !ok {
					inner = map[string]any{}
					at[strings.Trim(key, `" `)] = inner
				}
				at = inner
			}
			continue
		}
		key, v, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		at[strings.Trim(key, `" `)] = tomlValue(strings.TrimSpace(v))
	}
	return value{root}
}

func tomlValue(s string) any {
	switch {
	case s == "true" || s == "false":
		return s == "true"
	case strings.HasPrefix(s, "["):
		all := []any{}
		for e := range strings.SplitSeq(strings.Trim(s, "[]"), ",") {
			if e = strings.TrimSpace(e); e != "" {
				all = append(all, tomlValue(e))
			}
		}
		return all
	}
	return strings.Trim(s, `"'`)
}

// frontMatter returns the metadata in front of a page.
func frontMatter(text []byte) value {
	s := strings.TrimPrefix(string(text), "\ufeff")
	for _, mark := range []string{"---", "+++"} {
		rest, ok := strings.CutPrefix(s, mark)
		if !ok || !strings.HasPrefix(strings.TrimLeft(rest, " \t\r"), "\n") {
			continue
		}
		inner, _, ok := strings.Cut(rest, "\n"+mark)
		if !ok {
			return value{}
		}
		if mark == "+++" {
			return readTOML(inner)
		}
		return readYAML(inner)
	}
	return value{}
}
