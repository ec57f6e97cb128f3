//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A module holds the packages of a module and what checks their types.
type module struct {
	dir      string // "" means the working directory
	path     string
	packages map[string]*packageOf // by import path
	users    map[string][]string   // by import path: the packages that import it, tests included
	imported map[string]bool       // not only by tests
	exports  map[string]string     // by import path: the file of export data
	files    *token.FileSet
	compiled types.Importer // reads export data
	switches *types.Package // see schema.go
}

// A packageOf is what "go list -json" says of a package, and its types if parse was called.
type packageOf struct {
	Dir, ImportPath, Name, Export                   string
	GoFiles, CgoFiles                               []string
	Imports, TestImports, XTestImports, TestGoFiles []string
	XTestGoFiles                                    []string
	Module                                          *struct{ Path string }
	Match                                           []string

	sources []*source
	info    *types.Info
}

// A source is a file of a package.
type source struct {
	pkg   *packageOf
	name  string // absolute
	text  []byte
	tree  *ast.File
	files *token.FileSet
}

func (f *source) offset(p token.Pos) int { return f.files.PositionFor(p, false).Offset }

func (f *source) between(from, to token.Pos) string {
	return string(f.text[f.offset(from):f.offset(to)])
}

// markImported marks the packages that a package imports, directly or through others.
func (m *module) markImported(p *packageOf) {
	for _, path := range p.Imports {
		if other := m.packages[path]; other != nil && !m.imported[path] {
			m.imported[path] = true
			m.markImported(other)
		}
	}
}

func readModule(ctx context.Context, dir string) (*module, error) {
	m := &module{
		dir: dir, files: token.NewFileSet(),
		packages: map[string]*packageOf{}, users: map[string][]string{}, imported: map[string]bool{}, exports: map[string]string{},
	}
	all, err := m.list(ctx, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		m.packages[p.ImportPath] = p
		if p.Module != nil {
			m.path = p.Module.Path
		}
		imports := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
		slices.Sort(imports)
		for _, path := range slices.Compact(imports) {
			if path != p.ImportPath {
				m.users[path] = append(m.users[path], p.ImportPath)
			}
		}
	}
	for _, p := range all {
		if p.Name == "main" || !strings.Contains(p.ImportPath, "/internal/") {
			m.markImported(p)
		}
	}
	m.compiled = importer.ForCompiler(m.files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(m.exports[path]) })
	m.switches, err = m.checkSwitches()
	return m, err
}

// choose returns packages, after it has compiled them and what they import.
func (m *module) choose(ctx context.Context, patterns []string) (chosen []*packageOf, err error) {
	all, err := m.list(ctx, append([]string{"-export", "-deps"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		m.exports[p.ImportPath] = p.Export
		if len(p.Match) > 0 {
			chosen = append(chosen, m.packages[p.ImportPath])
		}
	}
	return chosen, nil
}

func (m *module) list(ctx context.Context, args ...string) (all []*packageOf, err error) {
	const fields = "-json=Dir,ImportPath,Name,Export,GoFiles,CgoFiles,Imports,TestImports,XTestImports,TestGoFiles,XTestGoFiles,Module,Match"
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", fields}, args...)...)
	cmd.Dir, cmd.Stderr = m.dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(packageOf)
		switch err := d.Decode(p); {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, p)
	}
}

// parse reads a package and its types.
func (m *module) parse(p *packageOf) error {
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f := &source{pkg: p, name: filepath.Join(p.Dir, name), files: m.files}
		var err error
		f.text, err = os.ReadFile(f.name)
		if err != nil {
			return err
		}
		f.tree, err = parser.ParseFile(m.files, f.name, f.text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.sources = append(p.sources, f)
	}
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	return m.check(p, nil, p.info)
}

// compiles reports whether the package of a file does with another text of this file.
func (m *module) compiles(f *source, text []byte) bool {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, f.name, text, parser.SkipObjectResolution)
	return err == nil && m.check(f.pkg, map[*source]*ast.File{f: tree}, nil) == nil
}

func (m *module) check(p *packageOf, instead map[*source]*ast.File, info *types.Info) error {
	var trees []*ast.File
	for _, f := range p.sources {
		if tree := instead[f]; tree != nil {
			trees = append(trees, tree)
			continue
		}
		trees = append(trees, f.tree)
	}
	conf := types.Config{Importer: m, Sizes: types.SizesFor("gc", "amd64")}
	_, err := conf.Check(p.ImportPath, m.files, trees, info)
	return err
}

// Import is what the type checker calls.
func (m *module) Import(path string) (*types.Package, error) {
	switch path {
	case "unsafe":
		return types.Unsafe, nil
	case m.path + switchPath:
		return m.switches, nil
	}
	return m.compiled.Import(path)
}

// hasCapacity reports whether an expression is the type of a map or a channel.
func (p *packageOf) hasCapacity(e ast.Expr) bool {
	t := p.info.Types[e].Type
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Map, *types.Chan:
		return true
	}
	return false
}
