package scantest

import (
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"github.com/rogpeppe/go-internal/txtar"
)

// Golden compares the Items of documents with those in file, a txtar archive: a document, and after it, with the name
// of the document and ".items", a line for each Item. With UPDATE=1 it writes these lines; review the difference.
//
// It also scans each document again, and stops after each Item, and every beginning of the document, as a file that is
// cut off. These must be in order, and must not crash.
func Golden(t *testing.T, file string, scan func(src []byte) iter.Seq[*scan.Item]) {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const suffix = ".items"
	var out []txtar.File
	for i, f := range a.Files {
		if strings.HasSuffix(f.Name, suffix) {
			continue
		}
		got := lines(t, f.Data, scan)
		out = append(out, f, txtar.File{Name: f.Name + suffix, Data: []byte(got)})
		want := ""
		if i+1 < len(a.Files) && a.Files[i+1].Name == f.Name+suffix {
			want = string(a.Files[i+1].Data)
		}
		if got != want && os.Getenv("UPDATE") == "" {
			t.Errorf("%s: %s: got\n%swant\n%s", file, f.Name, got, want)
		}
		for n := range len(f.Data) {
			for range InOrder(t, n, scan(slices.Clone(f.Data[:n]))) {
			}
		}
		for stop := range strings.Count(got, "\n") {
			for range scan(f.Data) {
				if stop--; stop < 0 {
					break
				}
			}
		}
	}
	if os.Getenv("UPDATE") == "" {
		return
	}
	a.Files = out
	if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
		t.Fatal(err)
	}
}

func lines(t *testing.T, src []byte, scan func(src []byte) iter.Seq[*scan.Item]) string {
	t.Helper()
	var b strings.Builder
	for it := range InOrder(t, len(src), scan(src)) {
		b.WriteString(Line(it))
		b.WriteByte('\n')
	}
	return b.String()
}

// ops are the names of the operations, in order.
var ops = [...]string{"ref", "base", "end", "part", "enter", "leave", "body", "anchor", "note", "mention", "open", "close"}

// Line describes an Item on a line: what it is, where and how it is written, its value, its range (offset and length in
// bytes), and what else it has.
func Line(it *scan.Item) string {
	var b strings.Builder
	b.WriteString(ops[it.Op])
	if it.Op == scan.Ref {
		fmt.Fprintf(&b, " %s %s", it.Kind, it.How)
	}
	if it.In != "" {
		fmt.Fprintf(&b, " %s", it.In)
	}
	fmt.Fprintf(&b, " %q %d+%d", it.Value, it.Span.Start, it.Span.End-it.Span.Start)
	for _, f := range []struct{ name, value string }{
		{"labels", strings.Join(it.Labels.Names(), ",")}, {"space", it.Space}, {"meant", it.Meant}, {"type", it.Type},
		{"name", it.Name}, {"text", it.Text}, {"fragment", it.Extra().Fragment},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, " %s=%q", f.name, f.value)
		}
	}
	if it.Loose {
		b.WriteString(" loose")
	}
	if it.IgnoresBase {
		b.WriteString(" own")
	}
	if it.Extra().Parts != nil {
		fmt.Fprintf(&b, " parts=%v", it.Extra().Parts)
	}
	return b.String()
}
