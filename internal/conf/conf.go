// Package conf parses configuration files and front matter of several formats into a common tree.
// It executes nothing, and reads only the bytes that it is given.
//
// Files:
//
//	conf.go      Read: formats by file name; Inherit
//	yaml.go      YAML
//	simple.go    the most common YAML, fast
//	toml.go      TOML
//	front.go     front matter of Markdown and HTML
package conf

import (
	"path"
	"strings"

	"example.org/refract/internal/literal"
)

// A Value is a node of a configuration. See [literal.Value] for its accessors.
type (
	Value = literal.Value
	Entry = literal.Entry
	Note  = literal.Note
	File  = literal.File
)

// Kinds of a Value.
const (
	Missing = literal.Missing
	Unknown = literal.Unknown
	Nil     = literal.Nil
	Bool    = literal.Bool
	Number  = literal.Number
	String  = literal.String
	List    = literal.List
	Map     = literal.Map
	Call    = literal.Call
)

// maxSize is the maximum size in bytes of a file.
const maxSize = 1 << 20

// maxDepth limits the nesting of YAML and TOML values; deeper values are Unknown.
const maxDepth = 200

// Read returns the contents of the configuration file called name. The suffix of the name selects the
// format: .yml, .yaml, .toml, .json, .jsonc, .json5, .js, .mjs, .cjs, .ts, .mts, .cts, .py; others are read
// as YAML. The value of a script is its export; the result also has the calls that are statements, and the
// names that the script binds.
//
// There are no errors: if a file is malformed or larger than maxSize, its value or a part of it is Unknown,
// and a Note says so. Offsets are in bytes of src. Time is linear in len(src).
func Read(name string, src []byte) File {
	if len(src) > maxSize {
		return unread(len(src), "the file is larger than 1 MiB")
	}
	switch strings.ToLower(path.Ext(strings.TrimSuffix(name, ".in"))) { // a build makes x.toml of x.toml.in
	case ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx":
		return literal.Read(src, literal.JavaScript)
	case ".py":
		return literal.Read(src, literal.Python)
	case ".json", ".jsonc", ".json5", ".webmanifest":
		return literal.Read(src, literal.JSON)
	case ".toml":
		return readTOML(src, 0)
	}
	return readYAML(src, 0)
}

func unread(at int, why string) File {
	return File{Value: Value{Kind: Unknown}, Notes: []Note{{Offset: at, Text: why}}}
}

// Inherit returns child, with missing entries taken from parent, like INHERIT of MkDocs and the
// configuration directories of Hugo. It merges Maps; for other values, child wins. Each value keeps
// its position in its own file.
func Inherit(child, parent Value) Value { return inherit(child, parent, 0) }

func inherit(child, parent Value, depth int) Value {
	switch {
	case child.Kind == Missing:
		return parent
	case child.Kind != Map || depth > maxDepth:
		return child
	case parent.Kind == Unknown || parent.Kind == Call:
		child.Open = true
		return child
	case parent.Kind != Map:
		return child
	}
	at := make(map[string]int, len(child.Entries))
	for i, e := range child.Entries {
		at[e.Key] = i
	}
	entries := append([]Entry(nil), child.Entries...)
	for _, e := range parent.Entries {
		i, ok := at[e.Key]
		if !ok {
			at[e.Key] = len(entries)
			entries = append(entries, e)
			continue
		}
		if i < len(child.Entries) {
			entries[i].Value = inherit(child.Entries[i].Value, e.Value, depth+1)
		} else {
			entries[i] = e // parent has the key twice
		}
	}
	child.Entries = entries
	child.Open = child.Open || parent.Open
	return child
}
