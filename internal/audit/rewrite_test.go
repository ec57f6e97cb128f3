package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/tree"
)

// followed returns what the references of each document point to, in their order.
func followed(t *testing.T, files tree.Tree) (refs map[string][]*Followed, order []string, report *Report) {
	t.Helper()
	refs = map[string][]*Followed{}
	report, err := Run(t.Context(), Options{Tree: files, Dir: "/t", Paths: []string{"."}, Tests: true, Followed: func(f *Followed) {
		if f.IsLabel() {
			return // its meaning does not depend on paths
		}
		if refs[f.Path] == nil {
			order = append(order, f.Path)
		}
		refs[f.Path] = append(refs[f.Path], f)
	}}, nil)
	must(t, err)
	return refs, order, report
}

// TestRewrite moves files of small trees. Each case of an archive begins with a file "move", with lines "FROM -> TO". A file
// "now/NAME" is the text of a file afterwards, by its new name. "want" lists the references to write in place of others, and
// those for which there is none. What is written leads where the reference led before, which is tried.
func TestRewrite(t *testing.T) {
	archives, err := filepath.Glob("testdata/rewrites/*.txtar")
	must(t, err)
	for _, archive := range archives {
		a, err := txtar.ParseFile(archive)
		must(t, err)
		var files, now []txtar.File
		var moves [][2]string
		isChanged, n := false, 0
		for i, f := range a.Files {
			name, isNow := strings.CutPrefix(f.Name, "now/")
			switch {
			case f.Name == "move":
				files, now, moves = nil, nil, nil
				for line := range strings.Lines(string(f.Data)) {
					from, to, ok := strings.Cut(strings.TrimSpace(line), " -> ")
					if ok {
						moves = append(moves, [2]string{"/t/" + from, "/t/" + to})
					}
				}
			case f.Name == "want":
				n++
				t.Run(fmt.Sprintf("%s/%d", strings.TrimSuffix(filepath.Base(archive), ".txtar"), n), func(t *testing.T) {
					got := rewritten(t, files, now, moves)
					if got == string(f.Data) {
						return
					}
					if os.Getenv("UPDATE") == "" {
						t.Errorf("%v: got\n%swant\n%s", moves, got, f.Data)
					}
					a.Files[i].Data, isChanged = []byte(got), true
				})
			case isNow:
				now = append(now, txtar.File{Name: name, Data: f.Data})
			default:
				files = append(files, f)
			}
		}
		if isChanged && os.Getenv("UPDATE") != "" {
			must(t, os.WriteFile(archive, txtar.Format(a), 0o666))
		}
	}
}

func rewritten(t *testing.T, files, now []txtar.File, moves [][2]string) string {
	t.Helper()
	before := tree.NewOverlay(tree.NewOverlay(tree.Disk()))
	before.Remove("/t")
	before.Write("/t/.git/HEAD", nil)
	for _, f := range files {
		before.Write("/t/"+f.Name, f.Data)
	}
	after := tree.NewOverlay(before)
	moved := func(file string) string {
		for _, m := range moves {
			if tree.Below(file, m[0]) && file != "" {
				return m[1] + file[len(m[0]):]
			}
		}
		return file
	}
	for _, m := range moves {
		must(t, after.Rename(m[0], m[1]))
	}
	for _, f := range now {
		after.Write("/t/"+f.Name, f.Data)
	}
	olds, order, report := followed(t, before)
	news, _, _ := followed(t, after)
	var out strings.Builder
	for _, name := range order {
		if len(olds[name]) != len(news[moved(name)]) {
			fmt.Fprintf(&out, "%s: %d references, then %d\n", name, len(olds[name]), len(news[moved(name)]))
			continue
		}
		for i, was := range olds[name] {
			is := news[moved(name)][i]
			g := Goal{Target: moved(was.Target), Line: was.Line, Anchored: moved(was.Anchored), Place: was.Place}
			for page, target := range was.Uses {
				if g.Uses == nil {
					g.Uses = map[string]string{}
				}
				g.Uses[moved(page)] = moved(target)
			}
			if was.Path == is.Path && was.Target == "" {
				g.Place = ""
			}
			isRight := is.Reaches(g) && (was.IsMisspelled || !is.IsMisspelled)
			if was.IsFixed() || !is.IsShownIn(g.Uses) || isRight && !is.IsLonger(was) {
				continue
			}
			ref, ok := is.Rewrite(was, g)
			if !ok {
				ref = "none"
			}
			fmt.Fprintf(&out, "%s:%d:%d %s => %s\n", strings.TrimPrefix(is.Path, "/t/"), is.Pos.Line, is.Pos.Column, is.Ref.Raw, ref)
			if other := is.tried(was, ref); ok && other != nil && !other.Reaches(g) {
				t.Errorf("%s:%d: %s leads to %q, want %q", is.Path, is.Pos.Line, ref, other.Target, g.Target)
			}
		}
	}
	for _, m := range moves {
		if why, dir := report.Fixed(m[0]); why != "" {
			fmt.Fprintf(&out, "%s: %s in %s\n", strings.TrimPrefix(m[0], "/t/"), why, strings.TrimPrefix(dir, "/t"))
		}
	}
	return out.String()
}

// tried returns f with another reference in its place, unless the next audit has to follow it: its target may be a page only
// after other edits.
func (f *Followed) tried(was *Followed, ref string) *Followed {
	if was.how == lead.ByFile || was.how == lead.BySection || was.how == lead.BySite && was.isFilePath() {
		return nil
	}
	return f.as(was, ref)
}
