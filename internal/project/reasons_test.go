package project

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.org/refract/internal/reason"
)

// A statedReason is a call of reason.New.
type statedReason struct{ name, text, where string }

// statedReasons returns the reasons that the module states, and all other string literals outside of tests.
func statedReasons(t *testing.T) (reasons []statedReason, literals map[string]string) {
	t.Helper()
	literals = map[string]string{}
	root := filepath.Join("..", "..")
	files := token.NewFileSet()
	visit := func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name()[0] == '.' && name != root):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			return err
		}
		stated := map[ast.Node]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && isReasonNew(call) {
				r := statedReason{where: files.Position(call.Pos()).String()}
				r.name, r.text = literal(call.Args[1]), literal(call.Args[2])
				stated[call.Args[1]], stated[call.Args[2]] = true, true
				reasons = append(reasons, r)
			}
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && !stated[l] {
				literals[literal(l)] = files.Position(l.Pos()).String()
			}
			return true
		})
		return nil
	}
	if err := filepath.WalkDir(root, visit); err != nil {
		t.Fatal(err)
	}
	return reasons, literals
}

// isReasonNew reports whether call is one of reason.New with literals.
func isReasonNew(call *ast.CallExpr) bool {
	if len(call.Args) != 3 || literal(call.Args[1]) == "" {
		return false
	}
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		return ok && x.Name == "reason" && f.Sel.Name == "New"
	case *ast.Ident:
		return f.Name == "New" && strings.Count(literal(call.Args[1]), " ") == 0 && literal(call.Args[2]) != ""
	}
	return false
}

// TestReasons checks that each reason has a name and a text of its own, and that no code holds the text of one, which
// it could compare.
func TestReasons(t *testing.T) {
	reasons, literals := statedReasons(t)
	const fewest = 200
	if len(reasons) < fewest {
		t.Errorf("%d reasons found", len(reasons))
	}
	names, texts := map[string]string{}, map[string]string{}
	for _, r := range reasons {
		if before := names[r.name]; before != "" {
			t.Errorf("%s and %s: the same name %q", before, r.where, r.name)
		}
		if before := texts[r.text]; before != "" {
			t.Errorf("%s and %s: the same text %q", before, r.where, r.text)
		}
		names[r.name], texts[r.text] = r.where, r.where
		if where := literals[r.text]; where != "" && strings.Contains(r.text, " ") {
			t.Errorf("%s: the text of reason %q as a literal", where, r.name)
		}
	}
}

// option matches an option of the command with its value.
var option = regexp.MustCompile(`--[a-z]+ [A-Z=]+`)

// TestReasonsPage checks docs/reference/reasons.md. UPDATE=1 writes it.
func TestReasonsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Reasons\n\nWhy a reference is not checked, or would not be reported if it were broken. `refract audit` counts these reasons, with the\n" +
		"most frequent detail of each; `-v` shows the detail for each reference, and `--self-test` counts all details. JSON, SARIF and\n" +
		"the library have the name. `--built DIR` is the output of a build.\n\n| name | the reference is | what helps |\n|---|---|---|\n")
	for _, c := range reason.Causes() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c, c.Phrase(), option.ReplaceAllString(strings.ReplaceAll(c.Remedy(false), ", the output of a build, decides", ""), "`$0`"))
	}
	page := filepath.Join("..", "..", "docs", "reference", "reasons.md")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Errorf("%s is out of date: run this test with UPDATE=1", page)
	}
}
