package eleventy

import "testing"

// Plugins of the project are seen in their calls, and known ones make no pages; any other may.
func TestIsRouteless(t *testing.T) {
	for plugin, want := range map[[2]string]bool{
		{"./plugin.js", "default"}: true, {"../x", ""}: true, {"@11ty/eleventy-plugin-rss", "default"}: true, {"@11ty/eleventy", "EleventyI18nPlugin"}: true,
		{"@11ty/eleventy", "I18nPlugin"}: true, {"eleventy-plugin-TOC", ""}: true, {"eleventy-plugin-pages", "default"}: false, {"x", "y"}: false, {"", ""}: false,
	} {
		if got := isRouteless(plugin[0], plugin[1]); got != want {
			t.Errorf("%q: %v", plugin, got)
		}
	}
}
