package audit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without a repository, names of files are looked for in the directories that are audited; also if they have no documents.
func TestUnusedOutsideRepository(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"code/a.py": "open('used.png')", "code/used.png": "", "code/lost.png": "", "docs/a.md": "# A\n", "docs/used.png": "", "docs/lost.png": ""} {
		must(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for in, want := range map[string]string{"code": "lost.png", "docs": "lost.png used.png"} {
		var got []string
		o := Options{Dir: dir, OrphanFiles: true}
		_, err := o.audit([]string{in}, func(f *Finding) { got = append(got, filepath.Base(f.File)) })
		must(t, err)
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
