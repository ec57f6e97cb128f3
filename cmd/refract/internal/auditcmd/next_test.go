package auditcmd

import (
	"strings"
	"testing"
)

// A first audit proposes what suits the tree, in at most four lines, which fit a terminal.
func TestNextSteps(t *testing.T) {
	for _, tt := range []struct {
		args              string
		findings, certain int
		outputs           []string
		wantsCI           bool
		want              string
	}{
		{".", 1240, 1200, []string{"site", "x/site"}, true, `to fix 1,200 of 1,240: refract audit --fix (--dry-run shows how)
to accept the others:  refract audit --write-baseline known.txt
to check a build:      refract audit --built site
to set up CI:          refract init
`},
		{"docs", 2, 0, nil, true, "to accept all: refract audit --write-baseline known.txt docs\nto set up CI:  refract init docs\n"},
		{"docs", 2, 2, nil, false, "to fix 2: refract audit --fix docs (--dry-run shows how)\n"},
		{"a/very/long/name/of/a/directory/of/documents", 2, 2, nil, false, "to fix 2: refract audit --fix a/very/long/name/of/a/directory/of/documents\n"},
		{"a b|it's", 1, 1, nil, true, "to fix 1:     refract audit --fix 'a b' 'it'\\''s' (--dry-run shows how)\nto set up CI: refract init\n"},
		{"-x\x1b[2J", 0, 0, []string{"\u202eq"}, false, "to check a build: refract audit --built '\\u{202e}q' './-x\\u{1b}[2J'\n"},
		{".", 0, 0, nil, false, ""},
	} {
		got := ""
		for _, line := range layOut(nextSteps(strings.Split(tt.args, "|"), tt.findings, tt.certain, tt.outputs, tt.wantsCI)) {
			got += line + "\n"
		}
		if got != tt.want {
			t.Errorf("%q: got\n%swant\n%s", tt.args, got, tt.want)
		}
	}
}
