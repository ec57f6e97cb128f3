package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/option"
)

// TypeNames returns the short names that --type accepts for media types.
func TypeNames() []string {
	return slices.Sorted(maps.Keys(new(extract.Config).Aliases()))
}

// ParseType parses a media type, the short name of one, or a suffix, with or without its dot.
func ParseType(s string) (string, error) {
	if !strings.Contains(s, "/") {
		s = strings.ToLower(strings.TrimPrefix(s, "."))
	}
	if t, ok := new(extract.Config).Aliases()[s]; ok || s == "" {
		return t, nil
	}
	mediaType, _, _ := extract.ParseType(s)
	switch major, _, _ := strings.Cut(mediaType, "/"); major {
	case "image", "audio", "video", "font":
		if mediaType != "image/svg+xml" {
			return "", fmt.Errorf("--type %q: holds no text", s)
		}
	}
	c := extract.Config{Type: s}
	return s, Listed(option.Renamed(c.Validate(), map[string]string{"Type": "--type"}))
}

// TypesTopic returns the topic about types of input.
func TypesTopic(*Env) *Command {
	return LateTopic("types", "The types of input, and their suffixes", typesText)
}

func typesText() string {
	var b strings.Builder
	b.WriteString(`The type of an input is found by its name, then by its first bytes. --type (-t)
sets it to a name or a suffix of this list (-t html, -t adoc), or to a media type,
with a charset if necessary (-t 'text/plain; charset=koi8-r'):

`)
	const indent = 13
	row := func(name string, suffixes []string) {
		for _, line := range Wrap(strings.ReplaceAll(strings.Join(suffixes, " "), ".", ""), 80-indent) {
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s%s", indent-2, name, line), " ") + "\n")
			name = ""
		}
	}
	var nameless []string
	add := func(alias string, suffixes []string) {
		if alias == "" {
			nameless = append(nameless, suffixes...)
			return
		}
		row(alias, suffixes)
	}
	for _, f := range extract.Formats() {
		add(f.Alias, f.Suffixes)
	}
	for _, k := range extract.Containers() {
		add(k.Alias, k.Suffixes)
	}
	b.WriteString("\nSuffixes of types without a name:\n\n")
	row("", nameless)
	b.WriteString(`
All other text is running text. A suffix of source code, or of data, says which
escapes its strings have: -t js, -t yml, -t toml, -t go.
`)
	return b.String()
}

// A Choice is the value of a flag whose value is optional: "" or "false" (off), "true", or one of Values.
type Choice struct {
	Value  string
	Values []string
	Hint   string // ends the error about another value
}

func (c *Choice) String() string { return c.Value }

// Type returns "bool", so that help shows a flag that needs no value.
func (c *Choice) Type() string { return "bool" }

// IsSet reports whether the flag is on.
func (c *Choice) IsSet() bool { return c.Value != "" && c.Value != "false" }

// Set sets the value. An error lists the values.
func (c *Choice) Set(s string) error {
	if s != "true" && s != "false" && !slices.Contains(c.Values, s) {
		return errors.New("give " + strings.Join(c.Values, ", ") + ", or nothing" + c.Hint)
	}
	c.Value = s
	return nil
}
