package project

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// TestValues calls the methods of the zero value of each exported type of the public packages, and String of each value
// that an enumeration does not have: none panics.
func TestValues(t *testing.T) {
	scantest.Long(t, "builds a program")
	var imports, values strings.Builder
	for i, dir := range publicPackages(t) {
		used := false
		for _, name := range exportedTypes(t, dir) {
			fmt.Fprintf(&values, "\ttry(%q, new(p%d.%s))\n", path.Base(dir)+"."+name, i, name)
			used = true
		}
		if used {
			fmt.Fprintf(&imports, "\tp%d %q\n", i, module+"/"+dir)
		}
	}
	source := strings.NewReplacer("IMPORTS\n", imports.String(), "VALUES\n", values.String()).Replace(valuesProgram)
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	main := filepath.Join(root, "values", "main.go") // as if it were in the module, so that nothing has to be resolved
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{main: filepath.Join(dir, "main.go")}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "main.go", source)
	write(t, dir, "overlay.json", string(overlay))
	out, err := exec.Command("go", "run", "-overlay", filepath.Join(dir, "overlay.json"), main).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// valuesProgram prints the methods that panic.
const valuesProgram = `package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"

IMPORTS
)

var (
	reader = reflect.TypeFor[io.Reader]()
	writer = reflect.TypeFor[io.Writer]()
	failed = reflect.TypeFor[error]()

	seen = map[string]bool{} // what has panicked
)

func main() {
VALUES
}

// try calls all methods of the zero value to which v points.
func try(name string, v any) {
	p := reflect.ValueOf(v)
	for i := range p.NumMethod() {
		p.Elem().SetZero()
		call(name+"."+p.Type().Method(i).Name, p.Method(i))
	}
	if s, ok := v.(fmt.Stringer); ok && p.Elem().CanUint() {
		for n := range 300 {
			set(name, s, func() { p.Elem().SetUint(uint64(n)) })
		}
		set(name, s, func() { p.Elem().SetUint(1<<64 - 1) })
	} else if ok && p.Elem().CanInt() {
		for n := range 600 {
			set(name, s, func() { p.Elem().SetInt(int64(n) - 300) })
		}
		set(name, s, func() { p.Elem().SetInt(-1 << 63) })
		set(name, s, func() { p.Elem().SetInt(1<<63 - 1) })
	}
}

func set(name string, s fmt.Stringer, to func()) {
	to()
	defer caught(name + ".String of an unknown value")
	s.String()
}

func caught(name string) {
	if v := recover(); v != nil && !seen[name] {
		seen[name] = true
		fmt.Printf("%s: %v\n", name, v)
	}
}

// call calls a function with zero arguments, but readers, writers and functions that work, and ranges over what is an iterator.
func call(name string, f reflect.Value) {
	defer caught(name)
	var args []reflect.Value
	for i := range f.Type().NumIn() {
		if f.Type().IsVariadic() && i == f.Type().NumIn()-1 {
			break
		}
		args = append(args, argument(f.Type().In(i)))
	}
	for _, result := range f.Call(args) {
		if t := result.Type(); t.Kind() == reflect.Func && t.NumIn() == 1 && t.NumOut() == 0 && !result.IsNil() {
			result.Call([]reflect.Value{argument(t.In(0))})
		}
	}
}

func argument(t reflect.Type) reflect.Value {
	switch {
	case t == reader:
		return reflect.ValueOf(strings.NewReader("see http://h/ or <a href=x>"))
	case t == writer:
		return reflect.ValueOf(io.Discard)
	case t == failed:
		return reflect.ValueOf(io.EOF)
	case t.Kind() == reflect.Func:
		return reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
			for i := range t.NumOut() {
				out = append(out, reflect.Zero(t.Out(i)))
				if t.Out(i).Kind() == reflect.Bool {
					out[i] = reflect.ValueOf(true)
				}
			}
			return out
		})
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return reflect.ValueOf([]byte("see http://h/ or <a href=x>")).Convert(t)
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		return reflect.New(t.Elem())
	}
	return reflect.Zero(t)
}
`

// Each public package has an example with output, and its first paragraph says when to use it.
func TestExamplesOfPackages(t *testing.T) {
	for _, dir := range publicPackages(t) {
		list, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		has := false
		for _, name := range list {
			text := read(t, name)
			has = has || strings.Contains(text, "\nfunc Example") && strings.Contains(text, "\t// Output:\n")
		}
		if !has {
			t.Errorf("%s has no example", dir)
		}
		eachFile(t, dir, func(file *ast.File) {
			first, _, _ := strings.Cut(file.Doc.Text(), "\n\n")
			if strings.HasPrefix(first, "Package ") && !strings.Contains(first, "Use it") && !strings.Contains(first, "Use\nit") {
				t.Errorf("%s does not say when to use it: %s", dir, first)
			}
		})
	}
}

// publicPackages lists the directories of packages that programs can import, from the root of the module.
func publicPackages(t *testing.T) (dirs []string) {
	t.Helper()
	for name := range arrows {
		if !strings.Contains("/"+name+"/", "/internal/") && !strings.HasPrefix(name, "cmd/") {
			dirs = append(dirs, name)
		}
	}
	return dirs
}

// exportedTypes lists the exported types of a package that are neither generic nor interfaces.
func exportedTypes(t *testing.T, dir string) (names []string) {
	t.Helper()
	eachFile(t, dir, func(file *ast.File) {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				s := spec.(*ast.TypeSpec)
				_, isInterface := s.Type.(*ast.InterfaceType)
				if s.Name.IsExported() && s.TypeParams == nil && !isInterface {
					names = append(names, s.Name.Name)
				}
			}
		}
	})
	return names
}

// eachFile calls f with each file of a package that is no test.
func eachFile(t *testing.T, dir string, f func(*ast.File)) {
	t.Helper()
	list, err := fs.Glob(os.DirFS("../.."), dir+"/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range list {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		f(file)
	}
}
