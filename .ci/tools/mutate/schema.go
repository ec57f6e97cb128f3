//go:build unix

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A schema is the module with all changes compiled in, of which a process makes at most one:
//
//	func f(a int) (n int) {
//		if mutantswitch.On(7) {
//			return func() (n int) { … the body with change 7 … }()
//		}
//		… the body …
//	}
//
//	var v = mutantswitch.Pick(8, … the value with change 8 …, … the value …)
//
// A constant of the package becomes one of the body of each function that uses it. What can be changed in none of these
// ways is compiled alone.
//
// The number comes from a file with the name of the process group, not from the environment, which tests of commands
// do not hand on. Instead of a number, the file can hold "track": then each change that is reached is written to a file.

// switchPath is the package's path in the module.
const switchPath = "/internal/mutantswitch"

const switchSource = `//go:build unix

package mutantswitch

import (
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
)

const dir = "DIR/"

var current, isTracking = read()

func read() (int, bool) {
	text, err := os.ReadFile(dir + strconv.Itoa(syscall.Getpgrp()))
	if err != nil {
		return 0, false
	}
	n, err := strconv.Atoi(string(text))
	return n, err != nil
}

// On reports whether change n is made.
func On(n int) bool { return n == current || isTracking && reach(n) }

// Pick returns a if change n is made, or b.
func Pick[T any](n int, a, b T) T {
	if n == current {
		return a
	}
	return b
}

var reached [1 << 16]atomic.Bool

func reach(n int) bool {
	if reached[n].Load() || reached[n].Swap(true) {
		return false
	}
	f, err := os.OpenFile(dir+strconv.Itoa(syscall.Getpgrp())+".reached", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		f.WriteString(strconv.Itoa(n) + "\n")
		f.Close()
	}
	return false
}
`

// noSwitch is the package on other systems, for which some tests compile.
const noSwitch = `//go:build !unix

package mutantswitch

func On(int) bool { return false }

func Pick[T any](_ int, _, b T) T { return b }
`

func (m *module) checkSwitches() (*types.Package, error) {
	tree, err := parser.ParseFile(m.files, "", noSwitch, 0)
	if err != nil {
		return nil, err
	}
	return new(types.Config).Check(m.path+switchPath, m.files, []*ast.File{tree}, nil)
}

// writeOverlay writes files and the list for "go build -overlay", whose name it returns.
func writeOverlay(dir string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for name, text := range files {
		file := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		replace[name] = file
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, text, 0o600)
}

// schema returns the changed files by name: those of the changes, and those of package mutantswitch, whose processes look
// for files in dir.
func (m *module) schema(changes []*change, dir string) (map[string][]byte, error) {
	root, err := filepath.Abs(m.dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		filepath.Join(root, switchPath, "unix.go"):  []byte(strings.Replace(switchSource, "DIR", dir, 1)),
		filepath.Join(root, switchPath, "other.go"): []byte(noSwitch),
	}
	edits := map[*source][]edit{}
	for _, c := range changes {
		if !c.isAlone {
			edits = m.edits(c, edits)
		}
	}
	for f, list := range edits {
		files[f.name] = m.edited(f, list)
	}
	return files, nil
}

