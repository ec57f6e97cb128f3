package project

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/site/gen"
)

// What a generator does differently is in its package, as an answer to a question of package site. No other code
// compares its name.
func TestGeneratorsAreUnits(t *testing.T) {
	names := append(gen.Names(), "Zensical", "Astro", "MyST", "Jupyter Book", "GitLabWiki")
	root := filepath.Join("..", "..")
	files := token.NewFileSet()
	compared := 0
	visit := func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name()[0] == '.' && name != root):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		isGenerator := strings.HasPrefix(filepath.ToSlash(name), "../../internal/site/gen/")
		for _, at := range comparisons(f, names) {
			if compared++; !isGenerator {
				t.Errorf("%s compares the name of a generator", files.Position(at))
			}
		}
		return nil
	}
	if err := filepath.WalkDir(root, visit); err != nil {
		t.Fatal(err)
	}
	if compared == 0 { // MkDocs and Zensical share a package, so there are some
		t.Error("no comparison found")
	}
}

// comparisons returns where a file compares something with one of the strings.
func comparisons(f *ast.File, names []string) (found []token.Pos) {
	add := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING && slices.Contains(names, literal(l)) {
				found = append(found, l.Pos())
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				add(n.X, n.Y)
			}
		case *ast.CaseClause:
			add(n.List...)
		}
		return true
	})
	return found
}
