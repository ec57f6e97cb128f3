package doc

import "testing"

// Templates are not judged.
func TestTemplate(t *testing.T) {
	for ref, want := range map[string]bool{
		"{{ x }}": true, "a/{%x%}": true, "${x}": true, "<%= x %>": true, "{!x!}": true,
		"{x}": true, "a{": false, "$x": false, "{": false, "": false,
	} {
		if IsTemplate([]byte(ref)) != want {
			t.Errorf("%q: %t", ref, !want)
		}
	}
}
