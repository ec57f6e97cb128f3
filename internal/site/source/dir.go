package source

import (
	"path"
	"strings"
)

// A Dir may hold a configuration file.
type Dir struct {
	Path string
	Tree *Tree
}

// NewDir returns a directory of a tree.
func NewDir(t *Tree, dir string) *Dir { return &Dir{Path: dir, Tree: t} }

// In returns the absolute path of a name in the directory.
func (d *Dir) In(name string) string { return path.Join(d.Path, name) }

// First returns the first of names that is a file in the directory, or "".
func (d *Dir) First(names ...string) string {
	l := d.Tree.List(d.Path)
	for _, name := range names {
		if mode, ok := l[name]; ok && !mode.IsDir() {
			return name
		}
	}
	return ""
}

// HasDir reports whether the directory holds a directory with a name.
func (d *Dir) HasDir(name string) bool { return d.Tree.List(d.Path)[name].IsDir() }

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
	for _, ext := range ScriptSuffixes {
		if name := d.First(stem + "." + ext); name != "" {
			return name
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
