package move

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/audittest"
	"example.org/refract/internal/testing/scantest"
)

// Moves and renames in the trees of package audit change what they changed. An editor, in which fewer documents are checked, gets the
// same edits; unless the long tests run, that is tried with every third tree.
func TestPinned(t *testing.T) {
	pins := scantest.ReadPins(t, "testdata/pinned.tsv")
	for i, tree := range audittest.ReadTrees(t, "../../../../internal/audit/testdata") {
		files := map[string]string{}
		var docs []string
		for _, f := range tree.Files {
			files[f.Name] = string(f.Data)
			if slices.Contains([]string{".md", ".mdx", ".rst", ".adoc", ".html"}, path.Ext(f.Name)) {
				docs = append(docs, f.Name)
			}
		}
		if len(docs) == 0 || len(docs) > 30 || strings.Contains(tree.Settings, "zip ") {
			continue
		}
		t.Run(tree.Name, func(t *testing.T) {
			for n := range scantest.PinCount(1, 6) {
				doc := docs[(n/2*7+len(tree.Name))%len(docs)]
				base, dir := path.Base(doc), path.Dir(doc)
				line := [...]string{
					doc + " -> " + path.Join(dir, "moved", base) + " --redirects", doc + " -> " + path.Join(dir, "re named-"+base),
					doc + "# -> #A new heading", doc + " -> " + path.Join(dir, "..", "up-"+base) + " --redirects",
					dir + " -> " + path.Join(dir, "..", "other"), doc + "# -> #A `new` one",
				}[n]
				memory := inMemory(files)
				r := request(memory, line)
				switch {
				case r.Heading != nil:
					r.Heading.Line = 1 + strings.Count(before(files[doc], "\n# "), "\n")
				case dir == "." && n == 4:
					continue
				}
				whole := described(t, r)
				pins.Check(t, tree.Name, line+"\n"+whole)
				if i%3 > 0 && !scantest.IsLong() {
					continue
				}
				if plan, err := Make(t.Context(), r); err == nil && len(plan.Problems) == 0 && tree.Name != learntFrom {
					if edited := described(t, withReport(t, r)); edited != whole {
						t.Errorf("%s: the plan is\n%s\nin an editor\n%s", line, whole, edited)
					}
				}
			}
		})
	}
	pins.Write(t)
}

// learntFrom is a tree in which the links to the page that moves are what tells where the pages are. Without them, a document that
// has nothing to do with it is edited, too, if all are checked.
const learntFrom = "annotations"

// before returns what precedes the line that begins with a mark, or "" if there is none.
func before(text, mark string) string {
	i := strings.Index("\n"+text, mark)
	return text[:max(0, i)]
}

// described returns all that a plan says, and a plan of the way back.
func described(t *testing.T, r *Request) string {
	plan, err := Make(t.Context(), r)
	if err != nil {
		return err.Error()
	}
	return describedPlan(plan)
}

func describedPlan(plan *Plan) string {
	var b strings.Builder
	fmt.Fprintln(&b, plan.Renames, plan.References, plan.emptied, plan.heading)
	for _, p := range plan.Problems {
		fmt.Fprintf(&b, "%s: %v %s\n", p.Path, p.Pos, p.String())
	}
	for _, u := range plan.URLs {
		fmt.Fprintf(&b, "%+v\n", u)
	}
	for i := range plan.Files {
		f := &plan.Files[i]
		fmt.Fprintf(&b, "%s -> %s\n%s\n", f.Path, f.To, f.New)
		for _, c := range f.Changes() {
			fmt.Fprintf(&b, "%d %d %q\n", c.Start, c.End, c.Text)
		}
	}
	m := plan.Memory()
	for _, f := range m.Files {
		fmt.Fprintf(&b, "%s %x %d %d %q\n", f.Path, f.New, f.Start, f.End, f.Old)
	}
	return b.String()
}
