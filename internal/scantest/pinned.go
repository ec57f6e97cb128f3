package scantest

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A Mixture is what Pinned makes documents of.
type Mixture struct {
	Grammar Grammar // its head and tokens
	Count   int     // of documents; 0 means 720
	Pieces  int     // a document has at most so many lines or tokens, and no line ends between them; 0 means 12 with line ends
}

const (
	pinnedLines   = "testdata/pinned.txtar"
	pinnedDigests = "testdata/pinned.tsv"
	perDigest     = 3 // documents
)

// Pinned fails the test if random documents no longer contain what they contained: testdata/pinned.tsv has a digest for
// each three. They are made, for each file of testdata/pinned.txtar, of its lines and of the tokens that mixture returns for
// its name. Describe returns all that the document with a number contains.
//
// No digest is right or wrong. But if one differs, a change has an effect: compare what the test prints with what it prints
// without the change, and if the effect is meant, write the digests with UPDATE=1.
func Pinned(t *testing.T, mixture func(name string) Mixture, describe func(name string, number int, doc []byte) string) {
	pools, err := txtar.ParseFile(pinnedLines)
	if err != nil {
		t.Fatal(err)
	}
	isUpdate := os.Getenv("UPDATE") != ""
	text, err := os.ReadFile(pinnedDigests)
	if err != nil && !isUpdate {
		t.Fatal(err)
	}
	want, got := map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		want[fields[0]] = fields[1:]
	}
	for _, pool := range pools.Files {
		t.Run(pool.Name, func(t *testing.T) {
			docs := mixture(pool.Name).documents(pool.Name, strings.Split(strings.TrimRight(string(pool.Data), "\n"), "\n"))
			got[pool.Name] = pinned(t, docs, want[pool.Name], func(i int, doc []byte) string { return describe(pool.Name, i, doc) })
		})
	}
	if !isUpdate {
		return
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(got)) {
		fmt.Fprintf(&b, "%s\t%s\n", name, strings.Join(got[name], " "))
	}
	if err := os.WriteFile(pinnedDigests, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// pinned returns the digests of documents, and reports the first that differs.
func pinned(t *testing.T, docs [][]byte, want []string, describe func(number int, doc []byte) string) (got []string) {
	differ := 0
	for first := 0; first < len(docs); first += perDigest {
		var all strings.Builder
		for i := first; i < min(first+perDigest, len(docs)); i++ {
			fmt.Fprintf(&all, "== document %d\n%s\n== contains\n%s", i, docs[i], describe(i, docs[i]))
		}
		digest := fmt.Sprintf("%x", sha256.Sum256([]byte(all.String())))[:7]
		n := len(got)
		got = append(got, digest)
		if os.Getenv("UPDATE") != "" || n < len(want) && want[n] == digest {
			continue
		}
		if differ++; differ == 1 {
			t.Errorf("one of three documents differs:\n%s", all.String())
		}
	}
	if differ > 1 {
		t.Errorf("%d of %d digests differ", differ, len(got))
	}
	return got
}

// documents returns documents, the same ones for each name.
func (m Mixture) documents(name string, lines []string) (docs [][]byte) {
	h := fnv.New64()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(36, h.Sum64()))
	tokens := m.Grammar.tokens()
	if len(tokens) == 0 {
		tokens = []string{""}
	}
	for range cmp.Or(m.Count, 720) {
		doc := []byte(m.Grammar.Head)
		for range 1 + r.IntN(cmp.Or(m.Pieces, 12)) {
			line, token := lines[r.IntN(len(lines))], tokens[r.IntN(len(tokens))]
			at := r.IntN(len(line) + 1)
			switch r.IntN(8) {
			case 0: // tokens alone
				for range 1 + r.IntN(8) {
					doc = append(doc, tokens[r.IntN(len(tokens))]...)
				}
			case 1: // a token within a line
				doc = append(append(append(doc, line[:at]...), token...), line[at:]...)
			case 2: // a line without its end
				doc = append(doc, line[:at]...)
			default:
				doc = append(doc, line...)
			}
			if m.Pieces > 0 {
				continue
			}
			doc = append(doc, [...]string{"", "\n", "\n", "\n", "\n\n", "\n\n"}[r.IntN(6)]...)
		}
		docs = append(docs, doc)
	}
	return docs
}
