package base

import (
	"errors"
	"testing"

	"example.org/refract/resolve"
)

// Append reports every failure by its error, and appends nothing then.
func TestAppendFails(t *testing.T) {
	browser, aboveRoot := resolve.Rules{Browser: true}, resolve.Rules{AboveRoot: resolve.FailAboveRoot}
	for _, tt := range []struct {
		rules     resolve.Rules
		base, ref string
		want      error // nil: any
		inError   bool
	}{
		{resolve.Rules{}, "", "x", ErrNoBase, false},
		{browser, "", "x", ErrNoBase, false},
		{resolve.Rules{}, "mailto:a@h", "x", ErrUnsuitable, false},
		{resolve.Rules{}, "mailto:a@h", "//h", ErrUnsuitable, false},
		{aboveRoot, "http://h/a", "../../x", nil, true},
		{aboveRoot, "", "http://h/../x", nil, true},
		{browser, "mailto:a@h", "x", ErrUnsuitable, false},
		{browser, "http://h/", "http://a b/", nil, true},
		{browser, "", "http://a b/", nil, true},
	} {
		b, err := Root(tt.rules, Source{URI: tt.base}, Source{})
		if err != nil {
			t.Fatal(err)
		}
		got, res, err := b.Append([]byte("before "), []byte(tt.ref))
		if string(got) != "before " || err == nil || tt.want != nil && !errors.Is(err, tt.want) || res.InError != tt.inError {
			t.Errorf("%q against %q: %q, %+v, %v", tt.ref, tt.base, got, res, err)
		}
		if tt.inError && err.Error() != res.Err().Error() {
			t.Errorf("%q: %v, and %v", tt.ref, err, res.Err())
		}
		b.Explain([]byte(tt.ref)) // does not panic
	}
}
