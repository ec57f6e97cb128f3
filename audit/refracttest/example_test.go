package refracttest_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"example.org/refract/audit/refracttest"
)

// In a test, t is the *testing.T, and the file system is os.DirFS("../docs"), or what the program embeds.
func ExampleAudit() {
	t := printer{}
	site := fstest.MapFS{
		"index.md":   {Data: []byte("# Home\n\n[Install](install.md#linux), [use](usage.md)\n")},
		"install.md": {Data: []byte("# Install\n\n## On Linux\n")},
		"use.md":     {Data: []byte("# Use\n")},
	}
	refracttest.Audit(t, site)
	// Output:
	// index.md:3:11: "install.md" has no id "linux" [missing-fragment]
	// index.md:3:36: no such file: "usage.md" [missing-file]
}

// A printer prints errors.
type printer struct{}

func (printer) Helper()                           {}
func (printer) Context() context.Context          { return context.Background() }
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (printer) Logf(string, ...any)               {}
