package move

import (
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
)

// An editor judges the documents that point to what moves, to a directory around it, or to what has a like name; all documents if the request is
// for more than to move documents, or if what moves may decide how others are published.
func TestAmongMoved(t *testing.T) {
	files := map[string]string{
		"d/a.md": "# A\n", "d/b.md": "[a](a.md)\n", "d/c.md": "[x](../img/x.png)\n", "d/index.md": "# D\n", "e/f.md": "[d](../d/)\n", "e/g.md": "[a](a.txt)\n", "e/h.md": "[i](../r.md)\n",
		"r.md": "# R\n", "img/x.png": "", "conf.js": "", "alone/l.md": "# L\n", "alone2/l.md": "# L\n", "e/a.txt": "", "e/top.md": "[top](..)\n", "e/alone.md": "[l](../alone/)\n", "n/1-a.md": "", "e/n.md": "[n](../n/1-a.md)\n", "n/o.md": "", "e/dir.md": "[n](../n/)\n",
	}
	all := "all"
	tests := []struct{ line, want string }{
		{"d/a.md -> d/z.md", "d/a.md d/b.md e/g.md e/n.md e/top.md"},
		{"r.md -> s.md", "e/h.md e/top.md r.md"},
		{"r.md -> t/a.md", "d/b.md e/g.md e/h.md e/n.md e/top.md r.md"}, // its new name is like others
		{"img/x.png -> img/y.png", "d/c.md e/top.md img/x.png"},
		{"n/o.md -> n/p.md", "e/dir.md e/top.md n/o.md"},
		{"d/index.md -> d/i.md", all},
		{"d/a.md -> d/README.md", all},
		{"conf.js -> conf2.js", all},
		{"d -> q", all},
		{"none.md -> q.md", all},
		{"alone/l.md -> d/l.md", all},
		{"alone/l.md & alone2/l.md -> d/", all},
		{"d/a.md -> d/z.md --redirects", all},
		{"d/a.md#a -> #Z", all},
		{"nothing", all},
		{"label", all},
		{"undone", all},
		{"built", all},
		{"without a report", all},
	}
	for _, test := range tests {
		line := test.line
		if !strings.Contains(line, " -> ") {
			line = "d/a.md -> d/z.md"
		}
		tree := inMemory(files)
		r := withReport(t, request(tree, line))
		switch test.line {
		case "nothing":
			r.Renames = nil
		case "label":
			r.Label = &Label{Path: "/t/d/a.md"}
		case "undone":
			r.Memory = []Memory{{Renames: []Rename{{"/t/x.md", "/t/y.md"}}}, {Renames: []Rename{{r.Renames[0].To, r.Renames[0].From}}}}
		case "built":
			r.Options.Built = []audit.Site{{Dir: "/t/site"}}
		case "without a report":
			r.Report = nil
		}
		p := &planner{request: r, under: tree}
		p.findEmptied()
		got := all
		if among := p.amongMoved(); among != nil {
			var names []string
			for name := range files {
				if among("/t/" + name) {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			got = strings.Join(names, " ")
		}
		if got != test.want {
			t.Errorf("%s: %s are judged, want %s", test.line, got, test.want)
		}
	}
}
