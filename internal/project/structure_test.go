package project

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	maxFunctionLines = 100 // from "func" to the closing brace
	maxNesting       = 4   // control statements within control statements
	maxBooleans      = 2   // parameters of type bool
)

// privateNumber matches a number that only this project uses for one of its founding documents.
var privateNumber = regexp.MustCompile(`(^|[ (])00[0-4]([^0-9,]|,[^0-9]|$)`)

// structure holds the measurements of the program, without its tests.
type structure struct {
	fset    *token.FileSet
	long    []measure // functions of more than maxFunctionLines
	deep    []measure // functions with deeper nesting than maxNesting
	flags   []measure // functions with more boolean parameters than maxBooleans
	effects []measure // if heads whose init statement has an unrelated side effect
	structs []measure // by number of fields
	private []measure // lines that cite a private number
	heads   int       // if statements
}

type measure struct {
	file string
	line int
	name string
	n    int
}

func (m measure) String() string { return fmt.Sprintf("%s %s %d", m.file, m.name, m.n) }

// TestStructure keeps functions short and flat, and statements to one effect each.
// With -v it prints the figures.
func TestStructure(t *testing.T) {
	s := &structure{fset: token.NewFileSet()}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		return s.file(path)
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(s.structs, func(a, b measure) int { return cmp.Compare(b.n, a.n) })
	t.Logf("%d functions over %d lines: %v", len(s.long), maxFunctionLines, s.long)
	t.Logf("%d functions nest deeper than %d: %v", len(s.deep), maxNesting, s.deep)
	t.Logf("%d of %d if heads have an unrelated side effect", len(s.effects), s.heads)
	t.Logf("largest structs: %v", s.structs[:min(10, len(s.structs))])
	t.Logf("%d lines cite a private number", len(s.private))
	check := func(all []measure, format string) {
		for _, m := range all {
			t.Errorf("%s:%d: "+format, m.file, m.line, m.name, m.n)
		}
	}
	check(s.long, "%s has %d lines")
	check(s.deep, "%s nests %d deep")
	check(s.flags, "%s has %d boolean parameters: a call does not say what they mean")
	check(s.effects, "if %s: the condition does not use what the init statement changes (%d)")
	check(s.private, "%s: cites a private number (%d)")
}

// file measures one file.
func (s *structure) file(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
	for i, line := range strings.Split(string(text), "\n") {
		if at := privateNumber.FindStringIndex(line); at != nil && strings.ContainsAny(line[:at[0]+1], "/\"`") {
			s.private = append(s.private, measure{name, i + 1, strings.TrimSpace(line), 1})
		}
	}
	file, err := parser.ParseFile(s.fset, path, text, 0)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			s.function(name, f)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if t, ok := n.Type.(*ast.StructType); ok {
				s.structs = append(s.structs, measure{name, s.line(n.Pos()), n.Name.Name, t.Fields.NumFields()})
			}
		case *ast.IfStmt:
			s.heads++
			if n.Init != nil && s.isUnrelated(n.Init, n.Cond) {
				s.effects = append(s.effects, measure{name, s.line(n.Pos()), s.text(n.Init) + "; " + s.text(n.Cond), 1})
			}
		}
		return true
	})
	return nil
}

func (s *structure) function(file string, f *ast.FuncDecl) {
	name := f.Name.Name
	if f.Recv != nil {
		name = strings.TrimPrefix(s.text(f.Recv.List[0].Type), "*") + "." + name
	}
	if n := s.line(f.End()) - s.line(f.Pos()) + 1; n > maxFunctionLines {
		s.long = append(s.long, measure{file, s.line(f.Pos()), name, n})
	}
	booleans := 0
	for _, p := range f.Type.Params.List {
		if s.text(p.Type) == "bool" {
			booleans += max(1, len(p.Names))
		}
	}
	if booleans > maxBooleans {
		s.flags = append(s.flags, measure{file, s.line(f.Pos()), name, booleans})
	}
	if n := nesting(f.Body); n > maxNesting {
		s.deep = append(s.deep, measure{file, s.line(f.Pos()), name, n})
	}
}

// nesting returns how many control statements are around the innermost statement of n.
// An else-if counts as the if before it; the body of a function literal begins anew.
func nesting(n ast.Node) (deepest int) {
	var visit func(n ast.Node, depth int)
	visit = func(n ast.Node, depth int) {
		deepest = max(deepest, depth)
		ast.Inspect(n, func(m ast.Node) bool {
			if m == n || m == nil {
				return true
			}
			switch m := m.(type) {
			case *ast.IfStmt:
				for m != nil {
					visit(m.Body, depth+1)
					next, ok := m.Else.(*ast.IfStmt)
					if !ok && m.Else != nil {
						visit(m.Else, depth+1)
					}
					m = next
				}
				return false
			case *ast.ForStmt:
				visit(m.Body, depth+1)
				return false
			case *ast.RangeStmt:
				visit(m.Body, depth+1)
				return false
			case *ast.SwitchStmt:
				visit(m.Body, depth+1)
				return false
			case *ast.TypeSwitchStmt:
				visit(m.Body, depth+1)
				return false
			case *ast.SelectStmt:
				visit(m.Body, depth+1)
				return false
			case *ast.FuncLit:
				visit(m.Body, 0)
				return false
			}
			return true
		})
	}
	visit(n, 0)
	return deepest
}

// isUnrelated reports whether init changes something that cond does not use.
func (s *structure) isUnrelated(init ast.Stmt, cond ast.Expr) bool {
	var changed []ast.Expr
	switch init := init.(type) {
	case *ast.AssignStmt:
		if init.Tok == token.DEFINE {
			return false
		}
		changed = init.Lhs
	case *ast.IncDecStmt:
		changed = []ast.Expr{init.X}
	}
	for _, x := range changed { // none of a call
		text, used := s.text(x), false
		ast.Inspect(cond, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && s.text(e) == text {
				used = true
			}
			return !used
		})
		if used {
			return false
		}
	}
	return true
}

func (s *structure) text(n ast.Node) string {
	var b bytes.Buffer
	printer.Fprint(&b, s.fset, n)
	return b.String()
}

func (s *structure) line(p token.Pos) int { return s.fset.Position(p).Line }
