package source

import (
	"bytes"
	"iter"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/conf"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// Read returns the value of a configuration file.
func (t *Tree) Read(file string) Value { return Value{t.ReadFile(file).Value} }

// ReadFile returns the value of a configuration file and, for a script, its calls.
func (t *Tree) ReadFile(file string) literal.File { return conf.Read(file, t.Config(file)) }

// Inherit returns child, with missing values taken from parent.
func Inherit(child, parent Value) Value { return Value{conf.Inherit(child.Value, parent.Value)} }

// FrontMatter returns the front matter of a page.
func FrontMatter(text []byte) Value {
	v, _ := conf.FrontMatter(text)
	return Value{v}
}

// Body returns a page without its front matter.
func Body(text []byte) []byte {
	_, body := conf.FrontMatter(text)
	return text[body:]
}

const (
	maxModules  = 16 // files read in all for the imports of a configuration
	maxImported = 3  // depth of imports
)

// A module reads a configuration script, and the values that it imports from other files of the
// repository.
type module struct {
	*Tree
	left int // files that may still be read
}

// ReadScript returns the value of a configuration script. It replaces imports from files of the
// repository by the imported values. If the script spreads unknown values, the exports of these files
// count as a part of it.
func (t *Tree) ReadScript(file string) (literal.File, Value) {
	f := t.ReadFile(file)
	return f, t.imported(file, f, f.Value)
}

// ReadCall returns the only argument of a call of function in a configuration script, a call that is a
// statement: define.doc({…}). It reads the value as ReadScript reads an export. ok is false if there is no
// such call.
func (t *Tree) ReadCall(file, function string) (v Value, ok bool) {
	f := t.ReadFile(file)
	i := slices.IndexFunc(f.Calls, func(call literal.Value) bool { return call.Text == function && len(call.Items) == 1 })
	if i < 0 {
		return Value{}, false
	}
	return t.imported(file, f, f.Calls[i].Items[0]), true
}

// imported returns a value of a configuration script with what it imports from files of the repository.
func (t *Tree) imported(file string, f literal.File, of literal.Value) Value {
	m := module{t, maxModules}
	v := Value{of.Unwrap()}
	if v.Kind != literal.Map {
		return Value{m.follow(file, of, 0)}
	}
	hasData := bytes.Contains(t.Config(file), []byte(".json"))
	made := literal.Value{Kind: literal.Map, Open: v.Open, Span: v.Span}
	for _, e := range v.Entries {
		e.Value = m.follow(file, e.Value, 0)
		if hasData {
			e.Value = m.withData(file, e.Value)
		}
		made.Entries = append(made.Entries, e)
	}
	v = Value{made}
	if made.Open {
		for _, e := range f.Names.Entries {
			if part := (Value{m.follow(file, e.Value, 0)}); isImport(e.Value) && part.Unwrap().Kind == literal.Map {
				v = Inherit(v, Value{part.Unwrap()})
			}
		}
	}
	return v
}

// withData returns v with the values that it imports from files of JSON, at any depth. Other modules within
// a value are code, such as plugins, whose names matter.
func (m *module) withData(file string, v literal.Value) literal.Value {
	if name, _, ok := v.Import(); ok && path.Ext(name) == ".json" {
		return m.follow(file, v, 0)
	}
	v.Entries, v.Items = slices.Clone(v.Entries), slices.Clone(v.Items) // others read the value, too
	for i, e := range v.Entries {
		v.Entries[i].Value = m.withData(file, e.Value)
	}
	for i, item := range v.Items {
		v.Items[i] = m.withData(file, item)
	}
	return v
}

// isImport reports whether a value is imported from another file.
func isImport(v literal.Value) bool {
	name, _, ok := v.Import()
	return ok && strings.HasPrefix(name, ".")
}

// Follow returns the value that a file imports from another file of the repository. It returns any other value unchanged.
func (t *Tree) Follow(file string, v Value) Value {
	m := module{t, maxModules}
	return Value{m.follow(file, v.Value, 0)}
}

// follow returns the value that a file imports from another file of the repository. It returns any
// other value unchanged.
func (m *module) follow(file string, v literal.Value, depth int) literal.Value {
	name, export, ok := v.Import()
	if !ok || !strings.HasPrefix(name, ".") || depth == maxImported {
		return v
	}
	from := m.ModuleFile(path.Join(path.Dir(file), name))
	if from == "" || m.left == 0 {
		return v
	}
	m.left--
	f := m.ReadFile(from)
	var to literal.Value
	switch export {
	case "default":
		to = f.Value
	case "*":
		to = f.Names
	default:
		to = f.Names.Get(export)
		if to.Kind == literal.Missing {
			to = f.Value.Get(export)
		}
	}
	if to = m.follow(from, to, depth+1); to.Kind == literal.Missing {
		return v
	}
	return to
}

// ModuleFile returns the file that a module is in, or "".
func (t *Tree) ModuleFile(name string) string {
	if !Below(name, t.Root) {
		return ""
	}
	stem := strings.TrimSuffix(name, ".js") // which TypeScript writes for ".ts"
	for _, file := range []string{name, name + ".ts", name + ".js", name + ".mjs", name + ".mts", name + ".cjs", name + ".json", stem + ".ts", stem + ".mts", name + "/index.ts", name + "/index.js"} {
		if t.IsFile(file) {
			return file
		}
	}
	return ""
}

// Calls returns the calls in a configuration, and in the files that it imports from.
func (t *Tree) Calls(file string, f literal.File) []literal.Value {
	calls := f.Calls
	m := module{t, maxModules}
	for _, e := range f.Names.Entries {
		name, _, ok := e.Value.Import()
		if !ok || !strings.HasPrefix(name, ".") || m.left == 0 {
			continue
		}
		if from := t.ModuleFile(path.Join(path.Dir(file), name)); from != "" {
			m.left--
			for _, call := range t.ReadFile(from).Calls {
				call.Span.Start, call.Span.End = 0, 0 // not in the configuration
				calls = append(calls, call)
			}
		}
	}
	return calls
}

// Imports yields the names of a configuration script that are imported from other files of the repository, with the
// values that they have there.
func (t *Tree) Imports(file string) iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		m := module{t, maxModules}
		for _, e := range t.ReadFile(file).Names.Entries {
			if isImport(e.Value) && !yield(e.Key, Value{m.follow(file, e.Value, 0)}) {
				return
			}
		}
	}
}

