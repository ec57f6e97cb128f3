package base

import (
	"strings"
	"testing"

	"example.org/refract/resolve"
)

func TestLayerSection(t *testing.T) {
	for _, tt := range []struct {
		rules string
		layer Layer
		want  string
	}{
		{"rfc3986", Embedded, "RFC 3986 5.1.1"},
		{"rfc3986", Encapsulating, "RFC 3986 5.1.2"},
		{"rfc3986", Retrieval, "RFC 3986 5.1.3"},
		{"rfc3986", Default, "RFC 3986 5.1.4"},
		{"rfc3986", None, ""},
		{"rfc1808", Embedded, "RFC 1808 3.1"},
		{"rfc1808", Default, "RFC 1808 3.4"},
		{"draft-01", Retrieval, "draft-01 5.1.3"},
		{"draft-02", Retrieval, "draft-02 5.1.3"},
		{"draft", Embedded, "draft 5.1.1"},
		{"rfc2396", Default, "RFC 2396 5.1.4"},
	} {
		if got := tt.layer.Section(named(t, tt.rules)); got != tt.want {
			t.Errorf("%s: %v: %q, want %q", tt.rules, tt.layer, got, tt.want)
		}
	}
}

func TestExplain(t *testing.T) {
	const (
		relative = `step: relative path, which replaces the last segment of the base's (`
		forms    = `; the empty reference, "?y" and "#s" resolve`
		useless  = "error: it has a path or an authority, which mean nothing here"
	)
	embedded := func(rules resolve.Rules) Base {
		b, _ := Root(rules, Source{"http://r/a/b", "--url"}, Source{})
		b, err := b.Embed("../c/d", "base/href")
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	root := func(uri string) func(resolve.Rules) Base {
		return func(rules resolve.Rules) Base {
			b, _ := Root(rules, Source{}, Source{uri, "--base"})
			return b
		}
	}
	for _, tt := range []struct {
		rules, ref string
		base       func(resolve.Rules) Base
		want       string
	}{
		{"rfc3986", "g", embedded, `base: "http://r/c/d", embedded (RFC 3986 5.1.1), from base/href|` +
			relative + `RFC 3986 5.2.3)|inherited: scheme "http", authority "r", directory "/c/"`},
		{"rfc1808", "g", func(r resolve.Rules) Base { return embedded(r).Inside() }, `base: "http://r/c/d", encapsulating (RFC 1808 3.2), from base/href|` +
			relative + `RFC 1808 4 step 6)|inherited: scheme "http", authority "r", directory "/c/"`},
		{"draft", "x:g", embedded, `step: absolute, since it has a scheme (draft 5.2 step 3)`},
		{"draft", "#s", embedded, `step: the current document, since only a fragment is given (draft 5.2 step 2)`},
		{"draft", "#s", root(""), `step: the current document, since only a fragment is given (draft 5.2 step 2)`},
		{"rfc3986", "g", root(""), `base: none|error: relative, and there is nothing to resolve it against (RFC 3986 5.1.4)`},
		{"rfc3986", "x:g", root(""), `step: absolute, since it has a scheme (RFC 3986 5.2.2)`},
		{"rfc3986", "g", root("mailto:a@b"), `base: "mailto:a@b", default (RFC 3986 5.1.4), from --base|unsuitable: mailto URLs have no relative forms (draft 5)` + forms + "|" + useless},
		{"rfc1808", "//g", root("NEWS:a"), `base: "NEWS:a", default (RFC 1808 3.4), from --base|unsuitable: news URLs have no relative forms (RFC 1808 2.3)` + forms + "|" + useless},
		{"rfc2396", "?y", root("urn:a:b"), `base: "urn:a:b", default (RFC 2396 5.1.4), from --base|unsuitable: urn URLs have no relative forms (RFC 2396 5)` + forms +
			`|step: relative path, an empty one, which replaces the last segment of the base's (RFC 2396 5.2 step 6)|inherited: scheme "urn"`},
		{"draft", "mailto:c", root("mailto:a@b"), `step: absolute, since it has a scheme (draft 5.2 step 3)`},
		{"rfc3986", "g", func(resolve.Rules) Base { return Base{URI: "http://h/a", Layer: Retrieval} }, `base: "http://h/a", retrieval (RFC 3986 5.1.3)|` +
			relative + `RFC 3986 5.2.3)|inherited: scheme "http", authority "h", directory "/"`},
		{"rfc3986", "g", func(resolve.Rules) Base { return Base{} }, `base: none|error: relative, and there is nothing to resolve it against (RFC 3986 5.1.4)`},
	} {
		b := tt.base(named(t, tt.rules))
		if got := strings.Join(b.Explain([]byte(tt.ref)), "|"); got != tt.want {
			t.Errorf("%s: %q + %q\n%s\nwant\n%s", tt.rules, b.URI, tt.ref, strings.ReplaceAll(got, "|", "\n"), strings.ReplaceAll(tt.want, "|", "\n"))
		}
	}
}
