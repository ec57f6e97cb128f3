package audit

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/testing/scantest"
	"github.com/rogpeppe/go-internal/txtar"
)

// maxPiece is the size in bytes of the largest piece of a document.
const maxPiece = 2000

// Time is linear for documents of 1 and 4 MB that are made of pieces of real ones, in an order in which nobody wrote them: what one
// piece opens, another closes or never does. The pieces are those of the shared corpora and of the test data here. Up to
// a microsecond per byte, the pieces decide more about the time than their number does: one that is not closed may hide all
// that follows. Code that is not linear takes minutes.
func TestPieces(t *testing.T) {
	scantest.Long(t, "measures time")
	pieces := map[string][][]byte{} // by suffix
	add := func(name string, text []byte) {
		ext := path.Ext(name)
		pieces[ext] = append(pieces[ext], cut(text)...)
	}
	for _, corpus := range []string{"docs", "html"} {
		for name, text := range scantest.Files(t, corpus+".tar.xz") {
			add(name, text)
		}
	}
	must(t, filepath.WalkDir("testdata", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Ext(name) != ".txtar" {
			return err
		}
		ar, err := txtar.ParseFile(name)
		for _, f := range ar.Files {
			add(f.Name, f.Data)
		}
		return err
	}))
	for _, tt := range []struct{ ext, config string }{
		{".md", ""}, {".md", "mkdocs.yml"}, {".md", "conf.py"}, {".md", "hugo.toml"}, {".md", "docusaurus.config.js"}, {".md", ".vitepress/config.js"},
		{".mdx", "docusaurus.config.js"}, {".html", ""}, {".html", "_config.yml"}, {".rst", ""}, {".rst", "conf.py"}, {".adoc", ""}, {".org", ""},
		{".tex", ""}, {".css", ""}, {".1", ""},
	} {
		own, others := pieces[tt.ext], slices.Concat(pieces[".md"], pieces[".html"], pieces[".rst"], pieces[".adoc"])
		if len(own) == 0 {
			own = others
		}
		for seed := range uint64(scantest.Amount(1, 1)) {
			audited := func(size int) func() {
				fsys := fstest.MapFS{
					"r/.git/HEAD": text(""), "r/index" + tt.ext: text(randomText(seed, own, others, size)), "r/b.md": text("# B"), "r/img.png": text(""),
				}
				if tt.config != "" {
					fsys["r/"+tt.config] = text(map[string]string{"conf.py": "extensions = ['myst_parser']\n", "mkdocs.yml": "docs_dir: .\n"}[tt.config])
				}
				return func() {
					_, err := Run(t.Context(), Options{Tree: tree.FS(fsys), Dir: "/r"}, nil)
					must(t, err)
				}
			}
			scantest.Linear(t, fmt.Sprintf("pieces of %s, %q, seed %d", tt.ext, tt.config, seed), 4*time.Second, audited(1<<20), audited(4<<20))
		}
	}
}

// randomText returns a text of about size bytes: mostly pieces of own, some of others.
func randomText(seed uint64, own, others [][]byte, size int) string {
	r := rand.New(rand.NewPCG(seed, 2))
	var b strings.Builder
	for b.Len() < size {
		of := own
		if r.IntN(8) == 0 {
			of = others
		}
		b.Write(of[r.IntN(len(of))])
		b.WriteString([]string{"\n\n", "\n", "", " "}[r.IntN(4)])
	}
	return b.String()
}

// cut returns the paragraphs of a text, and lines of long ones.
func cut(text []byte) (pieces [][]byte) {
	if bytes.IndexByte(text[:min(len(text), 1000)], 0) >= 0 {
		return nil
	}
	for part := range bytes.SplitSeq(text, []byte("\n\n")) {
		for len(part) > maxPiece {
			pieces = append(pieces, part[:maxPiece])
			part = part[maxPiece:]
		}
		if len(part) > 0 {
			pieces = append(pieces, part)
		}
	}
	return pieces
}
