package audit

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"unsafe"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/testing/scantest"
)

// manyPages returns a tree of n documents in directories of 100, each with ten headings and links to pages, headings
// and pictures, some of them broken.
func manyPages(n int) fstest.MapFS {
	tree := fstest.MapFS{}
	for i := range n {
		var b strings.Builder
		for j := range 10 {
			fmt.Fprintf(&b, "## The heading with number %d of the page %d\n\nText with [a link](page%d.md#the-heading-with-number-%d-of-the-page-%[3]d), "+
				"[another](../dir%d/page%d.md), [one](#the-heading-with-number-%d-of-the-page-%d) and ![a picture](images/p%d.png).\n\n",
				j, i, (i+j)%100, j, i/100, j, j, i, j)
		}
		b.WriteString("[broken](no.md) [too](#no-such-heading)\n")
		tree[fmt.Sprintf("dir%d/page%d.md", i/100, i%100)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	return tree
}

// heap returns the bytes in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// What is kept of a document until all have been read is bounded. Garbage and what is kept for the tree come to it: such an audit
// of 100,000 documents takes 1.2 GB.
func TestMemory(t *testing.T) {
	scantest.Long(t, "reads thousands of documents")
	const n = 5_000
	_, err := Run(t.Context(), Options{Tree: tree.FS(manyPages(10)), Jobs: 1}, func(*Finding) {})
	must(t, err) // and tables and expressions are loaded, which are no part of a document
	tree := tree.FS(manyPages(n))
	before, most := heap(), int64(0)
	// With more jobs, documents are checked ahead, which takes some megabytes, however many documents there are.
	report, err := Run(t.Context(), Options{Tree: tree, Jobs: 1}, func(*Finding) {
		if most == 0 { // all documents have been read, and all but one are still to be checked
			most = heap() - before
		}
	})
	must(t, err)
	perDocument := most / n
	t.Logf("%d bytes for each document of %d references", perDocument, report.References/n)
	if limit := int64(5400); perDocument > limit { // 2,800 are its packed references, 1,248 the document, 800 its ids
		t.Errorf("%d bytes are kept of each document, limit %d", perDocument, limit)
	}
}

// What references point to is kept for few of them, and without the other references of the document.
func TestKeptTargets(t *testing.T) {
	a, err := newAuditor(t.Context(), Options{Tree: tree.FS(fstest.MapFS{})}, nil)
	must(t, err)
	packed := strings.Repeat("x", 100)
	for i := range 2*maxTargets + 1 {
		a.keepTarget(lead.Origin{Dir: fmt.Sprint(i), Ref: packed[10:20]}, "/a")
	}
	if n := len(a.targets); n > maxTargets {
		t.Errorf("%d targets", n)
	}
	for o := range a.targets {
		if unsafe.StringData(o.Ref) == unsafe.StringData(packed[10:]) {
			t.Fatal("a target holds packed references")
		}
	}
}

// The findings and the report do not depend on the number of jobs, nor on how many documents there are from which
// less is kept.
func TestJobs(t *testing.T) {
	trees := map[string]tree.Tree{"few": tree.FS(manyPages(120))}
	if scantest.IsLong() {
		trees["many"] = tree.FS(manyPages(manyDocuments + 100))
	}
	for name, tree := range trees {
		run := func(o Options) string {
			var b strings.Builder
			o.Tree = tree
			r, err := Run(t.Context(), o, func(f *Finding) { fmt.Fprintf(&b, "%v %d %q\n", f, f.Pos.Offset, f.Cause) })
			must(t, err)
			fmt.Fprintln(&b, r.Documents, r.References, r.Skipped, r.Reasons, r.Names)
			return b.String()
		}
		want := run(Options{Jobs: 1})
		if run(Options{Jobs: 4}) != want {
			t.Errorf("%s documents: -j 4 differs", name)
		}
		if run(Options{Jobs: 2, Cache: new(doc.Cache)}) != want { // all ids are kept then
			t.Errorf("%s documents: with a cache", name)
		}
	}
}
