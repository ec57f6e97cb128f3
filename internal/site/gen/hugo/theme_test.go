package hugo

import (
	"os"
	"path/filepath"
	"testing"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/site/source"
)

// A theme is in a directory around its example, in the repository.
func TestThemeAround(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"layouts", "sub/layouts", "examples/deep/site", "other"} {
		os.MkdirAll(filepath.Join(root, name), 0o777)
	}
	disk := source.NewTree(tree.Disk(), filepath.ToSlash(root), 1)
	for _, tt := range []struct{ site, theme, want string }{
		{"examples", "theme", ".."},
		{"examples/deep", "theme", "../.."},
		{"examples/deep/site", "theme", "../../.."},
		{"examples/deep/site", "theme/sub", "../../../sub"},
		{"examples/deep", "theme/none", ""},
		{"examples/deep", "/theme", ""},
		{"examples/deep", "theme/../..", ""}, // outside of the repository
	} {
		if got := themeAround(source.NewDir(disk, filepath.ToSlash(filepath.Join(root, tt.site))), tt.theme); got != tt.want {
			t.Errorf("%s in %s: %q, want %q", tt.theme, tt.site, got, tt.want)
		}
	}
}
