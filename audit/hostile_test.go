package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/scantest"
)

// Whatever is in a tree, time is linear. What could make it otherwise is looking for what
// was meant.
func TestHostile(t *testing.T) {
	n := scantest.Amount(200, 2000)
	for name, shape := range map[string]func(i int) string{
		"closest id": func(i int) string {
			return fmt.Sprintf("# Number %d of a heading\n\n[x](#numbr-%d-of-a-heading)\n\n", i, i)
		},
		"same id":     func(i int) string { return "<a id=x></a>\n\n[x](#x)\n\n" },
		"same name":   func(i int) string { return fmt.Sprintf("[x](d%d/README.md) [y](d/f.md)\n\n", i) },
		"lines":       func(i int) string { return "[x](a.md#L1) [y](a.md#L999999999)\n\n" },
		"attributes":  func(i int) string { return fmt.Sprintf("{#a%d}\n\n[x](#b%d)\n\n", i, i) },
		"definitions": func(i int) string { return fmt.Sprintf("[d%d]: x%d.md\n\n", i, i) },
		"indexes":     func(i int) string { return "a[i][j] [x][y]\n\n" },
		"moved":       func(int) string { return "[x](moved.md)\n\n" },
		"rooted": func(i int) string {
			return fmt.Sprintf("[x](/p%d%s/moved) [y](/moved)\n\n", i, strings.Repeat("/q", 20))
		},
	} {
		document := func(n int) func() {
			dir := t.TempDir()
			var b strings.Builder
			for i := range n {
				b.WriteString(shape(i))
			}
			must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte(b.String()), 0o666))
			must(t, os.Mkdir(filepath.Join(dir, "d"), 0o777))
			must(t, os.WriteFile(filepath.Join(dir, "d", "moved.md"), nil, 0o666))
			return func() { audited(t, dir) }
		}
		scantest.Linear(t, name, 20*time.Millisecond, document(n), document(4*n))
	}
	// The same of many files: names in one directory, and one name in many.
	files := func(n int) func() {
		dir := t.TempDir()
		for i := range n {
			sub := filepath.Join(dir, fmt.Sprint("d", i))
			must(t, os.Mkdir(sub, 0o777))
			text := fmt.Sprintf("[x](../D%d/same.md) [y](same.mdx) [z](none%d.md) [w](/same.md)", i, i)
			must(t, os.WriteFile(filepath.Join(sub, "same.md"), []byte(text), 0o666))
		}
		return func() { audited(t, dir) }
	}
	scantest.Linear(t, "files", 0, files(n/4), files(n))
}

func audited(t *testing.T, dir string) {
	_, err := new(Options).audit([]string{dir}, func(*Finding) {})
	must(t, err)
}
