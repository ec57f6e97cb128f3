package audit_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/tree"
)

// Complete a reference while it is typed.
func ExampleReport_View() {
	o := audit.Options{Tree: tree.FS(fstest.MapFS{
		"a.md": {Data: []byte("saved\n")},
		"b.md": {Data: []byte("# One\n\n# Two\n")},
	})}
	report, err := audit.Run(context.Background(), o, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	view := report.View("/a.md", []byte("See [b](b.md#two)\n"))
	for _, name := range view.Anchors("b.md", 8) {
		fmt.Println("#" + name.Ref)
	}
	fmt.Println(view.Target(9))
	// Output:
	// #one
	// #two
	// /b.md 3 true
}
