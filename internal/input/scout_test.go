package input

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// A listedTree counts how often each directory is listed. Those with "bad" in their names cannot be read to the end.
type listedTree struct {
	Tree
	mu    sync.Mutex
	lists map[string]int
}

func (t *listedTree) ReadDir(name string) ([]fs.DirEntry, error) {
	t.mu.Lock()
	t.lists[name]++
	t.mu.Unlock()
	list, err := t.Tree.ReadDir(name)
	if strings.Contains(name, "bad") {
		return list[:len(list)/2], errors.New("damaged")
	}
	return list, err
}

// With scouts, a walk yields the same, and lists the same directories once each, also if it ends early.
func TestScouts(t *testing.T) {
	const seed = 1
	random := rand.New(rand.NewPCG(seed, seed))
	words := []string{"a", "b", ".git", ".c", "cur", "new", "tmp", ".Sent", "bad", "1", ",2", "x.md", ".gitignore", ".ignore", "link", "long"}
	for n := range 60 {
		fsys := fstest.MapFS{"z/last.md": {}}
		for range 40 {
			var parts []string
			for range 1 + random.IntN(5) {
				parts = append(parts, words[random.IntN(len(words))])
			}
			name := strings.Join(parts, "/")
			file := &fstest.MapFile{Data: []byte([]string{"b\n", "*.md\n!a/x.md\n", ".c/\n!.Sent\n"}[random.IntN(3)])}
			if parts[len(parts)-1] == "link" {
				file = &fstest.MapFile{Data: []byte("a"), Mode: fs.ModeSymlink}
			}
			fsys[name] = file
		}
		options := Options{NoIgnore: random.IntN(3) == 0, Hidden: random.IntN(3) == 0, Visible: []string{".c"}, From: "/"}
		if random.IntN(2) == 0 {
			options.Globs = []string{"*.md", "!b/"}
		}
		if random.IntN(2) == 0 {
			options.Tracked = func(path string, isDir bool) bool { return len(path)%2 == 0 }
		}
		walk := func(jobs, limit int) (got []string, lists map[string]int) {
			o, tree := options, &listedTree{Tree: Rooted{FS: fsys}, lists: map[string]int{}}
			o.Jobs, o.Tree = jobs, tree
			o.LeftOut = func(name string) { got = append(got, "left out "+name) }
			o.Link = func(name, path string) { got = append(got, "link "+name+" "+path) }
			if o.Globs != nil {
				o.GlobUse = new(GlobUse)
			}
			for f, err := range o.Files([]string{".", "a"}) {
				got = append(got, fmt.Sprintf("%+v %v", f, err))
				if len(got) == limit {
					break
				}
			}
			return append(got, fmt.Sprint(o.GlobUse.Unmatched())), tree.lists
		}
		want, lists := walk(0, -1)
		for _, jobs := range []int{1, 2, 7} {
			got, listed := walk(jobs, -1)
			if !slices.Equal(got, want) || !maps.Equal(listed, lists) {
				t.Fatalf("tree %d, %d jobs:\n%q\n%v\nwant\n%q\n%v", n, jobs, got, listed, want, lists)
			}
			if got, _ := walk(jobs, 3); !slices.Equal(got[:3], want[:3]) {
				t.Errorf("tree %d, %d jobs: %q first, want %q", n, jobs, got[:3], want[:3])
			}
		}
	}
}

// Scouts are at most 1,024 directories and one for each of them ahead of the walk.
func TestScoutsWait(t *testing.T) {
	const dirs, jobs = 3000, 4
	fsys := fstest.MapFS{"a.md": {}}
	for i := range dirs {
		fsys[fmt.Sprintf("b%04d/a.md", i)] = &fstest.MapFile{}
	}
	tree := &listedTree{Tree: Rooted{FS: fsys}, lists: map[string]int{}}
	walked := 0
	for range (&Options{Tree: tree, From: "/", NoIgnore: true, Jobs: jobs}).Files([]string{"."}) {
		tree.mu.Lock()
		if ahead := len(tree.lists) - walked; ahead > maxSeen+jobs+2 {
			t.Fatalf("%d directories are listed when the walk is at the file %d", len(tree.lists), walked)
		}
		tree.mu.Unlock()
		walked++
	}
	if walked != dirs+1 || len(tree.lists) != dirs+1 {
		t.Errorf("%d files and %d directories", walked, len(tree.lists))
	}
}
