package audittest

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/testing/scantest"
)

// A Tree is a tree of files with the settings of its audit, as for Run.
type Tree struct {
	Name     string
	Settings string
	Files    []txtar.File
}

// ReadTrees returns the trees of a directory that need no disk, without what is wanted.
func ReadTrees(t *testing.T, dir string) (all []Tree) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no trees in %s: %v", dir, err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !onDisk.Match(a.Comment) {
			files, settings, _ := split(a)
			all = append(all, Tree{strings.TrimSuffix(filepath.Base(name), ".txtar"), settings, files})
		}
	}
	return all
}

// pinnedVariations is how many variations of each tree Pinned audits, besides the tree itself.
const pinnedVariations = 15

// moreVariations is how many it audits with smaller changes, and with words that the audit looks for.
const moreVariations = 6

// Pinned fails the test if the results of an audit of one of the trees, or of a variation of it, change:
// the file digests has a digest for each. A variation lacks lines or files, or has lines, words or names of
// others; the same ones in each run. The words of the program are those of the packages in some
// directories.
func Pinned(t *testing.T, trees []Tree, digests string, program ...string) {
	pins := scantest.ReadPins(t, digests)
	literals := scantest.Literals(t, program...)
	for _, tree := range trees {
		t.Run(tree.Name, func(t *testing.T) {
			v := scantest.NewVariation(tree.Name, tree.Files, literals)
			for n := range scantest.PinCount(4, 1+pinnedVariations+moreVariations) {
				varied, i := tree, n/2
				switch {
				case n >= 2*moreVariations:
					i = n - moreVariations
					varied = tree.vary(i)
				case n%2 == 0:
					varied = tree.vary(i)
				default:
					varied.Files = v.Files(i)
				}
				pins.Check(t, tree.Name, varied.describe(t, i))
			}
		})
	}
	pins.Write(t)
}

// vary returns variation n of a tree, which is the tree itself if n is 0.
func (tree Tree) vary(n int) Tree {
	if n == 0 || len(tree.Files) == 0 {
		return tree
	}
	h := fnv.New64()
	h.Write([]byte(tree.Name))
	r := rand.New(rand.NewPCG(uint64(n), h.Sum64()))
	files := slices.Clone(tree.Files)
	for range 1 + n/2 {
		files = changed(r, files)
	}
	tree.Files = files
	return tree
}

// changed returns files with one change.
func changed(r *rand.Rand, files []txtar.File) []txtar.File {
	i := r.IntN(len(files))
	if isDocument(files[i].Name) { // most of a tree; what configures the site tells more
		i = r.IntN(len(files))
	}
	f, other := &files[i], files[r.IntN(len(files))]
	lines, others := slices.Collect(bytes.Lines(f.Data)), slices.Collect(bytes.Lines(other.Data))
	what := r.IntN(8)
	switch {
	case what == 0 && len(files) > 1:
		return slices.Delete(files, i, i+1)
	case what == 1:
		f.Name = path.Join(path.Dir(other.Name), path.Base(f.Name))
	case what == 2 && len(others) > 0:
		at := r.IntN(len(lines) + 1)
		lines = slices.Insert(lines, at, others[r.IntN(len(others))])
		f.Data = bytes.Join(lines, nil)
	case what < 5 && len(lines) > 0:
		at := r.IntN(len(lines))
		f.Data = bytes.Join(slices.Delete(lines, at, at+1), nil)
	case len(lines) > 0: // a word for another
		words := bytes.FieldsFunc(f.Data, isBetween)
		choice := append(bytes.FieldsFunc(other.Data, isBetween), []byte("true"), []byte("false"), []byte("/"), []byte(other.Name))
		if len(words) > 0 {
			f.Data = bytes.ReplaceAll(f.Data, words[r.IntN(len(words))], choice[r.IntN(len(choice))])
		}
	}
	return files
}

// isBetween reports whether a character is between words.
func isBetween(c rune) bool { return strings.ContainsRune(" \t\r\n()[]{}<>\"'`,;:=", c) }

func isDocument(name string) bool {
	return slices.Contains([]string{".md", ".mdx", ".rst", ".adoc", ".html"}, path.Ext(name))
}

// describe returns all that an audit of a tree says. More of its options are set in every second variation,
// and the number of jobs, which must make no difference, is another in each.
func (tree Tree) describe(t *testing.T, n int) string {
	t.Helper()
	var b, followed strings.Builder
	for _, f := range tree.Files {
		fmt.Fprintf(&b, "-- %s --\n%s", f.Name, f.Data)
	}
	o := options(t, tree.Settings, tree.Files, func(string, int, int, string, ...any) {})
	o.Graph, o.Jobs = true, 1+n%3
	if n%2 == 1 {
		o.Orphans, o.Tests, o.Schemes = true, true, true
	}
	o.Unchecked = func(u *audit.Unchecked) {
		fmt.Fprintf(&b, "not checked %s %v %s %s %v %s\n", u.File, u.Pos, u.Why.Name(), u.Why, u.Facts, reference(u.Ref))
	}
	o.Followed = func(f *audit.Followed) {
		fmt.Fprintf(&followed, "follows %s %v %s %q %d %q %q %q %q %v %v\n", f.Path, f.Pos, reference(f.Ref), f.Target, f.Line, f.Anchored, f.Label, f.Place, f.Uses, f.IsMisspelled, f.IsNavigation)
	}
	report, err := audit.Run(t.Context(), o, func(f *audit.Finding) {
		fmt.Fprintf(&b, "finds %s %s %v %s %q %q %v %q %q %q %s\n", f.File, f.Path, f.Pos, f.Rule, f.Message, f.Suggestion, f.Certain, f.Target, f.Cause, f.Facts, reference(f.Ref))
	})
	if err != nil { // the root of the site is gone
		return b.String() + err.Error()
	}
	b.WriteString(followed.String())
	for _, f := range report.Errors {
		fmt.Fprintf(&b, "error %s %v\n", f.File, f.Err)
	}
	for _, r := range slices.SortedFunc(maps.Keys(report.Reasons), func(x, y reason.Reason) int { return strings.Compare(x.String(), y.String()) }) {
		fmt.Fprintf(&b, "%d times %s: %s\n", report.Reasons[r], r.Name(), r)
	}
	fmt.Fprintf(&b, "%v %v %v %v %v\n", report.Notes, report.Names, report.Learnt, report.Links, report.Unread)
	var coverage []string // without what probes say, which Probes tests
	for _, c := range report.Coverage {
		coverage = append(coverage, fmt.Sprint("{", c.Dir, " ", c.Checked, " ", c.Skipped, "}"))
	}
	fmt.Fprintln(&b, report.Findings, report.NoteFindings, report.Ignored, report.Known, report.Gone, report.Documents, report.References,
		report.Skipped, report.SkippedNames, report.SkippedRevisions, report.Checked, coverage)
	if report.Build != nil {
		fmt.Fprintf(&b, "%d %d %d %d %d %v\n", report.Build.Pages, report.Build.Documents, report.Build.Sourceless, report.Build.Decided, report.Build.Dead, report.Build.Differences)
	}
	return b.String()
}

func reference(r *extract.Reference) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%v %v %s %q %q %q %q %v", r.Kind, r.How, r.In, r.Raw, r.Ref, r.URL, r.Fragment, r.Labels.Names())
}
