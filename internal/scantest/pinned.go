package scantest

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
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
func Pinned(t *testing.T, mixture func(name string) Mixture, describe func(name string, number int, doc []byte) string) {
	PinnedOf(t, pinnedLines, mixture, describe)
}

// PinnedOf is Pinned with the lines of another file.
func PinnedOf(t *testing.T, lines string, mixture func(name string) Mixture, describe func(name string, number int, doc []byte) string) {
	pools, err := txtar.ParseFile(lines)
	if err != nil {
		t.Fatal(err)
	}
	pins := ReadPins(t, pinnedDigests)
	for _, pool := range pools.Files {
		t.Run(pool.Name, func(t *testing.T) {
			docs := mixture(pool.Name).documents(pool.Name, strings.Split(strings.TrimRight(string(pool.Data), "\n"), "\n"))
			for first := 0; first < len(docs); first += perDigest {
				var all strings.Builder
				for i := first; i < min(first+perDigest, len(docs)); i++ {
					fmt.Fprintf(&all, "== document %d\n%s\n== contains\n%s", i, docs[i], describe(pool.Name, i, docs[i]))
				}
				pins.Check(t, pool.Name, all.String())
			}
		})
	}
	pins.Write(t)
}

// PinnedFiles fails the test if files, or damaged ones, no longer contain what they contained: testdata/pinnedfiles.tsv has
// a digest for each file and for each of a number of variations of it, in which a few bytes have others, or are missing.
func PinnedFiles(t *testing.T, names []string, variations int, describe func(name string, doc []byte) string) {
	pins := ReadPins(t, "testdata/pinnedfiles.tsv")
	for _, name := range names {
		name = filepath.ToSlash(name)
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for n := range 1 + variations {
				doc := damaged(text, n)
				pins.Check(t, name, fmt.Sprintf("== variation %d\n%q\n== contains\n%s", n, doc, describe(name, doc)))
			}
		})
	}
	pins.Write(t)
}

// damaged returns variation n of a text, which is the text itself if n is 0.
func damaged(text []byte, n int) []byte {
	if n == 0 {
		return text
	}
	r := rand.New(rand.NewPCG(36, uint64(n)))
	text = slices.Clone(text)
	for range 1 + n%4 {
		if len(text) == 0 {
			break
		}
		at := r.IntN(len(text))
		switch r.IntN(8) {
		case 0:
			text = slices.Delete(text, at, min(len(text), at+1+r.IntN(4)))
		case 1:
			from := r.IntN(len(text))
			text = slices.Insert(text, at, slices.Clone(text[from:min(len(text), from+1+r.IntN(40))])...)
		case 2:
			text[at] = text[r.IntN(len(text))]
		case 3:
			text[at]++
		default:
			text[at] = []byte("\x00\x01\x02\x04\x10\x7f\xff\n\r 09<>\"=:;/#")[r.IntN(20)]
		}
	}
	return text
}

// Pins are digests of texts, by names: those that a file has, and those of this run.
//
// No digest is right or wrong. But if one differs, a change has an effect: compare what the test prints with what it prints
// without the change, and if the effect is meant, write the digests with UPDATE=1.
type Pins struct {
	file      string
	isUpdate  bool
	want, got map[string][]string
	differ    map[string]int
}

// ReadPins reads the digests of a file.
func ReadPins(t *testing.T, file string) *Pins {
	p := &Pins{file, os.Getenv("UPDATE") != "", map[string][]string{}, map[string][]string{}, map[string]int{}}
	text, err := os.ReadFile(file)
	if err != nil && !p.isUpdate {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		p.want[fields[0]] = fields[1:]
	}
	return p
}

// Check fails the test if the next text of a name is not what it was. It prints the first one that differs.
func (p *Pins) Check(t *testing.T, name, text string) {
	t.Helper()
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:7]
	n := len(p.got[name])
	p.got[name] = append(p.got[name], digest)
	if p.isUpdate || n < len(p.want[name]) && p.want[name][n] == digest {
		return
	}
	if p.differ[name]++; p.differ[name] == 1 {
		t.Errorf("text %d is not what it was:\n%s", n, text)
	}
}

// Write writes the digests with UPDATE=1.
func (p *Pins) Write(t *testing.T) {
	if !p.isUpdate {
		return
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.got)) {
		fmt.Fprintf(&b, "%s\t%s\n", name, strings.Join(p.got[name], " "))
	}
	if err := os.WriteFile(p.file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
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
