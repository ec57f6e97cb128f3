package audittest

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/testing/scantest"
)

// Parts checks that the findings in a document do not depend on the other arguments. They must be the same for
// the whole tree, for one of its directories, for its directories in another order, and with one more
// document that has no reference, and that nothing links to.
func Parts(t *testing.T, trees []Tree, except map[string]string) {
	t.Helper()
	used := 0
	for i, tree := range trees {
		if _, isException := except[tree.Name]; !isException && i%5 > 0 && !scantest.IsLong() {
			continue
		}
		if strings.Contains("\n"+tree.Settings, "\nargs ") || strings.Contains("\n"+tree.Settings, "\nbare\n") {
			continue
		}
		t.Run(tree.Name, func(t *testing.T) {
			differs := tree.differing(t)
			switch why := except[tree.Name]; {
			case why == "" && differs != "":
				t.Error(differs)
			case why != "" && differs == "":
				t.Errorf("is not different: %s", why)
			case why != "":
				used++
			}
		})
	}
	if used != len(except) {
		t.Errorf("%d of %d exceptions are used", used, len(except))
	}
}

// differing says how an audit of a part of the tree differs from one of the whole; "" if it does not.
func (tree Tree) differing(t *testing.T) string {
	t.Helper()
	whole := results(t, tree.Settings, tree.Files)
	var dirs []string
	for _, f := range tree.Files {
		if dir, _, isIn := strings.Cut(f.Name, "/"); isIn && dir[0] != '.' && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		if got, want := results(t, tree.Settings+"\nargs "+dir+"\n", tree.Files), below(whole, dir+"/"); got != want {
			return "of " + dir + ":\n" + got + "of the whole:\n" + want
		}
	}
	want := ""
	slices.Sort(dirs)
	for _, dir := range dirs {
		want += below(whole, dir+"/")
	}
	slices.Reverse(dirs)
	if got := results(t, tree.Settings+"\nargs "+strings.Join(dirs, " ")+"\n", tree.Files); len(dirs) > 0 && got != want {
		return "of directories:\n" + got + "of the whole:\n" + want
	}
	more := append(slices.Clone(tree.Files), txtar.File{Name: "unrelated-notes.txt", Data: []byte("Nothing.\n")})
	if got := results(t, tree.Settings, more); got != whole {
		return "with one more document:\n" + got + "without:\n" + whole
	}
	return ""
}

// below returns the lines about files below a directory.
func below(lines, dir string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		if strings.HasPrefix(line, dir) {
			b.WriteString(line)
		}
	}
	return b.String()
}
