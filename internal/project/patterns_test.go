package project

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every pattern that is compiled at its first use is valid, and none is compiled at start.
func TestPatterns(t *testing.T) {
	out, err := exec.Command("git", "-C", "../..", "ls-files", "-co", "--exclude-standard", "*.go").Output()
	if err != nil {
		t.Skip("git ls-files: ", err)
	}
	patterns := 0
	for name := range strings.Lines(string(out)) {
		name = filepath.Join("../..", strings.TrimSpace(name))
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			ast.Inspect(group, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				switch calledName(call) {
				case "regexp.MustCompile":
					t.Errorf("%s: compiled at start", files.Position(call.Pos()))
				case "lazy.New":
					patterns++
					text := literal(call.Args[0])
					if text == "" {
						t.Errorf("%s: not a constant", files.Position(call.Pos()))
					}
					if _, err := regexp.Compile(text); err != nil {
						t.Errorf("%s: %v", files.Position(call.Pos()), err)
					}
				}
				return true
			})
		}
	}
	if patterns < 50 {
		t.Errorf("%d patterns found", patterns)
	}
}

// calledName returns the function that a call names as package.Name.
func calledName(call *ast.CallExpr) string {
	if fun, ok := call.Fun.(*ast.SelectorExpr); ok {
		if pkg, ok := fun.X.(*ast.Ident); ok {
			return pkg.Name + "." + fun.Sel.Name
		}
	}
	return ""
}

// literal returns the value of string literals joined by +.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if v := constant.MakeFromLiteral(e.Value, e.Kind, 0); v.Kind() == constant.String {
			return constant.StringVal(v)
		}
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	}
	return ""
}
