package fix

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"path"
	"slices"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
)

// DropHarmful audits the tree of o again, with the edits of files in memory, and drops edits that
// cause a finding that is not in before, the findings of the first audit. If a document with edits
// gets a new finding, it drops all edits of that document. If this does not help, or if another
// document gets one, it drops all edits. It ignores findings that o excludes. Without edits, it
// does not audit.
func DropHarmful(ctx context.Context, o *audit.Options, before iter.Seq[*audit.Finding], files []*File) error {
	if !slices.ContainsFunc(files, func(f *File) bool { return f.New != nil }) {
		return nil
	}
	a := again{ctx: ctx, options: *o, files: files, seed: maphash.MakeSeed()}
	a.options.Progress, a.options.Graph, a.options.Before, a.options.Keep = nil, false, nil, nil // these find the same
	if a.options.Tree == nil {
		a.options.Tree = tree.Disk()
	}
	a.dir = o.Dir
	if _, isDisk := a.options.Tree.(input.Disk); isDisk {
		a.dir = input.Join(input.WorkingDir(), cmp.Or(o.Dir, "."))
	}
	// Standard input cannot be read again, and has no edits.
	a.options.Paths = slices.DeleteFunc(slices.Clone(o.Paths), func(name string) bool { return name == "-" })
	for f := range before {
		a.before = append(a.before, a.key(f))
	}
	slices.Sort(a.before)
	for round := 0; ; round++ {
		added, err := a.added()
		if err != nil || len(added) == 0 {
			return err
		}
		dropped := false
		for _, f := range files {
			i := slices.IndexFunc(added, func(found *audit.Finding) bool { return a.isIn(found, f) })
			if f.New != nil && i >= 0 && round < maxRounds {
				f.drop(added[i])
				dropped = true
			}
		}
		if !dropped {
			a.dropAll(added[0])
			return nil
		}
	}
}

// maxRounds limits in how many rounds DropHarmful drops the edits of some documents: each takes an audit.
const maxRounds = 2

// again compares audits with edits to the first audit.
type again struct {
	ctx     context.Context
	options audit.Options
	dir     string // absolute; names are relative to it
	files   []*File
	seed    maphash.Seed
	before  []uint64 // keys of the findings of the first audit, sorted
	named   string   // the last name of which a.absolute returned path
	path    string
}

// A findingKey holds the properties of a finding that an edit elsewhere does not change: edits keep
// the lines of a document, but not the columns.
type findingKey struct {
	path    string
	line    int
	rule    rule.Rule
	message string
	written string
}

// key returns the hash of the findingKey of f. In a large tree, the keys themselves would take as much memory as the
// audit, and a map of hashes six times that of a list.
func (a *again) key(f *audit.Finding) uint64 {
	if a.named != f.Path || a.path == "" {
		a.named, a.path = f.Path, a.absolute(f.Path)
	}
	return maphash.Comparable(a.seed, findingKey{a.path, f.Pos.Line, f.Rule, f.Message, f.Written()})
}

func (a *again) absolute(name string) string {
	if name == "-" {
		return name
	}
	return path.Clean(input.Join(a.dir, name))
}

// added returns the findings that only occur with the edits. Without edits there are none.
func (a *again) added() (added []*audit.Finding, err error) {
	tree, hasEdits := tree.NewOverlay(a.options.Tree), false
	for _, f := range a.files {
		if f.New == nil {
			continue
		}
		hasEdits = true
		tree.Write(a.absolute(f.Path), f.New)
		for _, finding := range f.Fixed { // symbolic links may point to the document under several names
			tree.Write(a.absolute(finding.Path), f.New)
		}
	}
	if !hasEdits {
		return nil, nil
	}
	o := a.options
	o.Tree, o.Dir = tree, cmp.Or(o.Dir, a.dir)
	taken := make([]int32, len(a.before)) // by the first index of a key in a.before: how often it has occurred
	_, err = audit.Run(a.ctx, o, func(f *audit.Finding) {
		if !a.take(taken, a.key(f)) {
			added = append(added, f)
		}
	})
	return added, err
}

// take counts an occurrence of the finding with a key in taken. It returns false if the first audit had no more.
func (a *again) take(taken []int32, key uint64) bool {
	first, _ := slices.BinarySearch(a.before, key)
	next := first
	if first < len(taken) {
		next += int(taken[first])
	}
	if next >= len(a.before) || a.before[next] != key {
		return false
	}
	taken[first]++
	return true
}

// isIn reports whether a finding is in f.
func (a *again) isIn(found *audit.Finding, f *File) bool {
	at := a.absolute(found.Path)
	return at == a.absolute(f.Path) || slices.ContainsFunc(f.Fixed, func(fixed *audit.Finding) bool {
		return a.absolute(fixed.Path) == at
	})
}

func (a *again) dropAll(why *audit.Finding) {
	for _, f := range a.files {
		f.drop(why)
	}
}

// drop discards the edits of f, because they cause the finding why.
func (f *File) drop(why *audit.Finding) {
	for _, finding := range f.Fixed {
		f.skip(finding, fmt.Sprintf("the edits would cause another finding: %s:%d: %s [%s]", why.File, why.Pos.Line, why.Message, why.Rule))
	}
	f.New, f.Fixed, f.edits = nil, nil, nil
}
