package spell

import (
	"fmt"
	"math/rand"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
)

// Names that a typing error may have made are among those with similar letters, whatever the names are.
func TestSimilar(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	newName := func() string {
		b := []rune{}
		for range 3 + random.Intn(4) {
			b = append(b, []rune("abcé1-")[random.Intn(6)])
		}
		return string(b) + []string{".md", ".mdx", ""}[random.Intn(3)]
	}
	files := fstest.MapFS{}
	for range 2000 {
		files["d/"+newName()] = &fstest.MapFile{}
	}
	l := tree.NewListings(tree.FS(files)).List("/d")
	found := 0
	for range 2000 {
		name := newName()
		ext := path.Ext(name)
		written := []rune(strings.TrimSuffix(name, ext))
		similar := l.Similar(name)
		for other := range l.Names {
			isError := path.Ext(other) == ext && doc.IsTypingError(written, []rune(strings.TrimSuffix(other, ext)))
			if isError && !slices.Contains(similar, other) {
				t.Errorf("%q: %q is not similar: %q", name, other, similar)
			}
			if isError {
				found++
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d typing errors", found)
	}
}

// A reference to a file that is missing is compared with a few names of a large directory, not with all.
func TestSimilarWork(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 20_000 {
		files[fmt.Sprintf("d/page%d.md", i)] = &fstest.MapFile{}
	}
	l := tree.NewListings(tree.FS(files)).List("/d")
	for _, name := range []string{"gone17.md", "pagee.md", "page.md", "pgae.md", "other.md"} {
		if n := len(l.Similar(name)); n > 20 {
			t.Errorf("%s is compared with %d names", name, n)
		}
	}
	if got := l.Similar("paeg17.md"); !slices.Contains(got, "page17.md") || len(got) > 20 {
		t.Errorf("%d names are similar", len(got))
	}
}
