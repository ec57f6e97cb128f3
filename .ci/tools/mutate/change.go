//go:build unix

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A change replaces the bytes of file from start to end with text.
type change struct {
	pkg, file  string // import path, absolute name
	src        []byte // of the file
	start, end int
	text       string
}

// name returns the file relative to the working directory.
func (c change) name() string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, c.file); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return c.file
}

// String returns "file:line:column: was -> is: the line".
func (c change) String() string {
	before := string(c.src[:c.start])
	line, _, _ := strings.Cut(string(c.src[strings.LastIndexByte(before, '\n')+1:]), "\n")
	return fmt.Sprintf("%s:%d:%d: %s -> %s: %s", c.name(), strings.Count(before, "\n")+1, c.start-strings.LastIndexByte(before, '\n'),
		c.src[c.start:c.end], c.text, strings.TrimSpace(line))
}

// apply returns the changed file.
func (c change) apply() []byte {
	return slices.Concat(c.src[:c.start], []byte(c.text), c.src[c.end:])
}

// fileChanges returns the changes that can be made to a file, and none if it is generated.
func fileChanges(pkg, file string) ([]change, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(tree) {
		return nil, err
	}
	v := &visitor{}
	at := func(p token.Pos) int { return files.Position(p).Offset }
	v.add = func(from, to token.Pos, text string) {
		v.changes = append(v.changes, change{pkg, file, src, at(from), at(to), text})
	}
	v.negate = func(e ast.Expr) {
		v.add(e.Pos(), e.End(), "!("+string(src[at(e.Pos()):at(e.End())])+")")
	}
	ast.Inspect(tree, v.visit)
	return v.changes, nil
}

type visitor struct {
	changes []change
	add     func(from, to token.Pos, text string)
	negate  func(ast.Expr)
}

// operators holds what each operator becomes. Where < becomes <=, only a test at the boundary notices.
var operators = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

func (v *visitor) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.BinaryExpr:
		if to, ok := operators[n.Op]; ok {
			v.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String())
			v.text(n.X)
			v.text(n.Y)
		}
	case *ast.BasicLit:
		v.number(n)
	case *ast.IfStmt:
		v.condition(n.Cond)
	case *ast.ForStmt:
		v.condition(n.Cond)
	case *ast.SwitchStmt:
		for _, s := range n.Body.List {
			for _, e := range s.(*ast.CaseClause).List {
				v.text(e)
				if n.Tag == nil {
					v.condition(e)
				}
			}
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			switch id, _ := e.(*ast.Ident); {
			case id == nil:
			case id.Name == "true":
				v.add(id.Pos(), id.End(), "false")
			case id.Name == "false":
				v.add(id.Pos(), id.End(), "true")
			}
		}
	}
	return true
}

// condition negates a condition whose operator does not change by itself.
func (v *visitor) condition(e ast.Expr) {
	switch e := e.(type) {
	case nil:
	case *ast.BinaryExpr:
		if _, ok := operators[e.Op]; !ok {
			v.negate(e)
		}
	case *ast.UnaryExpr:
		v.add(e.OpPos, e.X.Pos(), "")
	default:
		v.negate(e)
	}
}

// number makes an integer or a character one larger.
func (v *visitor) number(lit *ast.BasicLit) {
	switch lit.Kind {
	case token.INT:
		if n, err := strconv.ParseUint(lit.Value, 0, 63); err == nil {
			v.add(lit.Pos(), lit.End(), strconv.FormatUint(n+1, 10))
		}
	case token.CHAR:
		if c, _, _, err := strconv.UnquoteChar(lit.Value[1:len(lit.Value)-1], '\''); err == nil {
			v.add(lit.Pos(), lit.End(), strconv.QuoteRuneToASCII(c+1))
		}
	}
}

// text changes a string that something is compared with.
func (v *visitor) text(e ast.Expr) {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if s, err := strconv.Unquote(lit.Value); err == nil {
			v.add(lit.Pos(), lit.End(), strconv.Quote(s+"x"))
		}
	}
}
