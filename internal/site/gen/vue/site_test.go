package vue

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestVitePress(t *testing.T) { sitetest.Run(t, VitePress, "testdata/vitepress.txtar") }

func TestVitePressRewrites(t *testing.T) {
	sitetest.Run(t, VitePress, "testdata/vitepress-rewrites.txtar")
}

func TestVuePress(t *testing.T) { sitetest.Run(t, VuePress, "testdata/vuepress.txtar") }

func TestVitePressSnippets(t *testing.T) {
	sitetest.Run(t, VitePress, "testdata/vitepress-snippets.txtar")
}

func TestVuePressPatterns(t *testing.T) {
	sitetest.Run(t, VuePress, "testdata/vuepress-patterns.txtar")
}

func TestVuePressYAML(t *testing.T) {
	sitetest.Run(t, VuePress, "testdata/vuepress-yaml.txtar")
}
