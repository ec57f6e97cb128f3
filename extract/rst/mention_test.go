package rst

import (
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// The names of a document and their uses are Anchors and Mentions in TargetSpace, on request.
func TestTargetSpace(t *testing.T) {
	tests := []struct{ src, want string }{
		{"a_ `B  c`_ `t <d_>`_ e__\n\n.. _a: u\n.. _`b c`: a_\n.. _d:\n", "a, B  c=b c, +embedded t, d, +target a, +target b c, a, +target d"},
		{"[#n]_ [1]_ [C]_ [#]_\n\n.. [#n] x\n.. [1] y\n.. [C] z\n.. [#] q\n", "n, 1, C=c, +footnote n, +footnote 1, +citation C=c"},
		{"`t u <v>`_ `<w>`_ _`in x`\n", "+embedded t u, +embedded w, +inline-target in x"},
		{"A `b` *c*\n=========\n\n.. figure:: x\n   :name: Y\n   :target: a_\n", "+title A `b` *c*=a b c, +name Y=y, a"},
		{"|s|_ |r|\n\n.. |s| replace:: t\n.. _s: u\n", "s, +target s"},
		{"|a\\||_ ||b|_ |c|\n\n.. |a\\|| replace:: t\n.. |c| replace:: t\n", "a\\|=a|, |b"},
		{"+-------+\n| `a    |\n| b`_   |\n+-------+\n\n.. _a b: u\n", "a, +target a b"},
		{"+---------+\n| x       |\n+----+----+\n| `a | c  |\n| b`_| d  |\n+----+----+\n\n.. _a b: u\n", "a, +target a b"},
		{"+-------+\n| `a    |\n+-------+\n| b`_   |\n+-------+\n\n.. _a b: u\n", "+target a b"},
		{"``a_`` \\a_ a\\_ *a_*\n\n.. comment a_\n", ""},
	}
	for _, tt := range tests {
		var got []string
		for it := range (&Scanner{Anchors: true, Mentions: true}).Scan([]byte(tt.src)) {
			if it.Space != TargetSpace {
				continue
			}
			name := tt.src[it.Span.Start:it.Span.End]
			if it.Op == scan.Anchor {
				name = "+" + it.In + " " + name
			}
			if !strings.HasSuffix(name, string(it.Value)) {
				name += "=" + string(it.Value)
			}
			got = append(got, name)
		}
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.src, got, tt.want)
		}
		for it := range new(Scanner).Scan([]byte(tt.src)) {
			if it.Op == scan.Mention || it.Op == scan.Anchor {
				t.Errorf("%q: %q without being asked for", tt.src, it.Value)
			}
		}
	}
}
