package site

import (
	"slices"
	"strings"

	"example.org/refract/internal/literal"
	"go.yaml.in/yaml/v3"
)

func readYAML(text string) value {
	var n yaml.Node
	if yaml.Unmarshal([]byte(text), &n) != nil {
		return value{literal.Value{Kind: literal.Unknown}}
	}
	left := 100000
	return value{fromYAML(&n, &left)}
}

func fromYAML(n *yaml.Node, left *int) literal.Value {
	if *left--; *left < 0 {
		return literal.Value{Kind: literal.Unknown}
	}
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) > 0 {
			return fromYAML(n.Content[0], left)
		}
		return literal.Value{}
	case yaml.AliasNode:
		return fromYAML(n.Alias, left)
	case yaml.SequenceNode:
		v := literal.Value{Kind: literal.List}
		for _, c := range n.Content {
			v.Items = append(v.Items, fromYAML(c, left))
		}
		return v
	case yaml.MappingNode:
		v := literal.Value{Kind: literal.Map}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v.Entries = append(v.Entries, literal.Entry{Key: n.Content[i].Value, Value: fromYAML(n.Content[i+1], left)})
		}
		return v
	}
	switch {
	case strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!"):
		return literal.Value{Kind: literal.Unknown}
	case n.Tag == "!!bool":
		return literal.Value{Kind: literal.Bool, Text: n.Value}
	case n.Tag == "!!null":
		return literal.Value{Kind: literal.Nil}
	}
	return literal.Value{Kind: literal.String, Text: n.Value}
}

func readJSON(text string) value { return readYAML(text) }

func readTOML(text string) value {
	root := &literal.Value{Kind: literal.Map}
	at := root
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			at = root
			for key := range strings.SplitSeq(strings.Trim(name, "[]"), ".") {
				key = strings.Trim(key, `" `)
				i := slices.IndexFunc(at.Entries, func(e literal.Entry) bool { return e.Key == key })
				if i < 0 {
					i = len(at.Entries)
					at.Entries = append(at.Entries, literal.Entry{Key: key, Value: literal.Value{Kind: literal.Map}})
				}
				at = &at.Entries[i].Value
			}
			continue
		}
		key, v, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		at.Entries = append(at.Entries, literal.Entry{Key: strings.Trim(key, `" `), Value: tomlValue(strings.TrimSpace(v))})
	}
	return value{*root}
}

func tomlValue(s string) literal.Value {
	switch {
	case s == "true" || s == "false":
		return literal.Value{Kind: literal.Bool, Text: s}
	case strings.HasPrefix(s, "["):
		v := literal.Value{Kind: literal.List}
		for e := range strings.SplitSeq(strings.Trim(s, "[]"), ",") {
			if e = strings.TrimSpace(e); e != "" {
				v.Items = append(v.Items, tomlValue(e))
			}
		}
		return v
	}
	return literal.Value{Kind: literal.String, Text: strings.Trim(s, `"'`)}
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
