package asciidoc

import (
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// The id of a span ends before its roles and options; there may be none.
func TestSpanID(t *testing.T) {
	for src, want := range map[string]string{
		"[#a]#b#": "a", "x [#a.role]*b*": "a", "[#a%opt]_b_": "a", "[#a,b]`b`": "a", "[#.role]#b#": "", "[#%opt]#b#": "", "[#,x]#b#": "", "[#]#b#": "", "[#a b]#c#": "", "[#a]b": "", "[.role]#b#": "",
	} {
		var ids []string
		for it := range (&Scanner{Anchors: true}).Scan([]byte(src)) {
			if it.Op == scan.Anchor {
				ids = append(ids, it.In+" "+string(it.Value))
			}
		}
		if want != "" {
			want = "[#] " + want
		}
		if got := strings.Join(ids, ", "); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}
