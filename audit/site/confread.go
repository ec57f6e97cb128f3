package site

import (
	"path"
	"strings"

	"example.org/refract/internal/conf"
	"example.org/refract/internal/literal"
)

// read returns the value of a configuration file.
func (t *tree) read(file string) value { return value{t.readFile(file).Value} }

// readFile returns the value of a configuration file and, for a script, its calls.
func (t *tree) readFile(file string) literal.File { return conf.ReadFile(file, t.config(file)) }

// inherit returns child, with missing values taken from parent.
func inherit(child, parent value) value { return value{conf.Inherit(child.Value, parent.Value)} }

// frontMatter returns the metadata in front of a page.
func frontMatter(text []byte) value {
	v, _ := conf.FrontMatter(text)
	return value{v}
}

const (
	maxModules  = 16 // files read in all for the imports of a configuration
	maxImported = 3  // depth of imports
)

// A module reads a configuration script, and the values that it imports from other files of the
// repository.
type module struct {
	*tree
	left int // files that may still be read
}

// readScript returns the value of a configuration script. It replaces imports from files of the
// repository by the imported values. If the script spreads unknown values, the exports of these files
// count as a part of it.
func (t *tree) readScript(file string) (literal.File, value) {
	f := t.readFile(file)
	m := module{t, maxModules}
	v := value{f.Value.Unwrap()}
	if v.Kind != literal.Map {
		return f, value{m.follow(file, f.Value, 0)}
	}
	made := literal.Value{Kind: literal.Map, Open: v.Open, Span: v.Span}
	for _, e := range v.Entries {
		e.Value = m.follow(file, e.Value, 0)
		made.Entries = append(made.Entries, e)
	}
	v = value{made}
	if made.Open {
		for _, e := range f.Names.Entries {
			if part := (value{m.follow(file, e.Value, 0)}); isImport(e.Value) && part.Unwrap().Kind == literal.Map {
				v = inherit(v, value{part.Unwrap()})
			}
		}
	}
	return f, v
}

// isImport reports whether a value is imported from another file.
func isImport(v literal.Value) bool {
	name, _, ok := v.Import()
	return ok && strings.HasPrefix(name, ".")
}

// follow returns the value that a file imports from another file of the repository. It returns any
// other value unchanged.
func (m *module) follow(file string, v literal.Value, depth int) literal.Value {
	name, export, ok := v.Import()
	if !ok || !strings.HasPrefix(name, ".") || depth == maxImported {
		return v
	}
	from := m.moduleFile(path.Join(path.Dir(file), name))
	if from == "" || m.left == 0 {
		return v
	}
	m.left--
	f := m.readFile(from)
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

// moduleFile returns the file that a module is in, or "".
func (t *tree) moduleFile(name string) string {
	if !below(name, t.root) {
		return ""
	}
	stem := strings.TrimSuffix(name, ".js") // which TypeScript writes for ".ts"
	for _, file := range []string{name, name + ".ts", name + ".js", name + ".mjs", name + ".mts", name + ".cjs", name + ".json", stem + ".ts", stem + ".mts", name + "/index.ts", name + "/index.js"} {
		if t.isFile(file) {
			return file
		}
	}
	return ""
}
