package extract

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"mime"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/undo"
	"example.org/refract/internal/charset"
	"example.org/refract/internal/option"
)

// A kind is the Format or Container of a suffix.
type kind struct {
	format    *Format
	container *Container
}

// A table holds the built-in formats and containers, for look-ups in constant time.
type table struct {
	formats    []Format
	containers []Container
	types      map[string]*Format
	suffixes   map[string]kind
	aliases    map[string]string
}

var (
	builtinOnce  sync.Once
	builtinTable table
)

// builtin returns the table of built-in formats and containers. It cannot be initialised with the package,
// because its functions use it.
func builtin() *table {
	builtinOnce.Do(func() {
		t := &builtinTable
		t.formats, t.containers = builtinFormats(), builtinContainers()
		t.types, t.suffixes, t.aliases = make(map[string]*Format), make(map[string]kind), make(map[string]string)
		alias := func(name string, types []string) {
			if name != "" {
				t.aliases[name] = types[0]
			}
		}
		for i := range t.formats {
			f := &t.formats[i]
			for _, mediaType := range f.Types {
				if t.types[mediaType] == nil {
					t.types[mediaType] = f
				}
			}
			for _, s := range f.Suffixes {
				t.suffixes[s] = kind{format: f}
			}
			alias(f.Alias, f.Types)
		}
		for i := range t.containers {
			k := &t.containers[i]
			for _, s := range k.Suffixes {
				t.suffixes[s] = kind{container: k}
			}
			alias(k.Alias, k.Types)
		}
	})
	return &builtinTable
}

// Formats returns the built-in formats, in the order in which they are looked up.
func Formats() []Format { return slices.Clone(builtin().formats) }

// Containers returns the built-in containers, in the order in which they are looked up.
func Containers() []Container { return slices.Clone(builtin().containers) }

// FormatOfName returns the Format whose Suffixes match the end of name, or nil.
func (c *Config) FormatOfName(name string) *Format {
	ext := suffix(name)
	for i := range c.Formats {
		if f := &c.Formats[i]; len(f.Types) > 0 && slices.Contains(f.Suffixes, ext) {
			return f
		}
	}
	if robots.IsText(name) {
		return &robotsTextFormat
	}
	if c.Scripts {
		if f := codeOfName(name); f != nil {
			return f
		}
	}
	return builtin().suffixes[ext].format
}

// FormatOfType returns the Format of a media type without parameters, in lower case. It returns nil if no
// Format has this type: its documents are running text.
func (c *Config) FormatOfType(mediaType string) *Format {
	for i := range c.Formats {
		if slices.Contains(c.Formats[i].Types, mediaType) {
			return &c.Formats[i]
		}
	}
	t := builtin()
	f := t.types[mediaType]
	if mediaType == robotsTextType {
		return &robotsTextFormat
	}
	if c.Scripts && (f == nil || f.Scan == nil) {
		if code := codeOfType(mediaType); code != nil {
			return code
		}
	}
	if f == nil {
		if i := strings.LastIndexByte(mediaType, '+'); i >= 0 {
			f = c.formatOfSyntax(mediaType[i:])
		}
	}
	return f
}

// formatOfSyntax returns the Format of types that end in "+xml" or the like.
func (c *Config) formatOfSyntax(suffix string) *Format {
	for i := range c.Formats {
		if slices.Contains(c.Formats[i].Types, suffix) {
			return &c.Formats[i]
		}
	}
	return builtin().types[suffix]
}

// scanner returns the Format of a media type if it has a scanner; nil means running text.
func (c *Config) scanner(mediaType string) *Format {
	if f := c.FormatOfType(mediaType); f != nil && f.Scan != nil {
		return f
	}
	return nil
}

// isAdded reports whether f is one of c.Formats.
func (c *Config) isAdded(f *Format) bool {
	for i := range c.Formats {
		if f == &c.Formats[i] {
			return true
		}
	}
	return false
}

// ContainerOfName returns the Container whose Suffixes match the end of name, or nil.
func (c *Config) ContainerOfName(name string) *Container {
	ext := suffix(name)
	for i := range c.Containers {
		if k := &c.Containers[i]; len(k.Types) > 0 && slices.Contains(k.Suffixes, ext) {
			return k
		}
	}
	return builtin().suffixes[ext].container
}

// containerOfType returns the Container of a media type without parameters, in lower case, or nil.
func (c *Config) containerOfType(mediaType string) *Container {
	for _, list := range [...][]Container{c.Containers, builtin().containers} {
		for i := range list {
			if slices.Contains(list[i].Types, mediaType) {
				return &list[i]
			}
		}
	}
	return nil
}

// typeOfName returns the media type for the suffix of name.
func (c *Config) typeOfName(name string) (mediaType string, ok bool) {
	if f := c.FormatOfName(name); f != nil {
		return f.Types[0], true
	}
	if k := c.ContainerOfName(name); k != nil {
		return k.Types[0], true
	}
	return "", false
}

// Aliases returns the media types of all formats and containers that have an Alias, keyed by alias.
func (c *Config) Aliases() map[string]string {
	aliases := make(map[string]string)
	for a, mediaType := range builtin().aliases {
		aliases[a] = mediaType
	}
	for i := range c.Containers {
		if k := &c.Containers[i]; k.Alias != "" && len(k.Types) > 0 {
			aliases[k.Alias] = k.Types[0]
		}
	}
	for i := range c.Formats {
		if f := &c.Formats[i]; f.Alias != "" && len(f.Types) > 0 {
			aliases[f.Alias] = f.Types[0]
		}
	}
	return aliases
}

