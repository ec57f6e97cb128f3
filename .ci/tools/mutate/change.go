//go:build unix

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A change replaces the bytes of file from start to end with text.
type change struct {
	file       *source
	start, end int
	text       string
	number     int // in the schema, from 1
	isAlone    bool
}

// name returns the file relative to the working directory.
func (c *change) name() string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, c.file.name); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return c.file.name
}

// key returns the file, the function, the column in the line without its indent, the change, and the line, separated by
// tabs: the place as it is after changes to other lines.
func (c *change) key(dir string) string {
	dir, _ = filepath.Abs(dir)
	name, _ := filepath.Rel(dir, c.file.name)
	function := "-"
	for _, d := range c.file.tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && c.file.offset(f.Pos()) <= c.start && c.end <= c.file.offset(f.End()) {
			function = f.Name.Name
		}
	}
	line, column := c.line()
	text := strings.TrimLeft(line, " \t")
	return fmt.Sprintf("%s\t%s\t%d\t%s -> %s\t%s", name, function, column-(len(line)-len(text)), c.file.text[c.start:c.end], c.text, strings.TrimSpace(text))
}

// line returns the line of a change and its column.
func (c *change) line() (string, int) {
	before := string(c.file.text[:c.start])
	start := strings.LastIndexByte(before, '\n') + 1
	line, _, _ := strings.Cut(string(c.file.text[start:]), "\n")
	return line, c.start - start + 1
}

// String returns "file:line:column: was -> is: the line".
func (c *change) String() string {
	line, column := c.line()
	number := strings.Count(string(c.file.text[:c.start]), "\n") + 1
	return fmt.Sprintf("%s:%d:%d: %s -> %s: %s", c.name(), number, column, c.file.text[c.start:c.end], c.text, strings.TrimSpace(line))
}

// apply returns the changed file.
func (c *change) apply() []byte { return []byte(c.within(0, len(c.file.text))) }

// within returns the changed text of a part of the file.
func (c *change) within(start, end int) string {
	return string(slices.Concat(c.file.text[start:c.start], []byte(c.text), c.file.text[c.end:end]))
}

// fileChanges returns the changes that can be made to a file, and none if it is generated.
func fileChanges(file *source, known limits) []*change {
	if ast.IsGenerated(file.tree) {
		return nil
	}
	v := &visitor{pointless: map[ast.Node]bool{}, inexact: map[ast.Node]bool{}, file: file, limits: known}
	ast.Inspect(file.tree, v.visit)
	return v.changes
}

type visitor struct {
	file      *source
	changes   []*change
	pointless map[ast.Node]bool // see pointless.go
	inexact   map[ast.Node]bool // comparisons with a limit that may be one more or less
	limits    limits            // those that are promised
}

func (v *visitor) add(from, to token.Pos, text string) {
	v.changes = append(v.changes, &change{file: v.file, start: v.file.offset(from), end: v.file.offset(to), text: text})
}

func (v *visitor) negate(e ast.Expr) {
	v.add(e.Pos(), e.End(), "!("+v.file.between(e.Pos(), e.End())+")")
}

// operators holds what each operator becomes. Where < becomes <=, only a test at the boundary notices.
var operators = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

func (v *visitor) visit(n ast.Node) bool {
	if v.pointless[n] {
		return false
	}
	v.exclude(n)
	if v.pointless[n] {
		return false
	}
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.BinaryExpr:
		if to, ok := operators[n.Op]; ok && !v.inexact[n] {
			v.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String())
			v.string(n.X)
			v.string(n.Y)
		}
	case *ast.UnaryExpr:
		if lit, ok := n.X.(*ast.BasicLit); ok && n.Op == token.SUB && lit.Value == "1" {
			v.add(lit.Pos(), lit.End(), "0") // -1 means none, and what reads it asks for < 0
			return false
		}
	case *ast.BasicLit:
		v.literal(n)
	case *ast.IfStmt:
		v.condition(n.Cond)
	case *ast.ForStmt:
		v.condition(n.Cond)
	case *ast.SwitchStmt:
		for _, s := range n.Body.List {
			for _, e := range s.(*ast.CaseClause).List {
				v.string(e)
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
	if v.pointless[e] {
		return
	}
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

// literal makes an integer or a character one larger.
func (v *visitor) literal(lit *ast.BasicLit) {
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

// string changes a string that something is compared with.
func (v *visitor) string(e ast.Expr) {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if s, err := strconv.Unquote(lit.Value); err == nil {
			v.add(lit.Pos(), lit.End(), strconv.Quote(s+"x"))
		}
	}
}
