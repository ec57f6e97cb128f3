package move

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"example.org/refract/internal/order"
)

// A planner finds the changes for a request.
type planner struct {
	ctx     context.Context
	request *Request
	under   tree.Tree // unchanged
	cache   *doc.Cache

	around        []string               // documents that a new heading may matter for; nil if all have to be audited
	among         func(path string) bool // documents that a move may matter for; nil if all have to be checked
	live          *audit.Report          // of the unchanged tree
	before, after *graph
	examined      map[string][]byte // the texts at the audit that found after
	texts         map[string][]byte // of the documents that change, by their new paths
	headingWas    string            // the text of the heading that is renamed
	ids           map[string]string // ids of idsOf that are renamed with a label
	idsOf         string            // a document
	isRecalled    bool              // texts are those from before an earlier move
	earlier       []earlierURL      // redirects that have to be changed
	emptied       []string          // directories that have no entries once the files are moved
	linked        tree.Links        // symbolic links to directories in which something moves
}

func newPlanner(ctx context.Context, r *Request) (*planner, error) {
	p := &planner{ctx: ctx, request: r, under: r.Options.Tree, cache: cmp.Or(r.Cache, new(doc.Cache)), texts: map[string][]byte{}}
	if p.under == nil {
		p.under = tree.Disk()
	}
	if r.Report == nil {
		p.under = tree.Hold(p.under)
	}
	p.findEmptied()
	return p, p.examine()
}

// target returns the path of a file after the move.
func (p *planner) target(file string) string { return p.through(p.request.Renames, file) }

// through returns the path that a path has after renames, even if it goes through a symbolic link to a
// directory in which something moves: by the link if that still points there.
func (p *planner) through(renames []Rename, file string) string {
	if to := target(renames, file); to != file {
		return to
	}
	link, dir, rest, ok := p.linked.Behind(file)
	if !ok {
		return file
	}
	to := p.through(renames, dir+rest)
	if to == dir+rest {
		return file
	}
	if rest, ok := strings.CutPrefix(to, dir+"/"); ok {
		return link + "/" + rest
	}
	return to
}

// start finds out what does not depend on references: the text of a heading or label.
func (p *planner) start() error {
	if h := p.request.Heading; h != nil {
		text, err := p.read(h.Path)
		if err != nil {
			return err
		}
		p.texts[h.Path], p.headingWas, err = renamed(p.before.report, h, text)
		if err != nil {
			return err
		}
	}
	if l := p.request.Label; l != nil {
		if err := p.relabel(l); err != nil {
			return err
		}
	}
	return nil
}

// findEmptied finds the directories that the move leaves empty.
func (p *planner) findEmptied() {
	gone := map[string]bool{}
	for _, r := range p.request.Renames {
		gone[r.From] = true
	}
	for _, r := range p.request.Renames {
		for dir := path.Dir(r.From); path.Dir(dir) != dir; dir = path.Dir(dir) {
			list, err := p.under.ReadDir(dir)
			isLeft := err != nil || slices.ContainsFunc(p.request.Renames, func(r Rename) bool { return below(r.To, dir) })
			for _, e := range list {
				isLeft = isLeft || !gone[path.Join(dir, e.Name())]
			}
			if isLeft || slices.ContainsFunc(p.request.Renames, func(r Rename) bool { return below(dir, r.From) }) {
				break
			}
			gone[dir] = true
			p.emptied = append(p.emptied, dir)
		}
	}
}

// movedFiles returns the files that move.
func (p *planner) movedFiles() (names []string) {
	var visit func(name string)
	visit = func(name string) {
		info, err := p.under.Lstat(name)
		switch {
		case err != nil:
		case info.Mode().IsRegular():
			names = append(names, name)
		case info.IsDir():
			list, _ := p.under.ReadDir(name)
			for _, e := range list {
				visit(path.Join(name, e.Name()))
			}
		}
	}
	for _, r := range p.request.Renames {
		visit(r.From)
	}
	return names
}

