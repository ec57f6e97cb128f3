// Package conf reads configuration files and front matter, whatever their format, into one
// kind of tree. It runs nothing, and reads only the bytes that it is given.
//
// Files:
//
//	conf.go      Read: formats by file name; Inherit
//	yaml.go      YAML
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

// MaxSize is the size in bytes of the largest file that is read.
const MaxSize = 1 << 20

// maxDepth is how deeply values of YAML and TOML nest; deeper ones are Unknown.
const maxDepth = 200

// Read returns the value of the configuration file that has this name, by its suffix: .yml,
// .yaml, .toml, .json, .jsonc, .json5, .js, .mjs, .cjs, .ts, .mts, .cts, .py; others are
// read as YAML. Of a script, that is what it exports.
//
// There are no errors: a file that is not well formed, or larger than MaxSize, is Unknown
// as a whole or in part, and a Note says so. Offsets are in bytes of src. Time is linear in
// len(src).
func Read(name string, src []byte) (Value, []Note) {
	f := ReadFile(name, src)
	return f.Value, f.Notes
}

// ReadFile is Read for scripts: the result also has the calls that are statements, and the
// names that are bound.
func ReadFile(name string, src []byte) File {
	if len(src) > MaxSize {
		return unread(len(src), "the file is larger than 1 MiB")
	}
	switch strings.ToLower(path.Ext(name)) {
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

// Inherit returns child with what it lacks taken from parent, as INHERIT of MkDocs and
// the configuration directories of Hugo do: Maps are merged, all else is child's. Positions
// stay those of the file that a value is from.
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
			entries[i] = e // parent has it twice
		}
	}
	child.Entries = entries
	child.Open = child.Open || parent.Open
	return child
}
