package fix

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
)

// Edits that cause another finding are dropped: those of the document that gets it, or all
// if another document does. What was wrong before is no reason.
func TestDropHarmful(t *testing.T) {
	tests := []struct {
		name    string
		files   map[string]string
		suggest map[string]string // in place of what is suggested, by reference
		orphans bool
		want    string // files that remain to be written
		calls   string // what is in the reason why the findings are skipped
		audits  int
	}{
		{"sound", map[string]string{"a.md": "[x](G.md) [y](none.md)", "b.md": "[x](G.md)"}, nil, false, "a.md b.md", "", 1},
		{"one file", map[string]string{"a.md": "[x](G.md)", "b.md": "[x](./G.md) [y](G.md)"}, map[string]string{"./G.md": "gone.md"}, false,
			"a.md", `b.md:1: no such file: "gone.md" [missing-file]`, 2},
		{"another file", map[string]string{"a.md": "[x](G.md)", "b.md": "[x](H.md)", "h.md": "", "i.md": ""}, map[string]string{"H.md": "i.md"}, true,
			"", "h.md:1: no document links to this one [orphan]", 1},
		{"three rounds", map[string]string{ // without the edits of a, no document links to b, and without those of b none to c
			"a.md": "[x](./G.md) [y](I.md)", "b.md": "[x](H.md)", "c.md": "[x](B.md)", "e.md": "[x](C.md)",
			"h.md": "", "i.md": "", "z.md": "[x](h.md) [y](i.md)",
		}, map[string]string{"./G.md": "gone.md", "I.md": "b.md", "H.md": "c.md", "B.md": "i.md", "C.md": "i.md"}, true, "", "[", 3},
		{"no edits", map[string]string{"a.md": "[y](none.md)"}, nil, false, "", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "g.md", "# G\n")
			for name, text := range tt.files {
				write(t, name, text)
			}
			o := audit.Options{Paths: []string{"."}, Orphans: tt.orphans}
			var all, certain []*audit.Finding
			report, err := audit.Run(t.Context(), o, func(f *audit.Finding) {
				all = append(all, f)
				if f.Certain {
					if s := tt.suggest[f.Written()]; s != "" {
						f.Suggestion = s
					}
					certain = append(certain, f)
				}
			})
			must(t, err)
			files := slices.Collect((&Options{Config: report.Config}).Files(certain))
			audits := 0
			o.Followed = func(f *audit.Followed) {
				if filepath.Base(f.Path) == "a.md" && f.Pos.Offset == 4 {
					audits++
				}
			}
			must(t, DropHarmful(t.Context(), &o, slices.Values(all), files))
			var rest []string
			for _, f := range files {
				if f.New != nil {
					rest = append(rest, filepath.Base(f.Path))
					continue
				}
				if len(f.Fixed) > 0 || len(f.Skipped) == 0 || !strings.Contains(f.Skipped[0].Why, tt.calls) {
					t.Errorf("%s: %d fixed, skipped: %v", f.Path, len(f.Fixed), f.Skipped)
				}
			}
			if got := strings.Join(rest, " "); got != tt.want || audits != tt.audits {
				t.Errorf("got %q after %d audits, want %q after %d", got, audits, tt.want, tt.audits)
			}
		})
	}
}

// A finding is in a document that is edited by any of the names by which its findings know it.
func TestIsIn(t *testing.T) {
	a := &again{dir: "/t"}
	f := &File{Path: "real.md", Fixed: []*audit.Finding{{Path: "link.md"}, {Path: "/t/sub/other.md"}}}
	for name, want := range map[string]bool{"real.md": true, "link.md": true, "/t/link.md": true, "sub/other.md": true, "c.md": false} {
		if got := a.isIn(&audit.Finding{Path: name}, f); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Standard input is not read again: what it has by then, or that it is at its end, is no reason to drop an edit.
func TestDropHarmfulStdin(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "g.md", "# G\n")
	write(t, "a.md", "[x](G.md)")
	write(t, "in", "[x](none.md)")
	in, err := os.Open("in")
	must(t, err)
	defer in.Close()
	was := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = was }()
	o := audit.Options{Paths: []string{"a.md", "g.md"}}
	var all []*audit.Finding
	report, err := audit.Run(t.Context(), o, func(f *audit.Finding) { all = append(all, f) })
	must(t, err)
	files := slices.Collect((&Options{Config: report.Config}).Files(all))
	o.Paths = []string{"-", "a.md", "g.md"}
	must(t, DropHarmful(t.Context(), &o, slices.Values(all), files))
	if at, err := in.Seek(0, io.SeekCurrent); err != nil || at > 0 {
		t.Errorf("read up to %d, %v", at, err)
	}
	if len(files) != 1 || files[0].New == nil {
		t.Errorf("dropped: %+v", files)
	}
}
