package doc_test

import (
	"testing"

	"example.org/refract/internal/audit/doc"
)

// Templates are not checked.
func TestTemplate(t *testing.T) {
	for ref, want := range map[string]bool{
		"{{ x }}": true, "a/{%x%}": true, "${x}": true, "<%= x %>": true, "{!x!}": true,
		"%(url)s": true, "/a/%(n)d/": true, "%(url)": false, "%28x)s": false, "[% c.uri %]": true, "x[%": true, "a<%= b %>": true, "a%3C%": false,
		"@docroot@/x.md": true, "/a/@b_C-1@#x": true, "@x@": true, "@x@?a": true, "@user@host": false, "@user@host/x": false, "user@host": false, "mailto:@x@": false, "/@name/": false,
		"@scope/a@1.0": false, "@/x.md": false, "@@": false, "@1@/x": false, "a@x@/b": false, "@x@y/b": false, "a?/@x@/": false, "a#/@x@": false,
		"{x}": true, "{static}/logo.png": true, "{filename}b.md": true, "|filename|/d.rst": true, "{static/a": false, "{a}b": false, "|a|b": false, "a{": false, "$x": false, "{": false, "": false, "/a/<VERSION>/b": true, "/a/<b>": false,
	} {
		if doc.IsTemplate([]byte(ref)) != want {
			t.Errorf("%q: %t", ref, !want)
		}
	}
}

// A reference that begins with a variable is a template, too.
func TestIsVariable(t *testing.T) {
	for ref, want := range map[string]bool{
		"%s": true, "%d": false, "%PUBLIC_URL%/x": true, "%ABC%": true, "%AB%": false, "%20%20": false, "%abc%": false, "%ABc%": false,
		"%sveltekit.assets%/x": true, "%xsveltekit.a%": true, "%plugin_link%/x": true, "%a-b%": true, "$root$/x": true, "$a/b$": false, "x%ABC%": false, "%ABC": false, "": false, "%%%%": false, "%ABC%20": true,
	} {
		if got := doc.IsTemplate([]byte(ref)); got != want {
			t.Errorf("%s: %v", ref, got)
		}
	}
}
