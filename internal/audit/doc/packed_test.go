package doc

import (
	"fmt"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/tree"
)

// Packed references and anchors are what they were, and damaged ones are harmless.
func TestPacked(t *testing.T) {
	fsys := fstest.MapFS{"docs/a.md": {Data: []byte("# A *b* ![c](d)\n\n[1](../x/y.md#z) [2](%zz) [3](b.md) [4](#a-b) [5](https://example.org/) <a name=q href='&amp;'>\n\n[6]: /r\n")},
		"docs/b.html": {Data: []byte("<base href=../c/><iframe srcdoc='<a href=b.md><a href=../d>'></iframe><a href='e'><h1 id=f>g</h1>")}}
	a := &Reader{Shared: &Shared{Tree: tree.FS(fsys)}, Context: t.Context()}
	for name := range fsys {
		d := a.NewDocument("/" + name)
		d.Layout = new(Layout)
		a.Read(d)
		refs, anchors := fmt.Sprintf("%+v", shownRefs(d.Refs)), fmt.Sprintf("%+v", shownAnchors(d.Anchors))
		d.Pack()
		if got := fmt.Sprintf("%+v", shownRefs(d.UnpackedRefs(nil))); got != refs {
			t.Errorf("%s:\n%s\nwant\n%s", d.Path, got, refs)
		}
		if got := fmt.Sprintf("%+v", shownAnchors(d.AnchorList())); got != anchors {
			t.Errorf("%s:\n%s\nwant\n%s", d.Path, got, anchors)
		}
		for i := range d.Packed.Refs {
			unpackReferences(nil, d.Packed.Refs[:i], d.Packed.RefCount, "file:///a")
			unpackReferences(nil, d.Packed.Refs[i:], 1000, "")
		}
		for i := range d.Packed.Anchors {
			unpackAnchors(d.Packed.Anchors[:i])
			unpackAnchors(d.Packed.Anchors[i:])
		}
	}
}

func shownRefs(refs []Reference) (all []string) {
	for _, ref := range refs {
		b, e := *ref.Base, ref.Entity.Path()
		if ref.Err != nil {
			ref.Err = fmt.Errorf("%s", ref.Err)
		}
		ref.Base, ref.Entity = nil, nil
		all = append(all, fmt.Sprintf("%+v %+v %q", ref, b, e))
	}
	return all
}

func shownAnchors(anchors []Anchor) (all []string) {
	for _, k := range anchors {
		h := k.Heading
		k.Heading = nil
		all = append(all, fmt.Sprintf("%+v %+v", k, h))
	}
	return all
}