// KnowsSpreads reports whether a configuration script spreads only values that it imports from files
// of the repository, and which are known maps.
func (t *Tree) KnowsSpreads(file string, conf Value) bool {
	known := map[string]bool{}
	for name, v := range t.Imports(file) {
		v := v.Unwrap()
		known[name] = v.Kind == literal.Map && !v.Open
	}
	text := string(t.Config(file))
	if conf.Span.End > len(text) || conf.Span.Start >= conf.Span.End {
		return false
	}
	return SpreadsOnly(text[conf.Span.Start:conf.Span.End], known)
}

// SpreadsOnly reports whether a part of a script spreads no values but those of known names.
func SpreadsOnly(script string, known map[string]bool) bool {
	for _, m := range spreadName.FindAllStringSubmatch(script, -1) {
		if !known[m[1]] {
			return false
		}
	}
	return true
}

var spreadName = lazy.New(`\.\.\.\s*([\w$.]*)`)

const maxCode = 40 // files of code that are read for one configuration

// importedCode matches the import of a file of the project.
var importedCode = lazy.New(`(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"](\.{1,2}/[^'"\n]+)['"]`)

// CodeFiles returns a configuration script and the files of the project that it imports, also through others, except
// for data.
func (t *Tree) CodeFiles(config string) []string {
	return slices.DeleteFunc(t.Modules(config), func(file string) bool { return path.Ext(file) == ".json" })
}

// Modules returns a configuration script and the files of the project that it imports, also through others.
func (t *Tree) Modules(config string) []string {
	files := []string{config}
	for i := 0; i < len(files) && i < maxCode; i++ {
		for name := range imports(t.Config(files[i])) {
			file := t.ModuleFile(path.Join(path.Dir(files[i]), name))
			if file != "" && len(files) < maxCode && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

// imports yields the files of the project that a script imports, one perhaps several times.
func imports(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for start, line := range LinesWithAny(text, `"./`, `'./`, `"../`, `'../`) {
			before := bytes.LastIndexByte(text[:max(0, start-1)], '\n') + 1 // the word may end the line before
			for _, m := range importedCode.FindAllSubmatch(text[before:start+len(line)], maxCode) {
				if !yield(string(m[1])) {
					return
				}
			}
		}
	}
}

// Code returns the texts of CodeFiles.
func (t *Tree) Code(config string) (texts [][]byte) {
	for _, file := range t.CodeFiles(config) {
		texts = append(texts, t.Config(file))
	}
	return texts
}
