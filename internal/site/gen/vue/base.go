package vue

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/site/source"
)

// baseOf returns the base in a configuration. If there is none, but a function of the project makes the
// configuration of this one, and may set the base, it is unknown.
func baseOf(d *source.Dir, name string, conf source.Value) source.Value {
	base := conf.Lookup("base")
	if base.Kind != literal.Missing {
		return base
	}
	f := d.Tree.ReadFile(d.In(name))
	if slices.ContainsFunc(f.Wrappers, func(function string) bool { return maySetBase(d.Tree, d.In(name), f.Names, function) }) {
		return source.Value{Value: literal.Value{Kind: literal.Unknown}}
	}
	return base
}

var namesBase = lazy.New(`\bbase\b`)

// maySetBase reports whether a function that a script imports may set the base: its file in the project names one, or it
// is in another package of the repository. names are those of the script.
func maySetBase(t *source.Tree, script string, names literal.Value, function string) bool {
	function, _, _ = strings.Cut(function, ".")
	module, _, isImported := names.Get(function).Import()
	switch {
	case !isImported:
		return false
	case strings.HasPrefix(module, "."):
		file := t.ModuleFile(path.Join(path.Dir(script), module))
		return file == "" || namesBase.Match(t.Config(file))
	}
	return isOfRepository(t, path.Dir(script), module)
}

// isOfRepository reports whether the first package.json in a directory or above that names the package of a module takes
// it from the repository.
func isOfRepository(t *source.Tree, dir, module string) bool {
	parts := strings.SplitN(module, "/", 3)
	name := parts[0]
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		name += "/" + parts[1]
	}
	for ; source.Below(dir, t.Root); dir = path.Dir(dir) {
		conf := t.Read(dir + "/package.json")
		for _, key := range []string{"dependencies", "devDependencies"} {
			if version := conf.Lookup(key, name).Or(""); version != "" {
				protocol, _, _ := strings.Cut(version, ":")
				return slices.Contains([]string{"workspace", "link", "file", "portal"}, protocol)
			}
		}
		if dir == t.Root || dir == path.Dir(dir) {
			break
		}
	}
	return false
}
