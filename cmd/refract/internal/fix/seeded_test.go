package fix

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/testing/scantest"
)

// A seed is a link of a real tree that is broken in a way.
type seed struct {
	file   string
	start  int
	was    string
	broken string
}

var (
	page     = regexp.MustCompile(`^((?:[-.\w]+/)*)([-\w]*[a-z][-\w]*)\.md$`)
	fragment = regexp.MustCompile(`^#([a-z]+-[-a-z]*[a-z])$`)
	letters  = regexp.MustCompile(`[^a-z0-9]+`)
)

// ways are how links are broken: the first four with certainty as to what was meant, the
// others without.
var ways = []struct {
	name string
	of   func(t *seedTree, file, ref string) string // "" is not possible
}{
	{"case", func(t *seedTree, _, ref string) string {
		if m := t.page(ref); m != nil {
			return m[1] + strings.ToUpper(m[2]) + ".md"
		}
		return ""
	}},
	{"moved", func(t *seedTree, _, ref string) string {
		if m := t.page(ref); m != nil {
			return m[1] + "before/" + m[2] + ".md"
		}
		return ""
	}},
	{"extension", func(t *seedTree, _, ref string) string {
		if m := t.page(ref); m != nil {
			return m[1] + m[2] + ".markdown"
		}
		return ""
	}},
	{"heading", func(t *seedTree, file, ref string) string {
		if m := fragment.FindStringSubmatch(ref); m != nil && t.headings(file, m[1]) == 1 {
			return strings.Replace(ref, "-", "_", 1)
		}
		return ""
	}},
	{"misspelled", func(t *seedTree, file, ref string) string { // a letter is missing
		if m := fragment.FindStringSubmatch(ref); m != nil {
			return "#" + m[1][1:]
		}
		return ""
	}},
	{"renamed", func(t *seedTree, _, ref string) string {
		if m := t.page(ref); m != nil {
			return m[1] + m[2] + "2.md"
		}
		return ""
	}},
	{"made", func(t *seedTree, _, ref string) string { // what the page is published as
		if m := t.page(ref); m != nil {
			return m[1] + m[2] + ".html"
		}
		return ""
	}},
}

const certainWays = 4

type seedTree struct {
	files map[string][]byte
	names map[string]int // how many files are called so
}

// page takes the path of a page apart that is the only one of its name.
func (t *seedTree) page(ref string) []string {
	if m := page.FindStringSubmatch(ref); m != nil && t.names[m[2]+".md"] == 1 {
		return m
	}
	return nil
}

// headings returns how many headings of a file have the letters of an id.
func (t *seedTree) headings(file, id string) (n int) {
	bare := func(s string) string { return letters.ReplaceAllString(strings.ToLower(s), "") }
	for line := range strings.Lines(string(t.files[file])) {
		if strings.HasPrefix(line, "#") && bare(line) == bare(id) {
			n++
		}
	}
	return n
}

