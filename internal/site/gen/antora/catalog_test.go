package antora

import (
	"slices"
	"testing"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/site/source"
)

// The order of versions is that of Antora 3.1.15.
func TestIsLater(t *testing.T) {
	tests := []struct {
		a, b    string
		isLater bool
	}{
		{"2.0", "1.0", true}, {"1.10", "1.9", true}, {"", "9", true}, {"2.0", "2.0-rc.1", true}, {"2.0-rc.2", "2.0-rc.1", true},
		{"9.0", "main", false}, {"v2.0", "1.9", true}, {"alpha", "beta", false}, {"1.0.1", "1", true}, {"2.0.0.1", "2.0.0", false},
		{"v2", "v1", true}, {"10", "9", true}, {"main", "dev", true}, {"a10", "a9", true}, {"2.0-rc.10", "2.0-rc.9", true},
	}
	for _, test := range tests {
		if got := isLater(test.a, test.b); got != test.isLater {
			t.Errorf("%q is later than %q: %t", test.a, test.b, got)
		}
		if test.isLater && isLater(test.b, test.a) {
			t.Errorf("%q is later than %q, too", test.b, test.a)
		}
	}
}

// The start paths of a source, in a list or separated by commas.
func TestStartPaths(t *testing.T) {
	text := func(s string) literal.Value { return literal.Value{Kind: literal.String, Text: s} }
	for _, tt := range []struct {
		key   string
		value literal.Value
		want  []string
	}{
		{"start_paths", text("a, b"), []string{"a", "b"}},
		{"start_paths", text("a"), []string{"a"}},
		{"start_paths", text(", a"), []string{"", "a"}},
		{"start_paths", text("{a,b}/c,  d"), []string{"{a,b}/c", "d"}},
		{"start_paths", literal.Value{Kind: literal.List, Items: []literal.Value{text("a"), text("b, c")}}, []string{"a", "b, c"}},
		{"start_path", text("a, b"), []string{"a, b"}},
		{"other", text("a"), []string{""}},
	} {
		conf := source.Value{Value: literal.Value{Kind: literal.Map, Entries: []literal.Entry{{Key: tt.key, Value: tt.value}}}}
		if got := startPaths(conf); !slices.Equal(got, tt.want) {
			t.Errorf("%s %+v: %q, want %q", tt.key, tt.value, got, tt.want)
		}
	}
}
