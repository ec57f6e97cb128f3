package move

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/tree"
)

// A trial moves files of a real tree in memory, and back.
type trial struct {
	t       *testing.T
	dir     string
	random  *rand.Rand
	base    *planner
	docs    []string
	files   []string
	dirs    []string
	refused map[string]int
	options func(tree tree.Tree) audit.Options
	names   []string // of new directories
	named   []anchor // that references name
	anchors []anchor // all
	edited  *Request // what an editor knows; nil until needed

	made, refusals, references, restored, different int
}

// TestTree makes random moves and renames of headings in the tree of REFRACT_MOVE_TREE, and checks
// each of them, and the way back.
func TestTree(t *testing.T) {
	dir := os.Getenv("REFRACT_MOVE_TREE")
	if dir == "" {
		t.Skip("REFRACT_MOVE_TREE names no tree")
	}
	count := 200
	if n, err := strconv.Atoi(os.Getenv("REFRACT_MOVES")); err == nil {
		count = n
	}
	for _, kind := range []string{"moves", "headings"} {
		if only := os.Getenv("REFRACT_MOVE_KIND"); only != "" && only != kind {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			full, err := filepath.Abs(dir)
			if err != nil {
				t.Fatal(err)
			}
			x := newTrial(t, filepath.ToSlash(full), tree.Disk())
			for x.made < count && x.refusals < 20*count {
				if kind == "moves" {
					x.move()
				} else {
					x.heading()
				}
			}
			t.Logf("%d made with %d references edited, %d refused, %d restored, %d not", x.made, x.references, x.refusals, x.restored, x.different)
			for why, n := range x.refused {
				t.Logf("%5d refused: %s", n, why)
			}
		})
	}
}

func newTrial(t *testing.T, dir string, tree tree.Tree) *trial {
	t.Helper()
	seed := uint64(1)
	if n, err := strconv.Atoi(os.Getenv("REFRACT_MOVE_SEED")); err == nil {
		seed = uint64(n)
	}
	x := &trial{t: t, dir: dir, random: rand.New(rand.NewPCG(seed, 2)), refused: map[string]int{}}
	x.options = x.onDisk
	x.names = []string{"new folder", "new", "news", "ein-ordner", "x_y"}
	p, err := newPlanner(context.Background(), &Request{Options: x.options(tree)})
	if err != nil {
		t.Fatal(err)
	}
	x.base = p
	x.list(tree)
	t.Logf("%d documents, %d files that references lead to, %d findings", len(x.docs), len(x.files), len(p.before.findings))
	return x
}

// list lists what can be moved.
func (x *trial) list(tree tree.Tree) {
	p, dir := x.base, x.dir
	pages, _, err := audit.Pages(context.Background(), x.options(tree), true)
	if err != nil {
		x.t.Fatal(err)
	}
	for _, page := range pages {
		for _, a := range page.Anchors {
			x.anchors = append(x.anchors, anchor{p.absolute(page.Path), a.Line})
		}
	}
	x.docs = p.before.order
	seen := map[string]bool{}
	for _, name := range x.docs {
		if !seen[path.Dir(name)] {
			seen[path.Dir(name)] = true
			x.dirs = append(x.dirs, path.Dir(name))
		}
		for _, f := range p.before.refs[name] {
			if f.Line > 0 {
				x.named = append(x.named, anchor{f.Anchored, f.Line})
			}
			if f.Target != "" && !seen[f.Target] && below(f.Target, dir) {
				seen[f.Target] = true
				if info, err := tree.Lstat(f.Target); err == nil && info.Mode().IsRegular() {
					x.files = append(x.files, f.Target)
				}
			}
		}
	}
}

func (x *trial) onDisk(tree tree.Tree) audit.Options {
	return audit.Options{Tree: tree, Dir: x.dir, Paths: []string{x.dir}, Jobs: 1, MaxEntity: 32 << 20}
}

// An anchor is a place that a fragment may name.
type anchor struct {
	file string
	line int
}

