package doc_test

import (
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
)

// FuzzUnpack unpacks arbitrary bytes: nothing may fail, and a content that it reads must pack the
// same way again.
func FuzzUnpack(f *testing.F) {
	text := "# x\n\n[a](1.md) [b](%zz) ![c](x\\_y.png) [d][e] {#i} [^1]\n<base href=y><a id=z href='&amp;'>\n"
	a := &doc.Reader{Shared: &doc.Shared{Tree: tree.FS(fstest.MapFS{"a.md": {Data: []byte(text)}})}, Context: f.Context()}
	d := a.NewDocument("/a.md")
	d.Layout = new(doc.Layout)
	a.Read(d)
	d.Pack()
	f.Add(d.Content.Pack())
	d.IDs()
	d.Attributes()
	f.Add(d.Content.Pack())
	f.Fuzz(func(t *testing.T, s string) {
		c, ok := doc.Unpacked(s)
		if !ok {
			return
		}
		first := c.Pack()
		again, ok := doc.Unpacked(first)
		if !ok || again.Pack() != first {
			t.Errorf("%x", s)
		}
	})
}
