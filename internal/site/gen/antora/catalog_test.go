package antora

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/testing/sitetest"
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

// A name with an attribute without a value is that of each file that begins and ends like it, also if it ends with the attribute.
func TestMatching(t *testing.T) {
	files := []txtar.File{{Name: "antora.yml", Data: []byte("name: a\nversion: ~\n")}, {Name: "modules/ROOT/pages/a.adoc"}}
	for _, name := range []string{"p-1.adoc", "p-.adoc", "p-1adoc", "p-2", "q-1.adoc"} {
		files = append(files, txtar.File{Name: "modules/ROOT/partials/" + name})
	}
	const dir = sitetest.Root + "modules/ROOT/partials/"
	s := site.NewFinder(sitetest.Tree(files), []*site.Generator{Generator}, "").Of(sitetest.Root+"modules/ROOT/pages/a.adoc", strings.TrimSuffix(sitetest.Root, "/"))
	for name, want := range map[string]string{
		"p-{v}.adoc": "p-{v}.adoc p-1.adoc", "p-{v}": "p-{v} p-.adoc p-1.adoc p-1adoc p-2", "p-1.adoc": "p-1.adoc", "{v}": "{v} p-.adoc p-1.adoc p-1adoc p-2 q-1.adoc", "p-}{": "p-}{",
	} {
		g := partOf(s)
		g.guesses = map[string]bool{}
		all := g.matching(s, []string{dir + name})
		for i := range all {
			all[i] = strings.TrimPrefix(all[i], dir)
		}
		if got := strings.Join(all, " "); got != want || len(g.guesses) != len(all)-1 {
			t.Errorf("%s: %s, %d are guesses, want %s", name, got, len(g.guesses), want)
		}
	}
}
