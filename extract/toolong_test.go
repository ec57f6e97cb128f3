package extract

import (
	"strings"
	"testing"

	"example.org/refract/base"
	"example.org/refract/resolve"
)

// What needs more than 2 MiB as a URL is no URL, unless it is data as it is written.
func TestTooLong(t *testing.T) {
	xs := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct {
		name, src string
		rules     resolve.Rules
		tooLong   bool
	}{
		{"the longest", "<a href='" + xs(maxURL-len("http://h/")) + "'>", resolve.Rules{}, false},
		{"one more", "<a href='" + xs(maxURL-len("http://h/")+1) + "'>", resolve.Rules{}, true},
		{"escaped", "<a href='" + strings.Repeat("é", maxURL/6+1) + "'>", resolve.Rules{}, true},
		{"not yet", "<a href='" + strings.Repeat("é", maxURL/6-10) + "'>", resolve.Rules{}, false},
		{"escaped by browsers", "<a href='" + strings.Repeat("é", maxURL/6+1) + "'>", resolve.Rules{Browser: true}, true},
		{"escapes", "<a href='" + strings.Repeat("%41", maxURL/3-10) + "'>", resolve.Rules{}, false},
		{"base", "<base href='/" + xs(60000) + "/'><a href='" + xs(maxURL-1000) + "'>", resolve.Rules{}, true},
		{"data", "<a href='data:" + xs(2*maxURL) + "'>", resolve.Rules{}, false},
		{"data in capitals", "<a href='DATA:" + xs(2*maxURL) + "'>", resolve.Rules{}, false},
		{"escapes in data", "<a href='data:" + strings.Repeat("%41", maxURL) + "'>", resolve.Rules{}, false},
		{"escaped data", "<a href='data: " + xs(2*maxURL) + "'>", resolve.Rules{}, true},
		{"two readings", "<a href='" + xs(maxURL) + "\\'>", resolve.Rules{}, true},
	}
	for _, test := range tests {
		c := Config{Type: htmlType, Rules: test.rules, ParserDifferences: !test.rules.Browser, Retrieved: base.Source{URI: "http://h/"}}
		var last *Reference
		for r, err := range c.Walk("x", strings.NewReader(test.src)) {
			if err != nil {
				t.Fatal(err)
			}
			last = r.Clone()
		}
		if got := last.Err == ErrTooLong; got != test.tooLong || got == (last.URL != nil) {
			t.Errorf("%s: %v, a URL of %d bytes", test.name, last.Err, len(last.URL))
		}
	}
}
