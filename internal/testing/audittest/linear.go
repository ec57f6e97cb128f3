package audittest

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/testing/scantest"
)

// A repetition says how copies of a text differ.
type repetition struct {
	name string
	word *lazy.Regexp // the number of the copy is added to its first group; nil if copies are the same
}

// Each tree is audited with other fragments in each copy. It is then audited again, with other names of
// files, with other words that may be labels or headings, or with copies that are the same. One of these
// three for each tree keeps the test short.
var (
	fragments   = repetition{"fragments", lazy.New(`#([\w-]+)(?:[)\s"'>\]<]|$)`)}
	repetitions = []repetition{
		{"the same", nil},
		{"names", lazy.New(`([\w-]+)\.(?:md|mdx|html|rst|adoc|png)\b`)},
		{"words", lazy.New("(?:[\\[`<(!*]|^#+ )([A-Za-z][\\w-]+)")},
	}
)

// Linear fails the test if an audit of one of the trees takes much more than four times as long for
// documents that consist of four times as many copies of their texts: 4n instead of n.
func Linear(t *testing.T, trees []Tree, n int) {
	for i, tree := range trees {
		for _, r := range []repetition{fragments, repetitions[i%len(repetitions)]} {
			name := tree.Name + ", " + r.name
			size := 0
			run := func(n int) func() {
				files := make([]txtar.File, len(tree.Files))
				for i, f := range tree.Files {
					files[i] = f
					if isDocument(f.Name) {
						files[i].Data = copies(f.Data, r.word, n)
					}
					size += len(files[i].Data)
				}
				o := options(t, tree.Settings, files, func(string, int, int, string, ...any) {})
				o.Jobs, o.Probes = 1, audit.SomeProbes
				return func() {
					if _, err := audit.Run(context.Background(), o, func(*audit.Finding) {}); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			}
			short := run(n)
			size = 0
			long := run(4 * n)
			scantest.Linear(t, name, 150*time.Millisecond+time.Duration(size)*200*time.Nanosecond, short, long)
		}
	}
}

// copies returns a document that has its text n times, its front matter once. What word matches differs
// from copy to copy.
func copies(text []byte, word *lazy.Regexp, n int) []byte {
	var all bytes.Buffer
	if bytes.HasPrefix(text, []byte("---\n")) {
		if end := bytes.Index(text[4:], []byte("\n---\n")); end >= 0 {
			all.Write(text[:4+end+5])
			text = text[4+end+5:]
		}
	}
	var places [][]int
	if word != nil {
		places = word.FindAllSubmatchIndex(text, -1)
	}
	for i := range n {
		at := 0
		for _, m := range places {
			all.Write(text[at:m[3]])
			fmt.Fprint(&all, i)
			at = m[3]
		}
		all.Write(text[at:])
		all.WriteByte('\n')
	}
	return all.Bytes()
}
