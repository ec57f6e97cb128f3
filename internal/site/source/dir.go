package source

import (
	"io/fs"
	"path"
	"strings"

	"example.org/refract/internal/lazy"
)

// A Dir may hold a configuration file.
type Dir struct {
	Path string
	Tree *Tree

	names lazy.Value[map[string]fs.FileMode] // see Names
}

// NewDir returns a directory of a tree.
func NewDir(t *Tree, dir string) *Dir { return &Dir{Path: dir, Tree: t} }

// In returns the absolute path of a name in the directory.
func (d *Dir) In(name string) string { return path.Join(d.Path, name) }

// Names returns what Tree.List returns for the directory. Each generator asks for some of them.
func (d *Dir) Names() map[string]fs.FileMode {
	return d.names.Get(func() map[string]fs.FileMode { return d.Tree.List(d.Path) })
}

// First returns the first of names that is a file in the directory, or "".
func (d *Dir) First(names ...string) string {
	l := d.Names()
	for _, name := range names {
		if mode, ok := l[name]; ok && !mode.IsDir() {
			return name
		}
	}
	return ""
}

// HasDir reports whether the directory holds a directory with a name.
func (d *Dir) HasDir(name string) bool { return d.Names()[name].IsDir() }

// DependsOn reports whether the package.json of the directory lists a package.
func (d *Dir) DependsOn(name string) bool {
	conf := d.Tree.Read(d.In("package.json"))
	return conf.Lookup("dependencies", name).IsGiven() || conf.Lookup("devDependencies", name).IsGiven()
}

// Inside returns the absolute path of a directory that a configuration names. ok is false
// if it leaves the repository.
func (d *Dir) Inside(name string) (string, bool) {
	if path.IsAbs(name) {
		return "", false
	}
	p := path.Join(d.Path, name)
	return p, Below(p, d.Tree.Root)
}

// Join returns the path of a name in a directory. "/x" is below root.
func Join(dir, root, name string) string {
	if strings.HasPrefix(name, "/") {
		return path.Join(root, name)
	}
	return path.Join(dir, name)
}

// Script returns the name of the first script in the directory with a stem, or "".
func (d *Dir) Script(stem string) string {
	l := d.Names()
	for _, ext := range ScriptSuffixes {
		if mode, ok := l[stem+"."+ext]; ok && !mode.IsDir() {
			return stem + "." + ext
		}
	}
	return ""
}

// ScriptSuffixes are the suffixes of configuration scripts, in the order in which they are looked for.
var ScriptSuffixes = []string{"js", "ts", "mjs", "mts", "cjs", "cts"}

// IsMarkdown reports whether a file is Markdown or MDX by its name.
func IsMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".mdx"
}