// edited returns the text of a file with edits and the import that they need.
func (m *module) edited(f *source, list []edit) []byte {
	name := f.offset(f.tree.Name.End())
	list = append(list, edit{at: name, to: name, text: fmt.Sprintf("; import mutantswitch %q", m.path+switchPath)})
	slices.SortStableFunc(list, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	return f.render(list, 0, len(f.text))
}

// render returns a part of the text with edits, some of which are within the values of others.
func (f *source) render(list []edit, start, end int) (out []byte) {
	for len(list) > 0 {
		e := list[0]
		list = list[1:]
		out = append(append(out, f.text[start:e.at]...), e.text...)
		start = e.at
		if e.isValue {
			n := 0
			for n < len(list) && list[n].at < e.to {
				n++
			}
			out = append(append(out, f.render(list[:n], e.at, e.to)...), ')')
			list, start = list[n:], e.to
		}
	}
	return append(out, f.text[start:end]...)
}

// An edit puts text before the bytes from at to to, and, if they are a value, a parenthesis after them.
type edit struct {
	at, to  int
	text    string
	isValue bool
}

// edits adds those of a change, or says that it must be compiled alone.
func (m *module) edits(c *change, all map[*source][]edit) map[*source][]edit {
	f := c.file
	if body, results := f.function(c); body != nil {
		start, end := f.offset(body.Lbrace)+1, f.offset(body.Rbrace)
		if strings.Contains(string(f.text[start:end]), "recover()") {
			c.isAlone = true // the closure is not what the defer statement calls
			return all
		}
		all[f] = append(all[f], edit{at: start, to: start, text: closure(c.number, results, c.within(start, end))})
		return all
	}
	spec, tok := f.spec(c)
	switch {
	case spec == nil || len(spec.Names) != 1 || len(spec.Values) != 1 || f.offset(spec.Values[0].Pos()) > c.start:
		c.isAlone = true
	case tok == token.VAR:
		v := spec.Values[0]
		start, end := f.offset(v.Pos()), f.offset(v.End())
		of := ""
		if spec.Type != nil {
			of = "[" + f.between(spec.Type.Pos(), spec.Type.End()) + "]"
		}
		text := fmt.Sprintf("mutantswitch.Pick%s(%d, %s, ", of, c.number, c.within(start, end))
		all[f] = append(all[f], edit{at: start, to: end, text: text, isValue: true})
	case tok == token.CONST:
		shadows, ok := m.shadows(c, spec)
		if !ok {
			c.isAlone = true
			break
		}
		for _, s := range shadows {
			all[s.file] = append(all[s.file], s.edit)
		}
	}
	return all
}

// closure returns the statement that runs another body if change n is made.
func closure(n int, results, body string) string {
	if results == "" {
		return fmt.Sprintf("\nif mutantswitch.On(%d) { func() {%s\n}(); return }\n", n, body)
	}
	return fmt.Sprintf("\nif mutantswitch.On(%d) { return func() %s {%s\n}() }\n", n, results, body)
}

// function returns the body of the outermost function that holds a change, and the text of its results.
func (f *source) function(c *change) (body *ast.BlockStmt, results string) {
	var typ *ast.FuncType
	holds := func(n ast.Node) bool { return f.offset(n.Pos()) <= c.start && c.end <= f.offset(n.End()) }
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if n == nil || body != nil || !holds(n) {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			body, typ = n.Body, n.Type
		case *ast.FuncLit:
			body, typ = n.Body, n.Type
		default:
			return true
		}
		if body != nil && (!holds(body) || f.offset(body.Lbrace) >= c.start) {
			body = nil
		}
		return false
	})
	if body != nil && typ.Results != nil {
		results = f.between(typ.Results.Pos(), typ.Results.End())
	}
	return body, results
}

// spec returns the declaration of the package that holds a change.
func (f *source) spec(c *change) (*ast.ValueSpec, token.Token) {
	for _, d := range f.tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || f.offset(g.Pos()) > c.start || c.end > f.offset(g.End()) {
			continue
		}
		for i, s := range g.Specs {
			v, ok := s.(*ast.ValueSpec)
			if !ok || f.offset(v.Pos()) > c.start || c.end > f.offset(v.End()) {
				continue
			}
			if i+1 < len(g.Specs) && g.Tok == token.CONST && len(g.Specs[i+1].(*ast.ValueSpec).Values) == 0 {
				return nil, g.Tok // the next ones repeat it
			}
			return v, g.Tok
		}
	}
	return nil, 0
}

type shadow struct {
	file *source
	edit edit
}

// shadows returns the edits that declare a changed constant in each function that uses it. It fails if something else
// uses it.
func (m *module) shadows(c *change, spec *ast.ValueSpec) (all []shadow, ok bool) {
	f := c.file
	value := c.within(f.offset(spec.Pos()), f.offset(spec.End()))
	object := f.pkg.info.Defs[spec.Names[0]]
	if object == nil || strings.Contains(value, "iota") {
		return nil, false
	}
	for _, of := range f.pkg.sources {
		done := map[*ast.BlockStmt]bool{}
		for id, used := range f.pkg.info.Uses {
			if used != object || of.files.File(id.Pos()) != of.files.File(of.tree.Pos()) {
				continue
			}
			at := of.offset(id.Pos())
			body, results := of.function(&change{file: of, start: at, end: at + 1})
			if body == nil || strings.Contains(of.between(body.Lbrace, body.Rbrace), "recover()") {
				return nil, false
			}
			if done[body] {
				continue
			}
			done[body] = true
			start := of.offset(body.Lbrace) + 1
			text := closure(c.number, results, "\nconst "+value+"\n"+of.between(body.Lbrace+1, body.Rbrace))
			all = append(all, shadow{of, edit{at: start, to: start, text: text}})
		}
	}
	return all, len(all) > 0
}