// declaredType returns the media type and the charset that Type, which is not "", stands for.
func (c *Config) declaredType() (mediaType, label string, err error) {
	if t := c.typeOfWord(c.Type); t != "" {
		return t, "", nil
	}
	return ParseType(c.Type)
}

// typeOfWord returns the media type that an alias, or a suffix without its dot, stands for, in any case, or
// "".
func (c *Config) typeOfWord(word string) string {
	if word == "" || strings.ContainsAny(word, "/.") {
		return ""
	}
	aliases := c.Aliases()
	if t := cmp.Or(aliases[word], aliases[strings.ToLower(word)]); t != "" {
		return t
	}
	name := nameOfWord(word)
	if t, ok := c.typeOfName(name); ok {
		return t
	}
	if undo.LanguageOf(name) != nil || undoByName(name, nil) != 0 {
		return textType
	}
	return ""
}

// nameOfWord returns a name that ends in a suffix without its dot.
func nameOfWord(word string) string { return "x." + strings.ToLower(word) }

// words returns the possible values of Type besides media types: the Aliases in order, then all suffixes of
// formats and containers, without their dots.
func (c *Config) words() []string {
	var suffixes []string
	for _, f := range slices.Concat(c.Formats, builtin().formats) {
		suffixes = append(suffixes, f.Suffixes...)
	}
	for _, k := range slices.Concat(c.Containers, builtin().containers) {
		suffixes = append(suffixes, k.Suffixes...)
	}
	words := slices.Sorted(maps.Keys(c.Aliases()))
	slices.Sort(suffixes)
	for _, s := range suffixes {
		word := strings.TrimPrefix(s, ".")
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// ParseType splits a media type with parameters into the type, in lower case, and the name of the charset,
// or "". An unknown charset is an error.
func ParseType(s string) (mediaType, label string, err error) {
	mediaType, params, err := mime.ParseMediaType(s)
	if err != nil {
		return "", "", fmt.Errorf("extract: type %q: %w", s, err)
	}
	label = params["charset"]
	if label == "" {
		return mediaType, "", nil
	}
	name := charset.Lookup(label)
	if name == "" || name == "replacement" { // a charset that browsers refuse to decode
		return "", "", fmt.Errorf("extract: type %q: %w", s, fmt.Errorf("unknown charset %q", label))
	}
	return mediaType, name, nil
}

// Validate returns an error about the first invalid setting in c: an unknown Type; a Format or Container
// without Types, with a type that no document can have, or with a suffix that no name can end in. Walk,
// WalkParallel and Batches return the same error before they read.
func (c *Config) Validate() error {
	err := c.checkType()
	for i := 0; i < len(c.Formats) && err == nil; i++ {
		err = checkKind(fmt.Sprintf("Formats[%d]", i), c.Formats[i].Types, c.Formats[i].Suffixes)
	}
	for i := 0; i < len(c.Containers) && err == nil; i++ {
		err = checkKind(fmt.Sprintf("Containers[%d]", i), c.Containers[i].Types, c.Containers[i].Suffixes)
	}
	if err != nil {
		return fmt.Errorf("extract: %w", err)
	}
	return nil
}

// checkType returns an error if Type is neither the type of a Format or Container, nor one of text, nor an
// alias or suffix.
func (c *Config) checkType() error {
	if c.Type == "" {
		return nil
	}
	if c.typeOfWord(c.Type) != "" {
		return nil
	}
	if !strings.Contains(c.Type, "/") {
		return option.NotOneOf("Type", c.Type, c.words())
	}
	mediaType, _, err := ParseType(c.Type)
	if err != nil {
		return option.Bad("Type", c.Type, "%w", errors.Unwrap(err))
	}
	if mediaType == binaryType || mediatype.IsTextual(mediaType) || c.FormatOfType(mediaType) != nil || c.containerOfType(mediaType) != nil {
		return nil
	}
	var known []string
	for t := range builtin().types {
		known = append(known, t)
	}
	for _, t := range c.Aliases() {
		known = append(known, t)
	}
	slices.Sort(known)
	if meant := option.Near(mediaType, known); meant != "" {
		return option.Bad("Type", c.Type, "nothing reads this media type: did you mean %q?", meant)
	}
	return option.Bad("Type", c.Type, "nothing reads this media type: give one that refract reads, or text/plain")
}

// checkKind checks the types and suffixes of a Format or Container with a name.
func checkKind(name string, types, suffixes []string) error {
	if len(types) == 0 {
		return &option.Error{Name: name, Cause: errors.New("has no Types: name a media type, such as text/x-gemini")}
	}
	for _, t := range types {
		major, minor, _ := strings.Cut(t, "/")
		if !strings.HasPrefix(t, "+") && (major == "" || minor == "") || t != strings.ToLower(t) || strings.ContainsAny(t, "; \t") {
			return option.Bad(name+".Types", t, "give a media type in lower case, without parameters")
		}
	}
	for _, s := range suffixes {
		if s != suffix(s) {
			return option.Bad(name+".Suffixes", s, "no name ends like this: give the last dot and what follows, in lower case")
		}
	}
	return nil
}
