package fix

import (
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
		calls   string // what the skipped findings are for
	}{
		{"sound", map[string]string{"a.md": "[x](G.md) [y](none.md)", "b.md": "[x](G.md)"}, nil, false, "a.md b.md", ""},
		{"one file", map[string]string{"a.md": "[x](G.md)", "b.md": "[x](./G.md) [y](G.md)"}, map[string]string{"./G.md": "gone.md"}, false,
			"a.md", `b.md:1: no such file: "gone.md" [missing-file]`},
		{"another file", map[string]string{"a.md": "[x](G.md)", "b.md": "[x](H.md)", "h.md": "", "i.md": ""}, map[string]string{"H.md": "i.md"}, true,
			"", "h.md:1: no document links to this one [orphan]"},
		{"no edits", map[string]string{"a.md": "[y](none.md)"}, nil, false, "", ""},
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
			must(t, DropHarmful(t.Context(), &o, slices.Values(all), files))
			var rest []string
			for _, f := range files {
				if f.New != nil {
					rest = append(rest, filepath.Base(f.Path))
					continue
				}
				if len(f.Fixed) > 0 || len(f.Skipped) == 0 || !strings.HasSuffix(f.Skipped[0].Why, tt.calls) {
					t.Errorf("%s: %d fixed, skipped: %v", f.Path, len(f.Fixed), f.Skipped)
				}
			}
			if got := strings.Join(rest, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
