package project

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"iter"
	"os/exec"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

// Every pattern that is compiled at its first use is valid, and none is compiled at start. None has the form ^a|^b: Go's
// regexp does not treat that as anchored, so that a match that fails at the beginning searches the rest of the text. In a
// loop over a document, the time is quadratic. ^(?:a|b) is anchored.
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
		for text, at := range compiled(file) {
			if isHalfAnchored(text) {
				t.Errorf("%s: only branches begin with ^: write ^(?:a|b), or two expressions", files.Position(at))
			}
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

// compiled yields the constant patterns that a file compiles, anywhere, with their places.
func compiled(file *ast.File) iter.Seq2[string, token.Pos] {
	return func(yield func(string, token.Pos) bool) {
		isDone := false
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || isDone || len(call.Args) == 0 {
				return !isDone
			}
			switch calledName(call) {
			case "lazy.New", "regexp.Compile", "regexp.MustCompile", "regexp.CompilePOSIX", "regexp.MustCompilePOSIX":
				isDone = !yield(literal(call.Args[0]), call.Pos())
			}
			return !isDone
		})
	}
}

// isHalfAnchored reports whether a branch of a pattern begins with ^ or \A, but the compiled program is not anchored.
func isHalfAnchored(pattern string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false
	}
	program, err := syntax.Compile(re.Simplify())
	return err == nil && program.StartCond()&syntax.EmptyBeginText == 0 && hasAnchoredBranch(re)
}

// hasAnchoredBranch reports whether re is an alternation of which a branch begins with ^ or \A and consumes text.
func hasAnchoredBranch(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpCapture:
		return hasAnchoredBranch(re.Sub[0])
	case syntax.OpConcat:
		return re.Sub[0].Op == syntax.OpBeginText
	case syntax.OpAlternate:
		for _, branch := range re.Sub {
			if hasAnchoredBranch(branch) {
				return true
			}
		}
	}
	return false
}

func TestHalfAnchored(t *testing.T) {
	for pattern, want := range map[string]bool{
		`^a|^b`: true, `^a|b`: true, `a|^b`: true, `\Aa|\Ab`: true, `(^a|^b)`: true, `(?:^a|^b)`: true, `(?:(^a)|(^b))`: true, "^a*x|^b|^c": true, `a|(?:b|^c)`: true,
		`^(?:a|b)`: false, `^a`: false, `a|b`: false, `^`: false, `(?m)^a|^b`: false, `(?:^|\s)a`: false, `^(?:^a|^b)`: false, `a^b|c`: false, `^[ab]`: false, `(`: false, ``: false,
	} {
		if got := isHalfAnchored(pattern); got != want {
			t.Errorf("%s: %v", pattern, got)
		}
	}
}
