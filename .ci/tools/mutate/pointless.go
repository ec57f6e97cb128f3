//go:build unix

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// exclude marks what must not change below n because no test could notice it.
func (v *visitor) exclude(n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr: // capacities
		switch name := calledName(n); {
		case name == "make" && len(n.Args) > 1 && v.file.pkg.hasCapacity(n.Args[0]):
			v.pointless[n.Args[1]] = true
		case name == "make" && len(n.Args) > 2:
			v.pointless[n.Args[2]] = true
		case (name == "NewReaderSize" || name == "NewWriterSize") && len(n.Args) == 2: // of a buffer
			v.pointless[n.Args[1]] = true
		case name == "Grow":
			for _, arg := range n.Args {
				v.pointless[arg] = true
			}
		case name == "OpenFile" && len(n.Args) == 3: // nothing is created with the mode 0
			if lit, ok := n.Args[2].(*ast.BasicLit); ok && lit.Value == "0" {
				v.pointless[lit] = true
			}
		}
	case *ast.ReturnStmt: // with false, the other results mean nothing
		if last := len(n.Results) - 1; last > 0 && v.file.between(n.Results[last].Pos(), n.Results[last].End()) == "false" {
			for _, e := range n.Results[:last] {
				if lit, ok := e.(*ast.BasicLit); ok && lit.Value == "0" {
					v.pointless[lit] = true
				}
			}
		}
	case *ast.ArrayType: // a table by byte or character may have more elements than there are
		if lit, ok := n.Len.(*ast.BasicLit); ok && (lit.Value == "256" || lit.Value == "128") {
			v.pointless[n.Len] = true
		}
	case *ast.BinaryExpr: // 1 << iota: any bits will do
		if id, ok := n.Y.(*ast.Ident); ok && n.Op == token.SHL && id.Name == "iota" {
			v.pointless[n.X] = true
		}
		v.pointless[n] = v.file.isSystem(n) // its tests run there
		if (n.Op == token.LSS || n.Op == token.LEQ || n.Op == token.GTR || n.Op == token.GEQ) && (v.isLimit(n.X) || v.isLimit(n.Y)) {
			v.inexact[n] = true
		}
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			s, ok := spec.(*ast.ValueSpec)
			if ok && n.Tok == token.CONST && len(s.Names) == 1 && len(s.Values) == 1 && v.isLimit(s.Names[0]) && isLiteral(s.Values[0]) {
				v.pointless[s.Values[0]] = true
			}
		}
	}
}

// leastLimit is the least limit that nobody misses by one.
const leastLimit = 64

// isLimit reports whether an expression is a limit that need not be exact: a constant of at least leastLimit whose
// name begins with "max", and whose value is not in the documentation of limits.
func (v *visitor) isLimit(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok || !strings.HasPrefix(id.Name, "max") {
		return false
	}
	object := v.file.pkg.info.Uses[id]
	if object == nil {
		object = v.file.pkg.info.Defs[id]
	}
	c, ok := object.(*types.Const)
	if !ok {
		return false
	}
	value, isExact := constant.Int64Val(constant.ToInt(c.Val()))
	return isExact && value >= leastLimit && !v.limits.has(value)
}

func isLiteral(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.INT
}

// limits is the text of the documentation of limits.
type limits string

// readLimits reads docs/limits.md of a module, if there is one.
func readLimits(dir string) limits {
	text, err := os.ReadFile(filepath.Join(dir, "docs", "limits.md"))
	if err != nil {
		return ""
	}
	return limits(text)
}

// has reports whether a number is promised: "4,096", "4096", "4 KiB" or "4 MiB".
func (l limits) has(n int64) bool {
	plain := strconv.FormatInt(n, 10)
	forms := []string{plain, plain}
	for i := len(plain) - 3; i > 0; i -= 3 {
		forms[1] = forms[1][:i] + "," + forms[1][i:]
	}
	for _, unit := range []string{" KiB", " MiB", " GiB"} {
		if n >>= 10; n > 0 {
			forms = append(forms, strconv.FormatInt(n, 10)+unit)
		}
	}
	return slices.ContainsFunc(forms, func(form string) bool {
		for rest := string(l); ; {
			i := strings.Index(rest, form)
			if i < 0 {
				return false
			}
			end := i + len(form)
			if (i == 0 || !isDigit(rest[i-1])) && (end == len(rest) || !isDigit(rest[end])) {
				return true
			}
			rest = rest[end:]
		}
	})
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isSystem reports whether an expression compares the name of a system or processor.
func (f *source) isSystem(e *ast.BinaryExpr) bool {
	name := f.between(e.X.Pos(), e.X.End())
	return name == "runtime.GOOS" || name == "runtime.GOARCH"
}

// calledName returns the name of the function that is called, without its package or receiver.
func calledName(call *ast.CallExpr) string {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// An equivalence holds the keys of changes that make no difference, and how many changes have each.
type equivalence map[string]int

// readEquivalent reads a file of keys, each with a reason after a tab. Empty lines and those with # are comments.
func readEquivalent(name string) (equivalence, error) {
	all := equivalence{}
	if name == "" {
		return all, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		row := strings.TrimSuffix(string(line), "\n")
		if row == "" || row[0] == '#' {
			continue
		}
		end := strings.LastIndexByte(row, '\t')
		if strings.Count(row, "\t") < 5 || row[end:] == "\t" {
			return nil, fmt.Errorf("%s: no reason: %s", name, row)
		}
		all[row[:end]] = 0
	}
	return all, nil
}

// has reports whether a change with this key makes no difference, and counts it.
func (e equivalence) has(key string) bool {
	n, ok := e[key]
	if ok {
		e[key] = n + 1
	}
	return ok
}

// wrong returns the keys that no change has, if all were asked for, and those of several, in order.
func (e equivalence) wrong(isAll bool) (all []string) {
	for key, n := range e {
		if n > 1 || isAll && n == 0 {
			all = append(all, fmt.Sprintf("%d changes: %s", n, key))
		}
	}
	slices.Sort(all)
	return all
}
