package audit_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"example.org/refract/audit"
)

// Audit a directory. For a directory on the disk, omit Tree.
func ExampleRun() {
	tree := fstest.MapFS{
		"site/docs/guide.md":   {Data: []byte("# Set up\n\nSee [the API](api.md#errors), [a picture](logo.png).\n")},
		"site/docs/api.md":     {Data: []byte("# API\n\n## Error codes\n\n[Back](guide.md#set-up)\n")},
		"site/images/logo.png": {},
	}
	report, err := audit.Run(context.Background(), audit.Options{Tree: audit.FS(tree), Dir: "/site"}, func(f *audit.Finding) {
		fmt.Println(f)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Documents, "documents,", report.References, "references,", report.Findings, "findings")
	// Output:
	// docs/guide.md:3:15: "docs/api.md" has no id "errors" [missing-fragment]
	// docs/guide.md:3:43: no such file: "docs/logo.png"; did you mean "../images/logo.png"? [missing-file]
	// 2 documents, 3 references, 2 findings
}

// Audit a buffer that an editor has not saved yet, and a file that is about to be moved.
func ExampleOverlay() {
	disk := audit.FS(fstest.MapFS{ // audit.Disk() for that of the operating system
		"docs/a.md":     {Data: []byte("[b](b.md)")},
		"docs/b.md":     {Data: []byte("# B\n\n[a](a.md)\n")},
		"docs/old/c.md": {Data: []byte("[a](../a.md)")},
	})
	tree := audit.NewOverlay(disk)
	tree.Write("/docs/b.md", []byte("# B\n\n[a](a.md#introduction)\n"))
	if err := tree.Rename("/docs/old/c.md", "/docs/c.md"); err != nil {
		fmt.Println(err)
	}
	audit.Run(context.Background(), audit.Options{Tree: tree, Dir: "/docs"}, func(f *audit.Finding) {
		fmt.Println(f)
	})
	// Output:
	// b.md:3:5: "a.md" has no id "introduction" [missing-fragment]
	// c.md:1:5: points outside the audited directory; did you mean "a.md"? [outside]
}

// Judge absolute URLs of the site, and "/x", and report only some rules.
func ExampleOptions() {
	o := audit.Options{
		Tree: audit.FS(fstest.MapFS{
			"docs/index.md": {Data: []byte("[x](https://example.org/docs/none.md) [y](/img/none.png) [z]()\n")},
		}),
		Paths:   []string{"docs"},
		Sites:   []audit.Site{{URL: "https://example.org/docs/", Dir: "docs"}},
		Root:    "docs",
		Without: []audit.Rule{audit.EmptyLink},
	}
	audit.Run(context.Background(), o, func(f *audit.Finding) {
		fmt.Printf("%s: %s points to %s\n", f.Rule, f.Written(), f.Target)
	})
	// Output:
	// missing-file: https://example.org/docs/none.md points to docs/none.md
	// missing-file: /img/none.png points to docs/img/none.png
}

// Report only findings that are new since the last audit.
func ExampleBaseline() {
	o := audit.Options{Tree: audit.FS(fstest.MapFS{"a.md": {Data: []byte("[x](x.md)\n")}})}
	known := new(audit.Baseline)
	audit.Run(context.Background(), o, func(f *audit.Finding) { known.Add(f.Path, f) })

	o.Tree = audit.FS(fstest.MapFS{"a.md": {Data: []byte("[x](x.md)\n[y](y.md)\n")}})
	o.Baseline = known
	report, _ := audit.Run(context.Background(), o, func(f *audit.Finding) { fmt.Println(f) })
	fmt.Println(report.Known, "known")
	// Output:
	// a.md:2:5: no such file: "y.md" [missing-file]
	// 1 known
}
