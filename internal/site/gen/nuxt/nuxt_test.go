package nuxt

import "testing"

// URLs as generatePath of Nuxt Content 3.16 makes them.
func TestURLs(t *testing.T) {
	for stem, want := range map[string]string{
		"1.guide/2.Set Up": "/guide/set-up", "index": "/", "1.guide/0.index": "/guide", "1.2.x/a": "/1.2.x/a", "10.a--b-": "/a-b", "docs//a": "/docs/a", "Don't!": "/don't!", "a,b;c": "/abc",
		"a.draft": "/a", "index.draft": "/", "C & d_e": "/c-and-d_e", "Ü (x)": "/u-(x)", "v1.0": "/v1.0", "1.0": "/1.0",
	} {
		if u, ok := urlOf(stem); u != want || !ok {
			t.Errorf("%q = %q, want %q", stem, u, want)
		}
	}
	if u, ok := urlOf("中文"); ok {
		t.Errorf("a name in Chinese has the URL %q", u)
	}
}

func TestKebab(t *testing.T) {
	for name, want := range map[string]string{"NuxtImg": "nuxt-img", "UButton": "u-button", "Pm-Run": "pm-run", "card": "card", "HTMLBlock": "html-block"} {
		if got := kebab(name); got != want {
			t.Errorf("%s = %s, want %s", name, got, want)
		}
	}
}