// fixed returns the files that have to stay where they are.
func (p *planner) fixed() (problems []Problem) {
	for _, name := range p.movedFiles() {
		if why, dir := p.before.report.Fixed(name); why != "" && p.target(dir) == dir {
			problems = append(problems, Problem{Path: name, Pos: extract.Position{Line: 1}, Why: "cannot be moved: " + why})
		}
	}
	return problems
}

// below reports whether a path is a directory or in it.
func below(p, dir string) bool {
	rest, ok := strings.CutPrefix(p, dir)
	return ok && (rest == "" || rest[0] == '/')
}

// tree returns the tree with all changes so far.
func (p *planner) tree() tree.Tree {
	tree := tree.NewOverlay(p.under)
	tree.Follow(p.linked)
	p.rename(tree)
	for _, dir := range p.emptied {
		tree.Remove(dir)
	}
	for name, text := range p.texts {
		tree.Write(name, text)
	}
	return tree
}

// rename moves the files of a tree in memory. Names may be exchanged: each file moves by a name of
// its own.
func (p *planner) rename(tree *tree.Overlay) {
	const by = ".refract-moves"
	for i, r := range p.request.Renames {
		tree.Rename(r.From, fmt.Sprintf("%s%s%d", path.Dir(r.From)+"/", by, i))
	}
	for i, r := range p.request.Renames {
		tree.Rename(fmt.Sprintf("%s%s%d", path.Dir(r.From)+"/", by, i), r.To)
	}
}

