package extract

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"example.org/refract/base"
)

// With Scripts, nothing disappears that is found in code as text.
func TestScriptsAdds(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"a.json", `{"https://h.example/key": 1, "u": "https:\/\/h.example\/a\u0026b", "t": "see https://h.example/x, https://h.example/y", "p": "/r?u=https://h.example/z"}`},
		{"a.json", `{"cut": "https://h.example/a`},
		{"a.json", "// https://h.example/comment\n{'u': 'https://h.example/single'}\n"},
		{"a.js", "x = {'https://h.example/key': 1}; // https://h.example/c\n/https:\\/\\/h.example/.test(y); `https://h.example/${x}/y` + \"https:\\/\\/h.example\\/s\"\n"},
		{"a.js", "import 'https://h.example/m.js'; <a href=https://h.example/jsx>x</a>; f(\"a https://h.example/1 b\")"},
	} {
		count := func(c *Config) map[int64]string {
			at := map[int64]string{}
			for ref := range c.Walk(tt.name, strings.NewReader(tt.text)) {
				at[ref.Pos.Offset] = string(ref.Ref)
			}
			return at
		}
		text, all := count(&Config{}), count(&Config{Scripts: true})
		for _, offset := range slices.Sorted(maps.Keys(text)) {
			if all[offset] == "" {
				t.Errorf("%s: %q at %d is lost", tt.text, text[offset], offset)
			}
		}
	}
}

// A template of PHP: the references of its HTML and, in all of it, those of text.
func TestPHP(t *testing.T) {
	src := "<?php $x = 'https://h.example/a?b=1'; ?>\n<base href=\"https://b.example/d/\"><a href=\"c.php\">https://h.example/t</a> <a href=\" https://h.example/u\"><img src=\"<?= $x ?>.png\">" +
		"<a href=\"https://h.example/p?id=<?= $id ?>\"><?= \"https://h.example/q?a=1\\x26b=2\" ?>"
	var got []string
	for ref, err := range new(Config).Walk("x.php", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, ref.In+" "+string(ref.URL))
	}
	want := []string{" https://h.example/a?b=1", " https://b.example/d/", "a/href https://b.example/d/c.php", " https://h.example/t", "a/href https://h.example/u", " https://h.example/p?id=", " https://h.example/q?a=1&b=2"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for name, want := range map[string]string{"x.php": "<!doctype html><a href=y>", "x": "<?php ?><a href=y>", "x.txt": "<?php ?><a href=y>"} {
		n := 0
		for range (&Config{Default: base.Source{URI: "http://h/"}}).Walk(name, strings.NewReader(want)) {
			n++
		}
		if isText := strings.HasSuffix(name, ".txt"); isText != (n == 0) {
			t.Errorf("%s: %d references", name, n)
		}
	}
}
