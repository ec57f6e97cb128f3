package project

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

const (
	maxFiles   = 25 // of a package
	maxMethods = 60 // of a type
)

// largerPackages lists the packages with more than maxFiles files and what they may have, and largerTypes the
// types with more than maxMethods methods. These numbers may only shrink.
var (
	largerPackages = map[string]int{}
	largerTypes    = map[string]int{
		"internal/literal.parser": 61,
		"extract/rst.parser":      79, "extract.walker": 63, "extract/html.Scanner": 65,
	}
)

// TestSizes keeps packages and types small enough to be read whole.
func TestSizes(t *testing.T) {
	files, methods := map[string]int{}, map[string]int{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../../")
		files[dir]++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[dir+"."+receiver(f)]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, counts map[string]int, most int, larger map[string]int) {
		for name, n := range counts {
			limit, isLarger := larger[name]
			switch {
			case !isLarger && n > most:
				t.Errorf("%s has %d %s: at most %d", name, n, what, most)
			case isLarger && n > limit:
				t.Errorf("%s has %d %s, and had %d: they may only become fewer", name, n, what, limit)
			}
		}
		for name, limit := range larger {
			if n := counts[name]; n < limit {
				t.Errorf("%s has %d %s: lower the number %d in the list", name, n, what, limit)
			}
		}
	}
	check("files", files, maxFiles, largerPackages)
	check("methods", methods, maxMethods, largerTypes)
}

// receiver returns the name of the type of a method.
func receiver(f *ast.FuncDecl) string {
	typ := f.Recv.List[0].Type
	if pointer, ok := typ.(*ast.StarExpr); ok {
		typ = pointer.X
	}
	if of, ok := typ.(*ast.IndexExpr); ok {
		typ = of.X
	}
	if name, ok := typ.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
