package scantest

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	// In a plain run, the texts that are compared. Nearly all changes that all of them notice, these do.
	plainDocuments = 90
	plainWords     = 4 // of 32 groups
)

// Pinned fails the test if the contents of random documents change: testdata/pinned.tsv has a digest for
// each three. They are made, for each file of testdata/pinned.txtar, of its lines and of the tokens that
// mixture returns for its name. Describe returns all contents of the document with a number.
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
			for first := 0; first < PinCount(plainDocuments, len(docs)); first += perDigest {
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

// PinCount returns how many of all texts a test of pins compares: plain, or all of them if the long tests
// run or write digests.
func PinCount(plain, all int) int {
	if os.Getenv("UPDATE") != "" {
		return all
	}
	return min(all, Amount(plain, all))
}

// PinnedWords fails the test if the contents of random documents change, which consist of the strings and
// characters that the packages of a type look for: two documents for each. dirs returns these packages, as
// Literals takes them. testdata/pinnedwords.tsv has a digest for all words of a type with an equal hash, so
// that a new one changes few of them.
func PinnedWords(t *testing.T, dirs func(name string) []string, describe func(name string, number int, doc []byte) string) {
	pools, err := txtar.ParseFile(pinnedLines)
	if err != nil {
		t.Fatal(err)
	}
	pins := ReadPins(t, "testdata/pinnedwords.tsv")
	for _, pool := range pools.Files {
		if dirs(pool.Name) == nil {
			continue
		}
		t.Run(pool.Name, func(t *testing.T) {
			lines := strings.Split(strings.TrimRight(string(pool.Data), "\n"), "\n")
			head := Grammars[pool.Name].Head
			described := make([]strings.Builder, 32)
			compared := PinCount(plainWords, len(described))
			for _, word := range Literals(t, dirs(pool.Name)...) {
				h := fnv.New64a()
				h.Write([]byte(pool.Name + word))
				sum := h.Sum64()
				group := sum >> 32 % uint64(len(described))
				if group >= uint64(compared) {
					continue
				}
				for number := range uint64(4) {
					doc := withWord(rand.New(rand.NewPCG(number, sum)), []byte(head), lines, word)
					b := &described[group]
					fmt.Fprintf(b, "== %q %d\n%s\n== contains\n%s", word, number, doc, describe(pool.Name, int(sum>>8&0xffff+number), doc))
				}
			}
			for i := range compared {
				pins.Check(t, pool.Name, described[i].String())
			}
		})
	}
	pins.Write(t)
}

// withWord returns a document of some lines, with a word at the start of one, within one, and in place of a
// word of one.
func withWord(r *rand.Rand, doc []byte, lines []string, word string) []byte {
	for i := range 3 + r.IntN(5) {
		line := lines[r.IntN(len(lines))]
		at := r.IntN(len(line) + 1)
		switch i {
		case 0:
			line = word + line
		case 1:
			line = line[:at] + word + line[at:]
		case 2:
			if words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t()[]{}<>\"'`,;:=/", c) }); len(words) > 0 {
				line = strings.Replace(line, words[r.IntN(len(words))], word, 1)
			}
		}
		doc = append(append(doc, line...), "\n\n"[:1+r.IntN(2)]...)
	}
	return doc
}

// PinnedEdges fails the test if the contents of documents of one line or two change, which begin and end
// with each byte of ASCII and with each line. It covers text at index 0, and text with nothing after it.
// testdata/pinnededges.tsv has a digest for eight bytes.
func PinnedEdges(t *testing.T, describe func(name string, number int, doc []byte) string) {
	pools, err := txtar.ParseFile(pinnedLines)
	if err != nil {
		t.Fatal(err)
	}
	Long(t, "compares documents that begin and end with each byte")
	pins := ReadPins(t, "testdata/pinnededges.tsv")
	for _, pool := range pools.Files {
		t.Run(pool.Name, func(t *testing.T) {
			lines := strings.Split(strings.TrimRight(string(pool.Data), "\n"), "\n")
			var b strings.Builder
			number := 0
			add := func(doc string) {
				fmt.Fprintf(&b, "== %d %q\n%s", number, doc, describe(pool.Name, number, []byte(doc)))
				number++
			}
			for c := range byte(0x80) {
				line, other := lines[int(c)%len(lines)], lines[(7*int(c)+3)%len(lines)]
				add(string(rune(c)) + line)
				add(line + string(rune(c)))
				add(string(rune(c)) + other + "\n" + line + string(rune(c)))
				if c%8 == 7 {
					pins.Check(t, pool.Name, b.String())
					b.Reset()
				}
			}
			for _, line := range lines {
				add(line)
			}
			pins.Check(t, pool.Name, b.String())
		})
	}
	pins.Write(t)
}

// PinnedFiles fails the test if the contents of files, or of damaged ones, change: testdata/pinnedfiles.tsv
// has a digest for each file and for each of a number of variations of it, in which a few bytes have
// others, or are missing.
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
// No digest is right or wrong. But if one differs, a change has an effect. Compare what the test prints
// with what it prints without the change, and if the effect is meant, write the digests with UPDATE=1.
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

// Keep keeps digests of names that this run has not checked, if isThere says that these are still there.
func (p *Pins) Keep(isThere func(name string) bool) {
	for name, digests := range p.want {
		if p.got[name] == nil && isThere(name) {
			p.got[name] = digests
		}
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

// Choose returns one of words, which follows from a number. Most numbers choose the same one if words are
// added or removed, which they would not if it were the place of a word.
func Choose(words []string, number uint64) (word string) {
	least := uint64(math.MaxUint64)
	for _, w := range words {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s", number, w)
		if sum := h.Sum64() * 0x9e3779b97f4a7c15; sum <= least {
			least, word = sum, w
		}
	}
	return word
}

// Literals returns the strings and characters that some packages have, without those of their tests. A
// package is named by its directory, and a part of one by a pattern of files.
func Literals(t *testing.T, packages ...string) (words []string) {
	t.Helper()
	var names []string
	for _, pattern := range packages {
		if !strings.HasSuffix(pattern, ".go") {
			pattern = filepath.Join(pattern, "*.go")
		}
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		names = append(names, found...)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.BasicLit:
				word, err := strconv.Unquote(n.Value)
				if err == nil && n.Kind != token.INT && word != "" && len(word) < 40 {
					words = append(words, word)
				}
			}
			return true
		})
	}
	slices.Sort(words)
	return slices.Compact(words)
}
