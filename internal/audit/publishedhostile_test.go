package audit

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/testing/scantest"
)

// What a change removes is found in linear time, whatever it is: as many pages that are gone or renamed, ids that others linked to,
// files of directories, redirects.
func TestRemovedLinear(t *testing.T) {
	n := scantest.Amount(50, 500)
	config := func(w *twoStates, of string) { w.both("mkdocs.yml", "site_name: x\n"+of) }
	page := func(i int) string { return fmt.Sprintf("docs/d%d/page-%d.md", i%100, i) }
	text := func(i int) string { return fmt.Sprintf("# Title %d\n\n## Part %d\n", i, i) }
	for _, s := range []struct {
		name string
		make func(w *twoStates, n int)
	}{
		{"deleted", func(w *twoStates, n int) {
			config(w, "")
			for i := range n {
				w.old(page(i), text(i))
			}
		}},
		{"renamed", func(w *twoStates, n int) {
			config(w, "")
			for i := range n {
				to := fmt.Sprintf("docs/other/%d.md", i)
				w.old(page(i), text(i))
				w.today(to, text(i))
				w.renamed[page(i)] = to
			}
		}},
		{"renamed, which git does not say", func(w *twoStates, n int) {
			config(w, "")
			for i := range n {
				w.old(page(i), text(i))
				w.today(fmt.Sprintf("docs/other/%d.md", i), text(i)+"\nx\n")
			}
		}},
		{"pages with one title", func(w *twoStates, n int) {
			config(w, "")
			for i := range n {
				w.old(page(i), "# Title\n")
				w.today(fmt.Sprintf("docs/other/%d.md", i), "# Title\n\nx\n")
			}
		}},
		{"moved by the configuration", func(w *twoStates, n int) {
			w.old("mkdocs.yml", "site_name: x\n")
			w.today("mkdocs.yml", "site_name: x\nuse_directory_urls: false\n")
			for i := range n {
				w.both(page(i), text(i))
			}
		}},
		{"ids of many pages", func(w *twoStates, n int) {
			config(w, "")
			links := ""
			for i := range n {
				w.old(page(i), text(i))
				w.today(page(i), fmt.Sprintf("# Title %d\n", i))
				links += fmt.Sprintf("[x](%s#part-%d)\n", page(i)[len("docs/"):], i)
			}
			w.both("docs/index.md", links)
		}},
		{"ids of one page", func(w *twoStates, n int) {
			config(w, "")
			headings, links := "", ""
			for i := range n {
				headings += fmt.Sprintf("## Part %d\n\n", i)
				links += fmt.Sprintf("[x](a.md#part-%d)\n", i)
			}
			w.old("docs/a.md", headings)
			w.today("docs/a.md", "# A\n")
			w.both("docs/index.md", links)
		}},
		{"links to one id", func(w *twoStates, n int) {
			config(w, "")
			w.old("docs/a.md", "## Part\n")
			w.today("docs/a.md", "# A\n")
			for i := range n {
				w.both(fmt.Sprintf("docs/p%d.md", i), "[x](a.md#part)\n")
			}
		}},
		{"files", func(w *twoStates, n int) {
			config(w, "")
			w.both("docs/a.md", "# A\n")
			for i := range n {
				w.old(fmt.Sprintf("docs/f%d/x.pdf", i), "")
				w.old(fmt.Sprintf("docs/one/%d.pdf", i), "")
			}
		}},
		{"redirects", func(w *twoStates, n int) {
			maps := "plugins:\n  - redirects:\n      redirect_maps:\n"
			for i := range n {
				maps += fmt.Sprintf("        old%d.md: a.md\n", i)
			}
			w.old("mkdocs.yml", "site_name: x\n"+maps)
			w.today("mkdocs.yml", "site_name: x\n")
			w.both("docs/a.md", "# A\n")
		}},
		{"redirects to pages that are gone", func(w *twoStates, n int) {
			maps := "plugins:\n  - redirects:\n      redirect_maps:\n"
			for i := range n {
				maps += fmt.Sprintf("        old%d.md: %s\n", i, page(i)[len("docs/"):])
				w.old(page(i), text(i))
			}
			config(w, maps)
		}},
	} {
		run := func(n int) func() {
			w := newTwoStates()
			s.make(w, n)
			return func() { w.audit(t, func(*Finding) {}) }
		}
		scantest.Linear(t, s.name, 100*time.Millisecond, run(n), run(4*n))
	}
}

// twoStates are a tree before and after a change, below /t.
type twoStates struct {
	trees   [2]*tree.Overlay
	texts   [2]map[string]string // by path below /t
	renamed map[string]string
}

func newTwoStates() *twoStates {
	w := &twoStates{texts: [2]map[string]string{{}, {}}, renamed: map[string]string{}}
	for i := range w.trees {
		w.trees[i] = tree.NewOverlay(tree.NewOverlay(tree.Disk()))
		w.trees[i].Remove("/t")
		w.trees[i].Write("/t/.git/HEAD", nil)
	}
	return w
}

func (w *twoStates) write(state int, name, text string) {
	w.trees[state].Write("/t/"+name, []byte(text))
	w.texts[state][name] = text
}

func (w *twoStates) old(name, text string)   { w.write(0, name, text) }
func (w *twoStates) today(name, text string) { w.write(1, name, text) }

func (w *twoStates) both(name, text string) {
	w.old(name, text)
	w.today(name, text)
}

// audit audits the second state, compared with the first.
func (w *twoStates) audit(t *testing.T, emit func(*Finding)) {
	t.Helper()
	links := new(IDLinks)
	report, err := Run(context.Background(), Options{Tree: w.trees[0], Dir: "/t", Paths: []string{"."}, Followed: links.Take}, nil)
	must(t, err)
	before := report.Inventory(links, func(p string) (string, bool) { return p, true })
	before.Renamed, before.Changed = map[string]string{}, map[string]bool{}
	for from, to := range w.renamed {
		before.Renamed["/t/"+from] = "/t/" + to
	}
	for name, text := range w.texts[0] {
		if now, ok := w.texts[1][name]; !ok || now != text {
			before.Changed["/t/"+name] = true
		}
	}
	_, err = Run(context.Background(), Options{Tree: w.trees[1], Dir: "/t", Paths: []string{"."}, Before: before}, emit)
	must(t, err)
}
