package jsonstring

import (
	"testing"

	"example.org/refract/extract/scan"
)

func TestValue(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", `a\/b`: "a/b", `\u00e4\ud83d\ude00`: "ä😀", `\"`: `"`, `\q`: `\q`, `a\`: `a\`, `\ud83d`: "\uFFFD", "\xff\\n": "\uFFFD\n",
	} {
		src := []byte(`{"` + text + `"}`)
		if got := Value(src, scan.Span{Start: 2, End: 2 + len(text)}); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	src := []byte(`"shared"`)
	if got := Value(src, scan.Span{Start: 1, End: 7}); &got[0] != &src[1] {
		t.Error("a value without escapes has memory of its own")
	}
}
