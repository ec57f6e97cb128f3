//go:build unix

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"slices"
	"strings"
)

// exclude marks what must not change below n because no test could notice it.
func (v *visitor) exclude(n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr: // capacities
		switch name := calledName(n); {
		case name == "make" && len(n.Args) > 1 && v.file.pkg.isMap(n.Args[0]):
			v.pointless[n.Args[1]] = true
		case name == "make" && len(n.Args) > 2:
			v.pointless[n.Args[2]] = true
		case name == "Grow":
			for _, arg := range n.Args {
				v.pointless[arg] = true
			}
		case name == "OpenFile" && len(n.Args) == 3: // nothing is created with the mode 0
			if lit, ok := n.Args[2].(*ast.BasicLit); ok && lit.Value == "0" {
				v.pointless[lit] = true
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
	}
}

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