// read returns the text of a file in the unchanged tree.
func (p *planner) read(name string) ([]byte, error) {
	f, err := p.under.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// text returns the text of a document with all changes so far, by its new path.
func (p *planner) text(name string) ([]byte, error) {
	if text, ok := p.texts[name]; ok {
		return text, nil
	}
	return p.read(p.origin(name))
}

// An edit is a reference to write in place of another.
type edit struct {
	was, is *audit.Followed
	ref     string
}

// compare returns the edits that restore the former target of each reference, and the references for which
// there are none.
func (p *planner) compare(before, after *graph) (edits []edit, problems []Problem) {
	edits, problems, waits := p.compareShown(before, after, true)
	if waits && len(edits) == 0 && len(problems) == 0 {
		edits, problems, _ = p.compareShown(before, after, false)
	}
	return edits, problems
}

// compareShown compares as compare does. With mayWait, it leaves references in documents that a page no
// longer includes to the next round. The reference of the page to the document may be edited in this one.
// waits says that there are some.
func (p *planner) compareShown(before, after *graph, mayWait bool) (edits []edit, problems []Problem, waits bool) {
	for _, name := range before.order {
		now := p.target(name)
		olds, news := before.refs[name], after.refs[now]
		if len(olds) != len(news) {
			why := fmt.Sprintf("the document has %d references, and %d at its new place, or with its new heading or label", len(olds), len(news))
			if len(news) == 0 {
				why = p.unreadWhy(olds)
			}
			problems = append(problems, Problem{Path: name, Pos: olds[0].Pos, Why: why})
			continue
		}
		for i, was := range olds {
			is := news[i]
			g := p.goal(was, now)
			isRight := is.Reaches(g) && (was.IsMisspelled || !is.IsMisspelled)
			if mayWait && !is.IsShownIn(g.Uses) {
				waits = true
				continue
			}
			if was.IsFixed() || isRight && (p.isRecalled || !is.IsLonger(was)) {
				continue
			}
			if p.isRecalled && is.Target == "" && now != name && string(is.Ref.Raw) == string(was.Ref.Raw) {
				continue // where it was before, it was not followed either
			}
			ref, ok := is.Rewrite(was, g)
			switch {
			case ok:
				edits = append(edits, edit{was, is, ref})
			case was.Target != "" && !isRight:
				problems = append(problems, p.problem(was, "no spelling of it was found that points to "+p.shown(g.Target)))
			}
		}
	}
	return edits, problems, waits
}

// unreadWhy returns why a document, which has references, would not be read after the move.
func (p *planner) unreadWhy(olds []*audit.Followed) string {
	for _, f := range olds {
		for _, page := range slices.Sorted(maps.Keys(f.Uses)) {
			if _, isPage := f.Uses[f.Path]; !isPage {
				return fmt.Sprintf("the file is only read as a part of %s, which would not include it: edit it by hand", p.shown(page))
			}
		}
	}
	return "the document would not be read at its new place"
}

// goal returns where a reference has to lead after the move, given the new path of its document.
func (p *planner) goal(was *audit.Followed, now string) audit.Goal {
	g := audit.Goal{Target: p.target(was.Target), Line: was.Line, Anchored: p.target(was.Anchored), Place: was.Place}
	if g.Anchored == p.idsOf {
		g.IDs = p.ids
	}
	for page, target := range was.Uses {
		if g.Uses == nil {
			g.Uses = map[string]string{}
		}
		g.Uses[p.target(page)] = p.target(target)
	}
	if was.Path == now && was.Target == "" {
		g.Place = "" // nothing has moved but what it does not point to
	}
	return g
}

func (p *planner) problem(f *audit.Followed, why string) Problem {
	return Problem{Path: f.Path, Pos: f.Pos, Written: string(f.Ref.Raw), Why: why}
}

// newFindings returns the findings after the move that were not there before.
func (p *planner) newFindings(before, after *graph) (problems []Problem) {
	type key struct {
		path string
		line int
		rule rule.Rule
	}
	keyOf := func(f *audit.Finding, line int) key { return key{p.absolute(f.Path), line, f.Rule} }
	known := map[key]int{}
	for _, f := range before.findings {
		k := keyOf(f, f.Pos.Line)
		k.path = p.target(k.path)
		known[k]++
	}
	for _, f := range after.findings {
		k := keyOf(f, f.Pos.Line)
		if known[k]--; known[k] < 0 {
			problems = append(problems, Problem{
				Path: p.origin(k.path), Pos: f.Pos, Written: f.Written(), Why: fmt.Sprintf("would have a new finding: %s [%s]", f.Message, f.Rule),
			})
		}
	}
	if n := after.report.Skipped - before.report.Skipped; n > 0 && len(problems) == 0 && !p.isRecalled {
		for _, why := range order.Sorted(maps.Keys(after.report.Reasons), audit.Reason.Compare) {
			if more := after.report.Reasons[why] - before.report.Reasons[why]; more > 0 {
				problems = append(problems, Problem{Why: fmt.Sprintf("%d more references or labels could not be checked: %s", more, why)})
			}
		}
	}
	return problems
}

// absolute returns the absolute path of a name in a finding.
func (p *planner) absolute(name string) string {
	return path.Clean(input.Join(cmp.Or(p.request.Options.Dir, "/"), name))
}

// shown returns a path as messages show it: relative to the directory of the audit if it is below.
func (p *planner) shown(file string) string {
	return strings.TrimPrefix(file, strings.TrimSuffix(p.request.Options.Dir, "/")+"/")
}

// files returns the documents that change.
func (p *planner) files() (files []File, err error) {
	for _, to := range slices.Sorted(maps.Keys(p.texts)) {
		from := p.origin(to)
		old, err := p.read(from)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err != nil || !bytes.Equal(old, p.texts[to]) {
			files = append(files, File{Path: from, To: to, Old: old, New: p.texts[to]})
		}
	}
	return files, nil
}

// origin returns the path that a file has before the move.
func (p *planner) origin(file string) string {
	var back []Rename
	for _, r := range p.request.Renames {
		back = append(back, Rename{r.To, r.From})
	}
	return p.through(back, file)
}
