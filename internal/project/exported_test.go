package project

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExported compares the number of exported names of each public package with the table in testdata. A name that is added
// is promised once there is a tag: UPDATE=1 writes the table; review the diff. Constants and variables are left out, since each generator
// and each rule adds some.
func TestExported(t *testing.T) {
	const name = "../../testdata/exported.tsv"
	table, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var head, rows bytes.Buffer
	for line := range bytes.Lines(table) {
		if line[0] == '#' {
			head.Write(line)
		}
	}
	fmt.Fprintf(&rows, "names\tmethods\tpackage\n")
	var all [3]int
	dirs := publicPackages(t)
	slices.Sort(dirs)
	for _, dir := range dirs {
		counts := exportedNames(t, "../../"+dir)
		for i := range all {
			all[i] += counts[i]
		}
		fmt.Fprintf(&rows, "%d\t%d\t%s\n", counts[1], counts[2], dir)
	}
	fmt.Fprintf(&rows, "%d\t%d\tall\n", all[1], all[2])
	t.Logf("%d constants and variables", all[0])
	got := slices.Concat(head.Bytes(), rows.Bytes())
	switch {
	case bytes.Equal(got, table):
	case os.Getenv("UPDATE") == "":
		t.Errorf("%s: counted\n%s", name, rows.Bytes())
	default:
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// exportedNames counts the constants and variables, the functions and types, and the methods that go doc shows of a package.
func exportedNames(t *testing.T, dir string) (counts [3]int) {
	t.Helper()
	names, err := filepath.Glob(dir + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name.Name != "main" { // that of a generator
			files = append(files, f)
		}
	}
	p, err := doc.NewFromFiles(fset, files, dir)
	if err != nil {
		t.Fatal(err)
	}
	values := func(lists ...[]*doc.Value) {
		for _, list := range lists {
			for _, v := range list {
				counts[0] += len(slices.DeleteFunc(slices.Clone(v.Names), func(n string) bool { return !ast.IsExported(n) }))
			}
		}
	}
	values(p.Consts, p.Vars)
	counts[1] += len(p.Funcs) + len(p.Types)
	for _, typ := range p.Types {
		values(typ.Consts, typ.Vars)
		counts[1] += len(typ.Funcs)
		counts[2] += len(typ.Methods)
	}
	return counts
}