// Two trees are broken in forty places with certainty and in others without. What is
// certain is mended to the byte, nothing else is touched, and nothing is left to mend.
func TestSeeded(t *testing.T) {
	docs := seedTree{map[string][]byte{}, map[string]int{}}
	for name, text := range scantest.Files(t, "docs.tar.xz") {
		if strings.HasPrefix(name, "docs/rfcs/") || strings.HasPrefix(name, "docs/electron/") {
			docs.files[name] = text
			docs.names[path.Base(name)]++
		}
	}
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, ".git/HEAD", "")
	unpack := func(files map[string][]byte) {
		for name, text := range files {
			write(t, name, string(text))
		}
	}
	unpack(docs.files)
	// What is wrong there as it is, is mended first.
	mend := func() (fixed []*audit.Finding) {
		for _, f := range files(t, audit.Options{Jobs: 2}, ".") {
			must(t, f.Err)
			if len(f.Skipped) > 0 {
				t.Errorf("%s: %+v", f.Path, f.Skipped)
			}
			must(t, f.Write())
			fixed = append(fixed, f.Fixed...)
		}
		return fixed
	}
	for _, f := range mend() {
		text, err := os.ReadFile(f.Path)
		must(t, err)
		docs.files[filepath.ToSlash(f.File)] = text
	}

	seeds := docs.seeds(t)
	want := map[string][]byte{} // with what is not certain
	broken := map[string][]byte{}
	perFile := map[string][]seed{}
	count := map[string]int{}
	for way, some := range seeds {
		for _, s := range some {
			perFile[s.file] = append(perFile[s.file], s)
			count[ways[way].name]++
		}
	}
	certain := 0
	for file, some := range perFile {
		text := docs.files[file]
		slices.SortFunc(some, func(x, y seed) int { return y.start - x.start }) // the last first
		want[file], broken[file] = bytes.Clone(text), bytes.Clone(text)
		for _, s := range some {
			replace := func(text []byte) []byte {
				return slices.Concat(text[:s.start], []byte(s.broken), text[s.start+len(s.was):])
			}
			broken[file] = replace(broken[file])
			if slices.Contains(slices.Concat(seeds[:certainWays]...), s) {
				certain++
			} else {
				want[file] = replace(want[file])
			}
		}
	}
	t.Log(count, "in", len(perFile), "files")
	if certain < 40 || count["case"] < 10 || count["moved"] < 10 || count["extension"] < 10 || count["heading"] < 10 {
		t.Errorf("only %d seeds", certain)
	}
	unpack(broken)
	fixed := mend()
	if len(fixed) != certain {
		t.Errorf("%d fixed of %d", len(fixed), certain)
	}
	for name, text := range docs.files {
		if w, seeded := want[name]; seeded {
			text = w
		}
		got, err := os.ReadFile(name)
		must(t, err)
		if !bytes.Equal(got, text) {
			t.Errorf("%s differs:\n%s", name, (&File{Path: name, Old: text, New: got}).AppendDiff(nil, false))
		}
	}
	if again := mend(); len(again) > 0 {
		t.Errorf("a second run mends %d more", len(again))
	}
}

// seeds chooses links that live, far apart, and breaks them: of each way as many.
func (t *seedTree) seeds(tb testing.TB) (seeds [][]seed) {
	dead := map[string]bool{}
	_, err := audit.Run(tb.Context(), audit.Options{Paths: []string{"."}}, func(f *audit.Finding) {
		dead[fmt.Sprint(f.File, f.Pos.Offset)] = true
	})
	must(tb, err)
	var all []seed
	for file, text := range t.files {
		if !strings.HasSuffix(file, ".md") {
			continue
		}
		for _, r := range references(file, text) {
			if (r.How == scan.Inline || r.How == scan.Reference) && string(r.Raw) == string(r.Ref) && !dead[fmt.Sprint(file, r.Pos.Offset)] {
				all = append(all, seed{file, int(r.Pos.Offset), string(r.Raw), ""})
			}
		}
	}
	slices.SortFunc(all, func(x, y seed) int {
		return cmpSeed(x, y)
	})
	taken := map[seed]bool{}
	seeds = make([][]seed, len(ways))
	for i, w := range ways {
		most := 11
		if i >= certainWays {
			most = 5
		}
		for _, s := range all {
			if len(seeds[i]) == most || taken[s] {
				continue
			}
			made := s
			if made.broken = w.of(t, s.file, s.was); made.broken != "" {
				taken[s] = true
				seeds[i] = append(seeds[i], made)
			}
		}
	}
	return seeds
}

// cmpSeed puts seeds into an order that has nothing to do with that of the tree.
func cmpSeed(x, y seed) int {
	key := func(s seed) string { return fmt.Sprintf("%07d%s", s.start*7919%1000003, s.file) }
	return strings.Compare(key(x), key(y))
}