// move moves a random file or directory, and back.
func (x *trial) move() {
	r := x.random
	var from string
	switch n := r.IntN(10); {
	case n == 0:
		from = x.dirs[r.IntN(len(x.dirs))]
	case n < 5 || len(x.docs) == 0:
		from = x.files[r.IntN(len(x.files))]
	default:
		from = x.docs[r.IntN(len(x.docs))]
	}
	name := path.Base(from)
	if r.IntN(2) == 0 {
		name = "moved" + strconv.Itoa(r.IntN(100)) + path.Ext(name)
	}
	to := path.Join(x.dirs[r.IntN(len(x.dirs))], name)
	if r.IntN(3) == 0 {
		to = path.Join(path.Dir(from), name)
	}
	if r.IntN(4) == 0 {
		to = path.Join(path.Dir(to), x.names[r.IntN(len(x.names))], name)
	}
	if _, err := x.base.under.Lstat(to); err == nil || below(to, from) || from == x.dir {
		return
	}
	x.run(&Request{Renames: []Rename{{from, to}}}, &Request{Renames: []Rename{{to, from}}})
}

// heading renames a random heading, and back.
func (x *trial) heading() {
	r := x.random
	from := x.named
	if len(from) == 0 || r.IntN(4) == 0 {
		from = x.anchors
	}
	f := from[r.IntN(len(from))]
	h, ok := x.base.before.report.HeadingAt(f.file, f.line)
	was := h.Source
	if was == "" {
		was = h.Text
	}
	if !ok || was == "" || strings.ContainsAny(was, "\n{<&") {
		x.refusals++
		x.refused["no plain heading"]++
		return
	}
	text := fmt.Sprintf("New heading %d", r.IntN(5))
	if r.IntN(3) == 0 { // one that another section has
		if other, ok := x.base.before.report.HeadingAt(f.file, from[r.IntN(len(from))].line); ok && !strings.ContainsAny(other.Text, "\n`<&*_[]") {
			text = other.Text
		}
	}
	x.run(&Request{Heading: &Heading{Path: f.file, Line: f.line, Text: text}}, &Request{Heading: &Heading{Path: f.file, Line: f.line, Text: was}})
}

// run carries out a request and the one that undoes it, and compares.
func (x *trial) run(forth, back *Request) {
	t := x.t
	p := x.after(x.base, forth)
	plan, err := p.plan()
	if err != nil {
		x.refusals++
		x.refused[err.Error()]++
		return
	}
	what := fmt.Sprint(forth.Renames)
	if forth.Heading != nil {
		what = fmt.Sprintf("%v", *forth.Heading)
	}
	if len(plan.Problems) > 0 {
		x.refusals++
		x.refused[plan.Problems[0].Why]++
		if os.Getenv("REFRACT_MOVE_VERBOSE") != "" {
			t.Logf("%s: refused: %s", what, &plan.Problems[0])
		}
		return
	}
	x.made++
	x.references += plan.References
	if plan.References > 100 {
		t.Logf("%s: %d references", what, plan.References)
	}
	x.check(p)
	x.recount(p, what)
	x.edit(forth.Renames, plan, what)
	tree := p.tree()
	q := &planner{ctx: p.ctx, request: back, under: tree, texts: map[string][]byte{}, before: p.after, cache: p.cache}
	q.findEmptied()
	back.Options = x.options(tree)
	back.Memory = []Memory{plan.Memory()}
	home, err := q.plan()
	if err != nil {
		t.Errorf("%s: back: %v", what, err)
		return
	}
	if len(home.Problems) > 0 {
		x.different++
		t.Logf("%s: back: %s", what, &home.Problems[0])
		return
	}
	final := q.tree()
	same := true
	for name := range p.texts {
		same = x.compare(final, p.origin(name), what) && same
	}
	for name := range q.texts {
		same = x.compare(final, name, what) && same
	}
	if same {
		x.restored++
	} else {
		x.different++
	}
}

// after returns a planner for another request about the same tree.
func (x *trial) after(base *planner, r *Request) *planner {
	r.Options = x.options(base.under)
	p := &planner{ctx: base.ctx, request: r, under: base.under, cache: base.cache, before: base.before, texts: map[string][]byte{}}
	p.findEmptied()
	return p
}

// edit checks that a move in an editor, which judges fewer documents, edits what plan does.
func (x *trial) edit(renames []Rename, plan *Plan, what string) {
	if len(renames) == 0 {
		return
	}
	if x.edited == nil {
		x.edited = withReport(x.t, &Request{Options: x.options(x.base.under)})
	}
	r := *x.edited
	r.Renames = renames
	r.Options.Cache = nil
	edited, err := Make(context.Background(), &r)
	if err != nil {
		x.t.Errorf("%s: in an editor: %v", what, err)
		return
	}
	if got, want := shown(edited), shown(plan); got != want {
		x.t.Errorf("%s: in an editor\n%.2000s\notherwise\n%.2000s", what, got, want)
	}
}

