package vue

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/site/source"
	"example.org/refract/internal/testing/sitetest"
)

// The directories of the program and of packages have no pages.
func TestHasPage(t *testing.T) {
	for name, want := range map[string]bool{"a.md": true, "b/a.md": true, "a.vue": false, ".vuepress/a.md": false, "b/.vuepress/c/a.md": false, "node_modules/a.md": false, "out/a.md": false} {
		tree := source.NewTree(sitetest.Tree([]txtar.File{{Name: "docs/" + name}}), "/site", 1)
		if got := hasPage(tree, "/site/docs", func(rel string) bool { return rel == "out/a.md" }); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