// recount checks that what is not checked after a move is what an audit of the whole tree counts, though documents with edits alone were
// checked again.
func (x *trial) recount(p *planner, what string) {
	x.t.Helper()
	if p.around != nil {
		return // only the documents around a heading are counted
	}
	g, err := p.audit(p.tree())
	if err != nil {
		x.t.Fatal(err)
	}
	got, want := p.after.report, g.report
	for why, n := range got.Reasons {
		if n != want.Reasons[why] {
			x.t.Errorf("%s: %d times %q, by an audit of the whole tree %d", what, n, why, want.Reasons[why])
		}
	}
	if got.Skipped != want.Skipped || len(p.after.findings) != len(g.findings) {
		x.t.Errorf("%s: %d not checked, %d findings; by an audit of the whole tree %d and %d", what, got.Skipped, len(p.after.findings), want.Skipped, len(g.findings))
	}
}

// check checks a plan without the methods that made it: each reference leads where it led, and the
// bytes outside of references and the heading are as before.
func (x *trial) check(p *planner) {
	for _, name := range p.before.order {
		olds, news := p.before.refs[name], p.after.refs[p.target(name)]
		old, _ := p.read(name)
		now, _ := p.text(p.target(name))
		if len(olds) != len(news) {
			x.t.Errorf("%s: %d references, then %d", name, len(olds), len(news))
			continue
		}
		type place struct{ from, to int }
		seen := map[place]bool{}
		var before, after []place
		for i, f := range olds {
			if f.Target != "" && (news[i].Target != p.target(f.Target) || f.Line != 0 && news[i].Line != f.Line) {
				x.t.Errorf("%s:%d: %q led to %s, line %d; now %q to %s, line %d", name, f.Pos.Line, f.Ref.Raw, f.Target, f.Line, news[i].Ref.Raw, news[i].Target, news[i].Line)
			}
			from := place{int(f.Pos.Offset), int(f.Pos.Offset) + f.Pos.Length}
			if !seen[from] && string(f.Ref.Raw) != string(news[i].Ref.Raw) {
				seen[from] = true
				before = append(before, from)
				after = append(after, place{int(news[i].Pos.Offset), int(news[i].Pos.Offset) + news[i].Pos.Length})
			}
		}
		cut := func(text []byte, places []place) (rest []byte) {
			slices.SortFunc(places, func(a, b place) int { return a.from - b.from })
			at := 0
			for _, at2 := range places {
				if at2.from < at {
					continue
				}
				rest = append(append(rest, text[at:at2.from]...), 0)
				at = at2.to
			}
			return append(rest, text[at:]...)
		}
		a, b := cut(old, before), cut(now, after)
		if h := p.request.Heading; h != nil && h.Path == name {
			a, b = withoutLine(a, h.Line), withoutLine(b, h.Line)
		}
		if !bytes.Equal(a, b) {
			x.t.Errorf("%s: other bytes have changed", name)
		}
	}
}

func withoutLine(text []byte, line int) []byte {
	lines := bytes.SplitAfter(text, []byte{'\n'})
	return bytes.Join(slices.Delete(lines, max(0, line-2), min(len(lines), line+1)), nil)
}

// compare reports whether a file has its original text again.
func (x *trial) compare(tree tree.Tree, name, what string) bool {
	f, err := tree.Open(name)
	if err != nil {
		x.t.Errorf("%s: %v", what, err)
		return false
	}
	defer f.Close()
	got, _ := io.ReadAll(f)
	want, err := x.base.read(name)
	if err != nil {
		x.t.Errorf("%s: %v", what, err)
		return false
	}
	if !bytes.Equal(got, want) {
		a, b := bytes.Split(want, []byte{'\n'}), bytes.Split(got, []byte{'\n'})
		for i := range min(len(a), len(b)) {
			if !bytes.Equal(a[i], b[i]) {
				x.t.Logf("%s: %s:%d not restored:\n%.200s\n%.200s", what, name, i+1, a[i], b[i])
				break
			}
		}
		return false
	}
	return true
}
